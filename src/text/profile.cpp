#include "profile.hpp"

#include <bit>

#include "scalars.hpp"

namespace strata::text {
namespace {

constexpr std::string_view kNumberFirst = "-+0123456789";
constexpr std::string_view kFloatFirst = "-+0123456789.";

constexpr std::array<ScalarRule, 7> kPyYamlScalars{{
    {Scalar::boolean, "yYnNtTfFoO", is_yaml11_boolean},
    {Scalar::floating, kFloatFirst, is_pyyaml_float},
    {Scalar::integer, kNumberFirst, is_pyyaml_integer},
    {Scalar::merge, "<", is_merge},
    {Scalar::null, "~nN", is_yaml11_null},
    {Scalar::timestamp, "0123456789", is_pyyaml_timestamp},
    {Scalar::value, "=", is_value_sign},
}};

constexpr std::array<ScalarRule, 4> kCoreScalars{{
    {Scalar::null, "~nN", is_core_null},
    {Scalar::boolean, "tTfF", is_core_boolean},
    {Scalar::integer, kNumberFirst, is_core_integer},
    {Scalar::floating, kFloatFirst, is_core_float},
}};

constexpr std::array<TagRule, 12> kYaml11Tags{{
    {"tag:yaml.org,2002:str", Tag::text},
    {"tag:yaml.org,2002:null", Tag::null},
    {"tag:yaml.org,2002:bool", Tag::boolean},
    {"tag:yaml.org,2002:int", Tag::integer},
    {"tag:yaml.org,2002:float", Tag::floating},
    {"tag:yaml.org,2002:timestamp", Tag::timestamp},
    {"tag:yaml.org,2002:binary", Tag::binary},
    {"tag:yaml.org,2002:set", Tag::set},
    {"tag:yaml.org,2002:omap", Tag::ordered_map},
    {"tag:yaml.org,2002:pairs", Tag::pairs},
    {"tag:yaml.org,2002:seq", Tag::sequence},
    {"tag:yaml.org,2002:map", Tag::mapping},
}};

constexpr std::array<TagRule, 7> kCoreTags{{
    {"tag:yaml.org,2002:str", Tag::text},
    {"tag:yaml.org,2002:null", Tag::null},
    {"tag:yaml.org,2002:bool", Tag::boolean},
    {"tag:yaml.org,2002:int", Tag::integer},
    {"tag:yaml.org,2002:float", Tag::floating},
    {"tag:yaml.org,2002:seq", Tag::sequence},
    {"tag:yaml.org,2002:map", Tag::mapping},
}};

constexpr Profile kPyYaml{
    .name = "pyyaml",
    .scalars = kPyYamlScalars,
    .first_bytes = first_bytes(kPyYamlScalars),
    .tags = kYaml11Tags,
    .keys = KeyEquality::python,
    .merge_key = MergeKey::pyyaml,
    .anchors = Anchors::unique,
    .duplicate_keys = DuplicateKeys::last_wins,
    .scanner = Scanner::pyyaml,
    .leading_zero_is_octal = true,
    .container_keys = false,
    .bang_resolves = true,
};

constexpr Profile kCore12{
    .name = "core12",
    .scalars = kCoreScalars,
    .first_bytes = first_bytes(kCoreScalars),
    .tags = kCoreTags,
    .keys = KeyEquality::exact,
    .merge_key = MergeKey::none,
    .anchors = Anchors::latest,
    .duplicate_keys = DuplicateKeys::error,
    .scanner = Scanner::libyaml,
    .leading_zero_is_octal = false,
    .container_keys = true,
    .bang_resolves = false,
};

}  // namespace

const Profile& pyyaml() noexcept { return kPyYaml; }
const Profile& core12() noexcept { return kCore12; }

const Profile* find_profile(std::string_view name) noexcept {
  for (const Profile* profile : {&kPyYaml, &kCore12}) {
    if (profile->name == name) return profile;
  }
  return nullptr;
}

Scalar Profile::resolve(std::string_view plain) const noexcept {
  if (plain.empty()) return Scalar::null;
  for (unsigned rows = first_bytes[static_cast<unsigned char>(plain.front())]; rows != 0; rows &= rows - 1) {
    const ScalarRule& rule = scalars[static_cast<std::size_t>(std::countr_zero(rows))];
    if (rule.matches(plain)) return rule.scalar;
  }
  return Scalar::text;
}

}  // namespace strata::text
