// SPDX-License-Identifier: Apache-2.0
#include "shared_writes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "deckhand/path/rendering.hpp"
#include "findings.hpp"
#include "renderer.hpp"
#include "value/seeded_hash.hpp"

namespace strata::deckhand {
namespace {

constexpr std::size_t kShown = 10;

/// The documents that hold a container.
struct Holders {
  std::vector<std::size_t> first;  ///< In input order, enough to be shown.
  std::size_t count = 0;
};

using HoldersOf = std::unordered_map<const void*, Holders>;

/// Adds a document to the holders of what it holds.
void add_holder(HoldersOf& holders, std::size_t document, const Value& data, const Rendering& rendering) {
  StopCheck stop(rendering.session.limits().stop);
  std::unordered_set<const void*> seen;
  std::vector<Value> open;
  const auto enter = [&](const Value& value) {
    stop.tick();
    if (rendering.sharing.is_shared(value) && seen.insert(Sharing::identity(value)).second) open.push_back(value);
  };
  enter(data);
  while (!open.empty()) {
    const Value here = open.back();
    open.pop_back();
    if (const auto found = holders.find(Sharing::identity(here)); found != holders.end()) {
      ++found->second.count;
      // One more than are shown: the writer is left out.
      if (found->second.first.size() <= kShown) found->second.first.push_back(document);
    }
    if (here.is_sequence()) {
      for (const Value& item : here.items()) enter(item);
    } else {
      for (const Entry& entry : here.entries()) enter(entry.value);
    }
  }
}

/// The destinations of one document, in the order in which they are written.
class Destinations {
 public:
  /// Whether sharing may be seen from now on.
  bool add(const Value& destination) {
    std::string_view path = destination.find("path")->text();
    if (path.starts_with('$')) path.remove_prefix(1);
    if (path == ".") path = {};
    const Value* pattern = destination.find("pattern");
    const bool takes_text = pattern != nullptr && !(pattern->is_text() && pattern->text().empty());
    const bool is_plain =
        path.find_first_of(" \t*[]'\"`(),|&$") == std::string_view::npos && path.find("..") == std::string_view::npos;
    if (!is_plain || (takes_text && destination.find("recurse") != nullptr && !received_.empty())) return true;
    if (goes_below_received(path)) return true;
    if (!takes_text) received_.insert(path);
    received_count_ += takes_text ? 0 : 1;
    return false;
  }

  [[nodiscard]] std::size_t received() const noexcept { return received_count_; }

 private:
  /// Two steps at least: the first one changes the copy alone.
  [[nodiscard]] bool goes_below_received(std::string_view path) const {
    if (received_.empty()) return false;
    for (int steps = 0; !path.empty(); ++steps) {
      path = path.substr(0, std::min(path.rfind('.'), path.size() - 1));
      if (steps > 0 && received_.contains(path)) return true;
    }
    return false;
  }

  TextViewSet received_;  ///< Paths that took a value.
  std::size_t received_count_ = 0;
};

bool document_may_show_sharing(const Document& document) {
  Destinations destinations;
  for (const Value& entry : document.substitutions.items()) {
    const Value& to = *entry.find("dest");
    if (!to.is_sequence()) {
      if (destinations.add(to)) return true;
    } else if (std::ranges::any_of(to.items(), [&destinations](const Value& one) { return destinations.add(one); })) {
      return true;
    }
  }
  return destinations.received() > 1 && (document.is_base || document.is_source);
}

}  // namespace

bool may_show_sharing(std::span<const Document> documents) {
  return std::ranges::any_of(documents, [](const Document& document) {
    return document.substitutions && document_may_show_sharing(document);
  });
}

void SharedWrites::add(std::size_t document, std::size_t source, std::vector<SharedWrite> writes) {
  for (SharedWrite& write : writes)
    entries_.push_back({.document = document, .source = source, .write = std::move(write)});
}

void SharedWrites::warn(std::span<const Document> documents, std::span<const Rendered> rendered,
                        const Rendering& rendering) const {
  if (entries_.empty()) return;
  HoldersOf holders;
  for (const Entry& entry : entries_) {
    for (const void* container : entry.write.containers) holders.try_emplace(container);
  }
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (rendered[i].shares && !rendered[i].is_failed) add_holder(holders, i, rendered[i].data.value, rendering);
  }
  const Sources& sources = rendering.session.sources();
  for (const Entry& entry : entries_) {
    std::set<std::size_t> others;
    std::size_t count = 0;
    for (const void* container : entry.write.containers) {
      const Holders& found = holders.at(container);
      others.insert(found.first.begin(), found.first.end());
      count = std::max(count, found.count);
    }
    count = std::max(count, others.size()) - (others.contains(entry.document) ? 1 : 0);
    others.erase(entry.document);
    if (others.empty()) continue;
    std::string names;
    for (const std::size_t other : others) {
      if (names.empty()) {
        names = documents[other].identity().to_string();
      } else {
        names += ", " + documents[other].identity().to_string();
      }
    }
    if (count > others.size()) names += fmt::format(" and {} more", count - others.size());
    const Document& document = documents[entry.document];
    rendering.session.diagnostics().warn(diagnostic(
        sources, "deckhand.shared-container",
        fmt::format("{}: its substitution from {} writes to '{}' in a container that it shares, which changes {} too",
                    document.identity().to_string(), documents[entry.source].identity().to_string(),
                    entry.write.path.text(), names),
        entry.write.path.origin(), "write `deepcopy: true` in the `src` of the substitution that took the container",
        document.lines()));
  }
}

}  // namespace strata::deckhand
