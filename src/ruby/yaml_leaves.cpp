#include <yaml.h>

#include <cstddef>
#include <new>
#include <string_view>

#include "ruby/ruby.hpp"
#include "strata/error.hpp"

namespace strata::ruby {
namespace {

/// The events of a text that libyaml wrote.
class Events {
 public:
  explicit Events(std::string_view text) : text_(text) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  }
  ~Events() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  /// The next event must be one of this type.
  void expect(yaml_event_type_t type) {
    yaml_event_delete(&event_);
    if (yaml_parser_parse(&parser_, &event_) == 0 || event_.type != type) {
      throw Error("output.source-map", "libyaml cannot read what it wrote: there is no map of this text")
          .hint("--output yaml writes the result in a form that always reads back");
    }
  }
  /// Bytes before the current event, behind its tag.
  [[nodiscard]] std::size_t begin() {
    std::size_t at = byte_of(event_.start_mark.index);
    if (at < text_.size() && text_[at] == '!') {
      while (at < text_.size() && text_[at] != ' ' && text_[at] != '\n') ++at;
      while (at < text_.size() && text_[at] == ' ') ++at;
    }
    return at;
  }
  /// Bytes before the end of the current event.
  [[nodiscard]] std::size_t end() { return byte_of(event_.end_mark.index); }

 private:
  /// libyaml counts characters. Marks never go back by more than the events do.
  [[nodiscard]] std::size_t byte_of(std::size_t character) {
    const auto continues = [this](std::size_t at) { return (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U; };
    while (characters_ < character && byte_ < text_.size()) {
      ++byte_;
      while (byte_ < text_.size() && continues(byte_)) ++byte_;
      ++characters_;
    }
    while (characters_ > character) {
      --byte_;
      while (continues(byte_)) --byte_;
      --characters_;
    }
    return byte_;
  }

  std::string_view text_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  std::size_t byte_ = 0;
  std::size_t characters_ = 0;
};

/// Goes through a value and its events side by side.
class Walk {
 public:
  Walk(Events& events, text::LeafObserver& observer) : events_(events), observer_(observer) {}

  // Recursion: bounded by Limits::depth, which every maker of values keeps.
  void node(const Value& value) {
    if (!value.is_container()) {
      events_.expect(YAML_SCALAR_EVENT);
      if (hidden_ == 0) {
        observer_.leaf(value, events_.begin(), true);
        observer_.end(events_.end());
      }
      return;
    }
    events_.expect(value.is_sequence() ? YAML_SEQUENCE_START_EVENT : YAML_MAPPING_START_EVENT);
    const bool as_one = hidden_ == 0 && (value.size() == 0 || value.is_secret());
    if (as_one) observer_.leaf(value, events_.begin(), true);
    if (as_one) ++hidden_;
    members(value);
    if (as_one) --hidden_;
    events_.expect(value.is_sequence() ? YAML_SEQUENCE_END_EVENT : YAML_MAPPING_END_EVENT);
    if (as_one) observer_.end(events_.end());
  }

 private:
  void members(const Value& value) {
    if (value.is_sequence()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (hidden_ == 0) observer_.enter(i);
        node(value.items()[i]);
        if (hidden_ == 0) observer_.leave();
      }
      return;
    }
    for (const Entry& entry : value.entries()) {
      ++hidden_;
      node(entry.key);
      --hidden_;
      if (hidden_ == 0) observer_.enter(entry.key);
      node(entry.value);
      if (hidden_ == 0) observer_.leave();
    }
  }

  Events& events_;
  text::LeafObserver& observer_;
  int hidden_ = 0;  ///< Keys and leaves around the node.
};

}  // namespace

void find_yaml_leaves(const Value& value, std::string_view written, text::LeafObserver& observer) {
  Events events(written);
  events.expect(YAML_STREAM_START_EVENT);
  events.expect(YAML_DOCUMENT_START_EVENT);
  Walk(events, observer).node(value);
}

}  // namespace strata::ruby
