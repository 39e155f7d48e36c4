// The file of a node or a class.
#pragma once

#include <memory>
#include <vector>

#include "strata/session.hpp"
#include "strata/value.hpp"

namespace strata::reclass {

/// Parsed once for a Snapshot. Thread-safe.
struct Entity {
  std::shared_ptr<Arena> arena;       ///< Owns all values.
  std::size_t nodes = 0;              ///< Of the document, with aliases written out.
  std::vector<Origin> repeated_keys;  ///< Of mappings: the last value of each counts.
  std::vector<Value> classes;         ///< Texts, as written: relative names begin with dots.
  std::vector<Value> applications;
  std::vector<Value> negations;  ///< Applications that are removed, without the `~`.
  Value environment;             ///< May be absent.
  /// A mapping, with a Reference in the place of each text that has one. Keys of mappings that are merged are texts.
  Value parameters;
  bool has_prefixes = false;  ///< Some keys begin with `~` or `=`.

  /// Errors: `reclass.field`, `reclass.class-name`, `reclass.key`, those of text::parse_references and of the YAML reader.
  [[nodiscard]] static Reading<Entity> read(Sources& texts, SourceId source, const Limits& limits);
};

}  // namespace strata::reclass
