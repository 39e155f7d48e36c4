// SPDX-License-Identifier: Apache-2.0
// Scalars over several lines, with escapes, and in blocks.
#include <algorithm>
#include <limits>
#include <string>

#include "strata/text.hpp"
#include "text/yaml/characters.hpp"
#include "text/yaml/scanner.hpp"
#include "text/yaml/scanning.hpp"

namespace strata::text {
namespace {

using namespace scanning;
using yaml_characters::find_first;
using yaml_characters::find_other;

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

/// The text of a scalar is what was added to the tape's own texts.
bool YamlScanner::take_own(Leaf& leaf, std::size_t from) {
  const std::size_t size = tape_.own().size();
  leaf.is_own = true;
  leaf.text = {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(size - from)};
  return size <= std::numeric_limits<std::uint32_t>::max();
}

// ---- Quoted scalars

/// With escapes or over several lines.
bool YamlScanner::quoted_lines(Leaf& leaf, char quote) {
  const std::size_t from = tape_.own().size();
  const char* const first_line = line_;
  for (;;) {
    if (at_ == end_ || (at_ == line_ && is_document_edge(at_))) return false;
    bool is_line_escaped = false;
    if (!quoted_run(quote, is_line_escaped)) return false;
    if (*at_ == quote) break;
    quoted_breaks(is_line_escaped);
  }
  leaf.end = ++at_;
  leaf.has_breaks = line_ != first_line;
  return take_own(leaf, from);
}

/// Up to the quote or a line break. Blanks before a line break do not count, unless it is escaped.
bool YamlScanner::quoted_run(char quote, bool& is_line_escaped) {
  for (;;) {
    const char* const stop = quote == '"' ? find_first<'"', '\\', '\n'>(at_, end_) : find_first<'\'', '\n'>(at_, end_);
    if (stop == end_) return false;
    tape_.own().append(at_, *stop == '\n' ? without_blanks(at_, stop) : stop);
    at_ = stop;
    if (*at_ == '\n') return true;
    if (*at_ == '\\') {
      if (at_[1] == '\n') {
        at_ += 2;
        line_ = at_;
        is_line_escaped = true;
        return true;
      }
      if (!escape()) return false;
    } else {
      if (quote == '"' || at_[1] != quote) return true;
      tape_.own() += quote;
      at_ += 2;
    }
  }
}

/// Blanks and line breaks. Behind an escaped line break, all further ones are kept.
void YamlScanner::quoted_breaks(bool is_line_escaped) {
  std::size_t breaks = 0;
  for (skip_blanks(); *at_ == '\n'; skip_blanks()) {
    ++breaks;
    line_ = ++at_;
  }
  if (is_line_escaped) {
    tape_.own().append(breaks, '\n');
  } else {
    append_folded(breaks);
  }
}

/// Line breaks between two lines: one is a blank.
void YamlScanner::append_folded(std::size_t breaks) {
  if (breaks == 1) {
    tape_.own() += ' ';
  } else {
    tape_.own().append(breaks - 1, '\n');
  }
}

bool YamlScanner::escape() {
  std::size_t digits = 0;
  switch (at_[1]) {
    case '0':
      tape_.own() += '\0';
      break;
    case 'a':
      tape_.own() += '\a';
      break;
    case 'b':
      tape_.own() += '\b';
      break;
    case 't':
    case '\t':
      tape_.own() += '\t';
      break;
    case 'n':
      tape_.own() += '\n';
      break;
    case 'v':
      tape_.own() += '\v';
      break;
    case 'f':
      tape_.own() += '\f';
      break;
    case 'r':
      tape_.own() += '\r';
      break;
    case 'e':
      tape_.own() += '\x1B';
      break;
    case ' ':
    case '"':
    case '/':
    case '\\':
      tape_.own() += at_[1];
      break;
    case 'N':
      append_utf8(tape_.own(), U'\u0085');
      break;
    case '_':
      append_utf8(tape_.own(), U'\u00A0');
      break;
    case 'L':
      append_utf8(tape_.own(), U'\u2028');
      break;
    case 'P':
      append_utf8(tape_.own(), U'\u2029');
      break;
    case 'x':
      digits = 2;
      break;
    case 'u':
      digits = 4;
      break;
    case 'U':
      digits = 8;
      break;
    default:
      return false;
  }
  at_ += 2;
  if (digits == 0) return true;
  std::uint32_t code = 0;
  for (std::size_t i = 0; i < digits; ++i, ++at_) {
    const int digit = hex_digit(*at_);
    if (digit < 0) return false;
    code = code << 4U | static_cast<std::uint32_t>(digit);
  }
  if ((code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return false;
  append_utf8(tape_.own(), code);
  return true;
}

// ---- Plain scalars

/// The further lines of a plain scalar, at the end of its first one.
template <bool in_flow>
bool YamlScanner::plain_lines(Leaf& leaf) {
  std::string& own = tape_.own();
  const std::size_t from = own.size();
  do {
    // The next line that is not empty.
    std::size_t breaks = 0;
    const char* line = at_;
    const char* next = at_;
    while (*next == '\n') {
      ++breaks;
      line = ++next;
      next = find_other<' '>(next, end_);
    }
    if (*next == '\t') return false;
    if (!in_flow) {
      known_end_ = at_;
      known_line_ = line;
      known_token_ = next;
    }
    if (*next == '\0' || *next == '#' || (!in_flow && next - line <= indent())) break;
    if (next == line && is_document_edge(next)) break;
    const char* const end = plain_end<in_flow>(next);
    if (end == nullptr) return false;
    if (end == next) break;
    if (!leaf.has_breaks) own.append(leaf.begin, leaf.end);
    leaf.has_breaks = true;
    append_folded(breaks);
    leaf.end = without_blanks(next, end);
    own.append(next, leaf.end);
    at_ = end;
    line_ = line;
  } while (*at_ == '\n');
  return !leaf.has_breaks || take_own(leaf, from);
}

template bool YamlScanner::plain_lines<true>(Leaf& leaf);
template bool YamlScanner::plain_lines<false>(Leaf& leaf);

// ---- Block scalars

/// Behind `|` or `>`. `indent`: what a digit says; 0 for no digit.
bool YamlScanner::block_header(std::ptrdiff_t& indent, char& chomping) {
  const auto is_chomping = [](char c) { return c == '+' || c == '-'; };
  if (is_chomping(*at_)) chomping = *at_++;
  if (is_digit(*at_)) {
    if (*at_ == '0') return false;
    indent = std::max(this->indent(), std::ptrdiff_t{0}) + (*at_++ - '0');
    if (chomping == 0 && is_chomping(*at_)) chomping = *at_++;
  }
  skip_blanks();
  if (*at_ == '#') at_ = find_first<'\n'>(at_, end_);
  if (!is(*at_, kLineEnd)) return false;
  if (*at_ == '\n') line_ = ++at_;
  return true;
}

bool YamlScanner::block_scalar(Leaf& leaf) {
  const bool is_folded = *at_ == '>';
  leaf.style = is_folded ? Style::folded : Style::literal;
  leaf.begin = at_++;
  std::ptrdiff_t indent = 0;
  char chomping = 0;
  if (!block_header(indent, chomping)) return false;
  std::string& own = tape_.own();
  const std::size_t from = own.size();
  std::size_t breaks = 0;     // Of empty lines.
  bool has_break = false;     // The last line of text ends with one.
  bool begins_blank = false;  // The last line of text.
  if (!block_breaks(indent, breaks, leaf.end)) return false;
  while (column() == indent && at_ != end_) {
    const bool is_spaced = is_blank(*at_);
    if (is_folded && has_break && !begins_blank && !is_spaced) {
      if (breaks == 0) own += ' ';
    } else if (has_break) {
      own += '\n';
    }
    own.append(breaks, '\n');
    breaks = 0;
    begins_blank = is_spaced;
    const char* const end = find_first<'\n'>(at_, end_);
    own.append(at_, end);
    at_ = end;
    has_break = at_ != end_;
    if (has_break) line_ = ++at_;
    if (!block_breaks(indent, breaks, leaf.end)) return false;
  }
  if (chomping != '-' && has_break) own += '\n';
  if (chomping == '+') own.append(breaks, '\n');
  return take_own(leaf, from);
}

/// Empty lines, and the indentation of the next one. Without an indentation yet: the widest of these lines. `end`:
/// behind the last line break.
bool YamlScanner::block_breaks(std::ptrdiff_t& indent, std::size_t& breaks, const char*& end) {
  std::ptrdiff_t widest = 0;
  end = at_;
  for (;;) {
    while (*at_ == ' ' && (indent == 0 || column() < indent)) ++at_;
    widest = std::max(widest, column());
    if (*at_ == '\t' && (indent == 0 || column() < indent)) return false;
    if (*at_ != '\n') break;
    ++breaks;
    line_ = ++at_;
    end = at_;
  }
  if (indent == 0) indent = std::max({widest, this->indent() + 1, std::ptrdiff_t{1}});
  return true;
}

}  // namespace strata::text
