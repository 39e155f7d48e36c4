// SPDX-License-Identifier: Apache-2.0
#include "parents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "near_parents.hpp"
#include "strata/scalar_text.hpp"
#include "strata/stop.hpp"
#include "value/seeded_hash.hpp"

namespace strata::deckhand {
namespace {

/// A label with its value as a key to look up; values of different kinds differ.
void append_pair(std::string& out, const Entry& label) {
  const std::string_view name = label.key.text();
  const std::string text = label.value.is_text() ? std::string() : scalar_text(label.value);
  const std::string_view value = label.value.is_text() ? label.value.text() : text;
  out += fmt::format("{}:{}={}{}:{};", name.size(), name, static_cast<int>(label.value.kind()), value.size(), value);
}

std::string pair_key(const Entry& label) {
  std::string out;
  append_pair(out, label);
  return out;
}

/// The documents that carry all labels of one selector, for all documents that select by it.
struct Matches {
  std::vector<std::size_t> documents;      ///< From the highest layer down, in input order.
  std::vector<std::size_t> layers_before;  ///< For each of them: how many layers those up to it are in.
  std::size_t other_schema = kNone;        ///< Position of the first that has not the schema of the first one.
};

class Selection {
 public:
  Selection(std::span<Document> documents, Session& session, Findings& findings)
      : documents_(documents),
        sources_(session.sources()),
        stop_(&session.stop()),
        findings_(findings),
        diagnostics_(session.diagnostics()),
        near_parents_(documents, session) {}

  void run() {
    index_labels();
    for (Document& child : documents_) {
      stop_.tick(kDocumentWork);
      if (child.selector) select(child);
    }
  }

 private:
  static constexpr std::uint32_t kDocumentWork = 16;  ///< Some labels.

  void index_labels() {
    std::vector<std::size_t> walk;
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      if (documents_[i].rank != kNone && documents_[i].labels) walk.push_back(i);
    }
    std::ranges::stable_sort(walk, {}, [this](std::size_t i) { return documents_[i].rank; });
    for (const std::size_t i : walk) {
      stop_.tick(kDocumentWork);
      for (const Entry& label : documents_[i].labels.entries()) carriers_[pair_key(label)].push_back(i);
    }
  }

  /// Many children share a selector: what it matches is found once.
  const Matches& matches_of(const Value& selector) {
    std::vector<std::string> pairs;
    for (const Entry& label : selector.entries()) pairs.push_back(pair_key(label));
    std::ranges::sort(pairs);
    std::string key;
    for (const std::string& pair : pairs) key += pair;
    const auto [found, is_new] = matches_.try_emplace(std::move(key));
    if (is_new) found->second = find_matches(selector, pairs);
    return found->second;
  }

  Matches find_matches(const Value& selector, const std::vector<std::string>& pairs) {
    Matches matches;
    const std::vector<std::size_t>* rarest = nullptr;
    for (const std::string& pair : pairs) {
      const auto found = carriers_.find(pair);
      if (found == carriers_.end()) return matches;
      if (rarest == nullptr || found->second.size() < rarest->size()) rarest = &found->second;
    }
    if (rarest == nullptr) return matches;
    for (const std::size_t i : *rarest) {
      stop_.tick();
      if (pairs.size() == 1 || carries(documents_[i].labels, selector)) add(matches, i);
    }
    return matches;
  }

  static bool carries(const Value& labels, const Value& selector) {
    return std::ranges::all_of(selector.entries(), [&labels](const Entry& wanted) {
      const Value* found = labels.find(wanted.key);
      return found != nullptr && equal(*found, wanted.value);
    });
  }

  void add(Matches& matches, std::size_t i) const {
    const bool is_first = matches.documents.empty();
    const bool same_layer = !is_first && documents_[matches.documents.back()].rank == documents_[i].rank;
    matches.layers_before.push_back(is_first ? 1 : matches.layers_before.back() + (same_layer ? 0 : 1));
    if (!is_first && matches.other_schema == kNone &&
        documents_[i].schema_name() != documents_[matches.documents.front()].schema_name()) {
      matches.other_schema = matches.documents.size();
    }
    matches.documents.push_back(i);
  }

  void select(Document& child) {
    const auto self = static_cast<std::size_t>(&child - documents_.data());
    const Matches& matches = matches_of(child.selector);
    const auto& all = matches.documents;
    if (all.empty() || (all.size() == 1 && all.front() == self)) return warn_of_none(child);
    const std::size_t rank = child.rank == kNone ? 0 : child.rank;
    const auto above = static_cast<std::size_t>(
        std::ranges::lower_bound(all, rank, {}, [this](std::size_t i) { return documents_[i].rank; }) - all.begin());

    // The first in the order of the walk is the one to tell of. A document never matches itself.
    const bool first_differs = documents_[all.front()].schema_name() != child.schema_name();
    const std::size_t foreign = first_differs ? 0 : matches.other_schema;
    const std::size_t beside = above + (above < all.size() && all[above] == self ? 1 : 0);
    const std::size_t not_above = beside < all.size() ? beside : kNone;
    if (const std::size_t wrong = std::min(foreign, not_above); wrong != kNone)
      return refuse(child, documents_[all[wrong]], wrong == foreign);

    if (above == 0) return warn_of_none(child);
    // As the reference counts: a candidate in a nearer layer displaces one, and one only.
    const std::size_t count = above - matches.layers_before[above - 1] + 1;
    if (count > 1) return refuse_several(child, all, above, count);
    child.parent = all[above - 1];
  }

  void refuse(const Document& child, const Document& match, bool is_foreign) {
    const std::string reason =
        is_foreign ? fmt::format("its schema is not {}", child.schema_name())
                   : fmt::format("its layer '{}' is not above the layer '{}'", match.layer, child.layer);
    Finding found =
        finding(sources_, child, "deckhand.parent",
                fmt::format("it selects {} by its labels, which cannot be its parent: {}", match.identity().to_string(),
                            reason),
                child.selector.origin(),
                "a selector must match documents of the same schema in higher layers only: use another label");
    found.diagnostic.notes.push_back(
        note(sources_, match.labels.origin(), "the labels that it selects", match.lines()));
    findings_.add(std::move(found));
  }

  void refuse_several(const Document& child, const std::vector<std::size_t>& all, std::size_t above,
                      std::size_t count) {
    Finding found = finding(sources_, child, "deckhand.parents",
                            fmt::format("its parentSelector leaves {} candidates for its parent", count),
                            child.selector.origin(), "each layer may have one document with these labels");
    constexpr std::size_t kShown = 10;
    for (std::size_t i = 0; i < std::min(above, kShown); ++i) {
      const Document& candidate = documents_[all[i]];
      found.diagnostic.notes.push_back(
          note(sources_, candidate.labels.origin(), candidate.identity().to_string(), candidate.lines()));
    }
    findings_.add(std::move(found));
  }

  void warn_of_none(const Document& child) {
    Diagnostic warning =
        diagnostic(sources_, "deckhand.no-parent",
                   fmt::format("{}: no document has the labels of its parentSelector, so its actions do not run",
                               child.identity().to_string()),
                   child.selector.origin(), "", child.lines());
    for (const NearParent& near : near_parents_.find(child)) {
      const Document& candidate = documents_[near.document];
      warning.notes.push_back(note(sources_, near.labels.origin(),
                                   fmt::format("{} is near: {}", candidate.identity().to_string(), near.difference),
                                   candidate.lines()));
    }
    diagnostics_.warn(std::move(warning));
  }

  std::span<Document> documents_;
  const Sources& sources_;
  StopCheck stop_;
  Findings& findings_;
  Diagnostics& diagnostics_;
  NearParents near_parents_;
  TextMap<std::vector<std::size_t>> carriers_;  ///< Of a label with its value, in the order of the walk.
  TextMap<Matches> matches_;                    ///< By selector.
};

}  // namespace

void select_parents(std::span<Document> documents, Session& session, Findings& findings) {
  Selection(documents, session, findings).run();
}

}  // namespace strata::deckhand
