// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <optional>

#include "strata/source_map.hpp"

namespace strata::report {
namespace {

constexpr std::size_t kLongestNumber = 18;                    // Digits.
constexpr std::size_t kLongestTail = 2 * kLongestNumber + 4;  // `:LINE:COLUMN`, and what must follow.
constexpr std::size_t kBefore = 3;  // Bytes that decide whether a name begins: `./` and what stands before it.

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_word(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
/// Whether a name of a file goes on before or after this byte.
bool is_of_name(char c) noexcept {
  return is_word(c) || c == '-' || c == '.' || c == '/' || c == '\\' || static_cast<unsigned char>(c) >= 0x80;
}

/// `:NUMBER` at `at`, which is moved behind it.
std::optional<std::uint64_t> number_at(std::string_view line, std::size_t& at) {
  if (at >= line.size() || line[at] != ':') return std::nullopt;
  std::size_t end = at + 1;
  while (end < line.size() && end - at <= kLongestNumber + 1 && is_digit(line[end])) ++end;
  const std::size_t digits = end - at - 1;
  if (digits == 0 || digits > kLongestNumber || (end < line.size() && is_word(line[end]))) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(line.data() + at + 1, line.data() + end, number);
  at = end;
  return number;
}

}  // namespace

void PlaceRewriter::add(std::string_view bytes, const text::Sink& sink) {
  rest_ += bytes;
  work(false, sink);
}

void PlaceRewriter::finish(const text::Sink& sink) { work(true, sink); }

void PlaceRewriter::work(bool is_over, const text::Sink& sink) {
  std::string_view rest = rest_;
  const auto give = [&](std::size_t size) {
    if (size == 0) return;
    sink(rest.substr(0, size));
    if (rest[size - 1] == '\n') {
      before_.clear();
      is_done_ = false;
    } else {
      before_ += rest.substr(size - std::min(size, kBefore), std::min(size, kBefore));
      before_.erase(0, before_.size() - std::min(before_.size(), kBefore));
    }
    rest.remove_prefix(size);
  };
  while (!rest.empty()) {
    const std::size_t newline = rest.find('\n');
    const bool is_whole = newline != std::string_view::npos || is_over;
    const std::string_view line = rest.substr(0, newline);
    const std::size_t line_size = newline == std::string_view::npos ? rest.size() : newline + 1;
    if (is_done_) {
      give(line_size);
      continue;
    }
    /// The byte that stands so many bytes before another one; the beginning of a line counts as a blank.
    const auto byte_before = [&](std::size_t at, std::size_t distance) {
      if (at >= distance) return line[at - distance];
      const std::size_t missing = distance - at;
      return missing <= before_.size() ? before_[before_.size() - missing] : ' ';
    };
    std::size_t hit = line.find(name_);
    while (hit != std::string_view::npos) {
      const bool has_dot = byte_before(hit, 1) == '/' && byte_before(hit, 2) == '.' && hit >= 2;
      const std::size_t begin = has_dot ? hit - 2 : hit;
      std::size_t end = hit + name_.size();
      if (!is_whole && line.size() < end + kLongestTail) {
        // What decides may be still to come.
        give(begin);
        rest_.erase(0, rest_.size() - rest.size());
        return;
      }
      const auto line_number = is_of_name(byte_before(begin, 1)) ? std::nullopt : number_at(line, end);
      if (line_number) {
        const std::uint64_t column = number_at(line, end).value_or(1);
        if (const auto target = map_.find(*line_number, column)) {
          give(begin);
          sink(target->to_string());
          rest.remove_prefix(end - begin);
        } else {
          give(end);
        }
        is_done_ = true;
        break;
      }
      hit = line.find(name_, hit + 1);
    }
    if (is_done_) continue;
    if (is_whole) {
      give(line_size);
      continue;
    }
    // The name may have begun.
    const std::size_t kept = std::min(line.size(), name_.size() + kBefore);
    give(line.size() - kept);
    break;
  }
  rest_.erase(0, rest_.size() - rest.size());
}

}  // namespace strata::report
