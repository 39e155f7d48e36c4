// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>
#include <utility>

#include "strata/stop.hpp"
#include "text/outline.hpp"

namespace strata::text {
namespace {

/// Walks a JSON text that a reader has accepted.
class JsonOutline {
 public:
  JsonOutline(std::string_view text, const Limits& limits, std::span<const std::size_t> wanted, Containers which)
      : text_(text), wanted_(wanted), which_(which), stop_(limits.stop) {}

  [[nodiscard]] Outline read() {
    StopCheck check(stop_);
    for (skip(); at_ < text_.size(); skip()) {
      check.tick();
      const std::size_t begin = at_;
      switch (text_[at_]) {
        case '{':
          open(NodeRange::Kind::mapping);
          break;
        case '[':
          open(NodeRange::Kind::sequence);
          break;
        case '}':
        case ']':
          ++at_;
          if (!open_.empty()) close();
          break;
        case ',':
          ++at_;
          break;
        case ':':
          if (!open_.empty()) open_.back().colon = at_;
          ++at_;
          break;
        case '"':
          skip_string();
          add(range(NodeRange::Kind::scalar, YamlEvent::Style::double_quoted, begin));
          break;
        default:
          at_ = std::min(text_.find_first_of(",:]} \t\r\n/", at_ + 1), text_.size());
          add(range(NodeRange::Kind::scalar, YamlEvent::Style::plain, begin));
      }
    }
    outline_.end = text_.size();
    return std::move(outline_);
  }

 private:
  static constexpr std::size_t kNone = MemberRange::kNone;

  struct Open {
    NodeRange node;
    NodeRange key = {};  ///< Absent: none waits for its value.
    std::size_t colon = kNone;
    std::size_t container = kNone;
  };

  [[nodiscard]] NodeRange range(NodeRange::Kind kind, YamlEvent::Style style, std::size_t begin) const {
    return {.kind = kind, .style = style, .begin = begin, .properties_end = begin, .content = begin, .end = at_};
  }

  /// Blanks and comments.
  void skip() {
    for (;;) {
      at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (rest.starts_with("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  void open(NodeRange::Kind kind) {
    Open open{.node = range(kind, YamlEvent::Style::flow, at_)};
    const std::size_t found = outline_.containers.size();
    if (found < wanted_.size() && at_ == wanted_[found] && (which_ == Containers::set || open_.size() == found)) {
      open.container = found;
      outline_.containers.push_back({open.node, {}});
    }
    open_.push_back(open);
    ++at_;
  }

  void close() {
    Open open = open_.back();
    open_.pop_back();
    open.node.end = at_;
    if (open.container != kNone) outline_.containers[open.container].node = open.node;
    add(open.node);
  }

  void add(const NodeRange& node) {
    if (open_.empty()) {
      outline_.root = node;
      return;
    }
    Open& outer = open_.back();
    if (outer.node.kind == NodeRange::Kind::mapping && outer.key.kind == NodeRange::Kind::absent) {
      outer.key = node;
      return;
    }
    MemberRange member{
        .begin = node.begin, .key = std::exchange(outer.key, {}), .key_text = {}, .colon = outer.colon, .value = node};
    if (member.key.kind != NodeRange::Kind::absent) member.begin = member.key.begin;
    if (outer.container == kNone) return;
    if (stop_ != nullptr) stop_->take_memory(sizeof member);
    outline_.containers[outer.container].members.push_back(std::move(member));
  }

  std::string_view text_;
  std::span<const std::size_t> wanted_;
  Containers which_;
  const Stop* stop_;
  Outline outline_;
  std::vector<Open> open_;
  std::size_t at_ = 0;
};

}  // namespace

Outline outline_json(std::string_view text, const Limits& limits, std::span<const std::size_t> wanted,
                     Containers which) {
  return JsonOutline(text, limits, wanted, which).read();
}

}  // namespace strata::text
