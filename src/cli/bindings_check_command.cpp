// SPDX-License-Identifier: Apache-2.0
// strata bindings check: everything that is wrong with a site, for one node's facts.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "command.hpp"
#include "lookup_fleet.hpp"
#include "site_options.hpp"
#include "strata/builder.hpp"
#include "strata/remarks.hpp"
#include "strata/stop_scope.hpp"
#include "strata/text.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

/// As a member of the JSON form.
MappingBuilder place_data(Arena& arena, const Place& place, std::string_view message) {
  MappingBuilder out(arena);
  out.insert("message", arena.text(message));
  if (!place.file.empty()) out.insert("file", arena.text(place.file));
  if (place.line) out.insert("line", Value::integer(*place.line));
  if (place.column) out.insert("column", Value::integer(*place.column));
  return out;
}

Value finding_data(Arena& arena, const Diagnostic& finding) {
  MappingBuilder out = place_data(arena, finding.where.place, finding.message);
  out.insert("code", arena.text(finding.code));
  if (!finding.notes.empty()) {
    SequenceBuilder notes(arena);
    for (const Excerpt& note : finding.notes) notes.append(place_data(arena, note.place, note.message).finish());
    out.insert("notes", notes.finish());
  }
  if (!finding.hint.empty()) out.insert("hint", arena.text(finding.hint));
  return out.finish();
}

Value findings_data(Arena& arena, const std::vector<Diagnostic>& findings) {
  SequenceBuilder out(arena, findings.size());
  for (const Diagnostic& finding : findings) out.append(finding_data(arena, finding));
  return out.finish();
}

Value text_or_null(Arena& arena, const std::string& text) { return text.empty() ? Value::null() : arena.text(text); }

/// `{environment, manifest, layers, errors, warnings}`. Rule: docs/bindings/check.md.
Value report_data(Arena& arena, const bindings::Findings& findings) {
  MappingBuilder out(arena);
  out.insert("environment", text_or_null(arena, findings.environment));
  out.insert("manifest", text_or_null(arena, findings.manifest));
  SequenceBuilder layers(arena);
  for (const bindings::Findings::Layer& layer : findings.layers) {
    SequenceBuilder documents(arena);
    for (const std::string& document : layer.documents) documents.append(arena.text(document));
    MappingBuilder data(arena);
    data.insert("name", arena.text(layer.name));
    data.insert("documents", documents.finish());
    layers.append(data.finish());
  }
  out.insert("layers", layers.finish());
  out.insert("errors", findings_data(arena, findings.errors));
  out.insert("warnings", findings_data(arena, findings.warnings));
  return out.finish();
}

/// What is wrong for some of many nodes, once each.
class SharedFindings {
 public:
  void add(const std::string& node, const std::vector<Diagnostic>& findings) {
    for (const Diagnostic& finding : findings) {
      const auto [known, is_new] = places_.try_emplace(format(finding, ""), all_.size());
      if (is_new) {
        all_.push_back({.finding = finding, .node = node});
      } else {
        ++all_[known->second].more;
      }
    }
  }
  /// Each says which nodes it is about, unless it is about all of `nodes`.
  [[nodiscard]] std::vector<Diagnostic> named(std::size_t nodes) const {
    std::vector<Diagnostic> out;
    for (const Shared& shared : all_) {
      Diagnostic finding = shared.finding;
      if (shared.more + 1 < nodes) {
        finding.message += shared.more == 0 ? fmt::format(" (node '{}')", shared.node)
                                            : fmt::format(" (node '{}' and {} more)", shared.node, shared.more);
      }
      out.push_back(std::move(finding));
    }
    return out;
  }

 private:
  struct Shared {
    Diagnostic finding;
    std::string node;
    std::size_t more = 0;
  };
  std::vector<Shared> all_;
  std::unordered_map<std::string, std::size_t> places_;
};

class BindingsCheckCommand final : public Verb {
 public:
  void add_to(Arguments& program) override {
    command_ = program.subcommand("bindings", "ARM-8 bindings: check a site or explain a value")
                   .add_subcommand("check", "find the problems of a site of bindings");
    command_.add(site::site_options(true), given_);
    options_.add_to(command_, Output::yaml);
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] std::string place_of_files() const override { return site_.confdir(); }
  [[nodiscard]] Permissions permissions() override { return {.programs = true, .network = true}; }
  [[nodiscard]] bool explains_by_history() override { return false; }

  void check_usage() override {
    if (options_.blame || options_.explain || options_.compares) {
      throw UsageError(Usage::conflict, "bindings check: it prints no values: remove --blame, --explain and --against");
    }
  }

  void prepare(Host& host) override {
    host_ = &host;
    site_.prepare(host);
  }

  Outcome run(Session& session) override {
    const bool as_json = options_.output_given && options_.output == Output::json;
    if (!site_.nodes().empty()) return fleet(session, as_json);
    std::vector<Diagnostic> remarks;
    bindings::Findings findings = checked(site_.node(), session, remarks);
    return {.result = {},
            .yaml_head = {},
            .printed = {},
            .keepalive = nullptr,
            .stream = [findings = std::move(findings), remarks = std::move(remarks), as_json](const Stream& stream) {
              for (const Diagnostic& one : remarks) stream.tell(without_excerpts(one), remark_level(one));
              if (as_json) {
                Arena arena;
                stream.print(text::write_json(report_data(arena, findings)));
              } else {
                tell(stream, findings);
              }
              return findings.errors.empty();
            }};
  }

 private:
  /// The findings of a node. Adds what its site reports without a finding to `remarks`.
  bindings::Findings checked(const site::NodeInputs& node, Session& session, std::vector<Diagnostic>& remarks) const {
    bindings::Findings findings = site::check(site_.settings(options_.strict, options_.bounds), node, session);
    std::vector<Diagnostic>& warnings = findings.warnings;
    const auto remark = std::stable_partition(warnings.begin(), warnings.end(),
                                              [](const Diagnostic& one) { return remark_level(one).empty(); });
    remarks.insert(remarks.end(), std::make_move_iterator(remark), std::make_move_iterator(warnings.end()));
    warnings.erase(remark, warnings.end());
    if (options_.strict) {
      for (Diagnostic& warning : findings.warnings) findings.errors.push_back(std::move(warning));
      findings.warnings.clear();
    }
    return findings;
  }

  /// All nodes of `--nodes`: as text each finding once, as JSON a mapping of nodes to their reports.
  Outcome fleet(Session& session, bool as_json) {
    return {.result = {},
            .yaml_head = {},
            .printed = {},
            .keepalive = {},
            .stream = [this, &session, as_json](const Stream& stream) {
              const auto nodes = open_nodes(site_.nodes(), *host_, session.sources(), session.limits());
              SharedFindings errors;
              SharedFindings warnings;
              Arena arena;
              MappingBuilder reports(arena);
              std::size_t count = 0;
              while (const auto node = nodes->next()) {
                session.stop().check();
                Session own(session, false);
                const StopScope work(&own.stop());
                session.snapshot().add_input(kInputOfNode);
                std::vector<Diagnostic> remarks;
                std::string name;
                const bindings::Findings findings = of_node(*node, own, session, remarks, name);
                errors.add(name, findings.errors);
                warnings.add(name, findings.warnings);
                if (as_json) reports.insert(name, report_data(arena, findings));
                stream.progress(fmt::format("{} nodes", ++count));
              }
              if (count == 0) stream.tell(no_nodes(site_.nodes()), options_.strict ? "error" : "warning");
              bindings::Findings all;
              all.errors = errors.named(count);
              all.warnings = warnings.named(count);
              if (as_json) {
                stream.print(text::write_json(reports.finish()));
              } else {
                tell(stream, all);
              }
              return all.errors.empty() && !(count == 0 && options_.strict);
            }};
  }

  bindings::Findings of_node(const hiera::FleetNode& node, Session& session, Session& whole,
                             std::vector<Diagnostic>& remarks, std::string& name) const {
    name = node.name;
    try {
      const hiera::Facts facts = node.facts(session.sources());
      name = facts.node;
      return checked(site_.node(facts), session, remarks);
    } catch (const Error& error) {
      const auto* of_lookup = dynamic_cast<const hiera::LookupError*>(&error);
      if (of_lookup != nullptr && name.empty()) name = of_lookup->name();
      const bool is_of_node = error.ends_request() ? session.is_spent_alone(whole) : of_lookup != nullptr;
      if (!is_of_node || name.empty()) throw;
      bindings::Findings out;
      out.errors.push_back(error.diagnostic());
      return out;
    }
  }

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

  Host* host_ = nullptr;
  Arguments command_;
  site::QueryOptions given_;
  SiteOptions site_{given_};
  SharedOptions options_;
};

const Registration bindings_check_registration(
    {.name = "bindings check",
     .place = 510,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<BindingsCheckCommand>(); },
     .examples =
         {"strata bindings check --confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml "
          "--inventory examples/bindings/inventory.yaml",
          "strata bindings check --output json --confdir examples/bindings --facts "
          "examples/bindings/facts/db01.example.com.yaml "
          "--inventory examples/bindings/inventory.yaml"},
     .page = "bindings/check.md"});

}  // namespace

}  // namespace strata::cli
