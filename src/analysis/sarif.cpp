// SPDX-License-Identifier: Apache-2.0
// Findings as SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "findings.hpp"
#include "strata/builder.hpp"
#include "strata/version.hpp"

namespace strata::analysis {
namespace {

constexpr std::size_t kMostResults = 25'000;  // GitHub takes no more.
constexpr std::string_view kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

/// The address of the pages in docs/, of this version.
std::string manual() { return fmt::format("{}/blob/v{}/docs/", kHome, version()); }

/// A file as a reference of a URI, or an absolute one as a URI.
std::string uri_of(std::string_view file) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string out = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

/// A kind of finding in the list of rules.
struct RuleOfCode {
  Severity severity = Severity::note;  ///< Of the worst finding.
  std::int64_t index = 0;
};

class Writer {
 public:
  Writer(Arena& arena, const CheckReport& report)
      : arena_(arena), report_(report), prints_(fingerprints(report)), order_(by_severity(report)) {
    if (order_.size() > kMostResults) order_.resize(kMostResults);
    for (const std::size_t i : order_) {
      const Finding& one = report.findings[i];
      RuleOfCode& rule = rules_.try_emplace(one.what.code, RuleOfCode{.severity = one.severity}).first->second;
      rule.severity = std::min(rule.severity, one.severity);
    }
    std::int64_t index = 0;
    for (auto& [code, rule] : rules_) rule.index = index++;
  }

  Value write() {
    SequenceBuilder results(arena_, order_.size());
    for (const std::size_t i : order_) results.append(result(i));
    MappingBuilder run(arena_);
    run.insert("tool", object("driver", driver()));
    run.insert("originalUriBaseIds",
               object("SRCROOT",
                      object("description", text("the folder of .strata.yaml, or else the one in which strata ran"))));
    run.insert("columnKind", arena_.text("unicodeCodePoints"));
    run.insert("results", results.finish());
    MappingBuilder out(arena_);
    out.insert("$schema", arena_.text(kSchema));
    out.insert("version", arena_.text("2.1.0"));
    out.insert("runs", list(run.finish()));
    return out.finish();
  }

 private:
  Value object(std::string_view key, const Value& value) {
    MappingBuilder out(arena_);
    out.insert(key, value);
    return out.finish();
  }
  Value text(std::string_view value) { return object("text", arena_.text(value)); }
  Value list(const Value& item) {
    SequenceBuilder out(arena_, 1);
    out.append(item);
    return out.finish();
  }

  Value driver() {
    SequenceBuilder rules(arena_, rules_.size());
    for (const auto& [code, of_code] : rules_) rules.append(rule(code, of_code.severity));
    MappingBuilder out(arena_);
    out.insert("name", arena_.text("strata"));
    out.insert("version", arena_.text(version()));
    out.insert("informationUri", arena_.text(manual()));
    out.insert("rules", rules.finish());
    return out.finish();
  }

  /// `worst`: the severity of the worst finding of a code.
  Value rule(std::string_view code, Severity worst) {
    const FindingCode* known = code.starts_with(kCheckPrefix) ? find_code(code) : nullptr;
    MappingBuilder out(arena_);
    out.insert("id", arena_.text(code));
    const std::string_view of_evaluation =
        worst == Severity::error ? "an error, without which there would be a result" : "a warning of the evaluation";
    out.insert("shortDescription", text(known != nullptr ? known->about : of_evaluation));
    out.insert("helpUri", arena_.text(manual() + (known != nullptr ? "analysis/check.md" : "errors.md")));
    out.insert("defaultConfiguration",
               object("level", arena_.text(to_string(known != nullptr ? known->severity : worst))));
    return out.finish();
  }

  Value result(std::size_t number) {
    const Finding& one = report_.findings[number];
    MappingBuilder out(arena_);
    out.insert("ruleId", arena_.text(one.what.code));
    out.insert("ruleIndex", Value::integer(rules_.at(one.what.code).index));
    out.insert("level", arena_.text(to_string(one.severity)));
    out.insert("message", text(message_of(one)));
    const Place& place = one.what.where.place;
    if (!place.file.empty()) out.insert("locations", list(object("physicalLocation", physical(place))));
    SequenceBuilder related(arena_);
    for (auto note = one.what.notes.begin(); note != one.what.notes.end(); ++note) {
      // All must differ.
      if (note->place.file.empty() || std::find(one.what.notes.begin(), note, *note) != note) continue;
      MappingBuilder location(arena_);
      location.insert("physicalLocation", physical(note->place));
      location.insert("message", text(note->message));
      related.append(location.finish());
    }
    if (related.size() != 0) out.insert("relatedLocations", related.finish());
    out.insert("partialFingerprints", object("strataFinding/v1", arena_.text(prints_[number])));
    if (one.silence) out.insert("suppressions", list(suppression(*one.silence)));
    return out.finish();
  }

  Value suppression(const Silence& silence) {
    MappingBuilder out(arena_);
    out.insert("kind", arena_.text(silence.by == Silence::By::comment ? "inSource" : "external"));
    if (!silence.reason.empty()) out.insert("justification", arena_.text(silence.reason));
    return out.finish();
  }

  Value physical(const Place& place) {
    MappingBuilder artifact(arena_);
    const std::string file = file_from_root(report_, place.file);
    artifact.insert("uri", arena_.text(uri_of(file)));
    if (!file.starts_with('/')) artifact.insert("uriBaseId", arena_.text("SRCROOT"));
    MappingBuilder out(arena_);
    out.insert("artifactLocation", artifact.finish());
    if (place.line) {
      MappingBuilder region(arena_);
      region.insert("startLine", Value::integer(*place.line));
      if (place.column) region.insert("startColumn", Value::integer(*place.column));
      out.insert("region", region.finish());
    }
    return out.finish();
  }

  Arena& arena_;
  const CheckReport& report_;
  std::vector<std::string> prints_;
  std::vector<std::size_t> order_;           ///< The findings that are written.
  std::map<std::string, RuleOfCode> rules_;  ///< By code.
};

}  // namespace

Value check_sarif(Arena& arena, const CheckReport& report) { return Writer(arena, report).write(); }

}  // namespace strata::analysis
