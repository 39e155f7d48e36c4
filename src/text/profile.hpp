// How text becomes values, as data: one Profile a reference's reader.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "strata/text.hpp"

namespace strata::text {

/// What a plain scalar or a tag stands for.
enum class Scalar : std::uint8_t { text, null, boolean, integer, floating, timestamp, binary, merge, value };

/// One row of a profile's table of plain scalars: texts that begin with one of `first` and that `matches` accepts are a `scalar`. The empty text is
/// null. The empty text is always null.
struct ScalarRule {
  Scalar scalar;
  std::string_view first;  ///< Possible first characters.
  bool (*matches)(std::string_view);
};

/// What an explicit tag asks for.
enum class Tag : std::uint8_t { text, null, boolean, integer, floating, timestamp, binary, set, ordered_map, pairs, sequence, mapping };

struct TagRule {
  std::string_view tag;  ///< In full: `tag:yaml.org,2002:str`.
  Tag meaning;
};

enum class MergeKey : std::uint8_t {
  none,    ///< `<<` is an ordinary key.
  pyyaml,  ///< Merged entries come first, own keys win; anything but mappings is an error.
};
enum class Anchors : std::uint8_t { unique, latest };          ///< A redefined anchor is an error, or means the latest.
enum class DuplicateKeys : std::uint8_t { last_wins, error };  ///< The last value, at the place of the first; or an error.
enum class Scanner : std::uint8_t { libyaml, pyyaml };         ///< Whose lexical rules; libyaml reads, the rest is checked after it.

/// For each first byte, which rows of a table of scalars may match (a bit a row): most texts are told from numbers by it.
using FirstBytes = std::array<std::uint8_t, 256>;
constexpr FirstBytes first_bytes(std::span<const ScalarRule> rules) {
  FirstBytes bits{};
  for (std::size_t row = 0; row < rules.size(); ++row) {
    for (const char c : rules[row].first) bits.at(static_cast<unsigned char>(c)) |= static_cast<std::uint8_t>(1U << row);
  }
  return bits;
}

struct Profile {
  std::string_view name;
  std::span<const ScalarRule> scalars;
  FirstBytes first_bytes;  ///< Of `scalars`.
  std::span<const TagRule> tags;
  KeyEquality keys;
  MergeKey merge_key;
  Anchors anchors;
  DuplicateKeys duplicate_keys;
  Scanner scanner;
  bool leading_zero_is_octal;  ///< `010` is 8.
  bool container_keys;         ///< Sequences and mappings may be keys.
  bool bang_resolves;          ///< After the tag `!` any scalar, also a quoted one, is resolved as plain ones are; else it is text.

  /// What a plain, untagged scalar stands for.
  [[nodiscard]] Scalar resolve(std::string_view plain) const noexcept;
};

}  // namespace strata::text
