// Which rendered documents are wanted. Rule: docs/deckhand/render.md, "Filters".
#pragma once

#include "document.hpp"

namespace strata::deckhand {

[[nodiscard]] bool is_wanted(const Document& document, const Filters& filters);

}  // namespace strata::deckhand
