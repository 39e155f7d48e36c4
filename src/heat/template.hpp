// SPDX-License-Identifier: Apache-2.0
// Templates, as far as environments and their parameters need them: their kind and their declarations.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "heat/schema.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/text.hpp"

namespace strata::heat {

/// The maximal size of a template in characters: the reference's `max_template_size`.
inline constexpr std::size_t kMaxTemplateSize = 524288;

/// A template with the parameters that it declares. Values point into `arena`.
struct Template {
  Value root;
  Schemata parameters;
  std::shared_ptr<Arena> arena;
  std::vector<text::RepeatedKey> repeated_keys = {};  ///< Duplicate keys.
};

struct AttachedTemplate;

/// A text of a request: a nested template, an environment file, or anything else.
struct AttachedText {
  std::string_view name;
  SourceId source{};
  /// Its YAML, parsed with the profile of Heat, if it is already parsed.
  const text::Document* document = nullptr;
  const AttachedTemplate* read = nullptr;  ///< If it is known already: what `schemata_of` needs of it.
};

/// Whether a text begins as a JSON object does.
[[nodiscard]] bool looks_like_json(std::string_view text);
/// Error `template.size` if a text is longer than a template may be, whatever it contains. Cost: linear, and only for
/// texts that may be too long.
void check_template_size(const Sources& sources, SourceId source);

/// Calls `read` for a template's text. If it fails and the text may declare hidden parameters, marks the source as
/// secret and calls `read` again, so that the error quotes nothing.
[[nodiscard]] text::Document read_template_text(Sources& sources, SourceId source,
                                                const std::function<text::Document()>& read);

/// Whether a text may be a template: a quick look for the name of a version key. Keys with escapes
/// are not found.
[[nodiscard]] bool may_be_template(std::string_view text) noexcept;
/// Whether a document is a template: a mapping with a version key.
[[nodiscard]] bool is_template(const Value& root);

/// Parses a template: JSON or YAML. Errors: `template.size`, `template.syntax` (neither JSON nor YAML, not a mapping,
/// no version), `template.version` for versions that are unknown or ambiguous, `template.parameters` for declarations
/// that the reference rejects; `limit.*`.
[[nodiscard]] Template read_template(Sources& sources, SourceId source, const Limits& limits);
/// The same for a value that is already parsed (a state may contain a mapping).
[[nodiscard]] Template template_of(const Sources& sources, const Value& root, std::shared_ptr<Arena> arena);

/// An attached text, parsed, if it is a template. No value for all others, whatever is wrong with them. Errors:
/// `limit.*`.
[[nodiscard]] std::optional<text::Document> find_template(Sources& sources, const AttachedText& attached,
                                                          const Limits& limits);

/// All declarations that apply while environments are combined: those of attached templates, in order, then those of
/// the root template over them. Other texts are ignored, but none may be longer than `kMaxTemplateSize`. Arenas of
/// defaults go to `arenas`, duplicate keys to `repeated_keys` unless it is null. Errors: as `read_template`, for texts
/// that are templates. `root` may be null. Cost: linear in the texts.
[[nodiscard]] Schemata schemata_of(Sources& sources, const Template* root, std::span<const AttachedText> attached,
                                   const Limits& limits, std::vector<std::shared_ptr<Arena>>& arenas,
                                   std::vector<text::RepeatedKey>* repeated_keys = nullptr);

}  // namespace strata::heat
