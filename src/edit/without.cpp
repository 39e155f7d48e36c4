// SPDX-License-Identifier: Apache-2.0
// Texts without some members and items, in which everything else stays where it is.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "edit/lines.hpp"
#include "edit/target.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/stack.hpp"

namespace strata::edit {
namespace {

using text::ContainerRange;
using text::MemberRange;
using text::NodeRange;

/// Which members of a container go, and in which of them others do.
struct RemovedMembers {
  bool is_whole = false;
  std::map<std::size_t, RemovedMembers> members;  ///< By index.
};

/// A text cannot be changed so that everything stays in place.
struct Unmovable {};

class Remover {
 public:
  Remover(const Reading& reading, const Form& form, const Limits& limits)
      : reading_(reading), form_(form), limits_(limits), lines_(reading.text()), losses_(reading.documents.size()) {}

  void add(const Spot& spot) {
    const auto missing = [&] {
      return reading_.error("edit.not-found", fmt::format("there is no '{}' in the document", spot.pointer), 0)
          .hint("correct the pointer");
    };
    if (spot.document >= losses_.size()) throw missing();
    RemovedMembers* loss = &losses_[spot.document];
    Value here = reading_.documents[spot.document].root;
    for (const std::string& token : parse_pointer(spot.pointer)) {
      const std::size_t index = index_of_token(here, token);
      if (index == Arena::npos) throw missing();
      here = here.is_sequence() ? here.items()[index] : here.entries()[index].value;
      loss = &loss->members[index];
    }
    loss->is_whole = true;
  }

  [[nodiscard]] std::vector<Value> expected() {
    std::vector<Value> out;
    for (std::size_t i = 0; i < losses_.size(); ++i) out.push_back(rest(reading_.documents[i].root, losses_[i]));
    return out;
  }

  /// Throws Unmovable.
  [[nodiscard]] std::string blanked() {
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      if (losses_[i].members.empty()) continue;
      std::vector<std::size_t> wanted;
      list_containers(reading_.documents[i].root, losses_[i], wanted);
      std::ranges::sort(wanted);
      // One walk over the text, however many containers lose something.
      const text::Outline outline = is_json()
                                        ? text::outline_json(reading_.text(), limits_, wanted, text::Containers::set)
                                        : text::outline_yaml(*reading_.sources, reading_.source, profile_of(form_),
                                                             limits_, i, wanted, text::Containers::set);
      if (outline.containers.size() != wanted.size()) throw Unmovable{};
      blank_in(outline, reading_.documents[i].root, losses_[i], nullptr);
    }
    return spliced(reading_.text(), std::move(splices_));
  }

 private:
  [[nodiscard]] bool is_json() const { return form_.syntax == Syntax::json; }

  // Recursion: bounded by Limits::depth.
  Value rest(const Value& value, const RemovedMembers& loss) {
    if (loss.members.empty()) return value;
    const auto member = [&](const Value& old, std::size_t i) {
      const auto found = loss.members.find(i);
      if (found == loss.members.end()) return old;
      return found->second.is_whole ? Value() : rest(old, found->second);
    };
    if (value.is_sequence()) {
      SequenceBuilder items(arena_, value.size());
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (const Value item = member(value.items()[i], i)) items.append(item);
      }
      return items.finish();
    }
    MappingBuilder entries(arena_, Arena::equality(value), value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (const Value left = member(value.entries()[i].value, i)) entries.insert(value.entries()[i].key, left);
    }
    return entries.finish();
  }

  /// Where the containers begin that lose something. Recursion: bounded by Limits::depth.
  void list_containers(const Value& container, const RemovedMembers& loss, std::vector<std::size_t>& out) const {
    if (container.origin().through_alias()) throw Unmovable{};
    out.push_back(reading_.offset(container.origin()));
    for (const auto& [index, member] : loss.members) {
      if (!member.is_whole) list_containers(member_of(container, index), member, out);
    }
  }

  static Value member_of(const Value& container, std::size_t index) {
    return container.is_sequence() ? container.items()[index] : container.entries()[index].value;
  }

  /// `above`: the range of the container around it. Null: there is none. Recursion: bounded by Limits::depth.
  void blank_in(const text::Outline& outline, const Value& container, const RemovedMembers& loss,
                const ContainerRange* above) {
    const auto found = std::ranges::lower_bound(outline.containers, reading_.offset(container.origin()), {},
                                                [](const ContainerRange& one) { return one.node.content; });
    if (found == outline.containers.end() || found->node.content != reading_.offset(container.origin()))
      throw Unmovable{};
    const ContainerRange& range = *found;
    const auto kind = container.is_mapping() ? NodeRange::Kind::mapping : NodeRange::Kind::sequence;
    // With merge keys and repeated keys the text is not what the value is.
    if (range.node.kind != kind || range.members.size() != container.size()) throw Unmovable{};
    std::vector<bool> goes(container.size());
    for (const auto& [index, member] : loss.members) {
      if (member.is_whole) goes[place_of(container, range, index)] = true;
    }
    if (std::ranges::find(goes, true) != goes.end()) {
      if (!is_json() && range.node.style == text::YamlEvent::Style::block) {
        blank_block(range, above, goes);
      } else {
        blank_flow(range, goes);
      }
    }
    for (const auto& [index, member] : loss.members) {
      if (!member.is_whole) blank_in(outline, member_of(container, index), member, &range);
    }
  }

  /// The number of a member in the text.
  std::size_t place_of(const Value& container, const ContainerRange& range, std::size_t index) const {
    if (container.is_sequence()) return index;
    const Origin key = container.entries()[index].key.origin();
    if (key.through_alias()) throw Unmovable{};
    const std::size_t at = reading_.offset(key);
    // Members are in the order of the text.
    const auto found =
        std::ranges::lower_bound(range.members, at, {}, [](const MemberRange& one) { return one.key.content; });
    if (found == range.members.end() || found->key.content != at) throw Unmovable{};
    return static_cast<std::size_t>(found - range.members.begin());
  }

  void blank_block(const ContainerRange& range, const ContainerRange* above, const std::vector<bool>& goes) {
    const bool is_mapping = range.node.kind == NodeRange::Kind::mapping;
    if (std::ranges::find(goes, false) == goes.end()) {
      // An empty container in its place. That of a list may be no deeper than the key before it, so it follows the key.
      const std::size_t first = range.members.front().begin;
      const MemberRange* parent = above == nullptr ? nullptr : member_with(*above, range.node.content);
      if (!is_mapping && parent != nullptr && parent->colon != MemberRange::kNone) {
        const std::size_t at = range.node.has_properties ? range.node.properties_end : parent->colon + 1;
        splices_.push_back({at, at, " []"});
        blank(first, range.members.back().end());
        return;
      }
      blank(first, range.members.back().end(), is_mapping ? "{}" : "[]");
      return;
    }
    for (std::size_t i = 0; i < goes.size(); ++i) {
      if (goes[i]) blank(range.members[i].begin, range.members[i].end());
    }
    // The first of several in the line of a `-`: what follows begins deeper than its line shows, so it must stay in
    // that column. It does.
  }

  /// The member of a mapping whose value begins at `content`. Null: there is none.
  static const MemberRange* member_with(const ContainerRange& mapping, std::size_t content) {
    if (mapping.node.kind != NodeRange::Kind::mapping) return nullptr;
    const auto found = std::ranges::lower_bound(mapping.members, content, {},
                                                [](const MemberRange& one) { return one.value.content; });
    return found == mapping.members.end() || found->value.content != content ? nullptr : &*found;
  }

  void blank_flow(const ContainerRange& range, const std::vector<bool>& goes) {
    const std::string_view text = reading_.text();
    const char opening = text[range.node.content];
    if (opening != '{' && opening != '[') throw Unmovable{};
    const auto last_kept = std::ranges::find(goes.rbegin(), goes.rend(), false);
    if (last_kept == goes.rend()) return blank(range.node.content + 1, range.node.end - 1);
    const auto tail = static_cast<std::size_t>(goes.rend() - last_kept);  // The first of those at the end that go.
    for (std::size_t i = 0; i < tail; ++i) {
      if (goes[i]) blank(range.members[i].begin, comma_behind(range.members[i]) + 1);
    }
    if (tail < goes.size()) blank(comma_behind(range.members[tail - 1]), range.members.back().end());
  }

  std::size_t comma_behind(const MemberRange& member) const {
    const std::size_t comma = lines_.skip_gap(member.end(), is_json());
    if (comma >= reading_.text().size() || reading_.text()[comma] != ',') throw Unmovable{};
    return comma;
  }

  /// Blanks instead of [begin, end): one for each code point, so that columns stay. `instead` replaces the first ones.
  void blank(std::size_t begin, std::size_t end, std::string_view instead = {}) {
    const std::string_view text = reading_.text();
    std::string out(instead);
    std::size_t points = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80) continue;
      const bool is_break = text[i] == '\n' || text[i] == '\r';
      if (points++ < instead.size()) {
        if (is_break) throw Unmovable{};
        continue;
      }
      out.push_back(is_break ? text[i] : ' ');
    }
    splices_.push_back({begin, end, std::move(out)});
  }

  const Reading& reading_;
  const Form& form_;
  const Limits& limits_;
  Lines lines_;
  std::vector<RemovedMembers> losses_;  ///< By document.
  std::vector<Splice> splices_;
  Arena arena_;
};

bool reads_as(std::string_view file, const std::string& text, const Form& form, const std::vector<Value>& expected,
              const Limits& limits) {
  try {
    const Reading again(file, text, form, limits);
    return std::ranges::equal(again.documents, expected, [](const text::Document& one, const Value& wanted) {
      return identical(one.root, wanted);
    });
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return false;
  }
}

/// The comments that a text begins with: the first of them can say what the text is.
std::string_view head_of(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] == '#') end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

std::string written(const std::vector<Value>& documents, const Form& form, std::string_view text) {
  std::string out;
  const auto add = [&out](std::string_view piece) { out += piece; };
  if (form.syntax == Syntax::json || form.syntax == Syntax::hocon) {
    text::write_json(documents.front(), {.sort_keys = false, .indent = 2}, add);
  } else {
    add(head_of(text));
    if (!out.empty() && !out.ends_with('\n')) add("\n");
    text::write_yaml_stream(documents, {.profile = &profile_of(form), .sort_keys = false, .indent = 2}, add);
  }
  return out;
}

}  // namespace

std::string without(std::string_view file, std::string_view text, const Form& form, std::span<const Spot> spots,
                    const Limits& limits) {
  if (form.syntax == Syntax::other) {
    throw Error("edit.unsupported", "only YAML and JSON texts can be edited")
        .in(std::string(file))
        .hint("edit the text by hand");
  }
  check_stack(limits.depth);
  const Reading reading(file, text, form, limits);
  Remover remover(reading, form, limits);
  for (const Spot& spot : spots) remover.add(spot);
  const std::vector<Value> expected = remover.expected();
  try {
    if (form.syntax == Syntax::hocon) throw Unmovable();
    std::string out = remover.blanked();
    if (reads_as(file, out, form, expected, limits)) return out;
  } catch (const Unmovable&) {  // Rewritten, it means the same.
  }
  std::string out = written(expected, form, text);
  if (reads_as(file, out, form, expected, limits)) return out;
  throw reading.error("edit.unsafe", "what stays of this text cannot be written", 0).hint("edit the text by hand");
}

}  // namespace strata::edit
