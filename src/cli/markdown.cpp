// SPDX-License-Identifier: Apache-2.0
#include "markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "strata/near_names.hpp"

namespace strata::cli {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// The cells of a line `| a | b |`.
std::vector<std::string> cells_of(std::string_view line) {
  line = without_blanks(line);
  line.remove_prefix(1);
  std::vector<std::string> out;
  std::string cell;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell += line[++i];
    } else if (line[i] == '|') {
      out.emplace_back(without_blanks(std::exchange(cell, {})));
    } else {
      cell += line[i];
    }
  }
  return out;
}

bool is_rule(std::string_view line) { return line.find_first_not_of("|-: ") == std::string_view::npos; }

/// How long the mark of an item is that a line begins with; 0 if there is none.
std::size_t item_mark(std::string_view line) {
  if (line.starts_with("- ")) return 2;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

/// Reads a page line by line.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::vector<MarkdownBlock> read() {
    while (!rest_.empty()) take(next());
    return std::move(blocks_);
  }

 private:
  std::string_view next() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }

  void take(std::string_view line) {
    const std::string_view text = without_blanks(line);
    if (text.empty()) {
      is_open_ = false;
    } else if (text.starts_with("```")) {
      take_code(text.substr(3), line.size() - text.size());
    } else if (line.starts_with('#')) {
      const std::size_t level = line.find_first_not_of('#');
      blocks_.push_back({.kind = BlockKind::heading,
                         .level = static_cast<unsigned>(level),
                         .text = std::string(without_blanks(line.substr(level)))});
      is_open_ = false;
    } else if (text.starts_with('|')) {
      if (!is_open_ || blocks_.back().kind != BlockKind::table)
        blocks_.push_back({.kind = BlockKind::table, .text = {}});
      if (!is_rule(text)) blocks_.back().rows.push_back(cells_of(text));
      is_open_ = true;
    } else if (const std::size_t mark = item_mark(text); mark != 0) {
      blocks_.push_back({.kind = BlockKind::item, .text = std::string(text.substr(mark))});
      is_open_ = true;
    } else if (is_open_ && blocks_.back().kind != BlockKind::table) {
      blocks_.back().text.append(" ").append(text);
    } else {
      blocks_.push_back({.kind = BlockKind::paragraph, .text = std::string(text)});
      is_open_ = true;
    }
  }

  void take_code(std::string_view language, std::size_t indent) {
    MarkdownBlock code{.kind = BlockKind::code, .text = {}, .language = std::string(language)};
    while (!rest_.empty()) {
      const std::string_view line = next();
      if (without_blanks(line) == "```") break;
      code.text.append(line.substr(std::min({indent, line.size(), line.find_first_not_of(' ')}))).push_back('\n');
    }
    blocks_.push_back(std::move(code));
    is_open_ = false;
  }

  std::string_view rest_;
  std::vector<MarkdownBlock> blocks_;
  bool is_open_ = false;  ///< The next line can belong to the last block.
};

/// Characters that man(7) has names for, or that not every terminal has.
struct Named {
  char32_t character;
  std::string_view roff;
};
constexpr std::array<Named, 15> kNamed{{{U'\\', "\\e"},
                                        {U'-', "\\-"},
                                        {U'\'', "\\(aq"},
                                        {U'`', "\\(ga"},
                                        {U'^', "\\(ha"},
                                        {U'~', "\\(ti"},
                                        {U'"', "\\(dq"},
                                        {U'…', "..."},
                                        {U'–', "\\(en"},
                                        {U'—', "\\(em"},
                                        {U'×', "\\(mu"},
                                        {U'→', "\\(->"},
                                        {U'≤', "\\(<="},
                                        {U'≥', "\\(>="},
                                        {U'−', "\\(mi"}}};

constexpr char32_t kLastAscii = 0x7F;

}  // namespace

std::vector<MarkdownBlock> read_markdown(std::string_view text) { return Reader(text).read(); }

std::string roff_text(std::string_view plain) {
  std::string out;
  for (const char32_t one : code_points(plain)) {
    const auto* const named = std::ranges::find(kNamed, one, &Named::character);
    if (named != kNamed.end()) {
      out += named->roff;
    } else if (one > kLastAscii) {
      out += fmt::format("\\[u{:04X}]", static_cast<std::uint32_t>(one));
    } else {
      out += static_cast<char>(one);
    }
  }
  return out;
}

std::string roff_bold(std::string_view plain) { return "\\fB" + roff_text(plain) + "\\fR"; }
std::string roff_italic(std::string_view plain) { return "\\fI" + roff_text(plain) + "\\fR"; }

namespace {

/// Text in which hyphens between letters may break a line.
std::string prose(std::string_view plain) {
  std::string out = roff_text(plain);
  for (std::size_t at = out.find("\\-", 1); at != std::string::npos; at = out.find("\\-", at + 1)) {
    const auto is_letter = [&](std::size_t i) {
      return i < out.size() && ((out[i] | 0x20) >= 'a' && (out[i] | 0x20) <= 'z');
    };
    if (is_letter(at - 1) && is_letter(at + 2)) out.erase(at, 1);
  }
  return out;
}

/// A text that stands between two equal marks at the beginning of another; the whole is taken off that.
std::optional<std::string_view> take_marked(std::string_view& text, std::string_view mark) {
  if (!text.starts_with(mark)) return std::nullopt;
  const std::size_t end = text.find(mark, mark.size());
  if (end == std::string_view::npos || end == mark.size()) return std::nullopt;
  const std::string_view inner = text.substr(mark.size(), end - mark.size());
  text.remove_prefix(end + mark.size());
  return inner;
}

struct Link {
  std::string_view text;
  std::string_view target;
};

/// The link at the beginning, which is taken off.
std::optional<Link> take_link(std::string_view& text) {
  if (!text.starts_with('[')) return std::nullopt;
  const std::size_t middle = text.find("](");
  const std::size_t end = middle == std::string_view::npos ? middle : text.find(')', middle);
  if (end == std::string_view::npos) return std::nullopt;
  const Link link{.text = text.substr(1, middle - 1), .target = text.substr(middle + 2, end - middle - 2)};
  text.remove_prefix(end + 1);
  return link;
}

}  // namespace

std::string roff_of(std::string_view markdown) {
  std::string out;
  std::string plain;
  const auto add = [&](const std::string& roff) { out += prose(std::exchange(plain, {})) + roff; };
  const auto is_emphasis = [](std::string_view text) {
    return text.size() > 2 && text[0] == '*' && text[1] != ' ' && text[1] != '*';
  };
  while (!markdown.empty()) {
    const std::size_t ticks = std::min(markdown.find_first_not_of('`'), markdown.size());
    if (const auto code = ticks == 0 ? std::nullopt : take_marked(markdown, markdown.substr(0, ticks))) {
      add(roff_bold(without_blanks(*code)));
    } else if (const auto strong = take_marked(markdown, "**")) {
      add("\\fB" + roff_of(*strong) + "\\fR");
    } else if (const auto link = take_link(markdown)) {
      // Without its target, a page that the text names would be lost.
      add(roff_of(link->text) + (link->target.ends_with(".md") ? " (" + roff_bold(link->target) + ")" : ""));
    } else if (const auto emphasis = is_emphasis(markdown) ? take_marked(markdown, "*") : std::nullopt) {
      add("\\fI" + roff_of(*emphasis) + "\\fR");
    } else {
      const bool is_escaped = markdown.size() > 1 && markdown[0] == '\\' &&
                              std::string_view("\\`*_|[]").find(markdown[1]) != std::string_view::npos;
      plain += markdown[is_escaped ? 1 : 0];
      markdown.remove_prefix(is_escaped ? 2 : 1);
    }
  }
  add({});
  return out;
}

RoffWriter::RoffWriter(std::string_view title, unsigned section, std::string_view date, std::string_view source,
                       std::string_view manual) {
  std::string upper(title);
  std::ranges::transform(upper, upper.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  line(fmt::format(R"(.TH "{}" {} {} "{}" "{}")", roff_text(upper), section, date, roff_text(source),
                   roff_text(manual)));
  line(".nh");  // Names and options are not hyphenated.
}

void RoffWriter::section(std::string_view heading) {
  std::string upper(heading);
  std::ranges::transform(upper, upper.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  line(fmt::format(".SH \"{}\"", roff_of(upper)));
}

void RoffWriter::subsection(std::string_view heading) { line(fmt::format(".SS \"{}\"", roff_of(heading))); }

void RoffWriter::begin_paragraph() {
  // A heading begins one itself.
  const std::size_t last = text_.rfind('\n', text_.size() - 2) + 1;
  if (text_.compare(last, 2, ".S") != 0) line(".PP");
}

void RoffWriter::paragraph(std::string_view roff) {
  begin_paragraph();
  lines(roff);
}

void RoffWriter::tagged(std::string_view roff_term, std::string_view roff) {
  line(".TP");
  line(roff_term.starts_with('.') || roff_term.starts_with('\'') ? "\\&" + std::string(roff_term) : roff_term);
  lines(roff.empty() ? "\\&" : roff);
}

void RoffWriter::item(std::string_view roff) {
  line(".IP \\(bu 2");
  lines(roff);
}

void RoffWriter::code(std::string_view plain) {
  begin_paragraph();
  line(".RS 4");
  line(".nf");
  while (!plain.empty()) {
    const std::size_t end = std::min(plain.find('\n'), plain.size());
    std::string one = roff_text(plain.substr(0, end));
    plain.remove_prefix(std::min(end + 1, plain.size()));
    if (one.starts_with('.')) one.insert(0, "\\&");
    line(one);
  }
  line(".fi");
  line(".RE");
}

void RoffWriter::block(const MarkdownBlock& block, unsigned top) {
  switch (block.kind) {
    case BlockKind::heading:
      if (block.level <= top) {
        section(block.text);
      } else {
        subsection(block.text);
      }
      break;
    case BlockKind::paragraph:
      paragraph(roff_of(block.text));
      break;
    case BlockKind::item:
      item(roff_of(block.text));
      break;
    case BlockKind::table:
      table(block);
      break;
    case BlockKind::code:
      code(block.text);
      break;
  }
}

/// A row is a term with what it means: 80 columns hold no table of texts. From the third column on, the text says which
/// it is.
void RoffWriter::table(const MarkdownBlock& block) {
  for (std::size_t i = 1; i < block.rows.size(); ++i) {
    const std::vector<std::string>& row = block.rows[i];
    std::string text;
    for (std::size_t column = 1; column < row.size(); ++column) {
      if (row[column].empty()) continue;
      if (!text.empty()) text += "\n.br\n";
      const std::string head = column < block.rows[0].size() && row.size() > 2 ? block.rows[0][column] : std::string();
      if (!head.empty()) text += "\\fI" + roff_of(head) + "\\fR: ";
      text += roff_of(row[column]);
    }
    tagged(row.empty() ? std::string() : roff_of(row.front()), text);
  }
}

/// Lines of text at blanks, each of which can begin with anything; line breaks of the text are lines of their own.
void RoffWriter::lines(std::string_view roff) {
  constexpr std::size_t kWidth = 76;
  const auto put = [this](std::string_view text, bool is_request) {
    const bool is_control = !is_request && (text.starts_with('.') || text.starts_with('\''));
    line(is_control ? "\\&" + std::string(text) : text);
  };
  while (!roff.empty()) {
    const std::size_t end = std::min(roff.find('\n'), roff.size());
    std::string_view rest = roff.substr(0, end);
    roff.remove_prefix(std::min(end + 1, roff.size()));
    if (rest == ".br") {
      put(rest, true);
      continue;
    }
    while (rest.size() > kWidth) {
      std::size_t blank = rest.rfind(' ', kWidth);
      if (blank == std::string_view::npos || blank == 0) blank = rest.find(' ', 1);
      if (blank == std::string_view::npos) break;
      put(rest.substr(0, blank), false);
      rest = without_blanks(rest.substr(blank));
    }
    put(rest, false);
  }
}

}  // namespace strata::cli
