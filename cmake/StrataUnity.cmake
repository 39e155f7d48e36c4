# SPDX-License-Identifier: Apache-2.0
# Builds everything in half the time: units of several sources, and one precompiled header.
#
# More than half of what a source costs is not its own: the compiler parses the headers, instantiates the same templates
# and compiles the same inline functions for each. The presets that set STRATA_UNITY compile that many sources as one
# unit. Sources of a unit share one anonymous namespace, so private names are unique in a module; script/names.py checks
# that. The preset dev compiles each source alone: there the compiler and clang-tidy see that a source includes what it
# uses.
set(STRATA_UNITY 0 CACHE STRING "Sources compiled as one unit; 0: each alone, without a precompiled header")

# Compiles the sources of TARGET in units.
function(strata_units target)
  if(NOT STRATA_UNITY GREATER 1)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${STRATA_UNITY})
  # These warnings are about one source alone, and the preset dev has them: a private name of one source that another
  # one uses for a local variable, and members whose types are in an anonymous namespace that seems to be included.
  target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# Makes TARGET use the precompiled header of its KIND: floors or tests (other options, and GoogleTest). Each is compiled once.
function(strata_precompile target kind)
  if(NOT STRATA_UNITY GREATER 0)
    return()
  endif()
  set(owner strata_precompiled_${kind})
  if(NOT TARGET ${owner})
    set(empty ${PROJECT_BINARY_DIR}/precompiled_${kind}.cpp)
    file(CONFIGURE OUTPUT ${empty} CONTENT "int main() {}\n")
    if(kind STREQUAL "tests")
      # An executable, as its users are: the options for position independent code differ from a library's.
      add_executable(${owner} EXCLUDE_FROM_ALL ${empty})
      target_link_libraries(${owner} PRIVATE GTest::gtest)
      target_precompile_headers(${owner} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp <gtest/gtest.h>)
      target_compile_options(${owner} PRIVATE ${strata_test_options})
    else()
      add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${empty})
      target_precompile_headers(${owner} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp)
    endif()
    target_link_libraries(${owner} PRIVATE fmt::fmt)
    strata_compile_options(${owner})
    # ccache compares by contents what was precompiled: GCC must name it in what it preprocesses, clang must not stamp it with the time.
    target_compile_options(${owner} PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  endif()
  target_link_libraries(${target} PRIVATE fmt::fmt) # What is precompiled includes it.
  # In precompiled headers GCC 12 forgets which warnings the standard library keeps to itself (string + string again: bug 105651).
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow -Wno-array-bounds>)
  target_precompile_headers(${target} REUSE_FROM ${owner})
  target_compile_options(${target} PRIVATE -Winvalid-pch $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
