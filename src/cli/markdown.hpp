// SPDX-License-Identifier: Apache-2.0
// The Markdown of docs/: what its pages use, and no more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::cli {

struct MarkdownBlock {
  enum class Kind { heading, paragraph, item, table, code };
  Kind kind;
  unsigned level = 0;                               ///< Of a heading, from 1.
  std::string text;                                 ///< Lines are joined, except those of code.
  std::string language = {};                        ///< Of code.
  std::vector<std::vector<std::string>> rows = {};  ///< Of a table; the first one has the names of the columns.
};
using BlockKind = MarkdownBlock::Kind;
[[nodiscard]] std::vector<MarkdownBlock> read_markdown(std::string_view text);

/// Text with its marks as man(7) has them: `code` and **strong** bold, *emphasis* italic, links with their targets if
/// these are pages, else without.
[[nodiscard]] std::string roff_of(std::string_view markdown);
/// Text without marks, for man(7).
[[nodiscard]] std::string roff_text(std::string_view plain);
/// The same, bold or italic.
[[nodiscard]] std::string roff_bold(std::string_view plain);
[[nodiscard]] std::string roff_italic(std::string_view plain);

/// Writes a page of man(7).
class RoffWriter {
 public:
  /// The head of the page. `title`: in any case. `date`: 2026-11-25.
  RoffWriter(std::string_view title, unsigned section, std::string_view date, std::string_view source,
             std::string_view manual);

  void section(std::string_view heading);
  void subsection(std::string_view heading);
  /// `roff`: as the functions above give it. It is broken into lines.
  void paragraph(std::string_view roff);
  /// A term with what it means.
  void tagged(std::string_view roff_term, std::string_view roff);
  void item(std::string_view roff);
  void code(std::string_view plain);
  /// Headings of `top` become sections, lower ones subsections.
  void block(const MarkdownBlock& block, unsigned top);

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void line(std::string_view text) { text_.append(text).push_back('\n'); }
  void begin_paragraph();
  void lines(std::string_view roff);
  void table(const MarkdownBlock& block);

  std::string text_;
};

}  // namespace strata::cli
