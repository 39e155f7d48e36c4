// SPDX-License-Identifier: Apache-2.0
#include "source_map_urls.hpp"

#include "value/shown_url.hpp"

namespace strata::report {

void append_encoded(std::string& out, std::string_view path) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  static constexpr std::string_view kKept = "-._~/@!$&'()*+,;=";
  bool in_first = true;  // A colon there would end a scheme.
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '/') in_first = false;
    const bool is_word = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_word || kKept.find(c) != std::string_view::npos || (c == ':' && !in_first)) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    }
  }
}

MapFolder::MapFolder(const std::string& working, const std::string& map_file)
    : working_(working), from_(whole(map_file.empty() ? "map" : map_file).parent_path()) {}

void MapFolder::append(std::string& out, const std::string& file) {
  if (is_url(file)) {
    out += file;
  } else {
    append_encoded(out, relative(file));
  }
}

std::string MapFolder::relative(const std::string& file) {
  constexpr std::string_view kName = "f";
  if (file.empty() || file.front() == '<') return file;  // `<stdin>` is in no folder.
  const std::size_t name = file.rfind('/') + 1;
  if (name == 0 || name == file.size()) return found(file);
  // Files mostly stand beside each other.
  if (const auto folder = std::string_view(file).substr(0, name); folder != last_) {
    last_ = folder;
    last_found_ = found(last_ + std::string(kName));
    last_found_.resize(last_found_.size() - kName.size());
  }
  return last_found_ + file.substr(name);
}

std::string MapFolder::found(const std::string& file) const {
  const std::filesystem::path to = whole(file);
  const std::filesystem::path out = from_.empty() ? to : to.lexically_relative(from_);
  return out.empty() ? file : out.string();
}

}  // namespace strata::report
