# SPDX-License-Identifier: Apache-2.0
# What the program's libraries cost its start. Loading fourteen shared libraries, the standard library of C++ first among them, takes longer than
# reading a megabyte of YAML. So the program has in itself what there are archives of; what is left shared is the C library, and what Debian has no
# archive of.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(strata_archives ON)
else()
  set(strata_archives OFF)
endif()
option(STRATA_STATIC_LIBRARIES "Link the archives of libraries where there are some, the standard library of C++ among them" ${strata_archives})

# Makes an imported target stand for the archive beside its shared library, if there is one.
function(strata_prefer_archive target)
  if(NOT STRATA_STATIC_LIBRARIES)
    return()
  endif()
  foreach(property INTERFACE_LINK_LIBRARIES IMPORTED_LOCATION IMPORTED_LOCATION_RELEASE)
    get_target_property(files ${target} ${property})
    if(NOT files)
      continue()
    endif()
    set(found)
    foreach(file IN LISTS files)
      string(REGEX REPLACE "\\.so$" ".a" archive "${file}")
      if(NOT EXISTS "${archive}")
        set(archive "${file}")
      endif()
      list(APPEND found "${archive}")
    endforeach()
    set_property(TARGET ${target} PROPERTY ${property} "${found}")
  endforeach()
endfunction()

# For programs that are delivered or measured: the libraries of C++ too, and no shared library that nothing is taken from.
function(strata_link_archives target)
  if(STRATA_STATIC_LIBRARIES)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc LINKER:--as-needed)
  endif()
endfunction()
