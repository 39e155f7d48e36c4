// SPDX-License-Identifier: Apache-2.0
// Files, with what becomes of each line.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/secret_texts.hpp"
#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/survey.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "tree/sha256.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kLines = 1000;
constexpr std::size_t kMostLines = 10'000;
constexpr std::size_t kMostRivals = 20;
constexpr std::size_t kLargeText = std::size_t{8} << 20U;

/// The findings of each file.
struct Marks {
  std::size_t never_visible = 0;
  std::size_t dead_override = 0;
  std::size_t findings = 0;
};
std::map<std::string, Marks> marks_of(const analysis::CheckReport& report) {
  std::map<std::string, Marks> out;
  for (const analysis::Finding& one : report.findings) {
    if (one.silence) continue;
    Marks& marks = out[one.what.where.place.file];
    ++marks.findings;
    const std::string_view name = analysis::code_name(one.what.code);
    marks.never_visible += name == "never-visible" ? 1 : 0;
    marks.dead_override += name == "dead-override" ? 1 : 0;
  }
  return out;
}

/// The largest counts of the leaves of a line.
struct LineCounts {
  std::size_t leaves = 0, won = 0, merged = 0, shadowed = 0, removed = 0;
  std::size_t overridden = 0;  ///< Subjects that lose a value and do not see it. A value that became a part of another
                               ///< one is seen, and gone from its place.

  /// `readers`: subjects that read the file.
  void add(const analysis::CoveredLeaf& leaf, std::size_t readers) {
    ++leaves;
    won = std::max(won, leaf.won);
    merged = std::max(merged, leaf.merged);
    shadowed = std::max(shadowed, leaf.shadowed);
    removed = std::max(removed, leaf.removed);
    overridden = std::max(overridden, std::min(leaf.shadowed + leaf.removed, readers - std::min(readers, leaf.seen())));
  }
};

std::vector<std::string_view> shown_lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.push_back(line);
  }
  return out;
}

Value rivals_value(Arena& arena, const std::map<Spot, std::size_t>& rivals) {
  std::vector<std::pair<const Spot*, std::size_t>> sorted;
  sorted.reserve(rivals.size());
  for (const auto& [spot, count] : rivals) sorted.emplace_back(&spot, count);
  std::ranges::stable_sort(sorted, [](const auto& left, const auto& right) { return left.second > right.second; });
  if (sorted.size() > kMostRivals) sorted.resize(kMostRivals);
  SequenceBuilder out(arena, sorted.size());
  for (const auto& [spot, count] : sorted) {
    MappingBuilder one(arena);
    one.insert("file", text_or_null(arena, spot->file));
    one.insert("line", spot->line == 0 ? Value::null() : Value::integer(spot->line));
    one.insert("column", spot->column == 0 ? Value::null() : Value::integer(spot->column));
    one.insert("subjects", number(count));
    out.append(one.finish());
  }
  return out.finish();
}

/// A file that pages may show: one that is read, or that is meant to be.
struct ShownFile {
  View::ProjectFile file;
  std::string text;
  std::string sha256;
  bool is_editable = true;
  bool is_hidden = false;  ///< It is unknown which part of its text is secret.
};

/// The values of a file that are in no result, and that are in doubt: the caller may see none of them, or their item is
/// secret elsewhere.
std::vector<analysis::TextPlace> doubtful_places(const View& view, const analysis::CoveredFile& file, bool may_see,
                                                 const SecretItems& items) {
  const bool has_items = view.question().traits().is_keyed && !items.empty();
  std::vector<analysis::TextPlace> out;
  if (may_see && !has_items) return out;
  for (const analysis::CoveredLeaf& leaf : file.leaves) {
    if (leaf.seen() + leaf.shadowed + leaf.removed != 0) continue;
    const std::vector<std::string> tokens = parse_pointer(leaf.path);
    if (!may_see || (!tokens.empty() && items.contains(tokens.front())))
      out.push_back({.line = leaf.line, .column = leaf.column});
  }
  return out;
}

/// The part of a text that may be shown. No value: that is unknown.
std::optional<std::string> text_for(const Call& call, const Source& source, const View& view,
                                    const View::ProjectFile& file, const std::string& path, const std::string& text) {
  const analysis::SecretTexts& secrets = view.secret_texts(call.stop);
  const bool may_see = source.shows_unused(call);
  const SecretItems& items = view.survey(call.stop).secrets.items;
  if (file.covered != nullptr && !file.covered->text.empty()) {
    const auto places = doubtful_places(view, *file.covered, may_see, items);
    return secrets.shown(path, text, {.shown = file.covered->text, .places = places});
  }
  const bool is_data = file.covered != nullptr;
  if (is_data && !may_see) return std::nullopt;
  return secrets.shown_unread(
      path, text, {.names = is_data ? &items : nullptr, .form = file.form == nullptr ? nullptr : &file.form->form});
}

ShownFile find_file(const Call& call, const Source& source, const View& view) {
  const std::string& name = call[1];
  const std::string path = view.path_of(name);
  const auto& files = view.files(call.stop);
  const auto known = files.find(view.shown(path));
  std::optional<std::string> text;
  if (known != files.end()) text = view.tree().read(path);
  if (!text) {
    (void)view.editable_path(name);
    std::vector<std::string_view> names;
    names.reserve(files.size());
    for (const auto& one : files) names.push_back(one.first);
    const std::string as_of =
        view.form().revision.empty() ? std::string() : fmt::format(" as of {}", view.form().revision);
    throw Error("explore.file", fmt::format("the project reads no file '{}'{}", name, as_of))
        .hint(name_hint(names, name, {}));
  }
  ShownFile out{.file = known->second, .text = {}, .sha256 = sha256_text(*text)};
  const std::optional<std::string> shown = text_for(call, source, view, out.file, path, *text);
  out.is_hidden = !shown;
  if (shown) out.text = *shown;
  out.is_editable = shown && out.text == *text;
  return out;
}

Value readers_value(const View::ProjectFile& file) { return file.read_by ? number(*file.read_by) : Value::null(); }

}  // namespace

Response list_files(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  const auto marks = marks_of(view->findings(call.stop));
  Arena arena;
  SequenceBuilder list(arena);
  for (const auto& [name, file] : view->files(call.stop)) {
    MappingBuilder one(arena);
    one.insert("file", arena.text(name));
    one.insert("read_by", readers_value(file));
    one.insert("leaves", number(file.covered == nullptr ? 0 : file.covered->leaves.size()));
    const auto is_seen = [](const analysis::CoveredLeaf& leaf) { return leaf.seen() != 0; };
    one.insert("seen", number(file.covered == nullptr
                                  ? 0
                                  : static_cast<std::size_t>(std::ranges::count_if(file.covered->leaves, is_seen))));
    const auto found = marks.find(name);
    const Marks of = found == marks.end() ? Marks() : found->second;
    one.insert("never_visible", number(of.never_visible));
    one.insert("dead_override", number(of.dead_override));
    one.insert("findings", number(of.findings));
    list.append(one.finish());
  }
  MappingBuilder out(arena);
  out.insert("files", list.finish());
  return answer(call, out, view->form().generation);
}

Response show_file(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  // Begun now, it is ready when the reader has read the text.
  if (call.request.query.flag("draft")) view->expect_draft();
  const ShownFile file = find_file(call, source, *view);
  // Effects of so many lines are reported only on request.
  const bool has_effects = call.request.query.flag("effects", file.text.size() <= kLargeText);
  const std::string name = view->shown(view->path_of(call[1]));
  const std::size_t from = std::max<std::size_t>(call.request.query.number("from", SIZE_MAX / 2).value_or(1), 1);
  const std::size_t count = call.request.query.number("count", kMostLines).value_or(kLines);
  const std::size_t subjects = view->coverage(call.stop).subjects;
  std::map<std::size_t, LineCounts> counts;
  if (file.file.covered != nullptr && has_effects) {
    for (const analysis::CoveredLeaf& leaf : file.file.covered->leaves)
      counts[leaf.line].add(leaf, file.file.read_by.value_or(subjects));
  }
  const std::vector<std::string_view> lines = shown_lines(file.text);
  Arena arena;
  const Value findings = findings_value(arena, view->findings(call.stop));
  std::map<std::size_t, std::vector<Value>> by_line;  // 0: of the file.
  for (const Value& one : findings.items()) {
    const Value* of = one.find("file");
    if (of == nullptr || !of->is_text() || of->text() != name) continue;
    const Value* line = one.find("line");
    const std::size_t number =
        line == nullptr || line->kind() != Kind::integer ? 0 : static_cast<std::size_t>(line->as_integer());
    // A text that ends too early is wrong behind its last line.
    by_line[number > lines.size() ? 0 : number].push_back(one);
  }
  const Survey& survey = view->survey(call.stop);
  SequenceBuilder list(arena);
  for (std::size_t i = from; i <= lines.size() && i - from < count; ++i) {
    MappingBuilder one(arena);
    one.insert("line", number(i));
    one.insert("text", arena.text(lines[i - 1]));
    const auto known = counts.find(i);
    one.insert("leaves", number(known == counts.end() ? 0 : known->second.leaves));
    if (known != counts.end()) {
      one.insert("won", number(known->second.won));
      one.insert("merged", number(known->second.merged));
      one.insert("shadowed", number(known->second.shadowed));
      one.insert("removed", number(known->second.removed));
      one.insert("overridden", number(known->second.overridden));
    }
    const auto rivals = survey.rivals.find({name, static_cast<std::uint32_t>(i)});
    one.insert("by",
               !has_effects || rivals == survey.rivals.end() ? arena.sequence() : rivals_value(arena, rivals->second));
    one.insert("findings", arena.sequence(by_line[i]));
    list.append(one.finish());
  }
  MappingBuilder out(arena);
  out.insert("file", arena.text(name));
  out.insert("total", number(lines.size()));
  out.insert("read_by", readers_value(file.file));
  out.insert("subjects", number(subjects));
  // The hash of what is not shown would tell whether a guess is right.
  out.insert("sha256", file.is_editable ? arena.text(file.sha256) : Value::null());
  out.insert("editable", Value::boolean(file.is_editable));
  out.insert("hidden", Value::boolean(file.is_hidden));
  out.insert("traced", Value::boolean(file.file.covered != nullptr));
  out.insert("effects", Value::boolean(has_effects));
  out.insert("findings", arena.sequence(by_line[0]));
  out.insert("lines", list.finish());
  return answer(call, out, view->form().generation);
}

Response list_events(const Call& call, Source& source) { return source.events(call); }

}  // namespace strata::service::explore
