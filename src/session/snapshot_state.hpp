// SPDX-License-Identifier: Apache-2.0
// State that a Snapshot passes on to later ones.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "strata/file_tree.hpp"
#include "strata/snapshot.hpp"
#include "value/seeded_hash.hpp"

namespace strata::detail {

/// A cache of answers by path. It drops all of them when there are `most`, because a request may ask for any number of
/// paths. Thread-safe.
template <class Answer>
class Remembered {
 public:
  explicit Remembered(std::size_t most) : most_(most) {}

  [[nodiscard]] std::optional<Answer> find(std::string_view path) const {
    const std::shared_lock lock(mutex_);
    const auto known = answers_.find(path);
    return known == answers_.end() ? std::nullopt : std::optional(known->second);
  }
  /// Returns the answer that was added first.
  Answer add(std::string_view path, Answer answer) {
    const std::unique_lock lock(mutex_);
    if (answers_.size() >= most_) answers_.clear();
    return answers_.try_emplace(std::string(path), std::move(answer)).first->second;
  }
  [[nodiscard]] std::size_t size() const {
    const std::shared_lock lock(mutex_);
    return answers_.size();
  }
  void erase(std::string_view path) {
    const std::unique_lock lock(mutex_);
    if (const auto known = answers_.find(path); known != answers_.end()) answers_.erase(known);
  }

 private:
  std::size_t most_;
  mutable std::shared_mutex mutex_;
  TextMap<Answer> answers_;
};

/// Which files and folders exist, without their contents. Snapshots share it if their trees differ only in the bytes of
/// files.
struct Layout {
  /// A fleet may have a path a node: what is forgotten is one question to the system.
  static constexpr std::size_t kMost = std::size_t{1} << 11U;
  Remembered<bool> missing{kMost};
  Remembered<FileKind> kinds{kMost};
  Remembered<std::vector<FileTree::Named>> entries{kMost};
};

/// One state of files. Its parts are made from those of an earlier state while that is alive.
class SnapshotState {
 public:
  /// `rules`: what parsed files depend on besides the files.
  SnapshotState(std::shared_ptr<const FileTree> tree, std::string rules, const Host* host)
      : tree_(std::move(tree)), rules_(std::move(rules)), host_(host) {}

  [[nodiscard]] const FileTree& tree() const noexcept { return *tree_; }
  [[nodiscard]] const std::string& rules() const noexcept { return rules_; }
  [[nodiscard]] Layout& layout() const noexcept { return *layout_; }

  /// Makes this state follow `earlier` if only the bytes of a few files differ. Called once, before the state is used.
  [[nodiscard]] bool follow(const std::shared_ptr<SnapshotState>& earlier);

  /// Makes a part from that of the earlier state (null if there is none) and the paths of the files that have changed
  /// since.
  using Make =
      std::function<std::shared_ptr<void>(const std::shared_ptr<void>& before, std::span<const std::string> changed)>;
  /// The part of this type and name. The first caller makes it.
  [[nodiscard]] std::shared_ptr<void> part(std::type_index type, std::string_view name, const Make& make);
  [[nodiscard]] bool has_parts() const noexcept { return has_parts_; }

 private:
  struct Part {
    std::mutex making;
    std::shared_ptr<void> made;
  };
  [[nodiscard]] std::shared_ptr<Part> slot(std::type_index type, std::string_view name, bool is_new);
  [[nodiscard]] std::shared_ptr<void> made(std::type_index type, std::string_view name);

  std::shared_ptr<const FileTree> tree_;
  std::string rules_;
  const Host* host_;
  std::shared_ptr<Layout> layout_ = std::make_shared<Layout>();
  std::weak_ptr<SnapshotState> before_;
  std::vector<std::string> changed_;  ///< Since `before_`.
  std::atomic<bool> has_parts_ = false;
  std::mutex mutex_;
  std::map<std::pair<std::type_index, std::string>, std::shared_ptr<Part>> parts_;
};

/// Some of the latest states of an Engine that are still alive. Thread-safe.
class RecentStates {
 public:
  /// Makes `state` follow the best of them, and adds it.
  void add(const std::shared_ptr<SnapshotState>& state);

 private:
  static constexpr std::size_t kMost = 16;
  std::mutex mutex_;
  std::vector<std::weak_ptr<SnapshotState>> states_;  ///< Latest first.
};

/// The files of a Snapshot.
class SnapshotTree : public FileTree {
 public:
  [[nodiscard]] virtual SnapshotState& state() const noexcept = 0;
};

/// An object that is compiled from several files, and can be updated when a few files change. `make(before, changed)`
/// receives the object of an earlier Snapshot (null if there is none) and the absolute paths of the files whose bytes
/// have changed since, all else being equal; it may return `before`. The object must own everything that it uses; it
/// lives as long as somebody holds it. Errors: those of `make`. After an error the next caller runs it again.
template <class Part, class Make>
[[nodiscard]] std::shared_ptr<Part> inherited_part(const Snapshot& snapshot, std::string_view name, const Make& make) {
  SnapshotState& state = static_cast<const SnapshotTree&>(snapshot.tree()).state();
  return std::static_pointer_cast<Part>(state.part(
      typeid(Part), name,
      [&make](const std::shared_ptr<void>& before, std::span<const std::string> changed) -> std::shared_ptr<void> {
        return make(std::static_pointer_cast<Part>(before), changed);
      }));
}

}  // namespace strata::detail
