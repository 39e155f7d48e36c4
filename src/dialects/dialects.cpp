// SPDX-License-Identifier: Apache-2.0
#include "dialects/dialects.hpp"

#include <algorithm>
#include <array>

#include "strata/bindings.hpp"
#include "strata/cloudinit.hpp"
#include "strata/deckhand.hpp"
#include "strata/heat.hpp"
#include "strata/hiera.hpp"
#include "strata/reclass.hpp"

namespace strata::dialects {
namespace {

constexpr std::array kAll{
    Entry{"bindings", "inject", bindings::traits}, Entry{"cloud-init", "merge", cloudinit::traits},
    Entry{"deckhand", "render", deckhand::traits}, Entry{"heat", "compose", heat::traits},
    Entry{"hiera", "lookup", hiera::traits},       Entry{"inventory", "inventory", reclass::traits}};

const Entry* find_by(std::string_view Entry::*member, std::string_view value) noexcept {
  const auto* const found = std::ranges::find(kAll, value, member);
  return found == kAll.end() ? nullptr : found;
}

}  // namespace

std::span<const Entry> all() noexcept { return kAll; }
const Entry* find(std::string_view name) noexcept { return find_by(&Entry::name, name); }
const Entry* find_verb(std::string_view verb) noexcept { return find_by(&Entry::verb, verb); }

}  // namespace strata::dialects
