// SPDX-License-Identifier: Apache-2.0
// `value[keys]`.
#include <algorithm>

#include "puppet/evaluation/operations.hpp"
#include "puppet/evaluation/state.hpp"
#include "puppet/evaluation/type_access.hpp"
#include "puppet/kinds.hpp"
#include "strata/builder.hpp"
#include "text/unicode/characters.hpp"

namespace strata::puppet {
namespace {

/// A stretch of something that has `size` parts.
struct Stretch {
  std::int64_t from = 0;
  std::int64_t count = 0;
};

/// Negative: the start counts from the end, the number up to so many from the end. What is outside is cut off.
Stretch stretch(std::int64_t from, std::int64_t count, std::int64_t size) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40U;
  from = std::clamp(from, -kMost, kMost);
  count = std::clamp(count, -kMost, kMost);
  if (from < 0) from += size;
  if (count < 0) count += size - from + 1;
  if (from < 0) {
    count += from;
    from = 0;
  }
  if (from > size || count < 0) return {};
  return {from, std::min(count, size - from)};
}

/// Whether an expression of a type, or of its parameters, gives the same each time.
bool is_constant(const Expression& expression) {
  switch (expression.node) {
    case Node::literal:
    case Node::word:
    case Node::default_word:
    case Node::type_name:
    case Node::regex:
      return true;
    case Node::access: {
      const Access& access = as<Access>(expression);
      return access.target->node == Node::type_name &&
             std::all_of(access.keys.begin(), access.keys.end(),
                         [](const Expression* key) { return is_constant(*key); });
    }
    default:
      return false;
  }
}

class Accessor {
 public:
  Accessor(const Access& access, Evaluator& evaluator) : access_(access), evaluator_(evaluator) {}

  Value of(const Value& target, std::span<const Value> keys) {
    switch (target.kind()) {
      case Kind::sequence:
        return sequence(target, integers(target, keys));
      case Kind::mapping:
      case Kind::set:
        return mapping(target, keys);
      case Kind::text:
        return text(target, integers(target, keys));
      default:
        break;
    }
    if (const TypeObject* type = as_type(target)) {
      // The text of a type names its parts.
      const bool secret = target.is_secret() || std::ranges::any_of(keys, shows_secret);
      return type_access(access_, *type->type(), keys, evaluator_).with_secret(secret);
    }
    throw evaluator_.error(access_.target->origin, "puppet.access", a_kind_of(target) + " has no parts to take by [ ]")
        .hint(target.is_null() ? "get(…) and dig(…) give undef for what is missing" : "");
  }

 private:
  /// One or two whole numbers.
  std::vector<std::int64_t> integers(const Value& target, std::span<const Value> keys) {
    std::vector<Value> flat;
    flatten_arrays(keys, flat);
    if (flat.empty() || flat.size() > 2)
      throw evaluator_.error(
          access_.origin, "puppet.access",
          a_kind_of(target) + " is accessed by one or two numbers, not " + std::to_string(flat.size()));
    std::vector<std::int64_t> out;
    for (std::size_t i = 0; i < flat.size(); ++i) {
      const Value number = to_number(flat[i]);
      if (number.kind() != Kind::integer)
        throw evaluator_.error(access_.keys[std::min(i, access_.keys.size() - 1)]->origin, "puppet.access",
                               a_kind_of(target) + " is accessed by whole numbers, not by " +
                                   (flat[i].is_text() ? "the text " + shown(flat[i]) : a_kind_of(flat[i])));
      out.push_back(number.as_integer());
    }
    return out;
  }

  [[nodiscard]] Value undef() const { return Value::null().with_origin(access_.origin); }

  Value sequence(const Value& target, const std::vector<std::int64_t>& at) {
    const auto size = static_cast<std::int64_t>(target.size());
    if (at.size() == 1) {
      const std::int64_t index = at[0] < 0 ? at[0] + size : at[0];
      return index >= 0 && index < size ? target.items()[static_cast<std::size_t>(index)] : undef();
    }
    const Stretch part = stretch(at[0], at[1], size);
    const std::span<const Value> items =
        target.items().subspan(static_cast<std::size_t>(part.from), static_cast<std::size_t>(part.count));
    evaluator_.charge(items.size() / 4);
    return evaluator_.arena().sequence(items).with_origin(access_.origin);
  }

  Value text(const Value& target, const std::vector<std::int64_t>& at) {
    const std::string_view text = target.text();
    evaluator_.charge_text(text.size());
    const auto size = static_cast<std::int64_t>(text::unicode::length(text));
    Stretch part;
    if (at.size() == 2) {
      part = stretch(at[0], at[1], size);
    } else {
      const std::int64_t index = at[0] < 0 ? at[0] + size : at[0];
      if (index >= 0 && index < size) part = {index, 1};
    }
    const std::size_t begin = text::unicode::offset(text, static_cast<std::size_t>(part.from));
    const std::string_view rest = text.substr(begin);
    const std::string_view found = rest.substr(0, text::unicode::offset(rest, static_cast<std::size_t>(part.count)));
    return evaluator_.arena().text(found).with_origin(access_.origin).with_secret(target.is_secret());
  }

  Value mapping(const Value& target, std::span<const Value> keys) {
    if (keys.empty()) throw evaluator_.error(access_.origin, "puppet.access", "a hash is accessed by at least one key");
    if (keys.size() == 1) {
      evaluator_.charge_value(keys[0]);
      const Value* found = target.find(keys[0]);
      return found == nullptr ? undef() : *found;
    }
    SequenceBuilder out(evaluator_.arena(), keys.size());
    for (const Value& key : keys) {
      evaluator_.charge_value(key);
      const Value* found = target.find(key);
      if (found != nullptr && !found->is_null()) out.append(*found);
    }
    return evaluator_.admit(out.finish().with_origin(access_.origin));
  }

  const Access& access_;
  Evaluator& evaluator_;
};

}  // namespace

Value Evaluator::access(const Access& access, Scope& scope) {
  // Types that are written out are made once.
  if (access.target->node == Node::type_name) {
    const auto known = state_->types.find(&access);
    if (known != state_->types.end()) return known->second;
    if (is_constant(access)) {
      const Value made = computed_access(access, scope);
      if (as_type(made) != nullptr) state_->types.emplace(&access, made);
      return made;
    }
  }
  return computed_access(access, scope);
}

Value Evaluator::computed_access(const Access& access, Scope& scope) {
  const Value target = visit(*access.target, scope);
  if (!target) return {};
  // The common case without a list of keys.
  if (access.keys.size() == 1) {
    const Value key = visit(*access.keys[0], scope);
    if (!key) return {};
    if (target.is_mapping()) {
      charge_value(key);
      const Value* found = target.find(key);
      return found == nullptr ? Value::null().with_origin(access.origin) : *found;
    }
    return Accessor(access, *this).of(target, std::span(&key, 1));
  }
  std::vector<Value> keys;
  for (const Expression* key : access.keys) {
    keys.push_back(visit(*key, scope));
    if (!keys.back()) return {};
  }
  return Accessor(access, *this).of(target, keys);
}

}  // namespace strata::puppet
