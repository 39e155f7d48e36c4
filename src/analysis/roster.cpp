// SPDX-License-Identifier: Apache-2.0
#include "roster.hpp"

#include <algorithm>
#include <unordered_map>

namespace strata::analysis {

Roster::Roster(const Question& question, const State& state) : inputs_(state.inputs) {
  const auto asked = question.in(state);
  std::unordered_map<const Reads*, Class> known;
  while (const auto subject = asked->next()) {
    const auto member = subject->member();
    auto reads = member ? subject->reads() : nullptr;
    if (member && !reads) {
      is_known_before_ = false;
      (void)subject->ask(std::nullopt);
      reads = subject->reads();
    }
    if (!reads) {
      is_complete_ = false;
      break;
    }
    const auto [place, is_new] = known.try_emplace(reads.get(), static_cast<Class>(classes_.size()));
    if (is_new) classes_.push_back(reads);
    // Taken now, the view of the subject need not be made again for the first edit.
    entries_.push_back({.member = member,
                        .of = place->second,
                        .basis = is_known_before_ ? std::optional(subject->basis()) : std::nullopt});
  }
  if (!is_complete_) {
    entries_.clear();
    classes_.clear();
  }
  for (Class number = 0; number < classes_.size(); ++number) {
    for (const std::string& path : classes_[number]->files) by_path_[path].push_back(number);
    for (const std::string& path : classes_[number]->folders) by_path_[path].push_back(number);
  }
}

std::size_t Roster::bytes() const {
  constexpr std::size_t kOfEntry = 1024;  // The member with what makes it a subject again.
  constexpr std::size_t kOfBasis = 512;
  constexpr std::size_t kOfPath = 160;  // In two tables.
  std::size_t out = entries_.size() * (sizeof(Entry) + kOfEntry);
  for (const Entry& entry : entries_) out += entry.basis ? kOfBasis : 0;
  for (const auto& one : classes_) {
    for (const auto* paths : {&one->files, &one->folders}) {
      for (const std::string& path : *paths) out += kOfPath + path.size();
    }
  }
  return out;
}

std::vector<bool> Roster::touched_by(const std::set<std::string>& files) const {
  std::vector<bool> out(classes_.size(), false);
  std::set<std::string_view> paths;
  for (const std::string& file : files) {
    // Files come and go with the folders around them.
    for (std::string_view at = file; paths.insert(at).second && at != "/";)
      at = at.substr(0, std::max<std::size_t>(at.rfind('/'), 1));
  }
  for (const std::string_view path : paths) {
    const auto found = by_path_.find(path);
    if (found == by_path_.end()) continue;
    for (const Class number : found->second) out[number] = true;
  }
  return out;
}

}  // namespace strata::analysis
