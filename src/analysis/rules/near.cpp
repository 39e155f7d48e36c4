// SPDX-License-Identifier: Apache-2.0
// Decides whether two names are one name with a typing error, and finds such pairs among many names.
//
// People use similar names side by side on purpose (`min` and `max`, `web1` and `web2`), so distance alone reports too
// much. `nearness` therefore compares in steps. The names must differ in one segment between `::`. Segments that differ
// only by `-` and `_` are near. Otherwise their digits must be equal, they must differ in one word, the two words must
// not be a pair that people use side by side, and the edit distance is limited by their length.
//
// NearIndex finds candidates without comparing all pairs. Each name is filed under keys: the rest of the name, with the
// first seven code points of a segment without none, one or two of them. Two texts at most two edits apart share such a
// key. A key that is shared by chance costs one call of `nearness`. Cost: some thirty keys per segment.
// Tested by tests/cli/check_rules_test.py, which compares with a model.
#include "near.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

#include "strata/near_names.hpp"

namespace strata::analysis {
namespace {

using Names = std::vector<std::string_view>;

constexpr std::string_view kSegmentSeparator = "::";

/// Words that people use side by side.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kPairs{{
    {"min", "max"},      {"in", "out"},         {"pre", "post"},     {"on", "off"},         {"up", "down"},
    {"src", "dst"},      {"left", "right"},     {"start", "stop"},   {"enable", "disable"}, {"first", "last"},
    {"read", "write"},   {"from", "to"},        {"old", "new"},      {"user", "users"},     {"host", "hosts"},
    {"http", "https"},   {"tcp", "udp"},        {"ipv4", "ipv6"},    {"public", "private"}, {"primary", "secondary"},
    {"master", "slave"}, {"server", "servers"}, {"input", "output"}, {"source", "sources"},
}};

bool is_pair(std::string_view left, std::string_view right) {
  return std::ranges::any_of(kPairs, [&](const auto& pair) {
    return (pair.first == left && pair.second == right) || (pair.first == right && pair.second == left);
  });
}

Names segments_of(std::string_view name) {
  Names out;
  for (std::size_t end = name.find(kSegmentSeparator); end != std::string_view::npos;
       end = name.find(kSegmentSeparator)) {
    out.push_back(name.substr(0, end));
    name.remove_prefix(end + kSegmentSeparator.size());
  }
  out.push_back(name);
  return out;
}

bool is_name_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
/// All of UTF-8 beyond ASCII counts as letters.
bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || is_capital(c) || static_cast<unsigned char>(c) >= 0x80; }

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return out;
}

std::string without_characters(std::string_view text, std::string_view characters) {
  std::string out(text);
  std::erase_if(out, [characters](char c) { return characters.find(c) != std::string_view::npos; });
  return out;
}

/// The only place at which two lists differ.
template <typename List>
std::optional<std::size_t> only_difference(const List& left, const List& right) {
  if (left.size() != right.size()) return std::nullopt;
  std::optional<std::size_t> out;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == right[i]) continue;
    if (out) return std::nullopt;
    out = i;
  }
  return out;
}

/// How many typing errors a word of so many code points may have.
std::size_t farthest(std::size_t length) {
  constexpr std::size_t kShort = 3;
  constexpr std::size_t kLong = 8;
  return length <= kShort ? 0 : length < kLong ? 1 : 2;
}

std::string digits_of(std::string_view text) {
  std::string out(text);
  std::erase_if(out, [](char c) { return !is_name_digit(c); });
  return out;
}

std::vector<std::string> lowered(const Names& names) {
  std::vector<std::string> out;
  for (const std::string_view one : names) out.push_back(lowered(one));
  return out;
}

constexpr std::size_t kPrefix = 7;

/// A text and what is left of it without one or two of its code points.
std::set<std::u32string> shortened(const std::u32string& text) {
  std::set<std::u32string> out{text};
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::u32string once = text;
    once.erase(i, 1);
    for (std::size_t k = i; k < once.size(); ++k) {
      std::u32string twice = once;
      twice.erase(k, 1);
      out.insert(std::move(twice));
    }
    out.insert(std::move(once));
  }
  return out;
}

/// What names that can be near have in common, at least one of these. Two texts at most two edits apart have beginnings
/// that become equal when at most two code points of each are taken out.
template <typename Take>
void for_each_key(std::string_view name, const Take& take) {
  const Names segments = segments_of(name);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto begin = static_cast<std::size_t>(segments[i].data() - name.data());
    const std::size_t around = std::hash<std::string_view>()(name.substr(0, begin)) * 31 +
                               std::hash<std::string_view>()(name.substr(begin + segments[i].size())) * 17;
    const std::string segment = lowered(segments[i]);
    for (const std::u32string& one : shortened(code_points(segment).substr(0, kPrefix)))
      take(around + std::hash<std::u32string>()(one));
    take(around + std::hash<std::string>()(without_characters(segment, "-_")) * 7);
  }
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view name) {
  Names out;
  const auto is_part = [](char c) { return is_name_letter(c) || is_name_digit(c); };
  for (auto at = std::ranges::find_if(name, is_part); at != name.end();) {
    auto end = at + 1;
    while (end != name.end() && is_part(*end) && !(is_capital(*end) && !is_capital(*(end - 1)))) ++end;
    out.emplace_back(at, end);
    at = std::find_if(end, name.end(), is_part);
  }
  return out;
}

std::optional<Nearness> nearness(std::string_view left, std::string_view right) {
  const Names segments = segments_of(left);
  const Names others = segments_of(right);
  const auto place = only_difference(segments, others);
  if (!place) return std::nullopt;
  const std::string segment = lowered(segments[*place]);
  const std::string other = lowered(others[*place]);
  constexpr std::size_t kShortest = 3;
  if (std::min(code_points(segment).size(), code_points(other).size()) < kShortest) return std::nullopt;
  if (without_characters(segment, "-_") == without_characters(other, "-_")) return Nearness{};
  if (digits_of(segment) != digits_of(other)) return std::nullopt;
  const Names words = words_of(segments[*place]);
  const auto our_words = lowered(words);
  const auto other_words = lowered(words_of(others[*place]));
  const auto differing = only_difference(our_words, other_words);
  if (!differing || is_pair(our_words[*differing], other_words[*differing])) return std::nullopt;
  const std::u32string points = code_points(our_words[*differing]);
  const std::u32string other_points = code_points(other_words[*differing]);
  const std::size_t length = std::min(points.size(), other_points.size());
  if (std::max(points.size(), other_points.size()) - length > farthest(length)) return std::nullopt;
  const std::size_t distance = edit_distance(points, other_points);
  if (distance > farthest(length)) return std::nullopt;
  return Nearness{.distance = distance, .word = words[*differing]};
}

void NearIndex::add(std::string_view name, std::uint32_t number) {
  for_each_key(name, [&](std::size_t key) { by_key_[key].push_back(number); });
}

std::vector<std::uint32_t> NearIndex::find(std::string_view name) const {
  std::vector<std::uint32_t> out;
  for_each_key(name, [&](std::size_t key) {
    const auto found = by_key_.find(key);
    if (found != by_key_.end()) out.insert(out.end(), found->second.begin(), found->second.end());
  });
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace strata::analysis
