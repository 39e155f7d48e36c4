// SPDX-License-Identifier: Apache-2.0
#include "edit_book.hpp"

#include <algorithm>
#include <iterator>

#include "edits.hpp"
#include "strata/error.hpp"
#include "strata/links.hpp"
#include "strata/paths.hpp"
#include "strata/stop.hpp"

namespace strata::analysis {
namespace {

/// A file as of one state; nothing if it cannot be read, which is what those who read it say as well.
std::optional<std::string> text_of(const FileTree& tree, const std::string& file) {
  try {
    return tree.kind(file) == FileKind::file ? tree.read(file) : std::nullopt;
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return std::nullopt;
  }
}

FileKind kind_in(const FileTree& tree, const std::string& path) {
  try {
    return tree.kind(path);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return FileKind::none;
  }
}

/// The names in a folder, and none where it cannot be listed.
std::vector<std::string> listed_names(const FileTree& tree, const std::string& folder) {
  try {
    return tree.list(folder);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return {};
  }
}

/// The files of a folder.
std::vector<std::string> listed_files(const FileTree& tree, const std::string& folder) {
  std::vector<std::string> out;
  for (const std::string& name : listed_names(tree, folder)) {
    std::string path = absolute_path(folder, name);
    if (kind_in(tree, path) == FileKind::file) out.push_back(std::move(path));
  }
  return out;
}

std::string_view folder_of(std::string_view path) { return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)); }

/// Where a state keeps a file. Null: nowhere.
const FileTree* tree_of(const State& state, bool is_input) {
  return is_input ? state.inputs->files() : state.files.get();
}

}  // namespace

std::set<std::string> places_of(const std::set<std::string>& edited, const State& after) {
  std::set<std::string> out;
  for (const std::string& path : edited) out.insert(detail::real_path(*after.files, path));
  return out;
}

EditBook::EditBook(State before, State after, std::string folder, Comparison how, EditedFiles files)
    : before_(std::move(before)),
      after_(std::move(after)),
      folder_(std::move(folder)),
      how_(std::move(how)),
      files_(std::move(files)) {
  files_.paths = places_of(files_.paths, after_);
  for (const std::string& file : files_.paths) {
    for (std::string_view path = file; around_.emplace(path).second && path != "/";) path = folder_of(path);
  }
}

std::optional<std::vector<bool>> EditBook::asked_of(const Reads& reads) const {
  constexpr std::size_t kMost = 64;  // With more, it costs as much as finding out what it decides.
  if (!files_.no_others || around_.size() > kMost) return std::nullopt;
  std::vector<bool> out;
  out.reserve(2 * around_.size());
  for (const std::string& path : around_) {
    out.push_back(reads.files.contains(path));
    out.push_back(!reads.folders.empty() && reads.folders.contains(path));
  }
  return out;
}

std::string EditBook::shown(const std::string& path) const { return shown_path(path, folder_); }

const EditBook::Numbers& EditBook::of_file(const std::string& path, bool is_input) {
  const auto [known, is_new] = by_file_.try_emplace({path, is_input});
  if (!is_new) return known->second;
  check_stop(how_.stop);
  const FileTree* old_tree = tree_of(before_, is_input);
  const FileTree* new_tree = tree_of(after_, is_input);
  if (old_tree != nullptr && new_tree != nullptr) {
    // Who edits what a link leads to edits that file, not the link.
    const std::string place = detail::real_path(*new_tree, path);
    if (place != path && place == detail::real_path(*old_tree, path)) return known->second = of_file(place, is_input);
  }
  const auto left = old_tree == nullptr ? std::nullopt : text_of(*old_tree, path);
  const auto right = new_tree == nullptr ? std::nullopt : text_of(*new_tree, path);
  if (left == right) return known->second;
  std::vector<Edit> found;
  if (is_input || !left || !right) {
    found.push_back(whole_edit(shown(path), left ? count_lines(*left) : 0, right ? count_lines(*right) : 0));
  } else {
    found = line_edits(shown(path), *left, *right, how_);
  }
  for (Edit& edit : found) {
    known->second.push_back(edits_.size());
    edits_.push_back({.path = path, .edit = std::move(edit)});
  }
  return known->second;
}

template <class Use>
void EditBook::for_each_candidate(const Reads& reads, bool is_input, const Use& use) {
  if (is_input || files_.no_others) {
    for (const std::string& file : files_.paths) {
      if (reads.files.contains(file) || reads.folders.contains(folder_of(file))) use(file);
    }
    return;
  }
  for (const std::string& file : reads.files) use(file);
  for (const std::string& folder : reads.folders) std::ranges::for_each(files_of(folder, is_input), use);
}

const std::vector<std::string>& EditBook::files_of(const std::string& folder, bool is_input) {
  const auto [known, is_new] = by_folder_.try_emplace({folder, is_input});
  for (const State* state : {&before_, &after_}) {
    const FileTree* tree = is_new ? tree_of(*state, is_input) : nullptr;
    if (tree != nullptr) std::ranges::move(listed_files(*tree, folder), std::back_inserter(known->second));
  }
  return known->second;
}

bool EditBook::kind_differs(const std::string& path) {
  const auto [known, is_new] = kinds_differ_.try_emplace(path);
  if (is_new) known->second = kind_in(*before_.files, path) != kind_in(*after_.files, path);
  return known->second;
}

bool EditBook::names_differ(const std::string& folder) {
  const auto [known, is_new] = names_differ_.try_emplace(folder);
  if (is_new) known->second = listed_names(*before_.files, folder) != listed_names(*after_.files, folder);
  return known->second;
}

std::string EditBook::place(const std::string& path) const { return detail::real_path(*after_.files, path); }

void EditBook::add_read(const Reads& reads, bool is_input, Numbers& out) {
  for_each_candidate(reads, is_input, [&](const std::string& file) {
    std::ranges::copy(of_file(file, is_input), std::back_inserter(out));
  });
}

const EditBook::Numbers& EditBook::of_inputs() {
  const std::pair known{before_.inputs->reads_count(), after_.inputs->reads_count()};
  if (known == inputs_known_) return of_inputs_;
  inputs_known_ = known;
  of_inputs_.clear();
  // Revisions have no inputs: nothing but edits makes them differ.
  for (const State* state : {&before_, &after_}) add_read(state->inputs->reads(), true, of_inputs_);
  return of_inputs_;
}

bool EditBook::inputs_differ() {
  const std::lock_guard lock(mutex_);
  return !of_inputs().empty();
}

EditBook::Numbers EditBook::read(const Reads& before, const Reads& after) {
  const std::lock_guard lock(mutex_);
  Numbers out = of_inputs();
  add_read(before, false, out);
  add_read(after, false, out);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  for (const std::size_t number : out) edits_[number].is_read = true;
  return out;
}

std::vector<std::string> EditBook::changed(const Reads& reads) {
  const std::lock_guard lock(mutex_);
  return changed_in(reads);
}

std::vector<std::string> EditBook::changed_in(const Reads& reads) {
  std::vector<std::string> out;
  for_each_candidate(reads, false, [&](const std::string& file) {
    if (!of_file(file, false).empty()) out.push_back(file);
  });
  if (files_.no_others && !out.empty()) {
    // By the names by which it is asked for, too.
    const std::set<std::string> places(out.begin(), out.end());
    for (const std::string& file : reads.files) {
      if (places.contains(detail::real_path(*after_.files, file))) out.push_back(file);
    }
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool EditBook::is_same_for(const Reads& reads) {
  const std::lock_guard lock(mutex_);
  return changed_in(reads).empty() && are_kinds_same(reads);
}

bool EditBook::has_same_kinds(const Reads& reads) {
  const std::lock_guard lock(mutex_);
  return are_kinds_same(reads);
}

bool EditBook::are_kinds_same(const Reads& reads) {
  if (!files_.no_others) {
    return std::ranges::none_of(reads.files, [this](const std::string& path) { return kind_differs(path); }) &&
           std::ranges::none_of(reads.folders, [this](const std::string& folder) { return names_differ(folder); });
  }
  // Files come and go with the folders around them.
  for (const std::string& file : files_.paths) {
    for (std::string_view folder = folder_of(file);; folder = folder_of(folder)) {
      const std::string path(folder);
      if (reads.files.contains(path) && kind_differs(path)) return false;
      if (reads.folders.contains(path) && names_differ(path)) return false;
      if (folder == "/") break;
    }
  }
  return true;
}

const std::string& EditBook::path(std::size_t number) {
  const std::lock_guard lock(mutex_);
  return edits_[number].path;
}

State EditBook::patched(const State& state, const State& other, const Numbers& numbers, bool is_undone) {
  const std::lock_guard lock(mutex_);
  const std::string& path = edits_[numbers.front()].path;
  const Edit& first = edits_[numbers.front()].edit;
  const bool is_input =
      by_file_.contains({path, true}) &&
      std::ranges::find(by_file_.at({path, true}), numbers.front()) != by_file_.at({path, true}).end();
  const auto theirs = text_of(*tree_of(other, is_input), path);
  // A link that leads elsewhere is not an edit of what it led to.
  if (theirs && detail::real_path(*tree_of(state, is_input), path) != path)
    return edited(edited(state, {{path, std::nullopt}}, folder_), {{path, theirs}}, folder_);
  if (first.whole || numbers.size() > 1) return edited(state, {{path, theirs}}, folder_);
  const auto own = text_of(*tree_of(state, is_input), path);
  const Lines& from = is_undone ? first.after : first.before;
  const Lines& to = is_undone ? first.before : first.after;
  return edited(state,
                {{path, with_edit(own.value_or(""), from.line, from.lines, theirs.value_or(""), to.line, to.lines)}},
                folder_);
}

EditBook::Listed EditBook::listed() const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < edits_.size(); ++i) {
    if (edits_[i].is_read) order.push_back(i);
  }
  std::ranges::stable_sort(order, {},
                           [this](std::size_t number) -> const std::string& { return edits_[number].edit.file; });
  Listed out;
  for (const std::size_t number : order) {
    out.places.emplace(number, out.edits.size());
    out.edits.push_back(edits_[number].edit);
  }
  return out;
}

std::vector<std::string> EditBook::unread() {
  std::vector<std::string> out;
  for (const std::string& file : files_.paths) {
    // Who writes what is there already edits nothing.
    if (of_file(file, false).empty() && of_file(file, true).empty()) continue;
    const bool is_read =
        std::ranges::any_of(edits_, [&](const Known& known) { return known.is_read && known.path == file; });
    if (!is_read) out.push_back(shown(file));
  }
  return out;
}

}  // namespace strata::analysis
