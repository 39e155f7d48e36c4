// Data files: read once, shared by all nodes.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/hiera.hpp"
#include "strata/text.hpp"

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
  DataFile(text::Document document, Value root, std::optional<Diagnostic> warning, bool is_shared);

  [[nodiscard]] const Value& root() const noexcept { return root_; }
  [[nodiscard]] SourceId source() const noexcept { return document_.source; }
  /// Whether it lives as long as the code directory; false: one node alone reads it.
  [[nodiscard]] bool is_shared() const noexcept { return is_shared_; }
  [[nodiscard]] const std::optional<Diagnostic>& warning() const noexcept { return warning_; }
  /// A root key and its value; null pointer where there is none.
  [[nodiscard]] const Entry* find(std::string_view key) const noexcept { return root_.find_entry(key); }
  /// `entry` is what `find` gave. Cost: the first time that of walking the value.
  [[nodiscard]] Content content(const Entry& entry) const noexcept;
  /// Adds the root keys that somebody can ask for: those that are text.
  void list(std::vector<std::string_view>& keys) const;

 private:
  text::Document document_;
  Value root_;
  std::optional<Diagnostic> warning_;
  bool is_shared_;
  mutable std::unique_ptr<std::atomic<Content>[]> contents_;  // NOLINT(modernize-avoid-c-arrays): atomics do not move
};

/// What a value is, by walking it.
[[nodiscard]] Content content_of(const Value& value) noexcept;

/// Who asks for files: a node's view.
struct Asker {
  Sources& sources;          ///< Where texts go that nobody else asks for.
  std::uint64_t number = 0;  ///< Of the view; never 0.
};

/// The files of a code directory by path. Thread-safe.
///
/// Where files are not shared (Settings::share_files), a file that one view alone has asked for is the view's: it is kept from the second view on.
/// Who has asked is remembered in a table of fixed size, which may forget: a file is then read once more.
class FileCache {
 public:
  /// `settings` must outlive it.
  FileCache(std::shared_ptr<const FileTree> tree, Sources& sources, const Limits& limits, const Settings& settings);

  [[nodiscard]] FileKind kind(const std::string& path);
  /// Whether a file may be there: as `kind`, but where files are not shared, only opening tells of unknown ones.
  [[nodiscard]] bool may_exist(const std::string& path);
  /// Reads a file, once. Null where there is none. Errors: LookupError with the place in the file; `tree.unreadable` for a folder.
  [[nodiscard]] std::shared_ptr<const DataFile> open(const std::string& path, Reader reader, const Asker& asker);
  [[nodiscard]] const FileTree& tree() const noexcept { return *tree_; }
  [[nodiscard]] Sources& sources() const noexcept { return sources_; }
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }

 private:
  struct Slot {
    std::once_flag looked;
    FileKind kind = FileKind::none;
    std::mutex reading;
    bool is_read[3] = {};                      // NOLINT(modernize-avoid-c-arrays): one a Reader
    std::shared_ptr<const DataFile> files[3];  // NOLINT(modernize-avoid-c-arrays): one a Reader
  };
  struct Asked {
    std::uint64_t path = 0;  ///< Its hash.
    std::uint64_t asker = 0;
  };
  static constexpr std::size_t kRemembered = std::size_t{1} << 14U;

  std::shared_ptr<Slot> slot(const std::string& path);
  /// The slot that a view may use; null where the file is the view's own.
  std::shared_ptr<Slot> slot_for(const std::string& path, const Asker& asker);
  [[nodiscard]] std::shared_ptr<const DataFile> read(const std::string& path, Reader reader, Sources& sources, bool is_shared) const;

  std::shared_ptr<const FileTree> tree_;
  Sources& sources_;
  const Limits& limits_;
  const Settings& settings_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Slot>> slots_;
  std::vector<Asked> asked_;
};

}  // namespace strata::hiera
