// SPDX-License-Identifier: Apache-2.0
#include "service/explore/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace strata::service::explore {
namespace {

/// The length of the entry's name in the name of a layer. npos: the layer is a level by itself.
std::size_t entry_length(std::string_view layer, std::string_view file) {
  if (layer == file) return std::string_view::npos;
  for (std::size_t slash = layer.find('/'); slash != std::string_view::npos; slash = layer.find('/', slash + 1)) {
    const std::string_view path = layer.substr(slash + 1);
    const bool ends = !path.empty() && file.ends_with(path) &&
                      (file.size() == path.size() || file[file.size() - path.size() - 1] == '/');
    if (ends && slash != 0) return slash;
  }
  return std::string_view::npos;
}

}  // namespace

std::string level_of(std::string_view layer, std::string_view file) {
  return std::string(layer.substr(0, entry_length(layer, file)));
}

std::string LevelNames::key(std::string_view layer, std::string_view file) {
  const std::size_t length = entry_length(layer, file);
  std::string out(layer.substr(0, length));
  if (length == std::string_view::npos) return out;
  const std::size_t path = layer.size() - length - 1;
  out += '\0';
  return out += file.substr(0, file.size() - std::min(file.size(), path + 1));
}

void LevelNames::add(const std::set<std::string>& keys) {
  std::string_view last;
  bool is_first = true;
  for (const std::string& key : keys) {
    const std::string_view own = std::string_view(key).substr(0, key.find('\0'));
    if (!is_first && own == last) shared_.emplace(own);
    last = own;
    is_first = false;
  }
}

std::string LevelNames::name(std::string_view key) const {
  const std::size_t end = key.find('\0');
  const std::string_view name = key.substr(0, end);
  if (end == std::string_view::npos || !shared_.contains(name)) return std::string(name);
  return fmt::format("{} ({})", name, key.size() == end + 1 ? "." : key.substr(end + 1));
}

std::size_t level_colour(std::string_view key) noexcept {
  constexpr std::size_t kColours = 8;
  std::uint32_t hash = 2166136261U;  // FNV-1a.
  for (const char one : key) hash = (hash ^ static_cast<unsigned char>(one)) * 16777619U;
  return (hash ^ (hash >> 15U)) % kColours;
}

}  // namespace strata::service::explore
