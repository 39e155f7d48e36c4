// SPDX-License-Identifier: Apache-2.0
#include "items_of.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/builder.hpp"
#include "strata/error.hpp"

namespace strata::merge {

Value keys_of(Arena& arena, const Value& mapping) {
  SequenceBuilder keys(arena, mapping.size());
  for (const Entry& entry : mapping.entries()) keys.append(entry.key);
  return keys.finish().with_origin(mapping.origin()).with_secret(mapping.is_secret());
}

Value characters_of(Arena& arena, const Limits& limits, const Value& text, StopCheck& stop) {
  const std::string_view bytes = text.text();
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(bytes, is_start));
  if (count > limits.result) {
    throw Error("limit.result", fmt::format("a text of {} characters would become as many items", count))
        .hint("raise the limit with --limit result=NODES");
  }
  SequenceBuilder items(arena, count);
  for (std::size_t begin = 0; begin < bytes.size();) {
    stop.tick();
    std::size_t end = begin + 1;
    while (end < bytes.size() && !is_start(bytes[end])) ++end;
    items.append(arena.text(bytes.substr(begin, end - begin)).with_origin(text.origin()).with_secret(text.is_secret()));
    begin = end;
  }
  return items.finish().with_origin(text.origin()).with_secret(text.is_secret());
}

}  // namespace strata::merge
