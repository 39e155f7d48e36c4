// SPDX-License-Identifier: Apache-2.0
#include "pushdown.hpp"

#include <algorithm>
#include <cmath>

#include "puppet/characters.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "resource_names.hpp"
#include "strata/builder.hpp"
#include "strata/text.hpp"
#include "text/regex/regex.hpp"

namespace strata::bindings::queries {
namespace {

Bound other(Bound bound) { return bound == Bound::above ? Bound::below : Bound::above; }

bool is_ascii_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80U && c != '\0'; });
}

bool has_letters(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return puppet::lower(c) >= 'a' && puppet::lower(c) <= 'z'; });
}

/// A filter, or one of the two that need no words: everything (`above`) and nothing (`below`), which is what cannot be
/// said becomes.
class Pusher {
 public:
  explicit Pusher(Arena& arena) : arena_(arena) {}

  /// Absent: everything or nothing, as the bound says. Recursion: as deep as the condition.
  Value push(const Condition& condition, Bound bound) {
    switch (condition.kind) {
      case Condition::Kind::and_:
        return join(condition, bound, "and", Bound::above);
      case Condition::Kind::or_:
        return join(condition, bound, "or", Bound::below);
      case Condition::Kind::not_:
        return negated(push(condition.parts.front(), other(bound)));
      case Condition::Kind::compare:
        break;
    }
    switch (condition.comparison) {
      case Condition::Comparison::equal:
        return equality(condition, bound);
      case Condition::Comparison::match:
        return match(condition, bound);
      case Condition::Comparison::not_equal:
        return negated(equality(condition, other(bound)));
      case Condition::Comparison::not_match:
        return negated(match(condition, other(bound)));
      default:
        return {};
    }
  }

  Value call(std::string_view operation, std::span<const Value> arguments) {
    SequenceBuilder out(arena_, arguments.size() + 1);
    out.append(arena_.text(operation));
    out.append(arguments);
    return out.finish();
  }
  Value call(std::string_view operation, std::initializer_list<Value> arguments) {
    return call(operation, std::span(arguments));
  }
  Value text(std::string_view characters) { return arena_.text(characters); }

 private:
  /// Under `skipped`, parts without words make no difference; else they decide it all.
  Value join(const Condition& condition, Bound bound, std::string_view operation, Bound skipped) {
    std::vector<Value> parts;
    for (const Condition& part : condition.parts) {
      const Value pushed = push(part, bound);
      if (pushed) {
        parts.push_back(pushed);
      } else if (bound != skipped) {
        return {};
      }
    }
    if (parts.size() <= 1) return parts.empty() ? Value() : parts.front();
    return call(operation, parts);
  }

  Value negated(const Value& filter) { return filter ? call("not", {filter}) : filter; }

  Value equality(const Condition& condition, Bound bound) {
    const Value& operand = condition.operand;
    const Field& field = condition.field;
    switch (field.kind) {
      case Field::Kind::title:
      case Field::Kind::type:
      case Field::Kind::certname:
      case Field::Kind::file: {
        // A file may be missing, and then PuppetDB has it for neither equal nor unequal.
        if (!operand.is_text() || (field.kind == Field::Kind::file && bound == Bound::below)) return {};
        const auto pattern = pushed_text(operand.text());
        return pattern ? call("~", {text(name_of_field(field)), text(*pattern)}) : Value();
      }
      case Field::Kind::exported:
        return operand.kind() == Kind::boolean ? call("=", {text("exported"), operand}) : Value();
      case Field::Kind::tag:
        return operand.is_text() && is_ascii_text(operand.text()) ? call("=", {text("tag"), operand}) : Value();
      case Field::Kind::line:
        return {};
      case Field::Kind::parameter:
        return parameter(field.name, operand, bound);
    }
    return {};
  }

  /// PuppetDB compares parameters exactly: with regard to case, and 1 is not 1.0.
  Value parameter(const std::string& name, const Value& operand, Bound bound) {
    const auto equals = [&](const Value& value) { return call("=", {call("parameter", {text(name)}), value}); };
    constexpr std::int64_t kExact = std::int64_t{1} << 53U;
    switch (operand.kind()) {
      case Kind::boolean:
        return equals(operand);
      case Kind::integer: {
        const std::int64_t number = operand.as_integer();
        if (number <= -kExact || number >= kExact) return bound == Bound::below ? equals(operand) : Value();
        return call("or", {equals(operand), equals(Value::floating(static_cast<double>(number)))});
      }
      case Kind::text:
        if (!is_ascii_text(operand.text())) return {};
        return bound == Bound::below || !has_letters(operand.text()) ? equals(operand) : Value();
      default:
        return {};
    }
  }

  Value match(const Condition& condition, Bound bound) {
    const Field& field = condition.field;
    switch (field.kind) {
      case Field::Kind::title:
      case Field::Kind::type:
      case Field::Kind::certname:
      case Field::Kind::tag:
        break;
      case Field::Kind::file:
        // A missing one is the empty text here, and matches nothing there.
        if (bound == Bound::below || condition.pattern->search("")) return {};
        break;
      default:
        return {};
    }
    const auto pattern = pushed_pattern(condition.pattern->pattern(), bound);
    // PuppetDB turns an expression for tags into lower case, escapes included.
    if (field.kind == Field::Kind::tag && pattern && puppet::lower(*pattern) != *pattern) return {};
    return pattern && !pattern->empty() ? call("~", {text(name_of_field(field)), text(*pattern)}) : Value();
  }

  static std::string_view name_of_field(const Field& field) {
    switch (field.kind) {
      case Field::Kind::type:
        return "type";
      case Field::Kind::certname:
        return "certname";
      case Field::Kind::tag:
        return "tag";
      case Field::Kind::file:
        return "file";
      default:
        return "title";
    }
  }

  Arena& arena_;
};

}  // namespace

Value pushed_filter(Arena& arena, const Condition& condition) { return Pusher(arena).push(condition, Bound::above); }

std::string pushed_query(const Query& query, std::string_view own_certname) {
  Arena arena;
  Pusher pusher(arena);
  std::vector<Value> filters;
  if (!query.type.empty()) filters.push_back(pusher.call("=", {pusher.text("type"), pusher.text(query.type)}));
  if (!own_certname.empty() && is_ascii_text(own_certname)) {
    filters.push_back(pusher.call("not", {pusher.call("=", {pusher.text("certname"), pusher.text(own_certname)})}));
  }
  if (query.condition) {
    if (const Value filter = pusher.push(*query.condition, Bound::above)) filters.push_back(filter);
  }
  std::vector<Value> words{pusher.text("resources")};
  if (!filters.empty()) words.push_back(filters.size() == 1 ? filters.front() : pusher.call("and", filters));
  const Value whole = pusher.call("from", words);
  std::string out = text::write_json(whole, {.sort_keys = false, .indent = -1});
  out.pop_back();
  return out;
}

}  // namespace strata::bindings::queries
