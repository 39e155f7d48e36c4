// SPDX-License-Identifier: Apache-2.0
#include "edit/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/stack.hpp"
#include "text/yaml/profile.hpp"

namespace strata::edit {
namespace {

using text::MemberRange;
using text::NodeRange;
using Tokens = std::vector<std::string>;

constexpr std::string_view kEncrypted = "ENC[";

/// The tokens [0, count) as a pointer, for messages.
/// The pointer of the first tokens.
std::string pointer_to(const Tokens& tokens, std::size_t count) { return pointer_of(std::span(tokens).first(count)); }

/// The mappings around a value that the tokens from `first` on name, outermost first.
Value wrapped(Arena& arena, const Tokens& tokens, std::size_t first, Value value) {
  for (std::size_t i = tokens.size(); i-- > first;) {
    MappingBuilder mapping(arena);
    mapping.insert(tokens[i], value);
    value = mapping.finish();
  }
  return value;
}

class Finder {
 public:
  Finder(const Reading& reading, const Form& form, const Change& change, std::size_t document, Arena& arena)
      : reading_(reading), form_(form), change_(change), arena_(arena), tokens_(parse_pointer(change.pointer)) {
    target_.document = document;
    target_.value = change.value;
  }

  Target find(const Limits& limits) {
    if (!change_.value) target_.value = Value::null();
    if (tokens_.size() > limits.depth) {
      throw reading_.error("limit.depth", fmt::format("the pointer has more than {} steps", limits.depth), 0)
          .hint("raise the limit with --limit depth=LEVELS");
    }
    // Values are compared and written by recursion.
    check_stack(limits.depth + tokens_.size());
    if (target_.document == reading_.documents.size()) return begin();
    walk(reading_.documents[target_.document].root);
    outline(limits);
    if (target_.steps.empty() && target_.outline.root.is_empty && !target_.outline.root.has_properties && !removes()) {
      target_.action = Action::begin;
      return std::move(target_);
    }
    locate();
    check_repetitions();
    check_encrypted();
    return std::move(target_);
  }

 private:
  [[nodiscard]] bool removes() const { return change_.operation == Operation::remove; }

  [[nodiscard]] Error unsupported(std::string message, std::size_t offset, std::string hint) const {
    return reading_.error("edit.unsupported", std::move(message), offset).hint(std::move(hint));
  }

  [[nodiscard]] Error not_found(std::size_t count, std::string_view why, std::size_t offset) const {
    return reading_
        .error("edit.not-found", fmt::format("there is no '{}' in the document: {}", pointer_to(tokens_, count), why),
               offset)
        .hint(removes() ? "correct the pointer" : "correct the pointer, or set a mapping that holds the rest of it");
  }

  /// Where a value stands, as well as it is known.
  [[nodiscard]] std::size_t offset_of(const Value& value) const {
    return value.origin().through_alias() ? 0 : reading_.offset(value.origin());
  }

  /// A text without a document.
  Target begin() {
    if (removes() || (tokens_.size() > 1 && !change_.make_parents)) throw not_found(tokens_.size(), "it is empty", 0);
    if (!tokens_.empty()) wrap(0);
    target_.action = Action::begin;
    target_.outline.end = reading_.text().size();
    return std::move(target_);
  }

  // ---- In the values

  void walk(Value value) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const bool is_last = i + 1 == tokens_.size();
      // An empty document gets its first member; other nulls become mappings on request.
      if (value.is_null() && !removes() && (change_.make_parents || (i == 0 && is_last))) return wrap(i);
      if (value.is_mapping()) {
        const std::size_t index = find_member(value, i);
        target_.steps.push_back({value, index});
        if (index == Target::kNone) return insert(value, i, is_last);
        value = value.entries()[index].value;
      } else if (value.is_sequence()) {
        const std::size_t index = find_item(value, i);
        target_.steps.push_back({value, index});
        if (index == Target::kNone) {
          target_.action = Action::append;
          if (!is_last && !change_.make_parents) throw not_found(i + 1, "the list has no such item", offset_of(value));
          if (!is_last) wrap_value(i + 1);
          return;
        }
        value = value.items()[index];
      } else if (value.kind() == Kind::set) {
        throw unsupported("a set cannot be edited", offset_of(value), "edit the text by hand");
      } else {
        throw not_found(i + 1, fmt::format("'{}' is {}", pointer_to(tokens_, i), describe(value.kind())),
                        offset_of(value));
      }
    }
    if (removes() && tokens_.empty()) throw unsupported("a whole document cannot be removed", 0, "name a member: /KEY");
    target_.action = removes() ? Action::remove : Action::replace;
  }

  void wrap_value(std::size_t first) {
    target_.value = wrapped(arena_, tokens_, first, target_.value);
    target_.is_wrapped = true;
  }

  /// A null becomes a mapping.
  void wrap(std::size_t first) {
    target_.action = Action::replace;
    wrap_value(first);
  }

  void insert(const Value& mapping, std::size_t i, bool is_last) {
    if (removes() || (!is_last && !change_.make_parents)) {
      throw not_found(i + 1,
                      i == 0 ? "it has no such key" : fmt::format("'{}' has no such key", pointer_to(tokens_, i)),
                      offset_of(mapping));
    }
    target_.action = Action::insert;
    target_.key = tokens_[i];
    if (!is_last) wrap_value(i + 1);
  }

  /// A text, or else the only key of another kind that says the same.
  std::size_t find_member(const Value& mapping, std::size_t i) const {
    const std::string& token = tokens_[i];
    const auto entries = mapping.entries();
    if (const Entry* found = mapping.find_entry(token)) return static_cast<std::size_t>(found - entries.data());
    std::size_t found = Target::kNone;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      if (entries[k].key.is_text() || entries[k].key.is_container() || key_text(entries[k].key) != token) continue;
      if (found != Target::kNone) {
        throw unsupported(fmt::format("'{}' names two keys", pointer_to(tokens_, i + 1)), offset_of(entries[k].key),
                          "edit the text by hand");
      }
      found = k;
    }
    return found;
  }

  /// kNone: behind the last one.
  std::size_t find_item(const Value& sequence, std::size_t i) const {
    const std::string& token = tokens_[i];
    const std::size_t size = sequence.size();
    if (token == "-" && !removes()) return Target::kNone;
    std::size_t index = 0;
    const char* const end = token.data() + token.size();
    const auto [read, status] = std::from_chars(token.data(), end, index);
    const bool is_index = status == std::errc{} && read == end && (token == "0" || token.front() != '0');
    if (!is_index || index > size || (index == size && removes())) {
      throw not_found(i + 1,
                      fmt::format("'{}' is a list of {} item{}", pointer_to(tokens_, i), size, size == 1 ? "" : "s"),
                      offset_of(sequence));
    }
    return index == size ? Target::kNone : index;
  }

  // ---- In the text

  void outline(const Limits& limits) {
    std::vector<std::size_t> path;
    for (const Target::Step& step : target_.steps) {
      // An alias leads to where it was written, which is a place of its own.
      if (step.container.origin().through_alias()) {
        throw unsupported("this is inside of what an alias repeats", alias_offset(),
                          "write the value out, or edit it at its anchor");
      }
      path.push_back(reading_.offset(step.container.origin()));
    }
    target_.outline =
        form_.syntax == Syntax::json
            ? text::outline_json(reading_.text(), limits, path)
            : text::outline_yaml(*reading_.sources, reading_.source, profile_of(form_), limits, target_.document, path);
    const auto& found = target_.outline.containers;
    for (std::size_t i = 0; i < target_.steps.size(); ++i) {
      const NodeRange::Kind kind =
          target_.steps[i].container.is_mapping() ? NodeRange::Kind::mapping : NodeRange::Kind::sequence;
      if (i >= found.size())
        throw unsupported(member_of(i), i == 0 ? 0 : found.back().node.content, "edit the text by hand");
      if (found[i].node.kind != kind)
        throw unsupported("its tag makes this something else", found[i].node.begin, "edit the text by hand");
      if (i + 1 < target_.steps.size() || target_.steps[i].index != Target::kNone) find_range(i);
    }
  }

  [[nodiscard]] std::string member_of(std::size_t step) const {
    return step == 0 ? "the document cannot be edited"
                     : fmt::format("'{}' comes from elsewhere: a merge key or an alias", pointer_to(tokens_, step));
  }

  /// The alias at which a way leaves the text: of the value whose container comes from elsewhere.
  [[nodiscard]] std::size_t alias_offset() const {
    for (const Target::Step& step : target_.steps) {
      if (step.index == Target::kNone) break;
      const bool is_mapping = step.container.is_mapping();
      const Value& next = is_mapping ? step.container.entries()[step.index].value : step.container.items()[step.index];
      if (next.origin().through_alias() && is_mapping) return offset_of(step.container.entries()[step.index].key);
      if (next.origin().through_alias()) return offset_of(step.container);
    }
    return 0;
  }

  /// The range of the member of a step, which must be the one that the value comes from.
  void find_range(std::size_t step) {
    const auto& [container, index] = target_.steps[step];
    const auto& members = target_.outline.containers[step].members;
    std::size_t found = Target::kNone;
    if (container.is_sequence()) {
      if (members.size() == container.size()) found = index;
    } else {
      const Entry& entry = container.entries()[index];
      const std::size_t key = offset_of(entry.key);
      const auto is_key = [key](const MemberRange& member) { return member.key.content == key; };
      auto member = std::ranges::find_if(members, is_key);
      if (member == members.end() && !entry.value.origin().through_alias()) {
        // In place of one from a merge key: the key in the values is that one's.
        const auto is_value = [at = offset_of(entry.value)](const MemberRange& each) {
          return !each.value.is_empty && each.value.content == at;
        };
        member = std::ranges::find_if(members, is_value);
      }
      if (entry.key.origin().through_alias() || member == members.end()) {
        throw unsupported(fmt::format("'{}' comes from a merge key", pointer_to(tokens_, step + 1)),
                          target_.outline.containers[step].node.content,
                          "edit the mapping that is merged, or write the member here by hand");
      }
      // The last of equal keys counts, at the place of the first; and with Ruby, a merge key overrides what stands
      // before it.
      const Origin origin = entry.value.origin();
      const std::size_t value = offset_of(entry.value);
      const bool is_same = origin.through_alias()
                               ? member->value.kind == NodeRange::Kind::alias
                               : value == member->value.content || (member->value.is_empty && value == key) ||
                                     (member->value.is_empty && value == member->value.begin);
      if (!is_same) {
        throw unsupported(fmt::format("the key '{}' occurs twice here, or a merge key overrides it", tokens_[step]),
                          member->begin, "remove one of the two by hand");
      }
      found = static_cast<std::size_t>(member - members.begin());
    }
    if (found == Target::kNone)
      throw unsupported("its tag makes this something else", target_.outline.containers[step].node.begin,
                        "edit the text by hand");
    if (step + 1 == target_.steps.size()) target_.member = found;
  }

  /// Forms of keys that have no `:` behind them.
  void locate() {
    if (target_.steps.empty()) return;
    const text::ContainerRange& container = target_.container();
    const bool is_block =
        container.node.kind == NodeRange::Kind::mapping && container.node.style == text::YamlEvent::Style::block;
    if (!is_block) return;
    for (const MemberRange& member : container.members) {
      const bool is_place = target_.member != Target::kNone && &member == &target_.place();
      const bool is_last = target_.action == Action::insert && &member == &container.members.back();
      if ((is_place || is_last) && member.colon == MemberRange::kNone) {
        throw unsupported("this form of a key cannot be edited", member.begin, "write 'KEY: VALUE'");
      }
    }
  }

  void check_repetitions() const {
    const bool adds = target_.action == Action::insert || target_.action == Action::append;
    const NodeRange& node = target_.node();
    const std::size_t begin = target_.action == Action::remove ? target_.place().begin : node.begin;
    const std::size_t end = target_.action == Action::remove ? target_.place().end() : node.end;
    for (const text::Repetition& each : target_.outline.repetitions) {
      if (each.begin <= begin && each.end >= end) {
        throw unsupported("an alias repeats what is to be edited", target_.offset(),
                          "write the value out where the alias stands")
            .note(*reading_.sources, reading_.sources->at(reading_.source, each.alias), "the alias is here");
      }
      const bool is_inside = each.alias >= begin && each.alias < end;
      if (!adds && each.begin >= begin && each.end <= end && !is_inside) {
        throw unsupported("this holds an anchor that is used elsewhere", each.begin,
                          "write the value out where the alias stands")
            .note(*reading_.sources, reading_.sources->at(reading_.source, each.alias), "the alias is here");
      }
    }
  }

  void check_encrypted() const {
    if (target_.action != Action::replace && target_.action != Action::remove) return;
    const NodeRange& node = target_.node();
    bool is_encrypted =
        reading_.text().substr(node.begin, node.end - node.begin).find(kEncrypted) != std::string_view::npos;
    if (!target_.steps.empty() && target_.steps.back().index != Target::kNone) {
      const auto& [container, index] = target_.steps.back();
      const Value& value = container.is_mapping() ? container.entries()[index].value : container.items()[index];
      is_encrypted = is_encrypted || (value.is_text() && value.text().find(kEncrypted) != std::string_view::npos);
    }
    if (is_encrypted) throw unsupported("an encrypted value cannot be edited", node.content, "use the eyaml program");
  }

  const Reading& reading_;
  const Form& form_;
  const Change& change_;
  Arena& arena_;
  Tokens tokens_;
  Target target_;
};

}  // namespace

Reading::Reading(std::string_view file, std::string_view text, const Form& form, const Limits& limits)
    : sources(std::make_unique<Sources>()), source(sources->add(file, std::string(text))) {
  if (form.syntax == Syntax::json) {
    if (text.find_first_not_of(" \t\r\n") != std::string_view::npos)
      documents.push_back(text::read_json(*sources, source, limits, 0, form.json));
  } else if (form.syntax == Syntax::hocon) {
    documents.push_back(text::read_hocon(*sources, source, limits));
  } else {
    documents = text::read_yaml_stream(*sources, source, profile_of(form), limits);
  }
}

const text::Profile& profile_of(const Form& form) noexcept {
  return form.profile != nullptr ? *form.profile : text::pyyaml();
}

const NodeRange& Target::node() const {
  if (steps.empty()) return outline.root;
  return member == kNone ? container().node : place().value;
}

std::size_t Target::offset() const { return steps.empty() || member == kNone ? node().content : place().begin; }

Target find_target(const Reading& reading, const Form& form, const Change& change, std::size_t document,
                   const Limits& limits, Arena& arena) {
  return Finder(reading, form, change, document, arena).find(limits);
}

}  // namespace strata::edit
