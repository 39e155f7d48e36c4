// SPDX-License-Identifier: Apache-2.0
// The Jinja2 template language, as cloud-init uses it: `## template: jinja` parts. Rule: docs of cloud-init, "Instance
// metadata"; Jinja 3.1.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/value.hpp"

namespace strata::jinja {

/// A rendered template.
struct Rendering {
  std::string text;
  /// The origin of each part of `text` in the template: literal text at its own place, the output of a tag as a whole
  /// at the tag.
  std::vector<Segment> segments;
  /// Undefined names, shown in the text as `CI_MISSING_JINJA_VAR/name`. In order, without duplicates.
  std::vector<std::string> missing;
  Origin first_missing;  ///< Where the first of them stands in the template.
};

/// Renders the text of `source` from byte `begin` on (after the header line). `variables` is a mapping.
///
/// Behaves as Jinja's environment with `trim_blocks`, the `do` statement, and the sandbox of the newest cloud-init:
/// attributes such as `__class__` are refused. Integers have 64 bits. Not supported: template inheritance, includes,
/// imports, and features for web pages only. Errors: `jinja.syntax`, `jinja.unsupported` (with the construct),
/// `jinja.undefined` (an attribute of, or arithmetic on, an undefined name), `jinja.runtime`, `limit.steps`,
/// `limit.result`. Thread safety: any number of calls may run at once.
[[nodiscard]] Rendering render(const Sources& sources, SourceId source, std::size_t begin, const Value& variables,
                               const Limits& limits);

/// The variables of a template, from instance data: sorted keys, an underscored alias for each key with an operator
/// character, the members of top-level `v<digits>` copied to the top, and the values listed in `base64-encoded-keys`
/// decoded. An empty mapping if `instance_data` is not a mapping. Errors: `jinja.runtime` if a listed value is not
/// base64 text. Thread safety: it writes to `arena`.
[[nodiscard]] Value instance_variables(Arena& arena, const Value& instance_data);

}  // namespace strata::jinja
