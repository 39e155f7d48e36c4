// SPDX-License-Identifier: Apache-2.0
// Membership in types of bindings.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "strata/puppet.hpp"

namespace strata::bindings {

class Registry;

/// Membership and assignability, with the runtime types of extensions. Cheap to copy.
class Types {
 public:
  /// Parses the declared type of a producer.
  using Read = std::function<puppet::TypeRef(std::string_view)>;
  /// `registry`: knows runtime types and producers; may be null; must outlive this object. Without `read`, all
  /// producers produce Data.
  explicit Types(const Registry* registry = nullptr, Read read = {}) : registry_(registry), read_(std::move(read)) {}

  /// Whether a value is a member. Resources (in printed form) are members of resource types, instances of runtime
  /// types, types of classes and resources count as the objects that they name.
  [[nodiscard]] bool is_instance(const puppet::Type& type, const Value& value) const;
  /// Whether all members of `narrow` are in `wide`. Any class matches a required class.
  [[nodiscard]] bool is_assignable(const puppet::Type& wide, const puppet::Type& narrow) const;

 private:
  [[nodiscard]] bool is_producer_of(const puppet::Type& wide, const puppet::Type& narrow) const;

  const Registry* registry_;
  Read read_;
};

/// Whether bindings of a type are in the Data namespace.
[[nodiscard]] bool is_data(const puppet::Type& type);
/// The type of a value for messages: `Array[Integer]`. For secrets, only the kind.
[[nodiscard]] std::string type_of(const Value& value);
/// A value for messages, shortened. Secrets are masked.
[[nodiscard]] std::string shown(const Value& value);

}  // namespace strata::bindings
