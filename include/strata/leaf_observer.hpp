// SPDX-License-Identifier: Apache-2.0
// Where the leaves of a value begin in the text that a writer makes of it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "strata/text.hpp"
#include "strata/value.hpp"

namespace strata::text {

/// Follows a writer through a value. The writer tells of each leaf before the sink gets the piece of text that holds
/// its end.
///
/// A leaf is a scalar or an empty container, and a secret container as a whole. Members of sets are leaves below their
/// keys. Keys are not leaves.
class LeafObserver {
 public:
  LeafObserver() = default;
  virtual ~LeafObserver() = default;
  LeafObserver(const LeafObserver&) = delete;
  LeafObserver& operator=(const LeafObserver&) = delete;

  /// What follows, until `leave`, is below this key of a mapping or set.
  virtual void enter(const Value& key) = 0;
  /// The same for an item of a sequence, from 0, or a document of a stream.
  virtual void enter(std::size_t index) = 0;
  virtual void leave() = 0;
  /// A leaf begins at byte `begin` of what the call writes: at its quote, `|`, `[`, `{` or first character, behind its
  /// tag. `goes_on`: its text may have several lines, and `end` follows before the next leaf.
  virtual void leaf(const Value& leaf, std::size_t begin, bool goes_on) = 0;
  /// The last leaf ends before byte `end`.
  virtual void end(std::size_t end) = 0;
};

/// As `write_json` with a sink; the text is the same.
void write_json(const Value& value, const JsonStyle& style, const Sink& sink, LeafObserver& observer);
/// As `write_yaml` with a sink; the text is the same.
void write_yaml(const Value& value, const YamlStyle& style, const Sink& sink, LeafObserver& observer);
/// As `write_yaml_stream`, on the caller's thread; the text is the same.
void write_yaml_stream(std::span<const Value> documents, const YamlStyle& style, const Sink& sink,
                       LeafObserver& observer);

}  // namespace strata::text
