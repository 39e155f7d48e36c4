// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "puppet/characters.hpp"
#include "strata/error.hpp"
#include "strata/found_file.hpp"

namespace strata::bindings {
namespace {

/// Deeper folders are those of links that lead back.
constexpr std::size_t kDeepestFolder = 32;

std::string_view stem(std::string_view file) {
  return file.ends_with(".pp") ? file.substr(0, file.size() - 3) : std::string_view();
}

}  // namespace

bool is_name_segment(std::string_view segment) noexcept {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_part = [&](char c) { return is_letter(c) || puppet::is_digit(c) || c == '_'; };
  return !segment.empty() && (is_letter(segment[0]) || segment[0] == '_') && std::ranges::all_of(segment, is_part);
}

bool is_document_name(std::string_view name) noexcept {
  while (true) {
    const std::size_t end = name.find("::");
    if (!is_name_segment(name.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    name.remove_prefix(end + 2);
  }
}

bool NamePattern::has_wildcard() const noexcept {
  return std::ranges::any_of(segments, [](const std::string& segment) { return segment.starts_with('*'); });
}

std::string NamePattern::text() const { return fmt::format("{}", fmt::join(segments, "::")); }

void DocumentFinder::count(std::size_t more) {
  seen_ += more;
  if (seen_ > most_) {
    throw Error("limit.includes", fmt::format("a layer's wildcards look at more than {} files and folders", most_))
        .hint("name fewer documents, or raise the limit with --limit includes=NUMBER");
  }
}

void DocumentFinder::find(const std::string& folder, const NamePattern& pattern, std::size_t from,
                          const std::string& prefix, std::vector<FoundDocument>& out) {
  walk(folder, pattern, from, prefix, 0, out);
}

void DocumentFinder::walk(const std::string& folder, const NamePattern& pattern, std::size_t from,
                          const std::string& prefix, std::size_t depth, std::vector<FoundDocument>& out) {
  if (from == pattern.segments.size() || depth > kDeepestFolder) return;
  const std::string& segment = pattern.segments[from];
  const auto behind = std::span(pattern.segments).subspan(from + 1);
  const bool is_last = behind.empty();
  // What is behind may stand for nothing.
  const bool may_end = std::ranges::all_of(behind, [](const std::string& each) { return each == "**"; });
  if (!segment.starts_with('*')) {
    count(1);
    const std::string path = folder + "/" + segment;
    if (may_end && found_kind(tree_, path + ".pp") == FileKind::file) out.push_back({prefix + segment, path + ".pp"});
    if (!is_last) walk(path, pattern, from + 1, prefix + segment + "::", depth + 1, out);
    return;
  }
  const bool is_deep = segment == "**";
  if (is_deep && !is_last) walk(folder, pattern, from + 1, prefix, depth, out);
  for (const std::string& entry : tree_.list(folder)) {
    const std::string_view name = stem(entry);
    const std::string path = std::string(folder).append("/").append(entry);
    if (may_end && is_name_segment(name)) {
      count(1);
      if (found_kind(tree_, path) == FileKind::file) out.push_back({prefix + std::string(name), path});
    } else if ((is_deep || !is_last) && is_name_segment(entry)) {
      count(1);
      if (tree_.kind(path) == FileKind::folder)
        walk(path, pattern, is_deep ? from : from + 1, prefix + entry + "::", depth + 1, out);
    }
  }
}

std::string DocumentFinder::module_folder(const std::vector<std::string>& modulepath, std::string_view module) const {
  for (const std::string& element : modulepath) {
    std::string folder = element + "/" + std::string(module);
    if (tree_.kind(folder) == FileKind::folder) return folder;
  }
  return {};
}

std::vector<std::string> DocumentFinder::modules(const std::vector<std::string>& modulepath) const {
  return folders_in(tree_, modulepath, is_name_segment);
}

}  // namespace strata::bindings
