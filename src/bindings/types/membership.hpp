// What is a member of a type of bindings.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "strata/puppet.hpp"

namespace strata::bindings {

class Registry;

/// The relation of types, with runtime types of extensions. Cheap to copy.
class Types {
 public:
  /// Reads the type that a producer says it has.
  using Read = std::function<puppet::TypeRef(std::string_view)>;
  /// `registry`: knows runtime types and producers; may be null. Must outlive it. Without `read`, all producers are of Data.
  explicit Types(const Registry* registry = nullptr, Read read = {}) : registry_(registry), read_(std::move(read)) {}

  /// Whether a value is a member: resources (in their printed form) of resource types, instances of runtime types, types of classes and resources
  /// as what they stand for.
  [[nodiscard]] bool is_instance(const puppet::Type& type, const Value& value) const;
  /// Whether all of `narrow` is in `wide`. Any class fits where a class is wanted.
  [[nodiscard]] bool is_assignable(const puppet::Type& wide, const puppet::Type& narrow) const;

 private:
  [[nodiscard]] bool is_producer_of(const puppet::Type& wide, const puppet::Type& narrow) const;

  const Registry* registry_;
  Read read_;
};

/// Whether bindings of a type are in the Data name space.
[[nodiscard]] bool is_data(const puppet::Type& type);
/// The type of a value as messages name it: `Array[Integer]`; what is secret by its kind only.
[[nodiscard]] std::string type_of(const Value& value);
/// A value as messages show it, shortened; stars where it is secret.
[[nodiscard]] std::string shown(const Value& value);

}  // namespace strata::bindings
