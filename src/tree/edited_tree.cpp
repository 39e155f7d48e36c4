// A tree with edits that nobody has saved.
#include <algorithm>
#include <map>
#include <memory>

#include "stored_file.hpp"
#include "strata/file_tree.hpp"
#include "value/tree_path.hpp"

namespace strata {
namespace {

class EditedTree final : public FileTree {
 public:
  using Files = std::map<std::string, std::shared_ptr<const detail::StoredFile>, std::less<>>;  ///< By absolute path; null: deleted.

  EditedTree(std::shared_ptr<const FileTree> under, std::string start, const Edits& edits) : under_(std::move(under)), start_(std::move(start)) {
    if (const auto* edited = dynamic_cast<const EditedTree*>(under_.get()); edited != nullptr && edited->start_ == start_) {
      files_ = edited->files_;
      under_ = std::shared_ptr(edited->under_);
    }
    for (const auto& [path, bytes] : edits) {
      files_.insert_or_assign(key(path), bytes ? std::make_shared<const detail::StoredFile>(*bytes) : nullptr);
    }
  }

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    const std::string name = key(path);
    const auto file = files_.find(name);
    if (file != files_.end() && file->second) return file->second->bytes();
    if (makes_folder(name)) throw detail::unreadable_error(path, "it is a folder");
    return file != files_.end() ? std::nullopt : under_->read(path);
  }

  [[nodiscard]] FileKind kind(std::string_view path) const override {
    const std::string name = key(path);
    const auto file = files_.find(name);
    if (file != files_.end() && file->second) return FileKind::file;
    if (makes_folder(name)) return FileKind::folder;
    return file != files_.end() ? FileKind::none : under_->kind(path);
  }

  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    const std::string name = key(path);
    if (const auto file = files_.find(name); file != files_.end() && file->second) return {};
    std::vector<std::string> names = under_->list(path);
    const std::string prefix = prefix_of(name);
    for (auto file = files_.lower_bound(prefix); file != files_.end() && file->first.starts_with(prefix); ++file) {
      const std::string_view rest = std::string_view(file->first).substr(prefix.size());
      const std::string_view child = rest.substr(0, rest.find('/'));
      const auto place = std::ranges::lower_bound(names, child);
      const bool is_there = place != names.end() && *place == child;
      if (file->second && !is_there) names.insert(place, std::string(child));
      if (!file->second && is_there && child == rest) names.erase(place);
    }
    return names;
  }

  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    const std::string name = key(path);
    const auto file = files_.find(name);
    if (file != files_.end() && file->second) return Identified{.id = file->second->id(), .bytes = std::nullopt};
    if (makes_folder(name)) return FileTree::identify(path);
    return file != files_.end() ? std::nullopt : under_->identify(path);
  }

 private:
  /// The absolute path; of what is above the root, a name that nothing has.
  [[nodiscard]] std::string key(std::string_view path) const {
    const std::string whole = path.starts_with('/') ? std::string(path) : start_ + "/" + std::string(path);
    return "/" + detail::parse_tree_path(whole).join();
  }
  [[nodiscard]] static std::string prefix_of(const std::string& folder) { return folder == "/" ? folder : folder + "/"; }

  /// Whether an edit made a file below a folder.
  [[nodiscard]] bool makes_folder(const std::string& folder) const {
    const std::string prefix = prefix_of(folder);
    for (auto file = files_.lower_bound(prefix); file != files_.end() && file->first.starts_with(prefix); ++file) {
      if (file->second) return true;
    }
    return false;
  }

  std::shared_ptr<const FileTree> under_;
  std::string start_;
  Files files_;
};

}  // namespace

std::shared_ptr<const FileTree> edited_tree(std::shared_ptr<const FileTree> under, const Edits& edits, const std::string& start) {
  return std::make_shared<EditedTree>(std::move(under), start, edits);
}

}  // namespace strata
