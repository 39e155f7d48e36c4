// SPDX-License-Identifier: Apache-2.0
// Edits as the command line gives them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/error.hpp"
#include "strata/text_edit.hpp"

namespace strata::edit::testing {

struct Options {
  Form form = {};
  std::optional<std::size_t> document = {};
  bool make_parents = false;
  bool with_spelling = true;
  Limits limits = {};
};

inline Edited set(std::string_view text, std::string pointer, const std::string& value, const Options& options = {}) {
  Sources sources;
  const text::Profile& profile = options.form.profile != nullptr ? *options.form.profile : text::pyyaml();
  const text::Document document = text::read_yaml(sources, sources.add("<value>", value), profile, {});
  const Change change{.operation = Operation::set,
                      .pointer = std::move(pointer),
                      .document = options.document,
                      .value = document.root,
                      .spelling = options.with_spelling ? value : std::string(),
                      .make_parents = options.make_parents};
  return apply("f.yaml", text, options.form, change, options.limits);
}

inline Edited unset(std::string_view text, std::string pointer, const Options& options = {}) {
  const Change change{.operation = Operation::remove, .pointer = std::move(pointer), .document = options.document};
  return apply("f.yaml", text, options.form, change, options.limits);
}

/// `line:column code`, or `none`.
template <class Edit>
std::string error_of(const Edit& edit) {
  try {
    edit();
  } catch (const Error& error) {
    const Place& place = error.diagnostic().where.place;
    if (place.file != "f.yaml") return "no file: " + error.code();
    if (error.diagnostic().hint.empty()) return "no hint: " + error.code();
    return std::to_string(place.line.value_or(0)) + ":" + std::to_string(place.column.value_or(0)) + " " + error.code();
  }
  return "none";
}

}  // namespace strata::edit::testing
