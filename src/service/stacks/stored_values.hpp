// SPDX-License-Identifier: Apache-2.0
// Where the values stand that a stack gives its parameters, and which of them a request has brought.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "service/stacks/accepted.hpp"
#include "service/stacks/body.hpp"
#include "strata/heat.hpp"
#include "strata/session.hpp"

namespace strata::service::stacks {

struct StoredValue {
  Value value;
  ValuePlace place;
};

class StoredValues {
 public:
  /// What a request made of a stack, and what it had, with `******` where it keeps what is stored. All must outlive
  /// this.
  StoredValues(Session& session, const heat::Composition& composition, const Values& sent)
      : session_(session), composition_(composition), sent_(sent) {}

  /// The value that counts for a parameter. No value: the stack has none but null.
  [[nodiscard]] std::optional<StoredValue> find(std::string_view name) const;
  /// Whether the request has brought this value, so that who sends it knows it.
  [[nodiscard]] bool is_sent(std::string_view name, const StoredValue& stored) const;
  /// Whether what stands at a place is not, or may not be, what stood there before the request.
  [[nodiscard]] bool is_other(std::string_view name, const ValuePlace& place) const;

 private:
  [[nodiscard]] ValuePlace place_of(std::string_view section, std::string_view name, const Value& value) const;
  void add_texts(const Value& value, std::set<std::string>& out) const;
  [[nodiscard]] Value sent_text(std::string_view section, std::string_view text) const;
  [[nodiscard]] std::optional<Value> sent_at(std::string_view name, std::string_view section,
                                             std::string_view text) const;
  [[nodiscard]] bool is_other(std::string_view name, std::string_view section, std::string_view text) const;

  Session& session_;
  const heat::Composition& composition_;
  const Values& sent_;
};

}  // namespace strata::service::stacks
