// SPDX-License-Identifier: Apache-2.0
#include "key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "strata/hiera.hpp"

namespace strata::hiera {
namespace {

constexpr std::string_view kSpaces = " \t\r\n\f\v";

bool is_blank(char c) { return kSpaces.find(c) != std::string_view::npos; }

std::string_view strip(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

/// `[:][+-]?digits`; with the colon it counts as 0, as in the reference.
std::optional<std::int64_t> as_index(std::string_view text) {
  const bool colon = text.starts_with(':');
  std::string_view digits = text.substr(colon ? 1 : 0);
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  if (colon) return 0;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::int64_t number = 0;
  for (const char c : digits) {
    const std::int64_t digit = c - '0';
    number = number > (kMost - digit) / 10 ? kMost : number * 10 + digit;
  }
  return negative ? -number : number;
}

class Splitter {
 public:
  Splitter(std::string_view text, std::string_view what) : text_(text), what_(what) {}

  std::vector<Segment> split() {
    std::vector<Segment> segments;
    while (true) {
      segments.push_back(segment());
      if (next_ == text_.size()) return segments;
      if (text_[next_++] != '.') fail();
    }
  }

 private:
  Segment segment() {
    std::size_t quote = next_;
    while (quote < text_.size() && is_blank(text_[quote])) ++quote;
    if (quote < text_.size() && (text_[quote] == '"' || text_[quote] == '\'')) return quoted(quote);
    const std::size_t end = std::min(text_.find_first_of("'\".", next_), text_.size());
    if (end == next_) fail();
    const std::string_view plain = strip(text_.substr(next_, end - next_));
    next_ = end;
    if (const auto index = as_index(plain)) return *index;
    return std::string(plain);
  }

  Segment quoted(std::size_t quote) {
    const std::size_t close = text_.find(text_[quote], quote + 1);
    if (close == std::string_view::npos || close == quote + 1) fail();
    next_ = close + 1;
    while (next_ < text_.size() && is_blank(text_[next_])) ++next_;
    return std::string(text_.substr(quote + 1, close - quote - 1));
  }

  [[noreturn]] void fail() const {
    throw LookupError(
        Error("hiera.key", fmt::format("Syntax error in {}: '{}'", what_, text_))
            .hint("segments are separated by single dots; a segment that contains a dot or a quote must be in quotes"))
        .tells(std::string(text_));
  }

  std::string_view text_;
  std::string_view what_;
  std::size_t next_ = 0;
};

}  // namespace

std::string to_string(const Segment& segment) {
  if (const auto* index = std::get_if<std::int64_t>(&segment)) return std::to_string(*index);
  return std::get<std::string>(segment);
}

std::vector<Segment> split_key(std::string_view text, std::string_view what) {
  if (text.find_first_of("'\".") == std::string_view::npos) return {std::string(text)};
  return Splitter(text, what).split();
}

std::string variable_name(const std::vector<Segment>& segments, const Sources& sources, Origin at) {
  const Segment& first = segments.front();
  if (const auto* name = std::get_if<std::string>(&first)) return *name;
  throw LookupError(
      Error("hiera.interpolation", fmt::format("Scope variable name {} is a Integer, not a string", to_string(first)))
          .at(sources, at)
          .hint("a variable has a name, and no number"));
}

Key::Key(std::string_view text) : text_(text) {
  if (text.find_first_of("'\".") != std::string_view::npos) {
    segments_ = split_key(text, "key");
    root_ = to_string(segments_.front());
    segments_.erase(segments_.begin());
    is_plain_ = false;
  }
  const std::size_t colons = root().find("::");
  if (colons == std::string::npos) return;
  // Nothing before the colons: the reference takes the whole key for the module's name, which none has.
  module_size_ = colons == 0 ? root().size() : colons;
}

}  // namespace strata::hiera
