// SPDX-License-Identifier: Apache-2.0
// A whole rendering. The bytes are streams of documents that end at a byte FF; the first byte of all says what is asked
// for. A rendering with a history gives the same documents as one without, and what is told of it can always be made.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "strata/deckhand.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace {

using namespace strata;

deckhand::Request read_request(std::string_view bytes) {
  deckhand::Request request;
  if (bytes.empty()) return request;
  const auto flags = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  request.cleartext_secrets = (flags & 1U) != 0;
  request.require_storage_policy = (flags & 2U) != 0;
  request.compat = (flags & 4U) != 0 ? deckhand::Compat::shipped : deckhand::Compat::promised;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\xFF'), bytes.size());
    request.streams.push_back(
        {.name = "f" + std::to_string(request.streams.size()), .text = std::string(bytes.substr(0, end))});
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return request;
}

void check_told(const Diagnostic& told) {
  if (told.message.empty() || told.code.empty() || format(told, "error").empty()) std::abort();
}

/// The documents as text, or none where the rendering fails.
std::optional<std::string> run(const deckhand::Request& request, bool with_history) {
  const Limits limits{.depth = 60,
                      .input = std::size_t{1} << 18,
                      .aliases = 2000,
                      .result = 20'000,
                      .include_depth = 5,
                      .includes = 20,
                      .steps = 20'000};
  Session session(Snapshot::make(Engine::make({.file_cache = 0}), memory_tree({})),
                  {.limits = limits, .keeps_history = with_history});
  const Sources& sources = session.sources();
  std::optional<deckhand::Result> result;
  try {
    result = deckhand::render(request, session);
  } catch (const deckhand::Refused& refused) {
    for (const deckhand::Finding& finding : refused.findings()) check_told(finding.diagnostic);
    return std::nullopt;
  } catch (const Error& error) {
    check_told(error.diagnostic());
    return std::nullopt;
  }
  for (const Diagnostic& warning : session.diagnostics().warnings()) check_told(warning);
  Arena arena;
  (void)report::blame_documents_text(sources, result->documents.value, {});
  (void)report::blame_data(arena, sources, result->documents.value);
  if (with_history) {
    const merge::History& history = *session.recorder().history();
    const auto paths = history.explain(result->documents);
    (void)report::explain_text(sources, history, paths);
    (void)report::explain_data(arena, sources, history, paths);
  }
  return text::write_yaml(result->documents.value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const deckhand::Request request = read_request({reinterpret_cast<const char*>(data), size});
  if (run(request, false) != run(request, true)) std::abort();
  return 0;
}
