// SPDX-License-Identifier: Apache-2.0
// Functions that give iterators: reverse_each, step, tree_each. Rule: Puppet 7.
#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "puppet/functions/arguments.hpp"
#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

/// Whole numbers that are not written out: `count` of them from `from` on.
struct Progression {
  std::int64_t from = 0;
  std::int64_t step = 1;
  std::size_t count = 0;

  /// Within 64 bits, since the last number is.
  [[nodiscard]] std::int64_t at(std::size_t index) const noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + static_cast<std::uint64_t>(step) * index);
  }
};

std::optional<Progression> progression(const Value& value, const Items& items) {
  if (const IteratorObject* iterator = as_iterator(value)) {
    if (iterator->items()) return std::nullopt;
    return Progression{iterator->from(), iterator->step(), iterator->count()};
  }
  if (is_whole(value)) return Progression{0, 1, items.size()};
  const TypeObject* type = as_type(value);
  const auto* integer = type == nullptr ? nullptr : type->type()->get_if<IntegerType>();
  if (integer == nullptr) return std::nullopt;
  const std::optional<std::int64_t> from = integer->range.from->small();
  return from ? std::optional(Progression{*from, 1, items.size()}) : std::nullopt;
}

/// What an iterator over the items of `source` is printed as.
IteratorForm iterator_form(const Value& source, bool reversed) {
  IteratorForm out;
  if (const IteratorObject* iterator = as_iterator(source)) out = iterator->form();
  if (const TypeObject* type = as_type(source)) out.item_type = type->type();
  if (is_string(source)) out.item_type = string_type(exactly(1));
  if (is_hash(source)) out.pairs = true;
  out.reversed = out.reversed != reversed;
  return out;
}

Value make_iterator(const FunctionCall& call, Evaluator& evaluator, std::span<const Value> items, IteratorForm form) {
  const Value all = evaluator.admit(new_array(evaluator, items));
  charge_written(evaluator, all);  // The iterator copies them.
  return evaluator.arena()
      .object(std::make_shared<const IteratorObject>(all, std::move(form)))
      .with_origin(call.origin);
}

Value make_iterator(const FunctionCall& call, Evaluator& evaluator, const Progression& numbers) {
  return evaluator.arena()
      .object(std::make_shared<const IteratorObject>(numbers.from, numbers.step, numbers.count))
      .with_origin(call.origin);
}

std::vector<Value> collect(Items& items) {
  std::vector<Value> out;
  for (Value item; items.next(item);) out.push_back(item);
  return out;
}

/// Calls the lambda with each item; undef, or absent where a jump is pending.
Value each_of(const FunctionCall& call, Evaluator& evaluator, std::size_t count, const auto& item_at) {
  BoundLambda lambda(call, evaluator);
  for (std::size_t i = 0; i < count; ++i) {
    if (lambda(item_at(i))) continue;
    return evaluator.take(Jump::break_) ? Value::null() : Value();
  }
  return Value::null();
}

Value gone_through(const FunctionCall& call, Evaluator& evaluator, const Progression& numbers) {
  if (call.lambda == nullptr) return make_iterator(call, evaluator, numbers);
  return each_of(call, evaluator, numbers.count, [&](std::size_t i) { return Value::integer(numbers.at(i)); });
}

Value gone_through(const FunctionCall& call, Evaluator& evaluator, const std::vector<Value>& items, IteratorForm form) {
  if (call.lambda == nullptr) return make_iterator(call, evaluator, items, std::move(form));
  return each_of(call, evaluator, items.size(), [&](std::size_t i) { return items[i]; });
}

Value reverse_each(const FunctionCall& call, Evaluator& evaluator) {
  Items items = items_argument(call, evaluator, 0);
  if (call.lambda != nullptr) lambda_takes(call, evaluator, {1});
  const Value& source = call.arguments[0];
  if (const auto numbers = progression(source, items)) {
    const std::int64_t last = numbers->count == 0 ? numbers->from : numbers->at(numbers->count - 1);
    return gone_through(call, evaluator, Progression{last, -numbers->step, numbers->count});
  }
  std::vector<Value> all = collect(items);
  std::reverse(all.begin(), all.end());
  return gone_through(call, evaluator, all, iterator_form(source, true));
}

Value step(const FunctionCall& call, Evaluator& evaluator) {
  Items items = items_argument(call, evaluator, 0);
  const std::size_t width = count_argument(call, evaluator, 1);
  if (call.lambda != nullptr) lambda_takes(call, evaluator, {1});
  const Value& source = call.arguments[0];
  if (const auto numbers = progression(source, items)) {
    const std::size_t count = numbers->count / width + (numbers->count % width == 0 ? 0 : 1);
    // One number has no successor, and a huge width must not overflow.
    const std::int64_t distance = count < 2 ? numbers->step : numbers->step * static_cast<std::int64_t>(width);
    return gone_through(call, evaluator, Progression{numbers->from, distance, count});
  }
  std::vector<Value> all = collect(items);
  IteratorForm form = iterator_form(source, false);
  if (call.lambda == nullptr) {
    // The iterator is still one of all items, whichever it passes over.
    const Value every = new_array(evaluator, all);
    evaluator.charge_value(every);
    form.item_type = iterated_type(every, form);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); i += std::min(width, all.size() - i)) all[kept++] = all[i];
  all.resize(kept);
  return gone_through(call, evaluator, all, std::move(form));
}

// tree_each.

struct TreeOptions {
  TypeRef containers;  ///< Null: arrays and hashes.
  bool root = true;
  bool inner = true;
  bool values = true;
  bool breadth_first = false;
};

[[noreturn]] void bad_option(const FunctionCall& call, const Evaluator& evaluator, const std::string& what) {
  throw failed(call, evaluator, "puppet.arguments", "option " + what);
}

bool truth(const FunctionCall& call, const Evaluator& evaluator, std::string_view name, const Value& value,
           bool otherwise) {
  if (value.is_null()) return otherwise;
  if (value.kind() != Kind::boolean)
    bad_option(call, evaluator, "'" + std::string(name) + "' must be a Boolean, not " + a_kind_of(value));
  return value.as_boolean();
}

void read_containers(const FunctionCall& call, const Evaluator& evaluator, const Value& value, TreeOptions& out) {
  if (value.is_null()) return;
  const TypeObject* type = as_type(value);
  static const TypeRef allowed = variant_type({plain(TypeKind::array), plain(TypeKind::hash)});
  if (type == nullptr || !is_assignable(*allowed, *type->type()))
    bad_option(call, evaluator, "'container_type' must be a type of arrays and hashes, not " + shown(value));
  out.containers = type->type();
}

void read_order(const FunctionCall& call, const Evaluator& evaluator, const Value& value, TreeOptions& out) {
  if (value.is_null()) return;
  const std::string_view order = is_string(value) ? value.text() : std::string_view();
  if (order != "depth_first" && order != "breadth_first")
    bad_option(call, evaluator, "'order' must be 'depth_first' or 'breadth_first', not " + shown(value));
  out.breadth_first = order == "breadth_first";
}

TreeOptions tree_options(const FunctionCall& call, const Evaluator& evaluator) {
  TreeOptions out;
  if (call.arguments.size() < 2) return out;
  for (const Entry& entry : hash_argument(call, evaluator, 1).entries()) {
    const std::string_view name = is_string(entry.key) ? entry.key.text() : std::string_view();
    if (name == "container_type") {
      read_containers(call, evaluator, entry.value, out);
    } else if (name == "order") {
      read_order(call, evaluator, entry.value, out);
    } else if (name == "include_root") {
      out.root = truth(call, evaluator, name, entry.value, true);
    } else if (name == "include_containers") {
      out.inner = truth(call, evaluator, name, entry.value, true);
    } else if (name == "include_values") {
      out.values = truth(call, evaluator, name, entry.value, true);
    } else if (name == "include_refs") {
      static_cast<void>(truth(call, evaluator, name, entry.value, false));
    } else {
      bad_option(call, evaluator, shown(entry.key) + " is unknown");
    }
  }
  if (!out.inner && !out.values)
    bad_option(call, evaluator, "'include_containers' and 'include_values' must not both be false");
  return out;
}

/// All parts of a value with their paths.
class Tree {
 public:
  Tree(const TreeOptions& options, Evaluator& evaluator) : options_(options), evaluator_(evaluator) {}

  /// Pairs of path and value.
  std::vector<Value> parts(const Value& root) {
    if (options_.root && options_.inner) add(root);
    if (options_.breadth_first) {
      widely(root);
    } else if (root.is_container()) {
      deeply(root);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_inner(const Value& value) const {
    return (value.is_sequence() || is_hash(value)) &&
           (options_.containers == nullptr || is_instance(*options_.containers, value));
  }

  void add(const Value& value) {
    evaluator_.charge(1 + path_.size());
    out_.push_back(new_pair(evaluator_, evaluator_.arena().sequence(path_), value));
  }

  /// Calls `visit(key, value)` for the members of a container.
  template <class Visit>
  static void members(const Value& container, const Visit& visit) {
    std::int64_t number = 0;
    if (container.is_sequence()) {
      for (const Value& item : container.items()) visit(Value::integer(number++), item);
    } else {
      for (const Entry& entry : container.entries()) visit(entry.key, entry.value);
    }
  }

  // Recursion: Limits::depth bounds values.
  void deeply(const Value& container) {
    members(container, [&](const Value& key, const Value& value) {
      path_.push_back(key);
      const bool inner = is_inner(value);
      if (inner ? options_.inner : options_.values) add(value);
      if (inner) deeply(value);
      path_.pop_back();
    });
  }

  void widely(const Value& root) {
    std::deque<std::pair<std::vector<Value>, Value>> waiting;
    waiting.emplace_back(std::vector<Value>(), root);
    while (!waiting.empty()) {
      const auto [path, container] = std::move(waiting.front());
      waiting.pop_front();
      path_ = path;
      path_.emplace_back();
      members(container, [&](const Value& key, const Value& value) {
        path_.back() = key;
        const bool inner = is_inner(value);
        if (inner ? options_.inner : options_.values) add(value);
        if (inner) waiting.emplace_back(path_, value);
      });
    }
  }

  const TreeOptions& options_;
  Evaluator& evaluator_;
  std::vector<Value> path_;
  std::vector<Value> out_;
};

Value tree_each(const FunctionCall& call, Evaluator& evaluator) {
  const Value& root = call.arguments[0];
  if (!root.is_sequence() && !is_hash(root)) throw wrong_argument(call, evaluator, 0, "an Array or a Hash");
  const TreeOptions options = tree_options(call, evaluator);
  const bool pairs = call.lambda != nullptr && lambda_takes(call, evaluator, {2, 1}) == 2;
  const std::vector<Value> parts = Tree(options, evaluator).parts(root);
  if (call.lambda == nullptr) return make_iterator(call, evaluator, parts, {.item_type = plain(TypeKind::any)});
  BoundLambda lambda(call, evaluator);
  for (const Value& part : parts) {
    const Value& value = part.items()[1];
    if (pairs ? lambda(part.items()[0], value) : lambda(value)) continue;
    if (evaluator.take(Jump::break_)) break;
    return {};
  }
  return root;
}

constexpr std::array<BuiltinEntry, 3> kIteratorFunctions = {{
    {"reverse_each", reverse_each, 1, 1, BlockRule::optional},
    {"step", step, 2, 2, BlockRule::optional},
    {"tree_each", tree_each, 1, 2, BlockRule::optional},
}};

}  // namespace

std::span<const BuiltinEntry> iterator_functions() noexcept { return kIteratorFunctions; }

}  // namespace strata::puppet
