#include "resolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "python/data.hpp"
#include "strata/placeholders.hpp"
#include "strata/settle.hpp"
#include "value/problems.hpp"

namespace strata::reclass {
namespace {

using merge::Action;
using merge::Builder;
using merge::Shape;
using merge::Traced;

/// A value that is not merged before everything else is: a constant (`=key`), or a mapping that overrides (`~key`), whose keys keep their prefixes
/// until it meets another one.
class Held final : public Object {
 public:
  Held(const Value& value, bool is_constant) : value_(value), is_constant_(is_constant) {}
  [[nodiscard]] const Value& value() const noexcept { return value_; }
  [[nodiscard]] bool is_constant() const noexcept { return is_constant_; }
  [[nodiscard]] std::string to_string() const override { return python::str(value_); }
  [[nodiscard]] bool equals(const Object& other) const override { return this == &other; }
  [[nodiscard]] std::size_t hash() const override { return std::hash<const void*>{}(this); }

 private:
  Value value_;
  bool is_constant_;
};

/// Null if the value is no such object.
const Held* held_of(const Value& value) noexcept { return value.kind() == Kind::object ? dynamic_cast<const Held*>(&value.as_object()) : nullptr; }

/// A mapping that nothing met yet: its members are merged into nothing, for the prefixes of their keys.
Traced take_mapping(const Builder& make, const Traced& /*old*/, const Traced& incoming, const merge::Recurse& recurse) {
  return recurse({make.arena().mapping(KeyEquality::python), merge::Slot(merge::kNoLayer)}, incoming);
}

Traced held(const Builder& make, const Traced& value, bool is_constant) {
  const Value made = make.arena().object(std::make_shared<Held>(value.value, is_constant));
  return {made.with_origin(value.value.origin()).with_secret(value.value.is_secret()), value.slot};
}

[[noreturn]] void refuse_change(const Builder& make, const Value& constant, const Value& change) {
  const Sources& sources = make.recorder().sources();
  throw Error("reclass.constant", "a constant parameter is changed")
      .at(sources, change.origin())
      .note(sources, constant.origin(), "it is constant here");
}

/// `~key`: what was there is not looked at.
Traced override_with(const Builder& make, const Traced& old, const Traced& incoming, const merge::Recurse& /*recurse*/) {
  if (const Held* before = held_of(old.value); before != nullptr && before->is_constant()) refuse_change(make, old.value, incoming.value);
  return incoming.value.is_mapping() ? held(make, incoming, false) : incoming;
}

/// `=key`.
Traced make_constant(const Builder& make, const Traced& old, const Traced& incoming, const merge::Recurse& recurse) {
  const Traced constant = held(make, incoming, true);
  return old.value ? recurse(old, constant) : constant;
}

merge::Strategy make_strategy(bool has_prefixes) {
  using enum Shape;
  const std::initializer_list<Shape> mappings{empty_mapping, mapping};
  const std::initializer_list<Shape> sequences{empty_sequence, sequence};
  const std::initializer_list<Shape> scalars{false_, true_, zero, number, set, empty_text, text};
  merge::Strategy out;
  merge::Strategy::Table& table = out.root;
  // References and constants wait, and so does what does not merge: a key above may still be overridden.
  merge::fill(table, Action::wait);
  table.at(static_cast<std::size_t>(absent)).fill(Action::take_new);
  table.at(static_cast<std::size_t>(null)).fill(Action::take_new);
  if (has_prefixes) merge::set_cells(table, {absent}, mappings, merge::call_action(0));
  if (has_prefixes) merge::set_cells(table, {null}, mappings, merge::call_action(1));
  merge::set_cells(table, {null}, {scalar}, Action::wait);
  merge::set_cells(table, mappings, mappings, Action::recurse);
  merge::set_cells(table, sequences, sequences, Action::append);
  merge::set_cells(table, scalars, scalars, Action::take_new);
  merge::set_cells(table, scalars, {null}, Action::take_new);
  out.member = out.item = table;
  if (has_prefixes) out.keys = {{.prefix = "~", .action = merge::call_action(1)}, {.prefix = "=", .action = merge::call_action(2)}};
  out.calls = {"take_mapping", "override_with", "make_constant"};
  return out;
}

constexpr std::string_view kMissing = "reclass.missing";

/// The member at a step of a path. Absent if there is none: the last step is the key of a mapping, in the reference, too.
Traced member_at(const Traced& value, std::string_view step, bool is_last) {
  if (!value.value.is_sequence() || is_last) return Builder::member(value, step);
  const auto index = text::index_of(step, value.value.size());
  return index ? Builder::member(value, *index) : Traced{};
}

bool is_scalar(const Value& value) noexcept { return !value.is_mapping() && !value.is_sequence(); }

/// Whether a value that is known merges over another one.
bool fits(const Value& old, const Value& incoming) noexcept {
  return old.is_null() || (is_scalar(old) ? is_scalar(incoming) : old.kind() == incoming.kind());
}

/// Follows the references of one node.
class Resolution final : private merge::Placeholders {
 public:
  Resolution(const Traced& parameters, Session& session)
      : Placeholders({session.arena(), session.recorder()}, session.sources(), session.limits(), "reclass.circle"), parameters_(parameters) {}

  Traced run() {
    const Traced all = everywhere(parameters_);
    problems_.raise();
    return all;
  }

 private:
  class Sides;

  bool is_placeholder(const Value& object) const override {
    return text::reference_of(object) != nullptr || held_of(object) != nullptr || merge::is_waiting(object);
  }
  Traced resolve(const Traced& placeholder) override;
  Traced without(const Traced& placeholder, const Error& error) override {
    if (error.diagnostic().code != kMissing) throw Error(error);
    // Several values may need the same reference.
    if (std::ranges::find(problems_.all(), error.diagnostic()) == problems_.all().end()) problems_.add(error);
    return {Value::null(), placeholder.slot};
  }
  std::string text_of(const Object& placeholder) const override {
    const auto* reference = dynamic_cast<const text::Reference*>(&placeholder);
    return reference == nullptr ? std::string() : reference->to_string();
  }

  /// A mapping whose keys lose their prefixes, as if it were the first one that is merged.
  Traced merged(const Traced& mapping) {
    const Traced nothing{make().arena().mapping(KeyEquality::python), merge::Slot(merge::kNoLayer)};
    return merge::merge(nothing, mapping, parameter_strategy(), make().arena(), limits(), make().recorder(), parameter_calls());
  }

  /// What a text with references stands for: a value of any kind if it is one reference, or else a text.
  Traced followed(const Traced& side, const text::Reference& reference) {
    const text::ReferenceText& parts = reference.parts();
    const bool is_whole = parts.size() == 1;
    std::vector<Traced> inputs;
    if (make().keeps()) {
      const Value written = make().arena().text(reference.to_string()).with_origin(side.value.origin());
      inputs.push_back({written.with_secret(side.value.is_secret()), side.slot});
    }
    std::size_t size = 0;
    const auto value_of = [&](const std::string& path) {
      inputs.push_back(everywhere(at(path, side.value)));
      std::string text = python::str(inputs.back().value, limits().input);
      size += text.size();
      if (size > limits().input) throw Error("limit.result", "a text with references is too long").at(sources(), side.value.origin());
      return text;
    };
    const std::string text = text::spelled(is_whole ? parts.front().path : parts, value_of);
    if (is_whole) inputs.push_back(at(text, side.value));
    const auto hides = [](const Traced& input) { return input.value.is_secret(); };
    const bool is_secret = side.value.is_secret() || (is_whole ? hides(inputs.back()) : std::ranges::any_of(inputs, hides));
    const Value made = is_whole ? inputs.back().value : make().arena().text(text).with_origin(side.value.origin());
    return make().derive(made.with_secret(is_secret), inputs);
  }

  /// The value at a path. Error `reclass.missing`.
  Traced at(std::string_view path, const Value& side) {
    const std::vector<std::string_view> steps = text::steps_of(path, kReferences);
    Traced now = parameters_;
    for (const std::string_view& step : steps) {
      const Traced member = member_at(now, step, &step == &steps.back());
      if (!member.value) {
        const bool is_first = &step == &steps.front();
        const std::string_view above = is_first ? "" : path.substr(0, static_cast<std::size_t>(step.data() - path.data()) - 1);
        throw Error(std::string(kMissing), fmt::format("the reference ${{{}}} leads nowhere", path))
            .at(sources(), side.origin())
            .hint(is_first ? "" : fmt::format("there is no '{}' in '{}'", step, above));
      }
      now = here(member);
    }
    return now;
  }

  Traced parameters_;
  Problems problems_;
};

/// The sides that wait at one place, as they are folded.
class Resolution::Sides {
 public:
  explicit Sides(Resolution& resolution) : resolution_(resolution) {}

  Traced operator()(const Traced& side) {
    if (constant_) refuse_change(resolution_.make(), constant_, side.value);
    if (const Held* held = held_of(side.value); held != nullptr && held->is_constant()) constant_ = side.value;
    Traced value = known(side);
    // It meets another mapping, or fails.
    if (std::exchange(is_first_, false) && value.value.is_mapping()) value = resolution_.merged(value);
    const Value now = value.value.with_origin(side.value.origin());
    if (!fits(before_, now)) {
      throw Error("reclass.merge", fmt::format("{} cannot be merged over {}", describe(now.kind()), describe(before_.kind())))
          .at(resolution_.sources(), now.origin())
          .note(resolution_.sources(), before_.origin(), "the value before")
          .hint("a key that begins with '~' overrides instead");
    }
    before_ = now;
    return value;
  }

  /// A reference that leads nowhere does not matter where a scalar follows.
  void finish() const {
    if (missing_ && (is_last_missing_ || !is_scalar(before_))) throw Error(*missing_);
  }

 private:
  Traced known(const Traced& side) {
    is_last_missing_ = false;
    try {
      return resolution_.here(side);
    } catch (const Error& error) {
      if (error.diagnostic().code != kMissing || !is_scalar(before_)) throw;
      missing_ = error;
      is_last_missing_ = true;
      return {Value::null().with_origin(side.value.origin()), side.slot};
    }
  }

  Resolution& resolution_;
  Value before_ = Value::null();  ///< At the place of its side.
  std::optional<Error> missing_;
  bool is_last_missing_ = false;
  bool is_first_ = true;
  Value constant_;  ///< Absent: there was none.
};

Traced Resolution::resolve(const Traced& placeholder) {
  if (const Held* held = held_of(placeholder.value)) return here({held->value(), placeholder.slot});
  if (const auto* reference = text::reference_of(placeholder.value)) return followed(placeholder, *reference);
  Sides sides(*this);
  const Traced made = merge::settle(
      placeholder, merge::Reach::here, [&sides](const Traced& side) { return sides(side); }, parameter_strategy(), make().arena(), limits(),
      make().recorder(), parameter_calls());
  sides.finish();
  return made;
}

}  // namespace

const merge::Strategy& parameter_strategy(bool has_prefixes) {
  static const merge::Strategy with = make_strategy(true);
  static const merge::Strategy without = make_strategy(false);
  return has_prefixes ? with : without;
}

std::span<const merge::Call> parameter_calls() {
  static const std::array<merge::Call, 3> calls{take_mapping, override_with, make_constant};
  return calls;
}

Value with_references(Arena& arena, const Value& text, const Sources& sources) {
  if (!text::may_refer(text.text(), kReferences)) return text;
  // reclass's parser expands tabs first.
  return text::with_references(arena, text, text::parse_references(python::expandtabs(text.text()), kReferences, sources, text.origin()));
}

std::optional<std::string> name_in(const Value& parameters, const text::ReferenceText& parts, const Sources& sources, Origin place) {
  bool is_known = true;
  const auto value_of = [&](const std::string& path) -> std::string {
    const std::vector<std::string_view> steps = text::steps_of(path, kReferences);
    Traced now{parameters, {}};
    for (const std::string_view& step : steps) now = member_at(now, step, &step == &steps.back());
    is_known = is_known && now.value;
    if (!is_known) return {};
    if (now.value.is_container() || now.value.kind() == Kind::object) {
      throw Error("reclass.class-reference", fmt::format("'{}' is not known while classes are searched", path))
          .at(sources, place)
          .hint("the name of a class may refer to a scalar that one class gives, without a reference of its own");
    }
    return python::str(now.value);
  };
  std::string name = text::spelled(parts, value_of);
  return is_known ? std::optional(std::move(name)) : std::nullopt;
}

Traced resolved(const Traced& parameters, Session& session) { return Resolution(parameters, session).run(); }

}  // namespace strata::reclass
