// How text becomes values, as data: one Profile a reference's reader.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "strata/text.hpp"

namespace strata::text {

/// What a plain scalar or a tag stands for.
enum class Scalar : std::uint8_t {
  text,
  null,
  boolean,
  integer,
  floating,
  timestamp,
  binary,
  merge,
  value,
  symbol,
  forbidden,  ///< Would be a date or time of day; the reference refuses the whole text for it.
};

/// One row of a profile's table of plain scalars: texts that begin with one of `first` and that `matches` accepts are a `scalar`. The empty text is
/// always null.
struct ScalarRule {
  Scalar scalar;
  std::string_view first;  ///< Possible first characters.
  bool (*matches)(std::string_view);
};

/// What an explicit tag asks for.
enum class Tag : std::uint8_t {
  text,
  null,
  boolean,
  integer,
  floating,
  timestamp,
  binary,
  set,
  ordered_map,  ///< A sequence of mappings with one entry each, read as pairs.
  pairs,
  sequence,
  mapping,
  plain,            ///< A scalar that means what it would mean plain, also where it is quoted.
  symbol,           ///< A Symbol with the scalar as its name.
  ordered_mapping,  ///< A sequence of pairs, read as one mapping.
  forbidden,        ///< The reference refuses the whole text.
};

/// Kinds of nodes, as bits.
using Nodes = std::uint8_t;
constexpr Nodes kScalars = 1;
constexpr Nodes kSequences = 2;
constexpr Nodes kMappings = 4;
constexpr Nodes kAnyNode = kScalars | kSequences | kMappings;

struct TagRule {
  std::string_view tag;  ///< In full: `tag:yaml.org,2002:str`.
  Tag meaning;
  Nodes nodes = kAnyNode;  ///< On which nodes the rule holds.
  bool longer = false;     ///< The rule is for tags that begin with `tag` and go on.

  [[nodiscard]] bool matches(std::string_view whole, Nodes node) const noexcept {
    return (nodes & node) != 0 && (longer ? whole.size() > tag.size() && whole.starts_with(tag) : whole == tag);
  }
};

enum class UnknownTags : std::uint8_t { error, ignored };  ///< Ignored: scalars are `Tag::plain`.

enum class MergeKey : std::uint8_t {
  none,    ///< `<<` is an ordinary key.
  pyyaml,  ///< Merged entries come first, own keys win; anything but mappings is an error.
  psych,   ///< Merged entries come where `<<` stands and win over what is before it; with anything but mappings `<<` is an ordinary key.
};
enum class Anchors : std::uint8_t { unique, latest };          ///< A redefined anchor is an error, or means the latest.
enum class DuplicateKeys : std::uint8_t { last_wins, error };  ///< The last value, at the place of the first; or an error.
/// Which keys of mappings become text, once all is read: symbols their names; or all of them, as Python's JSON writes keys.
enum class TextKeys : std::uint8_t { none, symbols, json };
enum class Stream : std::uint8_t { all, first };  ///< Which documents of a stream are read; the text behind them is not looked at.
/// Whose lexical rules; libyaml reads, the rest is checked after it. `either`: what libyaml refuses is read by PyYAML's.
enum class Scanner : std::uint8_t { libyaml, pyyaml, either };

/// For each first byte, which rows of a table of scalars may match (a bit a row): most texts are told from numbers by it.
using FirstBytes = std::array<std::uint8_t, 256>;
constexpr FirstBytes first_bytes(std::span<const ScalarRule> rules) {
  FirstBytes bits{};
  for (std::size_t row = 0; row < rules.size(); ++row) {
    for (const char c : rules[row].first) bits.at(static_cast<unsigned char>(c)) |= static_cast<std::uint8_t>(1U << row);
  }
  return bits;
}

/// What scalars amount to, by what they stand for; each gives nothing where the text is not a possible one.
struct Conversions {
  std::optional<bool> (*boolean)(std::string_view);
  std::optional<Value> (*integer)(Arena&, std::string_view);
  std::optional<double> (*floating)(std::string_view);
  std::optional<double> (*tagged_floating)(std::string_view);  ///< Under the tag for floats.
  std::optional<std::string> (*base64)(std::string_view);
  bool binary_is_text;  ///< Bytes that are UTF-8 become text.
};

struct Profile {
  std::string_view name;
  std::span<const ScalarRule> scalars;
  FirstBytes first_bytes;         ///< Of `scalars`.
  std::span<const TagRule> tags;  ///< The first row that matches counts.
  UnknownTags unknown_tags;
  Conversions conversions;
  KeyEquality keys;
  MergeKey merge_key;
  Anchors anchors;
  DuplicateKeys duplicate_keys;
  TextKeys text_keys;
  Stream stream;
  Scanner scanner;
  bool container_keys;  ///< Sequences and mappings may be keys.
  bool bang_resolves;   ///< After the tag `!` any scalar, also a quoted one, is resolved as plain ones are; else it is text.

  /// What a plain, untagged scalar stands for.
  [[nodiscard]] Scalar resolve(std::string_view plain) const noexcept;
};

/// Psych where symbols are forbidden, too: how Puppet reads files of facts.
[[nodiscard]] const Profile& psych_facts() noexcept;

}  // namespace strata::text
