// SPDX-License-Identifier: Apache-2.0
// The conditions of `when` blocks: compiled once per document, evaluated once per node.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bindings/composition/category_set.hpp"
#include "bindings/request.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

/// The sets of categories that put a body into effect. None contains another. Empty: it is not in effect.
using Alternatives = std::vector<CategorySet>;

/// Conjunction: every union of one of each. Error `limit.alternatives` if more than 1000 remain.
[[nodiscard]] Alternatives both(const Alternatives& left, const Alternatives& right);
/// Disjunction.
[[nodiscard]] Alternatives either(Alternatives left, const Alternatives& right);
/// The highest precedence. There must be one.
[[nodiscard]] const CategorySet& highest(const Alternatives& alternatives) noexcept;

/// The categories of a request, with numbers that increase with precedence.
class CategoryTable {
 public:
  explicit CategoryTable(std::span<const Category> categories);
  struct One {
    std::size_t number;
    const Category* category;
    std::string folded;  ///< The value in lower case. Empty: not in effect.
  };
  /// Null if site.pp has no category with the name.
  [[nodiscard]] const One* find(std::string_view name) const;
  /// `node 'kermit' and virtual 'true'`; `common`.
  [[nodiscard]] std::string path(const CategorySet& set) const;
  [[nodiscard]] const std::vector<One>& all() const noexcept { return all_; }

 private:
  std::vector<One> all_;  ///< Highest first.
  TextViewMap<std::size_t> by_name_;
};

/// The value of a category or of a `when` for comparison: text in lower case; empty for undef. Error
/// `bindings.category` if it is not a scalar. scalar.
[[nodiscard]] std::string folded_value(const Value& value);

/// The guards of one document: 0 is common, 1 is the node category as a whole, the others are `when` blocks. Immutable.
class Guards {
 public:
  static constexpr std::uint32_t kCommon = 0;
  static constexpr std::uint32_t kNode = 1;

  Guards();
  /// The number of a block. An enclosing block has a lower number.
  std::uint32_t add(const When* when);
  [[nodiscard]] std::size_t size() const noexcept { return blocks_.size(); }
  /// Null for 0 and 1.
  [[nodiscard]] const When* when(std::uint32_t guard) const { return blocks_[guard].when; }
  /// The guard of the enclosing block.
  [[nodiscard]] std::uint32_t outer(std::uint32_t guard) const { return blocks_[guard].outer; }
  /// A category and its required value, in lower case.
  using Condition = std::pair<std::string_view, std::string_view>;
  /// The condition of a guard, if it is a single constant condition.
  [[nodiscard]] std::optional<Condition> condition(std::uint32_t guard) const noexcept;

  /// Evaluates expressions that are not constant.
  using Evaluate = std::function<Value(const Expression&)>;
  /// The alternatives of each guard for a request. Errors: `limit.alternatives`, `bindings.category`, those of
  /// expressions. `failed` is called with each guard that has one; it is then not in effect.
  [[nodiscard]] std::vector<Alternatives> evaluate(
      const CategoryTable& categories, const Evaluate& evaluate,
      const std::function<void(std::uint32_t, const Error&)>& failed) const;

 private:
  struct Test {
    std::string_view category;
    std::string folded;            ///< If it is constant.
    const Expression* expression;  ///< Null: it is constant.
  };
  struct Node {
    Guard::Kind kind;
    std::uint32_t test = 0;
    std::vector<Node> parts;
  };
  struct Block {
    const When* when;
    std::uint32_t outer;
    Node node;
  };
  struct Evaluation;
  Node compile(const Guard& guard);

  std::vector<Block> blocks_;
  std::vector<Test> tests_;
  std::unordered_map<const When*, std::uint32_t> known_;
};

/// One condition of a static alternative: the category, and the value in lower case.
using StaticTest = std::pair<std::string, std::string>;
/// The sets of conditions of a block and its enclosing blocks, for any facts. Contradictions are left out. Each set is
/// sorted, and empty if there are no conditions. Error `limit.alternatives` if products of more than 1000 remain.
[[nodiscard]] std::vector<std::vector<StaticTest>> static_alternatives(const When* when,
                                                                       const Guards::Evaluate& evaluate);
/// The condition of a block and its enclosing blocks, as written: `node 'x' and (virtual true or environment
/// production)`.
[[nodiscard]] std::string condition_text(const When* when);
/// Every condition of a block and its enclosing blocks.
void for_each_predicate(const When* when, const std::function<void(const Predicate&)>& use);

/// A value of a `when` for messages: `'x'`, `true`, `…` for an expression.
[[nodiscard]] std::string shown_value(const Expression& expression);

}  // namespace strata::bindings
