// SPDX-License-Identifier: Apache-2.0
// Where the comments of a text stand, for whoever reads what people say to tools in them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "strata/limits.hpp"
#include "strata/text.hpp"
#include "text/stretch.hpp"

namespace strata::text {

/// The comments of a YAML text, in order, each from its `#` up to its line break. The text must be one of which
/// read_yaml_stream reads so many documents, with this profile and these limits; what stands behind them is not looked
/// at. Errors: those of Stop::check. Cost: linear in the text.
[[nodiscard]] std::vector<Stretch> yaml_comments(Sources& sources, SourceId source, const Profile& profile,
                                                 const Limits& limits, std::size_t documents);

/// The comments of a text of JSON with comments: from `//` to behind the line feed, from `/*` to behind `*/`. One that
/// is not closed is none, and ends the search. Cost: linear in the text.
[[nodiscard]] std::vector<Stretch> json_comments(std::string_view text);

/// The comments of a HOCON text, each from its `#` or `//` up to the line break. Error `hocon.syntax` for texts that
/// have no tokens.
[[nodiscard]] std::vector<Stretch> hocon_comments(const Sources& sources, SourceId source);

}  // namespace strata::text
