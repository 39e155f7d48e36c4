// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "ruby/ruby.hpp"
#include "ruby/yaml_scalar.hpp"
#include "strata/error.hpp"

namespace strata::ruby {
namespace {

[[noreturn]] void fail() {
  throw Error("output.source-map", "the values cannot be found in what was written: there is no map of this text")
      .hint("--output yaml writes the result in another form");
}

/// Goes through what libyaml wrote in block style. What it writes for a scalar depends on widths and depths; where it
/// ends is seen from its first character, and from the text that it stands for.
class Written {
 public:
  explicit Written(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t at() const noexcept { return at_; }
  [[nodiscard]] char peek(std::size_t ahead = 0) const noexcept {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void expect(std::string_view indicator) {
    if (text_.substr(at_, indicator.size()) != indicator) fail();
    at_ += indicator.size();
  }
  /// Goes to what comes next, be it on another line.
  void skip_space() noexcept {
    while (peek() == ' ' || peek() == '\n') ++at_;
  }
  void skip_tag() noexcept {
    if (peek() != '!') return;
    while (at_ < text_.size() && peek() != ' ' && peek() != '\n') ++at_;
    while (peek() == ' ') ++at_;
  }
  /// Whether nothing more stands on the line.
  [[nodiscard]] bool is_line_over() const noexcept {
    const std::size_t next = text_.find_first_not_of(' ', at_);
    return next == std::string_view::npos || text_[next] == '\n';
  }

  /// Goes behind a scalar, which stands for `value`.
  void skip_scalar(std::string_view value) {
    switch (peek()) {
      case '\'':
        return skip_single_quoted();
      case '"':
        return skip_double_quoted();
      case '|':
        at_ = std::min(text_.find('\n', at_), text_.size());
        return skip_characters(value);
      default:
        return text_.substr(at_).starts_with(value) ? void(at_ += value.size()) : skip_characters(value);
    }
  }

 private:
  void skip_single_quoted() {
    do {
      at_ = text_.find('\'', at_ + 1);
      if (at_ == std::string_view::npos) fail();
      ++at_;
    } while (peek() == '\'');
  }
  void skip_double_quoted() {
    for (++at_; peek() != '"'; at_ += peek() == '\\' ? 2 : 1) {
      if (at_ >= text_.size()) fail();
    }
    ++at_;
  }
  /// Goes behind the characters of a text that may have been folded, or indented, at its blanks and ends of lines.
  void skip_characters(std::string_view value) {
    for (const char c : value) {
      if (c == ' ' || c == '\n') continue;
      skip_space();
      if (peek() != c || at_ == text_.size()) fail();
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Goes through a value and its text side by side.
class Walk {
 public:
  Walk(Written& text, text::LeafObserver& observer) : text_(text), observer_(observer) {}

  /// What stands behind `---`, `-`, `?` or `:`, or as a key.
  // Recursion: bounded by Limits::depth, which every maker of values keeps.
  void node(const Value& value, bool is_root = false) {
    if (!value.is_container()) return scalar(value, is_root);
    text_.skip_space();
    const bool as_one = hidden_ == 0 && (value.size() == 0 || value.is_secret());
    if (as_one) {
      Written first = text_;
      first.skip_tag();
      observer_.leaf(value, first.at(), true);
      ++hidden_;
    }
    members(value);
    if (!as_one) return;
    --hidden_;
    observer_.end(text_.at());
  }

 private:
  void scalar(const Value& value, bool is_root) {
    const YamlScalar what = yaml_scalar(value, room_);
    const bool is_empty = what.form == YamlScalar::Form::null && text_.is_line_over();
    if (!is_empty || is_root) text_.skip_space();
    if (!is_empty) text_.skip_tag();
    const bool is_told = hidden_ == 0;
    if (is_told) observer_.leaf(value, text_.at(), true);
    if (!is_empty) text_.skip_scalar(what.text);
    if (is_told) observer_.end(text_.at());
  }

  void members(const Value& value) {
    if (value.size() == 0) return text_.expect(value.is_sequence() ? "[]" : "{}");
    if (value.is_sequence()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        text_.skip_space();
        text_.expect("-");
        if (hidden_ == 0) observer_.enter(i);
        node(value.items()[i]);
        if (hidden_ == 0) observer_.leave();
      }
      return;
    }
    for (const Entry& entry : value.entries()) {
      text_.skip_space();
      const bool is_explicit = text_.peek() == '?' && (text_.peek(1) == ' ' || text_.peek(1) == '\n');
      if (is_explicit) text_.expect("?");
      ++hidden_;
      node(entry.key);
      --hidden_;
      text_.skip_space();
      text_.expect(":");
      if (hidden_ == 0) observer_.enter(entry.key);
      node(entry.value);
      if (hidden_ == 0) observer_.leave();
    }
  }

  Written& text_;
  text::LeafObserver& observer_;
  std::string room_;
  int hidden_ = 0;  ///< Keys and leaves around the node.
};

}  // namespace

void find_yaml_leaves(const Value& value, std::string_view written, text::LeafObserver& observer) {
  Written text(written);
  text.expect("---");
  Walk(text, observer).node(value, true);
}

}  // namespace strata::ruby
