// Values as Ruby 3.1 and Puppet 7 write them: people pipe these texts into other programs, so that every byte counts.
#pragma once

#include <string>

#include "strata/value.hpp"

namespace strata::ruby {

// All of them are linear in what they write. Recursion over values is bounded by Limits::depth, which every maker of values keeps.
// Objects write their `to_string()`, dates and timestamps ISO 8601, sets as mappings to null; absent values as null ones.
// docs/hiera/fidelity.md says where the result is not the reference's.

/// Ruby's Float#to_s: the shortest digits that read back as the same number; an exponent below 1e-4, from 1e16 up, and for whole numbers from 1e15
/// up: `1.0`, `1.0e-05`, `1.0e+15`, `1000000000000000.5`, `-0.0`, `Infinity`, `-Infinity`, `NaN`.
[[nodiscard]] std::string float_text(double number);

/// Ruby's `inspect`, in one line: `{"a"=>1, "b"=>["x", nil, true, 1.5]}`. Characters that Ruby 3.1 (Unicode 13) does not print are escaped; a binary
/// shows bytes beyond ASCII as `\xFF`.
[[nodiscard]] std::string inspect(const Value& value);

/// Ruby's `to_s`, which is what interpolation inserts: nothing for null, texts and bytes as they are, containers as `inspect`.
[[nodiscard]] std::string interpolated(const Value& value);

/// As `puppet lookup --explain` shows a value: `inspect`, but a line for each member of a container, `key => value` in hashes. The value begins on a
/// line that is indented by `indent` blanks; what is added does not end with a line break.
void append_dump(std::string& out, const Value& value, int indent);

// What `puppet lookup --render-as FORMAT` prints, with the final line break.

/// `s`: `interpolated`, and a line break unless it ends with one.
[[nodiscard]] std::string s(const Value& value);

/// `json`: one line without blanks; keys as `interpolated` texts, also where two become the same one. Only what JSON demands is escaped.
/// Errors: `json.not-finite`, `json.not-utf8` for a binary that is not UTF-8 (others are texts); both name the path.
[[nodiscard]] std::string json(const Value& value);

/// `yaml`: as Psych 4 dumps, by libyaml's emitter with a width of 80 columns. Reading it with Psych gives the value again, except for what Psych
/// itself writes wrongly. No anchors.
[[nodiscard]] std::string yaml(const Value& value);

}  // namespace strata::ruby
