// libyaml's events, with byte offsets and with errors as strata::Error.
#pragma once

#include <yaml.h>

#include <string_view>

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::text {

/// One event, freed when the next is asked for.
class YamlEvents {
 public:
  /// `begin`: the text starts there in the source (after a byte order mark).
  YamlEvents(const Sources& sources, SourceId source, std::size_t begin);
  ~YamlEvents();
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  /// The next event; valid until the next call. Errors: `yaml.syntax`, `yaml.encoding`.
  const yaml_event_t& next();

  /// Byte offset in the source of a mark (libyaml counts code points). Cost: the distance from the mark asked for before.
  [[nodiscard]] std::size_t offset(const yaml_mark_t& mark);
  [[nodiscard]] Origin origin(std::size_t offset) const { return sources_.at(source_, offset); }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] const Sources& sources() const noexcept { return sources_; }

 private:
  [[noreturn]] void fail();

  const Sources& sources_;
  SourceId source_;
  std::string_view text_;
  std::size_t begin_;
  bool ascii_;
  std::size_t known_index_ = 0;  ///< A code point whose byte offset is known, so that marks are turned into offsets in one pass.
  std::size_t known_offset_ = 0;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

}  // namespace strata::text
