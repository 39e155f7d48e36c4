// SPDX-License-Identifier: Apache-2.0
#include "resolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "merge/held.hpp"
#include "merge/pending.hpp"
#include "merge/references.hpp"
#include "python/data.hpp"
#include "query.hpp"
#include "strata/settle.hpp"
#include "strata/stack.hpp"
#include "strata/stop.hpp"
#include "value/once_flag.hpp"

namespace strata::reclass {
namespace {

using merge::Action;
using merge::Builder;
using merge::Shape;
using merge::Traced;

// Values that are merged after all others: a constant (`=key`), or a mapping whose keys keep their prefixes until
// it meets another one. That is one that overrides (`~key`), or that a reference or a constant gives. Items that a list
// or a mapping overrides wait, too, where a reference is in it: the reference must lead somewhere.
enum Tag : int { kOverride, kConstant, kOverridden };

constexpr std::size_t kLongestName = 65'536;  ///< Bytes of the name of a class that references make.

bool is_held(const Value& value, Tag tag) noexcept {
  const merge::Held* held = merge::held_of(value);
  return held != nullptr && held->tag() == tag;
}

/// Whether it is a constant, or one of the sides that wait is.
bool is_constant(const Value& value) noexcept {
  Value side = value;
  for (const merge::Pending* waiting = merge::pending_of(side); waiting != nullptr; waiting = merge::pending_of(side)) {
    if (is_held(waiting->incoming().value, kConstant)) return true;
    side = waiting->old().value;
  }
  return is_held(side, kConstant);
}

/// Whether it is not known before everything is merged.
bool is_unknown(const Value& value) noexcept {
  return text::reference_of(value) != nullptr || merge::is_waiting(value);
}

Traced held(const Builder& make, const Traced& value, Tag tag) {
  return merge::held(make, value, tag, [](const Value& written) { return python::str(written); });
}

/// A mapping over nothing, or over null: its members are merged into nothing, for the prefixes of their keys.
Traced take_mapping(const Builder& make, const Traced& /*old*/, const Traced& incoming, const merge::Recurse& recurse) {
  return recurse({make.arena().mapping(KeyEquality::python), merge::Slot(merge::kNoLayer)}, incoming);
}

[[noreturn]] void refuse_change(const Builder& make, const Value& constant, const Value& change) {
  const Sources& sources = make.recorder().sources();
  throw Error("reclass.constant", "a constant parameter is changed")
      .at(sources, change.origin())
      .note(sources, constant.origin(), "it is constant here");
}

/// `~key`. A constant that is overridden is an error where it is read, as a reference without a target is.
Traced override_with(const Builder& make, const Traced& old, const Traced& incoming, const merge::Recurse& recurse) {
  const Traced value = incoming.value.is_mapping() ? held(make, incoming, kOverride) : incoming;
  if (is_constant(old.value)) return recurse(old, value);
  const bool may_be_container = incoming.value.is_container() || is_unknown(incoming.value);
  if (is_unknown(old.value) && may_be_container) return recurse(held(make, old, kOverridden), value);
  return value;
}

/// `=key`.
Traced make_constant(const Builder& make, const Traced& old, const Traced& incoming, const merge::Recurse& recurse) {
  const Traced constant = held(make, incoming, kConstant);
  return old.value ? recurse(old, constant) : constant;
}

/// `=~key`.
Traced override_with_constant(const Builder& make, const Traced& old, const Traced& incoming,
                              const merge::Recurse& recurse) {
  const Traced constant = held(make, incoming, kConstant);
  if (!old.value) return constant;
  return recurse(is_constant(old.value) ? old : held(make, old, kOverridden), constant);
}

/// A list over a scalar that may be its first item.
Traced put_in_front(const Builder& make, const Traced& old, const Traced& incoming, const merge::Recurse& recurse) {
  return recurse(make.sequence_of(old), incoming);
}

merge::Strategy make_strategy(const Replacing& replacing, bool has_prefixes) {
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
  if (has_prefixes) merge::set_cells(table, {absent, null}, mappings, merge::call_action(0));
  merge::set_cells(table, {null}, {scalar}, Action::wait);
  merge::set_cells(table, mappings, mappings, Action::recurse);
  merge::set_cells(table, sequences, sequences, Action::append);
  merge::set_cells(table, scalars, scalars, Action::take_new);
  merge::set_cells(table, scalars, {null}, Action::take_new);
  if (replacing.null_over_any || replacing.scalar_over_mapping)
    merge::set_cells(table, mappings, {null}, Action::take_new);
  if (replacing.null_over_any || replacing.scalar_over_list)
    merge::set_cells(table, sequences, {null}, Action::take_new);
  if (replacing.scalar_over_mapping) merge::set_cells(table, mappings, scalars, Action::take_new);
  if (replacing.scalar_over_list) merge::set_cells(table, sequences, scalars, Action::take_new);
  if (replacing.mapping_over_scalar) {
    merge::set_cells(table, scalars, mappings, has_prefixes ? merge::call_action(0) : Action::take_new);
  }
  if (replacing.list_over_scalar) merge::set_cells(table, scalars, sequences, merge::call_action(4));
  out.member = out.item = table;
  if (has_prefixes) {
    // Each merge takes one prefix off, and what a node says is merged twice.
    const Action overrides = merge::call_action(1);
    const Action binds = merge::call_action(2);
    const Action both = merge::call_action(3);
    out.keys = {{.prefix = "~~", .action = overrides}, {.prefix = "==", .action = binds},
                {.prefix = "~=", .action = both},      {.prefix = "=~", .action = both},
                {.prefix = "~", .action = overrides},  {.prefix = "=", .action = binds}};
  }
  out.calls = {"take_mapping", "override_with", "make_constant", "override_with_constant", "put_in_front"};
  return out;
}

/// The member at a step of a path. Absent if there is none: the last step is the key of a mapping, in the reference,
/// too.
Traced member_at(const Traced& value, std::string_view step, bool is_last) {
  if (!value.value.is_sequence() || is_last) return Builder::member(value, step);
  const auto index = text::index_of(step, value.value.size());
  return index ? Builder::member(value, *index) : Traced{};
}

bool is_scalar(const Value& value) noexcept { return !value.is_mapping() && !value.is_sequence(); }

/// Whether a value that is known merges over another one.
bool fits(const Value& old, const Value& incoming, const Replacing& replacing) noexcept {
  if (old.is_null() || (is_scalar(old) ? is_scalar(incoming) : old.kind() == incoming.kind())) return true;
  if (is_scalar(old)) return incoming.is_mapping() ? replacing.mapping_over_scalar : replacing.list_over_scalar;
  if (incoming.is_null() && replacing.null_over_any) return true;
  return is_scalar(incoming) && (old.is_mapping() ? replacing.scalar_over_mapping : replacing.scalar_over_list);
}

/// Follows the references of one node.
class Resolution final : public merge::References {
 public:
  /// `scope`: for queries. Null: what fails becomes a FailedExport, and queries fail. `groups_errors`: as in Settings.
  Resolution(const Traced& parameters, const Replacing& replacing, Session& session, QueryScope* scope,
             bool groups_errors = true)
      : References(parameters, {session.arena(), session.recorder()}, kReferences, session.sources(), session.limits(),
                   {.circle = "reclass.circle", .missing = "reclass.missing"}),
        replacing_(replacing),
        scope_(scope),
        groups_errors_(groups_errors) {}

 private:
  class Sides;

  bool is_other_placeholder(const Value& object) const override {
    return merge::held_of(object) != nullptr || merge::is_waiting(object);
  }
  Traced resolve(const Traced& placeholder) override;
  Traced step_into(const Traced& value, std::string_view step, bool is_last) const override {
    return member_at(value, step, is_last);
  }
  /// While reclass evaluates exports for a query, it collects the errors of the parameters that they refer to, and
  /// never raises them: such a parameter is null. An export that itself has a reference without a target fails.
  Traced target(const Traced& member) override {
    if (scope_ != nullptr || !groups_errors_) return here(member);
    try {
      return here(member);
    } catch (const Error& error) {
      if (!is_missing(error)) throw;
      return {Value::null().with_origin(member.value.origin()), member.slot};
    }
  }
  std::string spelled(const Value& value, std::size_t most) const override {
    if (scope_ == nullptr) {
      if (const FailedExport* failed = failure_in(value, limits())) throw failed->error();
    }
    return python::str(value, most);
  }
  Value queried(const std::string& query, const Value& side, std::vector<Traced>& inputs) override {
    if (scope_ == nullptr) {
      throw Error("reclass.query", "an export refers to an inventory query, whose result depends on exports")
          .at(sources(), side.origin());
    }
    const auto own_value = [&](const std::string& path) {
      inputs.push_back(everywhere(at(path, side)));
      return inputs.back().value;
    };
    return reclass::queried(query, *scope_, make().arena(), sources(), limits(), side.origin(), own_value);
  }
  Value instead_of(const Value& side, const Error& error) const override {
    if (scope_ != nullptr || error.ends_request()) return {};
    auto failed = std::make_shared<FailedExport>(error.diagnostic(), is_missing(error));
    if (limits().stop != nullptr) limits().stop->take_memory(failed->bytes());
    return make().arena().object(std::move(failed)).with_origin(side.origin());
  }

  /// What a reference leads to, with what is held in it as a value like others: a constant binds its own place, and no
  /// copy.
  // Recursion: as mappings are nested, bounded by the stack (check_stack).
  Traced unbound(const Traced& value) {
    if (const merge::Held* held = merge::held_of(value.value)) return {held->value(), value.slot};
    if (!value.value.is_mapping()) return value;
    check_stack(limits());
    return make().transform(
        value, [this](const Traced& member) { return unbound(member); },
        [](const Value& member) { return !member.is_mapping() && merge::held_of(member) == nullptr; });
  }

  /// A mapping whose keys lose their prefixes, as if it were the first one that is merged.
  Traced merged(const Traced& mapping) {
    const Traced nothing{make().arena().mapping(KeyEquality::python), merge::Slot(merge::kNoLayer)};
    return merge::merge(nothing, mapping, parameter_strategy(replacing_), make().arena(), limits(), make().recorder(),
                        parameter_calls());
  }

  const Replacing& replacing_;
  QueryScope* scope_;
  bool groups_errors_;
};

/// The sides that wait at one place, as they are folded.
class Resolution::Sides {
 public:
  explicit Sides(Resolution& resolution) : resolution_(resolution) {}

  Traced operator()(const Traced& side, bool is_last) {
    if (constant_ && resolution_.replacing_.constants_stay) {
      (void)known(side);
      return {};
    }
    if (constant_) refuse_change(resolution_.make(), constant_, side.value);
    if (is_held(side.value, kConstant)) constant_ = side.value;
    Traced value = known(side);
    if (is_held(side.value, kOverridden)) return side;  // Whatever it is, it gives way to all that may follow.
    if (!side.value.is_mapping()) value = resolution_.unbound(value);
    const Value now = value.value.with_origin(side.value.origin());
    if (!fits(before_, now, resolution_.replacing_)) {
      throw Error("reclass.merge",
                  fmt::format("{} cannot be merged over {}", describe(now.kind()), describe(before_.kind())))
          .at(resolution_.sources(), now.origin())
          .note(resolution_.sources(), before_.origin(), "the value before")
          .hint("a key that begins with '~' overrides instead");
    }
    const bool meets_nothing = std::exchange(before_, now).is_null();
    if (!meets_nothing || !now.is_mapping()) return value;
    // It meets another mapping, or fails.
    if (!is_last) return resolution_.merged(value);
    return side.value.is_mapping() ? value : held(resolution_.make(), value, kOverride);
  }

  /// A reference without a target does not matter where a scalar follows.
  void finish() const {
    if (missing_ && (is_last_missing_ || !is_scalar(before_))) throw Error(*missing_);
  }

 private:
  Traced known(const Traced& side) {
    is_last_missing_ = false;
    try {
      return resolution_.here(side);
    } catch (const Error& error) {
      if (!resolution_.is_missing(error) || !is_scalar(before_)) throw;
      missing_ = error;
      is_last_missing_ = true;
      return {Value::null().with_origin(side.value.origin()), side.slot};
    }
  }

  Resolution& resolution_;
  Value before_ = Value::null();  ///< At the place of its side.
  std::optional<Error> missing_;
  bool is_last_missing_ = false;
  Value constant_;  ///< Absent: there was none.
};

Traced Resolution::resolve(const Traced& placeholder) {
  if (const merge::Held* held = merge::held_of(placeholder.value)) return here({held->value(), placeholder.slot});
  if (const auto* reference = text::reference_of(placeholder.value)) return followed(placeholder, *reference);
  Sides sides(*this);
  const Traced made = merge::settle(
      placeholder, merge::Reach::here, [&sides](const Traced& side, bool is_last) { return sides(side, is_last); },
      parameter_strategy(replacing_), make().arena(), limits(), make().recorder(), parameter_calls());
  sides.finish();
  return here(made);
}

}  // namespace

const merge::Strategy& parameter_strategy(const Replacing& replacing, bool has_prefixes) {
  struct Form {
    OnceFlag made;
    merge::Strategy strategy;
  };
  static std::array<Form, 64> forms;
  const unsigned number = (replacing.null_over_any ? 1U : 0U) | (replacing.scalar_over_mapping ? 2U : 0U) |
                          (replacing.scalar_over_list ? 4U : 0U) | (replacing.mapping_over_scalar ? 8U : 0U) |
                          (replacing.list_over_scalar ? 16U : 0U) | (has_prefixes ? 32U : 0U);
  Form& form = forms.at(number);
  form.made.call([&] { form.strategy = make_strategy(replacing, has_prefixes); });
  return form.strategy;
}

std::span<const merge::Call> parameter_calls() {
  static const std::array<merge::Call, 5> calls{take_mapping, override_with, make_constant, override_with_constant,
                                                put_in_front};
  return calls;
}

Value with_references(Arena& arena, const Value& text, const Sources& sources) {
  if (!text::may_refer(text.text(), kReferences)) return text;
  // reclass's parser expands tabs first.
  text::ReferenceText parts =
      text::parse_references(python::expandtabs(text.text()), kReferences, sources, text.origin());
  for (const text::ReferencePart& part : parts) {
    if (!part.is_query) continue;
    if (parts.size() > 1) {
      throw Error("reclass.query", "an inventory query must be the whole string")
          .at(sources, text.origin())
          .hint("give the query a parameter of its own, and refer to that");
    }
    Arena scratch;
    (void)parse_query(scratch, part.text, sources, text.origin());
  }
  return text::with_references(arena, text, std::move(parts));
}

std::optional<std::string_view> query_in(const Value& value) noexcept {
  const text::Reference* reference = text::reference_of(value);
  if (reference == nullptr || !reference->parts().front().is_query) return std::nullopt;
  return reference->parts().front().text;
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> out;
  constexpr std::string_view kOpening = "${";
  for (std::size_t at = text.find(kOpening); at != std::string_view::npos; at = text.find(kOpening, at)) {
    at += kOpening.size();
    const std::size_t end = std::min(text.find_first_of(":}$", at), text.size());
    // Behind a reference in it, the name goes on.
    out.emplace_back(text.substr(end, 1) == "$" ? std::string_view() : text.substr(at, end - at));
  }
  // A query refers to the parameters that it compares with.
  constexpr std::string_view kSelf = "self:";
  if (text.find(kReferences.reserved) == std::string_view::npos) return out;
  for (std::size_t at = text.find(kSelf); at != std::string_view::npos; at = text.find(kSelf, at)) {
    at += kSelf.size();
    out.emplace_back(text.substr(at, std::min(text.find_first_of(": \t\r\n]", at), text.size()) - at));
  }
  return out;
}

std::optional<std::string> name_in(const Value& parameters, const text::ReferenceText& parts, const Sources& sources,
                                   Origin place) {
  std::size_t size = 0;
  const auto text_of = [&](const Value& value, std::string_view path) {
    if (value.is_secret()) {
      throw Error("reclass.class-reference",
                  fmt::format("'{}' is secret, so the name of a class cannot be made of it", path))
          .at(sources, place);
    }
    if (!value.is_container() && value.kind() != Kind::object) {
      std::string text = python::str(value);
      size += text.size();
      if (size > kLongestName) {
        throw Error("limit.result",
                    fmt::format("references make a name of a class of more than {} bytes", kLongestName))
            .at(sources, place);
      }
      return text;
    }
    throw Error("reclass.class-reference", fmt::format("'{}' is not known while classes are searched", path))
        .at(sources, place)
        .hint("the name of a class may refer to a scalar that one class gives, without a reference of its own");
  };
  if (std::ranges::any_of(parts, &text::ReferencePart::is_query)) {
    throw Error("reclass.class-reference", "the name of a class cannot be made of an inventory query")
        .at(sources, place);
  }
  return merge::spelled_in(parameters, parts, kReferences, member_at, text_of);
}

Unresolved resolved(const Unresolved& node, const Replacing& replacing, Session& session, QueryScope& scope) {
  const auto [parameters, exports] = Resolution(node.parameters, replacing, session, &scope).run(node.exports);
  return {.parameters = parameters, .exports = exports};
}

Value resolved_exports(const Unresolved& node, const Settings& settings, Session& session) {
  return Resolution(node.parameters, settings.replacing, session, nullptr, settings.groups_errors)
      .everywhere(node.exports)
      .value;
}

}  // namespace strata::reclass
