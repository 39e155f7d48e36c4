// SPDX-License-Identifier: Apache-2.0
// How parameters meet, and what references in them refer to, once everything is merged.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "exports.hpp"
#include "strata/merge.hpp"
#include "strata/reclass.hpp"
#include "strata/session.hpp"
#include "strata/strategy.hpp"
#include "text/reference_text.hpp"

namespace strata::reclass {

/// How parameters meet: mappings by member, lists are appended, of scalars the new one wins, over null anything.
/// Everything else waits. `has_prefixes`: with the rules for keys that begin with `~` or `=`. Without such keys, both
/// give the same result.
[[nodiscard]] const merge::Strategy& parameter_strategy(const Replacing& replacing, bool has_prefixes = true);
/// Its functions: what `~key` and `=key` do.
[[nodiscard]] std::span<const merge::Call> parameter_calls();

/// How references are written, and queries of exports: `$[…]`.
inline constexpr text::ReferenceGrammar kReferences{.reserved = "$[", .reserved_closing = "]", .has_queries = true};
/// Returns in the place of a text: itself, the text without escapes, or a text::Reference. Errors: `reclass.query`,
/// those of text::parse_references.
[[nodiscard]] Value with_references(Arena& arena, const Value& text, const Sources& sources);
/// The query that a value is. No value: it is none.
[[nodiscard]] std::optional<std::string_view> query_in(const Value& value) noexcept;

/// The text of a class name whose references are followed in parameters that are not settled. No value if one leads
/// nowhere. Errors, at `place`: `reclass.class-reference`, if its target is not a scalar, or waits.
[[nodiscard]] std::optional<std::string> name_in(const Value& parameters, const text::ReferenceText& parts,
                                                 const Sources& sources, Origin place);

/// A node before its references are followed.
struct Unresolved {
  merge::Traced parameters;
  merge::Traced exports;  ///< Their references lead into the parameters.
};
/// The same without references. Errors: `reclass.missing`, all of them together; `reclass.merge`, `reclass.constant`,
/// `reclass.query`, and those of Placeholders::everywhere, `reclass.circle` among them.
[[nodiscard]] Unresolved resolved(const Unresolved& node, const Replacing& replacing, Session& session,
                                  QueryScope& scope);
/// The exports alone, with a FailedExport in the place of each that fails. Parameters with queries fail.
[[nodiscard]] Value resolved_exports(const Unresolved& node, const Settings& settings, Session& session);

}  // namespace strata::reclass
