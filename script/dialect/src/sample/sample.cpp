// SPDX-License-Identifier: Apache-2.0
#include "strata/sample.hpp"

#include <fmt/format.h>

#include "strata/strategy.hpp"
#include "strata/text.hpp"
#include "value/node_count.hpp"

namespace strata::sample {
namespace {

using merge::Traced;

/// One request.
class Resolution {
 public:
  explicit Resolution(Session& session) : session_(session) {}

  Result run(const Request& request) {
    merge::Accumulator merged(*session_.new_arena(), session_.limits(), session_.recorder());
    merged.start({session_.arena().mapping(), merge::Slot(merge::kNoLayer)});
    for (const std::string& file : request.files) merged.merge(layer(file), merge::deep_replace());
    return {.merged = merged.current(), .memory = session_.memory()};
  }

 private:
  Traced layer(const std::string& file) {
    check_stop(session_.limits().stop);
    const auto document = session_.read<text::Document>(file, "sample", read);
    if (!document) throw Error("sample.missing", "there is no such file").in(file);
    nodes_.add(document->nodes);
    return {document->root, session_.recorder().add_layer(file)};
  }

  static Reading<text::Document> read(Sources& texts, SourceId source, const Limits& limits) {
    auto document = std::make_shared<text::Document>(text::read_yaml(texts, source, text::core12(), limits));
    if (!document->root || document->root.is_null()) document->root = document->arena->mapping();
    if (!document->root.is_mapping()) {
      throw Error("sample.root", fmt::format("a layer must be a mapping, not {}", describe(document->root.kind())))
          .at(texts, document->root.origin());
    }
    const std::size_t bytes = document->arena->bytes();
    return {.parsed = std::move(document), .bytes = bytes};
  }

  Session& session_;
  NodeCount nodes_{session_.limits(), "files"};
};

}  // namespace

Result resolve(const Request& request, Session& session) { return Resolution(session).run(request); }

}  // namespace strata::sample
