// SPDX-License-Identifier: Apache-2.0
// Finds the ways to change a text for a target.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "edit/lines.hpp"
#include "edit/spelling.hpp"
#include "edit/target.hpp"

namespace strata::edit {

/// One way to change a text. Whether it gives what was asked for is for the caller to prove.
struct Attempt {
  std::vector<Splice> splices;
  std::size_t at = 0;       ///< Where the new value is put, in the old text.
  bool is_limited = false;  ///< Only if the line that results is short enough.
  std::size_t next =
      Target::kNone;  ///< Where the key begins that a new member stands before; kNone: it is the last one.
};

/// The ways to change the text of a reading for a target, the best one first.
class Editor {
 public:
  /// `given`: the user's spelling of the value, or empty. All must outlive this.
  Editor(const Reading& reading, const Form& form, const Target& target, std::string_view given)
      : lines_(reading.text()),
        is_json_(form.syntax == Syntax::json),
        target_(target),
        spelling_(profile_of(form)),
        given_(given) {}

  /// Errors: Spelling::Unwritable, `json.not-finite`.
  [[nodiscard]] std::vector<Attempt> attempts();

 private:
  using Style = text::YamlEvent::Style;
  using NodeKind = text::NodeRange::Kind;

  // editor.cpp
  void first_member();
  void replace();
  void insert();
  void append();
  [[nodiscard]] std::vector<std::string> value_spellings(const Value& value, Style old, bool has_tag) const;
  [[nodiscard]] std::vector<std::string> key_spellings(std::string_view key) const;

  // block.cpp
  void replace_in_block(const std::string& value, bool is_limited);
  void replace_by_block();
  void replace_by_block_scalar();
  void add_line(std::size_t at, const std::string& line, bool is_limited);
  void add_to_block(const std::string& member, bool is_limited);
  void remove_from_block();
  void remove_only_member(const std::string& empty);
  [[nodiscard]] std::string block_member(const std::string& key) const;
  [[nodiscard]] Indentation indentation() const;
  [[nodiscard]] std::size_t marker_end() const;
  [[nodiscard]] std::size_t header_end(const text::NodeRange& scalar) const;
  [[nodiscard]] std::size_t sorted_place() const;
  [[nodiscard]] std::size_t above(const text::MemberRange& member, std::size_t floor) const;
  void remove_lines(const text::MemberRange& member, std::size_t floor, Attempt& attempt) const;
  void remove_comments(const text::MemberRange& member, std::size_t floor, std::size_t& begin, Attempt& attempt) const;
  [[nodiscard]] std::size_t floor_of(std::size_t member) const;
  [[nodiscard]] bool is_for_checks(std::size_t line) const;

  // flow.cpp
  void replace_in_flow(const std::string& value, bool is_limited);
  void replace_by_lines();
  void add_to_flow(const std::string& member, bool is_limited);
  void add_lines_to_flow(const std::string& key);
  void remove_from_flow();
  [[nodiscard]] bool is_over_lines() const;
  [[nodiscard]] std::string json_lines(std::size_t line) const;

  [[nodiscard]] std::string_view text() const { return lines_.text(); }
  [[nodiscard]] bool is_in_flow() const;
  void add(Attempt attempt) { attempts_.push_back(std::move(attempt)); }

  Lines lines_;
  bool is_json_;
  const Target& target_;
  Spelling spelling_;
  std::string_view given_;
  std::vector<Attempt> attempts_;
};

}  // namespace strata::edit
