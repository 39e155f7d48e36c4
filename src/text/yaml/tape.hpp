// SPDX-License-Identifier: Apache-2.0
// The events of one document of a YAML text, in sixteen bytes each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/stop.hpp"
#include "text/yaml/event.hpp"

namespace strata::text {

/// Events in the order of a text: YamlScanner writes a document, then a reader takes it. One tape serves any number of
/// texts, one after the other.
class YamlTape {
 public:
  /// Bytes of the source, or of the tape's own texts.
  struct Text {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
  };

  /// Removes all events. Texts of the events to come lie in `source`, which must outlive them; `base` is added to their
  /// offsets.
  void begin(const char* source, std::size_t base) noexcept {
    source_ = source;
    base_ = base;
    clear();
  }
  /// From now on, a document is full as soon as this work must end. Null: never. It must outlive its use.
  void stop_with(const Stop* stop) noexcept { stop_ = stop; }
  void clear() noexcept {
    is_full_ = false;
    chunk_ = next_chunk_ = 0;
    write_ = write_end_ = nullptr;
    next_ = next_limit_ = nullptr;
    properties_.clear();
    ends_.clear();
    own_.clear();
    next_property_ = next_end_ = 0;
  }
  /// Gives back what a large document left, so that at most about `bytes` are kept.
  void shrink(std::size_t bytes);

  [[nodiscard]] std::size_t size() const noexcept {
    return chunk_ * kChunk - static_cast<std::size_t>(write_end_ - write_);
  }
  /// The document has more events than are kept, or the work must end: what is written now is lost.
  [[nodiscard]] bool is_full() const noexcept { return is_full_; }
  [[nodiscard]] bool is_at_end() const noexcept { return next_ == write_; }
  /// Takes the next event; its texts are valid until the tape is cleared. There must be one.
  void take(YamlEvent& event) noexcept;

  // Writing. Offsets are those of the source without the base.
  /// `own`: the texts that the source does not have as they are.
  [[nodiscard]] std::string& own() noexcept { return own_; }
  /// Properties of the node whose event comes next among those that have some.
  void add_properties(Text anchor, Text tag, bool tag_is_own) { properties_.push_back({anchor, tag, tag_is_own}); }
  void add(YamlEvent::Kind kind, YamlEvent::Style style, std::uint32_t begin, std::uint32_t end, bool implicit,
           bool has_properties) {
    put({begin, end, 0, kind, style,
         static_cast<Flags>((implicit ? kImplicit : 0U) | (has_properties ? kProperties : 0U))});
  }
  /// A scalar of one line whose text is in the source. Its end follows from its text.
  void add_scalar(YamlEvent::Style style, std::uint32_t begin, Text text, bool has_properties) {
    put({begin, text.offset, text.length, YamlEvent::Kind::scalar, style,
         static_cast<Flags>(has_properties ? kProperties : 0U)});
  }
  /// A scalar whose text is not in the source, or whose end does not follow from it.
  void add_scalar(YamlEvent::Style style, std::uint32_t begin, Text text, bool is_own, std::uint32_t end,
                  bool has_properties) {
    const unsigned flags = kEnd | (is_own ? kOwn : 0U) | (has_properties ? kProperties : 0U);
    put({begin, text.offset, text.length, YamlEvent::Kind::scalar, style, static_cast<Flags>(flags)});
    ends_.push_back(end);
  }
  void add_alias(std::uint32_t begin, Text name) {
    put({begin, name.offset, name.length, YamlEvent::Kind::alias, YamlEvent::Style::none, Flags{}});
  }

 private:
  static constexpr std::size_t kChunk = 4096;  ///< Events.
  static constexpr std::size_t kMost = 1024;   ///< Chunks: 64 MiB.
  static constexpr unsigned kImplicit = 1;
  static constexpr unsigned kProperties = 2;
  static constexpr unsigned kOwn = 4;
  static constexpr unsigned kEnd = 8;
  enum class Flags : std::uint8_t {
  };  ///< The bits above. A type of its own, so that writing it can change nothing else.

  struct Entry {
    std::uint32_t begin;
    std::uint32_t offset;  ///< Of the text; the end of an event that has none.
    std::uint32_t length;
    YamlEvent::Kind kind;
    YamlEvent::Style style;
    Flags flags;
  };
  static_assert(sizeof(Entry) == 16);
  struct Properties {
    Text anchor;
    Text tag;
    bool tag_is_own;
  };

  void put(const Entry& entry) {
    if (write_ == write_end_) begin_chunk();
    *write_++ = entry;
  }
  void begin_chunk();

  [[nodiscard]] std::string_view view(std::uint32_t offset, std::uint32_t length, bool is_own) const noexcept {
    return {(is_own ? own_.data() : source_) + offset, length};
  }

  const char* source_ = nullptr;
  std::size_t base_ = 0;
  std::vector<std::unique_ptr<Entry[]>> chunks_;  // NOLINT(modernize-avoid-c-arrays): not initialised
  const Stop* stop_ = nullptr;
  bool is_full_ = false;
  std::size_t chunk_ = 0;       ///< Chunks that are written.
  std::size_t next_chunk_ = 0;  ///< Chunks whose events were taken or are being taken.
  Entry* write_ = nullptr;
  Entry* write_end_ = nullptr;
  const Entry* next_ = nullptr;
  const Entry* next_limit_ = nullptr;
  std::vector<Properties> properties_;  ///< In the order of the events that have some.
  std::vector<std::uint32_t> ends_;     ///< In the order of the scalars whose end does not follow from their text.
  std::string own_;
  std::size_t next_property_ = 0;
  std::size_t next_end_ = 0;
};

// Header-only because each event of a text goes through it.
inline void YamlTape::take(YamlEvent& event) noexcept {
  using Kind = YamlEvent::Kind;
  using Style = YamlEvent::Style;
  if (next_ == next_limit_) {
    next_ = chunks_[next_chunk_++].get();
    next_limit_ = next_ + kChunk;
  }
  const Entry& entry = *next_++;
  event.kind = entry.kind;
  event.style = entry.style;
  event.begin = base_ + entry.begin;
  event.anchor = {};
  event.tag = {};
  const auto flags = static_cast<unsigned>(entry.flags);
  event.has_properties = (flags & kProperties) != 0;
  if (event.has_properties) {
    const Properties& properties = properties_[next_property_++];
    event.anchor = view(properties.anchor.offset, properties.anchor.length, false);
    event.tag = view(properties.tag.offset, properties.tag.length, properties.tag_is_own);
  }
  if (entry.kind == Kind::scalar) {
    event.text = view(entry.offset, entry.length, (flags & kOwn) != 0);
    if ((flags & kEnd) != 0) {
      event.end = base_ + ends_[next_end_++];
    } else {
      // Behind the closing quote.
      event.end = base_ + entry.offset + entry.length + (entry.style == Style::plain ? 0 : 1);
    }
    event.implicit = event.tag.empty() && entry.style == Style::plain;
    event.quoted_implicit = event.tag.empty() && entry.style != Style::plain;
    return;
  }
  event.text = {};
  event.quoted_implicit = false;
  if (entry.kind == Kind::alias) {
    event.anchor = view(entry.offset, entry.length, false);
    event.end = base_ + entry.offset + entry.length;
    event.implicit = false;
    return;
  }
  event.end = base_ + entry.offset;
  const bool is_start = entry.kind == Kind::sequence_start || entry.kind == Kind::mapping_start;
  event.implicit = is_start ? event.tag.empty() : (flags & kImplicit) != 0;
}

}  // namespace strata::text
