// SPDX-License-Identifier: Apache-2.0
#include "strata/shown_text.hpp"

#include <fmt/format.h>

namespace strata {

std::string on_one_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      out += c;
    }
  }
  return out;
}

namespace {

/// The character that a text begins with, as UTF-8 has it.
struct Utf8Start {
  std::size_t size = 0;     ///< In bytes. 0: none begins here.
  bool is_cut = false;      ///< The text ends within it.
  bool is_control = false;  ///< U+0080 to U+009F.
};

Utf8Start utf8_start(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {.size = 1};
  const std::size_t size = lead < 0xC2 || lead > 0xF4 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (size == 0) return {};
  for (std::size_t i = 1; i < size; ++i) {
    if (i == text.size()) return {.is_cut = true};
    const auto byte = static_cast<unsigned char>(text[i]);
    // The second byte decides whether the form is the shortest one, and of a character that exists.
    const unsigned char least = i > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = i > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte < least || byte > most) return {};
  }
  return {.size = size, .is_control = lead == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0};
}

void append_byte(std::string& out, char byte) { out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte)); }

/// Appends what a text shows; the number of its bytes before a character that is cut.
std::size_t append_shown(std::string& out, std::string_view text) {
  out.reserve(out.size() + text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    const bool is_control = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
    if (byte < 0x80) {
      if (is_control) {
        append_byte(out, c);
      } else {
        out += c;
      }
      ++at;
      continue;
    }
    const Utf8Start start = utf8_start(text.substr(at));
    if (start.is_cut) return at;
    if (start.is_control) {
      append_byte(out, text[at + 1]);
    } else if (start.size == 0) {
      append_byte(out, c);
    } else {
      out += text.substr(at, start.size);
    }
    at += start.size == 0 ? 1 : start.size;
  }
  return text.size();
}

}  // namespace

std::string Escaper::add(std::string_view piece) {
  std::string out;
  if (held_.empty()) {
    held_ = piece.substr(append_shown(out, piece));
    return out;
  }
  held_ += piece;
  held_.erase(0, append_shown(out, held_));
  return out;
}

std::string Escaper::finish() {
  std::string out;
  for (const char c : held_) append_byte(out, c);
  held_.clear();
  return out;
}

std::string escaped(std::string_view text) {
  Escaper escaper;
  std::string out = escaper.add(text);
  return out += escaper.finish();
}

}  // namespace strata
