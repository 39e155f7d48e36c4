// SPDX-License-Identifier: Apache-2.0
// A YAML document and the value that it was read into.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/text.hpp"

namespace strata::text::testing {

/// A plain scalar as its text, with the kind and the text of its value.
struct ScalarCase {
  const char* text;
  const char* kind;
  const char* value;
};

class Read {
 public:
  explicit Read(std::string text, const Profile& profile, const Limits& limits = {})
      : source_(sources_.add("f.yaml", std::move(text))), document_(read_yaml(sources_, source_, profile, limits)) {}

  /// In one line.
  [[nodiscard]] std::string json() const {
    std::string out;
    append_json(out, document_.root, {.sort_keys = false, .indent = -1});
    return out;
  }
  [[nodiscard]] const Value& root() const { return document_.root; }
  [[nodiscard]] Place place(const Value& value) const { return sources_.place(value.origin()); }
  [[nodiscard]] std::string at(std::string_view key) const { return place(*document_.root.find(key)).to_string(); }
  [[nodiscard]] const Document& document() const { return document_; }

 private:
  Sources sources_;
  SourceId source_;
  Document document_;
};

/// The error that reading a text gives: `line:column code`.
inline std::string error_of(const std::string& text, const Profile& profile, const Limits& limits = {}) {
  try {
    const Read read(text, profile, limits);
  } catch (const Error& error) {
    const Place& place = error.diagnostic().where.place;
    return std::to_string(place.line.value_or(0)) + ":" + std::to_string(place.column.value_or(0)) + " " + error.code();
  }
  return "none";
}

}  // namespace strata::text::testing
