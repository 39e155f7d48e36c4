// SPDX-License-Identifier: Apache-2.0
#include "layers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "strata/near_names.hpp"
#include "value/seeded_hash.hpp"

namespace strata::deckhand {
namespace {

/// The policy that counts: the first.
const Document* find_policy(std::span<const Document> documents, const Sources& sources, Diagnostics& diagnostics) {
  const Document* policy = nullptr;
  for (const Document& document : documents) {
    if (!document.schema_name().starts_with(kLayeringPolicy)) continue;
    if (policy == nullptr) {
      policy = &document;
      continue;
    }
    Diagnostic warning = diagnostic(
        sources, "deckhand.policies",
        fmt::format("{}: there is a LayeringPolicy already; this one is ignored", document.identity().to_string()),
        document.origin, "keep one of them");
    warning.notes.push_back(note(sources, policy->origin, "the one that is used"));
    diagnostics.warn(std::move(warning));
  }
  return policy;
}

/// The names of `layerOrder`, none where it cannot be used.
std::optional<std::vector<std::string_view>> layer_order(const Value& data) {
  const Value* order = data.is_mapping() ? data.find("layerOrder") : nullptr;
  if (order == nullptr || !order->is_sequence()) return std::nullopt;
  std::vector<std::string_view> names;
  for (const Value& name : order->items()) {
    if (!name.is_text()) return std::nullopt;
    names.push_back(name.text());
  }
  return names;
}

std::string shown_order(const std::vector<std::string_view>& order) {
  constexpr std::size_t kShown = 50;
  if (order.size() <= kShown) return fmt::format("{}", fmt::join(order, ", "));
  return fmt::format("{}, …", fmt::join(std::span(order).first(kShown), ", "));
}

}  // namespace

void rank_layers(std::span<Document> documents, Session& session, Findings& findings) {
  const Sources& sources = session.sources();
  const Document* policy = find_policy(documents, sources, session.diagnostics());
  if (policy == nullptr) {
    findings.add(
        {.diagnostic = {
             .code = "deckhand.no-policy",
             .message = "there is no LayeringPolicy among the documents",
             .where = {},
             .notes = {},
             .hint = "add a document of the schema deckhand/LayeringPolicy/v1 with data: {layerOrder: [...]}"}});
    return;
  }
  const auto order = layer_order(policy->data);
  if (!order) {
    findings.add(finding(sources, *policy, "deckhand.policy",
                         "its data must be a mapping with 'layerOrder', a sequence of texts", policy->data.origin(),
                         "layerOrder: [global, region, site]"));
    return;
  }
  TextViewSet used;
  for (const Document& document : documents) used.insert(document.layer);
  TextViewMap<std::size_t> ranks;
  std::vector<std::string_view> names;
  for (const std::string_view name : *order) {
    if (!name.empty() && used.contains(name) && ranks.emplace(name, names.size()).second) names.push_back(name);
  }
  for (Document& document : documents) {
    if (document.layer.empty()) continue;
    const auto rank = ranks.find(document.layer);
    if (rank != ranks.end()) {
      document.rank = rank->second;
      continue;
    }
    const std::string_view near = nearest_name(*order, document.layer);
    Finding found = finding(sources, document, "deckhand.layer",
                            fmt::format("its layer '{}' is not in the layer order [{}] of the policy {}",
                                        document.layer, shown_order(names), policy->identity().to_string()),
                            document.layer_value.origin(),
                            near.empty() ? "add it to layerOrder" : fmt::format("did you mean '{}'?", near));
    found.diagnostic.notes.push_back(note(sources, policy->data.origin(), "the layer order"));
    findings.add(std::move(found));
  }
}

}  // namespace strata::deckhand
