// SPDX-License-Identifier: Apache-2.0
// One state of the inputs: a git revision, a working tree, an upload, unsaved edits.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>

#include "strata/engine.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "strata/origin.hpp"

namespace strata {

class Host;

/// A parsed file, and the memory that it takes besides the text, in bytes.
template <class Parsed>
struct Reading {
  std::shared_ptr<const Parsed> parsed;
  std::size_t bytes = 0;
};

/// Parses the text of a file. Texts that it adds to `texts` live as long as the parsed file. It must not keep
/// references to `texts` and `limits`, and must not read the same file in the same form. May throw Error.
template <class Parsed>
using FileReader = std::function<Reading<Parsed>(Sources& texts, SourceId source, const Limits& limits)>;

/// Settings of a Snapshot.
struct SnapshotSettings {
  std::string folder = {};  ///< The working directory: names of files below it are shown relative to it.
  Limits limits = {};       ///< Limits for files that are read once for all requests. `stop` is ignored.
  /// What the configuration may ask of the host (keys, programs, servers). Null: nothing. Must outlive the Snapshot.
  Host* host = nullptr;
};

/// One state of the inputs, shared by any number of requests and threads. What it has read stays the same: if the tree
/// below changes (a working directory), each file stays as it was when it was first read.
///
/// To see a new state, make a new Snapshot. It parses only the files that differ from those of other Snapshots of its
/// Engine (FileTree::identify). A Snapshot of edits shares more: kinds, listings, missing files, and what can be
/// carried over of compiled parts. It shares them with one of the last 16 Snapshots, as long as that one is alive, if
/// all of this holds: the Engine has a file cache; the settings are the same; both trees are the same memory_tree or
/// git_tree, or edited_trees over it with the same start; they have the same files and folders, and at most 64 files
/// differ.
///
/// A Snapshot whose tree is an edited_tree over `tree()` of another one, with the same Engine, folder and limits, takes
/// the files that no edit touches from there, as they were read and parsed, whatever the tree below.
///
/// It remembers at most 32,768 kinds, 32,768 listings and 32,768 missing files. When one of these is full, all entries
/// of that sort are dropped.
///
/// Make it with `Snapshot::make`. It is destroyed when its last user lets go. Thread-safe.
class Snapshot {
 public:
  [[nodiscard]] static std::shared_ptr<Snapshot> make(std::shared_ptr<Engine> engine,
                                                      std::shared_ptr<const FileTree> tree,
                                                      SnapshotSettings settings = {});
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  [[nodiscard]] Engine& engine() const noexcept { return *engine_; }
  [[nodiscard]] const SnapshotSettings& settings() const noexcept { return settings_; }
  /// The files. Kinds and listings are read once from the tree below; the bytes of a file are those of `text`.
  [[nodiscard]] const FileTree& tree() const noexcept;
  /// The tree below, without caching. For files that only one of very many requests reads.
  [[nodiscard]] const FileTree& tree_below() const noexcept;
  /// Bytes of all files read so far, counting each file once: the input of all requests over this Snapshot (Budget).
  [[nodiscard]] const std::atomic<std::size_t>& input_bytes() const noexcept;
  /// Counts more input, which is not a file of the tree.
  void add_input(std::size_t bytes) noexcept;

  /// The file at `path`, parsed by `reader`. Parsed once per Snapshot; files with equal bytes and name are parsed once
  /// per Engine. Null if the file does not exist. `form` names the reader and everything that its result depends on
  /// besides the text. `stop` is the caller's; may be null. Errors: as FileTree::read, and those of the reader. After
  /// an error the next caller runs the reader again.
  template <class Parsed>
  [[nodiscard]] std::shared_ptr<const Parsed> read(std::string_view path, std::string_view form, const Stop* stop,
                                                   const FileReader<Parsed>& reader) {
    const auto erased = [&reader](Sources& texts, SourceId source, const Limits& limits) {
      Reading<Parsed> made = reader(texts, source, limits);
      return Reading<void>{.parsed = std::move(made.parsed), .bytes = made.bytes};
    };
    return std::static_pointer_cast<const Parsed>(read_erased(path, typeid(Parsed), form, stop, erased));
  }

  /// A text of the Snapshot, and its owner.
  struct Text {
    SourceId source{};
    std::shared_ptr<const Sources> texts;
  };
  /// The text at `path`. No value if the file does not exist. `stop` is the caller's; may be null. Errors: as
  /// FileTree::read.
  [[nodiscard]] std::optional<Text> text(std::string_view path, const Stop* stop);

  /// An object compiled from several files (a code directory, a site). The first caller for a name makes it, once per
  /// Snapshot. It must not own the Snapshot. `make` must be quick, because other callers wait for it. Errors: those of
  /// `make`. After an error the next caller runs it again.
  template <class Part, std::invocable Make>
  [[nodiscard]] Part& part(std::string_view name, const Make& make) {
    return *static_cast<Part*>(part_erased(typeid(Part), name, [&make]() -> std::shared_ptr<void> { return make(); }));
  }

 private:
  Snapshot(std::shared_ptr<Engine> engine, std::shared_ptr<const FileTree> tree, SnapshotSettings settings);
  using ErasedReader = std::function<Reading<void>(Sources& texts, SourceId source, const Limits& limits)>;
  [[nodiscard]] std::shared_ptr<const void> read_erased(std::string_view path, std::type_index type,
                                                        std::string_view form, const Stop* stop,
                                                        const ErasedReader& reader);
  [[nodiscard]] void* part_erased(std::type_index type, std::string_view name,
                                  const std::function<std::shared_ptr<void>()>& make);

  class CountedTree;
  class Files;
  struct Parts;
  std::shared_ptr<Engine> engine_;
  std::shared_ptr<const CountedTree> below_;
  SnapshotSettings settings_;
  std::unique_ptr<Files> files_;
  std::unique_ptr<Parts> parts_;  ///< Destroyed first, because parts use the files.
};

}  // namespace strata
