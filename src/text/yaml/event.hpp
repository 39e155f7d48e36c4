// SPDX-License-Identifier: Apache-2.0
// What a reader learns of a YAML text, one piece after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace strata::text {

/// One event of a text, with the meaning that libyaml's events have. Offsets are bytes of the source.
struct YamlEvent {
  enum class Kind : std::uint8_t {
    stream_start,
    stream_end,
    document_start,
    document_end,
    alias,
    scalar,
    sequence_start,
    sequence_end,
    mapping_start,
    mapping_end
  };
  /// Of scalars and of the beginnings of collections; `none` for other events.
  enum class Style : std::uint8_t { none, plain, single_quoted, double_quoted, literal, folded, block, flow };

  Kind kind = Kind::stream_start;
  Style style = Style::none;
  /// A document without `---` (its start) or without `...` (its end); a collection without a tag; a scalar whose value
  /// follows from its text alone.
  bool implicit = false;
  bool quoted_implicit = false;  ///< A scalar without a tag that is not plain.
  bool has_properties = false;   ///< An anchor or a tag stands before the node.
  std::size_t begin = 0;         ///< Of the first property, if the node has any.
  std::size_t end = 0;
  std::string_view text;    ///< Of a scalar.
  std::string_view anchor;  ///< Of a node, or the one that an alias names. Empty: none.
  std::string_view tag;     ///< In full (`tag:yaml.org,2002:str`).

  friend bool operator==(const YamlEvent&, const YamlEvent&) = default;
};
using YamlEventKind = YamlEvent::Kind;
using YamlEventStyle = YamlEvent::Style;

}  // namespace strata::text
