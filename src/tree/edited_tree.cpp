// SPDX-License-Identifier: Apache-2.0
// A tree with edits that are not saved.
#include <algorithm>
#include <map>
#include <memory>

#include "changes.hpp"
#include "entries.hpp"
#include "stored_file.hpp"
#include "strata/file_tree.hpp"
#include "strata/links.hpp"
#include "value/tree_path.hpp"

namespace strata {
namespace {

using EditedFile = std::shared_ptr<const detail::StoredFile>;  ///< Null: the file is deleted.

/// Edits by absolute path. Most are in a part that maps share which come out of each other: a further edit costs about
/// the root of all of them.
class EditMap {
 public:
  /// Null where the path was not edited.
  [[nodiscard]] const EditedFile* find(std::string_view path) const {
    if (const auto own = own_.find(path); own != own_.end()) return &own->second;
    const auto shared = shared_->find(path);
    return shared == shared_->end() ? nullptr : &shared->second;
  }
  void set(const std::string& path, EditedFile edit) {
    own_.insert_or_assign(path, std::move(edit));
    constexpr std::size_t kFew = 16;
    if (own_.size() <= kFew || own_.size() * own_.size() <= shared_->size()) return;
    auto all = std::make_shared<Map>(std::move(own_));
    all->insert(shared_->begin(), shared_->end());
    shared_ = std::move(all);
    own_.clear();
  }
  [[nodiscard]] bool is_empty() const noexcept { return own_.empty() && shared_->empty(); }
  /// Calls `use` with each path that begins with `prefix`, in their order, and its edit, until it returns false.
  template <class Use>
  void for_each(std::string_view prefix, const Use& use) const {
    auto own = own_.lower_bound(prefix);
    auto shared = shared_->lower_bound(prefix);
    const auto is_in = [&](const Map& map, const Map::const_iterator& at) {
      return at != map.end() && at->first.starts_with(prefix);
    };
    while (is_in(own_, own) || is_in(*shared_, shared)) {
      const bool takes_own = is_in(own_, own) && (!is_in(*shared_, shared) || own->first <= shared->first);
      const auto& [path, edit] = takes_own ? *own : *shared;
      if (!use(path, edit)) return;
      if (takes_own && is_in(*shared_, shared) && shared->first == path) ++shared;
      takes_own ? ++own : ++shared;
    }
  }
  /// Paths that may have other edits than in `other`, sorted.
  [[nodiscard]] std::vector<std::string_view> differences(const EditMap& other) const {
    std::vector<std::string_view> out;
    if (shared_ == other.shared_) {
      add_differences(own_, other.own_, out);
      return out;
    }
    for (const Map* map : {&own_, &other.own_}) {
      for (const auto& one : *map) out.push_back(one.first);
    }
    add_differences(*shared_, *other.shared_, out);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

 private:
  using Map = std::map<std::string, EditedFile, std::less<>>;

  /// Paths that have an edit in one of them alone, or not the same one.
  static void add_differences(const Map& left, const Map& right, std::vector<std::string_view>& out) {
    auto one = left.begin();
    auto other = right.begin();
    while (one != left.end() || other != right.end()) {
      const int order = one == left.end() ? 1 : (other == right.end() ? -1 : one->first.compare(other->first));
      if (order != 0 || one->second != other->second) out.push_back(order <= 0 ? one->first : other->first);
      if (order <= 0) ++one;
      if (order >= 0) ++other;
    }
  }

  std::shared_ptr<const Map> shared_ = std::make_shared<const Map>();
  Map own_;  ///< They count before the shared ones.
};

class EditedTree final : public FileTree, public detail::LinkedTree {
 public:
  EditedTree(std::shared_ptr<const FileTree> under, std::string start, const Edits& edits)
      : under_(std::move(under)), start_(std::move(start)) {
    if (const auto* edited = dynamic_cast<const EditedTree*>(under_.get());
        edited != nullptr && edited->start_ == start_) {
      files_ = edited->files_;
      under_ = std::shared_ptr(edited->under_);
      trails_ = edited->trails_;
    }
    has_links_ = dynamic_cast<const detail::LinkedTree*>(under_.get()) != nullptr;
    for (const auto& [path, bytes] : edits) {
      std::string name = spelled(path);
      if (has_links_) {
        // Who deletes a link deletes the name.
        const std::vector<std::string> names = trail(name);
        name = bytes ? names.back() : names.front();
      }
      files_.set(name, bytes ? std::make_shared<const detail::StoredFile>(*bytes) : nullptr);
    }
  }

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    const std::string name = key(path);
    const EditedFile* edit = files_.find(name);
    if (edit != nullptr && *edit) return (*edit)->bytes();
    if (makes_folder(name)) throw detail::unreadable_error(path, "it is a folder");
    return edit != nullptr ? std::nullopt : under_->read(path);
  }

  [[nodiscard]] FileKind kind(std::string_view path) const override {
    const std::string name = key(path);
    const EditedFile* edit = files_.find(name);
    if (edit != nullptr && *edit) return FileKind::file;
    if (makes_folder(name)) return FileKind::folder;
    return edit != nullptr ? FileKind::none : under_->kind(path);
  }

  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    const std::string name = key(path);
    return is_file(name) ? std::vector<std::string>()
                         : detail::names_of(edited(name, detail::entries_of(under_->list(path))));
  }
  [[nodiscard]] std::vector<Named> entries(std::string_view path) const override {
    const std::string name = key(path);
    return is_file(name) ? std::vector<Named>() : edited(name, under_->entries(path));
  }

  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    const std::string name = key(path);
    const EditedFile* edit = files_.find(name);
    if (edit != nullptr && *edit) return Identified{.id = (*edit)->id(), .bytes = std::nullopt};
    if (makes_folder(name)) return FileTree::identify(path);
    return edit != nullptr ? std::nullopt : under_->identify(path);
  }

  [[nodiscard]] const FileTree* keeper(std::string_view path) const override {
    const std::string name = key(path);
    return files_.find(name) != nullptr || makes_folder(name) ? nullptr : under_->keeper(path);
  }

  [[nodiscard]] std::optional<std::string> link(const std::string& path) const override {
    return files_.find(path) != nullptr ? std::nullopt : detail::link_in(*under_, path);
  }
  [[nodiscard]] std::vector<std::string> trail(std::string_view path) const override {
    return trails_->find(*this, path);
  }

  [[nodiscard]] const FileTree& under() const noexcept { return *under_; }
  [[nodiscard]] const std::string& start() const noexcept { return start_; }
  [[nodiscard]] const EditMap& files() const noexcept { return files_; }

 private:
  /// The absolute path, links resolved; of what is above the root, a name that nothing has.
  [[nodiscard]] std::string key(std::string_view path) const {
    std::string name = spelled(path);
    return has_links_ && !files_.is_empty() ? trail(name).back() : name;
  }
  [[nodiscard]] std::string spelled(std::string_view path) const {
    if (path.starts_with('/')) return "/" + detail::parse_tree_path(path).join();
    return "/" + detail::parse_tree_path(start_ + "/" + std::string(path)).join();
  }
  /// Whether an edit made it.
  [[nodiscard]] bool is_file(const std::string& name) const {
    const EditedFile* edit = files_.find(name);
    return edit != nullptr && *edit;
  }
  /// What the edits make of the names in a folder.
  [[nodiscard]] std::vector<Named> edited(const std::string& folder, std::vector<Named> names) const {
    const std::string prefix = prefix_of(folder);
    files_.for_each(prefix, [&](const std::string& file, const EditedFile& edit) {
      const std::string_view rest = std::string_view(file).substr(prefix.size());
      const std::string_view child = rest.substr(0, rest.find('/'));
      const auto place =
          std::ranges::lower_bound(names, child, {}, [](const Named& one) { return std::string_view(one.name); });
      const bool is_there = place != names.end() && place->name == child;
      const std::optional<FileKind> kind = child == rest ? std::optional(FileKind::file) : std::nullopt;
      if (edit && is_there) place->kind = kind;
      if (edit && !is_there) names.insert(place, {.name = std::string(child), .kind = kind});
      if (!edit && is_there && child == rest) names.erase(place);
      return true;
    });
    return names;
  }
  [[nodiscard]] static std::string prefix_of(const std::string& folder) {
    return folder == "/" ? folder : folder + "/";
  }

  /// Whether an edit made a file below a folder.
  [[nodiscard]] bool makes_folder(const std::string& folder) const {
    bool found = false;
    files_.for_each(prefix_of(folder), [&found](const std::string& /*file*/, const EditedFile& edit) {
      found = edit != nullptr;
      return !found;
    });
    return found;
  }

  std::shared_ptr<const FileTree> under_;
  std::string start_;
  EditMap files_;
  bool has_links_ = false;  ///< There may be some.
  std::shared_ptr<const detail::Trails> trails_ =
      std::make_shared<const detail::Trails>();  ///< Edits make and unmake no links of folders.
};

/// A tree as edits of another one.
struct View {
  explicit View(const FileTree& tree)
      : edited(dynamic_cast<const EditedTree*>(&tree)), under(edited != nullptr ? edited->under() : tree) {}
  [[nodiscard]] const EditMap& files() const {
    static const EditMap none;
    return edited != nullptr ? edited->files() : none;
  }
  const EditedTree* edited;
  const FileTree& under;
};

/// Whether a path is a file in both trees. `with_folders`: and whether all above it is of the same kind, as an edit
/// makes folders of them.
bool same_kinds(const FileTree& one, const FileTree& other, std::string_view path, bool with_folders) {
  try {
    if (one.kind(path) != FileKind::file || other.kind(path) != FileKind::file) return false;
    while (with_folders && path.rfind('/') != 0) {
      path = path.substr(0, path.rfind('/'));
      if (one.kind(path) != other.kind(path)) return false;
    }
    return true;
  } catch (const Error&) {
    return false;  // It is outside of one of them.
  }
}

}  // namespace

std::optional<std::vector<std::string>> detail::changed_files(const FileTree& tree, const FileTree& before,
                                                              std::size_t most) {
  const View now(tree);
  const View then(before);
  const bool same_start =
      now.edited == nullptr || then.edited == nullptr || now.edited->start() == then.edited->start();
  if (&now.under != &then.under || !same_start || dynamic_cast<const FixedTree*>(&now.under) == nullptr)
    return std::nullopt;
  std::vector<std::string> out;
  for (const std::string_view path : now.files().differences(then.files())) {
    const EditedFile* one = now.files().find(path);
    const EditedFile* other = then.files().find(path);
    if (one != nullptr && other != nullptr && *one == *other) continue;
    // Where there may be links, a changed file may have other names, too.
    if (out.size() == most || dynamic_cast<const LinkedTree*>(&now.under) != nullptr ||
        !same_kinds(tree, before, path, (one == nullptr) != (other == nullptr)))
      return std::nullopt;
    out.emplace_back(path);
  }
  return out;
}

std::shared_ptr<const FileTree> edited_tree(std::shared_ptr<const FileTree> under, const Edits& edits,
                                            const std::string& start) {
  return std::make_shared<EditedTree>(std::move(under), start, edits);
}

}  // namespace strata
