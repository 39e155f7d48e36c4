// SPDX-License-Identifier: Apache-2.0
#include "strata/snapshot.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <unordered_set>

#include "engine_cache.hpp"
#include "session/parse_time.hpp"
#include "strata/found_file.hpp"
#include "strata/links.hpp"
#include "strata/secret_keys.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "tree/entries.hpp"
#include "value/charge.hpp"
#include "value/lock_while_running.hpp"
#include "value/seeded_hash.hpp"
#include "value/tree_path.hpp"

namespace strata {
namespace {

/// One spelling for all that lead to the same file by their text.
std::string spelled(std::string_view path) {
  if (detail::is_plain_path(path)) return std::string(path);
  const detail::TreePath parsed = detail::parse_tree_path(path);
  std::string out = parsed.absolute ? "/" : "";
  for (std::size_t i = 0; i < parsed.up; ++i) out += "../";
  return out + parsed.join();
}

}  // namespace

/// Counts the bytes of what is read: of each file once, so that reading it again is not more input.
class Snapshot::CountedTree final : public FileTree, public detail::LinkedTree {
 public:
  explicit CountedTree(std::shared_ptr<const FileTree> below) : below_(std::move(below)) {}

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    std::optional<std::string> bytes = below_->read(path);
    if (bytes) count(path, bytes->size());
    return bytes;
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override { return below_->kind(path); }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override { return below_->list(path); }
  [[nodiscard]] std::vector<Named> entries(std::string_view path) const override { return below_->entries(path); }
  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    std::optional<Identified> found = below_->identify(path);
    if (found && found->bytes) count(path, found->bytes->size());
    return found;
  }

  [[nodiscard]] const FileTree* keeper(std::string_view path) const override { return below_->keeper(path); }
  [[nodiscard]] std::optional<std::string> link(const std::string& path) const override {
    return detail::link_in(*below_, path);
  }

  [[nodiscard]] const std::shared_ptr<const FileTree>& tree() const noexcept { return below_; }

  /// A file of so many bytes that was read before.
  void count(std::string_view path, std::size_t bytes) const {
    const std::size_t name = seeded_hash(path);
    const std::lock_guard lock(mutex_);
    // Few files have equal hashes, and counting one less does no harm.
    if (counted_.size() < kMost && counted_.insert(name).second) bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void add(std::size_t bytes) const noexcept { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  [[nodiscard]] const std::atomic<std::size_t>& bytes() const noexcept { return bytes_; }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 22U;
  std::shared_ptr<const FileTree> below_;
  mutable std::mutex mutex_;
  mutable std::unordered_set<std::size_t> counted_;
  mutable std::atomic<std::size_t> bytes_ = 0;
};

/// The files of a Snapshot, each as it was when it was first asked for.
class Snapshot::Files final : public detail::SnapshotTree, public detail::LinkedTree {
 public:
  explicit Files(const Snapshot& snapshot)
      : below_(*snapshot.below_),
        engine_(*snapshot.engine_),
        settings_(snapshot.settings_),
        state_(std::make_shared<detail::SnapshotState>(snapshot.below_->tree(), rules_of(settings_), settings_.host)) {
    if (engine_.cache_->files.keeps()) engine_.cache_->states.add(state_);
  }

  [[nodiscard]] detail::SnapshotState& state() const noexcept override { return *state_; }

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    const auto file = open(path, nullptr);
    if (!file) return std::nullopt;
    return std::string(file->texts.text(file->source));
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override {
    const std::string name = spelled(path);
    const auto known = state_->layout().kinds.find(name);
    return known ? *known : state_->layout().kinds.add(name, below_.kind(path));
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    const std::string name = spelled(path);
    if (auto known = state_->layout().entries.find(name)) return detail::names_of(std::move(*known));
    return detail::names_of(remember(name, detail::entries_of(below_.list(path))));
  }
  [[nodiscard]] std::vector<Named> entries(std::string_view path) const override {
    const std::string folder = spelled(path);
    // Earlier notifications count.
    if (auto known = state_->layout().entries.find(folder)) return std::move(*known);
    std::vector<Named> out = below_.entries(path);
    for (Named& entry : out) {
      if (entry.kind)
        entry.kind = state_->layout().kinds.add(folder.empty() ? entry.name : path_in(folder, entry.name), *entry.kind);
    }
    return remember(folder, std::move(out));
  }
  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    return below_.identify(path);
  }
  [[nodiscard]] const FileTree* keeper(std::string_view /*path*/) const override { return this; }
  [[nodiscard]] std::optional<std::string> link(const std::string& path) const override { return below_.link(path); }
  [[nodiscard]] std::vector<std::string> trail(std::string_view path) const override {
    return trails_.find(*this, path);
  }

  /// Null where there is no such file.
  [[nodiscard]] std::shared_ptr<detail::SharedFile> open(std::string_view path, const Stop* stop) const {
    const std::string name = spelled(path);
    if (state_->layout().missing.find(name)) return nullptr;
    const auto known = slots_.find(name);
    auto slot = known ? *known : std::make_shared<Slot>();
    // Links can lead to one file by any number of paths: beyond a bound they are read again.
    if (!known && slots_.size() < kMostFiles) slot = slots_.add(name, slot);
    const auto lock = detail::lock_while_running(slot->opening, stop);
    if (slot->is_known) return slot->file;
    const StopScope work(stop);
    try {
      slot->file = load(path, stop);
    } catch (...) {
      slots_.erase(name);
      throw;
    }
    slot->is_known = true;
    if (!slot->file) {
      state_->layout().missing.add(name, true);
      slots_.erase(name);
    }
    return slot->file;
  }

 private:
  static std::string rules_of(const SnapshotSettings& settings) {
    const Limits& limits = settings.limits;
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", settings.folder, limits.depth, limits.input, limits.aliases,
                       limits.steps, limits.secret_keys ? limits.secret_keys->identity() : std::string());
  }

  /// Keeps a listing; what it takes counts for the work that asked for it first.
  std::vector<Named> remember(const std::string& folder, std::vector<Named> found) const {
    detail::charge(StopScope::stop(), folder.size() + found.size() * sizeof(Named));
    return state_->layout().entries.add(folder, std::move(found));
  }

  struct Slot {
    std::timed_mutex opening;
    bool is_known = false;
    std::shared_ptr<detail::SharedFile> file;
  };

  [[nodiscard]] std::shared_ptr<detail::SharedFile> make(std::string_view path, std::string bytes) const {
    return std::make_shared<detail::SharedFile>(engine_.locations(), settings_.folder, path, std::move(bytes));
  }

  /// That of the Snapshot below, where that one reads it alike.
  [[nodiscard]] std::shared_ptr<detail::SharedFile> load(std::string_view path, const Stop* stop) const {
    if (const auto* kept = dynamic_cast<const Files*>(below_.keeper(path));
        kept != nullptr && &kept->engine_ == &engine_ && kept->state_->rules() == state_->rules()) {
      auto file = kept->open(path, stop);
      if (file) below_.count(path, file->size);
      return file;
    }
    return load_anew(path);
  }

  [[nodiscard]] std::shared_ptr<detail::SharedFile> load_anew(std::string_view path) const {
    detail::FileCache& cache = engine_.cache_->files;
    if (!cache.keeps()) {
      std::optional<std::string> bytes = below_.read(path);
      return bytes ? make(path, std::move(*bytes)) : nullptr;
    }
    // A file may change between the look at its identity and the reading.
    for (int tries = 0; tries < 3; ++tries) {
      std::optional<Identified> found = below_.identify(path);
      if (!found) return nullptr;
      const std::string key =
          fmt::format("{:016x}{:016x}\n{}\n{}", found->id.high, found->id.low, path, state_->rules());
      if (auto known = cache.find(key)) {
        below_.count(path, known->size);
        return known;
      }
      if (found->bytes) return cache.add(key, path, make(path, std::move(*found->bytes)));
      std::optional<std::string> bytes = below_.read(path);
      if (bytes && below_.identity(path) == found->id) return cache.add(key, path, make(path, std::move(*bytes)));
    }
    std::optional<std::string> bytes = below_.read(path);
    return bytes ? make(path, std::move(*bytes)) : nullptr;
  }

  const CountedTree& below_;
  Engine& engine_;
  const SnapshotSettings& settings_;
  std::shared_ptr<detail::SnapshotState> state_;
  // What is there is bounded by the tree.
  static constexpr std::size_t kMostFiles = std::size_t{1} << 20U;
  mutable detail::Remembered<std::shared_ptr<Slot>> slots_{SIZE_MAX};
  detail::Trails trails_;
};

struct Snapshot::Parts {
  struct Part {
    std::mutex making;
    std::shared_ptr<void> made;
  };
  std::mutex mutex;
  std::map<std::pair<std::type_index, std::string>, std::unique_ptr<Part>> parts;
};

Snapshot::Snapshot(std::shared_ptr<Engine> engine, std::shared_ptr<const FileTree> tree, SnapshotSettings settings)
    : engine_(std::move(engine)),
      below_(std::make_shared<CountedTree>(std::move(tree))),
      settings_(std::move(settings)),
      parts_(std::make_unique<Parts>()) {
  settings_.limits.stop = nullptr;
  files_ = std::make_unique<Files>(*this);
}
Snapshot::~Snapshot() = default;

std::shared_ptr<Snapshot> Snapshot::make(std::shared_ptr<Engine> engine, std::shared_ptr<const FileTree> tree,
                                         SnapshotSettings settings) {
  return std::shared_ptr<Snapshot>(new Snapshot(std::move(engine), std::move(tree), std::move(settings)));
}

const FileTree& Snapshot::tree() const noexcept { return *files_; }

const FileTree& Snapshot::tree_below() const noexcept { return *below_; }

const std::atomic<std::size_t>& Snapshot::input_bytes() const noexcept { return below_->bytes(); }

void Snapshot::add_input(std::size_t bytes) noexcept { below_->add(bytes); }

std::optional<Snapshot::Text> Snapshot::text(std::string_view path, const Stop* stop) {
  const auto file = files_->open(path, stop);
  if (!file) return std::nullopt;
  return Text{.source = file->source, .texts = std::shared_ptr<const Sources>(file, &file->texts)};
}

std::shared_ptr<const void> Snapshot::read_erased(std::string_view path, std::type_index type, std::string_view form,
                                                  const Stop* stop, const ErasedReader& reader) {
  const auto file = files_->open(path, stop);
  if (!file) return nullptr;
  detail::SharedFile::Form& wanted = file->form(type, form);
  const auto lock = detail::lock_while_running(wanted.reading, stop);
  if (!wanted.parsed) {
    Limits limits = settings_.limits;
    limits.stop = stop;
    if (stop != nullptr) stop->at(file->texts.at(file->source, 0));
    // What a reading adds to the texts goes with it where it fails.
    auto texts = std::make_unique<Sources>(&file->texts);
    const ParseTimer timer;
    Reading<void> made = reader(*texts, file->source, limits);
    wanted.texts = std::move(texts);
    wanted.parsed = std::move(made.parsed);
    engine_->cache_->files.grow(*file, made.bytes);
  }
  if (auto used = wanted.in_use.lock()) return used;
  // What was read points into the text: both live as long as one of them is used.
  struct Both {
    std::shared_ptr<const detail::SharedFile> file;
    std::shared_ptr<const void> parsed;
  };
  auto both = std::make_shared<const Both>(Both{.file = file, .parsed = wanted.parsed});
  const void* parsed = both->parsed.get();
  std::shared_ptr<const void> used(std::move(both), parsed);
  wanted.in_use = used;
  return used;
}

void* Snapshot::part_erased(std::type_index type, std::string_view name,
                            const std::function<std::shared_ptr<void>()>& make) {
  Parts::Part* part = nullptr;
  {
    const std::lock_guard lock(parts_->mutex);
    auto& known = parts_->parts[std::pair(type, std::string(name))];
    if (!known) known = std::make_unique<Parts::Part>();
    part = known.get();
  }
  const std::lock_guard lock(part->making);
  if (!part->made) part->made = make();
  return part->made.get();
}

}  // namespace strata
