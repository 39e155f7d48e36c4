// Text as Python sees it, for templates.
#pragma once

#include "text/unicode.hpp"

namespace strata::cloudinit::jinja {

namespace unicode = text::unicode;

}  // namespace strata::cloudinit::jinja
