# SPDX-License-Identifier: Apache-2.0
# The pages of the explorer, which are built files in web/dist, as a source of C++: each packed by gzip, with its type and the SHA-256 of its bytes. Not
# `.incbin`: ccache cannot see what that reads. Reads no clock, no network, and runs no npm.
option(STRATA_EXPLORER "The program has the pages of the explorer in it" ON)

# Writes OUTPUT, the bytes of the files of FOLDER, and of further files, as the assets of src/service/explore/assets.hpp. Without the folder, or with
# STRATA_EXPLORER off, there are none, and the service says so.
function(strata_write_assets folder output)
  set(files)
  foreach(name app.js chunk.js editor.js icon.svg index.html LICENSES.txt pages.js style.css)
    list(APPEND files ${folder}/${name})
  endforeach()
  list(APPEND files ${ARGN})
  set(arrays)
  set(entries)
  set(count 0)
  if(STRATA_EXPLORER AND NOT EXISTS ${folder}/index.html)
    message(STATUS "There is no ${folder}/index.html: the explorer has no pages")
  elseif(STRATA_EXPLORER)
    find_program(STRATA_GZIP gzip REQUIRED)
    foreach(file IN LISTS files)
      get_filename_component(name ${file} NAME)
      if(NOT EXISTS ${file})
        continue()
      endif()
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
      set(packed ${CMAKE_CURRENT_BINARY_DIR}/assets/${name}.gz)
      file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/assets)
      execute_process(COMMAND ${STRATA_GZIP} -9nc ${file} OUTPUT_FILE ${packed} COMMAND_ERROR_IS_FATAL ANY)
      file(READ ${packed} bytes HEX)
      string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
      file(SHA256 ${file} digest)
      if(name MATCHES "\\.js$")
        set(type "text/javascript; charset=utf-8")
      elseif(name MATCHES "\\.css$")
        set(type "text/css; charset=utf-8")
      elseif(name MATCHES "\\.html$")
        set(type "text/html; charset=utf-8")
      elseif(name MATCHES "\\.svg$")
        set(type "image/svg+xml")
      else()
        set(type "text/plain; charset=utf-8")
      endif()
      string(APPEND arrays "constexpr unsigned char kBytes${count}[] = {${bytes}};\n")
      string(APPEND entries "    Asset{.name = \"${name}\", .type = \"${type}\", .sha256 = \"${digest}\", .packed = kBytes${count}},\n")
      math(EXPR count "${count} + 1")
    endforeach()
  endif()
  if(count EQUAL 0)
    set(list "std::span<const Asset> assets() noexcept { return {}; }\n")
  else()
    set(list "std::span<const Asset> assets() noexcept {\n  static constexpr Asset kAssets[] = {\n${entries}  };\n  return kAssets;\n}\n")
  endif()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
       "// Made of web/dist by cmake/StrataAssets.cmake.
#include \"service/explore/assets.hpp\"

namespace strata::service::explore {
namespace {

@arrays@
}  // namespace

@list@
}  // namespace strata::service::explore
")
endfunction()
