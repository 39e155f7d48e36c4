// The file of a node or a class.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "strata/session.hpp"
#include "strata/text.hpp"

namespace strata::reclass {

/// Parsed once for a Snapshot. Thread-safe.
struct Entity {
  text::Document document;              ///< Its arena owns all values.
  std::vector<Value> classes;           ///< Texts, as written, each once: relative names begin with dots.
  std::span<const Value> applications;  ///< Texts: `~name` removes one.
  Value environment;                    ///< May be absent.
  /// A mapping, with a Reference in the place of each text that has one. Keys of mappings that are merged are texts.
  Value parameters;
  bool has_prefixes = false;  ///< Some keys begin with `~` or `=`.

  /// Errors: `reclass.field`, `reclass.class-name`, `reclass.key`, those of text::parse_references and of the YAML reader.
  [[nodiscard]] static Reading<Entity> read(Sources& texts, SourceId source, const Limits& limits);
};

}  // namespace strata::reclass
