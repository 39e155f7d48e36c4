// SPDX-License-Identifier: Apache-2.0
#include "session/named_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "strata/error.hpp"
#include "strata/found_file.hpp"
#include "strata/near_names.hpp"

namespace strata {

NamedFiles::NamedFiles(const FileTree& tree, const NamedFolder& folder) : folder_(folder) {
  const std::string code = fmt::format("{}.folder", folder.dialect);
  if (tree.kind(folder.path) != FileKind::folder) {
    throw Error(code, fmt::format("the folder of {} is missing", folder.kinds))
        .in(folder.path)
        .hint(std::string(folder.where));
  }
  const std::size_t above = path_in(folder.path, "").size();
  for (std::string& path : files_in(
           tree, folder.path, {.endings = folder.endings, .below = true, .skipped = folder.skipped, .code = code})) {
    const auto [same, is_new] =
        files_.try_emplace(folder.name_of(std::string_view(path).substr(above)), File{.path = path});
    if (is_new) continue;
    throw Error(fmt::format("{}.duplicate", folder.dialect),
                fmt::format("two files of {} have the name '{}'", folder.kinds, same->first))
        .in(path)
        .hint(fmt::format("the other one is {}", same->second.path));
  }
}

std::vector<std::string> NamedFiles::names() const {
  std::vector<std::string> out;
  for (const auto& file : files_) out.push_back(file.first);
  return out;
}

std::string NamedFiles::path_below(std::string_view name) const {
  const std::string& path = files_.find(name)->second.path;
  return std::string(stem_of(std::string_view(path).substr(path_in(folder_.path, "").size()), folder_.endings));
}

const NamedFiles::File& NamedFiles::file(std::string_view name, Session& session, Origin asked) const {
  if (const auto found = files_.find(name); found != files_.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& file : files_) known.emplace_back(file.first);
  Error error(fmt::format("{}.{}", folder_.dialect, folder_.kind), fmt::format("unknown {} '{}'", folder_.kind, name));
  error.hint(name_hint(known, name, std::string(folder_.otherwise)));
  if (asked) error.at(session.sources(), asked);
  throw Error(std::move(error));
}

void NamedFiles::refuse_gone(const File& file) const {
  throw Error(fmt::format("{}.folder", folder_.dialect), "the file is gone").in(file.path);
}

}  // namespace strata
