// Templates, as far as environments and their parameters need them: what kind they are, and what they declare.
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

/// Characters of one text that templates may have: the reference's `max_template_size`.
inline constexpr std::size_t kMaxTemplateSize = 524288;

/// A template with the parameters that it declares. Values point into `arena`.
struct Template {
  Value root;
  Schemata parameters;
  std::shared_ptr<Arena> arena;
  std::vector<Origin> repeated_keys = {};  ///< Keys that stood in their mapping before.
};

/// A text that came with a request: a nested template, an environment file, anything.
struct AttachedText {
  std::string_view name;
  SourceId source{};
  const text::Document* document =
      nullptr;  ///< Its reading as YAML under the profile of Heat, where there is one already; it need not be read again.
};

/// Error `template.size` where a text is longer than templates may be, whatever it holds. Cost: linear, and only for texts that may be too long.
void check_template_size(const Sources& sources, SourceId source);

/// What `read` gives for a template's text. Where it fails and the text may declare hidden parameters, it is asked again once the source is marked
/// secret, so that its error quotes nothing.
[[nodiscard]] text::Document read_template_text(Sources& sources, SourceId source, const std::function<text::Document()>& read);

/// Whether a document says that it is a template: a mapping with a key for the version of one.
[[nodiscard]] bool is_template(const Value& root);

/// Reads a template: JSON or YAML. Errors: `template.size`, `template.syntax` (neither JSON nor YAML, no mapping, no version), `template.version` for
/// versions that are unknown or ambiguous, `template.parameters` for declarations that the reference refuses; `limit.*`.
[[nodiscard]] Template read_template(Sources& sources, SourceId source, const Limits& limits);
/// The same of a value that was read already (a state may hold a mapping).
[[nodiscard]] Template template_of(const Sources& sources, const Value& root, std::shared_ptr<Arena> arena);

/// All declarations that count while environments are combined: those of attached texts that are templates, in order, then those of the root template
/// over them. Other texts are passed over, but none may be longer than `kMaxTemplateSize`. Arenas of defaults go to `arenas`.
/// Keys that stood in their mapping before go to `repeated_keys`, unless it is null.
/// Errors: as of `read_template`, for texts that are templates. `root` may be null. Cost: linear in the texts.
[[nodiscard]] Schemata schemata_of(Sources& sources, const Template* root, std::span<const AttachedText> attached, const Limits& limits,
                                   std::vector<std::shared_ptr<Arena>>& arenas, std::vector<Origin>* repeated_keys = nullptr);

}  // namespace strata::heat
