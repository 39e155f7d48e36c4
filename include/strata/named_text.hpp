// SPDX-License-Identifier: Apache-2.0
// A text with a name.
#pragma once

#include <string>

namespace strata {

/// A text that a request brings along. `name` is shown in places; its ending (`.json`) may tell the format.
struct NamedText {
  std::string name;
  std::string text;
};

}  // namespace strata
