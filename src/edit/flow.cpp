// SPDX-License-Identifier: Apache-2.0
// Changes within flow collections and JSON.
#include <algorithm>

#include "edit/editor.hpp"

namespace strata::edit {
namespace {

using text::MemberRange;
using text::NodeRange;

}  // namespace

void Editor::replace_in_flow(const std::string& value, bool is_limited) {
  const NodeRange& node = target_.node();
  Attempt attempt{.splices = {}, .at = node.content, .is_limited = is_limited};
  if (node.is_empty && !node.has_properties && !target_.steps.empty() && target_.place().colon == MemberRange::kNone) {
    attempt.splices.push_back({node.end, node.end, ": " + value});
  } else if (node.is_empty) {
    attempt.splices.push_back({node.end, node.end, " " + value});
  } else {
    const bool has_own = node.has_properties && (value.starts_with('!') || value.starts_with('&'));
    attempt.splices.push_back({has_own ? node.begin : node.content, node.end, value});
  }
  add(std::move(attempt));
}

/// The place begins a line of its own, and the document has several.
bool Editor::is_over_lines() const {
  if (target_.steps.empty()) return true;
  const text::ContainerRange& container = target_.container();
  if (container.members.empty()) return false;
  const MemberRange& member = target_.member == Target::kNone ? container.members.back() : target_.place();
  return member.begin > lines_.begin(member.begin) && lines_.is_first_in_line(member.begin);
}

/// The value as JSON over several lines that begin as the line of `line` does.
std::string Editor::json_lines(std::size_t line) const {
  const std::size_t begin = lines_.begin(line);
  const std::string base(text().substr(begin, lines_.first_character(line) - begin));
  const bool has_tabs = base.find('\t') != std::string::npos;
  std::size_t step = 2;
  if (!target_.steps.empty()) {
    const NodeRange& container = target_.container().node;
    const std::size_t outer = lines_.first_character(container.content) - lines_.begin(container.content);
    if (base.size() > outer) step = base.size() - outer;
  }
  std::string json;
  text::append_json(json, target_.value,
                    {.sort_keys = false, .indent = static_cast<int>(std::min<std::size_t>(step, 16))});
  std::string out;
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t end = std::min(json.find('\n', at), json.size());
    if (at != 0) {
      out.append(lines_.line_break()).append(base);
      if (has_tabs) {
        const std::size_t blanks = std::min(json.find_first_not_of(' ', at), end) - at;
        out.append(blanks / std::min<std::size_t>(step, 16) * step, '\t');
        at += blanks;
      }
    }
    out.append(json, at, end - at);
    at = end + 1;
  }
  return out;
}

void Editor::replace_by_lines() {
  const NodeRange& node = target_.node();
  add({.splices = {{node.content, node.end, json_lines(node.content)}}, .at = node.content, .is_limited = false});
}

void Editor::add_to_flow(const std::string& member, bool is_limited) {
  const text::ContainerRange& container = target_.container();
  const NodeRange& node = container.node;
  const char opening = text()[node.content];
  if (opening != '{' && opening != '[') {
    // A pair in a list: it gets the braces that it does without.
    add({.splices = {{node.content, node.content, "{"}, {node.end, node.end, ", " + member + "}"}},
         .at = node.end,
         .is_limited = is_limited});
    return;
  }
  if (container.members.empty()) {
    add({.splices = {{node.content + 1, node.content + 1, member}}, .at = node.content + 1, .is_limited = is_limited});
    return;
  }
  const MemberRange& last = container.members.back();
  const std::size_t end = last.end();
  if (!is_json_ || !is_over_lines()) {
    // Behind `a:`, a comma would belong to the colon for some readers.
    const bool is_bare = last.value.is_empty && text()[end - 1] == ':';
    add({.splices = {{end, end, (is_bare ? " , " : ", ") + member}}, .at = end, .is_limited = is_limited});
    return;
  }
  const std::size_t line = lines_.begin(last.begin);
  const std::string indent(text().substr(line, last.begin - line));
  // A comment behind the last member stays in its line.
  const std::size_t rest = lines_.skip_rest(end, true);
  const bool is_comment = rest == lines_.end(end);
  const std::size_t at = is_comment ? lines_.without_blanks(end, rest) : end;
  add({.splices = {{end, end, ","}, {at, at, std::string(lines_.line_break()) + indent + member}},
       .at = at,
       .is_limited = is_limited});
}

/// JSON over several lines, for a value that is too long for one.
void Editor::add_lines_to_flow(const std::string& key) {
  const text::ContainerRange& container = target_.container();
  if (!container.members.empty() && is_over_lines())
    add_to_flow(key + json_lines(container.members.back().begin), false);
}

void Editor::remove_from_flow() {
  const text::ContainerRange& container = target_.container();
  const MemberRange& member = target_.place();
  Attempt attempt{.splices = {}, .at = member.begin, .is_limited = false};
  const std::size_t end = member.end();
  const std::size_t comma = lines_.skip_gap(end, is_json_);
  const bool has_comma = comma < text().size() && text()[comma] == ',';
  // Whole lines, where nothing else stands in them.
  const std::size_t behind = has_comma ? comma + 1 : end;
  const bool is_alone =
      lines_.is_first_in_line(member.begin) && lines_.skip_rest(behind, is_json_) == lines_.end(behind);
  const std::size_t line = lines_.begin(member.begin);
  if (is_alone) {
    // Comments for checks go with it.
    const std::size_t index = target_.member;
    const std::size_t floor = index == 0 ? container.node.content + 1 : lines_.end(container.members[index - 1].end());
    for (std::size_t above = line;
         above > floor && !lines_.is_first(above) && lines_.is_comment(lines_.previous(above), is_json_);) {
      above = lines_.previous(above);
      if (above > floor && is_for_checks(above)) attempt.splices.push_back({above, lines_.next(above), ""});
    }
  }
  if (container.members.size() == 1) {
    const NodeRange& node = container.node;
    const char opening = text()[node.content];
    const bool has_brackets = opening == '{' || opening == '[';
    const auto is_empty = [this](std::size_t from, std::size_t to) {
      return text().substr(from, to - from).find_first_not_of(" \t\r\n") == std::string_view::npos;
    };
    if (has_brackets && (!is_empty(node.content + 1, member.begin) || !is_empty(behind, node.end - 1))) {
      // Comments stay.
      attempt.splices.push_back(is_alone ? Splice{line, lines_.next(behind), ""} : Splice{member.begin, behind, ""});
      add(std::move(attempt));
      attempt = {.splices = {}, .at = member.begin, .is_limited = false};
    }
    attempt.splices.clear();
    attempt.splices.push_back(has_brackets ? Splice{node.content + 1, node.end - 1, ""}
                                           : Splice{node.content, node.end, "{}"});
    return add(std::move(attempt));
  }
  if (has_comma) {
    if (is_alone) {
      attempt.splices.push_back({line, lines_.next(behind), ""});
    } else {
      const std::size_t next = lines_.skip_blanks(behind);
      const std::size_t begin = next == lines_.end(next) ? lines_.without_blanks(line, member.begin) : member.begin;
      attempt.splices.push_back({begin, next, ""});
    }
    return add(std::move(attempt));
  }
  // The last one: with the comma before it.
  const std::size_t index = target_.member;
  const std::size_t before = lines_.skip_gap(container.members[index - 1].end(), is_json_);
  const bool has_comments =
      text().substr(before + 1, member.begin - before - 1).find_first_not_of(" \t\r\n") != std::string_view::npos;
  if (is_alone) {
    attempt.splices.push_back({before, before + 1, ""});
    attempt.splices.push_back({line, lines_.next(end), ""});
  } else if (has_comments) {
    attempt.splices.push_back({before, before + 1, ""});
    attempt.splices.push_back({lines_.without_blanks(before + 1, member.begin), end, ""});
  } else {
    attempt.splices.push_back({before, end, ""});
  }
  add(std::move(attempt));
}

}  // namespace strata::edit
