// SPDX-License-Identifier: Apache-2.0
#include "analysis/secret_texts.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "analysis/secrets/node_masks.hpp"
#include "analysis/secrets/secret_values.hpp"
#include "analysis/secrets/text_forms.hpp"
#include "edit/target.hpp"
#include "strata/error.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"
#include "strata/texts_with_secrets.hpp"

namespace strata::analysis {
SecretTexts::SecretTexts(const FileTree& tree, std::span<const std::string> paths, const query::Traits& traits,
                         Limits limits)
    : names_(traits, std::move(limits)) {
  for (const std::string& path : paths) {
    if (const std::optional<std::string> text = tree.read(path)) names_.learn(path, *text, nullptr);
  }
}

SecretTexts::SecretTexts(std::span<const Text> texts, const query::Traits& traits, Limits limits)
    : names_(traits, std::move(limits)) {
  for (const Text& one : texts) names_.learn(one.path, one.reading->text(), one.reading);
}

/// What the files say, with the places and names of `known`.
std::string SecretTexts::shown_alone(std::string_view path, std::string_view text, const TextKnowledge& known) const {
  const std::string all(report::kMask);
  if (names_.is_unknown()) return all + '\n';
  if (path.ends_with(".pp") && is_in(text, "Sensitive")) return all + '\n';
  const bool has_words = names_.has_words();
  const bool has_documents = names_.traits().has_documents && is_in(text, "encrypted");
  const bool has_rules = has_documents || names_.has_rules() || known.has_names();
  if (!has_rules && known.places.empty()) return std::string(text);
  // Archives and packed texts.
  if (text::find_invalid_utf8(text) != std::string_view::npos ||
      (has_words && is_in(text, "base64") && is_in(text, "Content-Transfer-Encoding")))
    return all + '\n';
  // Places are counted by the lines of a reader, and shown are those of people.
  if (!known.places.empty() && has_other_breaks(text)) return all + '\n';
  const edit::Form form = form_of(path, text, names_.traits(), known.form);
  if (form.syntax == edit::Syntax::other)
    return names_.has_in(text, known.names) ? all + '\n' : without_values(text, known.places);
  try {
    std::optional<edit::Reading> own;
    const edit::Reading& reading =
        known.reading == nullptr ? own.emplace(path, text, form, names_.limits()) : *known.reading;
    NodeMasks masks(reading, form);
    masks.hide(known.places);
    hide_secrets(reading, names_, known.names, masks);
    if (!tells_all(form)) {
      const bool is_hidden =
          has_rules && (names_.has_in(text, known.names) || has_secrets(reading, names_, known.names));
      return is_hidden ? all + '\n'
                       : shown_by_both(text, without_values(text, known.places), masks.masked(known.shows_comments));
    }
    // Of two members with one name, and of further documents, readers keep only one.
    const bool is_cut = names_.traits().is_keyed && form.syntax == edit::Syntax::yaml && has_more_documents(text);
    const bool is_repeated =
        std::ranges::any_of(reading.documents, [](const text::Document& one) { return !one.repeated_keys.empty(); });
    if ((is_repeated || is_cut) && (has_documents || names_.has_in(text, known.names))) return all + '\n';
    const std::string out = masks.masked(known.shows_comments);
    return has_words ? names_.without_named_lines(out) : out;
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    const bool is_hidden =
        has_documents || (has_rules && form.syntax == edit::Syntax::hocon) || names_.has_in(text, known.names);
    return is_hidden ? all + '\n' : without_values(text, known.places);
  }
}

std::string SecretTexts::shown(std::string_view path, std::string_view text, const TextKnowledge& known) const {
  std::string out = shown_alone(path, text, known);
  return known.shown ? shown_by_both(text, out, *known.shown) : out;
}

std::optional<std::string> SecretTexts::shown_unread(std::string_view path, std::string_view text,
                                                     const TextKnowledge& known) const {
  const bool has_documents = names_.traits().has_documents;
  if (names_.has_words() || has_documents || known.has_names()) {
    const edit::Form form = form_of(path, text, names_.traits(), known.form);
    if (has_documents || !tells_all(form)) return std::nullopt;
    try {
      const edit::Reading reading(path, text, form, names_.limits());
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return std::nullopt;
    }
  }
  return shown(path, text, known);
}

HasSecrets texts_with_secrets(const FileTree& tree, std::span<const std::string> paths, const query::Traits& traits,
                              const Limits& limits) {
  const auto known = std::make_shared<const SecretTexts>(tree, paths, traits, limits);
  return [known](const std::string& path, std::string_view text) { return known->shown(path, text) != text; };
}

}  // namespace strata::analysis
