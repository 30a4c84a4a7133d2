# How everything in this tree is compiled. Consumers of the installed library see none of it but C++20.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wpedantic)
if(BUILD_SHARED_LIBS)
  # For all alike, as tests share a precompiled header with the library.
  add_compile_options(-fPIC)
endif()
if(SPILLWAY_WERROR)
  set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
endif()

if(SPILLWAY_SANITIZE)
  set(sanitize -fsanitize=${SPILLWAY_SANITIZE} -fno-sanitize-recover=all)
  if(SPILLWAY_SANITIZE MATCHES "undefined")
    # CAF's own headers form a reference to an absent tuple whenever a function without arguments is spawned as an actor.
    list(APPEND sanitize -fno-sanitize=null)
  endif()
  add_compile_options(${sanitize} -fno-omit-frame-pointer)
  add_link_options(${sanitize})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The sanitizers' own code makes g++ see uninitialised variables where there are none.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()

find_program(SPILLWAY_CCACHE ccache)
mark_as_advanced(SPILLWAY_CCACHE)
if(SPILLWAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness is what ccache asks for before it caches sources with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${SPILLWAY_CCACHE})
endif()
