// SPDX-License-Identifier: Apache-2.0
#include "locator.hpp"

#include <algorithm>

#include "strata/path.hpp"

namespace strata::analysis {
namespace {

/// The key of a member, an item, or the first key of a document.
Value named_by(const Value& root, std::span<const std::string> tokens) {
  if (tokens.empty()) return root.is_mapping() && root.size() > 0 ? root.entries().front().key : root;
  const Value container = value_at(root, tokens.first(tokens.size() - 1));
  const std::size_t index = container ? index_of_token(container, tokens.back()) : std::string::npos;
  if (index == std::string::npos) return {};
  return container.is_sequence() ? container.items()[index] : container.entries()[index].key;
}

}  // namespace

const edit::Reading* Locator::read(const ConfigurationFile& file) {
  const auto [known, is_new] = readings_.try_emplace(file.path);
  if (!is_new || file.form.syntax == edit::Syntax::other) return known->second.get();
  const auto text = evidence_.ledger.stated().tree().read(file.path);
  if (!text) return nullptr;
  try {
    known->second = std::make_unique<edit::Reading>(evidence_.ledger.stated().shown(file.path), *text, file.form,
                                                    evidence_.settings.limits);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
  }
  return known->second.get();
}

Excerpt Locator::find(const FilePlace& place) {
  if (place.where) return *place.where;
  const edit::Reading* reading = read(place.file);
  if (reading != nullptr && place.document < reading->documents.size()) {
    const std::vector<std::string> tokens = parse_pointer(place.pointer);
    if (const Value value = named_by(reading->documents[place.document].root, tokens)) {
      return excerpt_at(*reading->sources, value.origin());
    }
  }
  return excerpt_of_file(evidence_.ledger.stated().shown(place.file.path));
}

std::optional<std::size_t> Locator::document(const FilePlace& place) {
  const edit::Reading* reading = read(place.file);
  if (reading == nullptr || reading->documents.size() < 2) return std::nullopt;
  if (!place.where) return place.document;
  const auto begins_there = [&](const text::Document& one) {
    const Place begin = reading->sources->place(named_by(one.root, {}).origin());
    return begin.line == place.where->place.line && begin.column == place.where->place.column;
  };
  const auto found = std::ranges::find_if(reading->documents, begins_there);
  if (found == reading->documents.end()) return std::nullopt;
  return static_cast<std::size_t>(found - reading->documents.begin());
}

StatementPlaces::StatementPlaces(const Ledger& ledger) {
  for (const auto& file : ledger.stated().files()) {
    for (const LeafRecord& leaf : file->leaves) {
      leaves_.emplace(spot_of(file->reading->sources->place(leaf.value.origin())),
                      &ledger.stated().all()[leaf.statement]);
    }
  }
  for (const Statement& one : ledger.stated().all()) {
    (one.is_item ? items_ : members_).emplace(spot_of(excerpt_of(ledger, one).place), &one);
    // Containers are not among the leaves: by where they begin.
    if (one.value.is_container()) {
      const Sources& sources = *ledger.stated().files()[one.file]->reading->sources;
      leaves_.emplace(spot_of(sources.place(one.value.origin())), &one);
    }
  }
}

const Statement* StatementPlaces::find(const Index& in, const Spot& spot) {
  const auto found = in.find(spot);
  return found == in.end() ? nullptr : found->second;
}

}  // namespace strata::analysis
