// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <unordered_map>

#include "puppet/convert/arguments.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

/// A tree that is being built: containers that may still change.
struct TreeNode {
  enum class Kind : std::uint8_t { leaf, array, hash };
  Kind kind = Kind::hash;
  Value leaf;
  std::vector<std::unique_ptr<TreeNode>> items;
  /// In order; `places` tells where a key is.
  std::vector<std::pair<Value, std::unique_ptr<TreeNode>>> entries;
  MappingBuilder places;

  explicit TreeNode(Arena& arena) : places(arena) {}
};

[[noreturn]] void bad_path(std::string_view what) {
  throw Error("puppet.convert", "a path of the tree leads through " + std::string(what));
}

class TreeBuilder {
 public:
  TreeBuilder(const Conversion& call, bool all_hashes) : call_(call), all_hashes_(all_hashes), root_(call.arena) {}

  void add(std::span<const Value> path, const Value& value) {
    if (path.empty()) return merge(value);
    TreeNode* at = &root_;
    for (const Value& step : path.first(path.size() - 1)) at = &descend(*at, step);
    slot(*at, path.back()) = node(value, all_hashes_);
  }

  Value result() { return freeze(root_); }

 private:
  void count() { need_room(call_, ++nodes_); }

  // Recursion: Limits::depth bounds the values.
  std::unique_ptr<TreeNode> node(const Value& value, bool as_hash) {
    count();
    auto out = std::make_unique<TreeNode>(call_.arena);
    if (value.is_sequence()) {
      out->kind = as_hash ? TreeNode::Kind::hash : TreeNode::Kind::array;
      std::int64_t number = 0;
      for (const Value& item : value.items()) {
        if (as_hash) {
          slot(*out, Value::integer(number++)) = node(item, true);
        } else {
          out->items.push_back(node(item, false));
        }
      }
    } else if (is_hash(value)) {
      for (const Entry& entry : value.entries()) slot(*out, entry.key) = node(entry.value, false);
    } else {
      out->kind = TreeNode::Kind::leaf;
      out->leaf = value;
    }
    return out;
  }

  void merge(const Value& value) {
    if (value.is_sequence()) {
      std::int64_t number = 0;
      for (const Value& item : value.items()) slot(root_, Value::integer(number++)) = node(item, false);
      return;
    }
    if (!is_hash(value)) bad_path("a value that is neither an array nor a hash");
    for (const Entry& entry : value.entries()) slot(root_, entry.key) = node(entry.value, false);
  }

  TreeNode& descend(TreeNode& at, const Value& step) {
    if (at.kind == TreeNode::Kind::leaf) bad_path("a value that is neither an array nor a hash");
    std::unique_ptr<TreeNode>& next = slot(at, step);
    if (next == nullptr) {
      if (at.kind == TreeNode::Kind::array) bad_path("an item that does not exist");
      count();
      next = std::make_unique<TreeNode>(call_.arena);
    }
    return *next;
  }

  /// Where a member is, or will be.
  std::unique_ptr<TreeNode>& slot(TreeNode& at, const Value& step) {
    if (at.kind == TreeNode::Kind::leaf) bad_path("a value that is neither an array nor a hash");
    if (at.kind == TreeNode::Kind::array) return item(at, step);
    const Value key = call_.arena.key(step);
    if (const Value* place = at.places.find(key))
      return at.entries[static_cast<std::size_t>(place->as_integer())].second;
    at.places.insert(key, Value::integer(static_cast<std::int64_t>(at.entries.size())));
    return at.entries.emplace_back(key, nullptr).second;
  }

  std::unique_ptr<TreeNode>& item(TreeNode& at, const Value& step) {
    if (step.kind() != Kind::integer) bad_path("an array, with something that is not an index");
    std::int64_t place = step.as_integer();
    if (place < 0) place += static_cast<std::int64_t>(at.items.size());
    if (place < 0) bad_path("an item that does not exist");
    const auto position = static_cast<std::size_t>(place);
    need_room(call_, position);
    while (at.items.size() <= position) {
      count();
      at.items.push_back(nullptr);
    }
    return at.items[position];
  }

  // Recursion: paths and values bound it; a path is no longer than a sequence may be, so that the depth is checked.
  Value freeze(const TreeNode& node, std::size_t depth = 0) {
    if (depth > call_.limits.depth)
      throw Error("limit.depth", "the tree nests deeper than " + std::to_string(call_.limits.depth) + " levels");
    if (node.kind == TreeNode::Kind::leaf) return node.leaf;
    if (node.kind == TreeNode::Kind::array) {
      SequenceBuilder out(call_.arena, node.items.size());
      for (const auto& item : node.items) out.append(item == nullptr ? Value::null() : freeze(*item, depth + 1));
      return out.finish();
    }
    MappingBuilder out(call_.arena, KeyEquality::exact, node.entries.size());
    for (const auto& [key, inner] : node.entries)
      out.insert(key, inner == nullptr ? Value::null() : freeze(*inner, depth + 1));
    return out.finish();
  }

  const Conversion& call_;
  bool all_hashes_;
  std::size_t nodes_ = 0;
  TreeNode root_;
};

}  // namespace

Value hash_of_paths(const Conversion& call, bool all_hashes) {
  TreeBuilder builder(call, all_hashes);
  for (const Value& entry : call.arguments[0].items()) {
    const std::span<const Value> path = entry.items()[0].items();
    if (path.size() > call.limits.depth)
      throw Error("limit.depth", "a path of the tree is longer than " + std::to_string(call.limits.depth) + " steps");
    builder.add(path, entry.items()[1]);
  }
  return builder.result();
}

}  // namespace strata::puppet
