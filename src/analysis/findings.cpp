// SPDX-License-Identifier: Apache-2.0
// Findings as texts and data.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "findings.hpp"
#include "strata/builder.hpp"
#include "strata/paths.hpp"
#include "tree/sha256.hpp"
#include "value/shown_url.hpp"
#include "wording.hpp"

namespace strata::analysis {
namespace {

void add_place(Arena& arena, MappingBuilder& out, const Place& place) {
  if (!place.file.empty()) out.insert("file", arena.text(place.file));
}

void add_line(MappingBuilder& out, const Place& place) {
  if (place.line) out.insert("line", Value::integer(*place.line));
  if (place.column) out.insert("column", Value::integer(*place.column));
}

/// For people.
std::string_view shown(Silence::By by) {
  switch (by) {
    case Silence::By::comment:
      return "a comment";
    case Silence::By::config:
      return "the configuration";
    case Silence::By::baseline:
      return "the baseline";
  }
  return "a comment";
}

}  // namespace

Counts counts_of(const CheckReport& report) {
  Counts out;
  for (const Finding& one : report.findings)
    ++(one.silence ? out.silenced : out.told[static_cast<std::size_t>(one.severity)]);
  return out;
}

std::string summary_of(const CheckReport& report) {
  const Counts counts = counts_of(report);
  const auto [errors, warnings, notes] = counts.told;
  std::string out =
      fmt::format("{}, {}, {}", counted(errors, "error"), counted(warnings, "warning"), counted(notes, "note"));
  if (counts.silenced != 0) out += fmt::format("; {} suppressed", counts.silenced);
  return out + '\n';
}

std::string message_of(const Finding& finding) {
  return finding.what.hint.empty() ? finding.what.message
                                   : fmt::format("{}. {}", finding.what.message, finding.what.hint);
}

std::vector<std::size_t> by_severity(const CheckReport& report) {
  std::vector<std::size_t> out(report.findings.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = i;
  std::ranges::stable_sort(out, {}, [&report](std::size_t i) {
    return std::tuple(report.findings[i].silence.has_value(), report.findings[i].severity);
  });
  return out;
}

void sort_findings(CheckReport& report) {
  std::ranges::stable_sort(report.findings, {}, [](const Finding& one) {
    const Place& place = one.what.where.place;
    return std::tuple(place.file.empty(), std::string_view(place.file), place.line.value_or(0),
                      place.column.value_or(0), std::string_view(one.what.code));
  });
}

std::string file_from_root(const CheckReport& report, const std::string& file) {
  // `<stdin>` and the like are not files.
  if (report.root.empty() || file.empty() || file.starts_with('<') || is_url(file)) return file;
  return shown_path(absolute_path(report.folder, file), report.root);
}

std::vector<std::string> fingerprints(const CheckReport& report) {
  constexpr std::size_t kDigits = 16;
  std::vector<std::string> out;
  std::map<std::string, std::size_t> times;
  for (const Finding& one : report.findings) {
    std::string text = one.what.code;
    for (const std::string& part : {file_from_root(report, one.what.where.place.file), one.pointer, one.detail})
      (text += '\0') += part;
    std::string print = sha256_text(text).substr(0, kDigits);
    const std::size_t time = ++times[print];
    if (time > 1) print += fmt::format("-{}", time);
    out.push_back(std::move(print));
  }
  return out;
}

std::string check_text(const CheckReport& report, bool shows_silenced) {
  std::string out;
  for (const Finding& one : report.findings) {
    if (!one.silence) out += format(one.what, to_string(one.severity));
    if (!one.silence || !shows_silenced) continue;
    Diagnostic what = one.what;
    what.hint = fmt::format("silenced by {}{}{}", shown(one.silence->by), one.silence->reason.empty() ? "" : ": ",
                            one.silence->reason);
    out += format(what, to_string(one.severity));
  }
  return out + summary_of(report);
}

Value check_data(Arena& arena, const CheckReport& report, bool shows_silenced) {
  SequenceBuilder findings(arena, report.findings.size());
  const std::vector<std::string> prints = fingerprints(report);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const Finding& one = report.findings[i];
    if (one.silence && !shows_silenced) continue;
    MappingBuilder data(arena);
    data.insert("code", arena.text(one.what.code));
    data.insert("severity", arena.text(to_string(one.severity)));
    const Place& place = one.what.where.place;
    add_place(arena, data, place);
    if (one.document) data.insert("document", Value::integer(static_cast<std::int64_t>(*one.document)));
    data.insert("path", arena.text(one.pointer));
    add_line(data, place);
    data.insert("message", arena.text(one.what.message));
    SequenceBuilder notes(arena);
    for (const Excerpt& note : one.what.notes) {
      MappingBuilder of_note(arena);
      of_note.insert("message", arena.text(note.message));
      add_place(arena, of_note, note.place);
      add_line(of_note, note.place);
      notes.append(of_note.finish());
    }
    data.insert("notes", notes.finish());
    data.insert("hint", arena.text(one.what.hint));
    data.insert("fixable", Value::boolean(one.removable.has_value()));
    data.insert("fingerprint", arena.text(prints[i]));
    if (one.silence) {
      data.insert("silenced_by", arena.text(to_string(one.silence->by)));
      data.insert("reason", arena.text(one.silence->reason));
    }
    findings.append(data.finish());
  }
  const Counts counts = counts_of(report);
  MappingBuilder summary(arena);
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    summary.insert(to_string(severity),
                   Value::integer(static_cast<std::int64_t>(counts.told[static_cast<std::size_t>(severity)])));
  }
  MappingBuilder out(arena);
  out.insert("format", arena.text("strata-check/1"));
  out.insert("subjects", Value::integer(static_cast<std::int64_t>(report.subjects)));
  out.insert("findings", findings.finish());
  out.insert("suppressed", Value::integer(static_cast<std::int64_t>(counts.silenced)));
  out.insert("summary", summary.finish());
  return out.finish();
}

}  // namespace strata::analysis
