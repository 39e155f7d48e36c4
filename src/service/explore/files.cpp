// Files, with what becomes of each line.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/explore/survey.hpp"
#include "strata/report.hpp"
#include "tree/sha256.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kLines = 1000;
constexpr std::size_t kMostLines = 10'000;
constexpr std::size_t kMostRivals = 20;

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
  const analysis::CoveredFile* covered = nullptr;
  std::string text;
  std::string sha256;
  bool is_editable = true;
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

/// Every text in which the question or the check found something: files of data, and of configuration.
Shown find_file(const View& view, const std::string& name, const Stop& stop) {
  Shown out;
  const std::string path = view.path_of(name);
  const analysis::CoverageReport& coverage = view.coverage(stop);
  const auto known = std::ranges::find_if(coverage.files, [&](const analysis::CoveredFile& one) { return view.path_of(one.file) == path; });
  if (known != coverage.files.end()) out.covered = &*known;
  const auto& read = view.findings(stop).files;
  const bool is_read = std::ranges::any_of(read, [&](const analysis::ConfigurationFile& one) { return one.path == path; });
  const bool has_findings = std::ranges::any_of(view.findings(stop).findings,
                                                [&](const analysis::Finding& one) { return view.path_of(one.what.where.place.file) == path; });
  std::optional<std::string> text;
  if (out.covered != nullptr || is_read || has_findings) text = view.state().files->read(path);
  if (!text) {
    (void)view.editable_path(name);
    const std::string as_of = view.form().revision.empty() ? std::string() : fmt::format(" as of {}", view.form().revision);
    throw Error("explore.file", fmt::format("the project reads no file '{}'{}", name, as_of));
  }
  out.sha256 = sha256_text(*text);
  out.text = *text;
  if (out.covered != nullptr && !out.covered->text.empty()) out.text = covered_text(*text, out.text, out.covered->text);
  if (view.form().shown_text) out.text = covered_text(*text, out.text, view.form().shown_text(path, *text));
  out.is_editable = out.text == *text;
  return out;
}

}  // namespace

Response list_files(const Call& call, Source& source) {
  const auto view = view_of(call, source);
  const auto marks = marks_of(view->findings(call.stop));
  Arena arena;
  SequenceBuilder list(arena);
  for (const auto& [name, file] : view->files(call.stop)) {
    MappingBuilder one(arena);
    one.insert("file", arena.text(name));
    one.insert("read_by", number(view->readers_of(view->path_of(name), file, call.stop)));
    one.insert("leaves", number(file == nullptr ? 0 : file->leaves.size()));
    const auto is_seen = [](const analysis::CoveredLeaf& leaf) { return leaf.seen() != 0; };
    one.insert("seen", number(file == nullptr ? 0 : static_cast<std::size_t>(std::ranges::count_if(file->leaves, is_seen))));
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
  const Shown file = find_file(*view, call[1], call.stop);
  const std::string name = view->shown(view->path_of(call[1]));
  const std::size_t from = std::max<std::size_t>(call.request.query.number("from", SIZE_MAX / 2).value_or(1), 1);
  const std::size_t count = call.request.query.number("count", kMostLines).value_or(kLines);
  std::map<std::size_t, LineCounts> counts;
  if (file.covered != nullptr) {
    for (const analysis::CoveredLeaf& leaf : file.covered->leaves) {
      LineCounts& line = counts[leaf.line];
      ++line.leaves;
      line.won = std::max(line.won, leaf.won);
      line.merged = std::max(line.merged, leaf.merged);
      line.shadowed = std::max(line.shadowed, leaf.shadowed);
      line.removed = std::max(line.removed, leaf.removed);
    }
  }
  Arena arena;
  const Value findings = findings_value(arena, view->findings(call.stop));
  std::map<std::size_t, std::vector<Value>> by_line;  // 0: of the file.
  for (const Value& one : findings.items()) {
    const Value* of = one.find("file");
    if (of == nullptr || !of->is_text() || of->text() != name) continue;
    const Value* line = one.find("line");
    by_line[line == nullptr || line->kind() != Kind::integer ? 0 : static_cast<std::size_t>(line->as_integer())].push_back(one);
  }
  const Survey& survey = view->survey(call.stop);
  const std::vector<std::string_view> lines = lines_of(file.text);
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
    }
    const auto rivals = survey.rivals.find({name, static_cast<std::uint32_t>(i)});
    one.insert("by", rivals == survey.rivals.end() ? arena.sequence() : rivals_value(arena, rivals->second));
    one.insert("findings", arena.sequence(by_line[i]));
    list.append(one.finish());
  }
  MappingBuilder out(arena);
  out.insert("file", arena.text(name));
  out.insert("total", number(lines.size()));
  out.insert("read_by", number(view->readers_of(view->path_of(call[1]), file.covered, call.stop)));
  out.insert("subjects", number(view->coverage(call.stop).subjects));
  out.insert("sha256", arena.text(file.sha256));
  out.insert("editable", Value::boolean(file.is_editable));
  out.insert("findings", arena.sequence(by_line[0]));
  out.insert("lines", list.finish());
  return answer(call, out, view->form().generation);
}

Response list_events(const Call& call, Source& source) { return source.events(call); }

}  // namespace strata::service::explore
