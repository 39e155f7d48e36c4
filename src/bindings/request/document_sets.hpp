// The documents that match patterns, found once for all requests.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/model.hpp"
#include "bindings/request/names.hpp"
#include "bindings/shared_list.hpp"
#include "strata/session.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

/// The documents that match a pattern. Immutable.
struct DocumentSet {
  std::shared_ptr<const std::vector<FoundDocument>> found;  ///< By name, each name once.
  std::size_t seen = 0;                                     ///< The number of files and folders visited.
  SharedList<std::shared_ptr<const Document>> documents;    ///< For each that is found. Null: not read yet.
  bool is_comparable = false;                               ///< All paths have the spelling of those of changed files.

  DocumentSet() = default;
  DocumentSet(std::vector<FoundDocument> all, std::size_t looked_at);
  /// What `before` is, with other documents at rising places.
  DocumentSet(const DocumentSet& before, std::vector<std::pair<std::size_t, std::shared_ptr<const Document>>> changed);
};

/// Sets by name, for all requests of one state of the files. Thread-safe.
class DocumentSets {
 public:
  /// The sets of a session's Snapshot. They take over the results of an earlier Snapshot, except documents whose files have changed.
  [[nodiscard]] static std::shared_ptr<DocumentSets> of(const Session& session);
  DocumentSets() = default;
  /// The sets of `before`, without the contents of the files at `changed`.
  DocumentSets(DocumentSets& before, std::span<const std::string> changed);

  /// Null if it is not known.
  [[nodiscard]] std::shared_ptr<const DocumentSet> find(const std::string& name) const;
  /// Adds a set. All sets are dropped when there are a thousand, because a pattern may depend on the node.
  void set(const std::string& name, std::shared_ptr<const DocumentSet> set);

 private:
  mutable std::mutex mutex_;
  TextMap<std::shared_ptr<const DocumentSet>> sets_;
};

}  // namespace strata::bindings
