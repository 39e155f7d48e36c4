// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as a source map. Either an error comes out, or a map that answers for every position; texts are
// rewritten without losses.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "strata/error.hpp"
#include "strata/source_map.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  const std::string text(reinterpret_cast<const char*>(data), size);
  Sources sources;
  try {
    const report::SourceMap map = report::SourceMap::read(sources, sources.add("d/out.map", text),
                                                          {.depth = 100, .input = std::size_t{1} << 20U});
    for (const std::uint64_t line : {1U, 2U, 3U, 100U, 2'000'000'000U}) {
      for (const std::uint64_t column : {1U, 2U, 5U, 100U, 2'000'000'000U}) {
        if (const auto target = map.find(line, column); target && (target->line == 0 || target->column == 0))
          std::abort();
      }
    }
    // In two ways of cutting it, the same comes out; without a position, the text itself.
    const std::string name = map.file().empty() ? "out" : map.file();
    const std::string about = text + name + ":1:2 " + name + ":1\n" + text;
    const auto rewritten = [&](std::size_t piece) {
      std::string out;
      const text::Sink sink = [&out](std::string_view bytes) { out += bytes; };
      report::PlaceRewriter rewriter(map, name);
      for (std::string_view rest = about; !rest.empty(); rest.remove_prefix(std::min(piece, rest.size())))
        rewriter.add(rest.substr(0, piece), sink);
      rewriter.finish(sink);
      return out;
    };
    if (rewritten(about.size()) != rewritten(7)) std::abort();
  } catch (const Error& error) {
    if (error.diagnostic().message.empty() || !(error.code() == "map.read" || error.code().starts_with("limit.")))
      std::abort();
  }
  return 0;
}
