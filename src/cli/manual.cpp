// SPDX-License-Identifier: Apache-2.0
#include "manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "command.hpp"
#include "command_form.hpp"
#include "markdown.hpp"
#include "pages.hpp"
#include "strata/near_names.hpp"
#include "strata/version.hpp"

namespace strata::cli {
namespace {

using Blocks = std::vector<MarkdownBlock>;

constexpr unsigned kCommands = 1;
constexpr unsigned kFiles = 5;
constexpr unsigned kOthers = 7;

/// The page that is a page of docs/, or a section of one.
struct WholePage {
  std::string_view name;
  unsigned section;
  std::string_view about;
  std::string_view page;
  std::string_view heading;  ///< The section. Empty: the whole page.
};
constexpr std::array<WholePage, 3> kWholePages{
    {{.name = "strata-projects",
      .section = kFiles,
      .about = "named queries of a folder, in .strata.yaml",
      .page = "analysis/projects.md",
      .heading = {}},
     {.name = "strata.yaml",
      .section = kFiles,
      .about = "settings of a site of ARM-8 bindings",
      .page = "bindings/inject.md",
      .heading = "strata.yaml"},
     {.name = "strata-errors",
      .section = kOthers,
      .about = "the errors and warnings of strata, and what to do about them",
      .page = "errors.md",
      .heading = {}}}};

constexpr std::string_view kSharedPage = "command-line.md";
constexpr std::string_view kFirstPage = "../README.md";

/// Files that commands read by default, by the option that names another one. Empty: those of commands that take a
/// query.
struct KnownFile {
  std::string_view option;
  std::string_view file;
  std::string_view about;
};
constexpr std::array<KnownFile, 6> kKnownFiles{
    {{"", ".strata.yaml", "Named queries, for @NAME in place of COMMAND: strata-projects(5)."},
     {"--consumers", ".strata-check.yaml", "What the check looks for, and which findings are silenced."},
     {"--codedir", "hiera.yaml", "The hierarchy: in the environment, in each module, and in the code directory."},
     {"--confdir", "strata.yaml", "Settings of a site: strata.yaml(5)."},
     {"--listen", "/etc/strata/server.yaml", "The configuration that the service unit names with --config."},
     {"--store", "$XDG_DATA_HOME/strata/strata.db", "The store if --store is not given."}}};

/// A page whose links to other pages name them from the root of the sources: `docs/hiera/fidelity.md`.
std::string with_whole_links(std::string_view text, std::string_view name) {
  constexpr std::string_view kLink = "](";
  const std::filesystem::path page = std::filesystem::path("docs") / name;
  std::string out;
  for (std::size_t at = text.find(kLink); at != std::string_view::npos; at = text.find(kLink)) {
    at += kLink.size();
    out += text.substr(0, at);
    text.remove_prefix(at);
    const std::string_view target = text.substr(0, text.find_first_of("#)"));
    if (!target.ends_with(".md") || target.find(':') != std::string_view::npos) continue;
    out += (page.parent_path() / target).lexically_normal().string();
    text.remove_prefix(std::min(text.find(')'), text.size()));
  }
  return out.append(text);
}

Blocks page_of_docs(std::string_view name) {
  const auto all = pages();
  const auto found = std::ranges::find(all, name, &Page::name);
  if (found == all.end()) throw std::logic_error(fmt::format("the page {} is not in the program", name));
  return read_markdown(with_whole_links(found->text, name));
}

/// What stands before the first heading below the title.
Blocks introduction(std::string_view page) {
  Blocks out;
  for (MarkdownBlock& block : page_of_docs(page)) {
    if (block.kind == BlockKind::heading && block.level > 1) break;
    if (block.kind != BlockKind::heading) out.push_back(std::move(block));
  }
  return out;
}

/// What stands below a heading, up to the next one of its level.
Blocks section_of(std::string_view page, std::string_view heading) {
  Blocks out;
  std::optional<unsigned> level;
  for (MarkdownBlock& block : page_of_docs(page)) {
    if (block.kind == BlockKind::heading) {
      if (level && block.level <= *level) break;
      if (!level && roff_of(block.text) == roff_of(heading)) {
        level = block.level;
        continue;
      }
    }
    if (level) out.push_back(std::move(block));
  }
  return out;
}

/// Whether a block is code that the sentence before it announces: `List the parts:`.
bool is_announced(const Blocks& blocks, std::size_t i) {
  if (blocks[i].kind != BlockKind::code) return false;
  while (i > 0 && blocks[i].kind == BlockKind::code) --i;
  return blocks[i].text.ends_with(':');
}

std::string page_name(std::string_view command) {
  std::string out = "strata-" + std::string(command);
  std::ranges::replace(out, ' ', '-');
  return out;
}

std::vector<const Registration::Entry*> shown_entries() {
  auto out = Registration::all();
  std::erase_if(out, [](const Registration::Entry* entry) { return entry->is_hidden; });
  return out;
}

std::string reference(std::string_view name, unsigned section) {
  return roff_bold(name) + "(" + std::to_string(section) + ")";
}

RoffWriter writer_of(const ManualPage& page, std::string_view about) {
  RoffWriter out(page.name, page.section, date_of_pages(), fmt::format("strata {}", strata::version()),
                 "strata manual");
  out.section("Name");
  out.paragraph(fmt::format("{} \\- {}", roff_text(page.name), roff_of(about)));
  return out;
}

void write_option(RoffWriter& out, const OptionShape& shape) {
  std::string term;
  if (shape.is_positional) {
    const std::string& name = shape.names.front();
    term = roff_italic(name) + roff_text(shape.term().substr(name.size()));
  } else {
    for (const std::string& name : shape.names) term += (term.empty() ? "" : ", ") + roff_bold(name);
    if (!shape.value_name.empty())
      term += (shape.value_name.starts_with("[=") ? "" : " ") + roff_italic(shape.value_name);
  }
  out.tagged(term, roff_text(shape.description()));
}

/// The options in the order of the help, by their headings: what has none of its own first.
void write_options(RoffWriter& out, const std::vector<OptionShape>& shapes) {
  std::vector<std::string> headings;
  for (const OptionShape& shape : shapes) {
    if (!shape.heading.empty() && std::ranges::find(headings, shape.heading) == headings.end())
      headings.push_back(shape.heading);
  }
  const auto is_shared = [](const std::string& heading) { return heading.starts_with("Shared"); };
  std::stable_partition(headings.begin(), headings.end(),
                        [&](const std::string& heading) { return !is_shared(heading); });
  for (const bool is_positional : {true, false}) {
    const auto of_kind = [&](const OptionShape& shape) {
      return shape.is_positional == is_positional && !shape.heading.empty();
    };
    if (std::ranges::none_of(shapes, of_kind)) continue;
    out.section(is_positional ? "Arguments" : "Options");
    for (const std::string& heading : headings) {
      const bool is_headed = !is_positional && heading != "Options";
      bool is_first = true;
      for (const OptionShape& shape : shapes) {
        if (!of_kind(shape) || shape.heading != heading) continue;
        if (is_headed && is_first) out.subsection(heading);
        is_first = false;
        write_option(out, shape);
      }
    }
  }
}

/// The table of exit statuses of a page, else that of all commands.
void write_exit_status(RoffWriter& out, std::string_view page) {
  for (const std::string_view name : {page, kSharedPage}) {
    for (const MarkdownBlock& block : page_of_docs(name)) {
      if (block.kind != BlockKind::table || block.rows.empty() || block.rows.front().empty() ||
          block.rows.front().front() != "exit status")
        continue;
      out.section("Exit status");
      return out.block(block, 2);
    }
  }
}

/// The lines of a page's introduction that run a command, `strata NAME …`, without their output. The description has
/// those that a sentence announces.
std::vector<std::string> examples_of(const Registration::Entry& entry) {
  std::vector<std::string> out(entry.examples.begin(), entry.examples.end());
  const std::string start = fmt::format("strata {} ", entry.name);
  const Blocks blocks = introduction(entry.page);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const MarkdownBlock& block = blocks[i];
    if (block.kind != BlockKind::code || is_announced(blocks, i) ||
        (block.language != "sh" && block.language != "console"))
      continue;
    std::string_view rest = block.text;
    bool continues = false;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string line(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.starts_with("$ ")) line.erase(0, 2);
      if (continues) {
        out.back() += "\n" + line;
      } else if (line.starts_with(start) && std::ranges::find(out, line) == out.end()) {
        out.push_back(line);
      } else {
        continue;
      }
      continues = out.back().ends_with('\\');
    }
  }
  return out;
}

/// The files that a predicate chooses.
template <typename Is>
void write_files_section(RoffWriter& out, const Is& is_wanted) {
  bool is_first = true;
  for (const KnownFile& file : kKnownFiles) {
    if (!is_wanted(file)) continue;
    if (std::exchange(is_first, false)) out.section("Files");
    out.tagged(roff_italic(file.file), roff_text(file.about));
  }
}

std::string command_page(const ManualPage& page, const Registration::Entry& entry) {
  const CommandForm form(entry);
  const Arguments& arguments = form.arguments();
  const std::vector<OptionShape> shapes = arguments.options();
  RoffWriter out = writer_of(page, arguments.about());

  out.section("Synopsis");
  const std::string typed = arguments.name();
  out.paragraph(roff_bold(typed) + roff_text(arguments.usage().substr(typed.size())));

  out.section("Description");
  bool has_text = false;
  const Blocks blocks = introduction(entry.page);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].kind == BlockKind::code && !is_announced(blocks, i)) continue;
    out.block(blocks[i], 2);
    has_text = true;
  }
  if (!has_text) out.paragraph(roff_of(arguments.about()));

  write_options(out, shapes);

  out.section("Examples");
  for (const std::string& example : examples_of(entry)) out.code(example);
  write_exit_status(out, entry.page);
  write_files_section(out, [&](const KnownFile& file) {
    if (file.option.empty()) return arguments.leaves_rest();
    return std::ranges::any_of(shapes, [&](const OptionShape& shape) {
      return std::ranges::find(shape.names, file.option) != shape.names.end();
    });
  });

  out.section("See also");
  std::string also = reference("strata", kCommands);
  for (const Registration::Entry* other : shown_entries()) {
    const auto folder = [](std::string_view name) { return name.substr(0, name.find('/')); };
    if (other != &entry && folder(other->page) == folder(entry.page))
      also += ", " + reference(page_name(other->name), kCommands);
  }
  also += ", " + reference("strata-errors", kOthers);
  out.paragraph(also);
  out.paragraph(fmt::format("The whole manual of this command: {}", roff_bold(fmt::format("docs/{}", entry.page))));
  return out.take();
}

std::string program_page(const ManualPage& page) {
  CommandLine line(std::string(kProgram), "strata");
  Arguments program = line.arguments();
  bool version = false;
  bool verbose = false;
  add_program_options(program, version, verbose);

  const std::string_view about = kProgram.substr(kProgram.find(' ') + 1);
  RoffWriter out = writer_of(page, about);
  out.section("Synopsis");
  out.paragraph(roff_bold("strata") + roff_text(" [OPTIONS] COMMAND …"));
  out.section("Description");
  for (const MarkdownBlock& block : introduction(kFirstPage)) {
    if (block.kind == BlockKind::paragraph) out.block(block, 2);
  }
  out.section("Commands");
  std::string_view heading;
  for (const Registration::Entry* entry : shown_entries()) {
    if (std::exchange(heading, entry->heading()) != entry->heading()) out.subsection(entry->heading());
    out.tagged(reference(page_name(entry->name), kCommands), roff_text(CommandForm(*entry).arguments().about()));
  }
  write_options(out, program.options());
  out.section("Options of every command");
  for (const MarkdownBlock& block : introduction(kSharedPage)) {
    if (block.kind != BlockKind::code) out.block(block, 2);
  }
  out.section("Examples");
  for (const MarkdownBlock& block : introduction(kSharedPage)) {
    if (block.kind == BlockKind::code && block.language == "sh") out.code(block.text);
  }
  write_exit_status(out, kSharedPage);
  write_files_section(out, [](const KnownFile&) { return true; });
  out.section("See also");
  std::string also;
  for (const WholePage& whole : kWholePages) also += (also.empty() ? "" : ", ") + reference(whole.name, whole.section);
  out.paragraph(also);
  return out.take();
}

std::string whole_page(const ManualPage& page, const WholePage& whole) {
  RoffWriter out = writer_of(page, whole.about);
  constexpr unsigned kTop = 2;
  const Blocks blocks = whole.heading.empty() ? page_of_docs(whole.page) : section_of(whole.page, whole.heading);
  out.section("Description");
  for (const MarkdownBlock& block : blocks) {
    if (block.kind != BlockKind::heading || block.level > 1) out.block(block, kTop);
  }
  out.section("See also");
  out.paragraph(reference("strata", kCommands));
  out.paragraph(fmt::format("The page of the manual: {}", roff_bold(fmt::format("docs/{}", whole.page))));
  return out.take();
}

}  // namespace

std::vector<ManualPage> manual_pages() {
  std::vector<ManualPage> out{{.name = "strata", .section = kCommands}};
  for (const Registration::Entry* entry : shown_entries())
    out.push_back({.name = page_name(entry->name), .section = kCommands});
  for (const WholePage& page : kWholePages) out.push_back({.name = std::string(page.name), .section = page.section});
  return out;
}

ManualPage manual_page(const std::vector<std::string>& words) {
  std::string name;
  for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
  const std::vector<ManualPage> all = manual_pages();
  if (name.empty()) return all.front();
  for (const ManualPage& page : all) {
    if (page.name == page_name(name) || page.name == name || page.file() == name) return page;
  }
  std::vector<std::string_view> known;
  for (const Registration::Entry* entry : shown_entries()) known.push_back(entry->name);
  std::vector<std::string> files;
  files.reserve(all.size());
  for (const ManualPage& page : all) files.push_back(page.file());
  std::ranges::copy(files, std::back_inserter(known));
  throw UsageError(Usage::value, fmt::format("unknown manual page '{}'", name),
                   name_hint(known, name, "strata manual --list shows all"));
}

std::string manual_text(const ManualPage& page) {
  for (const WholePage& whole : kWholePages) {
    if (whole.name == page.name && whole.section == page.section) return whole_page(page, whole);
  }
  for (const Registration::Entry* entry : shown_entries()) {
    if (page_name(entry->name) == page.name) return command_page(page, *entry);
  }
  return program_page(page);
}

}  // namespace strata::cli
