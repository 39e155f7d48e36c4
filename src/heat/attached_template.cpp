// SPDX-License-Identifier: Apache-2.0
// Reads a template for `compose` through the Snapshot, so that the states of an analysis share it.
//
// Only its references, its declarations and its duplicate keys are kept; they depend on the path and the text alone,
// which are the key of the Snapshot. A template with refused declarations is not shared: each request then reads the
// text itself, and reports the error at its own places. Tested by tests/heat/attachments_test.cpp.
#include "heat/attached_template.hpp"

#include <utility>

#include "heat/schema_reader.hpp"
#include "heat/template.hpp"
#include "heat/url.hpp"
#include "strata/stop.hpp"

namespace strata::heat {
namespace {

/// An AttachedTemplate, or none.
struct ReadTemplate {
  std::shared_ptr<const AttachedTemplate> found;
};

std::shared_ptr<const AttachedTemplate> read_attached(const std::string& path, Sources& texts, SourceId source,
                                                      const Limits& limits) {
  auto document = find_template(texts, {.name = path, .source = source, .document = nullptr}, limits);
  if (!document) return nullptr;
  auto out = std::make_shared<AttachedTemplate>();
  try {
    out->parameters = read_schemata(texts, document->root, *document->arena);
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    return nullptr;
  }
  out->references = files_of_template(document->root, folder_of(url_of_path(path, {})), limits.stop);
  out->repeated_keys = std::move(document->repeated_keys);
  out->arena = std::move(document->arena);
  return out;
}

}  // namespace

std::shared_ptr<const AttachedTemplate> attached_template(const std::string& path, Session& session) {
  const FileReader<ReadTemplate> reader = [&path](Sources& texts, SourceId source, const Limits& limits) {
    auto out = std::make_shared<ReadTemplate>();
    out->found = read_attached(path, texts, source, limits);
    const std::size_t bytes = out->found ? out->found->arena->bytes() : 0;
    return Reading<ReadTemplate>{.parsed = std::move(out), .bytes = bytes};
  };
  const auto read = session.read<ReadTemplate>(path, "template", reader);
  return read ? read->found : nullptr;
}

}  // namespace strata::heat
