# The tree of public headers, <build>/include: what apps are compiled against and what is installed. A header keeps its path
# below include/spillway/, and its includes of other headers of ours get the prefix `spillway/`. Headers in folders named `caf`
# or `lmdb` stay private. The headers in cmake/include/ are copied as they are, once the header that they forward to exists.
#
# Included by a project, it gives the target `spillway_headers`; with `cmake -P`, run by that target, it writes the tree. Only
# files whose text changed are written, and files without a source are removed.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/messages/*.hpp ${PROJECT_SOURCE_DIR}/storage/*.hpp ${PROJECT_SOURCE_DIR}/scheduler/*.hpp
    ${PROJECT_SOURCE_DIR}/actors/*.hpp)
  list(FILTER headers EXCLUDE REGEX "/(caf|lmdb)/")
  file(GLOB_RECURSE forwarders CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/cmake/include/*.hpp)
  foreach(forwarder IN LISTS forwarders)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${forwarder} target REGEX "^#include \"spillway/")
    string(REGEX REPLACE "#include \"spillway/([^\"]+)\".*" "\\1" target "${target}")
    if(target IN_LIST headers)
      list(APPEND headers ${forwarder})
    endif()
  endforeach()

  set(copies)
  foreach(header IN LISTS headers)
    if(header MATCHES "^cmake/include/(.*)")
      list(APPEND copies ${PROJECT_BINARY_DIR}/include/${CMAKE_MATCH_1})
    else()
      list(APPEND copies ${PROJECT_BINARY_DIR}/include/spillway/${header})
    endif()
  endforeach()

  set(list ${PROJECT_BINARY_DIR}/public_headers.txt)
  file(CONFIGURE OUTPUT ${list} CONTENT "${headers}" @ONLY)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/public_headers.stamp BYPRODUCTS ${copies}
    COMMAND ${CMAKE_COMMAND} -D list=${list} -D to=${PROJECT_BINARY_DIR}/include -P ${CMAKE_CURRENT_LIST_FILE}
    COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/public_headers.stamp
    DEPENDS ${headers} ${list} ${CMAKE_CURRENT_LIST_FILE}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Writing the public headers" VERBATIM)
  add_custom_target(spillway_headers ALL DEPENDS ${PROJECT_BINARY_DIR}/public_headers.stamp)
  return()
endif()

file(READ ${list} headers)
set(written)
foreach(header IN LISTS headers)
  file(READ ${header} text)
  if(header MATCHES "^cmake/include/(.*)")
    set(copy ${to}/${CMAKE_MATCH_1})
  else()
    set(copy ${to}/spillway/${header})
    string(REGEX REPLACE "#include \"(messages|storage|scheduler|actors)/" "#include \"spillway/\\1/" text "${text}")
  endif()
  set(old)
  if(EXISTS ${copy})
    file(READ ${copy} old)
  endif()
  if(NOT "${text}" STREQUAL "${old}" OR NOT EXISTS ${copy})
    file(WRITE ${copy} "${text}")
  endif()
  list(APPEND written ${copy})
endforeach()

file(GLOB_RECURSE present ${to}/*)
list(REMOVE_ITEM present ${written})
if(present)
  file(REMOVE ${present})
endif()
