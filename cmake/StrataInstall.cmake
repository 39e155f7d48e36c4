# `cmake --install`: headers, the static libraries, the program, and a strataConfig.cmake for find_package(strata).
include(CMakePackageConfigHelpers)

set(strata_config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/strata)
get_property(strata_packages GLOBAL PROPERTY STRATA_PACKAGES)
get_property(strata_pkg_config GLOBAL PROPERTY STRATA_PKG_CONFIG)
foreach(list strata_packages strata_pkg_config)
  list(REMOVE_DUPLICATES ${list})
  list(JOIN ${list} "\n" ${list})
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/strata DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(TARGETS strata_all ${strata_floors} EXPORT strataTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT strataTargets NAMESPACE strata:: DESTINATION ${strata_config_folder})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/strataConfig.cmake.in ${PROJECT_BINARY_DIR}/strataConfig.cmake
                              INSTALL_DESTINATION ${strata_config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/strataConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/strataConfig.cmake ${PROJECT_BINARY_DIR}/strataConfigVersion.cmake DESTINATION ${strata_config_folder})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The C interface: a shared library that needs nothing at build time, so that projects in C find it without what the static libraries need.
if(TARGET strata_c)
  install(TARGETS strata_c EXPORT strataCTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT strataCTargets NAMESPACE strata:: DESTINATION ${strata_config_folder})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/strata.pc.in ${PROJECT_BINARY_DIR}/strata.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/strata.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(TARGET strata)
  install(TARGETS strata RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
