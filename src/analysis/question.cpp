// SPDX-License-Identifier: Apache-2.0
// What questions read in a state of the files.
#include "strata/question.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "strata/found_file.hpp"
#include "strata/links.hpp"
#include "strata/paths.hpp"

namespace strata::analysis {
namespace {

class LoggedTree final : public FileTree, public detail::LinkedTree {
 public:
  LoggedTree(std::shared_ptr<const FileTree> tree, std::string folder, std::shared_ptr<ReadLog> log, bool only_found)
      : tree_(std::move(tree)), folder_(std::move(folder)), log_(std::move(log)), only_found_(only_found) {}

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    add_file(path);
    return tree_->read(path);
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override {
    const FileKind out = tree_->kind(path);
    add(path, out);
    return out;
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    (void)add_folder(path);
    return tree_->list(path);
  }
  [[nodiscard]] std::vector<Named> entries(std::string_view path) const override {
    const auto names = add_folder(path);
    std::vector<Named> out = tree_->entries(path);
    for (const Named& entry : out) {
      // No link: it is where it seems to be.
      if (!entry.kind) continue;
      for (const std::string& folder : names) log_->add_file(path_in(folder, entry.name));
    }
    return out;
  }
  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    add_file(path);
    return tree_->identify(path);
  }
  [[nodiscard]] const FileTree* keeper(std::string_view path) const override {
    add_file(path);
    return tree_->keeper(path);
  }
  [[nodiscard]] std::optional<std::string> link(const std::string& path) const override {
    return detail::link_in(*tree_, path);
  }
  [[nodiscard]] std::vector<std::string> trail(std::string_view path) const override {
    return trails_.find(*this, path);
  }

 private:
  /// The names of a folder: the one that is asked for, and where it is.
  [[nodiscard]] std::array<std::string, 2> add_folder(std::string_view path) const {
    const std::string folder = absolute_path(folder_, path);
    std::array<std::string, 2> out{folder, trail(folder).back()};
    for (const std::string& name : out) log_->add_folder(name);
    return out;
  }
  void add_file(std::string_view path) const { add(path, only_found_ ? tree_->kind(path) : FileKind::file); }
  void add(std::string_view path, FileKind kind) const {
    if (only_found_ && kind == FileKind::none) return;
    const std::string name = absolute_path(folder_, path);
    log_->add_file(name);
    for (const std::string& other : trail(name)) log_->add_file(other);
  }

  std::shared_ptr<const FileTree> tree_;
  std::string folder_;
  std::shared_ptr<ReadLog> log_;
  bool only_found_;
  detail::Trails trails_;
};

constexpr std::string_view kStdin = "-";

/// Where a file of the host leads, as trail_of gives it.
std::vector<std::string> trail_in(Host& host, const std::string& path) {
  const FileTree* files = host.files();
  return files == nullptr ? std::vector{path} : detail::trail_of(*files, path);
}

/// The same, noted as read.
std::vector<std::string> read_names(Host& host, const std::string& path, ReadLog& log) {
  std::vector<std::string> out = trail_in(host, path);
  log.add_file(path);
  for (const std::string& name : out) log.add_file(name);
  return out;
}

}  // namespace

void ReadLog::add_file(std::string_view path) {
  const std::scoped_lock lock(mutex_);
  if (!reads_.files.contains(path)) reads_.files.emplace(path);
}
void ReadLog::add_folder(std::string_view path) {
  const std::scoped_lock lock(mutex_);
  if (!reads_.folders.contains(path)) reads_.folders.emplace(path);
}
bool ReadLog::has(std::string_view path) const {
  const std::scoped_lock lock(mutex_);
  // Files come and go with the folders around them.
  for (std::string_view at = path;; at = at.substr(0, std::max<std::size_t>(at.rfind('/'), 1))) {
    if (reads_.files.contains(at) || reads_.folders.contains(at)) return true;
    if (at == "/") return false;
  }
}
std::size_t ReadLog::size() const {
  const std::scoped_lock lock(mutex_);
  return reads_.files.size() + reads_.folders.size();
}

Reads ReadLog::reads() const {
  const std::scoped_lock lock(mutex_);
  return reads_;
}

std::shared_ptr<const FileTree> logged_tree(std::shared_ptr<const FileTree> tree, std::string folder,
                                            std::shared_ptr<ReadLog> log, bool only_found) {
  return std::make_shared<LoggedTree>(std::move(tree), std::move(folder), std::move(log), only_found);
}

/// The texts of what can be read once, by its name.
struct Inputs::Once {
  std::mutex mutex;
  std::map<std::string, std::optional<std::string>> texts;
};

Inputs::Inputs(Host& host, std::string folder)
    : host_(host), folder_(std::move(folder)), once_(std::make_shared<Once>()) {
  // The host's own tree lives as long as the host.
  if (const FileTree* files = host.files())
    files_ = logged_tree(std::shared_ptr<const FileTree>(std::shared_ptr<void>(), files), folder_, log_);
}

Inputs::Inputs(const Inputs& under, const Edits& edits)
    : host_(under.host_), folder_(under.folder_), edits_(under.edits_), once_(under.once_) {
  for (const auto& [file, text] : edits) {
    const std::vector<std::string> names = trail_in(host_, absolute_path(folder_, file));
    edits_.insert_or_assign(text ? names.back() : names.front(), text);
  }
  const FileTree* files = host_.files();
  if (files == nullptr) return;
  std::shared_ptr<const FileTree> tree(std::shared_ptr<void>(), files);
  if (!edits_.empty()) tree = edited_tree(std::move(tree), edits_, folder_);
  files_ = logged_tree(std::move(tree), folder_, log_);
}

Inputs::~Inputs() = default;

std::optional<std::string> Inputs::find(const std::string& name) {
  if (name != kStdin) {
    for (const std::string& path : read_names(host_, absolute_path(folder_, name), *log_)) {
      if (const auto found = edits_.find(path); found != edits_.end()) return found->second;
    }
  }
  if (!is_read_once(name)) return host_.find(name);
  const std::scoped_lock lock(once_->mutex);
  const auto known = once_->texts.find(name);
  return known != once_->texts.end() ? known->second : once_->texts.emplace(name, host_.find(name)).first->second;
}

bool Inputs::is_read_once(const std::string& name) {
  return name == kStdin ||
         (host_.files() != nullptr && host_.files()->kind(absolute_path(folder_, name)) == FileKind::other);
}

ReadMore Inputs::open(const std::string& name) {
  const std::vector<std::string> names = read_names(host_, absolute_path(folder_, name), *log_);
  const bool is_edited = std::ranges::any_of(names, [this](const std::string& path) { return edits_.contains(path); });
  return is_edited || is_read_once(name) ? Host::open(name) : host_.open(name);
}

std::string Inputs::read_unedited(const std::string& name) { return host_.read(name); }

const FileTree* Inputs::files() { return files_.get(); }

bool Inputs::may_differ(const Inputs& other) const {
  const auto differ = [this, &other](const Edits& edits) {
    return std::ranges::any_of(edits, [this, &other](const auto& edit) {
      const auto own = edits_.find(edit.first);
      const auto theirs = other.edits_.find(edit.first);
      const bool is_same = own != edits_.end() && theirs != other.edits_.end() && own->second == theirs->second;
      return !is_same && (log_->has(edit.first) || other.log_->has(edit.first));
    });
  };
  return differ(edits_) || differ(other.edits_);
}

State kept(const State& state, std::shared_ptr<Engine> engine, SnapshotSettings settings) {
  auto snapshot = Snapshot::make(std::move(engine), state.files, std::move(settings));
  const FileTree& files = snapshot->tree();
  return {.files = std::shared_ptr<const FileTree>(std::move(snapshot), &files),
          .inputs = state.inputs,
          .stop = state.stop};
}

State edited(const State& state, const Edits& edits, const std::string& folder) {
  return {.files = edited_tree(state.files, edits, folder),
          .inputs = std::make_shared<Inputs>(*state.inputs, edits),
          .stop = state.stop};
}

Error no_keys() {
  return Error("call.keys", "this question has no keys")
      .hint("only lookup and inject look up keys: ask without keys for the whole result");
}

Subject::Answer Subject::look_up(const KeyQuery& /*query*/) { throw no_keys(); }

}  // namespace strata::analysis
