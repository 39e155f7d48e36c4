// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/rendering.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "service/buckets/blame.hpp"
#include "service/buckets/failure.hpp"
#include "service/buckets/incoming.hpp"
#include "service/buckets/revision_view.hpp"
#include "service/buckets/work_session.hpp"
#include "service/buckets/yaml.hpp"
#include "strata/deckhand.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::string_view kLayeringPolicy = "deckhand/LayeringPolicy";

/// The row of the document that a rendered one was made from: it keeps the place where it begins.
std::size_t source_row(std::span<const LoadedDocument> documents, const Value& rendered) {
  const auto after = std::ranges::upper_bound(documents, rendered.origin().location, {},
                                              [](const LoadedDocument& one) { return one.root.origin().location; });
  return static_cast<std::size_t>(after - documents.begin()) - 1;
}

/// `[schema, layer] name`
std::string title_of(const store::DocumentHead& head) {
  return Triple{.schema = head.schema, .layer = head.layer, .name = head.name}.to_string();
}

std::shared_ptr<const RenderedRevision> rendered_rows(const Call& call, Stored stored, const RenderKey& key,
                                                      bool blames) {
  const std::size_t bytes = stored.bytes();
  const auto session = work_session(call, bytes);
  const std::vector<LoadedDocument> documents = read_stored(stored, *session);
  deckhand::Request request{
      .streams = {}, .documents = {}, .filters = {}, .cleartext_secrets = key.cleartext || !key.sees_secrets};
  request.keeps_validation_policies = true;
  request.unwraps_managed = false;            // Deckhand stores wrappers as any document.
  request.checks_secrets = key.sees_secrets;  // What is left out is not reported as a failure either.
  request.compat = call.core.settings().answers_as_shipped ? deckhand::Compat::shipped : deckhand::Compat::promised;
  request.documents.reserve(documents.size());
  for (const LoadedDocument& document : documents) request.documents.push_back(document.root);
  for (const auto& [row, why] : stored.broken) request.withheld.push_back(row);
  deckhand::Result result;
  try {
    result = deckhand::render(std::move(request), *session);
  } catch (const deckhand::Refused& refused) {
    throw cannot_render(refused);
  }

  auto out = std::make_shared<RenderedRevision>();
  out->views = std::make_shared<Arena>();
  Views views(*out->views);
  const std::span<const Value> rendered = result.documents.value.items();
  std::vector<std::size_t> shown_rows;
  std::vector<std::size_t> policy_rows;
  for (std::size_t i = 0; i < rendered.size(); ++i) {
    if (result.secrets[i] && !key.sees_secrets) continue;
    const std::size_t row = source_row(documents, rendered[i]);
    const store::DocumentHead& head = *documents[row].head;
    const Value data = rendered[i].entries()[2].value;
    Value metadata = rendered[i].entries()[1].value;
    call.stop.check();
    if (blames) metadata = with_blame(metadata, data, documents, session->sources(), *out->views);
    // A policy that replaces a missing one is of its own revision.
    const bool is_foreign = key.policy == head.number;
    const bool is_policy = head.schema.starts_with("deckhand/ValidationPolicy");
    (is_policy ? out->policies : out->shown)
        .push_back({.head = nullptr,
                    .view = views.view(head, is_foreign ? head.revision : head.since, rendered[i].entries()[0].value,
                                       metadata, data),
                    .is_secret = result.secrets[i],
                    .is_withheld = !result.withheld.empty() && result.withheld[i]});
    (is_policy ? policy_rows : shown_rows).push_back(row);
  }
  if (std::ranges::any_of(out->shown, &Shown::is_withheld) || std::ranges::any_of(out->policies, &Shown::is_withheld)) {
    for (const auto& [row, why] : stored.broken) out->broken.emplace_back(title_of(stored.rows[row].head), why);
  } else {
    std::vector<Value> all;
    all.reserve(out->shown.size());
    for (const Shown& one : out->shown) all.push_back(one.view);
    out->text = yaml_stream(call, all);
  }
  for (store::Document& row : stored.rows) {
    row.metadata = {};
    row.data.reset();
  }
  out->rows = std::move(stored.rows);
  for (std::size_t i = 0; i < shown_rows.size(); ++i) out->shown[i].head = &out->rows[shown_rows[i]].head;
  for (std::size_t i = 0; i < policy_rows.size(); ++i) out->policies[i].head = &out->rows[policy_rows[i]].head;
  out->memory = std::move(result.memory);
  constexpr std::size_t kNodes = 5;  // Bytes of nodes and texts for each byte of JSON.
  out->bytes = kNodes * bytes + out->text.size() + out->views->bytes() + out->rows.size() * sizeof(store::Document);
  return out;
}

}  // namespace

std::string RenderKey::text(const Call& call) const {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", call.project, revision, policy, cleartext, sees_secrets, birth);
}

void refuse_withheld(const RenderedRevision& revision, std::span<const Shown* const> wanted) {
  constexpr std::size_t kNamed = 10;
  const auto lost = std::ranges::find_if(wanted, [](const Shown* one) { return one->is_withheld; });
  if (lost == wanted.end()) return;
  std::string all;
  for (std::size_t i = 0; i < revision.broken.size() && i < kNamed; ++i) {
    all += fmt::format("{}Document {}: {}", i == 0 ? "" : "; ", revision.broken[i].first,
                       revision.broken[i].second.message);
  }
  if (revision.broken.size() > kNamed) all += fmt::format("; and {} more", revision.broken.size() - kNamed);
  Diagnostic why = revision.broken.front().second;
  why.message = fmt::format("Document {} cannot be rendered, because secrets cannot be opened. {}",
                            title_of(*(*lost)->head), all);
  throw Error(std::move(why));
}

std::shared_ptr<const RenderedRevision> rendered_revision(const Call& call, RenderCache& cache,
                                                          const RenderQuestion& question,
                                                          const std::function<bool(const RenderKey&)>& is_known) {
  RenderKey key{.cleartext = question.cleartext, .sees_secrets = call.may("deckhand:list_encrypted_documents")};
  if (!key.sees_secrets) key.cleartext = true;  // Nothing is left to redact.
  std::shared_ptr<const RenderedRevision> out;
  bool is_over = false;
  Stored stored;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    stored = {};
    out = nullptr;
    is_over = false;
    const store::Revision revision = demanded_revision(transaction, project, question.revision, question.unknown);
    key.revision = revision.number;
    key.birth = fmt::format("{} {}", revision.created_at, revision.request.value_or(""));
    std::optional<store::Document> policy;
    if (store::documents_at(transaction, *project, revision.number, kLayeringPolicy).empty())
      policy = store::last_document(transaction, *project, kLayeringPolicy);
    key.policy = policy ? policy->head.number : 0;
    is_over = is_known && is_known(key);
    if (is_over) return;
    if (!question.blames) out = cache.find(key.text(call));
    if (out != nullptr) return;
    stored.rows = store::documents_at(transaction, *project, revision.number);
    if (policy) stored.rows.push_back(*std::move(policy));
    open_secrets(call, transaction, *project, stored);
  });
  if (is_over || out != nullptr) return out;
  out = rendered_rows(call, std::move(stored), key, question.blames);
  if (!question.blames && out->broken.empty()) cache.put(key.text(call), out);
  return out;
}

}  // namespace strata::service::buckets
