// SPDX-License-Identifier: Apache-2.0
// How text becomes values, as data: one Profile for each reader of a reference.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "strata/text.hpp"

namespace strata::text {

/// The meaning of a plain scalar or a tag.
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
  forbidden,  ///< A date or time of day; the reference rejects the whole text.
};

/// One row of a profile's table of plain scalars: a text is a `scalar` if it begins with one of `first` and `matches`
/// accepts it. The empty text is always null.
struct ScalarRule {
  Scalar scalar;
  std::string_view first;  ///< Possible first characters.
  bool (*matches)(std::string_view);
  std::size_t longest = std::string_view::npos;  ///< Bytes. No longer text matches.
};

/// The meaning of an explicit tag.
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
  plain,            ///< As a plain scalar, even if it is quoted.
  symbol,           ///< A Symbol with the scalar as its name.
  ordered_mapping,  ///< A sequence of pairs, read as one mapping.
  forbidden,        ///< The reference rejects the whole text.
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
  Nodes nodes = kAnyNode;  ///< The nodes to which the rule applies.
  bool longer = false;     ///< The rule is for longer tags that begin with `tag`.

  [[nodiscard]] bool matches(std::string_view whole, Nodes node) const noexcept {
    return (nodes & node) != 0 && (longer ? whole.size() > tag.size() && whole.starts_with(tag) : whole == tag);
  }
};

enum class UnknownTags : std::uint8_t { error, ignored };  ///< If ignored, scalars are `Tag::plain`.

enum class MergeKey : std::uint8_t {
  none,    ///< `<<` is an ordinary key.
  pyyaml,  ///< Merged entries come first, own keys win; anything but mappings is an error.
  /// Merged entries are inserted at `<<` and override earlier ones. With anything but mappings, `<<` is an ordinary
  /// key.
  psych,
};
enum class Anchors : std::uint8_t { unique, latest };  ///< A redefined anchor is an error, or replaces the earlier one.
enum class DuplicateKeys : std::uint8_t {
  last_wins,
  error
};  ///< The last value, at the place of the first; or an error.
/// Which keys of mappings become text, after parsing: symbols their names; or all keys, as Python's JSON writes them.
enum class TextKeys : std::uint8_t { none, symbols, json };
/// Which documents of a stream are read. The text after them is ignored.
enum class Stream : std::uint8_t { all, first };
/// Whose lexical rules apply. libyaml parses; other rules are checked afterwards. `either`: text that libyaml rejects
/// is parsed by PyYAML's rules.
enum class Scanner : std::uint8_t { libyaml, pyyaml, either };

/// For each first byte, the rows of a table of scalars that may match (one bit per row). Distinguishes most texts from
/// numbers.
using FirstBytes = std::array<std::uint8_t, 256>;
constexpr FirstBytes first_bytes(std::span<const ScalarRule> rules) {
  FirstBytes bits{};
  for (std::size_t row = 0; row < rules.size(); ++row) {
    for (const char c : rules[row].first)
      bits.at(static_cast<unsigned char>(c)) |= static_cast<std::uint8_t>(1U << row);
  }
  return bits;
}

/// Values of scalars, by kind. Each returns no value if the text is not a possible one.
struct Conversions {
  std::optional<bool> (*boolean)(std::string_view);
  std::optional<Value> (*integer)(Arena&, std::string_view);
  std::optional<double> (*floating)(std::string_view);
  std::optional<double> (*tagged_floating)(std::string_view);  ///< For the tag of floats.
  std::optional<std::string> (*base64)(std::string_view);
  bool binary_is_text;  ///< Bytes that are UTF-8 become text.
};

struct Profile {
  std::string_view name;
  std::span<const ScalarRule> scalars;
  FirstBytes first_bytes;         ///< For `scalars`.
  std::span<const TagRule> tags;  ///< The first row that matches applies.
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
  /// After the tag `!`, any scalar, even a quoted one, is resolved as a plain one. If false, it is text.
  bool bang_resolves;

  /// The meaning of a plain, untagged scalar.
  [[nodiscard]] Scalar resolve(std::string_view plain) const noexcept;
};

/// Psych with symbols forbidden too: as Puppet reads files of facts.
[[nodiscard]] const Profile& psych_facts() noexcept;

}  // namespace strata::text
