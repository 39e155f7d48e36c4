#include "yaml_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

namespace strata::text {
namespace {

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

YamlEvents::YamlEvents(const Sources& sources, SourceId source, std::size_t begin)
    : sources_(sources), source_(source), text_(sources.text(source)), begin_(begin), ascii_(is_ascii(text_)), known_offset_(begin) {
  if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
  // The encoding is given, else libyaml would take some byte pairs for UTF-16.
  yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text_.data()) + begin, text_.size() - begin);
}

YamlEvents::~YamlEvents() {
  yaml_event_delete(&event_);
  yaml_parser_delete(&parser_);
}

const yaml_event_t& YamlEvents::next() {
  yaml_event_delete(&event_);
  if (yaml_parser_parse(&parser_, &event_) == 0) fail();
  return event_;
}

std::size_t YamlEvents::offset(const yaml_mark_t& mark) {
  if (ascii_) return std::min(begin_ + mark.index, text_.size());
  while (known_index_ > mark.index) {
    --known_offset_;
    while (known_offset_ > begin_ && is_continuation(text_[known_offset_])) --known_offset_;
    --known_index_;
  }
  while (known_index_ < mark.index && known_offset_ < text_.size()) {
    ++known_offset_;
    while (known_offset_ < text_.size() && is_continuation(text_[known_offset_])) ++known_offset_;
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
      const Origin where = origin(std::min(begin_ + parser_.problem_offset, text_.size()));
      throw Error("yaml.encoding", fmt::format("{} (byte {} of the text)", problem, begin_ + parser_.problem_offset))
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
  if (!has_second_place) throw error;
  throw std::move(error).note(sources_, origin(offset(parser_.context_mark)), parser_.context);
}

}  // namespace strata::text
