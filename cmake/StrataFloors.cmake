# strata_floor(NAME [SOURCES ...] [LINK public libraries ...] [PRIVATE_LINK libraries ...]) declares the library of one floor.
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)

function(strata_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor)
  # With optimisation GCC 12 sees overlaps in string + string (GCC bug 105651) and unset members of optionals (105562) that are not there;
  # clang and the sanitizers look for the real ones.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-maybe-uninitialized>)
  if(STRATA_DEVELOPER)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Notes what the users of a floor's static library must find themselves, for strataConfig.cmake: packages by the namespace of their targets,
# pkg-config modules by the prefix of theirs.
function(strata_note_dependencies)
  foreach(library IN LISTS ARGN)
    if(library MATCHES "^PkgConfig::(.+)$")
      set(modules ${__pkg_config_arguments_${CMAKE_MATCH_1}})
      list(REMOVE_ITEM modules REQUIRED QUIET IMPORTED_TARGET GLOBAL NO_CMAKE_PATH NO_CMAKE_ENVIRONMENT_PATH)
      if(NOT modules)
        message(FATAL_ERROR "${library}: call pkg_check_modules(${CMAKE_MATCH_1} ...) first")
      endif()
      list(JOIN modules " " modules)
      set_property(GLOBAL APPEND PROPERTY STRATA_PKG_CONFIG "pkg_check_modules(${CMAKE_MATCH_1} REQUIRED QUIET IMPORTED_TARGET ${modules})")
    elseif(library MATCHES "^([^:]+)::" AND NOT CMAKE_MATCH_1 STREQUAL "strata")
      set_property(GLOBAL APPEND PROPERTY STRATA_PACKAGES "find_dependency(${CMAKE_MATCH_1})")
    endif()
  endforeach()
endfunction()

function(strata_floor name)
  cmake_parse_arguments(FLOOR "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  add_library(strata_${name} STATIC ${FLOOR_SOURCES})
  add_library(strata::${name} ALIAS strata_${name})
  target_include_directories(strata_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                                   $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_link_libraries(strata_${name} PUBLIC ${FLOOR_LINK} PRIVATE ${FLOOR_PRIVATE_LINK})
  set_target_properties(strata_${name} PROPERTIES EXPORT_NAME ${name})
  strata_compile_options(strata_${name})
  set_property(GLOBAL APPEND PROPERTY STRATA_FLOORS strata_${name})
  strata_note_dependencies(${FLOOR_LINK} ${FLOOR_PRIVATE_LINK})
endfunction()

# strata_test(NAME SOURCES ... LINK ...) declares one GoogleTest program, registered with CTest.
function(strata_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_LINK} GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE STRATA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  strata_compile_options(${name})
  # What is tested is optimised in full; the tests themselves compile in two thirds of the time.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60)
endfunction()
