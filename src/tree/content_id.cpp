// SPDX-License-Identifier: Apache-2.0
#include "entries.hpp"
#include "sha256.hpp"
#include "strata/file_tree.hpp"

namespace strata {

ContentId content_id(std::string_view bytes) {
  const auto digest = sha256(bytes);
  const auto word = [&](std::size_t first) {
    std::uint64_t out = 0;
    for (std::size_t i = first; i < first + 8; ++i) out = out << 8U | digest[i];
    return out;
  };
  return {.high = word(0), .low = word(8)};
}

std::vector<FileTree::Named> FileTree::entries(std::string_view path) const { return detail::entries_of(list(path)); }

std::optional<FileTree::Identified> FileTree::identify(std::string_view path) const {
  std::optional<std::string> bytes = read(path);
  if (!bytes) return std::nullopt;
  const ContentId id = content_id(*bytes);
  return Identified{.id = id, .bytes = std::move(bytes)};
}

std::optional<ContentId> FileTree::identity(std::string_view path) const {
  const std::optional<Identified> found = identify(path);
  return found ? std::optional(found->id) : std::nullopt;
}

}  // namespace strata
