// libyaml's events, with byte offsets and with errors as strata::Error.
#pragma once

#include <yaml.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/text.hpp"
#include "text/stretch.hpp"

namespace strata::text {

/// One event. Freed when the next one is read.
class YamlEvents {
 public:
  /// `stretch`: the part of the source to read, after a byte order mark. `lenient`: at a few places of a text where libyaml rejects what PyYAML's
  /// scanner accepts, libyaml reads an equivalent text. Rule: repair.
  YamlEvents(const Sources& sources, SourceId source, const Stretch& stretch, bool lenient = false);
  ~YamlEvents();
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  /// The next event; valid until the next call. Errors: `yaml.syntax`, `yaml.encoding`.
  const yaml_event_t& next();

  /// Byte offset in the source of a mark (libyaml counts code points). Cost: the distance from the last mark.
  [[nodiscard]] std::size_t offset(const yaml_mark_t& mark);
  [[nodiscard]] Origin origin(std::size_t offset) const { return {first_.location + static_cast<std::uint32_t>(std::min(offset, text_.size()))}; }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] const Sources& sources() const noexcept { return sources_; }
  /// A part of the text as errors quote it: nothing from a secret source.
  [[nodiscard]] std::string_view quoted(std::string_view part) const noexcept { return is_secret_ ? "******" : part; }

 private:
  [[noreturn]] void fail();
  void start();
  bool repair();
  bool repair_colon();
  bool repair_tab();
  bool repair_surrogates();
  /// A text that replaces a range of what libyaml reads.
  struct Replacement {
    std::size_t offset;
    std::size_t length;
    std::string text;
  };
  /// In the order of the text.
  void replace(std::span<const Replacement> replacements);
  [[nodiscard]] std::size_t position(const yaml_mark_t& mark);
  [[nodiscard]] std::size_t original(std::size_t position) const;

  const Sources& sources_;
  std::string_view text_;  ///< The source up to the end of the part.
  Origin first_;           ///< Of the first byte.
  std::size_t begin_;
  bool ascii_;
  bool lenient_;
  bool is_secret_;
  /// From this byte of `repaired_` on, the text is longer (or shorter, if negative) than what is read.
  struct Edit {
    std::size_t position;
    std::ptrdiff_t shift;
  };
  std::string repaired_;         ///< libyaml's input after a replacement.
  std::string_view read_;        ///< libyaml's input: `text_` or `repaired_`.
  std::vector<Edit> edits_;      ///< In the order of the text.
  std::size_t read_again_ = 0;   ///< Bytes read again for repairs.
  std::size_t delivered_ = 0;    ///< Events so far.
  std::size_t known_index_ = 0;  ///< A code point with known byte offset: marks are converted to offsets in one pass.
  std::size_t known_offset_ = 0;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

}  // namespace strata::text
