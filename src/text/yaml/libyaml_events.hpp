// SPDX-License-Identifier: Apache-2.0
// libyaml's events, with byte offsets and with errors as strata::Error.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/yaml/event.hpp"
#include "text/yaml/input.hpp"

namespace strata::text {

/// Reads a text with libyaml. The only place that knows libyaml's parser.
class LibyamlEvents {
 public:
  /// `lenient`: at a few places of a text where libyaml rejects what PyYAML's scanner accepts, libyaml reads an
  /// equivalent text. Rule: repair. `input` must outlive this. Errors: std::bad_alloc.
  LibyamlEvents(const YamlInput& input, bool lenient);
  ~LibyamlEvents();
  LibyamlEvents(const LibyamlEvents&) = delete;
  LibyamlEvents& operator=(const LibyamlEvents&) = delete;

  /// The next event; valid until the next call. Errors: `yaml.syntax`, `yaml.encoding`.
  const YamlEvent& next();

 private:
  struct Parser;
  /// A text that replaces a range of what libyaml reads.
  struct Replacement {
    std::size_t offset;
    std::size_t length;
    std::string text;
  };
  /// From this byte of `repaired_` on, the text is longer (or shorter, if negative) than what is read.
  struct Edit {
    std::size_t position;
    std::ptrdiff_t shift;
  };

  [[noreturn]] void fail();
  void start();
  void convert();
  bool repair();
  bool repair_colon();
  bool repair_tab();
  bool repair_surrogates();
  /// In the order of the text.
  void replace(std::span<const Replacement> replacements);
  /// The byte of `text_` at the code point `index`. Cost: the distance from the last one.
  [[nodiscard]] std::size_t offset(std::size_t index);
  [[nodiscard]] std::size_t position(std::size_t index);
  [[nodiscard]] std::size_t original(std::size_t position) const;

  const YamlInput& input_;
  std::string_view text_;
  std::size_t begin_;
  bool ascii_;
  bool lenient_;
  std::string repaired_;         ///< libyaml's input after a replacement.
  std::string_view read_;        ///< libyaml's input: `text_` or `repaired_`.
  std::vector<Edit> edits_;      ///< In the order of the text.
  std::size_t read_again_ = 0;   ///< Bytes read again for repairs.
  std::size_t delivered_ = 0;    ///< Events so far.
  std::size_t known_index_ = 0;  ///< A code point with known byte offset: indexes are converted to offsets in one pass.
  std::size_t known_offset_ = 0;
  std::unique_ptr<Parser> parser_;
  YamlEvent event_;
};

}  // namespace strata::text
