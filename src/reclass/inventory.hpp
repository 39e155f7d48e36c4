// The files of an inventory: nodes and classes.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  bool has_prefixes = false;  ///< Some keys begin with `~` or `=`.

  /// Errors: `reclass.field`, `reclass.class-name`, `reclass.key`, those of text::parse_references and of the YAML reader.
  [[nodiscard]] static Reading<Entity> read(Sources& texts, SourceId source, const Limits& limits);
};

/// All files by name. Part of a Snapshot. Thread-safe.
class Inventory {
 public:
  /// That of the session's Snapshot; both folders are listed once.
  [[nodiscard]] static const Inventory& of(const Settings& settings, Session& session);

  /// Errors: `reclass.folder`, `reclass.duplicate`.
  Inventory(const Settings& settings, const FileTree& tree);

  struct File {
    std::string path;
    mutable std::shared_ptr<const Entity> entity = {};  ///< Of a class: null until it is read.
  };
  using Files = std::map<std::string, File, std::less<>>;
  [[nodiscard]] const Files& nodes() const noexcept { return nodes_; }

  /// A node. `is_shared`: as Settings::share_nodes. Errors: `reclass.node`, and those of Entity::read.
  [[nodiscard]] std::shared_ptr<const Entity> node(const std::string& name, bool is_shared, Session& session) const;
  /// A class that `place` names. Errors: `reclass.class`, and those of Entity::read.
  [[nodiscard]] std::shared_ptr<const Entity> class_of(std::string_view name, Origin place, Session& session) const;

 private:
  mutable std::mutex mutex_;  ///< Of File::entity.
  Files nodes_;
  Files classes_;
};

}  // namespace strata::reclass
