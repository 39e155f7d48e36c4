// SPDX-License-Identifier: Apache-2.0
// The documents that match patterns, found once for all requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/model.hpp"
#include "bindings/request.hpp"
#include "bindings/request/names.hpp"
#include "strata/session.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

/// The names and paths of documents. Immutable.
struct FoundDocuments {
  std::vector<FoundDocument> all;      ///< By name, each name once.
  std::vector<std::uint32_t> by_path;  ///< Their places, sorted by path.
  bool is_comparable = false;          ///< All paths have the spelling of those of changed files.

  explicit FoundDocuments(std::vector<FoundDocument> found);
  /// The places of a path.
  [[nodiscard]] std::span<const std::uint32_t> places_of(std::string_view path) const noexcept;
};

/// The documents that match a pattern. Immutable.
struct DocumentSet {
  using Changes = std::vector<std::pair<std::size_t, std::shared_ptr<const Document>>>;

  std::shared_ptr<const FoundDocuments> found;
  std::size_t seen = 0;                           ///< The number of files and folders visited.
  std::shared_ptr<const DocumentList> documents;  ///< For each that is found. Null: not read yet.
  std::vector<std::size_t> missing;               ///< The places of those that are not read, rising.

  DocumentSet(std::vector<FoundDocument> all, std::size_t looked_at);
  /// Some of `before`, given by their places.
  DocumentSet(const DocumentSet& before, std::span<const std::size_t> places);
  /// What `before` is, with other documents at rising places.
  DocumentSet(const DocumentSet& before, Changes changed);
};

/// Sets by name, for all requests of one state of the files. Thread-safe.
class DocumentSets {
 public:
  /// The sets of a session's Snapshot. They take over the results of an earlier Snapshot, except documents whose files
  /// have changed.
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
