// SPDX-License-Identifier: Apache-2.0
// Values of the language that are not data, types or patterns: the word `default`, iterators.
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

/// The printed form of an iterator.
struct IteratorForm {
  TypeRef item_type{};    ///< Null: the type of its items.
  bool pairs = false;     ///< They are the entries of a hash.
  bool reversed = false;  ///< In reverse order.
};

/// The type of the items in an iteration. Cost: linear.
[[nodiscard]] TypeRef iterated_type(const Value& items, const IteratorForm& form);

/// The result of `reverse_each` and `step`: it can be iterated but is not an array. Over the items of an array, or over
/// integers.
class IteratorObject final : public Object {
 public:
  /// The items of a sequence. The object copies them.
  explicit IteratorObject(const Value& items, IteratorForm form = {});
  /// The integers `from`, `from + step`, …: `count` of them.
  IteratorObject(std::int64_t from, std::int64_t step, std::size_t count);

  /// Absent: integers.
  [[nodiscard]] const Value& items() const noexcept { return items_; }
  [[nodiscard]] std::int64_t from() const noexcept { return from_; }
  [[nodiscard]] std::int64_t step() const noexcept { return step_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] const IteratorForm& form() const noexcept { return form_; }
  /// The type of each item. Cost: linear.
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
  IteratorForm form_;
};

/// Null if the value is not one.
[[nodiscard]] const IteratorObject* as_iterator(const Value& value) noexcept;

}  // namespace strata::puppet
