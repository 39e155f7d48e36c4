// Which implementation a type of resource has, by a combined registry.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/merge.hpp"

namespace strata::heat {

/// The types that need no entry.
class BuiltInTypes {
 public:
  /// Besides those that begin with `OS::`, `AWS::` or `DOCKER::`.
  void add(std::string type) { types_.insert(std::move(type)); }
  /// One type a line; blanks around it and empty lines do not count.
  void add_lines(std::string_view text);
  [[nodiscard]] bool holds(std::string_view type) const;

 private:
  std::unordered_set<std::string> types_;
};

enum class TypeKind : std::uint8_t { plugin, template_ };
[[nodiscard]] std::string_view to_string(TypeKind kind) noexcept;

struct ResolvedType {
  TypeKind kind = TypeKind::plugin;
  merge::Traced value;  ///< The name of the type or template, a text; its history tells of the mappings that led to it.
};

/// Follows the mappings of a registry, as `compose` shows it, from a type on. `resource`: the name of the resource, whose own mappings come first;
/// empty: none. Entries are tried in the reference's order: longer path first, then plain order of the keys, so that a wildcard `My::*` comes before
/// an exact `My::T`; the built-in type comes last. One that leads nowhere is passed over. Errors: `heat.type` where
/// nothing is left, `heat.type-loop` where mappings lead back to a type that is being looked up, `limit.depth`. Cost: linear in the registry for each
/// type on the way; no type is looked up twice.
[[nodiscard]] ResolvedType resolve_type(const merge::Traced& registry, std::string_view type, std::string_view resource, const BuiltInTypes& built_in,
                                        Arena& arena, const Sources& sources, const Limits& limits, merge::Recorder& recorder);

}  // namespace strata::heat
