# SPDX-License-Identifier: Apache-2.0
# strata_floor(NAME [SOURCES ...] [LINK public libraries ...] [PRIVATE_LINK libraries ...]) declares the library of one floor.
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
strata_prefer_archive(ZLIB::ZLIB)
include(StrataUnity)

# How tests are compiled: what they test is optimised in full, they themselves take the time of the compiler only (with clang's sanitizers half of it
# without optimisation).
set(strata_test_options $<$<CONFIG:Release>:-O1> $<$<CONFIG:Debug>:-O0>)

# Puts the folders of src/ that are floors into RESULT, from the bottom up: each says its level in its own CMakeLists.txt (strata_level).
function(strata_read_floors result)
  file(GLOB lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/CMakeLists.txt)
  set(found)
  foreach(list IN LISTS lists)
    file(STRINGS ${list} level REGEX "^strata_level\\([0-9]+\\)$")
    if(NOT level MATCHES "^strata_level\\(([0-9]+)\\)$")
      message(FATAL_ERROR "${list}: a floor needs one line strata_level(NUMBER)")
    endif()
    get_filename_component(folder ${list} DIRECTORY)
    get_filename_component(floor ${folder} NAME)
    list(APPEND found "${CMAKE_MATCH_1}:${floor}")
  endforeach()
  list(SORT found COMPARE NATURAL)
  list(TRANSFORM found REPLACE "^[0-9]+:" "")
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Says how high the floor of the current folder is: it knows the floors with lower numbers only, those with its own number not. script/includes.py reads this
# line too (what may include what).
macro(strata_level number)
  set(strata_current_level ${number})
  get_filename_component(strata_current_floor ${CMAKE_CURRENT_SOURCE_DIR} NAME)
endmacro()

# Fails where a library of the current floor is linked to one of its own level, or of one above, that is not of its folder.
function(strata_check_level name)
  foreach(library IN LISTS ARGN)
    if(library MATCHES "^strata::")
      if(NOT TARGET ${library})
        message(FATAL_ERROR "strata_floor(${name}): there is no ${library} on a level below ${strata_current_level}")
      endif()
      get_target_property(target ${library} ALIASED_TARGET)
      get_target_property(level ${target} STRATA_LEVEL)
      get_target_property(floor ${target} STRATA_FLOOR)
      if(NOT floor STREQUAL strata_current_floor AND NOT level LESS strata_current_level)
        message(FATAL_ERROR "strata_floor(${name}), of level ${strata_current_level}, is linked to ${library}, of level ${level}")
      endif()
    endif()
  endforeach()
endfunction()

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
  strata_check_level(${name} ${FLOOR_LINK} ${FLOOR_PRIVATE_LINK})
  set_target_properties(strata_${name} PROPERTIES EXPORT_NAME ${name} STRATA_LEVEL ${strata_current_level} STRATA_FLOOR ${strata_current_floor})
  strata_compile_options(strata_${name})
  strata_units(strata_${name})
  strata_precompile(strata_${name} floors)
  set_property(GLOBAL APPEND PROPERTY STRATA_FLOORS strata_${name})
  strata_note_dependencies(${FLOOR_LINK} ${FLOOR_PRIVATE_LINK})
endfunction()

# strata_test(NAME [SHARDS N] SOURCES ... LINK ...) declares one GoogleTest program, one entry of CTest: starting each case alone takes longer than the
# cases. A program that takes much longer than the others is cut into N entries, for ctest --parallel.
function(strata_test name)
  cmake_parse_arguments(TEST "" "SHARDS" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_LINK} GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE STRATA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  strata_compile_options(${name})
  target_compile_options(${name} PRIVATE ${strata_test_options})
  strata_units(${name})
  strata_precompile(${name} tests)
  # What failed is named, what passed is not. The timeout is against hangs only: a loaded machine takes many times as long as a free one.
  set(command ${name} --gtest_brief=1)
  if(TEST_SHARDS)
    math(EXPR last "${TEST_SHARDS} - 1")
    foreach(shard RANGE ${last})
      add_test(NAME ${name}.${shard} COMMAND ${command})
      set_tests_properties(${name}.${shard} PROPERTIES TIMEOUT 900 ENVIRONMENT "GTEST_TOTAL_SHARDS=${TEST_SHARDS};GTEST_SHARD_INDEX=${shard}")
    endforeach()
  else()
    add_test(NAME ${name} COMMAND ${command})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900)
  endif()
endfunction()
