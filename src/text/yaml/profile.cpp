// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/profile.hpp"

#include <algorithm>
#include <bit>

#include "text/yaml/plain_scalars.hpp"
#include "text/yaml/psych_scalars.hpp"

namespace strata::text {
namespace {

constexpr std::string_view kNumberFirst = "-+0123456789";
constexpr std::string_view kFloatFirst = "-+0123456789.";

constexpr std::array<ScalarRule, 7> kPyYamlScalars{{
    {Scalar::boolean, "yYnNtTfFoO", is_yaml11_boolean, 5},
    {Scalar::floating, kFloatFirst, is_pyyaml_float},
    {Scalar::integer, kNumberFirst, is_pyyaml_integer},
    {Scalar::merge, "<", is_merge},
    {Scalar::null, "~nN", is_yaml11_null, 4},
    {Scalar::timestamp, "0123456789", is_pyyaml_timestamp},
    {Scalar::value, "=", is_value_sign},
}};

/// Without dates and times, which JSON has no form for: they stay the texts that they are written as.
constexpr std::array<ScalarRule, 6> kUndatedScalars{{
    kPyYamlScalars[0],
    kPyYamlScalars[1],
    kPyYamlScalars[2],
    kPyYamlScalars[3],
    kPyYamlScalars[4],
    kPyYamlScalars[6],
}};

constexpr std::array<ScalarRule, 4> kCoreScalars{{
    {Scalar::null, "~nN", is_core_null, 4},
    {Scalar::boolean, "tTfF", is_core_boolean, 5},
    {Scalar::integer, kNumberFirst, is_core_integer},
    {Scalar::floating, kFloatFirst, is_core_float},
}};

constexpr std::array<ScalarRule, 6> kPsychScalars{{
    {Scalar::boolean, "yYnNtTfFoO~", is_psych_boolean, kLongestPsychWord},
    {Scalar::null, "~nN", is_psych_null, kLongestPsychWord},
    {Scalar::forbidden, "-0123456789", is_psych_time},
    {Scalar::symbol, ":", is_psych_symbol},
    {Scalar::integer, kNumberFirst, is_psych_integer},
    {Scalar::floating, kFloatFirst, is_psych_float},
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

/// The same with timestamps as texts.
constexpr std::array<TagRule, 12> kPyYamlJsonTags = [] {
  std::array<TagRule, 12> tags = kYaml11Tags;
  for (TagRule& rule : tags) {
    if (rule.meaning == Tag::timestamp) rule.meaning = Tag::text;
  }
  return tags;
}();

// Heat's loader has the function that makes texts for the tag of timestamps, too; bytes it reads and cannot store.
constexpr std::array<TagRule, 12> kHeatTags{{
    {"tag:yaml.org,2002:str", Tag::text},
    {"tag:yaml.org,2002:null", Tag::null},
    {"tag:yaml.org,2002:bool", Tag::boolean},
    {"tag:yaml.org,2002:int", Tag::integer},
    {"tag:yaml.org,2002:float", Tag::floating},
    {"tag:yaml.org,2002:timestamp", Tag::text, kScalars},
    {"tag:yaml.org,2002:binary", Tag::forbidden},
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

// What Psych 4 makes of tags where Ruby symbols are the only class that may be loaded. It has no rules for the standard
// tags of numbers, booleans and null: a scalar with one means what it means without.
constexpr auto kPsychTags = std::to_array<TagRule>({
    {"tag:yaml.org,2002:str", Tag::text, kScalars},
    {"!str", Tag::text, kScalars},
    {"!ruby/string", Tag::text, kScalars},
    {"!str:", Tag::text, kScalars},
    {"!ruby/string:", Tag::text, kScalars},
    {"!str:", Tag::forbidden, kScalars, true},
    {"!ruby/string:", Tag::forbidden, kScalars, true},
    {"tag:yaml.org,2002:binary", Tag::binary, kScalars},
    {"!binary", Tag::binary, kScalars},
    {"tag:yaml.org,2002:float", Tag::floating, kScalars},
    {"!float", Tag::floating, kScalars},
    {"!ruby/sym", Tag::symbol, kScalars},
    {"!ruby/sym", Tag::symbol, kScalars, true},
    {"!ruby/regexp", Tag::forbidden, kScalars},
    {"!ruby/range", Tag::forbidden, kScalars | kMappings},
    {"!ruby/class", Tag::forbidden, kScalars},
    {"!ruby/module", Tag::forbidden, kScalars},
    {"!ruby/encoding", Tag::forbidden, kScalars},
    {"!ruby/object:BigDecimal", Tag::forbidden, kScalars},
    {"!ruby/object:DateTime", Tag::forbidden, kScalars},
    {"!ruby/object:Complex", Tag::forbidden, kScalars},
    {"!ruby/object:Rational", Tag::forbidden, kScalars},
    {"tag:yaml.org,2002:omap", Tag::ordered_mapping, kSequences},
    {"!omap", Tag::ordered_mapping, kSequences},
    {"!seq:", Tag::forbidden, kSequences},
    {"!seq:", Tag::forbidden, kSequences, true},
    {"!ruby/array:", Tag::forbidden, kSequences | kMappings},
    {"!ruby/array:", Tag::forbidden, kSequences | kMappings, true},
    {"tag:yaml.org,2002:omap", Tag::forbidden, kMappings},
    {"!omap", Tag::forbidden, kMappings},
    {"tag:yaml.org,2002:set", Tag::forbidden, kMappings},
    {"!set", Tag::forbidden, kMappings},
    {"tag:yaml.org,2002:str", Tag::forbidden, kMappings},
    {"!str", Tag::forbidden, kMappings},
    {"!str:", Tag::forbidden, kMappings, true},
    {"!ruby/string", Tag::forbidden, kMappings},
    {"!ruby/string:", Tag::forbidden, kMappings, true},
    {"!map:", Tag::forbidden, kMappings},
    {"!map:", Tag::forbidden, kMappings, true},
    {"!ruby/hash:", Tag::forbidden, kMappings},
    {"!ruby/hash:", Tag::forbidden, kMappings, true},
    {"!ruby/hash-with-ivars", Tag::forbidden, kMappings},
    {"!ruby/hash-with-ivars:", Tag::forbidden, kMappings, true},
    {"!ruby/object:Hash", Tag::mapping, kMappings},
    {"!ruby/object", Tag::forbidden, kMappings},
    {"!ruby/object", Tag::forbidden, kMappings, true},
    {"!ruby/struct", Tag::forbidden, kMappings},
    {"!ruby/struct", Tag::forbidden, kMappings, true},
    {"!ruby/marshalable:", Tag::forbidden, kMappings, true},
    {"!ruby/exception", Tag::forbidden, kMappings},
    {"!ruby/exception", Tag::forbidden, kMappings, true},
});

/// The field's tag for bytes is for ASCII: the reference fails with other characters, before it decodes.
std::optional<std::string> ascii_base64(std::string_view text) {
  const bool is_ascii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return is_ascii ? decode_base64(text) : std::nullopt;
}

constexpr Profile kPyYaml{
    .name = "pyyaml",
    .scalars = kPyYamlScalars,
    .first_bytes = first_bytes(kPyYamlScalars),
    .tags = kYaml11Tags,
    .unknown_tags = UnknownTags::error,
    .conversions = {boolean_value, pyyaml_integer, float_value, float_value, ascii_base64, false},
    .keys = KeyEquality::python,
    .merge_key = MergeKey::pyyaml,
    .anchors = Anchors::unique,
    .duplicate_keys = DuplicateKeys::last_wins,
    .text_keys = TextKeys::none,
    .stream = Stream::all,
    .scanner = Scanner::pyyaml,
    .container_keys = false,
    .bang_resolves = true,
};

constexpr Profile kPyYamlC = [] {
  Profile profile = kPyYaml;
  profile.name = "pyyaml-c";
  profile.scanner = Scanner::libyaml;
  return profile;
}();

constexpr Profile kPyYamlJson = [] {
  Profile profile = kPyYaml;
  profile.name = "pyyaml-json";
  profile.scalars = kUndatedScalars;
  profile.first_bytes = first_bytes(kUndatedScalars);
  profile.tags = kPyYamlJsonTags;
  profile.text_keys = TextKeys::json;
  return profile;
}();

constexpr Profile kCore12{
    .name = "core12",
    .scalars = kCoreScalars,
    .first_bytes = first_bytes(kCoreScalars),
    .tags = kCoreTags,
    .unknown_tags = UnknownTags::error,
    .conversions = {boolean_value, core_integer, float_value, float_value, ascii_base64, false},
    .keys = KeyEquality::exact,
    .merge_key = MergeKey::none,
    .anchors = Anchors::latest,
    .duplicate_keys = DuplicateKeys::error,
    .text_keys = TextKeys::none,
    .stream = Stream::all,
    .scanner = Scanner::libyaml,
    .container_keys = true,
    .bang_resolves = false,
};

constexpr Profile kCore12Tagged = [] {
  Profile profile = kCore12;
  profile.name = "core12-tagged";
  profile.tags = kYaml11Tags;
  return profile;
}();

constexpr Profile kPsych{
    .name = "psych",
    .scalars = kPsychScalars,
    .first_bytes = first_bytes(kPsychScalars),
    .tags = kPsychTags,
    .unknown_tags = UnknownTags::ignored,
    .conversions = {psych_boolean, psych_integer, psych_float, psych_tagged_float, psych_base64, true},
    .keys = KeyEquality::exact,
    .merge_key = MergeKey::psych,
    .anchors = Anchors::latest,
    .duplicate_keys = DuplicateKeys::last_wins,
    .text_keys = TextKeys::symbols,
    .stream = Stream::first,
    .scanner = Scanner::libyaml,
    .container_keys = true,
    .bang_resolves = true,
};

/// A table in which symbols are forbidden.
template <class Rule, std::size_t Size, class Meaning>
constexpr std::array<Rule, Size> without_symbols(std::array<Rule, Size> rules, Meaning Rule::*meaning, Meaning symbol,
                                                 Meaning forbidden) {
  for (Rule& rule : rules) {
    if (rule.*meaning == symbol) rule.*meaning = forbidden;
  }
  return rules;
}

constexpr auto kPsychFactsScalars =
    without_symbols(kPsychScalars, &ScalarRule::scalar, Scalar::symbol, Scalar::forbidden);
constexpr auto kPsychFactsTags = without_symbols(kPsychTags, &TagRule::meaning, Tag::symbol, Tag::forbidden);

constexpr Profile kPsychFacts = [] {
  Profile profile = kPsych;
  profile.name = "psych-facts";
  profile.scalars = kPsychFactsScalars;
  profile.tags = kPsychFactsTags;
  return profile;
}();

// PyYAML's loader on libyaml, and where that refuses a text its own. Its mappings would take 1 and true for one key, an
// accident that is not copied.
constexpr Profile kHeat{
    .name = "heat",
    .scalars = kUndatedScalars,
    .first_bytes = first_bytes(kUndatedScalars),
    .tags = kHeatTags,
    .unknown_tags = UnknownTags::error,
    .conversions = {boolean_value, pyyaml_integer, float_value, float_value, ascii_base64, false},
    .keys = KeyEquality::exact,
    .merge_key = MergeKey::pyyaml,
    .anchors = Anchors::unique,
    .duplicate_keys = DuplicateKeys::last_wins,
    .text_keys = TextKeys::none,
    .stream = Stream::all,
    .scanner = Scanner::either,
    .container_keys = false,
    .bang_resolves = true,
};

}  // namespace

const Profile& pyyaml() noexcept { return kPyYaml; }
const Profile& pyyaml_c() noexcept { return kPyYamlC; }
const Profile& pyyaml_json() noexcept { return kPyYamlJson; }
const Profile& core12() noexcept { return kCore12; }
const Profile& core12_tagged() noexcept { return kCore12Tagged; }
const Profile& psych() noexcept { return kPsych; }
const Profile& heat() noexcept { return kHeat; }
const Profile& psych_facts() noexcept { return kPsychFacts; }

const Profile* find_profile(std::string_view name) noexcept {
  for (const Profile* profile :
       {&kPyYaml, &kPyYamlC, &kPyYamlJson, &kCore12, &kCore12Tagged, &kPsych, &kPsychFacts, &kHeat}) {
    if (profile->name == name) return profile;
  }
  return nullptr;
}

Scalar Profile::resolve(std::string_view plain) const noexcept {
  if (plain.empty()) return Scalar::null;
  for (unsigned rows = first_bytes[static_cast<unsigned char>(plain.front())]; rows != 0; rows &= rows - 1) {
    const ScalarRule& rule = scalars[static_cast<std::size_t>(std::countr_zero(rows))];
    if (plain.size() <= rule.longest && rule.matches(plain)) return rule.scalar;
  }
  return Scalar::text;
}

}  // namespace strata::text
