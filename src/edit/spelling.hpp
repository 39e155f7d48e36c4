// SPDX-License-Identifier: Apache-2.0
// How values are written into YAML and JSON texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "strata/text_edit.hpp"
#include "text/yaml/event.hpp"

namespace strata::edit {

/// Whether the text has line breaks, controls or other characters that only double quotes can hold.
[[nodiscard]] bool needs_escapes(std::string_view text) noexcept;

/// The indentation of blocks that are written.
struct Indentation {
  std::size_t step = 2;   ///< Of mappings in mappings.
  std::size_t items = 2;  ///< Of sequences in mappings.
};

/// Writes YAML that a profile reads back. Errors: Unwritable.
class Spelling {
 public:
  /// A value for which there is no form.
  struct Unwritable {
    std::string what;
  };

  explicit Spelling(const text::Profile& profile) : profile_(profile) {}

  /// The ways to write a text, the best one first; whether they fit their place is for the caller to find out. `old`:
  /// the style of the scalar that it replaces; `none` for a new one. `has_tag`: the meaning of a plain scalar is not
  /// the profile's alone. `given`: the user's spelling, or empty.
  [[nodiscard]] std::vector<std::string> texts(std::string_view text, text::YamlEvent::Style old, bool in_flow,
                                               bool has_tag, std::string_view given) const;
  /// The ways to write a new key.
  [[nodiscard]] std::vector<std::string> keys(std::string_view key, bool in_flow) const;
  /// In one line.
  [[nodiscard]] std::string flow(const Value& value, bool in_flow) const;
  /// The members of a container that has some, each in its own line. The first begins where the text is put, at
  /// `column`; the last has no line break.
  [[nodiscard]] std::string block(const Value& value, std::size_t column, const Indentation& indentation,
                                  std::string_view line_break) const;

 private:
  [[nodiscard]] bool can_be_plain(std::string_view text, bool in_flow) const noexcept;
  [[nodiscard]] bool reads_as_text(std::string_view text) const noexcept;
  void append_text(std::string& out, std::string_view text, bool in_flow) const;
  void append_scalar(std::string& out, const Value& value, bool in_flow) const;
  void append_flow(std::string& out, const Value& value, bool in_flow) const;
  void append_block(std::string& out, const Value& value, std::size_t column, const Indentation& indentation,
                    std::string_view line_break) const;

  const text::Profile& profile_;
};

/// A text as the lines of a block scalar behind its header, `indent` blanks before each, each led by a line break; and
/// the header's chomping. Absent where the style cannot hold the text.
struct BlockScalar {
  std::string chomping;
  std::string lines;
};
[[nodiscard]] std::optional<BlockScalar> block_scalar(std::string_view text, bool is_folded, std::size_t indent,
                                                      std::string_view line_break);

}  // namespace strata::edit
