# SPDX-License-Identifier: Apache-2.0
# strata_embed_pages(TARGET SOURCE...): puts the pages of docs/ that the sources name, `"PAGE.md"`, into the target, for `strata manual`. A page that is
# named and not there ends the build. The sources need not be the target's own: a command may belong to another library, which the program links, too.
function(strata_embed_pages target)
  set(sources ${ARGN})
  set(name "\"[^\" ]+\\.md\"")
  set(pages)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} lines REGEX "${name}" ENCODING UTF-8)
    foreach(line IN LISTS lines)
      string(REGEX MATCHALL "${name}" named "${line}")
      list(APPEND pages ${named})
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  endforeach()
  string(REPLACE "\"" "" pages "${pages}")
  list(SORT pages)
  list(REMOVE_DUPLICATES pages)
  set(files ${pages})
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/docs/)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/pages.cpp)
  list(JOIN pages "," names)
  add_custom_command(OUTPUT ${output}
                     COMMAND ${CMAKE_COMMAND} -D "PAGES=${names}" -D DOCS=${PROJECT_SOURCE_DIR}/docs -D OUTPUT=${output}
                             -P ${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake
                     DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake VERBATIM)
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${output})
endfunction()
