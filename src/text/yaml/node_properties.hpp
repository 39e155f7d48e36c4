// SPDX-License-Identifier: Apache-2.0
// The tag and the anchor that stand before a node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "text/yaml/line_breaks.hpp"

namespace strata::text {

/// Where the properties that begin at a place of a text end, and where their node begins.
struct NodeProperties {
  std::size_t end;   ///< Behind the last property.
  std::size_t node;  ///< Behind what separates them: blanks, line breaks and comments.
};

/// `after_tag` gets the end of each tag.
template <class AfterTag>
[[nodiscard]] NodeProperties node_properties(std::string_view text, std::size_t offset, const AfterTag& after_tag) {
  std::size_t end = offset;
  while (offset < text.size()) {
    const char c = text[offset];
    if (c == '&' || c == '!') {
      if (c == '!' && offset + 1 < text.size() && text[offset + 1] == '<') {
        offset = std::min(text.find('>', offset), text.size() - 1) + 1;
      } else {
        // A line may hold all nodes of a text: the break is looked for no further than the property can reach.
        const std::string_view until = text.substr(0, text.find_first_of(" \t,[]{}\r\n", offset));
        offset = std::min(until.size(), find_line_break(until, offset));
      }
      if (c == '!') after_tag(offset);
      end = offset;
    } else if (c == ' ' || c == '\t') {
      ++offset;
    } else if (c == '#') {
      offset = find_line_break(text, offset);
    } else if (const std::size_t length = line_break_length(text, offset); length != 0) {
      offset += length;
    } else {
      break;
    }
  }
  return {end, offset};
}

}  // namespace strata::text
