// Findings as texts and data.

#include <fmt/format.h>

#include <array>
#include <map>

#include "strata/builder.hpp"
#include "strata/check.hpp"
#include "tree/sha256.hpp"
#include "wording.hpp"

namespace strata::analysis {
namespace {

using Counts = std::array<std::size_t, 3>;

Counts counts_of(const CheckReport& report) {
  Counts out{};
  for (const Finding& one : report.findings) ++out[static_cast<std::size_t>(one.severity)];
  return out;
}

void add_place(Arena& arena, MappingBuilder& out, const Place& place) {
  if (!place.file.empty()) out.insert("file", arena.text(place.file));
}

void add_line(MappingBuilder& out, const Place& place) {
  if (place.line) out.insert("line", Value::integer(*place.line));
  if (place.column) out.insert("column", Value::integer(*place.column));
}

}  // namespace

std::vector<std::string> fingerprints(const CheckReport& report) {
  constexpr std::size_t kDigits = 16;
  std::vector<std::string> out;
  std::map<std::string, std::size_t> times;
  for (const Finding& one : report.findings) {
    std::string text = one.what.code;
    for (const std::string& part : {one.what.where.place.file, one.pointer, one.detail}) (text += '\0') += part;
    std::string print = sha256_text(text).substr(0, kDigits);
    const std::size_t time = ++times[print];
    if (time > 1) print += fmt::format("-{}", time);
    out.push_back(std::move(print));
  }
  return out;
}

std::string check_text(const CheckReport& report) {
  std::string out;
  for (const Finding& one : report.findings) out += format(one.what, to_string(one.severity));
  const auto [errors, warnings, notes] = counts_of(report);
  return out + fmt::format("{}, {}, {}\n", counted(errors, "error"), counted(warnings, "warning"), counted(notes, "note"));
}

Value check_data(Arena& arena, const CheckReport& report) {
  SequenceBuilder findings(arena, report.findings.size());
  const std::vector<std::string> prints = fingerprints(report);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const Finding& one = report.findings[i];
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
    data.insert("fixable", Value::boolean(one.is_fixable));
    data.insert("fingerprint", arena.text(prints[i]));
    findings.append(data.finish());
  }
  const Counts counts = counts_of(report);
  MappingBuilder summary(arena);
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    summary.insert(to_string(severity), Value::integer(static_cast<std::int64_t>(counts[static_cast<std::size_t>(severity)])));
  }
  MappingBuilder out(arena);
  out.insert("format", arena.text("strata-check/1"));
  out.insert("subjects", Value::integer(static_cast<std::int64_t>(report.subjects)));
  out.insert("findings", findings.finish());
  out.insert("suppressed", Value::integer(0));
  out.insert("summary", summary.finish());
  return out.finish();
}

}  // namespace strata::analysis
