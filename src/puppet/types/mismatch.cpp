// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "puppet/types/describe.hpp"
#include "puppet/types/make.hpp"
#include "puppet/types/names.hpp"

namespace strata::puppet {
namespace {

std::string step_text(const Step& step) {
  switch (step.kind) {
    case Step::Kind::subject:
      return step.name;
    case Step::Kind::entry_value:
      return "entry '" + step.name + "'";
    case Step::Kind::entry_key:
      return "key of entry '" + step.name + "'";
    case Step::Kind::index:
      return "index " + std::to_string(step.number);
    case Step::Kind::variant:
      break;
  }
  return "variant " + std::to_string(step.number);
}

std::string size_text(const IntegerRange& size) {
  const Integer from = size.from.value_or(Integer(0));
  if (size.to == from) return from.to_string();
  if (from == Integer(0)) return size.to ? "at most " + size.to->to_string() : "unlimited";
  return size.to ? "between " + from.to_string() + " and " + size.to->to_string() : "at least " + from.to_string();
}

std::string base_name(const Type& type) {
  const auto* alias = type.get_if<AliasType>();
  return std::string(alias != nullptr ? alias->name : kind_name(type.kind()));
}

std::string short_name(const Type& type) {
  const auto* holder = type.get_if<HolderType>();
  if (holder == nullptr || holder->held == nullptr || holder->held->kind() == TypeKind::any) return base_name(type);
  return base_name(type) + "[" + base_name(*holder->held) + "]";
}

std::string with_article(const std::string& name) {
  constexpr std::string_view kVowels = "AEIOUYaeiouy";
  return (kVowels.find(name.front()) == std::string_view::npos ? "a " : "an ") + name;
}

/// Both of a kind, or one of a kind that refines the other's: then only the details tell them apart.
bool needs_details(const Type& expected, const Type& actual) {
  return expected.kind() == actual.kind() || expected.kind() == TypeKind::alias || actual.kind() == TypeKind::alias ||
         (expected.kind() == TypeKind::structure && actual.kind() == TypeKind::hash) ||
         (expected.kind() == TypeKind::tuple && actual.kind() == TypeKind::array);
}

const Type& behind(const Type& type) { return type.kind() == TypeKind::alias ? resolved(type) : type; }

bool fits_kind(const Type& expected, const Type& actual) {
  return is_assignable(*plain(behind(expected).kind()), actual);
}

std::string joined(const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  if (names.size() == 2) return names[0] + " or " + names[1];
  std::string out;
  for (std::size_t i = 0; i + 1 < names.size(); ++i) out += names[i] + ", ";
  return out + "or " + names.back();
}

/// Types of large values are cut.
std::string detailed_name(const Type& type) {
  constexpr std::size_t kLongest = 4000;
  std::string out = to_string(type);
  if (out.size() <= kLongest) return out;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80U) --end;
  return out.substr(0, end) + "…";
}

std::string type_text(const Fault& fault) {
  const TypeRef& actual = fault.actual;
  TypeRef expected = fault.expected;
  const bool optional = expected->kind() == TypeKind::optional && held(*expected) != nullptr;
  if (optional) expected = held(*expected);
  const auto* variant = expected->get_if<VariantType>();
  const std::vector<TypeRef> types = variant != nullptr ? variant->types : std::vector<TypeRef>{expected};
  const auto any = [&](const auto& predicate) {
    return std::any_of(types.begin(), types.end(), [&](const TypeRef& type) { return predicate(*type); });
  };
  const bool alike = any([&](const Type& type) { return needs_details(type, *actual); });
  const bool detailed = alike || any([&](const Type& type) { return fits_kind(type, *actual); });
  std::vector<std::string> names;
  if (optional) names.emplace_back("Undef");
  for (const TypeRef& type : types) {
    std::string name = detailed ? detailed_name(*type) : short_name(*type);
    const bool repeated = !detailed && std::find(names.begin() + (optional ? 1 : 0), names.end(), name) != names.end();
    if (!repeated) names.push_back(std::move(name));
  }
  std::string got = short_name(*actual);
  if (detailed) {
    const TypeRef wide = generalize(actual);
    const bool full = any(
        [&](const Type& type) { return needs_details(behind(type), *actual) || is_assignable(behind(type), *wide); });
    got = full ? detailed_name(*actual) : base_name(*actual);
  }
  if (names.empty()) names.emplace_back("Variant");
  if (names.size() == 1) return " expects " + with_article(names.front()) + " value, got " + got;
  return " expects a value of type " + joined(names) + ", got " + got;
}

std::string pattern_mismatch(const Fault& fault) {
  const bool optional = fault.expected->kind() == TypeKind::optional && held(*fault.expected) != nullptr;
  const Type& expected = optional ? *held(*fault.expected) : *fault.expected;
  const std::string* literal = literal_text(*fault.actual);
  return std::string(" expects ") + (optional ? "an undef value or " : "") + "a match for " + to_string(expected) +
         ", got " + (literal != nullptr ? "'" + *literal + "'" : short_name(*fault.actual));
}

}  // namespace

std::string sentence(const Fault& fault) {
  std::string out;
  for (const Step& step : fault.path) out += (out.empty() ? "" : " ") + step_text(step);
  switch (fault.kind) {
    case Fault::Kind::type:
      return out + type_text(fault);
    case Fault::Kind::pattern:
      return out + pattern_mismatch(fault);
    case Fault::Kind::size:
      return out + " expects size to be " + size_text(fault.expected_size) + ", got " + size_text(fault.actual_size);
    case Fault::Kind::missing_key:
      return out + " expects a value for key '" + fault.key + "'";
    case Fault::Kind::unknown_key:
      break;
  }
  return out + " unrecognized key '" + fault.key + "'";
}

std::string mismatch(const Type& expected, const Value& actual, std::string_view subject) {
  const TypeRef wanted = std::make_shared<const Type>(expected);
  const TypeRef type = infer_detailed(actual);
  const std::vector<Step> path = {{.kind = Step::Kind::subject, .name = std::string(subject) + " has wrong type,"}};
  std::vector<Fault> faults = describe(wanted, type, path, true);
  // Puppet has nothing to say where normalizing dropped what is wrong (Array[Any, 3]).
  if (faults.empty()) faults = describe(wanted, type, path, false);
  if (faults.empty()) faults = {{.kind = Fault::Kind::type, .path = path, .expected = wanted, .actual = type}};
  std::string out;
  constexpr std::size_t kMost = 50;
  if (faults.size() > kMost) faults.resize(kMost);
  for (const Fault& fault : faults) out += (out.empty() ? "" : "\n ") + sentence(fault);
  return out;
}

}  // namespace strata::puppet
