// The files of an inventory, by the names of their nodes and classes.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "entity.hpp"
#include "strata/reclass.hpp"

namespace strata::reclass {

/// Part of a Snapshot. Thread-safe.
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
  using Files = std::map<std::string, File, std::less<>>;  ///< By name.
  [[nodiscard]] const Files& nodes() const noexcept { return nodes_; }

  /// A node. Errors: `reclass.node`, and those of Entity::read.
  [[nodiscard]] std::shared_ptr<const Entity> node(const std::string& name, Session& session) const;
  /// A class. Null if there is none. Errors: those of Entity::read.
  [[nodiscard]] std::shared_ptr<const Entity> find_class(std::string_view name, Session& session) const;
  /// A hint for a class that does not exist.
  [[nodiscard]] std::string hint_of_class(std::string_view name) const;

 private:
  mutable std::mutex mutex_;  ///< Of File::entity.
  Files nodes_;
  Files classes_;
};

}  // namespace strata::reclass
