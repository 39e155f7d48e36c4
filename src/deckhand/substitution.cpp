#include "deckhand/substitution.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "deckhand/path/write.hpp"
#include "deckhand/python_template.hpp"
#include "python/data.hpp"

namespace strata::deckhand {
namespace {

using merge::Recorder;
using merge::Traced;

constexpr std::size_t kLongestText = std::size_t{64} << 20U;

/// The error at a place of an entry, with what took part.
Error placed(const Error& error, const Value& at, const Parties& parties) {
  Diagnostic told = error.diagnostic();
  return Error(std::move(told.code), fmt::format("{} (substitution from {} into {})", told.message, parties.source, parties.destination))
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
  parties.diagnostics.warn({.code = std::move(code),
                            .message = fmt::format("{} (substitution from {} into {})", message, parties.source, parties.destination),
                            .where = {.place = parties.sources.place(at.origin()), .line = parties.sources.line_of(at.origin()), .message = {}},
                            .notes = {},
                            .hint = std::move(hint)});
}

/// One entry being read.
class Reader {
 public:
  explicit Reader(const Sources& sources) : sources_(sources) {}

  Substitution read(const Value& entry) {
    const Value source = member(entry, "src", Kind::mapping);
    Substitution result{.entry = entry,
                        .schema = std::string(member(source, "schema", Kind::text).text()),
                        .name = std::string(member(source, "name", Kind::text).text()),
                        .path_text = member(source, "path", Kind::text),
                        .path = {},
                        .pattern = pattern(source),
                        .group = 0,
                        .destinations = {}};
    try {
      result.path = PathExpression::parse(result.path_text.text());
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      result.path.reset();  // Told when the path is asked for, if it is.
    }
    if (const Value* group = source.find("match_group"); group != nullptr) result.group = member(source, "match_group", Kind::integer).as_integer();
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
    throw Error("deckhand.substitution", fmt::format("a substitution needs '{}', which must be {}", name, describe(kind)))
        .at(sources_, found != nullptr ? found->origin() : of.origin());
  }

  [[nodiscard]] Error at(const Error& error, const Value& value) const {
    Diagnostic told = error.diagnostic();
    return Error(std::move(told.code), std::move(told.message)).at(sources_, value.origin()).hint(std::move(told.hint));
  }

  [[nodiscard]] std::shared_ptr<const text::Regex> pattern(const Value& of) const {
    if (of.find("pattern") == nullptr) return nullptr;
    const Value text = member(of, "pattern", Kind::text);
    if (text.text().empty()) return nullptr;
    try {
      return std::make_shared<const text::Regex>(text.text(), text::Regex::Syntax::python);
    } catch (const Error& error) {
      throw at(error, text);
    }
  }

  [[nodiscard]] Destination destination(const Value& of) const {
    const Value text = member(of, "path", Kind::text);
    if (!is_destination(text.text())) {
      throw Error("deckhand.destination", fmt::format("the path '{}' of a destination does not begin with '.' or '$.'", text.text()))
          .at(sources_, text.origin())
          .hint("'.' is all of the data");
    }
    std::optional<std::int64_t> depth;
    if (of.find("recurse") != nullptr) depth = member(member(of, "recurse", Kind::mapping), "depth", Kind::integer).as_integer();
    try {
      return {.path_text = text, .path = PathExpression::parse(text.text()), .pattern = pattern(of), .depth = depth};
    } catch (const Error& error) {
      if (!error.diagnostic().where.place.file.empty()) throw;
      throw at(error, text);
    }
  }

  const Sources& sources_;
};

/// Counts the bytes of a text that was made.
std::size_t room_for_text(const RenderContext& context) {
  return std::min(kLongestText, context.limits.input - std::min(context.limits.input, context.bytes));
}

Traced made(const std::string& text, const Value& secret_as, Origin origin, std::initializer_list<Traced> from, RenderContext& context) {
  bool secret = secret_as.is_secret();
  for (const Traced& one : from) secret = secret || one.value.is_secret();
  const Value value = context.arena.text(text).with_origin(origin).with_secret(secret);
  return context.recorder.derive(value, std::span(from.begin(), from.size()));
}

/// Cuts a text by the pattern of the source.
Traced cut(const Substitution& substitution, const Traced& value, const Parties& parties, RenderContext& context) {
  const text::Regex& regex = *substitution.pattern;
  const auto fail = [&](const std::string& reason) { throw placed(Error("deckhand.source-pattern", reason), substitution.path_text, parties); };
  if (!value.value.is_text()) {
    fail(fmt::format("the pattern '{}' needs a text, and the value at '{}' is {}", regex.pattern(), substitution.path_text.text(),
                     describe(value.value.kind())));
  }
  const auto match = with_place(substitution.path_text, parties, [&] { return regex.find(value.value.text()); });
  if (!match) {
    warn("deckhand.pattern-unmatched",
         fmt::format("the pattern '{}' matches nothing of the text at '{}', so that all of it is taken", regex.pattern(),
                     substitution.path_text.text()),
         substitution.path_text, parties, {});
    return value;
  }
  if (substitution.group < 0 || static_cast<std::size_t>(substitution.group) >= match->groups.size())
    fail(fmt::format("the pattern '{}' has no group {}", regex.pattern(), substitution.group));
  const auto group = match->groups[static_cast<std::size_t>(substitution.group)];
  if (!group) {
    const Value null = Value::null().with_origin(value.value.origin()).with_secret(value.value.is_secret());
    return context.recorder.derive(null, {{value}});
  }
  return made(std::string(value.value.text().substr(group->begin, group->end - group->begin)), value.value, value.value.origin(), {value}, context);
}

/// One destination being written.
class Writer {
 public:
  Writer(const Destination& to, merge::Accumulator& data, const Traced& value, const Parties& parties, RenderContext& context) noexcept
      : to_(to), data_(data), value_(value), parties_(parties), context_(context) {}

  void run() {
    if (to_.pattern != nullptr) {
      replace();
    } else if (to_.path.is_root()) {
      write_root();
    } else {
      write(data_, to_.path, value_, context_);
    }
  }

 private:
  /// All of the data: a mapping is merged into a mapping, key by key; anything else is replaced.
  void write_root() {
    const Value& value = value_.value;
    if (!python::truth(value)) {
      if (value.is_mapping()) return;
      throw Error("deckhand.root", fmt::format("{} without content cannot become all of the data of a document", describe(value.kind())));
    }
    if (value.is_mapping() && data_.current().value.is_mapping()) {
      data_.merge(value_, merge::shallow_replace());
    } else {
      write(data_, to_.path, value_, context_);
    }
  }

  void replace() {
    const std::optional<Traced> target = to_.path.read(data_.current(), context_);
    const bool walks = to_.depth && target && target->value.is_container();
    if (!walks && (!target || !target->value.is_text())) {
      throw Error("deckhand.destination-pattern", fmt::format("the pattern '{}' needs a text at '{}', and there is {}", to_.pattern->pattern(),
                                                              to_.path.text(), target ? describe(target->value.kind()) : "nothing"))
          .hint("what a pattern is replaced in must be there, after layering and earlier substitutions");
    }
    const PythonTemplate replacement(python::str(value_.value, room_for_text(context_)), *to_.pattern);
    if (walks) {
      replace_below(*target, replacement);
    } else {
      const std::optional<Traced> text = replaced(*target, replacement);
      if (!text) {
        warn("deckhand.pattern-unmatched",
             fmt::format("the pattern '{}' matches nothing of the text at '{}'", to_.pattern->pattern(), to_.path.text()), to_.path_text, parties_,
             {});
      }
      put(text.value_or(*target), text.has_value());
    }
  }

  void put(const Traced& text, bool changed) {
    const std::vector<Match> places = to_.path.find(data_.current().value, context_);
    if (places.size() > 1 || places[0].is_part) {
      // The text of the first place goes to all of them.
      write(data_, to_.path, text, context_);
    } else if (changed) {
      data_.revise(places[0].path.steps(), text);
    }
  }

  /// A text with all matches replaced; none where there are none.
  std::optional<Traced> replaced(const Traced& text, const PythonTemplate& replacement) {
    const PythonTemplate::Replaced result = replacement.replace_all(text.value.text(), room_for_text(context_), context_.limits.stop);
    if (!result.any) return std::nullopt;
    context_.bytes += result.text.size();
    return made(result.text, value_.value, value_.value.origin(), {text, value_}, context_);
  }

  void replace_below(const Traced& container, const PythonTemplate& replacement) {
    steps_ = to_.path.first(data_.current().value, context_)->path.steps();
    collect(container, 1, replacement);
    if (changes_.empty()) {
      warn("deckhand.recurse-unmatched",
           fmt::format("no text below '{}' that holds the pattern '{}' as it stands was changed", to_.path.text(), to_.pattern->pattern()),
           to_.path_text, parties_,
           "with `recurse`, only texts that hold the very characters of the pattern are looked at: it works for plain words");
    }
    for (const auto& [steps, text] : changes_) data_.revise(steps, text);
  }

  // Recursion: bounded by Limits::depth.
  void collect(const Traced& container, std::int64_t depth, const PythonTemplate& replacement) {
    if (*to_.depth >= 0 && depth > *to_.depth) return;
    for (std::size_t i = 0; i < container.value.size(); ++i) {
      context_.stop.tick();
      const Traced member = Recorder::member(container, i);
      steps_.push_back(container.value.is_sequence() ? Path::Step(i) : Path::Step(container.value.entries()[i].key));
      if (member.value.is_container()) {
        collect(member, depth + 1, replacement);
      } else if (member.value.is_text() && member.value.text().find(to_.pattern->pattern()) != std::string_view::npos) {
        if (auto text = replaced(member, replacement)) changes_.emplace_back(steps_, *text);
      }
      steps_.pop_back();
    }
  }

  const Destination& to_;
  merge::Accumulator& data_;
  const Traced& value_;
  const Parties& parties_;
  RenderContext& context_;
  std::vector<Path::Step> steps_;
  std::vector<std::pair<std::vector<Path::Step>, Traced>> changes_;
};

}  // namespace

Substitution parse_substitution(const Value& entry, const Sources& sources) { return Reader(sources).read(entry); }

merge::Traced read_source(const Substitution& substitution, const merge::Traced& data, const Parties& parties, RenderContext& context) {
  Traced value = data;
  if (data.value.is_mapping()) {
    value = with_place(substitution.path_text, parties, [&] {
      const PathExpression path = substitution.path ? *substitution.path : PathExpression::parse(substitution.path_text.text());
      return path.read(data, context).value_or(Traced{});
    });
  }
  if (!value.value || value.value.is_null()) {
    throw placed(Error("deckhand.source-data",
                       fmt::format("there is {} at '{}' of the source", value.value ? "null" : "nothing", substitution.path_text.text())),
                 substitution.path_text, parties);
  }
  return substitution.pattern == nullptr ? value : cut(substitution, value, parties, context);
}

void write_destinations(const Substitution& substitution, merge::Accumulator& data, const merge::Traced& value, const Parties& parties,
                        RenderContext& context) {
  for (const Destination& to : substitution.destinations) {
    check_stop(context.limits.stop);
    with_place(to.path_text, parties, [&] { Writer(to, data, value, parties, context).run(); });
  }
}

}  // namespace strata::deckhand
