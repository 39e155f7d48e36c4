// Documents by path: each is read and parsed once a run.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <unordered_map>

#include "bindings/model.hpp"
#include "bindings/request/names.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/limits.hpp"

namespace strata::bindings {

/// The documents of a run; requests of several nodes share one. Not thread-safe.
class DocumentStore {
 public:
  /// All must outlive it.
  DocumentStore(const FileTree& tree, Sources& sources, const Limits& limits) : tree_(tree), sources_(sources), limits_(limits) {}
  DocumentStore(const DocumentStore&) = delete;
  DocumentStore& operator=(const DocumentStore&) = delete;
  ~DocumentStore() = default;

  /// The document of this name at this path. Errors: those of read_document and of the tree; also when it is asked for again.
  [[nodiscard]] std::shared_ptr<const Document> load(const FoundDocument& found);

 private:
  struct Loaded {
    std::shared_ptr<const Document> document;
    std::exception_ptr error;
  };
  const FileTree& tree_;
  Sources& sources_;
  const Limits& limits_;
  std::unordered_map<std::string, Loaded> loaded_;  ///< By path and name.
};

}  // namespace strata::bindings
