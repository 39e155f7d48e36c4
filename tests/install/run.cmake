# SPDX-License-Identifier: Apache-2.0
# Installs strata into a temporary prefix, then builds and runs the samples against it.
# Needs: BUILD (strata's build folder), SCRATCH (a folder that may go), COMPILER, FLAGS, BUILD_TYPE.
file(REMOVE_RECURSE ${SCRATCH})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(must_print expected)
  run(${ARGN})
  if(NOT output STREQUAL "${expected}\n")
    message(FATAL_ERROR "${ARGN} printed: ${output}")
  endif()
endfunction()

set(prefix ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

# C++, static.
run(${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR} -B ${SCRATCH}/build -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_BUILD_TYPE=${BUILD_TYPE})
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
must_print("{\"ntp\": {\"servers\": [\"a\", \"b\"]}}" ${SCRATCH}/build/sample)

# C, shared, by every compiler that is there: with CMake, and with pkg-config alone. A library with sanitizers is for strata's own tests.
set(compilers gcc clang)
if(FLAGS MATCHES "-fsanitize=")
  set(compilers)
endif()
set(sample ${CMAKE_CURRENT_LIST_DIR}/c)
foreach(compiler IN LISTS compilers)
  find_program(${compiler}_program ${compiler})
  if(NOT ${compiler}_program)
    continue()
  endif()
  run(${CMAKE_COMMAND} -G Ninja -S ${sample} -B ${SCRATCH}/${compiler} -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${${compiler}_program})
  run(${CMAKE_COMMAND} --build ${SCRATCH}/${compiler})
  must_print("9 1" ${SCRATCH}/${compiler}/sample)

  file(GLOB_RECURSE module ${prefix}/strata.pc)
  get_filename_component(folder ${module} DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  run(pkg-config --cflags --libs strata)
  separate_arguments(words UNIX_COMMAND "${output}")
  file(GLOB_RECURSE library ${prefix}/libstrata.so.1)
  get_filename_component(libraries ${library} DIRECTORY)
  run(${${compiler}_program} -std=c11 -Wall -Wextra -pedantic -Werror ${sample}/main.c ${words} -Wl,-rpath,${libraries} -o ${SCRATCH}/plain)
  must_print("9 1" ${SCRATCH}/plain)
  if(BUILD_TYPE STREQUAL "Release")  # Else there is no archive.
    run(pkg-config --cflags --libs strata-static)
    separate_arguments(static_words UNIX_COMMAND "${output}")
    run(${${compiler}_program} -std=c11 -Wall -Wextra -pedantic -Werror ${sample}/main.c ${static_words} -o ${SCRATCH}/alone)
    must_print("9 1" ${SCRATCH}/alone)
    run(readelf --dynamic ${SCRATCH}/alone)
    if(output MATCHES "libstrata")
      message(FATAL_ERROR "a program with libstrata.a needs libstrata.so:\n${output}")
    endif()
  endif()
  run(${${compiler}_program} -x c++ -std=c++17 -Wall -Wextra -pedantic -Werror ${sample}/main.cpp -lstdc++ ${words} -Wl,-rpath,${libraries}
      -o ${SCRATCH}/plain)
  must_print("9 1" ${SCRATCH}/plain)
endforeach()

# Inside another project: its targets are there, and none of strata's tests.
run(${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR}/inside -B ${SCRATCH}/inside -DSTRATA_SOURCE=${CMAKE_CURRENT_LIST_DIR}/../..
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_INSTALL_LIBDIR=lib/x86_64-linux-gnu)
run(ninja -C ${SCRATCH}/inside -t targets all)
if(output MATCHES "value_test" OR NOT output MATCHES "\ninside:" OR NOT output MATCHES "libstrata.so")
  message(FATAL_ERROR "a project with strata inside has these targets: ${output}")
endif()

# The modules of pkg-config, wherever the prefix is, where the folder of libraries is deeper: Debian's.
set(modules ${SCRATCH}/moved/lib/x86_64-linux-gnu/pkgconfig)
file(GLOB_RECURSE made ${SCRATCH}/inside/strata.pc ${SCRATCH}/inside/strata-static.pc)
file(COPY ${made} DESTINATION ${modules})
set(ENV{PKG_CONFIG_PATH} ${modules})
foreach(module IN LISTS made)
  get_filename_component(module ${module} NAME_WLE)
  foreach(wanted IN ITEMS prefix= includedir=/include libdir=/lib/x86_64-linux-gnu)
    string(REGEX MATCH "^[a-z]+" variable ${wanted})
    run(pkg-config --variable=${variable} ${module})
    string(STRIP "${output}" output)
    cmake_path(NORMAL_PATH output)
    string(REGEX REPLACE "/$" "" output ${output})
    string(REPLACE "${variable}=" "${SCRATCH}/moved" folder ${wanted})
    if(NOT output STREQUAL folder)
      message(FATAL_ERROR "${variable} of ${module} is ${output}")
    endif()
  endforeach()
endforeach()
file(REMOVE_RECURSE ${SCRATCH})
