// SPDX-License-Identifier: Apache-2.0
// Random documents of YAML and JSON, as people write them: comments, blank lines, quotes, indentations.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

namespace strata::edit::testing {

/// From 0 to n - 1, whatever the size of the test.
inline std::size_t pick(std::size_t n) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, n));
}
template <class Item>
Item pick_of(const std::vector<Item>& items) {
  return items[pick(items.size())];
}

/// Makes one document. Keys of a mapping differ; nothing has anchors or tags.
class RandomText {
 public:
  explicit RandomText(bool json) : json_(json), line_break_(pick_of<std::string>({"\n", "\n", "\r\n"})) {
    step_ = pick(3) == 0 ? 4 : 2;
    item_step_ = one_in(2) ? step_ : 0;
    has_comments_ = !json && one_in(2);
  }

  std::string document() {
    if (json_) {
      is_wide_ = one_in(2);
      json(0, true);
      if (one_in(2)) out_ += line_break_;
      return out_;
    }
    if (one_in(8)) out_ += "\xEF\xBB\xBF";
    if (one_in(4)) comment(0);
    if (one_in(4)) out_ += "---" + line_break_;
    if (one_in(8)) {
      flow(3);
      end_line();
    } else if (one_in(6)) {
      sequence(0, 3, false);
    } else {
      mapping(0, 3, false);
    }
    // The last line may lack its break.
    if (one_in(5)) {
      while (out_.ends_with('\n') || out_.ends_with('\r')) out_.pop_back();
    }
    return out_;
  }

 private:
  static bool one_in(std::size_t n) { return pick(n) == 0; }
  static std::size_t few() { return 1 + pick(4); }

  std::string next_key() {
    const std::string name = pick_of<std::string>({"a", "key", "ntp::servers", "x-y", "b c", "z", "m"});
    return name + std::to_string(keys_++);
  }

  void comment(std::size_t column) {
    out_.append(column, ' ')
        .append(pick_of<std::string>({"# about", "#", "# strata: allow typo so", "# k: v", "# - x"}))
        .append(line_break_);
  }
  /// Between members.
  void between(std::size_t column) {
    if (one_in(6)) out_ += line_break_;
    if (has_comments_ && one_in(4)) comment(one_in(5) ? column + 1 : column);
    if (has_comments_ && one_in(8)) comment(column);
  }
  void end_line() {
    if (has_comments_ && one_in(4)) out_ += " # c";
    out_ += line_break_;
  }

  void key() {
    const std::string name = next_key();
    if (json_ || one_in(8)) {
      out_ += '"' + name + '"';
    } else if (one_in(8)) {
      out_ += '\'' + name + '\'';
    } else {
      out_ += name;
    }
    out_ += ':';
  }

  void mapping(std::size_t column, int depth, bool is_compact) {
    const std::size_t count = few();
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0 || !is_compact) {
        if (i != 0) between(column);
        out_.append(column, ' ');
      }
      key();
      value(column, depth - 1, true);
    }
  }

  void sequence(std::size_t column, int depth, bool is_compact) {
    const std::size_t count = few();
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0 || !is_compact) {
        if (i != 0) between(column);
        out_.append(column, ' ');
      }
      out_ += '-';
      value(column, depth - 1, false);
    }
  }

  /// Behind `:` or `-` of a member at `column`, up to the end of its last line.
  void value(std::size_t column, int depth, bool is_member) {
    const std::size_t choice = pick(depth <= 0 ? 6 : 12);
    if (choice >= 6) {
      if (choice >= 11) {
        out_ += ' ';
        flow(depth);
        return end_line();
      }
      const bool is_mapping = choice < 9;
      if (!is_member && one_in(2)) {
        out_ += ' ';
        return is_mapping ? mapping(column + 2, depth, true) : sequence(column + 2, depth, true);
      }
      end_line();
      if (has_comments_ && one_in(6)) comment(column + step_);
      return is_mapping ? mapping(column + step_, depth, false)
                        : sequence(column + (is_member ? item_step_ : step_), depth, false);
    }
    switch (choice) {
      case 0:
        return end_line();  // A null.
      case 1:
        return block_scalar(column);
      case 2:
        out_ += " first" + line_break_ + std::string(column + step_, ' ') + "second";
        return end_line();
      default:
        out_ += ' ';
        scalar();
        return end_line();
    }
  }

  void block_scalar(std::size_t column) {
    out_ += pick_of<std::string>({" |", " |-", " >", " >-", " |+"});
    end_line();
    const std::size_t count = few();
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0 && one_in(5)) out_ += line_break_;
      out_.append(column + step_, ' ')
          .append(pick_of<std::string>({"text", "# no comment", "k: v", "- x", "it's"}))
          .append(line_break_);
    }
  }

  void scalar() {
    static const std::vector<std::string> kJson{"1",     "-2.5",         "true", "false",     "null",
                                                "\"x\"", "\"a \\\" b\"", "\"\"", "\"{[,]}\"", "12345678901234567890"};
    static const std::vector<std::string> kYaml{
        "1",        "x",       "'y: # z'", "\"a\\nb\"", "~",    "true", "0x1F",        "http://h:80/p", "\"\"",
        "ab cd ef", "'it''s'", "null",     "1.50",      "'80'", "-x",   "\"\\u00fc\"", "\xC3\xBC"};
    out_ += pick_of(json_ ? kJson : kYaml);
  }

  void flow(int depth) {
    const std::size_t choice = depth <= 0 ? 0 : pick(4);
    if (choice < 2 && depth < 3) return scalar();
    const bool is_mapping = choice % 2 == 0;
    const std::string blank = one_in(3) ? " " : "";
    out_ += is_mapping ? "{" : "[";
    out_ += blank;
    const std::size_t count = pick(4);
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) out_ += ", ";
      if (is_mapping) {
        key();
        out_ += ' ';
      }
      flow(depth - 1);
    }
    out_ += blank;
    out_ += is_mapping ? "}" : "]";
  }

  void json(std::size_t column, bool is_root) {
    const std::size_t choice = is_root ? 2 + pick(3) : column > 6 ? 0 : pick(5);
    if (choice < 2) return scalar();
    const bool is_mapping = choice != 2;
    const std::size_t count = pick(4);
    out_ += is_mapping ? '{' : '[';
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) out_ += is_wide_ ? "," : ", ";
      if (is_wide_) out_.append(line_break_).append(column + 2, ' ');
      if (is_mapping) {
        key();
        out_ += ' ';
      }
      json(column + 2, false);
    }
    if (is_wide_ && count != 0) out_.append(line_break_).append(column, ' ');
    out_ += is_mapping ? '}' : ']';
  }

  bool json_;
  std::string line_break_;
  std::size_t step_ = 2;
  std::size_t item_step_ = 2;
  bool has_comments_ = false;
  bool is_wide_ = false;  ///< JSON over several lines.
  std::size_t keys_ = 0;
  std::string out_;
};

}  // namespace strata::edit::testing
