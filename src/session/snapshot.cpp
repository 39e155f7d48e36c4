#include "strata/snapshot.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "engine_cache.hpp"
#include "strata/stop.hpp"

namespace strata {
namespace {

/// Answers by path, each found out once. Thread-safe.
template <class Answer>
class Remembered {
 public:
  /// `ask` is called without the lock; the first answer counts.
  template <class Ask>
  [[nodiscard]] Answer get(std::string_view path, const Ask& ask) {
    {
      const std::shared_lock lock(mutex_);
      if (const auto known = answers_.find(path); known != answers_.end()) return known->second;
    }
    Answer answer = ask();
    const std::unique_lock lock(mutex_);
    return answers_.try_emplace(std::string(path), std::move(answer)).first->second;
  }

 private:
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's
    std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
  };
  std::shared_mutex mutex_;
  std::unordered_map<std::string, Answer, Hash, std::equal_to<>> answers_;
};

}  // namespace

/// The files of a Snapshot, each as it was when it was first asked for.
class Snapshot::Files final : public FileTree {
 public:
  explicit Files(const Snapshot& snapshot) : below_(*snapshot.below_), engine_(*snapshot.engine_), settings_(snapshot.settings_) {
    const Limits& limits = settings_.limits;
    rules_ = fmt::format("{}\n{}\n{}\n{}\n{}", settings_.folder, limits.depth, limits.input, limits.aliases, limits.steps);
  }

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    const auto file = open(path, nullptr);
    if (!file) return std::nullopt;
    return std::string(file->texts.text(file->source));
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override {
    return kinds_.get(path, [&] { return below_.kind(path); });
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    return lists_.get(path, [&] { return below_.list(path); });
  }
  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override { return below_.identify(path); }

  /// Null where there is no such file.
  [[nodiscard]] std::shared_ptr<detail::SharedFile> open(std::string_view path, const Stop* stop) const {
    const auto slot = slots_.get(path, [] { return std::make_shared<Slot>(); });
    const auto lock = detail::lock_while_running(slot->opening, stop);
    if (!slot->is_known) {
      slot->file = load(path);
      slot->is_known = true;
    }
    return slot->file;
  }

 private:
  struct Slot {
    std::timed_mutex opening;
    bool is_known = false;
    std::shared_ptr<detail::SharedFile> file;
  };

  [[nodiscard]] std::shared_ptr<detail::SharedFile> make(std::string_view path, std::string bytes) const {
    return std::make_shared<detail::SharedFile>(engine_.locations(), settings_.folder, path, std::move(bytes));
  }

  [[nodiscard]] std::shared_ptr<detail::SharedFile> load(std::string_view path) const {
    detail::FileCache& cache = engine_.cache_->files;
    if (!cache.keeps()) {
      std::optional<std::string> bytes = below_.read(path);
      return bytes ? make(path, std::move(*bytes)) : nullptr;
    }
    // A file may change between the look at its identity and the reading.
    for (int tries = 0; tries < 3; ++tries) {
      std::optional<Identified> found = below_.identify(path);
      if (!found) return nullptr;
      const std::string key = fmt::format("{:016x}{:016x}\n{}\n{}", found->id.high, found->id.low, path, rules_);
      if (auto known = cache.find(key)) return known;
      if (found->bytes) return cache.add(key, make(path, std::move(*found->bytes)));
      std::optional<std::string> bytes = below_.read(path);
      if (bytes && below_.identity(path) == found->id) return cache.add(key, make(path, std::move(*bytes)));
    }
    std::optional<std::string> bytes = below_.read(path);
    return bytes ? make(path, std::move(*bytes)) : nullptr;
  }

  const FileTree& below_;
  Engine& engine_;
  const SnapshotSettings& settings_;
  std::string rules_;  ///< What readings depend on beside the file.
  mutable Remembered<std::shared_ptr<Slot>> slots_;
  mutable Remembered<FileKind> kinds_;
  mutable Remembered<std::vector<std::string>> lists_;
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
    : engine_(std::move(engine)), below_(std::move(tree)), settings_(std::move(settings)), parts_(std::make_unique<Parts>()) {
  settings_.limits.stop = nullptr;
  files_ = std::make_unique<Files>(*this);
}
Snapshot::~Snapshot() = default;

std::shared_ptr<Snapshot> Snapshot::make(std::shared_ptr<Engine> engine, std::shared_ptr<const FileTree> tree, SnapshotSettings settings) {
  return std::shared_ptr<Snapshot>(new Snapshot(std::move(engine), std::move(tree), std::move(settings)));
}

const FileTree& Snapshot::tree() const noexcept { return *files_; }

std::optional<Snapshot::Text> Snapshot::text(std::string_view path) {
  const auto file = files_->open(path, nullptr);
  if (!file) return std::nullopt;
  return Text{.source = file->source, .texts = std::shared_ptr<const Sources>(file, &file->texts)};
}

std::shared_ptr<const void> Snapshot::read_erased(std::string_view path, std::type_index type, std::string_view form, const Stop* stop,
                                                  const ErasedReader& reader) {
  const auto file = files_->open(path, stop);
  if (!file) return nullptr;
  detail::SharedFile::Form& wanted = file->form(type, form);
  const auto lock = detail::lock_while_running(wanted.reading, stop);
  if (!wanted.parsed) {
    Limits limits = settings_.limits;
    limits.stop = stop;
    Reading<void> made = reader(file->texts, file->source, limits);
    wanted.parsed = std::move(made.parsed);
    engine_->cache_->files.grow(*file, made.bytes);
  }
  // What was read points into the text: both live as long as one of them is used.
  struct Both {
    std::shared_ptr<const detail::SharedFile> file;
    std::shared_ptr<const void> parsed;
  };
  auto both = std::make_shared<const Both>(Both{.file = file, .parsed = wanted.parsed});
  const void* parsed = both->parsed.get();
  return {std::move(both), parsed};
}

void* Snapshot::part_erased(std::type_index type, std::string_view name, const std::function<std::shared_ptr<void>()>& make) {
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
