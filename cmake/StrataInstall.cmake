# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: headers, the static libraries, the program, and a strataConfig.cmake for find_package(strata).
include(CMakePackageConfigHelpers)

set(strata_config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/strata)
get_property(strata_packages GLOBAL PROPERTY STRATA_PACKAGES)
get_property(strata_pkg_config GLOBAL PROPERTY STRATA_PKG_CONFIG)
foreach(list strata_packages strata_pkg_config)
  list(REMOVE_DUPLICATES ${list})
  list(JOIN ${list} "\n" ${list})
endforeach()

# Where the modules of pkg-config find the rest: the folder of libraries may be deeper than lib, as Debian's lib/x86_64-linux-gnu.
set(strata_modules ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH strata_prefix_of_modules ${strata_modules} ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH strata_headers_of_modules ${strata_modules} ${CMAKE_INSTALL_FULL_INCLUDEDIR})

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
# What is installed, and no tests.
add_custom_target(strata_installed DEPENDS ${strata_floors})
foreach(target IN ITEMS strata_c strata)
  if(TARGET ${target})
    add_dependencies(strata_installed ${target})
  endif()
endforeach()
# The C interface as an archive, for programs that shall need no libstrata.so: one object, which shows no functions but those of the interface. An archive
# of its parts would not do: commands add themselves, so that nothing refers to them.
if(TARGET strata_c AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  list(TRANSFORM strata_floors REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE floor_archives)
  set(archive_folder ${PROJECT_BINARY_DIR}/src/c/archive)
  add_custom_command(
    OUTPUT ${archive_folder}/libstrata.a
    COMMAND ${CMAKE_COMMAND} -E make_directory ${archive_folder}
    COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${archive_folder}/strata.o $<TARGET_OBJECTS:strata_c> $<TARGET_OBJECTS:strata_questions> --start-group
            ${floor_archives} --end-group
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=strata_* ${archive_folder}/strata.o
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive_folder}/libstrata.a
    COMMAND ${CMAKE_AR} qcsD ${archive_folder}/libstrata.a ${archive_folder}/strata.o
    DEPENDS strata_c strata_questions ${strata_floors} $<TARGET_OBJECTS:strata_c> $<TARGET_OBJECTS:strata_questions>
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(strata_c_archive ALL DEPENDS ${archive_folder}/libstrata.a)
  add_dependencies(strata_installed strata_c_archive)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/strata-static.pc.in ${PROJECT_BINARY_DIR}/strata-static.pc @ONLY)
  install(FILES ${archive_folder}/libstrata.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${PROJECT_BINARY_DIR}/strata-static.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
