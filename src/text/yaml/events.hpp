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

/// One event, freed when the next is asked for.
class YamlEvents {
 public:
  /// `stretch`: what is read of the source, after a byte order mark. `lenient`: where libyaml refuses what PyYAML's scanner reads, it is
  /// given a text that means the same to both, for a few places a text. Rule: repair.
  YamlEvents(const Sources& sources, SourceId source, const Stretch& stretch, bool lenient = false);
  ~YamlEvents();
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  /// The next event; valid until the next call. Errors: `yaml.syntax`, `yaml.encoding`.
  const yaml_event_t& next();

  /// Byte offset in the source of a mark (libyaml counts code points). Cost: the distance from the mark asked for before.
  [[nodiscard]] std::size_t offset(const yaml_mark_t& mark);
  [[nodiscard]] Origin origin(std::size_t offset) const { return {first_.location + static_cast<std::uint32_t>(std::min(offset, text_.size()))}; }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] const Sources& sources() const noexcept { return sources_; }
  /// A part of the text as errors quote it: nothing of a source that is secret.
  [[nodiscard]] std::string_view quoted(std::string_view part) const noexcept { return is_secret_ ? "******" : part; }

 private:
  [[noreturn]] void fail();
  void start();
  bool repair();
  bool repair_colon();
  bool repair_tab();
  bool repair_surrogates();
  /// A text in the place of so many bytes of what libyaml reads.
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
  std::string_view text_;  ///< The source up to the end of the stretch.
  Origin first_;           ///< Of the first byte.
  std::size_t begin_;
  bool ascii_;
  bool lenient_;
  bool is_secret_;
  /// From this byte of `repaired_` on, the text is so many bytes longer (less than 0: shorter) than what is read.
  struct Edit {
    std::size_t position;
    std::ptrdiff_t shift;
  };
  std::string repaired_;         ///< What libyaml reads, once something was replaced.
  std::string_view read_;        ///< What libyaml reads: `text_` or `repaired_`.
  std::vector<Edit> edits_;      ///< In the order of the text.
  std::size_t read_again_ = 0;   ///< Bytes that were read anew for repairs.
  std::size_t delivered_ = 0;    ///< Events so far.
  std::size_t known_index_ = 0;  ///< A code point whose byte offset is known, so that marks are turned into offsets in one pass.
  std::size_t known_offset_ = 0;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

}  // namespace strata::text
