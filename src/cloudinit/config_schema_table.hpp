// SPDX-License-Identifier: Apache-2.0
// The names and types of cloud-config as a table, for config_schema.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace strata::cloudinit {

/// The values that cloud-init takes at a place.
struct SchemaNode {
  static constexpr std::uint16_t kNone = UINT16_MAX;

  std::uint8_t types;           ///< Bits of SchemaType.
  bool is_closed;               ///< Names of members that the table lacks are errors.
  std::uint16_t members_begin;  ///< Of `members_of`.
  std::uint16_t members_end;
  std::uint16_t other;  ///< Of members with other names. kNone: anything.
  std::uint16_t items;  ///< Of lists. kNone: anything.
};

enum class SchemaType : std::uint8_t { null, boolean, integer, number, string, array, object };

struct SchemaMember {
  std::string_view name;
  std::uint16_t node;
};

[[nodiscard]] const SchemaNode& root_of_schema() noexcept;
/// Null for kNone.
[[nodiscard]] const SchemaNode* node_of_schema(std::uint16_t number) noexcept;
/// Whether cloud-init reads a member of the root that its schema lacks: settings of the image, and of older versions.
[[nodiscard]] bool is_read_outside_schema(std::string_view name);
/// By name, in byte order.
[[nodiscard]] std::span<const SchemaMember> members_of(const SchemaNode& node) noexcept;

}  // namespace strata::cloudinit
