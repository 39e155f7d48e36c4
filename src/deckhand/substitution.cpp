// SPDX-License-Identifier: Apache-2.0
#include "deckhand/substitution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "deckhand/path/write.hpp"
#include "deckhand/python_template.hpp"
#include "python/data.hpp"
#include "value/extent.hpp"

namespace strata::deckhand {
namespace {

using merge::Recorder;
using merge::Traced;

constexpr std::size_t kLongestText = std::size_t{64} << 20U;

/// The error at a place of an entry, with what took part.
Error placed(const Error& error, const Value& at, const Parties& parties) {
  Diagnostic told = error.diagnostic();
  return Error(std::move(told.code),
               fmt::format("{} (substitution from {} into {})", told.message, parties.source, parties.destination))
      .at(parties.sources, at.origin())
      .hint(std::move(told.hint));
}

/// Does something for a place of an entry; its errors get the place and the names.
template <class Act>
auto with_place(const Value& at, const Parties& parties, const Act& act) {
  try {
    return act();
  } catch (const Error& error) {
    throw placed(error, at, parties);
  }
}

void warn(std::string code, const std::string& message, const Value& at, const Parties& parties, std::string hint) {
  parties.diagnostics.warn(
      {.code = std::move(code),
       .message = fmt::format("{} (substitution from {} into {})", message, parties.source, parties.destination),
       .where = excerpt_at(parties.sources, at.origin()),
       .notes = {},
       .hint = std::move(hint)});
}

Error too_deep(const Limits& limits) {
  return Error("limit.depth", fmt::format("data are nested deeper than {} levels", limits.depth))
      .hint("raise the limit with --limit depth=LEVELS");
}

/// For what takes values to be within the limits: shared containers grow where others write into them.
void check_extent(const Value& value, const Limits& limits) {
  std::size_t room = limits.result;
  if (fits(value, limits.depth, room)) return;
  if (room != 0) throw too_deep(limits);
  throw Error("limit.result", fmt::format("a value has more than {} nodes", limits.result))
      .hint("raise the limit with --limit result=NODES");
}

/// One entry being read.
class SubstitutionReader {
 public:
  SubstitutionReader(const Parties& parties, Expressions& expressions) : parties_(parties), expressions_(expressions) {}

  Substitution read(const Value& entry) {
    const Value source = member(entry, "src", Kind::mapping);
    Substitution result{.entry = entry,
                        .schema = member(source, "schema", Kind::text).text(),
                        .name = member(source, "name", Kind::text).text(),
                        .path_text = member(source, "path", Kind::text),
                        .path = nullptr,
                        .pattern = pattern(source),
                        .group = 0,
                        .deepcopy = false,
                        .destinations = {}};
    try {
      result.path = &expressions_.get(result.path_text.text());
    } catch (const Error& error) {
      if (error.ends_request()) throw;  // Else told when the path is asked for, if it is.
    }
    if (const Value* group = source.find("match_group"); group != nullptr)
      result.group = integer(source, "match_group");
    if (source.find("deepcopy") != nullptr) result.deepcopy = member(source, "deepcopy", Kind::boolean).as_boolean();
    const Value* destinations = entry.find("dest");
    if (destinations != nullptr && destinations->is_sequence()) {
      for (const Value& one : destinations->items()) result.destinations.push_back(destination(one));
    } else {
      result.destinations.push_back(destination(member(entry, "dest", Kind::mapping)));
    }
    return result;
  }

 private:
  [[nodiscard]] Value member(const Value& of, std::string_view name, Kind kind) const {
    const Value* found = of.is_mapping() ? of.find(name) : nullptr;
    if (found != nullptr && found->kind() == kind) return *found;
    throw placed(Error("deckhand.substitution",
                       fmt::format("a substitution needs '{}', which must be {}", name, describe(kind))),
                 found != nullptr ? *found : of, parties_);
  }

  /// No text has so many groups, and no data are so deep, that integers beyond 64 bits differ from the last one within.
  [[nodiscard]] std::int64_t integer(const Value& of, std::string_view name) const {
    const Value* found = of.is_mapping() ? of.find(name) : nullptr;
    if (found == nullptr || found->kind() != Kind::big_integer) return member(of, name, Kind::integer).as_integer();
    using Integers = std::numeric_limits<std::int64_t>;
    return found->text().starts_with('-') ? Integers::min() : Integers::max();
  }

  [[nodiscard]] std::shared_ptr<const text::Regex> pattern(const Value& of) {
    if (of.find("pattern") == nullptr) return nullptr;
    const Value text = member(of, "pattern", Kind::text);
    if (text.text().empty()) return nullptr;
    return with_place(text, parties_, [&] { return expressions_.pattern(text.text()); });
  }

  [[nodiscard]] Destination destination(const Value& of) {
    const Value text = member(of, "path", Kind::text);
    if (!is_destination(text.text())) {
      throw placed(Error("deckhand.destination",
                         fmt::format("the path '{}' of a destination does not begin with '.' or '$.'", text.text()))
                       .hint("'.' is all of the data"),
                   text, parties_);
    }
    std::optional<std::int64_t> depth;
    if (of.find("recurse") != nullptr) depth = integer(member(of, "recurse", Kind::mapping), "depth");
    const PathExpression* path = with_place(text, parties_, [&] { return &expressions_.get(text.text()); });
    return {.path_text = text, .path = path, .pattern = pattern(of), .depth = depth};
  }

  const Parties& parties_;
  Expressions& expressions_;
};

/// Counts the bytes of a text that was made.
std::size_t room_for_text(const Rendering& rendering) {
  return std::min(kLongestText,
                  rendering.session.limits().input - std::min(rendering.session.limits().input, rendering.bytes));
}

Traced made(const std::string& text, const Value& secret_as, Origin origin, std::initializer_list<Traced> from,
            Rendering& rendering) {
  bool secret = secret_as.is_secret();
  for (const Traced& one : from) secret = secret || one.value.is_secret();
  const Value value = rendering.arena.text(text).with_origin(origin).with_secret(secret);
  return rendering.session.recorder().derive(value, std::span(from.begin(), from.size()));
}

/// Cuts a text by the pattern of the source.
Traced cut_by_pattern(const Substitution& substitution, const Traced& value, const Parties& parties,
                      Rendering& rendering) {
  const text::Regex& regex = *substitution.pattern;
  const auto fail = [&](const std::string& reason) {
    throw placed(Error("deckhand.source-pattern", reason), substitution.path_text, parties);
  };
  if (!value.value.is_text()) {
    fail(fmt::format("the pattern '{}' needs a text, and the value at '{}' is {}", regex.pattern(),
                     substitution.path_text.text(), describe(value.value.kind())));
  }
  const auto match = with_place(substitution.path_text, parties, [&] { return regex.find(value.value.text()); });
  if (!match) {
    warn("deckhand.pattern-unmatched",
         fmt::format("the pattern '{}' does not match the text at '{}', so the whole text is taken", regex.pattern(),
                     substitution.path_text.text()),
         substitution.path_text, parties, {});
    return value;
  }
  if (substitution.group < 0 || static_cast<std::size_t>(substitution.group) >= match->groups.size())
    fail(fmt::format("the pattern '{}' has no group {}", regex.pattern(),
                     python::str(*substitution.entry.find("src")->find("match_group"), 100)));
  const auto group = match->groups[static_cast<std::size_t>(substitution.group)];
  if (!group) {
    const Value null = Value::null().with_origin(value.value.origin()).with_secret(value.value.is_secret());
    return rendering.session.recorder().derive(null, {{value}});
  }
  return made(std::string(value.value.text().substr(group->begin, group->end - group->begin)), value.value,
              value.value.origin(), {value}, rendering);
}

/// One destination being written.
class Writer {
 public:
  Writer(const Destination& to, merge::Accumulator& data, const Traced& value, const Parties& parties,
         Rendering& rendering) noexcept
      : to_(to), data_(data), value_(value), parties_(parties), rendering_(rendering) {}

  void run() {
    if (to_.pattern != nullptr) {
      replace();
    } else if (to_.path->is_root()) {
      write_root();
    } else {
      write(data_, *to_.path, own_value(), rendering_);
    }
  }

 private:
  /// The value as this place gets it.
  Traced own_value() {
    if (!rendering_.sharing.is_shared(value_.value)) return value_;
    data_.share(rendering_.sharing.mark());
    return data_.copy(value_);
  }

  /// All of the data: a mapping is merged into a mapping, key by key; anything else is replaced.
  void write_root() {
    const Value& value = value_.value;
    if (value.is_mapping() && value.size() == 0) return;
    check_content(value);
    if (value.is_mapping() && data_.current().value.is_mapping()) {
      data_.merge(own_value(), merge::shallow_replace());
    } else {
      write(data_, *to_.path, own_value(), rendering_);
    }
  }

  /// Of what becomes all of the data.
  static void check_content(const Value& value) {
    if (!python::truth(value))
      throw Error("deckhand.root", fmt::format("{} without content cannot become all of the data of a document",
                                               describe(value.kind())));
  }

  void replace() {
    const std::optional<Traced> target = to_.path->read(data_.current(), rendering_);
    if (!target && to_.depth) return make_empty();
    const bool walks = to_.depth && target && target->value.is_container();
    if (!walks && (!target || !target->value.is_text())) {
      throw Error("deckhand.destination-pattern",
                  fmt::format("the pattern '{}' needs a text at '{}', found {}", to_.pattern->pattern(),
                              to_.path->text(), target ? describe(target->value.kind()) : "nothing"))
          .hint("the text in which a pattern is replaced must exist after layering and earlier substitutions");
    }
    if (rendering_.sharing.is_shared(value_.value)) check_extent(value_.value, rendering_.session.limits());
    const std::string text = python::str(value_.value, room_for_text(rendering_));
    const PythonTemplate replacement(text, *to_.pattern, room_for_text(rendering_));
    rendering_.bytes += text.size();
    if (walks) {
      replace_below(replacement);
    } else {
      const std::optional<Traced> made = replaced(*target, replacement);
      if (!made) {
        warn("deckhand.pattern-unmatched",
             fmt::format("the pattern '{}' does not match the text at '{}'", to_.pattern->pattern(), to_.path->text()),
             to_.path_text, parties_, {});
      }
      put(made.value_or(*target), made.has_value());
    }
    // The reference looks at what results, also where nothing was replaced.
    if (const Value& all = data_.current().value; to_.path->is_root() && !all.is_mapping()) check_content(all);
  }

  void put(const Traced& text, bool changed) {
    const std::vector<Match> places = to_.path->find(data_.current().value, rendering_);
    if (places.size() > 1 || places[0].is_part) {
      // The text of the first place goes to all of them.
      write(data_, *to_.path, text, rendering_);
    } else if (changed) {
      revise(places[0].path.steps(), text);
    }
  }

  /// A text with all matches replaced; none where there are none.
  std::optional<Traced> replaced(const Traced& text, const PythonTemplate& replacement) {
    const PythonTemplate::Replaced result =
        replacement.replace_all(text.value.text(), room_for_text(rendering_), rendering_.session.limits().stop);
    if (!result.any) return std::nullopt;
    rendering_.bytes += result.text.size();
    return made(result.text, value_.value, value_.value.origin(), {text, value_}, rendering_);
  }

  void revise(const std::vector<Path::Step>& steps, const Traced& text) {
    if (data_.shares()) rendering_.sharing.before_write(data_.current().value, steps, {}, to_.path->text());
    data_.revise(steps, text);
  }

  /// What `recurse` does where there is nothing: the reference makes the place, an empty mapping, and finds no text in
  /// it.
  void make_empty() {
    const Value empty = rendering_.arena.mapping().with_origin(value_.value.origin());
    write(data_, *to_.path, rendering_.session.recorder().derive(empty, {{value_}}), rendering_);
    warn_of_none();
  }

  void warn_of_none() {
    warn("deckhand.recurse-unmatched",
         fmt::format("no text below '{}' contains the pattern '{}' literally, so nothing was changed", to_.path->text(),
                     to_.pattern->pattern()),
         to_.path_text, parties_,
         "with `recurse`, only texts that contain the pattern literally are searched: it works for plain words");
  }

  void replace_below(const PythonTemplate& replacement) {
    steps_ = to_.path->first(data_.current().value, rendering_)->path.steps();
    walk(1, replacement);
    if (changes_ == 0) warn_of_none();
  }

  /// Replaces in the texts below the steps. A container that is held twice is met twice, and has changed by then.
  // Recursion: bounded by Limits::depth.
  void walk(std::int64_t depth, const PythonTemplate& replacement) {
    if (*to_.depth >= 0 && depth > *to_.depth) return;
    if (steps_.size() > rendering_.session.limits().depth) throw too_deep(rendering_.session.limits());
    Traced container = *data_.at(steps_);
    const std::size_t size = container.value.size();
    for (std::size_t i = 0; i < size; ++i) {
      rendering_.stop.tick();
      const Traced member = Recorder::member(container, i);
      const std::size_t before = changes_;
      steps_.push_back(container.value.is_sequence() ? Path::Step(i) : Path::Step(container.value.entries()[i].key));
      if (member.value.is_container()) {
        walk(depth + 1, replacement);
      } else if (member.value.is_text() && member.value.text().find(to_.pattern->pattern()) != std::string_view::npos) {
        if (const auto text = replaced(member, replacement)) {
          revise(steps_, *text);
          ++changes_;
        }
      }
      steps_.pop_back();
      if (changes_ != before) container = *data_.at(steps_);
    }
  }

  const Destination& to_;
  merge::Accumulator& data_;
  const Traced& value_;
  const Parties& parties_;
  Rendering& rendering_;
  std::vector<Path::Step> steps_;  ///< To what `recurse` is looking at.
  std::size_t changes_ = 0;
};

bool holds_containers(const Value& value) {
  if (value.is_sequence()) return std::ranges::any_of(value.items(), &Value::is_container);
  return std::ranges::any_of(value.entries(), [](const Entry& entry) { return entry.value.is_container(); });
}

}  // namespace

Substitution parse_substitution(const Value& entry, const Parties& parties, Expressions& expressions) {
  return SubstitutionReader(parties, expressions).read(entry);
}

merge::Traced read_source(const Substitution& substitution, const merge::Traced& data, const Parties& parties,
                          Rendering& rendering) {
  Traced value = data;
  if (data.value.is_mapping()) {
    value = with_place(substitution.path_text, parties, [&] {
      // What is not a path is parsed again, for the error.
      const auto read = [&](const PathExpression& path) { return path.read(data, rendering).value_or(Traced{}); };
      return substitution.path != nullptr ? read(*substitution.path)
                                          : read(PathExpression::parse(substitution.path_text.text()));
    });
  }
  if (!value.value || value.value.is_null()) {
    throw placed(
        Error("deckhand.source-data", fmt::format("there is {} at '{}' of the source", value.value ? "null" : "nothing",
                                                  substitution.path_text.text())),
        substitution.path_text, parties);
  }
  return substitution.pattern == nullptr ? value : cut_by_pattern(substitution, value, parties, rendering);
}

merge::Traced share(const Substitution& substitution, const merge::Traced& value, merge::Traced& data, bool& shares,
                    Rendering& rendering) {
  Sharing& sharing = rendering.sharing;
  // The second destination sees what the first one changed in the value.
  const bool is_single = substitution.destinations.size() == 1;
  if (!value.value.is_container() || (is_single && substitution.destinations.front().pattern != nullptr)) return value;
  if (!sharing.matters() && !sharing.is_shared(value.value)) return value;
  const Limits& limits = rendering.session.limits();
  merge::Recorder& recorder = rendering.session.recorder();
  // A value without containers that is not shared is copied where it is written to.
  if (is_single && !holds_containers(value.value) && !sharing.is_shared(value.value)) return value;
  const bool is_copy = substitution.deepcopy;
  if (is_copy && sharing.is_shared(value.value)) {
    check_extent(value.value, limits);
    return merge::detached(value, sharing.mark(), rendering.arena, recorder);
  }
  if (is_copy && is_single) return value;
  std::vector<Path::Step> steps;
  if (!is_copy && data.value.is_mapping()) steps = substitution.path->first(data.value, rendering)->path.steps();
  merge::Accumulator whole(rendering.arena, limits, recorder);
  whole.share(sharing.mark());
  whole.start(is_copy ? value : data);
  const Traced marked = whole.mark(steps);
  if (is_copy) return marked;
  data = whole.current();
  shares = true;
  sharing.receive(marked.value);
  return marked;
}

void write_destinations(const Substitution& substitution, merge::Accumulator& data, const merge::Traced& value,
                        const Parties& parties, Rendering& rendering) {
  for (const Destination& to : substitution.destinations) {
    check_stop(rendering.session.limits().stop);
    with_place(to.path_text, parties, [&] { Writer(to, data, value, parties, rendering).run(); });
    rendering.sharing.end_destination(to.path_text);
  }
}

}  // namespace strata::deckhand
