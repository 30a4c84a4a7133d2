# The library, its public headers, and a package that `find_package(spillway)` finds.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/spillway)

install(TARGETS spillway spillway_actor EXPORT spillwayTargets)
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT spillwayTargets NAMESPACE spillway:: DESTINATION ${package_folder})

configure_package_config_file(cmake/spillwayConfig.cmake.in ${PROJECT_BINARY_DIR}/spillwayConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spillwayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/spillwayConfig.cmake ${PROJECT_BINARY_DIR}/spillwayConfigVersion.cmake
  cmake/FindCAF.cmake cmake/FindLMDB.cmake cmake/FindZstd.cmake DESTINATION ${package_folder})
