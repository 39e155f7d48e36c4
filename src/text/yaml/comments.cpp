// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "strata/stop.hpp"
#include "text/comments.hpp"
#include "text/yaml/events.hpp"
#include "text/yaml/line_breaks.hpp"
#include "text/yaml/node_properties.hpp"
#include "text/yaml/profile.hpp"
#include "text/yaml/workspace.hpp"

namespace strata::text {
namespace {

/// Walks the events of a stream. Between scalars, aliases and properties are marks, blanks and comments: there, every
/// `#` begins one.
class CommentFinder {
 public:
  CommentFinder(std::string_view text, std::size_t begin) : text_(text), at_(begin) {}

  void take(const YamlEvent& event) {
    switch (event.kind) {
      case YamlEventKind::alias:
        look_up_to(event.begin);
        return skip_to(event.end);
      case YamlEventKind::scalar:
        look_up_to(node_of(event));
        if (event.style == YamlEventStyle::literal || event.style == YamlEventStyle::folded) look_in_header();
        return skip_to(event.end);
      case YamlEventKind::sequence_start:
      case YamlEventKind::mapping_start:
        look_up_to(node_of(event));
        return;
      default:
        return;
    }
  }

  [[nodiscard]] std::vector<Stretch> finish(std::size_t end) {
    look_up_to(end);
    return std::move(found_);
  }

 private:
  void skip_to(std::size_t at) { at_ = std::max(at_, at); }

  /// Where the node itself begins, behind its properties. Comments may stand between them.
  std::size_t node_of(const YamlEvent& event) {
    if (!event.has_properties) return event.begin;
    look_up_to(event.begin);
    const NodeProperties properties = node_properties(text_, event.begin, [](std::size_t) {});
    skip_to(properties.end);
    // Of an empty node, the place behind its comments is that of whatever comes next.
    return event.kind == YamlEventKind::scalar && event.text.empty() && event.style == YamlEventStyle::plain
               ? properties.end
               : properties.node;
  }

  void look_up_to(std::size_t end) {
    while (at_ < end) {
      const std::size_t found = text_.substr(at_, end - at_).find('#');
      if (found == std::string_view::npos) break;
      const std::size_t begin = at_ + found;
      at_ = find_line_break(text_, begin);
      found_.push_back({begin, at_});
    }
    skip_to(end);
  }

  /// `|` or `>`, with its indicators, may have a comment behind it.
  void look_in_header() { look_up_to(find_line_break(text_, at_)); }

  std::string_view text_;
  std::size_t at_;
  std::vector<Stretch> found_;
};

}  // namespace

std::vector<Stretch> yaml_comments(Sources& sources, SourceId source, const Profile& profile, const Limits& limits,
                                   std::size_t documents) {
  const YamlInput input(sources, source, {});
  const YamlWorkspace::Lease workspace;
  (*workspace).tape.stop_with(limits.stop);
  YamlEvents events(input, profile.scanner != Scanner::libyaml,
                    limits.libyaml_alone ? YamlEvents::By::libyaml : YamlEvents::By::both, (*workspace).tape);
  StopCheck stop(limits.stop);
  CommentFinder finder(input.text(), input.begin());
  for (;;) {
    stop.tick();
    const YamlEvent& event = events.next();
    if (event.kind == YamlEventKind::stream_end) return finder.finish(input.text().size());
    if (event.kind == YamlEventKind::document_end && --documents == 0) return finder.finish(event.begin);
    finder.take(event);
  }
}

}  // namespace strata::text
