// SPDX-License-Identifier: Apache-2.0
#include "bindings/composition/guards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bindings/composition/constants.hpp"
#include "puppet/characters.hpp"
#include "puppet/quote.hpp"
#include "ruby/ruby.hpp"
#include "strata/scalar_text.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

using puppet::as;

namespace {

constexpr std::size_t kMostAlternatives = 1000;
constexpr std::size_t kMostStaticAlternatives = 100000;  // Of one 'or': as many as a document has words.

[[noreturn]] void too_many(std::size_t most = kMostAlternatives) {
  throw Error("limit.alternatives", fmt::format("a 'when' has more than {} alternatives", most))
      .hint("write several statements, or fewer 'or' within 'and'");
}

/// Adds a set unless one that is there contains it; drops those that it contains. A set is never below one that it
/// contains, with whatever both are joined.
void add(Alternatives& all, const CategorySet& set) {
  for (const CategorySet& one : all) {
    if (one.contains(set)) return;
  }
  std::erase_if(all, [&set](const CategorySet& one) { return set.contains(one); });
  if (all.size() == kMostAlternatives) too_many();
  all.push_back(set);
}

}  // namespace

Alternatives both(const Alternatives& left, const Alternatives& right) {
  if (left.empty() || right.empty()) return {};
  if (left.size() == 1 && left.front().empty()) return right;
  if (right.size() == 1 && right.front().empty()) return left;
  Alternatives out;
  for (const CategorySet& one : left) {
    for (const CategorySet& other : right) {
      CategorySet joined = one;
      joined.add(other);
      add(out, joined);
    }
  }
  return out;
}

Alternatives either(Alternatives left, const Alternatives& right) {
  for (const CategorySet& one : right) add(left, one);
  return left;
}

const CategorySet& highest(const Alternatives& alternatives) noexcept {
  return *std::max_element(alternatives.begin(), alternatives.end());
}

CategoryTable::CategoryTable(std::span<const Category> categories) {
  all_.reserve(categories.size());
  for (std::size_t i = 0; i < categories.size(); ++i) {
    const Category& category = categories[i];
    all_.push_back(
        {categories.size() - 1 - i, &category, category.value ? puppet::lower(*category.value) : std::string()});
    by_name_.emplace(category.name, i);
  }
}

const CategoryTable::One* CategoryTable::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &all_[found->second];
}

std::string CategoryTable::path(const CategorySet& set) const {
  std::string out;
  for (const One& one : all_) {
    if (!set.contains(one.number)) continue;
    if (!out.empty()) out += " and ";
    out += one.category->name;
    if (one.category->value) out += ' ' + puppet::quote(*one.category->value);
  }
  return out.empty() ? "common" : out;
}

std::string folded_value(const Value& value) {
  if (!value || value.is_null()) return {};
  if (value.is_container() || value.kind() == Kind::object) {
    throw Error("bindings.category", "the value of a category in a 'when' must be a text, number or boolean");
  }
  return puppet::lower(ruby::interpolated(value));
}

Guards::Guards() {
  blocks_.push_back({nullptr, kCommon, {Guard::Kind::always, 0, {}}});
  blocks_.push_back({nullptr, kCommon, {Guard::Kind::always, 0, {}}});
}

// Recursion: the parser bounds the nesting of conditions.
Guards::Node Guards::compile(const Guard& guard) {
  Node node{guard.kind, 0, {}};
  if (guard.kind == Guard::Kind::is) {
    node.test = static_cast<std::uint32_t>(tests_.size());
    const Value* constant = scalar_constant(*guard.predicate.value);
    tests_.push_back({guard.predicate.category, constant != nullptr ? folded_value(*constant) : std::string(),
                      constant != nullptr ? nullptr : guard.predicate.value});
  }
  node.parts.reserve(guard.parts.size());
  for (const Guard* part : guard.parts) node.parts.push_back(compile(*part));
  return node;
}

std::uint32_t Guards::add(const When* when) {
  if (when == nullptr) return kCommon;
  if (const auto known = known_.find(when); known != known_.end()) return known->second;
  // From the outermost block that is new inwards: no recursion over blocks.
  std::vector<const When*> chain;
  for (const When* block = when; block != nullptr && !known_.contains(block); block = block->outer)
    chain.push_back(block);
  for (auto block = chain.rbegin(); block != chain.rend(); ++block) {
    const std::uint32_t outer = (*block)->outer == nullptr ? kCommon : known_.at((*block)->outer);
    known_.emplace(*block, static_cast<std::uint32_t>(blocks_.size()));
    blocks_.push_back({*block, outer, compile(*(*block)->guard)});
  }
  return known_.at(when);
}

std::optional<Guards::Condition> Guards::condition(std::uint32_t guard) const noexcept {
  const Block& block = blocks_[guard];
  if (block.outer != kCommon || block.node.kind != Guard::Kind::is) return std::nullopt;
  const Test& test = tests_[block.node.test];
  return test.expression == nullptr ? std::optional(Condition(test.category, test.folded)) : std::nullopt;
}

struct Guards::Evaluation {
  const Guards& guards;
  const CategoryTable& categories;
  const Evaluate& evaluate;
  /// Categories by the address of their names' characters, which repeat.
  TextViewMap<const CategoryTable::One*> found;

  const CategoryTable::One* find(std::string_view name) {
    const auto known = found.find(name);
    if (known != found.end()) return known->second;
    const CategoryTable::One* one = categories.find(name);
    found.emplace(name, one);
    return one;
  }

  Alternatives test(const Test& test) {
    const CategoryTable::One* one = find(test.category);
    if (one == nullptr || one->folded.empty()) return {};
    if (one->folded != (test.expression == nullptr ? test.folded : folded_value(evaluate(*test.expression)))) return {};
    CategorySet set;
    set.add(one->number);
    return {set};
  }

  // Recursion: the parser bounds the nesting of conditions.
  Alternatives node(const Node& node) {
    switch (node.kind) {
      case Guard::Kind::always:
        return {CategorySet()};
      case Guard::Kind::is:
        return test(guards.tests_[node.test]);
      case Guard::Kind::all: {
        Alternatives out{CategorySet()};
        for (const Node& part : node.parts) {
          out = both(out, this->node(part));
          if (out.empty()) break;
        }
        return out;
      }
      case Guard::Kind::any:
        break;
    }
    Alternatives out;
    for (const Node& part : node.parts) out = either(std::move(out), this->node(part));
    return out;
  }
};

std::vector<Alternatives> Guards::evaluate(const CategoryTable& categories, const Evaluate& evaluate,
                                           const std::function<void(std::uint32_t, const Error&)>& failed) const {
  Evaluation evaluation{*this, categories, evaluate, {}};
  std::vector<Alternatives> out(blocks_.size());
  out[kCommon] = {CategorySet()};
  CategorySet node;
  if (const CategoryTable::One* one = categories.find("node")) node.add(one->number);
  out[kNode] = {node};
  for (std::uint32_t i = kNode + 1; i < blocks_.size(); ++i) {
    const Alternatives& outer = out[blocks_[i].outer];
    if (outer.empty()) continue;
    try {
      out[i] = both(outer, evaluation.node(blocks_[i].node));
    } catch (const Error& error) {
      failed(i, error);
    }
  }
  return out;
}

namespace {

using Tests = std::vector<StaticTest>;

/// Joins two sorted sets; false where they contradict each other.
bool join(const Tests& left, const Tests& right, Tests& out) {
  out.clear();
  std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(out));
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return std::adjacent_find(out.begin(), out.end(), [](const StaticTest& one, const StaticTest& next) {
           return one.first == next.first;
         }) == out.end();
}

std::vector<Tests> static_both(const std::vector<Tests>& left, const std::vector<Tests>& right) {
  // What is joined to one set has no more alternatives than it had: it is products that grow.
  const std::size_t most = left.size() <= 1 || right.size() <= 1 ? kMostStaticAlternatives : kMostAlternatives;
  std::set<Tests> out;
  Tests joined;
  for (const Tests& one : left) {
    for (const Tests& other : right) {
      if (join(one, other, joined)) out.insert(joined);
      if (out.size() > most) too_many(most);
    }
  }
  return {out.begin(), out.end()};
}

// Recursion: the parser bounds the nesting of conditions.
std::vector<Tests> static_of(const Guard& guard, const Guards::Evaluate& evaluate) {
  switch (guard.kind) {
    case Guard::Kind::always:
      return {Tests()};
    case Guard::Kind::is: {
      const Value* constant = scalar_constant(*guard.predicate.value);
      return {{{std::string(guard.predicate.category),
                folded_value(constant != nullptr ? *constant : evaluate(*guard.predicate.value))}}};
    }
    case Guard::Kind::all: {
      std::vector<Tests> out{Tests()};
      for (const Guard* part : guard.parts) out = static_both(out, static_of(*part, evaluate));
      return out;
    }
    case Guard::Kind::any:
      break;
  }
  std::set<Tests> out;
  for (const Guard* part : guard.parts) {
    for (Tests& one : static_of(*part, evaluate)) out.insert(std::move(one));
    if (out.size() > kMostStaticAlternatives) too_many(kMostStaticAlternatives);
  }
  return {out.begin(), out.end()};
}

constexpr std::size_t kWidestCondition = 200;

/// False where it is too long to be shown to its end.
// Recursion: the parser bounds the nesting of conditions.
bool append_condition(std::string& out, const Guard& guard, bool in_all) {
  switch (guard.kind) {
    case Guard::Kind::always:
      out += "common";
      return true;
    case Guard::Kind::is:
      out += fmt::format("{} {}", guard.predicate.category, shown_value(*guard.predicate.value));
      return true;
    case Guard::Kind::all:
    case Guard::Kind::any:
      break;
  }
  const bool any = guard.kind == Guard::Kind::any;
  const bool brackets = any && in_all && guard.parts.size() > 1;
  if (brackets) out += '(';
  std::string_view separator;
  for (const Guard* part : guard.parts) {
    if (out.size() > kWidestCondition) return false;
    out += separator;
    separator = any ? " or " : " and ";
    if (!append_condition(out, *part, !any)) return false;
  }
  if (brackets) out += ')';
  return true;
}

// Recursion: the parser bounds the nesting of conditions.
void visit_predicates(const Guard& guard, const std::function<void(const Predicate&)>& use) {
  if (guard.kind == Guard::Kind::is) use(guard.predicate);
  for (const Guard* part : guard.parts) visit_predicates(*part, use);
}

}  // namespace

std::vector<std::vector<StaticTest>> static_alternatives(const When* when, const Guards::Evaluate& evaluate) {
  std::vector<Tests> out{Tests()};
  for (; when != nullptr; when = when->outer) out = static_both(out, static_of(*when->guard, evaluate));
  return out;
}

std::string condition_text(const When* when) {
  if (when == nullptr) return "common";
  std::vector<const When*> chain;
  for (; when != nullptr; when = when->outer) chain.push_back(when);
  std::string out;
  for (auto block = chain.rbegin(); block != chain.rend(); ++block) {
    if (out.size() > kWidestCondition) return out + " …";
    if (!out.empty()) out += " and ";
    if (!append_condition(out, *(*block)->guard, chain.size() > 1)) return out + " …";
  }
  return out;
}

void for_each_predicate(const When* when, const std::function<void(const Predicate&)>& use) {
  for (; when != nullptr; when = when->outer) visit_predicates(*when->guard, use);
}

std::string shown_value(const Expression& expression) {
  const Value* constant = scalar_constant(expression);
  if (constant == nullptr) {
    if (expression.node == puppet::Node::variable) return fmt::format("${}", as<puppet::Variable>(expression).name);
    return "(…)";
  }
  return constant->is_text() ? puppet::quote(constant->text()) : scalar_text(*constant);
}

}  // namespace strata::bindings
