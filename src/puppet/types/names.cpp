// SPDX-License-Identifier: Apache-2.0
#include "puppet/types/names.hpp"

#include <array>
#include <vector>

#include "puppet/characters.hpp"
#include "puppet/types/make.hpp"
#include "strata/error.hpp"
#include "strata/near_names.hpp"

namespace strata::puppet {
namespace {

/// In the order of TypeKind.
constexpr std::array<std::string_view, static_cast<std::size_t>(TypeKind::alias)> kNames = {
    "Any",      "Unit",         "Undef",     "Default",   "Scalar",   "ScalarData", "Numeric",     "Integer",
    "Float",    "Boolean",      "String",    "Enum",      "Pattern",  "Regexp",     "Collection",  "Array",
    "Hash",     "Struct",       "Tuple",     "Variant",   "Optional", "NotUndef",   "Iterable",    "Iterator",
    "Callable", "Type",         "Sensitive", "Timestamp", "Timespan", "SemVer",     "SemVerRange", "Binary",
    "URI",      "CatalogEntry", "Class",     "Resource",  "Runtime"};
constexpr std::array<std::string_view, 3> kAliases = {"Data", "RichData", "RichDataKey"};
constexpr std::array<std::string_view, 6> kUnsupported = {"Init",      "Runtime",       "Object",
                                                          "TypeAlias", "TypeReference", "TypeSet"};

}  // namespace

std::string_view kind_name(TypeKind kind) { return kNames.at(static_cast<std::size_t>(kind)); }

TypeRef find_type(std::string_view name) {
  for (const std::string_view unsupported : kUnsupported) {
    if (same_letters(name, unsupported))
      throw Error("puppet.unsupported", "the type '" + std::string(unsupported) + "' is not supported")
          .hint("use a type of data: String, Integer, Struct, Data, …");
  }
  for (const std::string_view alias : kAliases) {
    if (same_letters(name, alias)) return alias_type(alias);
  }
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (same_letters(name, kNames[i]) && static_cast<TypeKind>(i) != TypeKind::unit)
      return plain(static_cast<TypeKind>(i));
  }
  return nullptr;
}

std::string near_name(std::string_view name) {
  std::vector<std::string_view> candidates;
  for (const std::string_view candidate : kNames) {
    if (candidate != "Unit" && candidate != "Runtime") candidates.push_back(candidate);
  }
  candidates.insert(candidates.end(), kAliases.begin(), kAliases.end());
  return std::string(nearest_name(candidates, name));
}

}  // namespace strata::puppet
