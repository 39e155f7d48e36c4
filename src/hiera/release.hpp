// SPDX-License-Identifier: Apache-2.0
// The decisions of the followed release that more than one file needs.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "ruby/ruby.hpp"
#include "strata/error.hpp"
#include "strata/hiera.hpp"
#include "strata/text.hpp"

namespace strata::hiera {

/// The Ruby that the release runs on.
[[nodiscard]] constexpr ruby::Release ruby_release(Compat compat) noexcept {
  return compat == Compat::openvox9 ? ruby::Release::ruby4 : ruby::Release::ruby3;
}

/// JSON as the json library of the release reads it. Version 3 refuses duplicate keys too, which is left to the caller.
[[nodiscard]] constexpr text::JsonDialect json_dialect(Compat compat) noexcept {
  return compat == Compat::openvox9 ? text::JsonDialect{.depth = text::kRubyJson.depth} : text::kRubyJson;
}

/// For warnings about variables of the server, where Settings::server_facts is null.
inline constexpr std::string_view kServerFactsHint = "give what the server knows with --server-facts FILE";

/// `hiera.unknown-variable`, in the words of the reference.
[[nodiscard]] inline Error undefined_variable(std::string_view name) {
  return {"hiera.unknown-variable", fmt::format("Undefined variable '{}'", name)};
}

}  // namespace strata::hiera
