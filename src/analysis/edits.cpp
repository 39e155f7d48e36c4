// What differs in the files that questions read.
#include <algorithm>
#include <utility>

#include "analysis/alignment.hpp"
#include "strata/analysis.hpp"
#include "strata/paths.hpp"
#include "value/seeded_hash.hpp"

namespace strata::analysis {
namespace {

class LoggedTree final : public FileTree {
 public:
  LoggedTree(std::unique_ptr<FileTree> tree, std::string folder, std::shared_ptr<ReadLog> log)
      : tree_(std::move(tree)), folder_(std::move(folder)), log_(std::move(log)) {}

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    log_->add_file(absolute_path(folder_, path));
    return tree_->read(path);
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override {
    log_->add_file(absolute_path(folder_, path));
    return tree_->kind(path);
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    log_->add_folder(absolute_path(folder_, path));
    return tree_->list(path);
  }
  [[nodiscard]] std::optional<Identified> identify(std::string_view path) const override {
    log_->add_file(absolute_path(folder_, path));
    return tree_->identify(path);
  }

 private:
  std::unique_ptr<FileTree> tree_;
  std::string folder_;
  std::shared_ptr<ReadLog> log_;
};

/// The lines of a text, which end at `\n`; the last one may lack it.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

bool is_binary(std::string_view text) {
  constexpr std::size_t kLookedAt = 8000;
  return text.substr(0, kLookedAt).find('\0') != std::string_view::npos;
}

Edit whole_edit(std::string file, std::size_t before, std::size_t after) {
  return {.file = std::move(file), .before = {.line = 1, .lines = before}, .after = {.line = 1, .lines = after}, .whole = true};
}

/// A file as of one state; nothing if it cannot be read, which is what those who read it say as well.
std::optional<std::string> text_of(const FileTree& tree, const std::string& file) {
  try {
    return tree.kind(file) == FileKind::file ? tree.read(file) : std::nullopt;
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return std::nullopt;
  }
}

/// The files of a folder, and none where it cannot be listed.
std::vector<std::string> files_in(const FileTree& tree, const std::string& folder) {
  std::vector<std::string> out;
  try {
    for (const std::string& name : tree.list(folder)) {
      std::string path = absolute_path(folder, name);
      if (tree.kind(path) == FileKind::file) out.push_back(std::move(path));
    }
  } catch (const Error& error) {
    if (error.ends_request()) throw;
  }
  return out;
}

}  // namespace

void ReadLog::add_file(std::string_view path) {
  const std::scoped_lock lock(mutex_);
  if (!files_.contains(path)) files_.emplace(path);
}
void ReadLog::add_folder(std::string_view path) {
  const std::scoped_lock lock(mutex_);
  if (!folders_.contains(path)) folders_.emplace(path);
}
std::set<std::string, std::less<>> ReadLog::files() const {
  const std::scoped_lock lock(mutex_);
  return files_;
}
std::set<std::string, std::less<>> ReadLog::folders() const {
  const std::scoped_lock lock(mutex_);
  return folders_;
}

std::unique_ptr<FileTree> logged_tree(std::unique_ptr<FileTree> tree, std::string folder, std::shared_ptr<ReadLog> log) {
  return std::make_unique<LoggedTree>(std::move(tree), std::move(folder), std::move(log));
}

std::vector<Edit> line_edits(const std::string& file, const std::string& before, const std::string& after, const Comparison& how) {
  constexpr std::size_t kMostSingleLines = 8;
  const auto left_lines = lines_of(before);
  const auto right_lines = lines_of(after);
  if (is_binary(before) || is_binary(after) || (before != after && left_lines == right_lines)) {
    return {whole_edit(file, left_lines.size(), right_lines.size())};
  }
  TextViewMap<std::uint32_t> numbers;
  const auto numbered = [&numbers](const std::vector<std::string_view>& lines) {
    std::vector<std::uint32_t> out;
    out.reserve(lines.size());
    for (const std::string_view line : lines) out.push_back(numbers.try_emplace(line, static_cast<std::uint32_t>(numbers.size())).first->second);
    return out;
  };
  const auto left = numbered(left_lines);
  const auto right = numbered(right_lines);
  std::vector<Edit> out;
  for_each_stretch(
      align(left, right, how.alignment, how.stop), left.size(), right.size(),
      [&](std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
        const std::size_t removed = i_end - i;
        const std::size_t added = j_end - j;
        if (removed == added && added <= kMostSingleLines) {
          for (; i < i_end; ++i, ++j) out.push_back({.file = file, .before = {i + 1, 1}, .after = {j + 1, 1}});
        } else {
          out.push_back({.file = file, .before = {i + 1, removed}, .after = {j + 1, added}});
        }
      },
      [](std::size_t, std::size_t) {});
  return out;
}

std::vector<Edit> edits(const FileTree& before, const FileTree& after, const ReadLog& log, const std::string& folder, const Comparison& how) {
  std::set<std::string, std::less<>> files = log.files();
  for (const std::string& listed : log.folders()) {
    for (const FileTree* tree : {&before, &after}) {
      for (std::string& path : files_in(*tree, listed)) files.insert(std::move(path));
    }
  }
  const std::string inside = folder.ends_with('/') ? folder : folder + "/";
  std::vector<Edit> out;
  for (const std::string& file : files) {
    check_stop(how.stop);
    const auto left = text_of(before, file);
    const auto right = text_of(after, file);
    if (left == right) continue;
    std::string name = file.starts_with(inside) ? file.substr(inside.size()) : file;
    if (!left || !right) {
      out.push_back(whole_edit(std::move(name), left ? lines_of(*left).size() : 0, right ? lines_of(*right).size() : 0));
      continue;
    }
    std::ranges::move(line_edits(name, *left, *right, how), std::back_inserter(out));
  }
  std::ranges::stable_sort(out, {}, &Edit::file);
  return out;
}

}  // namespace strata::analysis
