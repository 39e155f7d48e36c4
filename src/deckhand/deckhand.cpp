// One rendering from texts to documents.
#include "strata/deckhand.hpp"

#include <fmt/format.h>

#include "data_checks.hpp"
#include "layers.hpp"
#include "order.hpp"
#include "output.hpp"
#include "parents.hpp"
#include "reading.hpp"
#include "renderer.hpp"
#include "strata/stop.hpp"

namespace strata::deckhand {

Result render(Request request, Sources& sources, Diagnostics& diagnostics, const Limits& limits, merge::Recorder& recorder) {
  // Measured on sites: about two bytes of nodes for each byte of text.
  std::size_t bytes = 0;
  for (const Stream& stream : request.streams) bytes += stream.text.size();
  const auto arena = std::make_shared<Arena>(bytes * 2);
  Result result;
  result.arenas.push_back(arena);

  // Each step needs the ones before it to hold; within a step everything that is wrong is found.
  Findings findings;
  std::size_t nodes = 0;
  std::vector<Document> documents = read_documents(request, sources, arena, limits, nodes, findings);
  if (!findings.empty()) findings.stop();
  rank_layers(documents, sources, findings, diagnostics);
  if (!findings.empty()) findings.stop();
  select_parents(documents, sources, limits, findings, diagnostics);
  if (!findings.empty()) findings.stop();
  find_replacements(documents, sources, limits, findings, diagnostics);
  if (!findings.empty()) findings.stop();
  const SourceIndex index = index_sources(documents);
  const std::vector<std::size_t> order = rendering_order(documents, index, sources, limits, findings);
  if (!findings.empty()) findings.stop();

  Renderer renderer(documents, index, request, sources, *arena, limits, recorder, nodes, findings, diagnostics);
  renderer.render(order);
  check_data(documents, order, renderer.rendered(), sources, limits, findings);
  if (!findings.empty()) findings.stop();

  Output output(request, sources, diagnostics, *arena, recorder);
  for (const std::size_t number : order) {
    check_stop(limits.stop);  // Secret data are hashed.
    output.add(documents[number], renderer.rendered()[number]);
  }
  output.finish(result);
  return result;
}

}  // namespace strata::deckhand
