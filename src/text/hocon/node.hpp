// SPDX-License-Identifier: Apache-2.0
// A HOCON text before its substitutions are resolved: a graph of definitions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "strata/secret_keys.hpp"
#include "value/seeded_hash.hpp"

namespace strata::text {

struct HoconNode;

struct HoconField {
  std::string_view key;  ///< Kept by the graph.
  std::size_t offset = 0;
  HoconNode* value = nullptr;
};

/// A definition. After parsing, only `level` changes.
struct HoconNode {
  enum class Kind : std::uint8_t { null, boolean, number, text, list, object, reference, concatenation, merge };
  Kind kind = Kind::null;
  bool quoted = false;     ///< For a text: it was in quotes, or concatenated.
  bool optional = false;   ///< For a reference: `${?`.
  bool open = false;       ///< It contains a reference.
  bool is_secret = false;  ///< For a scalar: the name of what holds it says so, or it was made of such a one.
  /// For an object: it is above something that is not an object, so it merges with nothing below that.
  bool hides_below = false;
  std::size_t offset = 0;  ///< Where it was written.
  std::string text;        ///< For a scalar, as written.
  /// For a list: its items. For a concatenation: its pieces. For a merge: its definitions, last one first.
  std::vector<HoconNode*> items;
  std::vector<HoconField> fields;      ///< For an object.
  std::vector<std::string_view> path;  ///< For a reference.

  /// For a merge, used by the resolver: how many definitions are currently hidden.
  std::size_t level = 0;

  [[nodiscard]] bool is_container() const noexcept { return kind == Kind::list || kind == Kind::object; }
  /// Whether it is a reference, or must be resolved after its references.
  [[nodiscard]] bool is_pending() const noexcept { return kind >= Kind::reference; }
  /// Whether definitions below it in a stack are ignored.
  [[nodiscard]] bool ends_stack() const noexcept;
};

using HoconNodeKind = HoconNode::Kind;

/// The nodes of one text, and how definitions are combined. Every operation adds to `work`, which the owner limits.
class HoconGraph {
 public:
  HoconNode* make(HoconNodeKind kind, std::size_t offset);
  std::string_view intern(std::string text) { return texts_.emplace_back(std::move(text)); }

  /// Adds a definition over an earlier one of the same key: objects are merged, other values win, unresolved ones wait.
  HoconNode* over(HoconNode* top, HoconNode* below);
  /// Concatenates adjacent values. Null if `pieces` is empty. Sets `misfit` if they cannot be concatenated.
  HoconNode* concatenate(const std::vector<HoconNode*>& pieces, const HoconNode*& misfit);
  /// Appends the items of `list` to the list in `existing`, or to the result of an earlier `+=` of the same path. Null
  /// if `existing` is neither.
  HoconNode* append(HoconNode* existing, HoconNode* list, const std::vector<std::string_view>& path);
  /// Adds a field, over an earlier one.
  void set_field(HoconNode* object, std::string_view key, std::size_t offset, HoconNode* value);
  [[nodiscard]] const HoconField* find(const HoconNode* object, std::string_view key) const;

  std::size_t work = 0;

  /// Fields that are written twice, where the later definition needs nothing of the earlier one.
  struct Repeated {
    std::string_view key;
    std::size_t earlier;
    std::size_t later;
    bool is_secret;  ///< A field around it has a secret name.
  };
  std::vector<Repeated> repeated;
  /// While fields of the text are added: whether `repeated` receives them. Substitutions and `+=` repeat nothing.
  bool notes_repeated = false;
  const SecretKeys* secret_keys = nullptr;  ///< May be null.
  std::size_t secret_levels = 0;            ///< Fields around, with such a name.

 private:
  void note_repeated(const HoconField& earlier, const HoconNode* value, std::size_t offset);
  HoconNode* merge_objects(HoconNode* top, HoconNode* below);
  HoconNode* stack(HoconNode* top, HoconNode* below);
  HoconNode* list_of(HoconNode* object);
  /// The result of `join`, made in `own` itself. False if that is not possible.
  bool extend(HoconNode* own, const HoconNode* right);
  HoconNode* join(HoconNode* left, HoconNode* right, const HoconNode*& misfit);

  std::deque<HoconNode> nodes_;
  std::deque<std::string> texts_;
  /// For objects with many fields: the index of each key.
  mutable std::unordered_map<const HoconNode*, TextViewMap<std::size_t>> indexes_;
};

}  // namespace strata::text
