#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "service.hpp"

namespace strata::bindings::queries {

Answers::Answers(QueryService* service, const Sources& sources, Arena& arena, std::string own_certname)
    : service_(service), sources_(sources), arena_(arena), own_certname_(std::move(own_certname)) {}

}  // namespace strata::bindings::queries
