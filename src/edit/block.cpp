// SPDX-License-Identifier: Apache-2.0
// Changes within block collections, and of whole documents.
#include <algorithm>

#include "edit/editor.hpp"

namespace strata::edit {
namespace {

using text::MemberRange;
using text::NodeRange;

}  // namespace

bool Editor::is_in_flow() const {
  if (is_json_) return true;
  if (target_.steps.empty()) return false;
  return target_.container().node.style == Style::flow;
}

// ---- Replacing

/// Behind the `:` or `-` before the value, or its properties: where a new value is put if the old one stands below.
std::size_t Editor::marker_end() const {
  const NodeRange& node = target_.node();
  if (node.has_properties) return node.properties_end;
  if (target_.steps.empty()) return node.content;
  const MemberRange& place = target_.place();
  return place.key.kind == NodeKind::absent ? place.begin + 1 : place.colon + 1;
}

/// Behind the indicators of a block scalar's header.
std::size_t Editor::header_end(const NodeRange& scalar) const {
  return std::min(text().find_first_of(" \t\r\n", scalar.content), scalar.end);
}

void Editor::replace_in_block(const std::string& value, bool is_limited) {
  const NodeRange& node = target_.node();
  Attempt attempt{.splices = {}, .at = node.content, .is_limited = is_limited};
  const bool is_block =
      (node.kind == NodeKind::mapping || node.kind == NodeKind::sequence) && node.style == Style::block;
  const bool has_own = node.has_properties && (value.starts_with('!') || value.starts_with('&'));
  if (node.is_empty) {
    attempt.splices.push_back({node.end, node.end, " " + value});
  } else if (node.style == Style::literal || node.style == Style::folded) {
    const std::size_t header = header_end(node);
    attempt.splices.push_back({has_own ? node.begin : node.content, header, value});
    attempt.splices.push_back({lines_.end(header), std::max(node.end, lines_.end(header)), ""});
  } else if (is_block && lines_.is_first_in_line(node.content) && (!target_.steps.empty() || node.has_properties)) {
    // Its lines go; what stands behind the key stays.
    const std::size_t marker = marker_end();
    attempt.at = marker;
    attempt.splices.push_back({has_own ? node.begin : marker, marker, (has_own ? "" : " ") + value});
    attempt.splices.push_back({lines_.end(marker), lines_.end(std::max(node.end, marker)), ""});
  } else {
    attempt.splices.push_back({has_own ? node.begin : node.content, node.end, value});
  }
  add(std::move(attempt));
}

/// What blocks are indented by, as the blocks around the place are.
Indentation Editor::indentation() const {
  const text::Outline& outline = target_.outline;
  Indentation indentation;
  const auto& containers = outline.containers;
  std::optional<std::size_t> step = outline.step;
  for (std::size_t i = containers.size(); i-- > 1;) {
    const NodeRange& inner = containers[i].node;
    const NodeRange& outer = containers[i - 1].node;
    if (inner.kind != NodeKind::mapping || outer.kind != NodeKind::mapping || inner.style != Style::block ||
        outer.style != Style::block)
      continue;
    step = lines_.column(inner.content) - lines_.column(outer.content);
    break;
  }
  indentation.step = std::max<std::size_t>(step.value_or(indentation.step), 1);
  indentation.items = outline.item_step.value_or(indentation.step);
  return indentation;
}

void Editor::replace_by_block() {
  const NodeRange& node = target_.node();
  const Indentation indentation = this->indentation();
  const auto block = [&](std::size_t column) {
    return spelling_.block(target_.value, column, indentation, lines_.line_break());
  };
  const bool is_block_scalar = node.style == Style::literal || node.style == Style::folded;
  if (target_.steps.empty()) {
    // The whole document.
    const bool is_line = lines_.is_first_in_line(node.content);
    const std::string before = is_line ? std::string() : std::string(lines_.line_break());
    add({.splices = {{node.content, node.end, before + block(is_line ? lines_.column(node.content) : 0)}},
         .at = node.content,
         .is_limited = false});
    return;
  }
  const MemberRange& place = target_.place();
  const std::size_t marker = marker_end();
  if (place.key.kind == NodeKind::absent && !node.has_properties) {
    const std::size_t column = lines_.column(place.begin) + 2;
    if (node.is_empty) {
      add({.splices = {{marker, marker, " " + block(column)}}, .at = marker, .is_limited = false});
    } else {
      const std::size_t own = lines_.column(node.content);
      add({.splices = {{node.content, node.end, block(own)}}, .at = node.content, .is_limited = false});
    }
    return;
  }
  const std::size_t outer = lines_.column(place.begin);
  const std::size_t inner =
      outer +
      (target_.value.is_sequence() && place.key.kind != NodeKind::absent ? indentation.items : indentation.step);
  const bool is_below = !node.is_empty && lines_.is_first_in_line(node.content);
  const std::string lines = std::string(lines_.line_break()) + std::string(inner, ' ') + block(inner);
  Attempt attempt{.splices = {}, .at = marker, .is_limited = false};
  if (is_block_scalar) {
    const std::size_t header = header_end(node);
    attempt.splices.push_back({marker, header, ""});
    attempt.splices.push_back({lines_.end(header), std::max(node.end, lines_.end(header)), lines});
  } else if (is_below) {
    attempt.splices.push_back({lines_.end(marker), lines_.end(node.end), lines});
  } else {
    attempt.splices.push_back({marker, std::max(marker, node.end), ""});
    const std::size_t end = lines_.end(std::max(marker, node.end));
    attempt.splices.push_back({end, end, lines});
  }
  add(std::move(attempt));
}

/// A text in the style of the block scalar that it replaces.
void Editor::replace_by_block_scalar() {
  const NodeRange& node = target_.node();
  const bool is_folded = node.style == Style::folded;
  if ((node.style != Style::literal && !is_folded) || !target_.value.is_text()) return;
  const std::size_t header = header_end(node);
  const std::size_t first = text().find_first_not_of(" \r\n", lines_.end(header));
  const bool has_lines = first < node.end;
  const std::size_t outer = target_.steps.empty() ? 0 : lines_.column(target_.container().node.content);
  const std::size_t column = has_lines ? lines_.column(first) : outer + indentation().step;
  const auto scalar = block_scalar(target_.value.text(), is_folded, column, lines_.line_break());
  if (!scalar) return;
  const std::size_t lines = lines_.end(header);
  add({.splices = {{node.content, header, (is_folded ? ">" : "|") + scalar->chomping},
                   {lines, std::max(node.end, lines), scalar->lines}},
       .at = node.content,
       .is_limited = false});
}

// ---- Adding

/// A line at a place where a line begins, or at the end of the text.
void Editor::add_line(std::size_t at, const std::string& line, bool is_limited) {
  const bool begins = lines_.begin(at) == at;
  const std::string line_break(lines_.line_break());
  add({.splices = {{at, at, begins ? line + line_break : line_break + line}}, .at = at, .is_limited = is_limited});
}

/// A member or an item, with a block as its value; `key` has its colon.
std::string Editor::block_member(const std::string& key) const {
  const Indentation indentation = this->indentation();
  const std::size_t column = lines_.column(target_.container().node.content);
  if (target_.action == Action::append)
    return "- " + spelling_.block(target_.value, column + 2, indentation, lines_.line_break());
  const std::size_t inner = column + (target_.value.is_sequence() ? indentation.items : indentation.step);
  return key + std::string(lines_.line_break()) + std::string(inner, ' ') +
         spelling_.block(target_.value, inner, indentation, lines_.line_break());
}

/// A comment for `strata check` that belongs to what stands below.
bool Editor::is_for_checks(std::size_t line) const {
  std::string_view comment =
      text().substr(lines_.first_character(line), lines_.end(line) - lines_.first_character(line));
  const auto skip_blanks = [&comment] {
    comment.remove_prefix(std::min(comment.find_first_not_of(" \t"), comment.size()));
  };
  const std::string_view sign = is_json_ ? "//" : "#";
  if (!comment.starts_with(sign)) return false;
  comment.remove_prefix(sign.size());
  skip_blanks();
  static constexpr std::string_view kName = "strata:";
  if (!comment.starts_with(kName)) return false;
  comment.remove_prefix(kName.size());
  skip_blanks();
  return !comment.starts_with("allow-file");
}

/// Of a mapping of three or more members in the order of their bytes: the first one that is greater than the new key.
/// kNone: it goes behind the last.
std::size_t Editor::sorted_place() const {
  const auto& members = target_.container().members;
  if (target_.action != Action::insert || members.size() < 3) return Target::kNone;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].key.kind != NodeKind::scalar || members[i].colon == MemberRange::kNone) return Target::kNone;
    if (i != 0 && members[i - 1].key_text >= members[i].key_text) return Target::kNone;
  }
  const auto greater =
      std::ranges::find_if(members, [this](const MemberRange& member) { return member.key_text > target_.key; });
  // Before `<<`, its place among the values would not be known.
  if (greater == members.end() || greater->key_text == "<<") return Target::kNone;
  return static_cast<std::size_t>(greater - members.begin());
}

/// The first line of what stands directly above a member and may belong to it. Comments that begin the text do not, but
/// for those for checks.
std::size_t Editor::above(const MemberRange& member, std::size_t floor) const {
  std::size_t line = lines_.begin(member.begin);
  std::size_t checks = line;
  bool are_checks = true;
  while (line > floor && !lines_.is_first(line) && lines_.is_comment(lines_.previous(line))) {
    line = lines_.previous(line);
    are_checks = are_checks && is_for_checks(line);
    if (are_checks) checks = line;
  }
  return lines_.is_first(line) ? checks : line;
}

/// Where the lines begin that stand between a member and the one before it. Above a first member, no line that is no
/// comment looks like one.
std::size_t Editor::floor_of(std::size_t member) const {
  return member == 0 ? 0 : lines_.next(target_.container().members[member - 1].end());
}

void Editor::add_to_block(const std::string& member, bool is_limited) {
  const text::ContainerRange& container = target_.container();
  const std::string indent(lines_.column(container.node.content), ' ');
  const std::size_t place = sorted_place();
  if (place == Target::kNone) {
    const std::size_t end = lines_.end(container.members.back().end());
    add({.splices = {{end, end, std::string(lines_.line_break()) + indent + member}},
         .at = end,
         .is_limited = is_limited});
    return;
  }
  const MemberRange& next = container.members[place];
  const std::string before = member + std::string(lines_.line_break());
  if (!lines_.is_first_in_line(next.begin)) {
    add({.splices = {{next.begin, next.begin, before + indent}},
         .at = next.begin,
         .is_limited = is_limited,
         .next = next.key.content});
    return;
  }
  const std::size_t line = above(next, floor_of(place));
  add({.splices = {{line, line, indent + before}}, .at = line, .is_limited = is_limited, .next = next.key.content});
}

// ---- Removing

/// The comments that go with a member, whose lines begin at `begin`; that becomes the first line that goes, where those
/// above it go too.
void Editor::remove_comments(const MemberRange& member, std::size_t floor, std::size_t& begin, Attempt& attempt) const {
  const bool is_item = member.key.kind == NodeKind::absent;
  const std::size_t column = lines_.column(member.begin);
  const std::size_t next = lines_.next(member.end());
  // Above a sibling, they may be about that one too.
  const bool is_end = next == text().size();
  const bool may_go = !is_item && (is_end || lines_.is_blank(next) || lines_.is_comment(next) ||
                                   lines_.column(lines_.first_character(next)) < column);
  std::vector<std::size_t> comments;  // From below.
  std::size_t line = begin;
  while (line > floor && !lines_.is_first(line) && lines_.is_comment(lines_.previous(line)))
    comments.push_back(line = lines_.previous(line));
  const bool begins_text = lines_.is_first(line);
  bool is_joined = true;
  bool is_own = may_go && !begins_text;
  for (const std::size_t comment : comments) {
    const bool is_check = is_for_checks(comment);
    is_own = is_own && (is_check || lines_.column(lines_.first_character(comment)) == column);
    if (!is_check && !is_own) {
      is_joined = false;
      continue;
    }
    if (is_joined) {
      begin = comment;
    } else {
      attempt.splices.push_back({comment, lines_.next(comment), ""});
    }
  }
}

/// The lines of a member that begins a line.
void Editor::remove_lines(const MemberRange& member, std::size_t floor, Attempt& attempt) const {
  std::size_t begin = lines_.begin(member.begin);
  std::size_t end = lines_.next(member.end());
  remove_comments(member, floor, begin, attempt);
  const bool blank_before = !lines_.is_first(begin) && lines_.is_blank(lines_.previous(begin));
  if (blank_before && end < text().size() && lines_.is_blank(end)) end = lines_.next(end);
  attempt.splices.push_back({begin, end, ""});
}

void Editor::remove_only_member(const std::string& empty) {
  const text::ContainerRange& container = target_.container();
  const MemberRange& member = target_.place();
  Attempt attempt{.splices = {}, .at = member.begin, .is_limited = false};
  const std::size_t line_end = lines_.end(member.end());
  if (!lines_.is_first_in_line(member.begin)) {
    attempt.splices.push_back({member.begin, line_end, empty});
    return add(std::move(attempt));
  }
  const std::size_t depth = target_.outline.containers.size();
  std::size_t begin = lines_.begin(member.begin);
  if (depth == 1 && !container.node.has_properties) {
    remove_comments(member, floor_of(0), begin, attempt);
    attempt.splices.push_back({begin, line_end, empty});
    return add(std::move(attempt));
  }
  // Behind what the container belongs to.
  std::size_t marker = container.node.properties_end;
  if (!container.node.has_properties) {
    const auto& outer = target_.outline.containers[depth - 2].members;
    const auto holder = std::ranges::find_if(
        outer, [&container](const MemberRange& each) { return each.value.begin == container.node.begin; });
    if (holder == outer.end() || (holder->key.kind != NodeKind::absent && holder->colon == MemberRange::kNone)) return;
    marker = holder->key.kind == NodeKind::absent ? holder->begin + 1 : holder->colon + 1;
  }
  attempt.splices.push_back({marker, marker, " " + empty});
  remove_comments(member, lines_.next(marker), begin, attempt);
  // With the line break before them, so that a last line without one stays so.
  const std::size_t last = lines_.next(member.end());
  attempt.splices.push_back({begin, last, ""});
  add(std::move(attempt));
}

void Editor::remove_from_block() {
  const text::ContainerRange& container = target_.container();
  const MemberRange& member = target_.place();
  if (container.members.size() == 1) return remove_only_member(container.node.kind == NodeKind::mapping ? "{}" : "[]");
  Attempt attempt{.splices = {}, .at = member.begin, .is_limited = false};
  if (lines_.is_first_in_line(member.begin)) {
    remove_lines(member, floor_of(target_.member), attempt);
    return add(std::move(attempt));
  }
  // The first one, behind the `-` of what holds it: the next one takes its place, unless there are comments between
  // them.
  const std::size_t next = container.members[target_.member + 1].begin;
  const std::size_t end = lines_.end(member.end());
  if (text().substr(end, next - end).find_first_not_of(" \t\r\n") == std::string_view::npos) {
    attempt.splices.push_back({member.begin, next, ""});
  } else {
    attempt.splices.push_back({lines_.without_blanks(lines_.begin(member.begin), member.begin), end, ""});
  }
  add(std::move(attempt));
}

}  // namespace strata::edit
