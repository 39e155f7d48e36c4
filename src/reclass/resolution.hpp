// SPDX-License-Identifier: Apache-2.0
// How parameters meet, and what references in them refer to, once everything is merged.
#pragma once

#include <optional>
#include <span>
#include <string>

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

/// How references are written. Queries of other nodes, `$[…]`, are not supported.
inline constexpr text::ReferenceGrammar kReferences{.reserved = "$[", .reserved_closing = "]"};
/// What stands for a text: itself, the text without escapes, or a text::Reference. Errors: those of
/// text::parse_references.
[[nodiscard]] Value with_references(Arena& arena, const Value& text, const Sources& sources);

/// The text of a class name whose references are followed in parameters that are not settled. No value if one leads
/// nowhere. Errors, at `place`: `reclass.class-reference`, if its target is not a scalar, or waits.
[[nodiscard]] std::optional<std::string> name_in(const Value& parameters, const text::ReferenceText& parts,
                                                 const Sources& sources, Origin place);

/// The parameters of a node without references. Errors: `reclass.missing`, all of them together; `reclass.merge`,
/// `reclass.constant`, and those of Placeholders::everywhere, `reclass.circle` among them.
[[nodiscard]] merge::Traced resolved(const merge::Traced& parameters, const Replacing& replacing, Session& session);

}  // namespace strata::reclass
