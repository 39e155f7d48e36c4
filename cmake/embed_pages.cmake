# SPDX-License-Identifier: Apache-2.0
# cmake -D PAGES=a.md,b/c.md -D DOCS=FOLDER -D OUTPUT=FILE -P embed_pages.cmake: writes a C++ source that holds the pages, and the date for manuals:
# SOURCE_DATE_EPOCH where it is set, else today.
string(REPLACE "," ";" PAGES "${PAGES}")
string(TIMESTAMP date "%Y-%m-%d" UTC)
set(text "// Made from docs/ by embed_pages.cmake.\n#include \"pages.hpp\"\n\nnamespace strata::cli {\nnamespace {\n\nconstexpr Page kPages[] = {\n")
foreach(page IN LISTS PAGES)
  file(READ "${DOCS}/${page}" content)
  if(content MATCHES "\\)page\"")
    message(FATAL_ERROR "docs/${page}: it has the end of a raw text of C++")
  endif()
  string(APPEND text "    {\"${page}\", R\"page(${content})page\"},\n")
endforeach()
string(APPEND text "};\n\n}  // namespace\n\nstd::span<const Page> pages() noexcept { return kPages; }\n\nstd::string_view date_of_pages() noexcept { return \"${date}\"; }\n\n}  // namespace strata::cli\n")
file(WRITE ${OUTPUT} "${text}")
