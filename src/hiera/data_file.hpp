// SPDX-License-Identifier: Apache-2.0
// Data files: parsed once per Snapshot, shared by all nodes.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/hiera.hpp"
#include "strata/session.hpp"
#include "strata/text.hpp"
#include "value/seeded_hash.hpp"

namespace strata::hiera {

enum class Reader : std::uint8_t { yaml, json, hocon };

/// The kind of a root key's value. Known after its first use.
enum class Content : std::uint8_t {
  unknown,
  plain,         ///< Data without expressions: the value is the result.
  interpolates,  ///< A text contains `%{`.
  invalid,  ///< Contains something that a lookup must not return: a symbol, or a key that is neither text nor number.
};

struct FileIndex;

/// The data of one file. Immutable, except for what it remembers of its values. Any number of threads may read it.
class DataFile {
 public:
  DataFile(text::Document document, Value root, std::vector<Diagnostic> warnings, Reader reader, bool is_shared,
           bool has_foreign_expressions = false);

  [[nodiscard]] const Value& root() const noexcept { return root_; }
  /// Memory of its values.
  [[nodiscard]] std::size_t bytes() const noexcept { return document_.arena->bytes() + root_.size(); }
  [[nodiscard]] SourceId source() const noexcept { return document_.source; }
  /// How it was read.
  [[nodiscard]] Reader reader() const noexcept { return reader_; }
  /// Whether it belongs to the Snapshot, for all nodes. False: only one node reads it.
  [[nodiscard]] bool is_shared() const noexcept { return is_shared_; }
  /// Whether its text contains `${`, which is not the notation of Hiera.
  [[nodiscard]] bool has_foreign_expressions() const noexcept { return has_foreign_expressions_; }
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const noexcept { return warnings_; }
  /// A root key and its value. Null if it is missing.
  [[nodiscard]] const Entry* find(std::string_view key) const noexcept { return root_.find_entry(key); }
  /// `entry` is a result of `find`. Cost: the first call walks the value.
  [[nodiscard]] Content content(const Entry& entry) const noexcept;
  /// What its texts name. Cost: the first call walks all values.
  [[nodiscard]] const FileIndex& index() const;
  /// Adds the root keys that can be looked up: those that are text.
  void list(std::vector<std::string_view>& keys) const;

 private:
  text::Document document_;
  Value root_;
  std::vector<Diagnostic> warnings_;
  Reader reader_;
  bool is_shared_;
  bool has_foreign_expressions_;
  struct Indexed;
  std::shared_ptr<Indexed> indexed_;
  mutable std::unique_ptr<std::atomic<Content>[]> contents_;  // NOLINT(modernize-avoid-c-arrays): atomics do not move
};

/// The kind of a value, found by walking it.
[[nodiscard]] Content content_of(const Value& value) noexcept;

/// Distinguishes files that several views read from those of one view. Uses a table of fixed size and may forget.
/// Thread-safe.
class SharedPaths {
 public:
  SharedPaths();
  /// The instance of a code directory in its Snapshot.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  /// Whether another view has asked for the path before. `view`: the number of the asking view; never 0.
  [[nodiscard]] bool is_shared(const std::string& path, std::uint64_t view);

 private:
  struct Question {
    std::uint64_t path = 0;  ///< Its hash.
    std::uint64_t view = 0;
  };
  static constexpr std::size_t kRemembered = std::size_t{1} << 14U;

  std::uint64_t number_;
  std::mutex mutex_;
  TextSet shared_;
  std::vector<Question> questions_;  ///< Empty until the first question.
};

/// The files for one view: those of the Snapshot. If Settings::share_files is false, a file that only this view reads
/// belongs to the session and is freed with it.
class DataFiles {
 public:
  /// `view`: the number of the view. All must outlive this object.
  DataFiles(Session& session, const Settings& settings, SharedPaths& shared, std::uint64_t view)
      : session_(session), settings_(settings), shared_(shared), view_(view) {}

  [[nodiscard]] FileKind kind(const std::string& path) const;
  /// Whether a file may exist: as `kind`, but if files are not shared, unknown ones must be opened to find out.
  [[nodiscard]] bool may_exist(const std::string& path) const;
  /// Null if the file does not exist. Errors: LookupError with the place in the file; `tree.unreadable` for a folder.
  [[nodiscard]] std::shared_ptr<const DataFile> open(const std::string& path, Reader reader) const;
  /// Whether files belong to the Snapshot, for all of its readers.
  [[nodiscard]] bool shares_files() const noexcept { return settings_.share_files; }
  /// A file of the Snapshot, parsed. Null if it does not exist. May be called by several threads. Errors: as `open`.
  [[nodiscard]] std::shared_ptr<const DataFile> parse(const std::string& path, Reader reader) const;
  /// The bytes of a file of the Snapshot; 0 if it does not exist. Errors: `tree.unreadable`.
  [[nodiscard]] std::size_t size(const std::string& path) const;
  [[nodiscard]] const FileTree& tree() const noexcept {
    return settings_.share_files ? session_.tree() : session_.snapshot().tree_below();
  }
  [[nodiscard]] Session& session() const noexcept { return session_; }
  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }

 private:
  /// Whether the file system would walk along a path: in a folder alone `.`, `..` and a slash at the end lead
  /// somewhere. FileTree reads the names alone.
  [[nodiscard]] bool is_walkable(std::string_view path) const;

  Session& session_;
  const Settings& settings_;
  SharedPaths& shared_;
  std::uint64_t view_;
};

}  // namespace strata::hiera
