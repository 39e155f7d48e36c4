// SPDX-License-Identifier: Apache-2.0
#include "edit/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text/output_buffer.hpp"
#include "text/yaml/profile.hpp"
#include "text/yaml/scalar_style.hpp"

namespace strata::edit {
namespace {

using Style = text::YamlEvent::Style;

std::string single_quoted(std::string_view text) {
  std::string out;
  text::OutputBuffer buffer(out);
  text::append_single_quoted(buffer, text);
  buffer.finish();
  return out;
}

std::string double_quoted(std::string_view text) {
  std::string out;
  text::OutputBuffer buffer(out);
  text::append_double_quoted(buffer, text);
  buffer.finish();
  return out;
}

void add_once(std::vector<std::string>& all, std::string one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(std::move(one));
}

}  // namespace

bool needs_escapes(std::string_view text) noexcept {
  if (text::find_invalid_utf8(text) != std::string_view::npos) return true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7F) return true;
    if (c < 0x80) continue;
    const auto at = [text, i](std::size_t more) { return static_cast<unsigned char>(text[i + more]); };
    // The controls behind ASCII, line breaks of YAML 1.1, marks that turn the direction of writing, and what is no
    // character.
    if (c == 0xC2 && at(1) < 0xA0) return true;
    if (c == 0xE2 && at(1) == 0x80 && at(2) >= 0xA8 && at(2) <= 0xAE) return true;
    if (c == 0xE2 && at(1) == 0x81 && at(2) >= 0xA6 && at(2) <= 0xA9) return true;
    if (c == 0xEF && ((at(1) == 0xBB && at(2) == 0xBF) || (at(1) == 0xBF && at(2) >= 0xBE))) return true;
  }
  return false;
}

/// By its characters, whatever it is read as.
bool Spelling::can_be_plain(std::string_view text, bool in_flow) const noexcept {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || needs_escapes(text)) return false;
  if (text.starts_with("---") || text.starts_with("...")) return false;
  static constexpr std::string_view kNever = ",[]{}#&*!|>'\"%@`";
  static constexpr std::string_view kJoined = "-?:";
  static constexpr std::string_view kFlow = ",[]{}";
  if (kNever.find(text.front()) != std::string_view::npos) return false;
  const bool is_joined =
      text.size() > 1 && text[1] != ' ' && (!in_flow || kFlow.find(text[1]) == std::string_view::npos);
  if (kJoined.find(text.front()) != std::string_view::npos && !is_joined) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // Readers differ in what else a `?` does in flow.
    if (in_flow && (text[i] == '?' || kFlow.find(text[i]) != std::string_view::npos)) return false;
    if (text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) return false;
    if (text[i] == '#' && text[i - 1] == ' ') return false;
  }
  return true;
}

bool Spelling::reads_as_text(std::string_view text) const noexcept {
  return profile_.resolve(text) == text::Scalar::text;
}

std::vector<std::string> Spelling::texts(std::string_view text, Style old, bool in_flow, bool has_tag,
                                         std::string_view given) const {
  std::vector<std::string> all;
  const bool is_plain = can_be_plain(text, in_flow) && (has_tag || reads_as_text(text));
  const bool escapes = needs_escapes(text);
  if (old == Style::plain && is_plain) add_once(all, std::string(text));
  if (old == Style::single_quoted && !escapes) add_once(all, single_quoted(text));
  if (old == Style::double_quoted) add_once(all, double_quoted(text));
  if (!given.empty()) add_once(all, std::string(given));
  if (is_plain) add_once(all, std::string(text));
  if (!escapes) add_once(all, single_quoted(text));
  add_once(all, double_quoted(text));
  return all;
}

std::vector<std::string> Spelling::keys(std::string_view key, bool in_flow) const {
  std::vector<std::string> all;
  // Where keys become texts anyway, others than texts may be plain too.
  const bool may_be_plain = key != "<<" && (reads_as_text(key) || profile_.text_keys == text::TextKeys::json);
  if (may_be_plain && can_be_plain(key, in_flow)) add_once(all, std::string(key));
  if (!needs_escapes(key)) add_once(all, single_quoted(key));
  add_once(all, double_quoted(key));
  return all;
}

void Spelling::append_text(std::string& out, std::string_view text, bool in_flow) const {
  out += texts(text, Style::none, in_flow, false, {}).front();
}

void Spelling::append_scalar(std::string& out, const Value& value, bool in_flow) const {
  switch (value.kind()) {
    case Kind::text:
      return append_text(out, value.text(), in_flow);
    case Kind::binary:
      out += "!!binary ";
      text::append_json(out, value, {.sort_keys = false, .indent = -1});
      return;
    case Kind::set:
      throw Unwritable{"a set"};
    case Kind::mapping:
    case Kind::sequence:
      throw Unwritable{"a mapping with containers as keys"};
    default: {
      std::string line = text::write_yaml(value, {.profile = &profile_});
      while (line.ends_with('\n')) line.pop_back();
      if (line.find('\n') != std::string::npos) throw Unwritable{std::string(describe(value.kind()))};
      out += line;
    }
  }
}

// Recursion: bounded by the depth of the value, which a reader under Limits::depth made.
void Spelling::append_flow(std::string& out, const Value& value, bool in_flow) const {
  if (value.is_sequence()) {
    out += '[';
    std::string_view comma;
    for (const Value& item : value.items()) {
      out += comma;
      append_flow(out, item, true);
      comma = ", ";
    }
    out += ']';
  } else if (value.is_mapping()) {
    out += '{';
    std::string_view comma;
    for (const Entry& entry : value.entries()) {
      out += comma;
      append_scalar(out, entry.key, true);
      out += ": ";
      append_flow(out, entry.value, true);
      comma = ", ";
    }
    out += '}';
  } else {
    append_scalar(out, value, in_flow);
  }
}

std::string Spelling::flow(const Value& value, bool in_flow) const {
  std::string out;
  append_flow(out, value, in_flow);
  return out;
}

// Recursion: as above.
void Spelling::append_block(std::string& out, const Value& value, std::size_t column, const Indentation& indentation,
                            std::string_view line_break) const {
  const auto new_line = [&out, line_break](std::size_t blanks) { out.append(line_break).append(blanks, ' '); };
  bool is_first = true;
  if (value.is_sequence()) {
    for (const Value& item : value.items()) {
      if (!is_first) new_line(column);
      is_first = false;
      out += "- ";
      if (item.size() == 0) {
        append_flow(out, item, false);
      } else {
        append_block(out, item, column + 2, indentation, line_break);
      }
    }
    return;
  }
  if (!value.is_mapping()) throw Unwritable{std::string(describe(value.kind()))};
  for (const Entry& entry : value.entries()) {
    if (!is_first) new_line(column);
    is_first = false;
    append_scalar(out, entry.key, false);
    out += ':';
    if (entry.value.size() == 0) {
      out += ' ';
      append_flow(out, entry.value, false);
    } else {
      const std::size_t inner = column + (entry.value.is_sequence() ? indentation.items : indentation.step);
      new_line(inner);
      append_block(out, entry.value, inner, indentation, line_break);
    }
  }
}

std::string Spelling::block(const Value& value, std::size_t column, const Indentation& indentation,
                            std::string_view line_break) const {
  std::string out;
  append_block(out, value, column, indentation, line_break);
  return out;
}

std::optional<BlockScalar> block_scalar(std::string_view text, bool is_folded, std::size_t indent,
                                        std::string_view line_break) {
  if (text.empty() || text.front() == '\n' || text.front() == ' ') return std::nullopt;
  std::size_t breaks = 0;
  while (text.ends_with('\n')) {
    ++breaks;
    text.remove_suffix(1);
  }
  BlockScalar scalar{.chomping = breaks == 0 ? "-" : breaks == 1 ? "" : "+", .lines = {}};
  bool is_folding = false;  // Behind a line whose break would be folded.
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (needs_escapes(line) || (is_folded && line.starts_with(' '))) return std::nullopt;
    if (is_folding && !line.empty()) scalar.lines += line_break;
    scalar.lines += line_break;
    if (!line.empty()) {
      scalar.lines.append(indent, ' ').append(line);
      is_folding = is_folded;
    }
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  for (; breaks > 1; --breaks) scalar.lines += line_break;
  return scalar;
}

}  // namespace strata::edit
