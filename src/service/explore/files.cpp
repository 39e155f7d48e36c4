// Files, with what becomes of each line.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/survey.hpp"
#include "strata/limits.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"
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
  std::size_t overridden = 0;  ///< Subjects that lose a value and do not see it. What became a part of another value is seen, and gone from its place.

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

std::vector<std::string_view> lines_of(std::string_view text) {
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
struct Shown {
  View::ProjectFile file;
  std::string text;
  std::string sha256;
  bool is_editable = true;
  bool is_hidden = false;  ///< Nobody can tell what of its text is secret.
};

/// A text with the lines of two others that are it without what they hide: of each line, what shows less.
std::string covered_text(std::string_view whole, std::string_view left, std::string_view right) {
  if (left == whole || left == right) return std::string(right);
  if (right == whole) return std::string(left);
  const auto next = [](std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
  };
  std::string out;
  while (!whole.empty()) {
    const bool has_break = whole.find('\n') != std::string_view::npos;
    const std::string_view line = next(whole);
    const std::string_view first = next(left);
    const std::string_view second = next(right);
    const auto shown = [line](std::string_view one) { return std::ranges::mismatch(line, one).in1 - line.begin(); };
    out += shown(first) < shown(second) ? first : second;
    if (has_break) out += '\n';
  }
  return out;
}

/// Places of values, by line: the first column of each.
using Columns = std::map<std::size_t, std::size_t>;

void add_column(Columns& out, std::size_t line, std::size_t column) {
  std::size_t& first = out.try_emplace(line, column).first->second;
  first = std::min(first, column);
}

/// `are_all`: or those with a mark alone.
// Recursion: bounded by Limits::depth.
void find_values(const Value& value, const Sources& sources, bool are_all, Columns& out) {
  if (value.is_sequence()) {
    for (const Value& item : value.items()) find_values(item, sources, are_all, out);
  } else if (value.is_container()) {
    for (const Entry& entry : value.entries()) find_values(entry.value, sources, are_all, out);
  }
  if (!value.is_secret() && !(are_all && value.is_leaf())) return;
  const Place place = sources.place(value.origin());
  if (place.line) add_column(out, *place.line, place.column.value_or(1));
}

/// The values that files may have and nobody knows to be secret or not.
struct Doubtful {
  bool is_all = false;                                ///< Who asks may not see any of them.
  const std::set<std::string, std::less<>>* items{};  ///< Those that are secret elsewhere.
  [[nodiscard]] bool has(std::string_view item) const { return is_all || items->contains(item); }
  [[nodiscard]] bool is_empty() const { return !is_all && items->empty(); }
};

/// What may be shown of a text that coverage knows nothing of. No value: that cannot be told.
std::optional<std::string> told_apart(const View& view, const View::ProjectFile& file, const std::string& path, const std::string& text,
                                      const Doubtful& doubtful) {
  const Limits& limits = view.form().limits;
  const bool is_data = file.covered != nullptr;
  const bool has_doubts = is_data && !doubtful.is_empty();
  if (limits.secret_keys == nullptr && !view.has_documents() && !has_doubts) return text;
  edit::Form form = file.form == nullptr ? edit::Form() : file.form->form;
  if (file.form == nullptr && path.ends_with(".json")) form.syntax = edit::Syntax::json;
  if (view.has_documents() || form.syntax == edit::Syntax::other || (has_doubts && doubtful.is_all)) return std::nullopt;
  Sources sources;
  const SourceId source = sources.add(view.shown(path), text);
  Columns secrets;
  const auto find = [&](const Value& root) {
    find_values(root, sources, false, secrets);
    if (!has_doubts || !root.is_mapping()) return;
    for (const Entry& entry : root.entries()) {
      if (doubtful.has(key_text(entry.key))) find_values(entry.value, sources, true, secrets);
    }
  };
  try {
    if (form.syntax == edit::Syntax::json) {
      find(text::read_json(sources, source, limits, 0, form.json).root);
    } else {
      const text::Profile& profile = form.profile == nullptr ? text::psych() : *form.profile;
      for (const text::Document& one : text::read_yaml_stream(sources, source, profile, limits)) find(one.root);
    }
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return std::nullopt;
  }
  return without_secrets(text, secrets);
}

/// The text of coverage, without values that are in no result and in doubt.
std::string without_doubts(const View& view, const analysis::CoveredFile& file, const Doubtful& doubtful) {
  const bool has_items = view.question().results() == analysis::Results::keys;
  if (doubtful.is_empty()) return file.text;
  Columns hidden;
  for (const analysis::CoveredLeaf& leaf : file.leaves) {
    if (leaf.seen() + leaf.shadowed + leaf.removed != 0) continue;
    const std::vector<std::string> tokens = parse_pointer(leaf.path);
    if (doubtful.is_all || (has_items && !tokens.empty() && doubtful.has(tokens.front()))) add_column(hidden, leaf.line, leaf.column);
  }
  return hidden.empty() ? file.text : without_secrets(file.text, hidden);
}

Shown find_file(const Call& call, const Source& source, const View& view) {
  const std::string& name = call[1];
  const std::string path = view.path_of(name);
  const auto& files = view.files(call.stop);
  const auto known = files.find(view.shown(path));
  std::optional<std::string> text;
  if (known != files.end()) text = view.state().files->read(path);
  if (!text) {
    (void)view.editable_path(name);
    std::vector<std::string_view> names;
    names.reserve(files.size());
    for (const auto& one : files) names.push_back(one.first);
    const std::string as_of = view.form().revision.empty() ? std::string() : fmt::format(" as of {}", view.form().revision);
    throw Error("explore.file", fmt::format("the project reads no file '{}'{}", name, as_of)).hint(name_hint(names, name, {}));
  }
  Shown out{.file = known->second, .text = {}, .sha256 = sha256_text(*text)};
  const Doubtful doubtful{.is_all = !source.shows_unused(call), .items = &view.survey(call.stop).secrets.items};
  const bool is_known = out.file.covered != nullptr && !out.file.covered->text.empty();
  const std::optional<std::string> shown =
      is_known ? without_doubts(view, *out.file.covered, doubtful) : told_apart(view, out.file, path, *text, doubtful);
  out.is_hidden = !shown;
  if (shown) out.text = view.form().shown_text ? covered_text(*text, *shown, view.form().shown_text(path, *text)) : *shown;
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
    one.insert("seen", number(file.covered == nullptr ? 0 : static_cast<std::size_t>(std::ranges::count_if(file.covered->leaves, is_seen))));
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
  // Begun now, it is ready when somebody has read the text.
  if (call.request.query.flag("draft")) view->expect_draft();
  const Shown file = find_file(call, source, *view);
  // Effects of so many lines are told where one asks for them.
  const bool has_effects = call.request.query.flag("effects", file.text.size() <= kLargeText);
  const std::string name = view->shown(view->path_of(call[1]));
  const std::size_t from = std::max<std::size_t>(call.request.query.number("from", SIZE_MAX / 2).value_or(1), 1);
  const std::size_t count = call.request.query.number("count", kMostLines).value_or(kLines);
  const std::size_t subjects = view->coverage(call.stop).subjects;
  std::map<std::size_t, LineCounts> counts;
  if (file.file.covered != nullptr && has_effects) {
    for (const analysis::CoveredLeaf& leaf : file.file.covered->leaves) counts[leaf.line].add(leaf, file.file.read_by.value_or(subjects));
  }
  const std::vector<std::string_view> lines = lines_of(file.text);
  Arena arena;
  const Value findings = findings_value(arena, view->findings(call.stop));
  std::map<std::size_t, std::vector<Value>> by_line;  // 0: of the file.
  for (const Value& one : findings.items()) {
    const Value* of = one.find("file");
    if (of == nullptr || !of->is_text() || of->text() != name) continue;
    const Value* line = one.find("line");
    const std::size_t number = line == nullptr || line->kind() != Kind::integer ? 0 : static_cast<std::size_t>(line->as_integer());
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
    one.insert("by", !has_effects || rivals == survey.rivals.end() ? arena.sequence() : rivals_value(arena, rivals->second));
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
