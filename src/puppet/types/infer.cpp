// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <set>

#include "puppet/evaluation/objects.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/kinds.hpp"
#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

/// Finds what many types fit in, one after the other. Texts are gathered, so that an array of many costs no more than
/// sorting them.
class Reducer {
 public:
  void add(TypeRef type) {
    const std::string* literal = literal_text(*type);
    if (literal != nullptr && !texts_.empty()) {
      texts_.insert(*literal);
      return;
    }
    settle();
    if (literal != nullptr &&
        (common_ == nullptr || common_->kind() == TypeKind::undef || common_->kind() == TypeKind::unit)) {
      texts_.insert(*literal);
    } else {
      common_ = common_ == nullptr ? std::move(type) : common_type(common_, type);
    }
  }

  TypeRef result() {
    settle();
    return common_;
  }

 private:
  void settle() {
    if (texts_.empty()) return;
    common_ = texts_.size() == 1 ? literal_type(*texts_.begin()) : enum_type({texts_.begin(), texts_.end()});
    texts_.clear();
  }

  TypeRef common_;
  std::set<std::string> texts_;  ///< Where what was seen so far are literal texts; then `common_` does not count.
};

/// Types of values in messages go no deeper: readers stop there, and inference needs a stack as deep as the value.
constexpr std::size_t kDeepestPrinted = 100;

/// Values from expressions share what they hold, and a message may be about one that is huge when written out: beyond
/// so many nodes none is printed. Where the type itself is the result, fewer are let through
/// (Evaluator::charge_inferring).
constexpr std::size_t kMostPrintedNodes = 2'000'000;

/// The type of a value, down to a depth and up to kMostPrintedNodes nodes. The rest counts as Unit, which fits
/// everywhere.
class Inference {
 public:
  [[nodiscard]] TypeRef reduced(const Value& value, std::size_t depth);
  [[nodiscard]] TypeRef detailed(const Value& value, std::size_t depth);

 private:
  /// The type of a value as far as it follows without its parts; null where the parts matter.
  [[nodiscard]] TypeRef plainly(const Value& value, std::size_t depth);
  std::size_t left_ = kMostPrintedNodes;
};

TypeRef infer_object(const Value& value) {
  if (const Sensitive* sensitive = as_sensitive(value))
    return holder_type(TypeKind::sensitive, infer(sensitive->value()));
  const bool secret = value.is_secret();
  if (const TypeObject* type = as_type(value))
    return secret ? plain(TypeKind::type) : holder_type(TypeKind::type, type->type());
  if (const PatternObject* pattern = as_pattern(value))
    return secret ? plain(TypeKind::regexp) : regexp_type(pattern->pattern());
  if (is_default(value)) return plain(TypeKind::default_value);
  if (const IteratorObject* iterator = as_iterator(value))
    return holder_type(TypeKind::iterator, iterator->item_type());
  return plain(TypeKind::runtime);
}

/// Of what has no parts; secrets by their kind only.
TypeRef infer_leaf(const Value& value) {
  const bool secret = value.is_secret();
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      return plain(TypeKind::undef);
    case Kind::boolean:
      return secret ? plain(TypeKind::boolean) : boolean_type(value.as_boolean());
    case Kind::integer:
    case Kind::big_integer: {
      if (secret) return plain(TypeKind::integer);
      const Integer number(value);
      return integer_type({number, number});
    }
    case Kind::floating:
      return secret ? plain(TypeKind::floating) : float_type(value.as_floating(), value.as_floating());
    case Kind::text:
      return secret ? plain(TypeKind::string) : literal_type(std::string(value.text()));
    case Kind::binary:
      return plain(TypeKind::string);
    case Kind::object:
      return infer_object(value);
    default:
      return plain(TypeKind::runtime);
  }
}

TypeRef empty_type(const Value& value) {
  return value.is_sequence() ? array_type(plain(TypeKind::unit), exactly(0))
                             : hash_type(plain(TypeKind::unit), plain(TypeKind::unit), exactly(0));
}

bool names_members(const Value& key) noexcept { return key.is_text() && !key.text().empty() && !key.is_secret(); }

TypeRef Inference::plainly(const Value& value, std::size_t depth) {
  if (left_ == 0) return plain(TypeKind::unit);
  --left_;
  if (!value.is_container()) return infer_leaf(value);
  if (depth == 0) return plain(TypeKind::unit);
  if (value.is_secret()) return plain(value.is_sequence() ? TypeKind::array : TypeKind::hash);
  return value.size() == 0 ? empty_type(value) : nullptr;
}

// Recursion: bounded by `depth`, and by Limits::depth, which bounds values.
TypeRef Inference::reduced(const Value& value, std::size_t depth) {
  if (TypeRef known = plainly(value, depth)) return known;
  Reducer items;
  if (value.is_sequence()) {
    for (const Value& item : value.items()) items.add(reduced(item, depth - 1));
    return array_type(items.result(), exactly(value.size()));
  }
  Reducer keys;
  for (const Entry& entry : value.entries()) {
    keys.add(reduced(entry.key, depth - 1));
    items.add(reduced(entry.value, depth - 1));
  }
  return hash_type(keys.result(), items.result(), exactly(value.size()));
}

TypeRef Inference::detailed(const Value& value, std::size_t depth) {
  if (TypeRef known = plainly(value, depth)) return known;
  if (value.is_sequence()) {
    std::vector<TypeRef> items;
    for (const Value& item : value.items()) items.push_back(detailed(item, depth - 1));
    return tuple_type(std::move(items));
  }
  const std::span<const Entry> entries = value.entries();
  if (is_hash(value) &&
      std::all_of(entries.begin(), entries.end(), [](const Entry& entry) { return names_members(entry.key); })) {
    std::vector<StructMember> members;
    for (const Entry& entry : entries)
      members.push_back({std::string(entry.key.text()), false, detailed(entry.value, depth - 1)});
    return struct_type(std::move(members));
  }
  // Beyond this a type that names every key is too long to read.
  constexpr std::size_t kMost = 1000;
  if (entries.size() > kMost) return reduced(value, depth);
  std::vector<TypeRef> keys;
  std::vector<TypeRef> values;
  for (const Entry& entry : entries) {
    keys.push_back(detailed(entry.key, depth - 1));
    values.push_back(detailed(entry.value, depth - 1));
  }
  return hash_type(variant_type(keys), variant_type(values), exactly(value.size()));
}

}  // namespace

TypeRef infer(const Value& value) { return Inference().reduced(value, std::numeric_limits<std::size_t>::max()); }

TypeRef infer_detailed(const Value& value) { return Inference().detailed(value, kDeepestPrinted); }

}  // namespace strata::puppet
