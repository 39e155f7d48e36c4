// SPDX-License-Identifier: Apache-2.0
#include "pattern.hpp"

#include <algorithm>
#include <cstdlib>

#include "runtime.hpp"

namespace strata::lua {
namespace {

// Character classes of the C locale, whatever the program's locale is.
bool is_alpha(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
bool is_space(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_control(unsigned char c) { return c < 0x20 || c == 0x7F; }
bool is_graphic(unsigned char c) { return c > 0x20 && c < 0x7F; }
bool is_hex(unsigned char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// Whether a character is in the class `%letter`.
bool is_in_class(unsigned char c, unsigned char letter) {
  bool result = false;
  switch (letter | 0x20U) {
    case 'a':
      result = is_alpha(c);
      break;
    case 'c':
      result = is_control(c);
      break;
    case 'd':
      result = is_digit(c);
      break;
    case 'g':
      result = is_graphic(c);
      break;
    case 'l':
      result = c >= 'a' && c <= 'z';
      break;
    case 'p':
      result = is_graphic(c) && !is_alpha(c) && !is_digit(c);
      break;
    case 's':
      result = is_space(c);
      break;
    case 'u':
      result = c >= 'A' && c <= 'Z';
      break;
    case 'w':
      result = is_alpha(c) || is_digit(c);
      break;
    case 'x':
      result = is_hex(c);
      break;
    default:
      return letter == c;
  }
  const bool negated = letter >= 'A' && letter <= 'Z';
  return is_alpha(letter) ? result != negated : letter == c;
}

}  // namespace

void PatternMatch::fail(const char* message) const {
  luaL_error(runtime_.state(), "%s", message);
  std::abort();  // luaL_error does not return.
}

std::size_t PatternMatch::match_at(std::size_t position) {
  level_ = 0;
  depth_ = 0;
  return match(position, 0);
}

std::size_t PatternMatch::class_end(std::size_t p) const {
  if (p >= pattern_.size()) fail("malformed pattern (it ends too early)");
  const char c = pattern_[p++];
  if (c == '%') {
    if (p >= pattern_.size()) fail("malformed pattern (ends with '%')");
    return p + 1;
  }
  if (c != '[') return p;
  if (p < pattern_.size() && pattern_[p] == '^') ++p;
  do {  // The first character is in the set even if it is `]`.
    if (p >= pattern_.size()) fail("malformed pattern (missing ']')");
    if (pattern_[p++] == '%') ++p;
  } while (p >= pattern_.size() || pattern_[p] != ']');
  return p + 1;
}

bool PatternMatch::matches_set(unsigned char c, std::size_t p, std::size_t close) {
  bool found = true;
  ++p;
  if (pattern_[p] == '^') {
    found = false;
    ++p;
  }
  runtime_.charge((close - p) / 8);
  while (p < close) {
    const auto here = static_cast<unsigned char>(pattern_[p]);
    if (here == '%') {
      if (is_in_class(c, static_cast<unsigned char>(pattern_[p + 1]))) return found;
      p += 2;
    } else if (p + 2 < close && pattern_[p + 1] == '-') {
      if (here <= c && c <= static_cast<unsigned char>(pattern_[p + 2])) return found;
      p += 3;
    } else {
      if (here == c) return found;
      ++p;
    }
  }
  return !found;
}

bool PatternMatch::matches_one(std::size_t s, std::size_t p, std::size_t after) {
  runtime_.charge(1);
  if (s >= subject_.size()) return false;
  const auto c = static_cast<unsigned char>(subject_[s]);
  switch (pattern_[p]) {
    case '.':
      return true;
    case '%':
      return is_in_class(c, static_cast<unsigned char>(pattern_[p + 1]));
    case '[':
      return matches_set(c, p, after - 1);
    default:
      return static_cast<unsigned char>(pattern_[p]) == c;
  }
}

// Recursion: bounded by kMaxDepth.
std::size_t PatternMatch::match(std::size_t s, std::size_t p) {
  if (++depth_ > kMaxDepth) fail("pattern too complex");
  const auto leave = [this](std::size_t end) {
    --depth_;
    return end;
  };
  while (true) {
    runtime_.charge(1);
    if (p >= pattern_.size()) return leave(s);
    const char c = pattern_[p];
    if (c == '(') {
      const bool is_position = p + 1 < pattern_.size() && pattern_[p + 1] == ')';
      return leave(is_position ? open_capture(s, p + 2, kPosition) : open_capture(s, p + 1, kOpen));
    }
    if (c == ')') return leave(close_capture(s, p + 1));
    if (c == '$' && p + 1 == pattern_.size()) return leave(s == subject_.size() ? s : npos);
    if (c == '%' && p + 1 < pattern_.size()) {
      const char next = pattern_[p + 1];
      if (next == 'b') {
        s = match_balance(s, p + 2);
        if (s == npos) return leave(npos);
        p += 4;
        continue;
      }
      if (next == 'f') {
        bool matched = false;
        p += 2;
        s = match_frontier(s, p, matched);
        if (!matched) return leave(npos);
        continue;
      }
      if (is_digit(static_cast<unsigned char>(next))) {
        s = match_reference(s, next);
        if (s == npos) return leave(npos);
        p += 2;
        continue;
      }
    }
    const std::size_t after = class_end(p);
    const char suffix = after < pattern_.size() ? pattern_[after] : '\0';
    if (suffix == '*') return leave(repeat_most(s, p, after));
    if (suffix == '+') return leave(matches_one(s, p, after) ? repeat_most(s + 1, p, after) : npos);
    if (suffix == '-') return leave(repeat_least(s, p, after));
    const bool matched = matches_one(s, p, after);
    if (suffix == '?') {
      if (matched) {
        const std::size_t end = match(s + 1, after + 1);
        if (end != npos) return leave(end);
      }
      p = after + 1;
      continue;
    }
    if (!matched) return leave(npos);
    ++s;
    p = after;
  }
}

std::size_t PatternMatch::repeat_most(std::size_t s, std::size_t p, std::size_t after) {
  std::size_t count = 0;
  while (matches_one(s + count, p, after)) ++count;
  while (true) {
    const std::size_t end = match(s + count, after + 1);
    if (end != npos || count == 0) return end;
    --count;
  }
}

std::size_t PatternMatch::repeat_least(std::size_t s, std::size_t p, std::size_t after) {
  while (true) {
    const std::size_t end = match(s, after + 1);
    if (end != npos) return end;
    if (!matches_one(s, p, after)) return npos;
    ++s;
  }
}

std::size_t PatternMatch::open_capture(std::size_t s, std::size_t p, std::size_t size) {
  if (level_ >= kMaxCaptures) fail("too many captures");
  captures_.at(level_) = {.begin = s, .size = size};
  ++level_;
  const std::size_t end = match(s, p);
  if (end == npos) --level_;
  return end;
}

std::size_t PatternMatch::close_capture(std::size_t s, std::size_t p) {
  std::size_t level = level_;
  do {
    if (level == 0) fail("invalid pattern capture");
    --level;
  } while (captures_.at(level).size != kOpen);
  captures_.at(level).size = s - captures_.at(level).begin;
  const std::size_t end = match(s, p);
  if (end == npos) captures_.at(level).size = kOpen;
  return end;
}
std::size_t PatternMatch::match_balance(std::size_t s, std::size_t p) {
  if (p + 1 >= pattern_.size()) fail("malformed pattern (missing arguments to '%b')");
  if (s >= subject_.size() || subject_[s] != pattern_[p]) return npos;
  std::size_t open = 1;
  for (std::size_t i = s + 1; i < subject_.size(); ++i) {
    runtime_.charge(1);
    if (subject_[i] == pattern_[p + 1]) {
      if (--open == 0) return i + 1;
    } else if (subject_[i] == pattern_[p]) {
      ++open;
    }
  }
  return npos;
}

std::size_t PatternMatch::match_frontier(std::size_t s, std::size_t& p, bool& matched) {
  if (p >= pattern_.size() || pattern_[p] != '[') fail("missing '[' after '%f' in pattern");
  const std::size_t after = class_end(p);
  const auto before = static_cast<unsigned char>(s == 0 ? '\0' : subject_[s - 1]);
  const auto here = static_cast<unsigned char>(s < subject_.size() ? subject_[s] : '\0');
  matched = !matches_set(before, p, after - 1) && matches_set(here, p, after - 1);
  p = after;
  return s;
}

std::size_t PatternMatch::match_reference(std::size_t s, char digit) {
  const auto index = static_cast<std::size_t>(digit - '1');
  if (digit == '0' || index >= level_ || captures_.at(index).size == kOpen) fail("invalid capture index in pattern");
  const Capture& capture = captures_.at(index);
  const std::string_view text = subject_.substr(capture.begin, capture.size == kPosition ? 0 : capture.size);
  runtime_.charge(text.size());
  return subject_.substr(s).starts_with(text) ? s + text.size() : npos;
}

void PatternMatch::push_capture(std::size_t index, std::size_t begin, std::size_t end) const {
  lua_State* state = runtime_.state();
  if (index >= level_) {
    if (index != 0) fail("invalid capture index");
    lua_pushlstring(state, subject_.data() + begin, end - begin);
    return;
  }
  const Capture& capture = captures_.at(index);
  if (capture.size == kOpen) fail("unfinished capture");
  if (capture.size == kPosition) {
    lua_pushinteger(state, static_cast<lua_Integer>(capture.begin) + 1);
  } else {
    lua_pushlstring(state, subject_.data() + capture.begin, capture.size);
  }
}

int PatternMatch::push_captures(std::size_t begin, std::size_t end, bool whole) const {
  const std::size_t count = level_ == 0 && whole ? 1 : level_;
  luaL_checkstack(runtime_.state(), static_cast<int>(count), "too many captures");
  for (std::size_t i = 0; i < count; ++i) push_capture(i, begin, end);
  return static_cast<int>(count);
}

}  // namespace strata::lua
