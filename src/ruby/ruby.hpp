// SPDX-License-Identifier: Apache-2.0
// Writes values as Ruby and Puppet do. People pipe these strings into other programs, so every byte matters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "strata/leaf_observer.hpp"
#include "strata/value.hpp"

namespace strata::ruby {

/// The Ruby, with its json and psych, whose forms are written.
enum class Release : std::uint8_t {
  ruby3,  ///< Ruby 3.1, json 2.6, psych 4.
  ruby4,  ///< Ruby 4.0, json 3, psych 5.5: `=>` between spaces, floats of JSON without `.0e`, `Y` and `N` quoted.
};

// All functions are linear in their output. Recursion over values is bounded by Limits::depth, which every maker of
// values keeps. Objects are written as their `to_string()`, dates and timestamps as ISO 8601, sets as mappings to null,
// absent values as null. docs/hiera/fidelity.md lists the differences from the reference.

/// Ruby's Float#to_s: the shortest digits that read back as the same number. An exponent is written below 1e-4, from
/// 1e16 up, and for integers from 1e15 up: `1.0`, `1.0e-05`, `1.0e+15`, `1000000000000000.5`, `-0.0`, `Infinity`,
/// `-Infinity`, `NaN`.
[[nodiscard]] std::string float_text(double number);

/// Ruby's `inspect`, in one line: `{"a"=>1, "b"=>["x", nil, true, 1.5]}`, or `{"a" => 1, …}` from Ruby 3.4. Characters
/// that Ruby 3.1 (Unicode 13) does not print are escaped. A binary shows bytes beyond ASCII as `\xFF`.
[[nodiscard]] std::string inspect(const Value& value, Release release = Release::ruby3);

/// Ruby's `to_s`, as in interpolation: nothing for null, texts and bytes unchanged, containers as `inspect`.
[[nodiscard]] std::string interpolated(const Value& value, Release release = Release::ruby3);

/// A value as `puppet lookup --explain` shows it: `inspect`, but with one line per member of a container, `key =>
/// value` in hashes. `indent` is the indentation of the first line. Does not end with a line break.
void append_dump(std::string& out, const Value& value, int indent);

// The output of `puppet lookup --render-as FORMAT`, with the final line break.

/// `s`: `interpolated`, with a line break unless it ends with one.
[[nodiscard]] std::string s(const Value& value, Release release = Release::ruby3);

/// `json`: one line without blanks. Keys are `interpolated` texts, even if several become equal. Only required escapes
/// are used. Errors: `json.not-finite`; `json.not-utf8` for a binary that is not UTF-8 (others are texts). Both name
/// the path.
[[nodiscard]] std::string json(const Value& value, Release release = Release::ruby3);

/// `yaml`: as Psych 4 dumps, through libyaml's emitter with a width of 80 columns. Psych reads it back to the same
/// value, except where Psych's own output is wrong. No anchors.
[[nodiscard]] std::string yaml(const Value& value, Release release = Release::ruby3);
/// Reports the leaves of a text that `yaml` wrote. The emitter writes events late and reports no places: value and text
/// are walked side by side. Error: `output.source-map` for a text that is none of this value. Cost: linear in the
/// text.
void find_yaml_leaves(const Value& value, std::string_view written, text::LeafObserver& observer);

}  // namespace strata::ruby
