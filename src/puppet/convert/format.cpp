// SPDX-License-Identifier: Apache-2.0
#include "puppet/convert/format.hpp"

#include <algorithm>

#include "puppet/characters.hpp"
#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

constexpr std::string_view kDelimiters = "[{(<|";
/// Wider texts are taken for mistakes.
constexpr std::size_t kMaxFormatWidth = 10'000;

[[noreturn]] void bad_format(std::string_view text, const std::string& why) {
  throw Error("puppet.format", "the format '" + std::string(text.substr(0, 40)) + "' " + why)
      .hint("a format is %<flags><width>.<precision><letter>");
}

std::size_t parse_number(std::string_view text, std::size_t& at) {
  std::size_t out = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    out = out * 10 + static_cast<std::size_t>(text[at] - '0');
    if (out > kMaxFormatWidth)
      bad_format(text, "asks for more than " + std::to_string(kMaxFormatWidth) + " characters");
  }
  return out;
}

/// Puppet's rank of unrelated types; 0 for none.
int rank(const Type& type) {
  switch (type.kind()) {
    case TypeKind::structure:
      return 1;
    case TypeKind::hash:
      return 2;
    case TypeKind::tuple:
      return 3;
    case TypeKind::array:
      return 4;
    case TypeKind::pattern:
      return 10;
    case TypeKind::enumeration:
      return 11;
    case TypeKind::string:
      return 12;
    default:
      return 0;
  }
}

bool goes_before(const Type& left, const Type& right) {
  const bool narrower = is_assignable(right, left);
  const bool wider = is_assignable(left, right);
  if (narrower != wider) return narrower;
  if (rank(left) == 0 || rank(right) == 0) return to_string(left) < to_string(right);
  return rank(left) < rank(right);
}

std::shared_ptr<const FormatMap> merge_inner(const std::shared_ptr<const FormatMap>& lower,
                                             const std::shared_ptr<const FormatMap>& higher);

Format merge_formats(const Format& lower, const Format& higher) {
  Format out = higher;
  if (!out.separator) out.separator = lower.separator;
  if (!out.separator2) out.separator2 = lower.separator2;
  out.inner = merge_inner(lower.inner, higher.inner);
  return out;
}

/// Those of `lower` that a wider type of `higher` covers are left out.
FormatMap merge_formats(const FormatMap& lower, const FormatMap& higher) {
  FormatMap out;
  for (const FormatMap::Item& low : lower.items) {
    const FormatMap::Item* same = nullptr;
    bool covered = false;
    for (const FormatMap::Item& high : higher.items) {
      if (same_type(*high.type, *low.type)) {
        same = &high;
      } else {
        covered = covered || is_assignable(*high.type, *low.type);
      }
    }
    // One that is covered by another type leaves nothing to the format of its own type.
    if (!covered)
      out.items.push_back({low.type, same == nullptr ? low.format : merge_formats(low.format, same->format)});
  }
  for (const FormatMap::Item& high : higher.items) {
    const bool merged = std::any_of(out.items.begin(), out.items.end(),
                                    [&](const auto& item) { return same_type(*item.type, *high.type); });
    if (!merged) out.items.push_back(high);
  }
  return out;
}

std::shared_ptr<const FormatMap> merge_inner(const std::shared_ptr<const FormatMap>& lower,
                                             const std::shared_ptr<const FormatMap>& higher) {
  if (lower == nullptr || higher == nullptr) return lower == nullptr ? higher : lower;
  return std::make_shared<const FormatMap>(merge_formats(*lower, *higher));
}

FormatMap read_map(const Value& map, const Limits& limits, std::size_t depth);

std::string text_member(const Entry& entry) {
  if (!entry.value.is_text())
    throw Error("puppet.format", "'" + std::string(entry.key.text()) + "' of a format must be a text");
  return std::string(entry.value.text());
}

Format read_container(const Value& map, const Limits& limits, std::size_t depth) {
  const Value* text = map.find("format");
  if (text == nullptr || !text->is_text())
    throw Error("puppet.format", "the format of a container needs the member 'format'");
  Format out = parse_format(text->text());
  for (const Entry& entry : map.entries()) {
    const std::string_view name = entry.key.is_text() ? entry.key.text() : std::string_view();
    if (name == "separator") {
      out.separator = text_member(entry);
    } else if (name == "separator2") {
      out.separator2 = text_member(entry);
    } else if (name == "string_formats") {
      out.inner = std::make_shared<const FormatMap>(read_map(entry.value, limits, depth + 1));
    } else if (name != "format") {
      throw Error("puppet.format",
                  "only 'separator', 'separator2', 'format', 'string_formats' may be in the format of a container");
    }
  }
  return out;
}

// Recursion: bounded by `depth`.
FormatMap read_map(const Value& map, const Limits& limits, std::size_t depth) {
  if (depth > limits.depth)
    throw Error("limit.depth", "the formats nest deeper than " + std::to_string(limits.depth) + " levels");
  if (!is_hash(map)) throw Error("puppet.format", "formats are a hash from types to formats");
  FormatMap out;
  out.ranked = false;
  for (const Entry& entry : map.entries()) {
    const TypeObject* type = as_type(entry.key);
    if (type == nullptr) throw Error("puppet.format", "the keys of formats must be types");
    const bool container = depth == 0 && is_hash(entry.value);
    if (!container && !entry.value.is_text())
      throw Error("puppet.format", "the format for " + to_string(*type->type()) + " must be a text");
    out.items.push_back(
        {type->type(), container ? read_container(entry.value, limits, depth) : parse_format(entry.value.text())});
  }
  return out;
}

}  // namespace

std::string_view Format::delimiters(std::string_view otherwise) const noexcept {
  if (has('[')) return "[]";
  if (has('{')) return "{}";
  if (has('(')) return "()";
  if (has('<')) return "<>";
  if (has('|')) return "||";
  return has(' ') ? "" : otherwise;
}

Format parse_format(std::string_view text) {
  static constexpr std::string_view kFlags = " \t\n\v\f\r[+#0{<(|-";
  Format out;
  std::size_t at = 1;
  if (!text.starts_with('%')) bad_format(text, "does not begin with %");
  for (; at < text.size() && kFlags.find(text[at]) != std::string_view::npos; ++at) {
    if (out.has(text[at])) bad_format(text, "has a flag twice");
    out.flags += text[at];
  }
  if (std::count_if(out.flags.begin(), out.flags.end(),
                    [](char c) { return kDelimiters.find(c) != std::string_view::npos; }) > 1)
    bad_format(text, "has more than one of the delimiters [ { ( < |");
  if (at < text.size() && is_digit(text[at])) out.width = parse_number(text, at);
  if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) out.precision = parse_number(text, ++at);
  const bool letter =
      at + 1 == text.size() && ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z'));
  if (!letter) bad_format(text, "does not end with one letter");
  out.letter = text[at];
  return out;
}

const Format& FormatMap::find(const Value& value) const {
  static const Format plain_text = parse_format("%s");
  const Item* found = nullptr;
  for (const Item& item : items) {
    if (!is_instance(*item.type, value)) continue;
    if (found == nullptr || goes_before(*item.type, *found->type)) found = &item;
    if (!ranked) break;
  }
  return found == nullptr ? plain_text : found->format;
}

const std::shared_ptr<const FormatMap>& default_inner_formats() {
  static const auto formats =
      std::make_shared<const FormatMap>(FormatMap{{{plain(TypeKind::any), parse_format("%p")}}, true});
  return formats;
}

const FormatMap& default_formats() {
  static const FormatMap formats = [] {
    FormatMap out;
    out.items = {{plain(TypeKind::floating), parse_format("%f")},
                 {plain(TypeKind::numeric), parse_format("%d")},
                 {plain(TypeKind::array), parse_format("%a")},
                 {plain(TypeKind::hash), parse_format("%h")},
                 {plain(TypeKind::any), parse_format("%s")}};
    for (FormatMap::Item& item : out.items) {
      if (item.type->kind() == TypeKind::array || item.type->kind() == TypeKind::hash)
        item.format.inner = default_inner_formats();
    }
    return out;
  }();
  return formats;
}

FormatMap merged_formats(const Value& map, const Limits& limits) {
  return merge_formats(default_formats(), read_map(map, limits, 0));
}

FormatMap merged_formats(TypeRef type, Format format) {
  FormatMap one;
  one.items.push_back({std::move(type), std::move(format)});
  return merge_formats(default_formats(), one);
}

Error illegal_format(char letter, std::string_view type, std::string_view letters) {
  return {"puppet.format", std::string("illegal format '") + letter + "' specified for value of " + std::string(type) +
                               " type - expected one of the characters '" + std::string(letters) + "'"};
}

}  // namespace strata::puppet
