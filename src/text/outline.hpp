// SPDX-License-Identifier: Apache-2.0
// Finds the nodes of one document in its text, for code that changes the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "strata/limits.hpp"
#include "strata/text.hpp"
#include "text/yaml/event.hpp"

namespace strata::text {

/// The bytes of a node. Offsets are those of the source.
struct NodeRange {
  enum class Kind : std::uint8_t { absent, scalar, alias, sequence, mapping };

  Kind kind = Kind::absent;
  YamlEvent::Style style = YamlEvent::Style::none;  ///< As events have it; JSON's containers are `flow`.
  bool is_empty = false;                            ///< A null that is not written.
  bool has_properties = false;                      ///< A tag or an anchor stands before it.
  std::size_t begin = 0;                            ///< Of the first property, or of the node.
  std::size_t properties_end = 0;                   ///< Behind the last property; `begin` without any.
  std::size_t content = 0;  ///< Of the node itself. An empty node's is behind the `:` or `-` before it.
  /// Behind its last character: of a block, without the line break of its last line, and without comments and blank
  /// lines that follow.
  std::size_t end = 0;
};

/// A member of a mapping, or an item of a sequence.
struct MemberRange {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t begin = 0;      ///< Of the key, of the `-`, or of the item of a flow sequence.
  NodeRange key = {};         ///< Absent: an item.
  std::string key_text = {};  ///< What a scalar key says in YAML.
  /// The `:`, where it follows its key in the key's line (in flow: anywhere). kNone for items and other forms of keys.
  std::size_t colon = kNone;
  NodeRange value = {};

  /// Behind its last character.
  [[nodiscard]] std::size_t end() const noexcept { return value.end > key.end ? value.end : key.end; }
};

struct ContainerRange {
  NodeRange node;
  std::vector<MemberRange> members = {};
};

/// An alias, and the node with the anchor that it names.
struct Repetition {
  std::size_t alias;
  std::size_t begin;  ///< Of the node, with its properties.
  std::size_t end;
};

/// One document. Memory: for the members of the containers of a path, and for anchors and aliases.
struct Outline {
  NodeRange root;
  std::size_t end = 0;  ///< Of the document: at `...`, at the `---` of the next one, or at the end of the text.
  std::vector<ContainerRange> containers;  ///< Those asked for, as far as they were found.
  std::vector<Repetition> repetitions;
  /// How much deeper than its mapping the first nested block mapping, and the first block sequence in a mapping, stand.
  /// No value if there is none.
  std::optional<std::size_t> step;
  std::optional<std::size_t> item_step;
};

/// Which containers an outline lists.
enum class Containers : std::uint8_t {
  path,  ///< Each is a member of the one before, and the first is the root.
  set,   ///< Any, in the order of the text. Containers inside keys may be among them.
};

/// `wanted`: where the containers of interest begin, rising. They are the origins that the reader gives. The text must
/// be one that read_yaml_stream reads with this profile and these limits, with a document of this number. Errors: those
/// of Stop::check and Stop::take_memory. Cost: linear in the text up to the end of the document.
[[nodiscard]] Outline outline_yaml(Sources& sources, SourceId source, const Profile& profile, const Limits& limits,
                                   std::size_t document, std::span<const std::size_t> wanted,
                                   Containers which = Containers::path);
/// The same for a text that read_json reads. It may hold comments.
[[nodiscard]] Outline outline_json(std::string_view text, const Limits& limits, std::span<const std::size_t> wanted,
                                   Containers which = Containers::path);

}  // namespace strata::text
