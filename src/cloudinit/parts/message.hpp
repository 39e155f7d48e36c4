// One node of a message: headers, and either a body or messages inside.
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

/// The bytes of a leaf, and where they stand.
///
/// They begin as a stretch of an outer text, or as a text of their own that was made from one. `decode` undoes the transfer encoding.
class Body {
 public:
  Body() = default;
  /// A stretch of `outer`.
  Body(SourceId outer, Range range) : outer_(outer), range_(range) {}
  /// A text whose stretches stand in `outer`.
  Body(SourceId outer, std::string text, std::vector<Segment> segments) : outer_(outer), text_(std::move(text)), segments_(std::move(segments)) {}
  /// A text that was decoded from within `outer`.
  Body(SourceId outer, std::string text) : outer_(outer), text_(std::move(text)) {}

  [[nodiscard]] std::string_view bytes(const Sources& sources) const;
  /// Where the first byte stands; where only a decoded text is known, the beginning of the outer one.
  [[nodiscard]] Origin origin(const Sources& sources) const;
  [[nodiscard]] SourceId outer() const noexcept { return outer_; }
  /// Whether it is all of the outer text.
  [[nodiscard]] bool is_whole(const Sources& sources) const;
  /// Takes the last line end away.
  void drop_line_end(const Sources& sources);
  void replace(std::string decoded);
  /// The bytes as a text of its own, called `part`; made once.
  SourceId source(Sources& sources, const std::string& part);

 private:
  SourceId outer_{};
  std::optional<Range> range_;  ///< Into `outer_`; none where `text_` holds the bytes.
  std::string text_;
  std::vector<Segment> segments_;  ///< Of `text_` into `outer_`; empty where it was decoded.
  std::optional<SourceId> source_;
};

struct Message {
  Headers headers;
  std::string default_type = "text/plain";
  bool is_container = false;  ///< Has messages inside, whatever its type says.
  std::vector<std::unique_ptr<Message>> children;
  Body body;
  bool is_encoded = true;        ///< The body may still be in a transfer encoding.
  bool has_own_name = true;      ///< Its file name was given, not made up from its number.
  bool may_be_damaged = false;   ///< The reference damages characters of this body that are not ASCII.
  std::string boundary_problem;  ///< Why a multipart has no parts; empty where it has some.

  [[nodiscard]] std::string type() const { return content_type(headers, default_type); }
  /// The bytes of the body after the transfer encoding is undone; empty for a container.
  std::string_view payload(const Sources& sources);
};

}  // namespace strata::cloudinit
