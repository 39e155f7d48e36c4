// SPDX-License-Identifier: Apache-2.0
// One rendering from texts to documents.
#include "strata/deckhand.hpp"

#include <algorithm>

#include "data_checks.hpp"
#include "filters.hpp"
#include "layers.hpp"
#include "order.hpp"
#include "output.hpp"
#include "parents.hpp"
#include "pegleg/managed.hpp"
#include "reading.hpp"
#include "renderer.hpp"
#include "schemas.hpp"
#include "structure.hpp"

namespace strata::deckhand {

namespace {

std::vector<Helper> helpers_of(std::span<const Document> documents) {
  std::vector<bool> is_parent(documents.size());
  for (const Document& document : documents) {
    if (document.parent != kNone) is_parent[document.parent] = true;
  }
  std::vector<Helper> out;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const Document& document = documents[i];
    if (document.is_control) continue;
    if (document.is_abstract) {
      out.push_back({.origin = document.origin, .is_abstract = true, .is_used = is_parent[i] || document.is_source});
    } else if (document.replaced_by == kNone && is_secret_type(document.schema_name())) {
      out.push_back({.origin = document.origin, .is_abstract = false, .is_used = document.is_source});
    }
  }
  return out;
}

/// The result if the layers of documents are unknown: none is rendered.
Result unrendered(std::span<const Document> documents, const Request& request, Session& session, Arena& arena) {
  const Rendered failed{.data = {}, .own = {}, .is_failed = true, .from_encrypted = {}};
  Output output(request, session, arena);
  for (const Document& document : documents) output.add(document, failed);
  Result result = output.finish();
  result.memory = session.memory();
  return result;
}

}  // namespace

void check_form(const Value& document, bool require_storage_policy, Session& session) {
  Findings findings;
  if (!check_structure(session.sources(), document, require_storage_policy, findings)) findings.stop();
}

Result render(Request request, Session& session) {
  // Measured on sites: about two bytes of nodes for each byte of text.
  std::size_t bytes = 0;
  for (const Stream& stream : request.streams) bytes += stream.text.size();
  const auto arena = std::make_shared<Arena>(bytes * 2);
  session.keep(arena);

  // Each step needs the ones before it to hold; within a step everything that is wrong is found.
  Findings findings;
  NodeCount nodes(session.limits(), "documents");
  std::vector<Document> documents = read_documents(request, session, arena, nodes, findings);
  if (!findings.empty()) findings.stop();
  if (std::ranges::any_of(documents, [](const Document& one) { return one.is_withheld && one.is_control; })) {
    return unrendered(documents, request, session, *arena);
  }
  decrypt_managed(documents, request.pegleg, session, *arena, findings);
  if (!findings.empty()) findings.stop();
  rank_layers(documents, session, findings);
  if (!findings.empty()) findings.stop();
  select_parents(documents, session, findings);
  if (!findings.empty()) findings.stop();
  find_replacements(documents, session, findings);
  if (!findings.empty()) findings.stop();
  const SourceIndex index = index_sources(documents);
  const std::vector<std::size_t> order = rendering_order(documents, index, session, findings);
  if (!findings.empty()) findings.stop();

  Renderer renderer(documents, index, request, session, *arena, nodes.total(), findings);
  renderer.render(order);
  check_data(documents, order, renderer.rendered(), request, session, findings);
  if (!findings.empty()) findings.stop();

  Output output(request, session, *arena);
  for (const std::size_t number : order) {
    session.stop().check();  // Secret data are hashed.
    output.add(documents[number], renderer.rendered()[number]);
  }
  warn_of_unmatched(documents, request.filters, session.diagnostics());
  Result result = output.finish();
  result.helpers = helpers_of(documents);
  result.memory = session.memory();
  return result;
}

}  // namespace strata::deckhand
