// SPDX-License-Identifier: Apache-2.0
#include "dialects/dialects.hpp"

#include <algorithm>
#include <array>

#include "bindings/site/query_options.hpp"
#include "cloudinit/query_options.hpp"
#include "deckhand/query_options.hpp"
#include "heat/query_options.hpp"
#include "hiera/query_options.hpp"
#include "reclass/query_options.hpp"
#include "strata/bindings.hpp"
#include "strata/cloudinit.hpp"
#include "strata/deckhand.hpp"
#include "strata/heat.hpp"
#include "strata/hiera.hpp"
#include "strata/reclass.hpp"

namespace strata::dialects {
namespace {

/// Searches the table that a function returns.
template <auto table>
const query::Option* option(std::string_view name) {
  return query::find_option(table(), name);
}

const query::Option* bindings_option(std::string_view name) {
  const query::Option* found = query::find_option(site::injection_options(), name);
  return found != nullptr ? found : query::find_option(site::site_options(true), name);
}

constexpr std::array kAll{Entry{"bindings", "inject", bindings::traits, bindings_option},
                          Entry{"cloud-init", "merge", cloudinit::traits, option<cloudinit::query_options>},
                          Entry{"deckhand", "render", deckhand::traits, option<deckhand::query_options>},
                          Entry{"heat", "compose", heat::traits, option<heat::query_options>},
                          Entry{"hiera", "lookup", hiera::traits, option<hiera::query_options>},
                          Entry{"inventory", "inventory", reclass::traits, option<reclass::query_options>}};

const Entry* find_by(std::string_view Entry::*member, std::string_view value) noexcept {
  const auto* const found = std::ranges::find(kAll, value, member);
  return found == kAll.end() ? nullptr : found;
}

}  // namespace

std::span<const Entry> all() noexcept { return kAll; }
const Entry* find(std::string_view name) noexcept { return find_by(&Entry::name, name); }
const Entry* find_verb(std::string_view verb) noexcept { return find_by(&Entry::verb, verb); }

}  // namespace strata::dialects
