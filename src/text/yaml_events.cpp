#include "yaml_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

namespace strata::text {
namespace {

constexpr std::size_t kMostRepairs = 32;  ///< Each costs another reading of the text up to it.

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

bool is_ascii(std::string_view text) {
  std::uint64_t seen = 0;
  const char* data = text.data();
  std::size_t left = text.size();
  for (; left >= 8; left -= 8, data += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data, 8);
    seen |= word;
  }
  for (; left != 0; --left, ++data) seen |= static_cast<unsigned char>(*data);
  return (seen & 0x8080808080808080ULL) == 0;
}

}  // namespace

YamlEvents::YamlEvents(const Sources& sources, SourceId source, std::size_t begin, bool lenient)
    : sources_(sources),
      text_(sources.text(source)),
      first_(sources.at(source, 0)),
      begin_(begin),
      ascii_(is_ascii(text_)),
      lenient_(lenient),
      read_(text_),
      known_offset_(begin) {
  start();
}

void YamlEvents::start() {
  if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
  // The encoding is given, else libyaml would take some byte pairs for UTF-16.
  yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(read_.data()) + begin_, read_.size() - begin_);
}

YamlEvents::~YamlEvents() {
  yaml_event_delete(&event_);
  yaml_parser_delete(&parser_);
}

const yaml_event_t& YamlEvents::next() {
  yaml_event_delete(&event_);
  while (yaml_parser_parse(&parser_, &event_) == 0) {
    if (!repair()) fail();
    // From the beginning again, up to where it was.
    yaml_parser_delete(&parser_);
    start();
    for (std::size_t i = 0; i < delivered_; ++i) {
      if (yaml_parser_parse(&parser_, &event_) == 0) fail();
      yaml_event_delete(&event_);
    }
  }
  ++delivered_;
  return event_;
}

/// Inserts a character where libyaml 0.2.5 refuses what PyYAML's scanner reads, so that both read the same; false where the error is one for both.
/// - `[a:]`, `{a:}`: a plain scalar in a flow collection ends before a colon that `,`, `[`, `]`, `{` or `}` follows. A blank behind the colon says
/// so.
/// - A block scalar whose first line begins with a tab behind its indentation. Its header is given the indentation.
bool YamlEvents::repair() {
  if (!lenient_ || parser_.error != YAML_SCANNER_ERROR || parser_.problem == nullptr || insertions_.size() >= kMostRepairs) return false;
  const std::string_view problem = parser_.problem;
  if (problem == "found unexpected ':'") {
    const std::size_t behind = position(parser_.problem_mark) + 1;
    if (behind >= read_.size() || std::string_view(",[]{}").find(read_[behind]) == std::string_view::npos) return false;
    insert(behind, ' ');
    return true;
  }
  if (problem == "found a tab character where an indentation space is expected") {
    const std::size_t header = position(parser_.context_mark) + 1;
    const std::size_t tab = position(parser_.problem_mark);
    // As PyYAML finds the indentation: the widest of the lines of blanks up to the text.
    std::size_t widest = 0;
    const std::size_t first = std::min(read_.find_first_of("\r\n", header), tab);
    if (read_.substr(first, tab - first).find_first_not_of(" \r\n") != std::string_view::npos) return false;  // The rarer line ends.
    for (std::size_t line = first; line < tab; line = read_.find_first_of("\r\n", line + 1)) {
      widest = std::max(widest, read_.find_first_not_of(' ', line + 1) - line - 1);
    }
    const std::size_t outer = parser_.indent > 0 ? static_cast<std::size_t>(parser_.indent) : 0;
    const std::size_t least = parser_.indent >= 0 ? outer + 1 : 1;
    const std::size_t width = std::max(widest, least) - outer;
    if (width > 9) return false;
    insert(header, static_cast<char>('0' + width));
    return true;
  }
  return false;
}

void YamlEvents::insert(std::size_t offset, char character) {
  // Errors come in the order of the text, and so do the places.
  repaired_ = std::string(read_.substr(0, offset)) + character + std::string(read_.substr(offset));
  read_ = repaired_;
  insertions_.push_back(offset);
  known_index_ = 0;
  known_offset_ = begin_;
}

/// The byte of `text_` that a byte of `read_` stands for.
std::size_t YamlEvents::original(std::size_t position) const {
  const auto before = std::ranges::lower_bound(insertions_, position);
  return position - static_cast<std::size_t>(before - insertions_.begin());
}

std::size_t YamlEvents::offset(const yaml_mark_t& mark) { return original(position(mark)); }

/// The byte of `read_` at a mark.
std::size_t YamlEvents::position(const yaml_mark_t& mark) {
  if (ascii_) return std::min(begin_ + mark.index, read_.size());
  while (known_index_ > mark.index) {
    --known_offset_;
    while (known_offset_ > begin_ && is_continuation(read_[known_offset_])) --known_offset_;
    --known_index_;
  }
  while (known_index_ < mark.index && known_offset_ < read_.size()) {
    ++known_offset_;
    while (known_offset_ < read_.size() && is_continuation(read_[known_offset_])) ++known_offset_;
    ++known_index_;
  }
  return known_offset_;
}

void YamlEvents::fail() {
  const std::string problem = parser_.problem != nullptr ? parser_.problem : "not enough memory";
  switch (parser_.error) {
    case YAML_MEMORY_ERROR:
      throw std::bad_alloc();
    case YAML_READER_ERROR: {
      const std::size_t byte = original(std::min(begin_ + parser_.problem_offset, read_.size()));
      const Origin where = origin(byte);
      throw Error("yaml.encoding", fmt::format("{} (byte {} of the text)", problem, byte))
          .at(sources_, where)
          .hint("YAML is UTF-8 text without control characters; write others as escapes in double quotes");
    }
    default:
      break;
  }
  Error error = Error("yaml.syntax", parser_.context != nullptr ? fmt::format("{}: {}", parser_.context, problem) : problem)
                    .at(sources_, origin(offset(parser_.problem_mark)));
  const bool has_second_place = parser_.context != nullptr && (parser_.context_mark.line != 0 || parser_.context_mark.column != 0) &&
                                parser_.context_mark.index != parser_.problem_mark.index;
  if (!has_second_place) throw Error(std::move(error));
  throw Error(std::move(error)).note(sources_, origin(offset(parser_.context_mark)), parser_.context);
}

}  // namespace strata::text
