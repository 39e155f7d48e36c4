// SPDX-License-Identifier: Apache-2.0
#include "strata/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/ledger.hpp"
#include "analysis/secret_texts.hpp"
#include "report/lines.hpp"
#include "strata/builder.hpp"
#include "strata/links.hpp"
#include "strata/report.hpp"
#include "strata/study.hpp"

namespace strata::analysis {
namespace {

/// The name by which `--only` knows what a statement is about.
std::string selection_name(const Ledger& ledger, const Statement& statement) {
  std::string item = ledger.stated().item_of(statement);
  return item.empty() ? statement.tokens.front() : item;
}

bool is_counted(const Ledger& ledger, std::uint32_t number) {
  for (std::uint32_t at = number; at != Statement::kNone; at = ledger.stated().all()[at].parent) {
    if (ledger.stated().is_looked_at(ledger.stated().all()[at])) return true;
  }
  return false;
}

CoveredFile covered(const Ledger& ledger, const FileRecord& record, const std::vector<std::string>& only,
                    bool hides_doubtful) {
  CoveredFile out{.file = record.name, .text = {}, .read_by = record.readers};
  if (!record.reading) return out;
  // Documents of Deckhand hold secrets that only some renderings mark: data that took part in none may be such.
  out.text = ledger.stated().shown_text(record, hides_doubtful);
  for (const LeafRecord& leaf : record.leaves) {
    const Statement& statement = ledger.stated().all()[leaf.statement];
    if (!is_counted(ledger, leaf.statement)) continue;
    const auto is_named = [&](const std::string& pattern) {
      return matches(pattern, selection_name(ledger, statement));
    };
    if (!only.empty() && std::ranges::none_of(only, is_named)) continue;
    const Place place = record.reading->sources->place(leaf.value.origin());
    const auto count = [&leaf](merge::Fate fate) { return leaf.counts[static_cast<std::size_t>(fate)]; };
    out.leaves.push_back({.path = ledger.stated().shown_pointer(statement),
                          .line = place.line.value_or(1),
                          .column = place.column.value_or(1),
                          .won = count(merge::Fate::won),
                          .merged = count(merge::Fate::merged),
                          .shadowed = count(merge::Fate::shadowed),
                          .removed = count(merge::Fate::removed),
                          .seen_by = leaf.counts[LeafRecord::kSeen]});
  }
  return out;
}

/// The largest number of subjects that see a leaf, by line.
std::map<std::size_t, std::size_t> by_line(const CoveredFile& file) {
  std::map<std::size_t, std::size_t> out;
  for (const CoveredLeaf& leaf : file.leaves) {
    std::size_t& most = out[leaf.line];
    most = std::max(most, leaf.seen());
  }
  return out;
}

}  // namespace

CoverageReport coverage(const Question& question, const State& state, const CoverageSettings& settings) {
  CoverageReport out;
  const query::Traits& traits = question.traits();
  Ledger ledger(state, traits, settings.folder, settings.limits);
  const auto asked = question.in(state, Question::History::yes, Question::Telling::found);
  while (const auto subject = asked->next()) {
    ++out.subjects;
    const auto alike = subject->alike();
    if (ledger.add_again(alike) != nullptr) {
      asked->tell(subject->warnings());
      continue;
    }
    const Subject::Answer answer = subject->ask(std::nullopt);
    if (answer.outcome.failure) {
      ledger.add_failed(*subject, answer, true);
    } else {
      ledger.add(*subject, answer, out.subjects, alike);
    }
  }
  ledger.finish();
  for (const auto& record : ledger.stated().files()) {
    if (!record->reading && !traits.is_keyed) continue;
    const CoveredFile& file = out.files.emplace_back(covered(ledger, *record, settings.only, traits.has_documents));
    if (!record->reading) continue;
    auto lines = hidden_lines(record->reading->text(), file.text);
    if (!lines.empty()) out.secret_lines[detail::real_path(*state.files, record->path)].merge(std::move(lines));
  }
  // One node says nothing about the files of others.
  if (question.wording().is_fleet) {
    for (const std::string& path : ledger.unread())
      out.files.push_back({.file = ledger.stated().shown(path), .text = {}});
  }
  std::ranges::sort(out.files, {}, &CoveredFile::file);
  return out;
}

std::string coverage_text(const CoverageReport& report, const Wording& wording) {
  std::string out;
  for (const CoveredFile& file : report.files) {
    if (!out.empty()) out += '\n';
    out += fmt::format("{} (read by {} of {} {}{})\n", report::on_one_line(file.file), file.read_by, report.subjects,
                       wording.subject, report.subjects == 1 ? "" : "s");
    const auto counts = by_line(file);
    std::size_t line = 0;
    for (std::size_t at = 0; at < file.text.size();) {
      const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
      std::string_view text = std::string_view(file.text).substr(at, end - at);
      if (text.ends_with('\r')) text.remove_suffix(1);
      const auto found = counts.find(++line);
      const std::string count = found == counts.end() ? "-" : found->second == 0 ? "0!" : std::to_string(found->second);
      out += fmt::format("{:>6} | {}\n", count, text);
      at = end + 1;
    }
  }
  return out;
}

Value coverage_data(Arena& arena, const CoverageReport& report) {
  const auto number = [](std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); };
  SequenceBuilder files(arena, report.files.size());
  for (const CoveredFile& file : report.files) {
    SequenceBuilder leaves(arena, file.leaves.size());
    for (const CoveredLeaf& leaf : file.leaves) {
      MappingBuilder data(arena);
      data.insert("path", arena.text(leaf.path));
      data.insert("line", Value::integer(leaf.line));
      data.insert("column", Value::integer(leaf.column));
      data.insert("won", number(leaf.won));
      data.insert("merged", number(leaf.merged));
      data.insert("shadowed", number(leaf.shadowed));
      data.insert("removed", number(leaf.removed));
      leaves.append(data.finish());
    }
    MappingBuilder data(arena);
    data.insert("file", arena.text(file.file));
    data.insert("read_by", number(file.read_by));
    data.insert("leaves", leaves.finish());
    files.append(data.finish());
  }
  MappingBuilder out(arena);
  out.insert("format", arena.text("strata-coverage/1"));
  out.insert("subjects", number(report.subjects));
  out.insert("files", files.finish());
  return out.finish();
}

std::string coverage_lcov(const CoverageReport& report) {
  std::string out;
  for (const CoveredFile& file : report.files) {
    out += fmt::format("SF:{}\n", file.file);
    for (const auto& [line, count] : by_line(file)) out += fmt::format("DA:{},{}\n", line, count);
    out += "end_of_record\n";
  }
  return out;
}

}  // namespace strata::analysis
