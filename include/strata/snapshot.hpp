// One state of the inputs: a git revision, a working tree, an upload, edits that nobody has saved.
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

/// What a file was read to, with the bytes that it takes beside the text.
template <class Parsed>
struct Reading {
  std::shared_ptr<const Parsed> parsed;
  std::size_t bytes = 0;
};

/// Reads the text of a file. What it adds to `texts` lives as long as what was read. It must keep no reference to `texts` and `limits`, and must not
/// ask for the same file in the same form. May throw Error.
template <class Parsed>
using FileReader = std::function<Reading<Parsed>(Sources& texts, SourceId source, const Limits& limits)>;

/// What a Snapshot is made of beside its files.
struct SnapshotSettings {
  std::string folder = {};  ///< The working folder: names of files below it are shown relative to it.
  Limits limits = {};       ///< Of what is read once for all requests. `stop` does not count.
  Host* host = nullptr;     ///< What configuration may ask of the host (keys, programs, servers); null: nothing. Outlives the Snapshot.
};

/// One state of the inputs, shared by any number of requests and threads. What was read of it once stays the same for as long as it lives: where the
/// tree changes below it (a working folder), each file is what it was when it was first asked for. It remembers at most 32,768 kinds, 32,768
/// listings and 32,768 missing files, and forgets them all when there are more. A new state is a new Snapshot: it reads only what differs from other
/// Snapshots of its Engine (FileTree::identify).
///
/// Make one with `Snapshot::make`; dropped whole when the last user lets go. Thread-safe.
class Snapshot {
 public:
  [[nodiscard]] static std::shared_ptr<Snapshot> make(std::shared_ptr<Engine> engine, std::shared_ptr<const FileTree> tree,
                                                      SnapshotSettings settings = {});
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  [[nodiscard]] Engine& engine() const noexcept { return *engine_; }
  [[nodiscard]] const SnapshotSettings& settings() const noexcept { return settings_; }
  /// The files. Kinds and listings are asked of the tree below once, bytes are those of `text`.
  [[nodiscard]] const FileTree& tree() const noexcept;
  /// The tree below: nothing is remembered. For files that one request of very many reads, and nobody else.
  [[nodiscard]] const FileTree& tree_below() const noexcept;
  /// Bytes of the files that were read so far, each file once: the input of all requests over this Snapshot (Budget).
  [[nodiscard]] const std::atomic<std::size_t>& input_bytes() const noexcept;
  /// More input, which is no file of the tree.
  void add_input(std::size_t bytes) noexcept;

  /// The file at `path`, read to a form: once a Snapshot, and once an Engine for files with the same bytes and name. Null where there is no such
  /// file. `form` names the reader, and all that it depends on beside the text. `stop`: the caller's; may be null.
  /// Errors: as FileTree::read, and those of the reader, which is called again for the next one who asks.
  template <class Parsed>
  [[nodiscard]] std::shared_ptr<const Parsed> read(std::string_view path, std::string_view form, const Stop* stop, const FileReader<Parsed>& reader) {
    const auto erased = [&reader](Sources& texts, SourceId source, const Limits& limits) {
      Reading<Parsed> made = reader(texts, source, limits);
      return Reading<void>{.parsed = std::move(made.parsed), .bytes = made.bytes};
    };
    return std::static_pointer_cast<const Parsed>(read_erased(path, typeid(Parsed), form, stop, erased));
  }

  /// A text of the Snapshot, and what keeps it.
  struct Text {
    SourceId source{};
    std::shared_ptr<const Sources> texts;
  };
  /// The text at `path`; none where there is no such file. `stop`: the caller's; may be null. Errors: as FileTree::read.
  [[nodiscard]] std::optional<Text> text(std::string_view path, const Stop* stop);

  /// What is compiled of several files (a code directory, a site): made once a Snapshot by the first who asks, with its name. It must not own the
  /// Snapshot, and its making must be quick: others wait for it. Errors: those of `make`, which is called again for the next one who asks.
  template <class Part, std::invocable Make>
  [[nodiscard]] Part& part(std::string_view name, const Make& make) {
    return *static_cast<Part*>(part_erased(typeid(Part), name, [&make]() -> std::shared_ptr<void> { return make(); }));
  }

 private:
  Snapshot(std::shared_ptr<Engine> engine, std::shared_ptr<const FileTree> tree, SnapshotSettings settings);
  using ErasedReader = std::function<Reading<void>(Sources& texts, SourceId source, const Limits& limits)>;
  [[nodiscard]] std::shared_ptr<const void> read_erased(std::string_view path, std::type_index type, std::string_view form, const Stop* stop,
                                                        const ErasedReader& reader);
  [[nodiscard]] void* part_erased(std::type_index type, std::string_view name, const std::function<std::shared_ptr<void>()>& make);

  class CountedTree;
  class Files;
  struct Parts;
  std::shared_ptr<Engine> engine_;
  std::shared_ptr<const CountedTree> below_;
  SnapshotSettings settings_;
  std::unique_ptr<Files> files_;
  std::unique_ptr<Parts> parts_;  ///< Goes first: parts use the files.
};

}  // namespace strata
