// SPDX-License-Identifier: Apache-2.0
// Names of documents, patterns of names, and their files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "strata/file_tree.hpp"

namespace strata::bindings {

/// Whether a text is a valid name of a document, class or module in lower case: `a`, `a::b_1`.
[[nodiscard]] bool is_document_name(std::string_view name) noexcept;
[[nodiscard]] bool is_name_segment(std::string_view segment) noexcept;

/// `a::*::b`, split. Segments are names, `*` (one name) or `**` (any number of names).
struct NamePattern {
  std::vector<std::string> segments;
  [[nodiscard]] bool has_wildcard() const noexcept;
  /// With `::` between the segments.
  [[nodiscard]] std::string text() const;
};

struct FoundDocument {
  std::string name;  ///< `m::default`.
  std::string path;
};

/// Files below a folder whose names match a pattern: `a::b` is `FOLDER/a/b.pp`.
class DocumentFinder {
 public:
  /// `most`: the limit for files and folders visited; exceeding it is the Error `limit.includes`. `tree` must outlive
  /// it.
  DocumentFinder(const FileTree& tree, std::size_t most) : tree_(tree), most_(most) {}

  /// Adds the matches of `pattern` from segment `from` on. `prefix`: prepended to names (`m::`). Unordered, possibly
  /// with duplicates.
  void find(const std::string& folder, const NamePattern& pattern, std::size_t from, const std::string& prefix,
            std::vector<FoundDocument>& out);
  /// The folder of a module. Empty if there is none.
  [[nodiscard]] std::string module_folder(const std::vector<std::string>& modulepath, std::string_view module) const;
  /// The names of all modules, without duplicates, in byte order.
  [[nodiscard]] std::vector<std::string> modules(const std::vector<std::string>& modulepath) const;

  /// The number of files and folders visited so far.
  [[nodiscard]] std::size_t seen() const noexcept { return seen_; }
  /// Counts visits that were made elsewhere.
  void count(std::size_t more);

 private:
  void walk(const std::string& folder, const NamePattern& pattern, std::size_t from, const std::string& prefix,
            std::size_t depth, std::vector<FoundDocument>& out);

  const FileTree& tree_;
  std::size_t most_;
  std::size_t seen_ = 0;
};

}  // namespace strata::bindings
