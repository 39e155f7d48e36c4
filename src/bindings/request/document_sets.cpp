// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/document_sets.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "session/snapshot_state.hpp"
#include "strata/paths.hpp"

namespace strata::bindings {
namespace {

constexpr std::size_t kMostSets = 1000;

}  // namespace

FoundDocuments::FoundDocuments(std::vector<FoundDocument> found) : all(std::move(found)), by_path(all.size()) {
  std::iota(by_path.begin(), by_path.end(), 0U);
  std::ranges::sort(by_path, {}, [this](std::uint32_t place) -> const std::string& { return all[place].path; });
  is_comparable = std::ranges::all_of(all, [](const FoundDocument& one) {
    return one.path.starts_with('/') && absolute_path("/", one.path) == one.path;
  });
}

std::span<const std::uint32_t> FoundDocuments::places_of(std::string_view path) const noexcept {
  const auto path_of = [this](std::uint32_t place) -> std::string_view { return all[place].path; };
  const auto first = std::ranges::lower_bound(by_path, path, {}, path_of);
  const auto last = std::ranges::upper_bound(first, by_path.end(), path, {}, path_of);
  return {first, last};
}

DocumentSet::DocumentSet(std::vector<FoundDocument> all, std::size_t looked_at)
    : found(std::make_shared<const FoundDocuments>(std::move(all))),
      seen(looked_at),
      documents(std::make_shared<const DocumentList>(std::vector<std::shared_ptr<const Document>>(found->all.size()))),
      missing(found->all.size()) {
  std::iota(missing.begin(), missing.end(), std::size_t{0});
}

DocumentSet::DocumentSet(const DocumentSet& before, std::span<const std::size_t> places) {
  std::vector<FoundDocument> some;
  std::vector<std::shared_ptr<const Document>> known;
  some.reserve(places.size());
  known.reserve(places.size());
  for (const std::size_t place : places) {
    if ((*before.documents)[place] == nullptr) missing.push_back(some.size());
    some.push_back(before.found->all[place]);
    known.push_back((*before.documents)[place]);
  }
  found = std::make_shared<const FoundDocuments>(std::move(some));
  documents = std::make_shared<const DocumentList>(std::move(known));
}

DocumentSet::DocumentSet(const DocumentSet& before, Changes changed) : found(before.found), seen(before.seen) {
  std::vector<std::size_t> unread;
  std::vector<std::size_t> others;
  for (const auto& [place, document] : changed) {
    others.push_back(place);
    if (document == nullptr) unread.push_back(place);
  }
  std::vector<std::size_t> still;
  std::ranges::set_difference(before.missing, others, std::back_inserter(still));
  std::ranges::merge(still, unread, std::back_inserter(missing));
  documents = std::make_shared<const DocumentList>(before.documents->with(std::move(changed)));
}

std::shared_ptr<DocumentSets> DocumentSets::of(const Session& session) {
  return detail::inherited_part<DocumentSets>(
      session.snapshot(), "", [](const std::shared_ptr<DocumentSets>& before, std::span<const std::string> changed) {
        return before ? std::make_shared<DocumentSets>(*before, changed) : std::make_shared<DocumentSets>();
      });
}

DocumentSets::DocumentSets(DocumentSets& before, std::span<const std::string> changed) {
  {
    const std::lock_guard lock(before.mutex_);
    sets_ = before.sets_;
  }
  std::erase_if(sets_, [](const auto& one) { return !one.second->found->is_comparable; });
  for (auto& one : sets_) {
    std::set<std::size_t> places;
    for (const std::string& path : changed) {
      const auto of_path = one.second->found->places_of(path);
      places.insert(of_path.begin(), of_path.end());
    }
    DocumentSet::Changes unknown;
    for (const std::size_t place : places) unknown.emplace_back(place, nullptr);
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
