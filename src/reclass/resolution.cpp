#include "resolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "python/data.hpp"
#include "strata/settle.hpp"

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
template <class Which>
const Which* as(const Value& value) noexcept {
  return value.kind() == Kind::object ? dynamic_cast<const Which*>(&value.as_object()) : nullptr;
}

/// A mapping that nothing met yet: its members are merged into nothing, for the prefixes of their keys.
Traced take_mapping(const Builder& make, const Traced& /*old*/, const Traced& incoming, const merge::Recurse& recurse) {
  return recurse({make.arena().mapping(), merge::Slot(merge::kNoLayer)}, incoming);
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
  if (const auto* before = as<Held>(old.value); before != nullptr && before->is_constant()) refuse_change(make, old.value, incoming.value);
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
  merge::set_cells(table, {null}, mappings, merge::call_action(1));
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

// Whether anything in merged parameters may wait. Recursion: bounded by the depth of documents.
bool waits(const Value& value) {
  if (value.kind() == Kind::object) return true;
  if (value.is_sequence()) return std::ranges::any_of(value.items(), waits);
  return value.is_mapping() && std::ranges::any_of(value.entries(), waits, &Entry::value);
}

/// What decides whether two values merge.
enum class Sort : std::uint8_t { null, scalar, list, mapping };
Sort sort_of(const Value& value) {
  if (value.is_null()) return Sort::null;
  if (value.is_mapping()) return Sort::mapping;
  return value.is_sequence() ? Sort::list : Sort::scalar;
}

/// A value that meets another one.
struct Meeting {
  Kind kind = Kind::null;
  Origin origin = {};
};

Error mismatch(const Meeting& old, const Meeting& incoming, const Sources& sources) {
  return Error("reclass.merge", fmt::format("{} cannot be merged over {}", describe(incoming.kind), describe(old.kind)))
      .at(sources, incoming.origin)
      .note(sources, old.origin, "the value before")
      .hint("a key that begins with '~' overrides instead");
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

const Reference* reference_of(const Value& value) noexcept { return as<Reference>(value); }

Value with_references(Arena& arena, const Value& text, const Sources& sources) {
  if (!text::may_refer(text.text(), kReferences)) return text;
  // reclass's parser expands tabs first.
  text::ReferenceText parts = text::parse_references(python::expandtabs(text.text()), kReferences, sources, text.origin());
  std::string plain;
  for (const text::ReferencePart& part : parts) plain += part.text;
  if (!text::has_references(parts)) return arena.text(plain).with_origin(text.origin()).with_secret(text.is_secret());
  return arena.object(std::make_shared<Reference>(std::string(text.text()), std::move(parts)))
      .with_origin(text.origin())
      .with_secret(text.is_secret());
}

std::optional<std::string> name_in(const Value& parameters, const text::ReferenceText& parts, const Sources& sources, Origin place) {
  std::string out;
  for (const text::ReferencePart& part : parts) {
    out += part.text;
    if (part.path.empty()) continue;
    const auto path = name_in(parameters, part.path, sources, place);
    if (!path) return std::nullopt;
    Value now = parameters;
    const std::vector<std::string_view> steps = text::steps_of(*path, kReferences);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto index = now.is_sequence() && i + 1 < steps.size() ? text::index_of(steps[i], now.size()) : std::nullopt;
      const Value* member = now.is_mapping() ? now.find(steps[i]) : index ? &now.items()[*index] : nullptr;
      if (member == nullptr) return std::nullopt;
      now = *member;
    }
    if (now.is_container() || now.kind() == Kind::object) {
      throw Error("reclass.class-reference", fmt::format("'{}' is not known while classes are searched", *path))
          .at(sources, place)
          .hint("the name of a class may refer to a scalar that one class gives, without a reference of its own");
    }
    out += python::str(now);
  }
  return out;
}

/// The sides that wait at one place, as they are folded.
class Resolution::Sides {
 public:
  explicit Sides(Resolution& resolution) : resolution_(resolution) {}

  Traced operator()(const Traced& side) {
    if (constant_) refuse_change(resolution_.make(), constant_, side.value);
    if (const auto* object = as<Held>(side.value); object != nullptr && object->is_constant()) constant_ = side.value;
    Traced value = known(side);
    // It meets another mapping, or fails.
    if (std::exchange(is_first_, false) && value.value.is_mapping()) value = resolution_.merged(value);
    const Sort sort = sort_of(value.value);
    const Meeting now{.kind = value.value.kind(), .origin = side.value.origin()};
    if (sort_ != Sort::null && sort != sort_ && !(sort == Sort::null && sort_ == Sort::scalar)) throw mismatch(before_, now, resolution_.sources());
    sort_ = sort;
    before_ = now;
    return value;
  }

  /// A reference that leads nowhere does not matter where a scalar follows.
  void finish() const {
    if (missing_ && (is_last_missing_ || is_container())) throw Error(*missing_);
  }

 private:
  [[nodiscard]] bool is_container() const noexcept { return sort_ == Sort::list || sort_ == Sort::mapping; }

  Traced known(const Traced& side) {
    is_last_missing_ = false;
    try {
      return resolution_.here(side);
    } catch (const Error& error) {
      if (error.diagnostic().code != kMissing || is_container()) throw;
      missing_ = error;
      is_last_missing_ = true;
      return {Value::null().with_origin(side.value.origin()), side.slot};
    }
  }

  Resolution& resolution_;
  Meeting before_;
  Sort sort_ = Sort::null;
  std::optional<Error> missing_;
  bool is_last_missing_ = false;
  bool is_first_ = true;
  Value constant_;  ///< Absent: there was none.
};

Traced Resolution::run() {
  if (!waits(parameters_.value)) return parameters_;
  const Traced all = everywhere(parameters_);
  problems_.raise();
  return all;
}

bool Resolution::is_placeholder(const Value& object) const {
  return reference_of(object) != nullptr || as<Held>(object) != nullptr || merge::is_waiting(object);
}

Traced Resolution::resolve(const Traced& placeholder) {
  if (const auto* object = as<Held>(placeholder.value)) return here({object->value(), placeholder.slot});
  if (const auto* reference = reference_of(placeholder.value)) return followed(placeholder, *reference);
  Sides sides(*this);
  const Traced made = merge::settle(
      placeholder, merge::Reach::here, [&sides](const Traced& side) { return sides(side); }, parameter_strategy(), make().arena(), limits(),
      make().recorder(), parameter_calls());
  sides.finish();
  return made;
}

/// A mapping whose keys lose their prefixes, as if it were the first one that is merged.
Traced Resolution::merged(const Traced& mapping) {
  const Traced nothing{make().arena().mapping(), merge::Slot(merge::kNoLayer)};
  return merge::merge(nothing, mapping, parameter_strategy(), make().arena(), limits(), make().recorder(), parameter_calls());
}

Traced Resolution::without(const Traced& placeholder, const Error& error) {
  if (error.diagnostic().code != kMissing) throw Error(error);
  // Several values may need the same reference.
  const auto is_told = [&error](const Diagnostic& told) {
    return told.message == error.diagnostic().message && told.where.place.line == error.diagnostic().where.place.line &&
           told.where.place.column == error.diagnostic().where.place.column && told.where.place.file == error.diagnostic().where.place.file;
  };
  if (std::ranges::none_of(problems_.all(), is_told)) problems_.add(error);
  return {Value::null(), placeholder.slot};
}

std::string Resolution::text_of(const Object& placeholder) const {
  const auto* reference = dynamic_cast<const Reference*>(&placeholder);
  return reference == nullptr ? std::string() : reference->to_string();
}

Traced Resolution::followed(const Traced& side, const Reference& reference) {
  const text::ReferenceText& parts = reference.parts();
  const Value written = make().arena().text(reference.to_string()).with_origin(side.value.origin()).with_secret(side.value.is_secret());
  std::vector<Traced> inputs{{written, side.slot}};
  if (parts.size() == 1) {
    const Traced found = at(spelled(parts.front().path, side.value, inputs), side.value);
    inputs.push_back(found);
    return make().derive(found.value.with_secret(found.value.is_secret() || side.value.is_secret()), inputs);
  }
  const std::string text = spelled(parts, side.value, inputs);
  const bool is_secret = std::ranges::any_of(inputs, [](const Traced& input) { return input.value.is_secret(); });
  return make().derive(make().arena().text(text).with_origin(side.value.origin()).with_secret(is_secret), inputs);
}

// Recursion: as references are nested in a text, bounded by text::kMostNested.
std::string Resolution::spelled(const text::ReferenceText& parts, const Value& side, std::vector<Traced>& inputs) {
  std::string out;
  for (const text::ReferencePart& part : parts) {
    out += part.text;
    if (part.path.empty()) continue;
    const Traced found = everywhere(at(spelled(part.path, side, inputs), side));
    inputs.push_back(found);
    out += python::str(found.value, limits().input);
    if (out.size() > limits().input) throw Error("limit.result", "a text with references is too long").at(sources(), side.origin());
  }
  return out;
}

Traced Resolution::at(std::string_view path, const Value& side) {
  const std::vector<std::string_view> steps = text::steps_of(path, kReferences);
  Traced now = parameters_;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Traced member;
    if (now.value.is_mapping()) {
      member = Builder::member(now, steps[i]);
    } else if (now.value.is_sequence() && i + 1 < steps.size()) {
      // The last step of a path is the key of a mapping, in the reference, too.
      if (const auto index = text::index_of(steps[i], now.value.size())) member = Builder::member(now, *index);
    }
    if (!member.value) {
      throw Error(std::string(kMissing), fmt::format("the reference ${{{}}} leads nowhere", path))
          .at(sources(), side.origin())
          .hint(i == 0
                    ? std::string()
                    : fmt::format("there is no '{}' in '{}'", steps[i], path.substr(0, static_cast<std::size_t>(steps[i].data() - path.data() - 1))));
    }
    now = here(member);
  }
  return now;
}

}  // namespace strata::reclass
