// What a HOCON text means before its substitutions are followed: a graph of definitions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "value/seeded_hash.hpp"

namespace strata::text {

struct HoconNode;

struct HoconField {
  std::string_view key;  ///< Kept by the graph.
  std::size_t offset = 0;
  HoconNode* value = nullptr;
};

/// A definition. Once parsed it does not change, but for `level`.
struct HoconNode {
  enum class Kind : std::uint8_t { null, boolean, number, text, list, object, reference, concatenation, merge };
  Kind kind = Kind::null;
  bool quoted = false;                 ///< Of a text: it was in quotes, or made of several.
  bool optional = false;               ///< Of a reference: `${?`.
  bool open = false;                   ///< There is a reference in it.
  bool hides_below = false;            ///< Of an object: it stands over something that is none, so that it merges with nothing below that.
  std::size_t offset = 0;              ///< Where it was written.
  std::string text;                    ///< Of a scalar, as written.
  std::vector<HoconNode*> items;       ///< Of a list; the pieces of a concatenation; the definitions of a merge, the last one first.
  std::vector<HoconField> fields;      ///< Of an object.
  std::vector<std::string_view> path;  ///< Of a reference.

  std::size_t level = 0;  ///< Of a merge, a note of the resolver: how many definitions are hidden at the moment.

  [[nodiscard]] bool is_container() const noexcept { return kind == Kind::list || kind == Kind::object; }
  /// A reference, or something that has to be put together once its references are known.
  [[nodiscard]] bool is_pending() const noexcept { return kind >= Kind::reference; }
  /// Nothing below it in a stack of definitions counts.
  [[nodiscard]] bool ends_stack() const noexcept;
};

/// The nodes of one text, and how definitions are put together. Every operation adds to `work`, for its owner to bound.
class HoconGraph {
 public:
  HoconNode* make(HoconNode::Kind kind, std::size_t offset);
  std::string_view intern(std::string text) { return texts_.emplace_back(std::move(text)); }

  /// A definition over an earlier one of the same key: objects are merged, other values win, what is pending waits.
  HoconNode* over(HoconNode* top, HoconNode* below);
  /// Values that stand in a row become one. Null where `pieces` is empty; `misfit` is set where they do not go together.
  HoconNode* concatenate(const std::vector<HoconNode*>& pieces, const HoconNode*& misfit);
  /// To the list in `existing`, or to what `+=` of the same path made before, the items of `list` are added; null where `existing` is neither.
  HoconNode* append(HoconNode* existing, HoconNode* list, const std::vector<std::string_view>& path);
  /// Adds a field, over an earlier one.
  void set_field(HoconNode* object, std::string_view key, std::size_t offset, HoconNode* value);
  [[nodiscard]] const HoconField* find(const HoconNode* object, std::string_view key) const;

  std::size_t work = 0;

 private:
  HoconNode* merge_objects(HoconNode* top, HoconNode* below);
  HoconNode* stack(HoconNode* top, HoconNode* below);
  HoconNode* list_of(HoconNode* object);
  /// What `join` gives, made in `own` itself; false where that is not possible.
  bool extend(HoconNode* own, const HoconNode* right);
  HoconNode* join(HoconNode* left, HoconNode* right, const HoconNode*& misfit);

  std::deque<HoconNode> nodes_;
  std::deque<std::string> texts_;
  /// Of objects with many fields: where each key is.
  mutable std::unordered_map<const HoconNode*, TextViewMap<std::size_t>> indexes_;
};

}  // namespace strata::text
