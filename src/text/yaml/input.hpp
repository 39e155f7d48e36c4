// SPDX-License-Identifier: Apache-2.0
// The part of a source that is read as YAML, and places in it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "strata/text.hpp"
#include "text/stretch.hpp"

namespace strata::text {

/// A text while it is read. `sources` must outlive it.
class YamlInput {
 public:
  /// `stretch`: the part of the source to read. It may begin with a byte order mark, which is not read.
  YamlInput(const Sources& sources, SourceId source, const Stretch& stretch)
      : sources_(sources),
        text_(sources.text(source).substr(0, stretch.end)),
        first_(sources.at(source, 0)),
        begin_(text_.substr(stretch.begin).starts_with(kByteOrderMark) ? stretch.begin + kByteOrderMark.size()
                                                                       : stretch.begin),
        ends_with_source_(text_.size() == sources.text(source).size()),
        is_secret_(sources.is_secret(source)) {}

  /// The source up to the end of the part.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  /// The first byte to read.
  [[nodiscard]] std::size_t begin() const noexcept { return begin_; }
  /// Then the byte behind it is readable and zero, as behind every text of a Sources.
  [[nodiscard]] bool ends_with_source() const noexcept { return ends_with_source_; }
  [[nodiscard]] const Sources& sources() const noexcept { return sources_; }
  [[nodiscard]] bool is_secret() const noexcept { return is_secret_; }
  [[nodiscard]] Origin origin(std::size_t offset) const {
    return {first_.location + static_cast<std::uint32_t>(std::min(offset, text_.size()))};
  }
  /// A part of the text as errors quote it: nothing from a secret source.
  [[nodiscard]] std::string_view quoted(std::string_view part) const noexcept { return is_secret_ ? "******" : part; }

 private:
  static constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

  const Sources& sources_;
  std::string_view text_;
  Origin first_;  ///< Of the first byte of the source.
  std::size_t begin_;
  bool ends_with_source_;
  bool is_secret_;
};

}  // namespace strata::text
