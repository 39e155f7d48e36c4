# Installs strata into a temporary prefix, then builds and runs the sample against it.
# Needs: BUILD (strata's build folder), SCRATCH (a folder that may go), COMPILER, FLAGS, BUILD_TYPE.
file(REMOVE_RECURSE ${SCRATCH})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${output}")
  endif()
  set(output ${output} PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR} -B ${SCRATCH}/build -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_BUILD_TYPE=${BUILD_TYPE})
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/sample)
if(NOT output STREQUAL "{\"ntp\": {\"servers\": [\"a\", \"b\"]}}\n")
  message(FATAL_ERROR "the sample printed: ${output}")
endif()
file(REMOVE_RECURSE ${SCRATCH})
