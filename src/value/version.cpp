#include "strata/version.hpp"

namespace strata {

std::string_view version() noexcept { return STRATA_VERSION; }

}  // namespace strata
