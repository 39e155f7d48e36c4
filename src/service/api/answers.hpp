// SPDX-License-Identifier: Apache-2.0
// What answers of strata's own API have in common: results with their places and histories, entity tags, secrets.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service/entity_tags.hpp"
#include "service/face.hpp"
#include "service/sites/sites.hpp"
#include "service/sites/state.hpp"
#include "strata/analysis.hpp"
#include "strata/builder.hpp"
#include "strata/value.hpp"

namespace strata::service::api {

/// A value with `{"secret": true}` in the place of each that is secret.
[[nodiscard]] Value redacted(Arena& arena, const Value& value);

/// How a result is shown.
struct Form {
  bool blame = false;
  std::optional<std::string> explain = {};  ///< A JSON Pointer: its history and that of what is below it.
  bool cleartext = false;                   ///< Secrets are shown.
  const Stop* stop = nullptr;               ///< Ends the making of an answer. It must outlive that.
};
/// Reads `blame`, `explain`, `secrets`. Error (Refused, 403) for secrets in clear text without the right to them.
[[nodiscard]] Form form_of(const Call& call);
/// Whether an evaluation for this form records a history.
[[nodiscard]] inline analysis::Question::History history_for(const Form& form) {
  return form.explain ? analysis::Question::History::yes : analysis::Question::History::no;
}

/// A part of an outcome.
struct Result {
  Value value;
  merge::Traced item = {};              ///< The item that it is of, with its history.
  std::vector<std::string> below = {};  ///< Where it is in the item.
};
/// The whole of an outcome: its one value, or a mapping of its items. Error: the failure of the outcome, or of an item.
[[nodiscard]] Result whole(Arena& arena, const analysis::Outcome& outcome);
/// That a node has no such value: `hiera.key-not-found` for a site of Hiera, else `site.key`.
[[nodiscard]] std::string missing_key_code(const analysis::Question& question);
[[nodiscard]] Error missing_key(const analysis::Question& question, std::string_view site, std::string_view key,
                                std::string_view node);

/// What a key names: a key of Hiera what a lookup of it finds, with quotes and dots as there; any other an item, a
/// member of the only one, or with dots a part of it. No value: nothing has the name. Errors: as above; `hiera.key`,
/// `hiera.dig`.
[[nodiscard]] std::optional<Result> part(const analysis::Question& question, const analysis::Outcome& outcome,
                                         std::string_view key);

/// The members `value`, `blame`, `history` of a result.
void add_result(MappingBuilder& out, Arena& arena, const analysis::Outcome& outcome, const Result& result,
                const Form& form);
/// Warnings as a list of `{code, message, file, line, column}`, each once.
[[nodiscard]] Value warnings_value(Arena& arena, const std::vector<Diagnostic>& warnings);
/// `{name, generation, commit}`
[[nodiscard]] Value site_value(Arena& arena, const std::string& name, const sites::SiteState& state);
[[nodiscard]] Value site_value(Arena& arena, const std::string& name, const sites::Tree& tree);

/// The entity tag of the plain answer with a value: without blame, history or secrets in clear text. It changes with a
/// secret, too, and reveals nothing about it. `key`: what was asked for; empty for everything. Tags of secrets in
/// different places are different, whatever these are: the tags of guesses reveal no secret.
[[nodiscard]] std::string result_tag(Arena& arena, const sites::SiteState& state, std::string_view key,
                                     const Value& value);
/// The same for an answer with more than the value: `content` shows no secrets.
[[nodiscard]] std::string answer_tag(const sites::SiteState& state, std::string_view key, std::string_view content,
                                     const Value& value);
/// An answer that must not be kept: it shows secrets. The audit records it.
[[nodiscard]] Response secret_response(const Call& call, std::string body);

}  // namespace strata::service::api
