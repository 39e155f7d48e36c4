// SPDX-License-Identifier: Apache-2.0
#include "text/outline.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "strata/stop.hpp"
#include "text/yaml/events.hpp"
#include "text/yaml/line_breaks.hpp"
#include "text/yaml/node_properties.hpp"
#include "text/yaml/profile.hpp"
#include "text/yaml/workspace.hpp"

namespace strata::text {
namespace {

bool is_break(char c) { return c == '\n' || c == '\r'; }
bool is_space_or_tab(char c) { return c == ' ' || c == '\t'; }

/// Before the line break that stands before `end`, if one does.
std::size_t without_break(std::string_view text, std::size_t end) {
  if (end != 0 && text[end - 1] == '\n') --end;
  if (end != 0 && text[end - 1] == '\r') --end;
  return end;
}

/// Blanks at `from`, up to `end`.
std::size_t indentation(std::string_view text, std::size_t from, std::size_t end) {
  return std::min(text.find_first_not_of(' ', from), end) - from;
}

/// The end of the last line of a block scalar, whose end is given as libyaml has it: at the next line that is not
/// blank.
std::size_t end_of_block_scalar(std::string_view text, std::size_t begin, std::size_t raw_end) {
  const std::size_t header = std::min(text.find_first_of("\r\n", begin), raw_end);
  if (text.substr(begin, header - begin).substr(0, 3).find('+') != std::string_view::npos)
    return std::max(header, without_break(text, raw_end));
  const std::size_t first = std::min(text.find_first_not_of(" \r\n", header), raw_end);
  std::size_t indent = 0;
  if (first != raw_end) indent = first - std::min(text.find_last_of("\r\n", first) + 1, first);
  std::size_t end = raw_end;
  while (end > header) {
    end = without_break(text, end);
    const std::size_t line = text.find_last_of("\r\n", end == 0 ? 0 : end - 1);
    const std::size_t line_begin = line == std::string_view::npos ? 0 : line + 1;
    // Blanks beyond the indentation are content.
    if (end > header && line_begin < end &&
        (indentation(text, line_begin, end) < end - line_begin || end - line_begin > indent))
      break;
    if (end > header && line_begin < end) end = line_begin;
  }
  return std::max(end, header);
}

/// Walks the events of one document.
class YamlOutline {
 public:
  YamlOutline(std::string_view text, std::span<const std::size_t> wanted, Containers which, const Stop* stop)
      : text_(text), wanted_(wanted), which_(which), stop_(stop) {}

  void take(const YamlEvent& event) {
    switch (event.kind) {
      case YamlEventKind::scalar:
        return scalar(event);
      case YamlEventKind::alias:
        return alias(event);
      case YamlEventKind::sequence_start:
      case YamlEventKind::mapping_start:
        return open(event);
      case YamlEventKind::sequence_end:
      case YamlEventKind::mapping_end:
        return close(event);
      default:
        return;
    }
  }

  [[nodiscard]] Outline finish(std::size_t end) {
    outline_.end = end;
    for (const auto& [alias, anchor] : aliases_)
      outline_.repetitions.push_back({alias, anchors_[anchor].first, anchors_[anchor].second});
    return std::move(outline_);
  }

 private:
  static constexpr std::size_t kNone = MemberRange::kNone;

  struct Open {
    NodeRange node;
    NodeRange key = {};  ///< Absent: none waits for its value.
    std::string key_text = {};
    std::size_t last = 0;           ///< The end of the last node in it.
    std::size_t anchor = kNone;     ///< Its number.
    std::size_t container = kNone;  ///< Its number among those wanted.
  };

  NodeRange range_of(const YamlEvent& event, NodeRange::Kind kind) const {
    NodeRange node{.kind = kind, .style = event.style, .has_properties = event.has_properties, .begin = event.begin};
    node.properties_end = node.content = event.begin;
    node.end = event.end;
    if (event.has_properties) {
      const NodeProperties properties = node_properties(text_, event.begin, [](std::size_t) {});
      node.properties_end = properties.end;
      node.content = properties.node;
    }
    return node;
  }

  std::size_t name_anchor(std::string_view name, std::size_t begin, std::size_t end) {
    if (name.empty()) return kNone;
    take_memory(sizeof(anchors_[0]) + sizeof(std::string) + name.size());
    names_.insert_or_assign(std::string(name), anchors_.size());
    anchors_.emplace_back(begin, end);
    return anchors_.size() - 1;
  }

  void scalar(const YamlEvent& event) {
    NodeRange node = range_of(event, NodeRange::Kind::scalar);
    node.is_empty = event.style == YamlEventStyle::plain && event.text.empty();
    if (node.is_empty) node.content = node.end = std::max(node.properties_end, event.has_properties ? 0 : event.begin);
    if (event.style == YamlEventStyle::literal || event.style == YamlEventStyle::folded)
      node.end = end_of_block_scalar(text_, node.content, event.end);
    name_anchor(event.anchor, node.begin, node.end);
    add(node, event.text);
  }

  void alias(const YamlEvent& event) {
    if (const auto found = names_.find(event.anchor); found != names_.end()) {
      take_memory(sizeof(Repetition));
      aliases_.emplace_back(event.begin, found->second);
    }
    add(range_of(event, NodeRange::Kind::alias), {});
  }

  void open(const YamlEvent& event) {
    const bool is_mapping = event.kind == YamlEventKind::mapping_start;
    Open open{.node = range_of(event, is_mapping ? NodeRange::Kind::mapping : NodeRange::Kind::sequence)};
    const bool is_value = open_.empty() || open_.back().node.kind == NodeRange::Kind::sequence ||
                          open_.back().key.kind != NodeRange::Kind::absent;
    const std::size_t found = outline_.containers.size();
    if (is_value && found < wanted_.size() && open.node.content == wanted_[found] &&
        (which_ == Containers::set || open_.size() == found)) {
      open.container = found;
      outline_.containers.push_back({open.node, {}});
    }
    if (is_value) note_step(open.node);
    open.anchor = name_anchor(event.anchor, open.node.begin, open.node.begin);
    open.last = open.node.content;
    open_.push_back(std::move(open));
  }

  void note_step(const NodeRange& node) {
    if (open_.empty() || node.style != YamlEventStyle::block) return;
    const NodeRange& outer = open_.back().node;
    std::optional<std::size_t>& step = node.kind == NodeRange::Kind::mapping ? outline_.step : outline_.item_step;
    if (step || outer.kind != NodeRange::Kind::mapping || outer.style != YamlEventStyle::block) return;
    const std::size_t own = column(node.content);
    const std::size_t before = column(outer.content);
    if (own >= before) step = own - before;
  }

  [[nodiscard]] std::size_t column(std::size_t offset) const {
    if (offset == 0) return 0;
    const std::size_t line = text_.find_last_of("\r\n", offset - 1);
    std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
    if (begin == 0 && text_.starts_with("\xEF\xBB\xBF")) begin = 3;
    return offset - begin;
  }

  void close(const YamlEvent& event) {
    Open open = std::move(open_.back());
    open_.pop_back();
    // The end of a block is that of its last node: the event is at the next token. So it does for a pair without
    // braces.
    const bool has_end = open.node.style == YamlEventStyle::flow &&
                         (text_[open.node.content] == '{' || text_[open.node.content] == '[') &&
                         event.end != event.begin;
    open.node.end = has_end ? event.end : std::max(open.last, open.node.content);
    if (open.anchor != kNone) anchors_[open.anchor].second = open.node.end;
    if (open.container != kNone) outline_.containers[open.container].node = open.node;
    add(open.node, {});
  }

  void add(NodeRange node, std::string_view key_text) {
    if (open_.empty()) {
      outline_.root = node;
      return;
    }
    Open& outer = open_.back();
    const bool is_wanted = outer.container != kNone;
    if (outer.node.kind == NodeRange::Kind::mapping && outer.key.kind == NodeRange::Kind::absent) {
      outer.key = node;
      if (is_wanted) outer.key_text = key_text;
      return;
    }
    MemberRange member;
    if (outer.node.kind == NodeRange::Kind::mapping) {
      member.key = std::exchange(outer.key, {});
      member.begin = member.key.begin;
      if (is_wanted || node.is_empty)
        member.colon = colon_after(member.key.end, outer.node.style == YamlEventStyle::flow);
      // In flow, and behind a key without a colon, the event of an empty node is at the next token.
      if (node.is_empty && !node.has_properties) {
        node.begin = node.properties_end = node.content = node.end =
            member.colon == kNone ? member.key.end : member.colon + 1;
      }
    } else if (outer.node.style == YamlEventStyle::flow) {
      member.begin = node.begin;
    } else if (is_wanted) {
      member.begin = dash_after(outer.last);
    }
    outer.last = node.end;
    if (!is_wanted) return;
    member.key_text = std::exchange(outer.key_text, {});
    member.value = node;
    take_memory(sizeof member + member.key_text.size());
    outline_.containers[outer.container].members.push_back(std::move(member));
  }

  void take_memory(std::size_t bytes) const {
    if (stop_ != nullptr) stop_->take_memory(bytes);
  }

  [[nodiscard]] std::size_t colon_after(std::size_t at, bool in_flow) const {
    while (at < text_.size()) {
      if (in_flow && text_[at] == '#') {
        at = find_line_break(text_, at);
      } else if (is_space_or_tab(text_[at]) || (in_flow && is_break(text_[at]))) {
        ++at;
      } else {
        break;
      }
    }
    return at < text_.size() && text_[at] == ':' ? at : kNone;
  }

  /// The `-` of the next item of a block sequence.
  [[nodiscard]] std::size_t dash_after(std::size_t at) const {
    while (at < text_.size() && text_[at] != '-') {
      at = text_[at] == '#' ? find_line_break(text_, at) : at + 1;
    }
    return at;
  }

  std::string_view text_;
  std::span<const std::size_t> wanted_;
  Containers which_;
  const Stop* stop_;
  Outline outline_;
  std::vector<Open> open_;                                    ///< Innermost last.
  std::map<std::string, std::size_t, std::less<>> names_;     ///< Of anchors, to the latest with this name.
  std::vector<std::pair<std::size_t, std::size_t>> anchors_;  ///< Where their nodes begin and end.
  std::vector<std::pair<std::size_t, std::size_t>> aliases_;  ///< Where they stand, and the number of their anchor.
};

}  // namespace

Outline outline_yaml(Sources& sources, SourceId source, const Profile& profile, const Limits& limits,
                     std::size_t document, std::span<const std::size_t> wanted, Containers which) {
  const YamlInput input(sources, source, {});
  const YamlWorkspace::Lease workspace;
  (*workspace).tape.stop_with(limits.stop);
  YamlEvents events(input, profile.scanner != Scanner::libyaml,
                    limits.libyaml_alone ? YamlEvents::By::libyaml : YamlEvents::By::both, (*workspace).tape);
  StopCheck stop(limits.stop);
  YamlOutline outline(input.text(), wanted, which, limits.stop);
  std::size_t begun = 0;
  for (;;) {
    stop.tick();
    const YamlEvent& event = events.next();
    if (event.kind == YamlEventKind::stream_end) return outline.finish(event.begin);
    if (event.kind == YamlEventKind::document_start) ++begun;
    if (begun != document + 1) continue;
    if (event.kind == YamlEventKind::document_end) return outline.finish(event.begin);
    outline.take(event);
  }
}

}  // namespace strata::text
