// SPDX-License-Identifier: Apache-2.0
// Lexical rules in which PyYAML's scanner is stricter than libyaml, checked together with libyaml's input.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "text/yaml/event.hpp"
#include "text/yaml/input.hpp"

namespace strata::text {

/// Receives every scalar, and is asked once at the end. Costs two searches if the text has neither tabs nor question
/// marks.
///
/// Rules (PyYAML 6.0, scanner): tabs are only allowed inside quoted and block scalars and in comments; a plain scalar
/// inside `[…]` or `{…}` ends at
/// `?`; a blank is required after every tag, and between the header of a block scalar and a comment.
class PyYamlScanner {
 public:
  /// `applies`: false where the rules do not apply, and nothing is asked.
  PyYamlScanner(std::string_view text, std::size_t begin, bool applies);
  /// The end of a tag.
  static void after_tag(const YamlInput& input, std::size_t offset);
  /// A scalar at [begin, end); `in_flow`: inside a flow collection.
  void scalar(const YamlInput& input, YamlEvent::Style style, std::size_t begin, std::size_t end, bool in_flow);
  /// Throws `yaml.syntax` at the first tab that the reference rejects.
  void finish(const YamlInput& input) const;

 private:
  std::string_view text_;
  std::size_t begin_;  ///< The first byte that is read.
  bool has_tab_;
  bool has_question_;
  std::vector<std::pair<std::size_t, std::size_t>> allowed_;  ///< Quoted and block scalars, in order.
};

}  // namespace strata::text
