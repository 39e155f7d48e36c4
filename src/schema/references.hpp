// SPDX-License-Identifier: Apache-2.0
// Where the references of a schema lead.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "strata/limits.hpp"
#include "strata/value.hpp"
#include "value/seeded_hash.hpp"

namespace strata::json_schema::detail {

/// The scopes of a schema, as the `referencing` of Python has them for draft 4: an `id` is the base of all references
/// below it, and makes its schema known by that address; `id: '#name'` names a schema within the address around it.
/// Beside the schema, only the meta-schema is known.
///
/// Cost: the first reference that needs another address than that of the root looks through the whole schema; each
/// reference is followed once.
class References {
 public:
  using Base = std::size_t;  ///< A base address, by number.

  struct Target {
    Value schema;
    Base base = 0;               ///< For references in it.
    std::string_view problem{};  ///< The reason, if it has no target.
  };

  References(const Value& root, const Limits& limits);

  /// The base of the root.
  [[nodiscard]] Base root() const noexcept { return 0; }
  /// The base within a schema that is met under a base. Errors as lookup().
  [[nodiscard]] Base enter(Base base, const Value& schema);
  /// Error `limit.input`: the addresses grow too large, because each may contain those around it.
  [[nodiscard]] Target lookup(Base base, std::string_view reference);

 private:
  [[nodiscard]] Target follow(Base base, std::string_view reference);
  [[nodiscard]] Target point(const Value& resource, Base base, std::string_view pointer);
  [[nodiscard]] const Value* resource(std::string_view uri, Base& number);
  [[nodiscard]] const Value* named(Base base, const Value& resource, const std::string& name);
  Base join(Base base, std::string_view id);
  Base number(std::string&& uri);
  void charge(std::size_t bytes);
  void look_through();

  Value root_;
  const Limits* limits_;
  std::deque<std::string> uris_;  ///< They stay where they are while others come.
  TextMap<Base> numbers_;
  std::map<Base, Value> resources_;
  std::map<std::pair<Base, std::string>, Value> names_;
  std::map<std::pair<Base, std::string>, Base> joined_;
  std::map<std::pair<Base, std::string>, Target> found_;
  std::size_t bytes_ = 0;
  bool is_looked_through_ = false;
};

}  // namespace strata::json_schema::detail
