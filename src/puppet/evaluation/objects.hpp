// Values of the language that are neither data, types nor patterns: the word `default`, iterators.
#pragma once

#include <cstdint>
#include <string>

#include "strata/puppet.hpp"
#include "strata/value.hpp"

namespace strata::puppet {

/// The word `default` as a value.
class DefaultObject final : public Object {
 public:
  [[nodiscard]] std::string to_string() const override { return "default"; }
  [[nodiscard]] bool equals(const Object& other) const override;
  [[nodiscard]] std::size_t hash() const override { return 1; }
};

[[nodiscard]] Value make_default(Arena& arena);
[[nodiscard]] bool is_default(const Value& value) noexcept;

/// What `reverse_each` and `step` give: it can be gone through, and is no array. Of an array's items, or of whole numbers.
class IteratorObject final : public Object {
 public:
  /// The items of a sequence, which the object copies. `item_type`: what it is printed as an iterator of; null: what the items are. `pairs`: they are
  /// the entries of a hash.
  explicit IteratorObject(const Value& items, TypeRef item_type = nullptr, bool pairs = false);
  /// `from`, `from + step`, …: `count` of them.
  IteratorObject(std::int64_t from, std::int64_t step, std::size_t count);

  /// Absent: of whole numbers.
  [[nodiscard]] const Value& items() const noexcept { return items_; }
  [[nodiscard]] std::int64_t from() const noexcept { return from_; }
  [[nodiscard]] std::int64_t step() const noexcept { return step_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// Whether its items are the entries of a hash.
  [[nodiscard]] bool pairs() const noexcept { return pairs_; }
  /// That it was made with; may be null.
  [[nodiscard]] const TypeRef& given_type() const noexcept { return item_type_; }
  /// Of each of its items. Cost: linear.
  [[nodiscard]] TypeRef item_type() const;

  /// `Iterator[Integer]-Value`.
  [[nodiscard]] std::string to_string() const override;
  [[nodiscard]] bool equals(const Object& other) const override { return this == &other; }
  [[nodiscard]] std::size_t hash() const override { return count_; }

 private:
  std::shared_ptr<const Arena> arena_;
  Value items_;
  std::int64_t from_ = 0;
  std::int64_t step_ = 1;
  std::size_t count_;
  TypeRef item_type_;
  bool pairs_ = false;
};

/// Null pointer where the value is none.
[[nodiscard]] const IteratorObject* as_iterator(const Value& value) noexcept;

}  // namespace strata::puppet
