// The conditions of `when` blocks: compiled once a document, evaluated once a node.
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

/// The sets of categories under which a body is in effect, none of which contains another one. Empty: it is not in effect.
using Alternatives = std::vector<CategorySet>;

/// Both at once: every union of one of each. Error `limit.alternatives` where more than 1000 remain.
[[nodiscard]] Alternatives both(const Alternatives& left, const Alternatives& right);
/// Either.
[[nodiscard]] Alternatives either(Alternatives left, const Alternatives& right);
/// The highest precedence; there must be one.
[[nodiscard]] const CategorySet& highest(const Alternatives& alternatives) noexcept;

/// The categories of a request, with numbers that rise with precedence.
class CategoryTable {
 public:
  explicit CategoryTable(std::span<const Category> categories);
  struct One {
    std::size_t number;
    const Category* category;
    std::string folded;  ///< The value, letters in lower case; empty: not in effect.
  };
  /// Null pointer where site.pp has none of that name.
  [[nodiscard]] const One* find(std::string_view name) const;
  /// `node 'kermit' and virtual 'true'`; `common`.
  [[nodiscard]] std::string path(const CategorySet& set) const;
  [[nodiscard]] const std::vector<One>& all() const noexcept { return all_; }

 private:
  std::vector<One> all_;  ///< Highest first.
  TextViewMap<std::size_t> by_name_;
};

/// The value of a category or of a `when` as it is compared: text, letters in lower case; empty for undef. Error `bindings.category` for what is no
/// scalar.
[[nodiscard]] std::string folded_value(const Value& value);

/// Guards of one document: 0 is common, 1 the node category as a whole, others one a `when` block. Immutable.
class Guards {
 public:
  static constexpr std::uint32_t kCommon = 0;
  static constexpr std::uint32_t kNode = 1;

  Guards();
  /// The number of a block; that of a block around it is lower.
  std::uint32_t add(const When* when);
  [[nodiscard]] std::size_t size() const noexcept { return blocks_.size(); }
  /// Null for 0 and 1.
  [[nodiscard]] const When* when(std::uint32_t guard) const { return blocks_[guard].when; }
  /// A category, and the value in lower case that it must have.
  using Condition = std::pair<std::string_view, std::string_view>;
  /// What a guard asks for, where that is one constant condition and nothing else.
  [[nodiscard]] std::optional<Condition> condition(std::uint32_t guard) const noexcept;

  /// Evaluates what is no constant.
  using Evaluate = std::function<Value(const Expression&)>;
  /// The alternatives of each guard for a request. Errors: `limit.alternatives`, `bindings.category`, those of expressions; `failed` is told which
  /// guard has one, which is then not in effect.
  [[nodiscard]] std::vector<Alternatives> evaluate(const CategoryTable& categories, const Evaluate& evaluate,
                                                   const std::function<void(std::uint32_t, const Error&)>& failed) const;

 private:
  struct Test {
    std::string_view category;
    std::string folded;            ///< Where it is a constant.
    const Expression* expression;  ///< Null: it is one.
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
/// The sets of conditions of a block with those around it, whatever the facts are; what contradicts itself is left out. Each is sorted,
/// and empty where nothing is asked for. Error `limit.alternatives` where products of more than 1000 remain.
[[nodiscard]] std::vector<std::vector<StaticTest>> static_alternatives(const When* when, const Guards::Evaluate& evaluate);
/// What a block and those around it ask for, as written: `node 'x' and (virtual true or environment production)`.
[[nodiscard]] std::string condition_text(const When* when);
/// Every condition of a block and of those around it.
void for_each_predicate(const When* when, const std::function<void(const Predicate&)>& use);

/// A value of a `when` as a message shows it: `'x'`, `true`, `…` for an expression.
[[nodiscard]] std::string shown_value(const Expression& expression);

}  // namespace strata::bindings
