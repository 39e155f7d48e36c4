// Data files: read once a Snapshot, shared by all nodes.
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

/// What a root key's value is, known once somebody has asked for it.
enum class Content : std::uint8_t {
  unknown,
  plain,         ///< Data without expressions: the value is the answer.
  interpolates,  ///< Some text holds `%{`.
  invalid,       ///< Holds what a lookup must not give: a symbol, or a key that is neither text nor number.
};

/// One file's data. Immutable but for what is remembered of its values; any number of threads may read it.
class DataFile {
 public:
  DataFile(text::Document document, Value root, std::vector<Diagnostic> warnings, bool is_shared);

  [[nodiscard]] const Value& root() const noexcept { return root_; }
  /// What its values take.
  [[nodiscard]] std::size_t bytes() const noexcept { return document_.arena->bytes() + root_.size(); }
  [[nodiscard]] SourceId source() const noexcept { return document_.source; }
  /// Whether it is the Snapshot's, for all nodes; false: one node alone reads it.
  [[nodiscard]] bool is_shared() const noexcept { return is_shared_; }
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const noexcept { return warnings_; }
  /// A root key and its value; null pointer where there is none.
  [[nodiscard]] const Entry* find(std::string_view key) const noexcept { return root_.find_entry(key); }
  /// `entry` is what `find` gave. Cost: the first time that of walking the value.
  [[nodiscard]] Content content(const Entry& entry) const noexcept;
  /// Adds the root keys that somebody can ask for: those that are text.
  void list(std::vector<std::string_view>& keys) const;

 private:
  text::Document document_;
  Value root_;
  std::vector<Diagnostic> warnings_;
  bool is_shared_;
  mutable std::unique_ptr<std::atomic<Content>[]> contents_;  // NOLINT(modernize-avoid-c-arrays): atomics do not move
};

/// What a value is, by walking it.
[[nodiscard]] Content content_of(const Value& value) noexcept;

/// Tells files that several views ask for from those that one view alone reads. It remembers in a table of fixed size, and may forget. Thread-safe.
class SharedPaths {
 public:
  SharedPaths();
  /// Of the code directory in its Snapshot: no other one of the process has it.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  /// Whether another view has asked for the path before. `view`: the number of who asks now; never 0.
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
  std::vector<Question> questions_ = std::vector<Question>(kRemembered);
};

/// The files as one view reads them: those of the Snapshot. Where Settings::share_files is false, a file that one view alone asks for is the
/// session's, and goes with it.
class DataFiles {
 public:
  /// `view`: the number of the view. All must outlive it.
  DataFiles(Session& session, const Settings& settings, SharedPaths& shared, std::uint64_t view)
      : session_(session), settings_(settings), shared_(shared), view_(view) {}

  [[nodiscard]] FileKind kind(const std::string& path) const;
  /// Whether a file may be there: as `kind`, but where files are not shared, only opening tells of unknown ones.
  [[nodiscard]] bool may_exist(const std::string& path) const;
  /// Null where there is no such file. Errors: LookupError with the place in the file; `tree.unreadable` for a folder.
  [[nodiscard]] std::shared_ptr<const DataFile> open(const std::string& path, Reader reader) const;
  [[nodiscard]] const FileTree& tree() const noexcept { return settings_.share_files ? session_.tree() : session_.snapshot().tree_below(); }
  [[nodiscard]] Session& session() const noexcept { return session_; }

 private:
  Session& session_;
  const Settings& settings_;
  SharedPaths& shared_;
  std::uint64_t view_;
};

}  // namespace strata::hiera
