// Names of documents, patterns of them, and the files that they stand for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "strata/file_tree.hpp"

namespace strata::bindings {

/// `a`, `a::b_1`: what a document, a class and a module can be called, in lower case.
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
  /// `most`: of files and of folders that are looked at; more is the Error `limit.includes`. `tree` must outlive it.
  DocumentFinder(const FileTree& tree, std::size_t most) : tree_(tree), most_(most) {}

  /// Adds what matches `pattern` from segment `from` on. `prefix`: what goes before names (`m::`). In no order, possibly twice.
  void find(const std::string& folder, const NamePattern& pattern, std::size_t from, const std::string& prefix, std::vector<FoundDocument>& out);
  /// The folder of a module; empty where there is none.
  [[nodiscard]] std::string module_folder(const std::vector<std::string>& modulepath, std::string_view module) const;
  /// Names of all modules, each once, in byte order.
  [[nodiscard]] std::vector<std::string> modules(const std::vector<std::string>& modulepath) const;

  /// How many files and folders were looked at so far.
  [[nodiscard]] std::size_t seen() const noexcept { return seen_; }
  /// Counts so many that somebody else looked at in its place.
  void count(std::size_t more);

 private:
  void walk(const std::string& folder, const NamePattern& pattern, std::size_t from, const std::string& prefix, std::size_t depth,
            std::vector<FoundDocument>& out);

  const FileTree& tree_;
  std::size_t most_;
  std::size_t seen_ = 0;
};

}  // namespace strata::bindings
