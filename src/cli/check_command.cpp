// strata bindings check: everything that is wrong with a site, for one node's facts.
#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "site_options.hpp"
#include "strata/text.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

/// As a member of the JSON form.
Value place_data(Arena& arena, const Place& place, std::string_view message) {
  const Value out = arena.mapping();
  arena.insert(out, "message", arena.text(message));
  if (!place.file.empty()) arena.insert(out, "file", arena.text(place.file));
  if (place.line) arena.insert(out, "line", Value::integer(*place.line));
  if (place.column) arena.insert(out, "column", Value::integer(*place.column));
  return out;
}

Value finding_data(Arena& arena, const Diagnostic& finding) {
  const Value out = place_data(arena, finding.where.place, finding.message);
  arena.insert(out, "code", arena.text(finding.code));
  if (!finding.notes.empty()) {
    const Value notes = arena.sequence();
    for (const Excerpt& note : finding.notes) arena.append(notes, place_data(arena, note.place, note.message));
    arena.insert(out, "notes", notes);
  }
  if (!finding.hint.empty()) arena.insert(out, "hint", arena.text(finding.hint));
  return out;
}

Value findings_data(Arena& arena, const std::vector<Diagnostic>& findings) {
  const Value out = arena.sequence(findings.size());
  for (const Diagnostic& finding : findings) arena.append(out, finding_data(arena, finding));
  return out;
}

Value text_or_null(Arena& arena, const std::string& text) { return text.empty() ? Value::null() : arena.text(text); }

/// `{environment, manifest, layers, errors, warnings}`. Rule: docs/bindings/check.md.
std::string report_json(const bindings::Findings& findings) {
  Arena arena;
  const Value out = arena.mapping();
  arena.insert(out, "environment", text_or_null(arena, findings.environment));
  arena.insert(out, "manifest", text_or_null(arena, findings.manifest));
  const Value layers = arena.sequence();
  for (const bindings::Findings::Layer& layer : findings.layers) {
    const Value documents = arena.sequence();
    for (const std::string& document : layer.documents) arena.append(documents, arena.text(document));
    const Value data = arena.mapping();
    arena.insert(data, "name", arena.text(layer.name));
    arena.insert(data, "documents", documents);
    arena.append(layers, data);
  }
  arena.insert(out, "layers", layers);
  arena.insert(out, "errors", findings_data(arena, findings.errors));
  arena.insert(out, "warnings", findings_data(arena, findings.warnings));
  return text::write_json(out);
}

class CheckCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.subcommand("bindings", "ARM-8 bindings: check a site, explain a name").add_subcommand("check", "what is wrong with a site");
    site_.add_to(command_, true);
    options_.add_to(command_, Output::yaml);
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] std::string place_of_files() const override { return site_.confdir(); }
  [[nodiscard]] bool allows_network() const override { return true; }
  [[nodiscard]] bool explains_by_history() override { return false; }

  void prepare(Host& host) override {
    if (options_.blame || options_.explain || !options_.against.empty()) {
      throw UsageError("bindings check: there is no value to show with --blame, --explain or --against");
    }
    site_.prepare(host);
  }

  Outcome run(Session& session) override {
    bindings::Findings findings = site::check(site_.settings(options_.strict), site_.node(), session);
    std::vector<Diagnostic>& warnings = findings.warnings;
    const auto remark = std::stable_partition(warnings.begin(), warnings.end(), [](const Diagnostic& one) { return remark_level(one).empty(); });
    std::vector<Diagnostic> remarks(std::make_move_iterator(remark), std::make_move_iterator(warnings.end()));
    warnings.erase(remark, warnings.end());
    if (options_.strict) {
      for (Diagnostic& warning : findings.warnings) findings.errors.push_back(std::move(warning));
      findings.warnings.clear();
    }
    const bool as_json = options_.output_given && options_.output == Output::json;
    return {.result = {},
            .yaml_head = {},
            .printed = {},
            .keepalive = nullptr,
            .stream = [findings = std::move(findings), remarks = std::move(remarks), as_json](const Stream& stream) {
              for (const Diagnostic& one : remarks) stream.tell(without_excerpts(one), remark_level(one));
              if (as_json) {
                stream.print(report_json(findings));
              } else {
                tell(stream, findings);
              }
              return findings.errors.empty();
            }};
  }

 private:
  static Diagnostic without_excerpts(Diagnostic finding) {
    finding.where.line.clear();
    for (Excerpt& note : finding.notes) note.line.clear();
    return finding;
  }

  /// A line a finding, with notes below it.
  static void tell(const Stream& stream, const bindings::Findings& findings) {
    for (const Diagnostic& each : findings.errors) stream.tell(without_excerpts(each), "error");
    for (const Diagnostic& each : findings.warnings) stream.tell(without_excerpts(each), "warning");
    // One form for scripts, whatever the numbers are.
    stream.print(fmt::format("{} errors, {} warnings\n", findings.errors.size(), findings.warnings.size()));
  }

  Arguments command_;
  SiteOptions site_;
  SharedOptions options_;
};

}  // namespace

std::unique_ptr<Command> check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace strata::cli
