// SPDX-License-Identifier: Apache-2.0
// One node of a message: headers, and either a body or nested messages.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "header_values.hpp"
#include "lines.hpp"
#include "strata/origin.hpp"

namespace strata::cloudinit {

/// The bytes of a leaf and their position.
///
/// They begin as a range of an outer text, or as a text made from one. `decode` undoes the transfer encoding.
class Body {
 public:
  Body() = default;
  /// A range of `outer`.
  Body(SourceId outer, Range range) : outer_(outer), range_(range) {}
  /// A text whose segments come from `outer`.
  Body(SourceId outer, std::string text, std::vector<Segment> segments)
      : outer_(outer), text_(std::move(text)), segments_(std::move(segments)) {}
  /// A text that was decoded from a part of `outer`.
  Body(SourceId outer, std::string text) : outer_(outer), text_(std::move(text)) {}

  [[nodiscard]] std::string_view bytes(const Sources& sources) const;
  /// The position of the first byte. For decoded text, the beginning of the outer text.
  [[nodiscard]] Origin origin(const Sources& sources) const;
  [[nodiscard]] SourceId outer() const noexcept { return outer_; }
  /// Whether it is the whole outer text.
  [[nodiscard]] bool is_whole(const Sources& sources) const;
  /// Removes the last line break.
  void drop_line_end(const Sources& sources);
  void replace(std::string decoded);
  /// The bytes as a text named `part`. Made once.
  SourceId source(Sources& sources, const std::string& part);

 private:
  SourceId outer_{};
  std::optional<Range> range_;  ///< Into `outer_`. No value if `text_` holds the bytes.
  std::string text_;
  std::vector<Segment> segments_;  ///< From `text_` into `outer_`. Empty if the text was decoded.
  std::optional<SourceId> source_;
};

struct Message {
  Headers headers;
  std::string default_type = "text/plain";
  bool is_container = false;  ///< It has nested messages, whatever its type says.
  std::vector<std::unique_ptr<Message>> children;
  Body body;
  bool is_encoded = true;        ///< The body may still have a transfer encoding.
  bool has_own_name = true;      ///< Its file name was given, not made from its number.
  bool may_be_damaged = false;   ///< The reference damages non-ASCII characters of this body.
  std::string boundary_problem;  ///< Why a multipart has no parts. Empty if it has some.

  [[nodiscard]] std::string type() const { return content_type(headers, default_type); }
  /// The body after undoing the transfer encoding. Empty for a container.
  std::string_view payload(const Sources& sources);
};

}  // namespace strata::cloudinit
