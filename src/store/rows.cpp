// SPDX-License-Identifier: Apache-2.0
#include "rows.hpp"

#include "strata/error.hpp"

namespace strata::store {
namespace {

template <class Type>
const Type& as(const Cell& cell) {
  const auto* value = std::get_if<Type>(&cell);
  if (value == nullptr)
    throw Error("store.damaged", "a row of the store has a value of the wrong type").hint("strata store check");
  return *value;
}

}  // namespace

std::int64_t Row::integer(std::size_t column) const { return as<std::int64_t>(cells_[column]); }
const std::string& Row::text(std::size_t column) const { return as<std::string>(cells_[column]); }
const std::string& Row::bytes(std::size_t column) const { return as<OwnBytes>(cells_[column]).content; }

std::optional<std::int64_t> Row::maybe_integer(std::size_t column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}
std::optional<std::string> Row::maybe_text(std::size_t column) const {
  return is_null(column) ? std::nullopt : std::optional(text(column));
}
std::optional<std::string> Row::maybe_bytes(std::size_t column) const {
  return is_null(column) ? std::nullopt : std::optional(bytes(column));
}

}  // namespace strata::store
