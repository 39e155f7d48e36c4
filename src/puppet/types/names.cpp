#include "puppet/types/names.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "puppet/characters.hpp"
#include "puppet/types/make.hpp"
#include "strata/error.hpp"

namespace strata::puppet {
namespace {

/// In the order of TypeKind.
constexpr std::array<std::string_view, static_cast<std::size_t>(TypeKind::alias)> kNames = {
    "Any",         "Unit",     "Undef",    "Default",      "Scalar",     "ScalarData", "Numeric",   "Integer",   "Float",    "Boolean",
    "String",      "Enum",     "Pattern",  "Regexp",       "Collection", "Array",      "Hash",      "Struct",    "Tuple",    "Variant",
    "Optional",    "NotUndef", "Iterable", "Iterator",     "Callable",   "Type",       "Sensitive", "Timestamp", "Timespan", "SemVer",
    "SemVerRange", "Binary",   "URI",      "CatalogEntry", "Class",      "Resource",   "Runtime"};
constexpr std::array<std::string_view, 3> kAliases = {"Data", "RichData", "RichDataKey"};
constexpr std::array<std::string_view, 6> kUnsupported = {"Init", "Runtime", "Object", "TypeAlias", "TypeReference", "TypeSet"};

/// Insertions, removals, replacements and swaps of neighbours that make one name of the other.
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::vector<std::size_t>> cost(left.size() + 1, std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i) {
    for (std::size_t k = 0; k <= right.size(); ++k) {
      if (i == 0 || k == 0) {
        cost[i][k] = i + k;
        continue;
      }
      const bool same = lower(left[i - 1]) == lower(right[k - 1]);
      cost[i][k] = std::min({cost[i - 1][k] + 1, cost[i][k - 1] + 1, cost[i - 1][k - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && k > 1 && lower(left[i - 1]) == lower(right[k - 2]) && lower(left[i - 2]) == lower(right[k - 1]);
      if (swapped) cost[i][k] = std::min(cost[i][k], cost[i - 2][k - 2] + 1);
    }
  }
  return cost[left.size()][right.size()];
}

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
    if (same_letters(name, kNames[i]) && static_cast<TypeKind>(i) != TypeKind::unit) return plain(static_cast<TypeKind>(i));
  }
  return nullptr;
}

std::string near_name(std::string_view name) {
  constexpr std::size_t kLongest = 20;
  if (name.size() > kLongest) return {};
  std::string_view best;
  std::size_t least = 3;  // What is farther is not what was meant.
  const auto look = [&](std::string_view candidate) {
    const std::size_t far = distance(name, candidate);
    if (far >= least || far * 2 >= candidate.size() + 1) return;
    least = far;
    best = candidate;
  };
  for (const std::string_view candidate : kNames) {
    if (candidate != "Unit" && candidate != "Runtime") look(candidate);
  }
  for (const std::string_view candidate : kAliases) look(candidate);
  return std::string(best);
}

}  // namespace strata::puppet
