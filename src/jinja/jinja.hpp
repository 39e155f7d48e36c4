// The Jinja2 template language, as cloud-init uses it: `## template: jinja` parts. Rule: docs of cloud-init, "Instance metadata"; Jinja 3.1.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/value.hpp"

namespace strata::jinja {

/// What a template rendered to.
struct Rendering {
  std::string text;
  /// Where each stretch of `text` stands in the template: literal text at its own place, what a tag wrote as a whole at the tag.
  std::vector<Segment> segments;
  /// Undefined names that the text shows as `CI_MISSING_JINJA_VAR/name`, in order, each once.
  std::vector<std::string> missing;
};

/// Renders the text of `source` from byte `begin` on (the header line stands before it); `variables` is a mapping.
///
/// As Jinja's own environment with `trim_blocks`, the `do` statement, and the sandbox of the newest cloud-init: attributes such as `__class__` are
/// refused. Integers are 64 bits wide. Not there: template inheritance, includes and imports, and what only makes sense for web
/// pages. Errors: `jinja.syntax`, `jinja.unsupported` (names the construct), `jinja.undefined` (an attribute of, or arithmetic on, an undefined
/// name), `jinja.runtime`, `limit.steps`, `limit.result`. Thread safety: any number of calls at once.
[[nodiscard]] Rendering render(const Sources& sources, SourceId source, std::size_t begin, const Value& variables, const Limits& limits);

/// The variables that a template sees, from instance data: keys sorted, an underscored alias beside each key with an operator character, the members
/// of top-level `v<digits>` copied to the top, the values that `base64-encoded-keys` lists decoded. An empty mapping where `instance_data` is no
/// mapping. Errors: `jinja.runtime` where a listed value is no base64 text. Thread safety: `arena` is written to.
[[nodiscard]] Value instance_variables(Arena& arena, const Value& instance_data);

}  // namespace strata::jinja
