// SPDX-License-Identifier: Apache-2.0
// The part of a lookup that replaces `%{…}` in found values.
#include <fmt/format.h>

#include <algorithm>

#include "evaluation.hpp"
#include "faults.hpp"
#include "release.hpp"
#include "strata/builder.hpp"
#include "strata/report.hpp"
#include "strata/traced.hpp"
#include "sub_lookup.hpp"

namespace strata::hiera {

using NodeType = Explanation::Node::Type;
using NodeEvent = Explanation::Node::Event;

Value Evaluation::interpolate(const Value& value) { return interpolate(Traced{value, {}}).value; }

// Recursion: bounded by Limits::depth, and between lookups by Check.
merge::Traced Evaluation::interpolate(const Traced& value) {
  if (value.value.is_text()) return may_interpolate(value.value.text()) ? interpolate_text(value) : value;
  if ((value.value.is_sequence() || value.value.is_mapping()) && content_of(value.value) != Content::plain)
    return interpolate_items(value);
  return value;
}

/// A key of a hash: expressions make text of it.
Value Evaluation::interpolate_key(const Traced& subject) {
  const Value& key = subject.value;
  if (!key.is_text() || !may_interpolate(key.text())) return key;
  const Value text = interpolate_text(subject).value;
  if (!text.is_text()) {
    const std::string_view shown = key.is_secret() ? report::kMask : key.text();
    throw LookupError(
        Error("hiera.interpolation", fmt::format("'{}' as a key of a hash becomes {}", shown, describe(text.kind())))
            .at(view_.sources, key.origin())
            .hint("keys must be text: use lookup instead of alias"));
  }
  return arena_->key(text.text()).with_origin(key.origin()).with_secret(text.is_secret());
}

/// A container whose members are interpolated. Two keys that become the same one: the last value, in the place of the
/// first.
merge::Traced Evaluation::interpolate_items(const Traced& value) {
  const Value& old = value.value;
  const merge::Builder make(*arena_, *recorder_);
  bool is_secret = old.is_secret();
  bool has_aliases = false;
  const auto interpolated = [&](const Traced& was) {
    view_.stop.tick();
    Traced now = interpolate(was);
    has_aliases = has_aliases || (was.value.is_text() && now.value.is_container());
    return now;
  };
  const auto checked = [&](Traced made) {
    made.value = made.value.with_origin(old.origin()).with_secret(is_secret);
    if (has_aliases) check_nodes(made.value);
    return made;
  };
  // A list keeps its history: where a merge leaves nothing in it, no item tells where it is stated.
  if (old.is_sequence()) return checked(make.transform(value, interpolated));
  merge::TracedMapping entries(make, KeyEquality::exact, old.size());
  for (std::size_t i = 0; i < old.size(); ++i) {
    const Value key = interpolate_key({old.entries()[i].key, value.slot});
    // Paths and explanations show keys: what has a secret one is secret as a whole.
    is_secret = is_secret || key.is_secret();
    entries.insert(key, interpolated(child(value, i)));
  }
  return checked(entries.finish());
}

/// The nodes of a value that aliases may have made, counted as if written out: each container is visited once. Counting
/// ends at about `most`.
// Recursion: bounded by Limits::depth.
std::size_t Evaluation::nodes_of(const Value& value, std::size_t most) {
  if (!value.is_container() || value.size() == 0) return 1;
  const void* address = value.is_sequence() ? static_cast<const void*>(value.items().data()) : value.entries().data();
  if (const auto known = nodes_.find(address); known != nodes_.end()) return known->second;
  std::size_t nodes = 1;
  for (std::size_t i = 0; i < value.size() && nodes <= most; ++i)
    nodes += nodes_of(value.is_sequence() ? value.items()[i] : value.entries()[i].value, most);
  nodes_.emplace(address, nodes);
  return nodes;
}

void Evaluation::check_nodes(const Value& value) {
  const std::size_t most = view_.limits.result;
  if (nodes_of(value, most) <= most) return;
  throw Error("limit.result", fmt::format("aliases make a value of more than {} nodes", most))
      .at(view_.sources, value.origin())
      .hint("raise the limit with --limit result=NUMBER");
}

/// Texts that name each other several times double the work with every level.
void Evaluation::count_step(const Traced& subject) {
  view_.stop.tick([&] { return subject.value.origin(); });
  if (++steps_ <= view_.limits.steps) return;
  throw Error("limit.steps", "interpolation takes too many steps")
      .at(view_.sources, subject.value.origin())
      .hint("raise the limit with --limit steps=NUMBER");
}

void Evaluation::check_size(std::size_t size, const Traced& subject) const {
  constexpr std::size_t kLarge = std::size_t{1} << 16U;
  if (size > kLarge && view_.limits.stop != nullptr) {
    view_.limits.stop->at(subject.value.origin());
    view_.limits.stop->take_memory(size);
    view_.limits.stop->check();
  }
  if (size <= view_.limits.input) return;
  throw Error("limit.input", "interpolation makes a text that is too large")
      .at(view_.sources, subject.value.origin())
      .hint("raise the limit with --limit input=NUMBER");
}

merge::Traced Evaluation::interpolate_text(const Traced& subject) {
  const Tracer::Branch branch(tracer_, NodeType::interpolate, [&](Explanation::Node& node) {
    node.name = subject.value.is_secret() ? report::kMask : subject.value.text();
  });
  if (!subject.value.is_secret()) return interpolate_shown(subject);
  // The names in a secret are parts of it and are not reported.
  const Tracer::Silence silence(tracer_);
  const auto untold = [&](const Error& error) {
    return Error(error.code(),
                 "a secret value cannot be interpolated; the reason is not shown because it would reveal parts of the "
                 "secret")
        .at(view_.sources, subject.value.origin());
  };
  try {
    return interpolate_shown(subject);
  } catch (const LookupError& error) {
    throw LookupError(untold(error), error.issue());
  } catch (const FaultError& error) {
    throw FaultError(untold(error));
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    throw untold(error);
  }
}

merge::Traced Evaluation::interpolate_shown(const Traced& subject) {
  const std::string_view text = subject.value.text();
  std::string out;
  bool is_secret = subject.value.is_secret();
  std::vector<Traced> inputs;
  if (recorder_->keeps()) inputs.push_back(subject);
  std::size_t from = 0;
  try {
    while (const auto expression = find_expression(text, from)) {
      out += text.substr(from, expression->begin - from);
      from = expression->end;
      count_step(subject);
      Traced value;
      switch (expression->method) {
        case Expression::Method::nothing:
          continue;
        case Expression::Method::unknown:
          throw LookupError(
              Error("hiera.interpolation", fmt::format("Unknown interpolation method '{}'", expression->name))
                  .hint("the methods are lookup, hiera, alias, scope and literal"),
              LookupError::Issue::yes);
        case Expression::Method::alias:
          if (expression->begin != 0 || expression->end != text.size()) {
            throw LookupError(
                Error("hiera.interpolation",
                      "'alias' interpolation is only permitted if the expression is equal to the entire string")
                    .hint("use lookup inside of texts"),
                LookupError::Issue::yes);
          }
          value = nested(expression->key, subject);
          // A value without a file gets the place of the string that refers to it.
          if (!value.value.origin()) value = recorder_->derive(value.value.with_origin(subject.value.origin()), inputs);
          if (is_secret) value.value = value.value.with_secret();
          return value;
        case Expression::Method::scope: {
          value = variable(*expression, subject);
          const NameStack::Entry entry(names_, true, expression->key);
          value = interpolate(value);
          break;
        }
        case Expression::Method::lookup: {
          value = nested(expression->key, subject);
          const NameStack::Entry entry(names_, false, expression->key);
          value = interpolate(value);
          break;
        }
        case Expression::Method::literal: {
          value.value = arena_->text(expression->key);
          const NameStack::Entry entry(names_, false, expression->key);
          value = interpolate(value);
          break;
        }
      }
      if (!value.value) continue;
      is_secret = is_secret || report::holds_secret(value.value);
      if (value.value.is_text()) {
        out += value.value.text();
      } else {
        // Written out, each node takes some bytes.
        constexpr std::size_t kBytesANode = 16;
        check_size(out.size() + nodes_of(value.value, view_.limits.result) * kBytesANode, subject);
        out += ruby::interpolated(value.value, ruby_release(view_.directory.settings.compat));
      }
      check_size(out.size(), subject);
      if (recorder_->keeps() && expression->method != Expression::Method::literal) inputs.push_back(value);
    }
  } catch (Error& error) {
    const bool is_told_here = error.gives_up() || dynamic_cast<const WordedError*>(&error) != nullptr;
    if (is_told_here && error.diagnostic().where.place.file.empty()) error.at(view_.sources, subject.value.origin());
    throw;
  }
  out += text.substr(from);
  if (may_interpolate(text.substr(from))) warn_of_open_expression(subject);
  check_size(out.size(), subject);
  const Value made = arena_->text(out).with_origin(subject.value.origin()).with_secret(is_secret);
  return recorder_->derive(made, inputs);
}

merge::Traced Evaluation::variable(const Expression& expression, const Traced& subject) {
  const auto segments = split_key(expression.key, "string");
  Traced here;
  {
    const Tracer::Branch branch(tracer_, NodeType::scope, [](Explanation::Node& node) { node.name = "Global Scope"; });
    const std::string root = variable_name(segments, view_.sources, subject.value.origin());
    const Value* fixed = overrides_ == nullptr ? nullptr : overrides_->find(root);
    const Value* found = legacy_scope_ ? view_.scope.find_legacy(root) : view_.scope.find(root);
    if (fixed != nullptr) {
      here.value = *fixed;
      tracer_.found(root, *fixed, NodeEvent::found_in_overrides);
    } else if (found != nullptr) {
      here.value = *found;
      tracer_.found(root, *found);
    } else if (const Value* fallback = defaults_ == nullptr ? nullptr : defaults_->find(root)) {
      here.value = *fallback;
      tracer_.found(root, *fallback, NodeEvent::found_in_defaults);
    } else {
      unknown_variable(root, subject);
      return {};
    }
  }
  if (recorder_->keeps()) {
    if (view_.facts_layer == merge::kNoLayer) view_.facts_layer = recorder_->add_layer("facts").layer();
    here.slot = merge::Slot(view_.facts_layer);
  }
  if (segments.size() == 1 || here.value.is_null()) return here;
  const Tracer::Branch branch(tracer_, NodeType::sub_key, [&](Explanation::Node& node) {
    for (std::size_t i = 1; i < segments.size(); ++i) node.name += (i == 1 ? "" : ".") + to_string(segments[i]);
  });
  for (std::size_t i = 1; i < segments.size(); ++i) {
    const Tracer::Branch step(tracer_, NodeType::segment, [](Explanation::Node&) {});
    const Value next = step_into(here.value, segments[i], expression.key);
    if (!next) {
      tracer_.not_found(to_string(segments[i]));
      const Settings& settings = view_.directory.settings;
      const bool is_of_server = here.value.is_mapping() && segments.front() == Segment("server_facts") &&
                                settings.server_facts == nullptr && is_strict(settings.compat);
      warn_of_member(expression, is_of_server, subject);
      return {};
    }
    here.value = next;
    tracer_.found(to_string(segments[i]), next);
  }
  return here;
}

/// `${fqdn}` is Puppet's notation in manifests, and text here. It is taken for a mistake where it names a fact.
// Recursion: bounded by Limits::depth, which the reader keeps.
void Evaluation::warn_of_foreign_expressions(const Value& value) {
  if (value.is_secret()) return;
  if (value.is_sequence()) {
    for (const Value& item : value.items()) warn_of_foreign_expressions(item);
  } else if (value.is_mapping()) {
    for (const Entry& entry : value.entries()) warn_of_foreign_expressions(entry.value);
  }
  if (!value.is_text()) return;
  const std::string_view text = value.text();
  for (std::size_t begin = text.find("${"); begin != std::string_view::npos; begin = text.find("${", begin + 2)) {
    const std::size_t end = text.find('}', begin);
    if (end == std::string_view::npos) return;
    std::string_view name = text.substr(begin + 2, end - begin - 2);
    if (name.starts_with("::")) name.remove_prefix(2);
    const bool is_member = name.starts_with("facts.") || name.starts_with("trusted.");
    if (!is_member && !view_.scope.has_fact(name.substr(0, name.find('.')))) continue;
    view_.warn_about(fmt::format("foreign {} {}", view_.sources.place(value.origin()).to_string(), name),
                     Error("hiera.expression", fmt::format("'${{{}}}' is plain text in Hiera data", name))
                         .at(view_.sources, value.origin())
                         .hint(fmt::format("did you mean '%{{{}}}'?", name))
                         .diagnostic());
  }
}

void Evaluation::warn_of_open_expression(const Traced& subject) {
  const Value& value = subject.value;
  if (value.is_secret() || !value.origin()) return;
  Error error("hiera.expression", "'%{' has no '}', so it is plain text");
  error.at(view_.sources, value.origin()).hint("add the brace, or write '%{literal('%')}{' if the text is meant");
  view_.warn_about(fmt::format("open {}", view_.sources.place(value.origin()).to_string()), error.diagnostic());
}

void Evaluation::unknown_variable(const std::string& name, const Traced& subject) {
  const Settings& settings = view_.directory.settings;
  const bool is_of_server = settings.server_facts == nullptr && is_server_fact(name);
  const bool is_error = is_strict(settings.compat) && !tracer_ && !is_of_server;
  if (subject.value.is_secret() && !is_error) return;
  Error error = undefined_variable(name);
  error.at(view_.sources, subject.value.origin());
  const std::string near = view_.scope.nearest(name);
  std::string way_out = "give the fact with --facts, or guard the value";
  if (is_of_server) {
    way_out = kServerFactsHint;
  } else if (!near.empty()) {
    way_out = fmt::format("did you mean '%{{{}}}'?", near);
  }
  if (is_error) throw LookupError(error.hint(way_out));
  view_.warn_about(fmt::format("variable {}", name),
                   error.hint("it counts as an empty string; " + way_out).diagnostic());
}

/// Warns of a member that a variable does not have, where the reference silently takes the empty string: of a server
/// fact, which nothing here knows, and of a member with another one whose name differs by one letter. The first node of
/// a fleet decides; `strata check` compares all of them.
void Evaluation::warn_of_member(const Expression& expression, bool is_of_server, const Traced& subject) {
  if (subject.value.is_secret() || !view_.is_news(fmt::format("member {}", expression.key))) return;
  std::string hint;
  if (is_of_server) {
    hint = kServerFactsHint;
  } else if (const std::string near = view_.scope.misspelt(expression.key); !near.empty()) {
    hint = fmt::format("did you mean '%{{{}}}'?", near);
  } else {
    return;
  }
  view_.diagnostics.warn(
      Error("hiera.unknown-variable", fmt::format("'{}' is unknown: it counts as an empty string", expression.key))
          .at(view_.sources, subject.value.origin())
          .hint(std::move(hint))
          .diagnostic());
}

/// What another key stands for: text `""` where it is not found.
merge::Traced Evaluation::nested(std::string_view name, const Traced& subject) {
  if (overrides_ != nullptr) {
    if (const Value* fixed = overrides_->find(name)) return {*fixed, merge::Slot(merge::kNoLayer)};
  }
  const bool legacy_before = legacy_scope_;
  if (!global_only_) legacy_scope_ = false;
  struct Restore {
    bool& flag;
    bool before;
    ~Restore() { flag = before; }
  } const restore{legacy_scope_, legacy_before};
  const Traced found = lookup(name, nullptr);
  if (found.value) return found;
  if (defaults_ != nullptr) {
    if (const Value* fixed = defaults_->find(name)) return {*fixed, merge::Slot(merge::kNoLayer)};
  }
  if (!subject.value.is_secret()) {
    view_.warn_about(
        fmt::format("lookup {}", name),
        Error("hiera.unknown-key", fmt::format("the key '{}' is not found: it counts as an empty text", name))
            .at(view_.sources, subject.value.origin())
            .hint("define it, or name another key")
            .diagnostic());
  }
  return {arena_->text(""), merge::Slot(merge::kNoLayer)};
}

}  // namespace strata::hiera
