// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <fmt/format.h>

#include <array>

#include "filters.hpp"
#include "redaction.hpp"
#include "strata/builder.hpp"
#include "strata/report.hpp"

namespace strata::deckhand {

using merge::Traced;

Output::Output(const Request& request, Session& session, Arena& arena)
    : request_(request),
      sources_(session.sources()),
      diagnostics_(session.diagnostics()),
      arena_(arena),
      recorder_(session.recorder()),
      keys_{arena.key("schema"), arena.key("metadata"), arena.key("data")} {}

namespace {

/// What brought values that met nothing: the action of a document that has one besides deletions. Of several, only what
/// met says which.
const Value* only_action(const Document& document) {
  const Value* only = nullptr;
  if (document.parent == kNone) return nullptr;
  for (const Value& action : document.actions.items()) {
    if (action.find("method")->text() == "delete") continue;
    if (only != nullptr) return nullptr;
    only = &action;
  }
  return only;
}

}  // namespace

void Output::add(const Document& document, const Rendered& rendered) {
  if (!document.is_output(request_.keeps_validation_policies) || !is_wanted(document, request_.filters)) return;
  if (rendered.is_failed) return add_withheld(document);
  Traced data = rendered.data;
  Value metadata = document.metadata;
  const bool redacts = rendered.is_encrypted && !request_.cleartext_secrets;
  if (redacts) {
    metadata = redacted_metadata(
        metadata, [&rendered](std::size_t i) { return rendered.from_encrypted[i]; }, arena_);
    const Value hash = redacted_data(data.value, arena_).with_origin(data.value.origin());
    data = recorder_.derive(hash, std::array<Traced, 1>{data});
  } else if (rendered.is_tainted && !request_.cleartext_secrets && report::holds_secret(data.value)) {
    diagnostics_.warn(
        diagnostic(sources_, "deckhand.secret-leak",
                   fmt::format("{}: it is cleartext, but {}, which are shown", document.identity().to_string(),
                               rendered.is_betrayed ? "holds secrets by way of containers that documents share"
                                                    : "was layered on a document with secrets"),
                   document.origin, "storagePolicy: encrypted", Lines::hidden));
  }
  const std::array<Entry, 3> entries{Entry{keys_[0], document.schema}, Entry{keys_[1], metadata},
                                     Entry{keys_[2], data.value}};
  if (const Value* action = recorder_.keeps() ? only_action(document) : nullptr; action != nullptr) {
    const merge::Following following(recorder_, [action] {
      return merge::Rule{.text = std::string(action->find("method")->text()), .option = action->origin()};
    });
    data = recorder_.ruled(data);
  }
  const Value shown = arena_.mapping(entries, KeyEquality::exact).with_origin(document.origin);
  documents_.push_back(recorder_.compose(
      shown, std::array<Traced, 3>{Traced{document.schema, rendered.own}, Traced{metadata, rendered.own}, data}));
  identities_.push_back(document.identity());
  secrets_.push_back(rendered.is_encrypted || rendered.is_tainted);
  if (!withheld_.empty()) withheld_.push_back(false);
}

/// A document without data, where those of some cannot be read.
void Output::add_withheld(const Document& document) {
  const std::array<Entry, 3> entries{Entry{keys_[0], document.schema}, Entry{keys_[1], document.metadata},
                                     Entry{keys_[2], Value::null()}};
  documents_.push_back({arena_.mapping(entries, KeyEquality::exact).with_origin(document.origin), {}});
  identities_.push_back(document.identity());
  secrets_.push_back(true);  // It is made of what is secret.
  withheld_.resize(documents_.size(), false);
  withheld_.back() = true;
}

Result Output::finish() {
  SequenceBuilder all(arena_, documents_.size());
  for (const Traced& document : documents_) all.append(document.value);
  return {.documents = recorder_.compose(all.finish(), documents_),
          .identities = std::move(identities_),
          .secrets = std::move(secrets_),
          .withheld = std::move(withheld_),
          .memory = {}};
}

}  // namespace strata::deckhand
