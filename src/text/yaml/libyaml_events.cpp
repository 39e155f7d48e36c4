// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/libyaml_events.hpp"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include "strata/error.hpp"
#include "strata/text.hpp"
#include "value/ascii.hpp"

namespace strata::text {
namespace {

// Each repair costs another reading of the text up to it.
constexpr std::size_t kFreeRepairs = 32;
constexpr std::size_t kMostReadAgain = std::size_t{1} << 25U;  ///< Bytes, for those beyond.

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::string_view view_of(const yaml_char_t* text) {
  return text == nullptr ? std::string_view{} : reinterpret_cast<const char*>(text);
}

YamlEvent::Style style_of(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
      return YamlEvent::Style::single_quoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
      return YamlEvent::Style::double_quoted;
    case YAML_LITERAL_SCALAR_STYLE:
      return YamlEvent::Style::literal;
    case YAML_FOLDED_SCALAR_STYLE:
      return YamlEvent::Style::folded;
    default:
      return YamlEvent::Style::plain;
  }
}

}  // namespace

struct LibyamlEvents::Parser {
  yaml_parser_t state{};
  yaml_event_t event{};  ///< Its texts are those of the last event that was delivered.

  Parser() = default;
  ~Parser() {
    yaml_event_delete(&event);
    yaml_parser_delete(&state);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
};

LibyamlEvents::LibyamlEvents(const YamlInput& input, bool lenient)
    : input_(input),
      text_(input.text()),
      begin_(input.begin()),
      ascii_(detail::is_ascii(text_)),
      lenient_(lenient),
      read_(text_),
      known_offset_(begin_),
      parser_(std::make_unique<Parser>()) {
  start();
}

LibyamlEvents::~LibyamlEvents() = default;

void LibyamlEvents::start() {
  if (yaml_parser_initialize(&parser_->state) == 0) throw std::bad_alloc();
  // The encoding is given, else libyaml would take some byte pairs for UTF-16.
  yaml_parser_set_encoding(&parser_->state, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser_->state, reinterpret_cast<const unsigned char*>(read_.data()) + begin_,
                               read_.size() - begin_);
}

const YamlEvent& LibyamlEvents::next() {
  yaml_event_t& event = parser_->event;
  yaml_event_delete(&event);
  while (yaml_parser_parse(&parser_->state, &event) == 0) {
    if (!repair()) fail();
    // From the beginning again, up to where it was.
    yaml_parser_delete(&parser_->state);
    start();
    for (std::size_t i = 0; i < delivered_; ++i) {
      if (yaml_parser_parse(&parser_->state, &event) == 0) fail();
      yaml_event_delete(&event);
    }
  }
  ++delivered_;
  convert();
  return event_;
}

/// libyaml's event as ours.
void LibyamlEvents::convert() {
  using Kind = YamlEvent::Kind;
  const yaml_event_t& event = parser_->event;
  event_ = {};
  event_.begin = offset(event.start_mark.index);
  event_.end = offset(event.end_mark.index);
  const auto node = [this](Kind kind, YamlEvent::Style style, const yaml_char_t* anchor, const yaml_char_t* tag) {
    event_.kind = kind;
    event_.style = style;
    event_.anchor = view_of(anchor);
    event_.tag = view_of(tag);
    event_.has_properties = anchor != nullptr || tag != nullptr;
  };
  switch (event.type) {
    case YAML_STREAM_START_EVENT:
      event_.kind = Kind::stream_start;
      return;
    case YAML_DOCUMENT_START_EVENT:
      event_.kind = Kind::document_start;
      event_.implicit = event.data.document_start.implicit != 0;
      return;
    case YAML_DOCUMENT_END_EVENT:
      event_.kind = Kind::document_end;
      event_.implicit = event.data.document_end.implicit != 0;
      return;
    case YAML_ALIAS_EVENT:
      event_.kind = Kind::alias;
      event_.anchor = view_of(event.data.alias.anchor);
      return;
    case YAML_SCALAR_EVENT: {
      const auto& data = event.data.scalar;
      node(Kind::scalar, style_of(data.style), data.anchor, data.tag);
      event_.text = {reinterpret_cast<const char*>(data.value), data.length};
      event_.implicit = data.plain_implicit != 0;
      event_.quoted_implicit = data.quoted_implicit != 0;
      return;
    }
    case YAML_SEQUENCE_START_EVENT: {
      const auto& data = event.data.sequence_start;
      node(Kind::sequence_start,
           data.style == YAML_FLOW_SEQUENCE_STYLE ? YamlEvent::Style::flow : YamlEvent::Style::block, data.anchor,
           data.tag);
      event_.implicit = data.implicit != 0;
      return;
    }
    case YAML_SEQUENCE_END_EVENT:
      event_.kind = Kind::sequence_end;
      return;
    case YAML_MAPPING_START_EVENT: {
      const auto& data = event.data.mapping_start;
      node(Kind::mapping_start,
           data.style == YAML_FLOW_MAPPING_STYLE ? YamlEvent::Style::flow : YamlEvent::Style::block, data.anchor,
           data.tag);
      event_.implicit = data.implicit != 0;
      return;
    }
    case YAML_MAPPING_END_EVENT:
      event_.kind = Kind::mapping_end;
      return;
    default:  // The end, and what libyaml gives behind it.
      event_.kind = Kind::stream_end;
      return;
  }
}

/// Changes what libyaml 0.2.5 refuses and PyYAML's scanner reads, so that both read the same; false where the error is
/// one for both.
bool LibyamlEvents::repair() {
  if (!lenient_ || parser_->state.error != YAML_SCANNER_ERROR || parser_->state.problem == nullptr) return false;
  read_again_ += read_.size();
  if (edits_.size() >= kFreeRepairs && read_again_ > kMostReadAgain) return false;
  const std::string_view problem = parser_->state.problem;
  if (problem == "found unexpected ':'") return repair_colon();
  if (problem == "found a tab character where an indentation space is expected") return repair_tab();
  return problem == "found invalid Unicode character escape code" && repair_surrogates();
}

/// `[a:]`, `{a:}`: a plain scalar in a flow collection ends before a colon that `,`, `[`, `]`, `{` or `}` follows. A
/// blank behind it says so.
bool LibyamlEvents::repair_colon() {
  const std::size_t behind = position(parser_->state.problem_mark.index) + 1;
  if (behind >= read_.size() || std::string_view(",[]{}").find(read_[behind]) == std::string_view::npos) return false;
  replace(std::array{Replacement{behind, 0, " "}});
  return true;
}

/// A block scalar whose first line begins with a tab behind its indentation. Its header is given the indentation.
bool LibyamlEvents::repair_tab() {
  const std::size_t header = position(parser_->state.context_mark.index) + 1;
  const std::size_t tab = position(parser_->state.problem_mark.index);
  // As PyYAML finds the indentation: the widest of the lines of blanks up to the text.
  std::size_t widest = 0;
  const std::size_t first = std::min(read_.find_first_of("\r\n", header), tab);
  if (read_.substr(first, tab - first).find_first_not_of(" \r\n") != std::string_view::npos)
    return false;  // The rarer line ends.
  for (std::size_t line = first; line < tab; line = read_.find_first_of("\r\n", line + 1)) {
    widest = std::max(widest, read_.find_first_not_of(' ', line + 1) - line - 1);
  }
  const std::size_t outer = parser_->state.indent > 0 ? static_cast<std::size_t>(parser_->state.indent) : 0;
  const std::size_t least = parser_->state.indent >= 0 ? outer + 1 : 1;
  const std::size_t width = std::max(widest, least) - outer;
  if (width > 9) return false;
  replace(std::array{Replacement{header, 0, std::to_string(width)}});
  return true;
}

/// `"\ud83d\ude00"`, as JSON writes characters beyond U+FFFF. All of the scalar become one escape each.
bool LibyamlEvents::repair_surrogates() {
  constexpr std::size_t kEscape = 6;
  const auto unit_at = [this](std::size_t at) -> std::uint32_t {
    if (at + kEscape > read_.size() || read_[at] != '\\' || read_[at + 1] != 'u') return 0;
    std::uint32_t unit = 0;
    const char* digits = read_.data() + at + 2;
    return std::from_chars(digits, digits + 4, unit, 16).ptr == digits + 4 ? unit : 0;
  };
  std::vector<Replacement> replacements;
  for (std::size_t at = position(parser_->state.problem_mark.index) - 2; at < read_.size() && read_[at] != '"';
       at += read_[at] == '\\' ? 2 : 1) {
    const std::uint32_t high = unit_at(at);
    if (high < 0xD800 || high > 0xDBFF) continue;
    const std::uint32_t low = unit_at(at + kEscape);
    if (low < 0xDC00 || low > 0xDFFF) break;
    replacements.push_back(
        {at, 2 * kEscape, fmt::format("\\U{:08x}", 0x10000U + ((high - 0xD800U) << 10U) + (low - 0xDC00U))});
  }
  replace(replacements);
  return !replacements.empty();
}

void LibyamlEvents::replace(std::span<const Replacement> replacements) {
  std::string changed;
  changed.reserve(read_.size() + replacements.size());
  std::size_t copied = 0;
  // Errors come in the order of the text, and so do the places.
  std::ptrdiff_t shift = edits_.empty() ? 0 : edits_.back().shift;
  for (const Replacement& each : replacements) {
    changed.append(read_.substr(copied, each.offset - copied)).append(each.text);
    copied = each.offset + each.length;
    shift += static_cast<std::ptrdiff_t>(each.length) - static_cast<std::ptrdiff_t>(each.text.size());
    edits_.push_back({changed.size(), shift});
  }
  changed.append(read_.substr(copied));
  repaired_ = std::move(changed);
  read_ = repaired_;
  known_index_ = 0;
  known_offset_ = begin_;
}

/// The byte of `text_` that a byte of `read_` stands for.
std::size_t LibyamlEvents::original(std::size_t position) const {
  const auto behind = std::ranges::upper_bound(edits_, position, {}, &Edit::position);
  return behind == edits_.begin() ? position : position + static_cast<std::size_t>(std::prev(behind)->shift);
}

std::size_t LibyamlEvents::offset(std::size_t index) { return original(position(index)); }

/// The byte of `read_` at a code point.
std::size_t LibyamlEvents::position(std::size_t index) {
  if (ascii_) return std::min(begin_ + index, read_.size());
  while (known_index_ > index) {
    --known_offset_;
    while (known_offset_ > begin_ && is_continuation(read_[known_offset_])) --known_offset_;
    --known_index_;
  }
  while (known_index_ < index && known_offset_ < read_.size()) {
    ++known_offset_;
    while (known_offset_ < read_.size() && is_continuation(read_[known_offset_])) ++known_offset_;
    ++known_index_;
  }
  return known_offset_;
}

namespace {

/// Whether a value of the line before a place begins with `{{` outside of quotes: it is an expression of a template.
bool has_expression_before(std::string_view text, std::size_t at) {
  std::size_t begin = text.find_last_of("\r\n", at == 0 ? 0 : at - 1);
  begin = begin == std::string_view::npos || begin >= at ? 0 : begin + 1;
  const std::string_view line = text.substr(begin, at - begin);
  const std::size_t found = line.find("{{");
  if (found == std::string_view::npos) return false;
  const std::size_t before = line.find_last_not_of(" \t", found == 0 ? std::string_view::npos : found - 1);
  return found == 0 || before == std::string_view::npos || std::string_view(":-?[{,").find(line[before]) != line.npos;
}

/// What people often did where libyaml found no token that it expected.
std::string_view hint_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  if (text[at] == '\t') return "a tab cannot indent here: use blanks";
  const char before_it = at > 0 ? text[at - 1] : '\n';
  if (text[at] == '%' && before_it == '{')
    return "'{%' begins a statement of a template: render the template first, or quote the text";
  if (text.substr(at).starts_with("%{")) return "quote the value: in YAML a text cannot begin with '%{' otherwise";
  // A directive, for libyaml: it fails behind the character.
  if (text[at] == '{' && before_it == '%') return "quote it: in YAML a text cannot begin with '%{' otherwise";
  if (has_expression_before(text, at)) return "quote the value: otherwise '{{' begins a mapping in YAML";
  if (text[at] == '%' || text[at] == '@' || text[at] == '`')
    return "quote the value: in YAML a text cannot begin with this character otherwise";
  if (text[at] != ':') return {};
  const std::size_t before = text.find_last_not_of(' ', at == 0 ? std::string_view::npos : at - 1);
  const bool is_first = at == 0 || before == std::string_view::npos ||
                        std::string_view("\n-?{[,").find(text[before]) != std::string_view::npos;
  return is_first ? "a key is missing before ':': write \"\" for an empty one"
                  : "quote a text that holds ': ', or begin a new line for its members";
}

}  // namespace

void LibyamlEvents::fail() {
  const std::string problem = parser_->state.problem != nullptr ? parser_->state.problem : "not enough memory";
  switch (parser_->state.error) {
    case YAML_MEMORY_ERROR:
      throw std::bad_alloc();
    case YAML_READER_ERROR: {
      const std::size_t byte = original(std::min(begin_ + parser_->state.problem_offset, read_.size()));
      const Origin where = input_.origin(byte);
      throw YamlError(
          Error("yaml.encoding", fmt::format("{} (byte {} of the text)", problem, byte))
              .at(input_.sources(), where)
              .hint("YAML is UTF-8 text without control characters; write others as escapes in double quotes"),
          {.fault = YamlError::Fault::encoding, .subject = problem});
    }
    default:
      break;
  }
  Error error =
      Error("yaml.syntax",
            parser_->state.context != nullptr ? fmt::format("{}: {}", parser_->state.context, problem) : problem)
          .at(input_.sources(), input_.origin(offset(parser_->state.problem_mark.index)));
  const bool has_second_place = parser_->state.context != nullptr &&
                                (parser_->state.context_mark.line != 0 || parser_->state.context_mark.column != 0) &&
                                parser_->state.context_mark.index != parser_->state.problem_mark.index;
  if (has_second_place)
    error.note(input_.sources(), input_.origin(offset(parser_->state.context_mark.index)), parser_->state.context);
  if (const std::string_view hint = hint_at(text_, offset(parser_->state.problem_mark.index)); !hint.empty())
    error.hint(std::string(hint));
  throw YamlError(std::move(error), {.fault = YamlError::Fault::syntax,
                                     .subject = problem,
                                     .context = parser_->state.context != nullptr ? parser_->state.context : ""});
}

}  // namespace strata::text
