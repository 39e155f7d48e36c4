// SPDX-License-Identifier: Apache-2.0
// The files of an inventory: nodes and classes.
#pragma once

#include <span>

#include "session/named_files.hpp"
#include "strata/reclass.hpp"
#include "strata/text.hpp"

namespace strata::reclass {

/// The file of a node or a class. Parsed once for a Snapshot. Thread-safe.
struct Entity {
  text::Document document;              ///< Its arena owns all values.
  std::vector<Value> classes;           ///< Texts, as written, each once: relative names begin with dots.
  std::span<const Value> applications;  ///< Texts: `~name` removes one.
  Value environment;                    ///< May be absent.
  /// A mapping, with a Reference in the place of each text that has one. Keys of mappings that are merged are texts.
  Value parameters;
  Value exports;                          ///< As `parameters`, without queries.
  bool has_prefixes = false;              ///< Some keys begin with `~` or `=`.
  bool queries_all_environments = false;  ///< A query of the parameters reads all environments.

  /// Errors: `reclass.field`, `reclass.class-name`, `reclass.key`, `reclass.query`, those of text::parse_references and
  /// of the YAML reader.
  [[nodiscard]] static Reading<Entity> read(Sources& texts, SourceId source, const Limits& limits);
};

/// All files by name. Part of a Snapshot. Thread-safe. Errors: `reclass.folder`, `reclass.duplicate`.
struct Inventory {
  Inventory(const Settings& settings, const FileTree& tree);
  [[nodiscard]] static const Inventory& of(const Settings& settings, Session& session);

  FilesOf<Entity> nodes;
  FilesOf<Entity> classes;
};

}  // namespace strata::reclass
