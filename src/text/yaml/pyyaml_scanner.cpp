// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/pyyaml_scanner.hpp"

#include <algorithm>

namespace strata::text {

PyYamlScanner::PyYamlScanner(std::string_view text, std::size_t begin, bool applies)
    : text_(text),
      begin_(begin),
      has_tab_(applies && text.find('\t', begin) != std::string_view::npos),
      has_question_(applies && text.find('?', begin) != std::string_view::npos) {}

void PyYamlScanner::after_tag(const YamlInput& input, std::size_t offset) {
  if (input.text().substr(offset, 1) != ",") return;
  throw Error("yaml.syntax", "a comma follows right after a tag")
      .at(input.sources(), input.origin(offset))
      .hint("put a blank before it");
}

void PyYamlScanner::scalar(const YamlInput& input, YamlEvent::Style style, std::size_t begin, std::size_t end,
                           bool in_flow) {
  if (style == YamlEvent::Style::plain) {
    if (!has_question_) return;
    const std::size_t question = in_flow ? text_.substr(begin, end - begin).find('?') : std::string_view::npos;
    if (question != std::string_view::npos) {
      throw Error("yaml.syntax", "a plain scalar inside a flow collection ends at '?'")
          .at(input.sources(), input.origin(begin + question))
          .hint("quote the text");
    }
    return;
  }
  const bool is_block = style == YamlEvent::Style::literal || style == YamlEvent::Style::folded;
  if (is_block) {
    const std::size_t behind = text_.find_first_not_of("|>+-0123456789", begin);
    if (behind < end && text_[behind] == '#') {
      throw Error("yaml.syntax", "a comment begins right after the header of a block scalar")
          .at(input.sources(), input.origin(behind))
          .hint("put a blank before '#'");
    }
  }
  if (!has_tab_) return;
  // The header line of a block scalar (`|2 # comment`) follows the rules outside.
  if (is_block) begin = std::min(text_.find_first_of("\r\n", begin), end);
  allowed_.emplace_back(begin, end);
}

void PyYamlScanner::finish(const YamlInput& input) const {
  if (!has_tab_) return;
  std::size_t in_comment_until = 0;
  std::size_t behind_scalar = begin_;  // Where '#' needs no blank before it.
  auto range = allowed_.begin();
  for (std::size_t i = begin_; i < text_.size(); ++i) {
    if (range != allowed_.end() && i >= range->first) {
      behind_scalar = std::max(i, range->second);
      i = behind_scalar - 1;
      ++range;
      continue;
    }
    const char c = text_[i];
    const bool after_blank = i <= behind_scalar || text_[i - 1] == ' ' || text_[i - 1] == '\n' ||
                             text_[i - 1] == '\r' || text_[i - 1] == '\t';
    if (c == '#' && after_blank && i >= in_comment_until)
      in_comment_until = std::min(text_.find_first_of("\r\n", i), text_.size());
    if (c == '\t' && i >= in_comment_until) {
      throw Error("yaml.syntax", "found a tab where only blanks may separate")
          .at(input.sources(), input.origin(i))
          .hint("a tab cannot indent here: use blanks");
    }
  }
}

}  // namespace strata::text
