// SPDX-License-Identifier: Apache-2.0
// What a reader makes of a text with the scanner beside what it makes of it with libyaml alone, for tests and the fuzz
// target.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "strata/error.hpp"
#include "strata/path.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "text/yaml/profile.hpp"

namespace strata::text::testing {

inline constexpr std::array<std::string_view, 6> kProfiles{"pyyaml", "pyyaml-json", "core12",
                                                           "psych",  "psych-facts", "heat"};

/// Every node with its kind, its marks and its place, depth first.
inline void describe_nodes(const Sources& sources, const Value& value, std::string& out) {
  out += std::to_string(static_cast<int>(value.kind())) + (value.is_secret() ? "!" : "") + "@" +
         sources.place(value.origin()).to_string();
  if (value.is_sequence()) {
    out += '[';
    for (const Value& item : value.items()) describe_nodes(sources, item, out += ' ');
    out += ']';
  } else if (value.is_container()) {
    out += '{';
    for (const Entry& entry : value.entries()) {
      describe_nodes(sources, entry.key, out += ' ');
      describe_nodes(sources, entry.value, out += ':');
    }
    out += '}';
  } else {
    out += '=' + scalar_text(value);
  }
}

/// All documents, up to the error.
inline std::string reading(std::string_view text, const Profile& profile, Limits limits, bool libyaml_alone) {
  limits.libyaml_alone = libyaml_alone;
  Sources sources;
  std::string out;
  try {
    for (const Document& document : read_yaml_stream(sources, sources.add("f", std::string(text)), profile, limits)) {
      out += "--- " + sources.place(document.origin).to_string() + " " + std::to_string(document.nodes) + " ";
      describe_nodes(sources, document.root, out);
      for (const RepeatedKey& key : document.repeated_keys) {
        out += " again " + key.name + ' ' + key.earlier_name + ' ' + sources.place(key.earlier).to_string() + ' ' +
               sources.place(key.later).to_string();
      }
      out += '\n';
    }
  } catch (const Error& error) {
    out += format(error.diagnostic(), "error");
  }
  return out;
}

/// Empty: both readings are the same.
inline std::string difference_of_readings(std::string_view text, const Profile& profile, const Limits& limits) {
  const std::string scanned = reading(text, profile, limits, false);
  const std::string expected = reading(text, profile, limits, true);
  return scanned == expected
             ? std::string()
             : std::string(profile.name) + ": with the scanner\n" + scanned + "\nwith libyaml alone\n" + expected;
}

}  // namespace strata::text::testing
