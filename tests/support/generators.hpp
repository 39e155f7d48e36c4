// SPDX-License-Identifier: Apache-2.0
// Random values for properties.
#pragma once

#include <rapidcheck.h>

#include <iosfwd>
#include <memory>
#include <string>

#include "strata/value.hpp"

namespace strata::testing {

/// A value together with the arena that it lives in. Copies share the arena.
struct Sample {
  std::shared_ptr<Arena> arena;
  Value value;
};

/// Which values to make. The default makes everything that JSON and YAML can write and read back.
struct SampleOptions {
  int depth = 4;                ///< Containers inside containers.
  std::size_t width = 6;        ///< Members of one container, at most.
  bool text_keys_only = false;  ///< Else keys may be any scalar.
  bool json_only = false;       ///< Nothing but null, booleans, numbers, text, sequences and mappings with text keys.
  bool finite = false;          ///< No infinities, no not-a-number.
  KeyEquality equality = KeyEquality::python;  ///< Of the mappings.
  std::shared_ptr<Arena> arena = nullptr;      ///< Where to put them; null for an arena of their own each.
};

/// Text: words of a small pool (so that keys meet), text that looks like other things (`true`, `1e3`, `- x`), lines,
/// and any code points. Valid UTF-8.
rc::Gen<std::string> any_text();
/// A scalar of any kind.
rc::Gen<Sample> any_scalar(SampleOptions options = {});
/// A value of any kind. Shrinks to fewer and simpler members.
rc::Gen<Sample> any_value(SampleOptions options = {});
/// A mapping.
rc::Gen<Sample> any_mapping(SampleOptions options = {});

/// One line that tells values of different kinds apart, for messages: `{"a": [1, 1.0, true, !date 2001-12-14]}`.
std::string show(const Value& value);
std::ostream& operator<<(std::ostream& out, const Sample& sample);

}  // namespace strata::testing

namespace strata {
/// For GoogleTest's messages.
void PrintTo(const Value& value, std::ostream* out);
}  // namespace strata

namespace rc {
template <>
struct Arbitrary<strata::testing::Sample> {
  static Gen<strata::testing::Sample> arbitrary() { return strata::testing::any_value(); }
};
}  // namespace rc
