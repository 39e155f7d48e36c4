// Custom mergers written in Lua.
#pragma once

#include <string>

#include "strata/cloudinit.hpp"

namespace strata::cloudinit {

/// The bare name of a merger: without the `m_` that the reference's modules begin with. Error `merger.name`: not letters, digits and underscores,
/// or one of the built-in mergers.
[[nodiscard]] std::string merger_name(std::string_view name);

/// A merger from Lua source. The text returns a table with any of `on_mapping`, `on_sequence` and `on_string`, or a function that makes one from the
/// options. It is run once; `sources` and `limits` must outlive the merger. Errors: `lua.syntax`, `lua.runtime`, `lua.memory`, `limit.steps`,
/// `merger.lua` where the text returns something else. Rule: docs/custom-mergers.md.
[[nodiscard]] CustomMerger lua_merger(std::string name, const Sources& sources, SourceId source, const Limits& limits);

}  // namespace strata::cloudinit
