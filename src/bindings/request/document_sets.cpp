#include "bindings/request/document_sets.hpp"

#include <algorithm>
#include <utility>

#include "session/snapshot_state.hpp"
#include "strata/paths.hpp"

namespace strata::bindings {
namespace {

constexpr std::size_t kMostSets = 1000;

}  // namespace

DocumentSet::DocumentSet(std::vector<FoundDocument> all, std::size_t looked_at)
    : found(std::make_shared<const std::vector<FoundDocument>>(std::move(all))),
      seen(looked_at),
      documents(std::vector<std::shared_ptr<const Document>>(found->size())) {
  is_comparable =
      std::ranges::all_of(*found, [](const FoundDocument& one) { return one.path.starts_with('/') && absolute_path("/", one.path) == one.path; });
}

DocumentSet::DocumentSet(const DocumentSet& before, std::vector<std::pair<std::size_t, std::shared_ptr<const Document>>> changed)
    : found(before.found), seen(before.seen), documents(before.documents.with(std::move(changed))), is_comparable(before.is_comparable) {}

std::shared_ptr<DocumentSets> DocumentSets::of(const Session& session) {
  return detail::inherited_part<DocumentSets>(session.snapshot(), "",
                                              [](const std::shared_ptr<DocumentSets>& before, std::span<const std::string> changed) {
                                                return before ? std::make_shared<DocumentSets>(*before, changed) : std::make_shared<DocumentSets>();
                                              });
}

DocumentSets::DocumentSets(DocumentSets& before, std::span<const std::string> changed) {
  {
    const std::lock_guard lock(before.mutex_);
    sets_ = before.sets_;
  }
  std::erase_if(sets_, [](const auto& one) { return !one.second->is_comparable; });
  for (auto& one : sets_) {
    std::vector<std::pair<std::size_t, std::shared_ptr<const Document>>> unknown;
    const std::vector<FoundDocument>& found = *one.second->found;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (std::ranges::find(changed, found[i].path) != changed.end()) unknown.emplace_back(i, nullptr);
    }
    if (!unknown.empty()) one.second = std::make_shared<const DocumentSet>(*one.second, std::move(unknown));
  }
}

std::shared_ptr<const DocumentSet> DocumentSets::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto known = sets_.find(name);
  return known == sets_.end() ? nullptr : known->second;
}

void DocumentSets::set(const std::string& name, std::shared_ptr<const DocumentSet> set) {
  const std::lock_guard lock(mutex_);
  if (sets_.size() >= kMostSets) sets_.clear();
  sets_.insert_or_assign(name, std::move(set));
}

}  // namespace strata::bindings
