// SPDX-License-Identifier: Apache-2.0
// The small grammars of lookups: expressions, keys, paths, globs, and patterns of lookup_options. Input: a text a line.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "hiera/glob.hpp"
#include "hiera/interpolation.hpp"
#include "hiera/key.hpp"
#include "hiera/lookup_options.hpp"
#include "hiera/pathname.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"

namespace {

using namespace strata;

template <class Work>
void expect_own_errors(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code().empty() || error.diagnostic().message.empty()) std::abort();
  }
}

/// Expressions follow each other without overlap.
void check_expressions(std::string_view text) {
  std::size_t from = 0;
  while (const auto expression = hiera::find_expression(text, from)) {
    if (expression->begin < from || expression->end <= expression->begin + 2 || expression->end > text.size())
      std::abort();
    if (!text.substr(expression->begin).starts_with("%{") || text[expression->end - 1] != '}') std::abort();
    from = expression->end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view first = text.substr(0, text.find('\n'));
  const std::string_view second = first.size() < text.size() ? text.substr(first.size() + 1) : std::string_view();
  check_expressions(text);
  expect_own_errors([&] { (void)hiera::Key(text); });
  expect_own_errors([&] {
    for (const hiera::Segment& segment : hiera::split_key(first, "key")) (void)hiera::to_string(segment);
  });
  if (hiera::join_path(first, second).empty() || hiera::parent_path(first).empty()) std::abort();
  const auto tree = memory_tree({{"/a/b.yaml", ""}, {"/a/c/d.yaml", ""}, {"/.h", ""}, {"/a.yaml", ""}});
  expect_own_errors([&] {
    for (const std::string& path : hiera::glob_files(*tree, "/" + std::string(first), 10'000)) {
      if (tree->kind(path) != FileKind::file) std::abort();
    }
  });
  expect_own_errors([&] {
    Arena arena;
    const Sources sources;
    MappingBuilder options(arena);
    options.insert(first, arena.text("first"));
    options.insert("^" + std::string(first), arena.text("pattern"));
    for (const std::string_view module : {std::string_view(), std::string_view("m")}) {
      const hiera::LookupOptions known(sources, hiera::check_lookup_options(sources, options.finish(), module));
      (void)known.find(second);
    }
  });
  return 0;
}
