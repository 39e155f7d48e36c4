// SPDX-License-Identifier: Apache-2.0
#include "jinja/text_wrap.hpp"

#include <algorithm>

#include "text/unicode/characters.hpp"

namespace strata::jinja {
namespace {

bool is_blank(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

bool is_letter(char32_t point) { return point == '_' ? false : text::unicode::is_alpha(point); }

/// A run of characters without blanks, as the pieces between which a line may break.
void split_word(std::string_view word, std::vector<std::string>& chunks) {
  std::vector<char32_t> points;
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < word.size();) {
    places.push_back(at);
    points.push_back(text::unicode::decode(word, at));
  }
  places.push_back(word.size());
  const auto letter = [&](std::size_t index) { return index < points.size() && is_letter(points[index]); };
  const auto word_like = [&](std::size_t index) {
    return index < points.size() && (points[index] == '_' || text::unicode::is_alnum(points[index]) ||
                                     std::u32string_view(U"!\"'&.,?").find(points[index]) != std::u32string_view::npos);
  };
  std::size_t begin = 0;
  const auto cut = [&](std::size_t end) {
    if (end > begin) chunks.emplace_back(word.substr(places[begin], places[end] - places[begin]));
    begin = end;
  };
  for (std::size_t index = 0; index < points.size(); ++index) {
    if (points[index] != '-') continue;
    std::size_t end = index;
    while (end < points.size() && points[end] == '-') ++end;
    const bool is_dash = end - index >= 2 && end < points.size() && index > 0 && word_like(index - 1) && word_like(end);
    if (is_dash && (points[end] == '_' || text::unicode::is_alnum(points[end]))) {
      cut(index);
      cut(end);
    } else if (end - index == 1 && end < points.size()) {
      // A hyphen between letters: two before it, and a letter, or a letter and a hyphen, around it.
      const bool before = index >= 2 && letter(index - 1) &&
                          (letter(index - 2) || (index >= 3 && points[index - 2] == '-' && letter(index - 3)));
      const bool after =
          letter(end) && (letter(end + 1) || (end + 2 < points.size() && points[end + 1] == '-' && letter(end + 2)));
      if (before && after && index > begin) cut(end);
    }
    index = end - 1;
  }
  cut(points.size());
}

std::vector<std::string> split_chunks(std::string_view text, bool hyphens) {
  std::vector<std::string> chunks;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    const bool blank = is_blank(text[at]);
    while (end < text.size() && is_blank(text[end]) == blank) ++end;
    if (blank || !hyphens) {
      chunks.emplace_back(text.substr(at, end - at));
    } else {
      split_word(text.substr(at, end - at), chunks);
    }
    at = end;
  }
  return chunks;
}

bool is_all_blank(const std::string& chunk) { return text::unicode::strip(chunk, true, true).empty(); }

}  // namespace

std::vector<std::string> wrap(std::string_view paragraph, const WrapStyle& style) {
  std::vector<std::string> chunks = split_chunks(paragraph, style.break_on_hyphens);
  std::reverse(chunks.begin(), chunks.end());
  const auto width = static_cast<std::size_t>(style.width);
  std::vector<std::string> lines;
  while (!chunks.empty()) {
    std::vector<std::string> line;
    std::size_t length = 0;
    if (!lines.empty() && is_all_blank(chunks.back())) chunks.pop_back();
    while (!chunks.empty() && length + text::unicode::length(chunks.back()) <= width) {
      length += text::unicode::length(chunks.back());
      line.push_back(std::move(chunks.back()));
      chunks.pop_back();
    }
    if (!chunks.empty() && text::unicode::length(chunks.back()) > width) {
      std::string& chunk = chunks.back();
      if (style.break_long_words) {
        std::size_t room = std::max<std::size_t>(width - length, 1);
        std::size_t end = text::unicode::offset(chunk, room);
        if (style.break_on_hyphens) {
          const std::size_t hyphen = std::string_view(chunk).substr(0, end).rfind('-');
          const bool only_hyphens = hyphen == std::string_view::npos || chunk.find_first_not_of('-') >= hyphen;
          if (hyphen != std::string_view::npos && hyphen > 0 && !only_hyphens) end = hyphen + 1;
        }
        line.push_back(chunk.substr(0, end));
        chunk.erase(0, end);
        if (chunk.empty()) chunks.pop_back();
      } else if (line.empty()) {
        line.push_back(std::move(chunk));
        chunks.pop_back();
      }
    }
    if (!line.empty() && is_all_blank(line.back())) line.pop_back();
    if (line.empty()) continue;
    std::string joined;
    for (const std::string& chunk : line) joined += chunk;
    lines.push_back(std::move(joined));
  }
  return lines;
}

}  // namespace strata::jinja
