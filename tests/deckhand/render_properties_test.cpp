// SPDX-License-Identifier: Apache-2.0
// Laws of rendering, over random sites.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "deckhand/site.hpp"
#include "strata/report.hpp"

namespace strata::deckhand {
namespace {

constexpr std::array<const char*, 3> kLayers{"global", "region", "site"};

std::string name_of(std::size_t i) { return "d" + std::to_string(i); }

/// A document that may be layered on an earlier one and may read earlier ones; without cycles. Numbers show where a
/// value comes from.
Doc random_document(std::size_t i, const std::vector<std::size_t>& layers) {
  const auto number = [i](std::size_t k) { return std::to_string(100 * (i + 1) + k); };
  Doc document{
      .name = name_of(i),
      .layer = kLayers.at(layers[i]),
      .data = "{a: {x: " + number(1) + ", y" + std::to_string(i) + ": [" + number(2) + "]}, own: " + number(3) + "}",
      .more = "labels: {id: " + name_of(i) + "}"};
  if (i == 0) return document;
  const auto earlier = *rc::gen::inRange<std::size_t>(0, i);
  if (layers[earlier] < layers[i]) {
    const auto actions =
        *rc::gen::element<std::string>("[{method: merge, path: .}]", "[{method: replace, path: .}]",
                                       "[{method: merge, path: .a}, {method: replace, path: .own}]",
                                       "[{method: delete, path: .a}, {method: merge, path: .}]",
                                       "[{method: delete, path: .own}]", "[{method: merge, path: .new}]");
    document.layering = selects("{id: " + name_of(earlier) + "}", actions);
  }
  std::string substitutions;
  for (std::size_t k = *rc::gen::inRange<std::size_t>(0, 3); k > 0; --k) {
    const auto from = *rc::gen::element<std::string>(".own", ".a", ".a.x", ".");
    const auto to = *rc::gen::element<std::string>(".a.x", ".s.t", ".l[1]", ".a", ".own");
    substitutions +=
        (substitutions.empty() ? "" : ", ") + substitutes(name_of(*rc::gen::inRange<std::size_t>(0, i)), from, to);
  }
  if (!substitutions.empty()) document.more += ", substitutions: [" + substitutions + "]";
  return document;
}

std::vector<Doc> random_site() {
  const auto count = *rc::gen::inRange<std::size_t>(1, 9);
  std::vector<std::size_t> layers;
  std::vector<Doc> documents;
  for (std::size_t i = 0; i < count; ++i) {
    layers.push_back(*rc::gen::inRange<std::size_t>(0, kLayers.size()));
    documents.push_back(random_document(i, layers));
  }
  return documents;
}

/// What each document is rendered to, or the sorted codes of what is wrong.
std::map<std::string, std::string> rendered_by_name(Site& site) {
  const std::string all = site.render();
  std::map<std::string, std::string> by_name;
  if (!site.result) {
    for (const Finding& finding : site.findings)
      by_name[finding.document.name + finding.diagnostic.code] = finding.diagnostic.message;
    return by_name;
  }
  for (std::size_t i = 0; i < site.result->identities.size(); ++i) {
    by_name[site.result->identities[i].name] = testing::show(site.result->documents.value.items()[i]);
  }
  return by_name;
}

RC_GTEST_PROP(Rendering, DoesNotDependOnTheOrderOfFiles, ()) {
  const std::vector<Doc> documents = random_site();
  std::vector<std::string> texts{kPolicy};
  for (const Doc& document : documents) texts.push_back(document.text());
  Site site;
  for (std::size_t i = 0; i < texts.size(); ++i) site.add(std::to_string(i), texts[i]);
  const auto seed = *rc::gen::arbitrary<unsigned>();
  std::mt19937 random(seed);
  std::ranges::shuffle(texts, random);
  Site shuffled;
  for (std::size_t i = 0; i < texts.size(); ++i) shuffled.add(std::to_string(i), texts[i]);
  RC_ASSERT(rendered_by_name(site) == rendered_by_name(shuffled));
}

RC_GTEST_PROP(Rendering, RemovingWhatNobodyRefersToChangesNothingElse, ()) {
  std::vector<Doc> documents = random_site();
  Site site(documents);
  auto all = rendered_by_name(site);
  RC_PRE(site.result.has_value());
  const std::string last = documents.back().name;
  documents.pop_back();
  Site without(documents);
  all.erase(last);
  RC_ASSERT(rendered_by_name(without) == all);
}

/// Whether the text at a leaf's place says what the leaf is. Numbers are unique here; empty mappings pad lists.
bool holds(const Sources& sources, const Value& leaf) {
  const Place place = sources.place(leaf.origin());
  if (!place.line || !place.column) return false;
  if (leaf.kind() != Kind::integer) return true;
  return sources.line_of(leaf.origin()).substr(*place.column - 1).starts_with(std::to_string(leaf.as_integer()));
}

RC_GTEST_PROP(Rendering, EachLeafHasAnOriginThatHolds, ()) {
  Site plain(random_site());
  Site site;
  site.request = plain.request;
  site.with_history = true;
  const auto all = rendered_by_name(plain);
  RC_ASSERT(rendered_by_name(site) == all);
  RC_PRE(site.result.has_value());
  for (const merge::PathHistory& path : site.history().explain(site.result->documents)) {
    // Where something is gone, a container may have come.
    const auto supplies = [](const merge::Contribution& one) {
      return one.value.is_leaf() && (one.fate == merge::Fate::won || one.fate == merge::Fate::merged);
    };
    const auto suppliers = std::ranges::count_if(path.contributions, supplies);
    if (!path.value) {
      RC_ASSERT(suppliers == 0);
      continue;
    }
    RC_ASSERT(suppliers >= 1);
    RC_ASSERT(holds(site.sources(), path.value));
  }
}

}  // namespace
}  // namespace strata::deckhand
