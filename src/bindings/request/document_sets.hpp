// The documents that patterns stand for, found once for all requests.
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

/// What a pattern stands for. Immutable.
struct DocumentSet {
  std::shared_ptr<const std::vector<FoundDocument>> found;  ///< By name, each name once.
  std::size_t seen = 0;                                     ///< How many files and folders were looked at.
  SharedList<std::shared_ptr<const Document>> documents;    ///< Of each that is found; null: nobody has read it.
  bool is_comparable = false;                               ///< All paths are spelled as those of changed files are.

  DocumentSet() = default;
  DocumentSet(std::vector<FoundDocument> all, std::size_t looked_at);
  /// What `before` is, with other documents at rising places.
  DocumentSet(const DocumentSet& before, std::vector<std::pair<std::size_t, std::shared_ptr<const Document>>> changed);
};

/// Sets by what they are called, for all requests of one state of the files. Thread-safe.
class DocumentSets {
 public:
  /// Those of the Snapshot of a session. They take over what an earlier Snapshot found, but for documents whose files have changed.
  [[nodiscard]] static std::shared_ptr<DocumentSets> of(const Session& session);
  DocumentSets() = default;
  /// Those of `before` without what the files at `changed` hold.
  DocumentSets(DocumentSets& before, std::span<const std::string> changed);

  /// Null where it is not known.
  [[nodiscard]] std::shared_ptr<const DocumentSet> find(const std::string& name) const;
  /// It is known from now on. All are forgotten once there are a thousand: what a pattern is may depend on the node.
  void set(const std::string& name, std::shared_ptr<const DocumentSet> set);

 private:
  mutable std::mutex mutex_;
  TextMap<std::shared_ptr<const DocumentSet>> sets_;
};

}  // namespace strata::bindings
