// SPDX-License-Identifier: Apache-2.0
// strata merge: cloud-init user-data, vendor data and base configuration to the merged cloud-config.
#include <fmt/format.h>

#include <algorithm>

#include "cloud_config_misfits.hpp"
#include "cloudinit/query_options.hpp"
#include "command.hpp"
#include "command_host.hpp"
#include "strata/builder.hpp"
#include "strata/cloudinit.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace strata::cli {
namespace {

class MergeCommand final : public Verb {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("merge", "cloud-init: merge user-data parts, vendor data and base configuration");
    command_.add(cloudinit::query_options(), given_);
    command_.add_flag("--allow-network", options_.permissions.network, "allow fetching includes over http and https");
    options_.add_to(command_, Output::yaml);
    options_.add_source_map_to(command_);
    options_.add_lists_to(command_);
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] std::string_view subject() const override { return "machine"; }
  [[nodiscard]] const query::Traits& traits() const override {
    return is_network() ? cloudinit::traits_of_network() : cloudinit::traits();
  }

  [[nodiscard]] bool has_editable_files() const override { return true; }
  [[nodiscard]] std::vector<std::string> named_files(Session& /*session*/) const override {
    std::vector<std::string> names = given_.base;
    std::ranges::copy(std::array{given_.vendor_data, given_.vendor_data2}, std::back_inserter(names));
    std::ranges::copy(given_.parts, std::back_inserter(names));
    return names;
  }

  [[nodiscard]] std::string place_of_files() const override {
    for (const auto* names : {&given_.parts, &given_.base}) {
      const auto named = std::ranges::find_if(*names, [](const std::string& name) { return name != kStdin; });
      if (named != names->end()) return *named;
    }
    return given_.vendor_data.empty() ? given_.vendor_data2 : given_.vendor_data;
  }

  void check_usage() override {
    if (given_.parts.empty() && given_.base.empty() && given_.vendor_data.empty() && given_.vendor_data2.empty()) {
      throw UsageError(Usage::missing, "merge: give at least one PART, --base or --vendor-data");
    }
    if (!options_.compares && (!given_.schema.empty() || is_network())) {
      throw UsageError(Usage::conflict, "merge: --schema and --schema-type belong to a check",
                       "write 'strata check merge …'");
    }
    if (is_network() && (given_.parts.size() != 1 || !given_.base.empty() || !given_.vendor_data.empty() ||
                         !given_.vendor_data2.empty())) {
      throw UsageError(Usage::conflict,
                       "merge: a network-config is one PART: cloud-init takes one whole and merges none of them");
    }
    if (given_.lists_parts && (options_.reports() || options_.compares || options_.maps())) {
      throw UsageError(
          Usage::conflict,
          "merge: --parts shows the parts instead of the result: it cannot be used with --blame, --explain, --lists, "
          "--against and --source-map");
    }
  }

  void prepare(Host& host) override {
    request_.base = given_.base;
    request_.strategy = given_.strategy;
    request_.compat = given_.compat == "promised" ? cloudinit::Compat::promised : cloudinit::Compat::shipped;
    if (!given_.launch_index.empty()) request_.launch_index = given_.launch_index;
    request_.fetcher = host.network();
    if (!given_.instance_data.empty())
      request_.instance_data =
          cloudinit::Blob{.name = shown_name(given_.instance_data), .bytes = host.read(given_.instance_data)};
    const auto is_stdin = [](const std::string& name) { return name == kStdin; };
    const auto bases = std::ranges::count_if(given_.base, is_stdin);
    const auto times = std::ranges::count_if(given_.parts, is_stdin) + bases + (is_stdin(given_.vendor_data) ? 1 : 0) +
                       (is_stdin(given_.vendor_data2) ? 1 : 0);
    for (long i = 0; i < times; ++i) stdin_ = host.read(std::string(kStdin));
    if (bases != 0) request_.base_input = stdin_;
    read_merger_options();
    try {
      // Their files are read with everything else, as of the right revision; their names are enough here.
      cloudinit::Request names = request_;
      for (const auto& [name, file] : merger_files_)
        names.mergers.push_back({.name = name, .build = [](const Value&) { return cloudinit::CustomHandlers{}; }});
      cloudinit::check_strategy(names);
    } catch (const Error& error) {
      throw UsageError(Usage::value, fmt::format("--strategy: {}", error.what()), error.diagnostic().hint);
    }
  }

  Outcome run(Session& session) override {
    if (is_network()) return read_network(session);
    cloudinit::Request request = request_;
    for (const auto& [name, file] : merger_files_) {
      auto text = session.snapshot().tree_below().read(file);
      if (!text) throw Error("merger.missing", fmt::format("no file for the merger '{}'", name)).in(file);
      request.mergers.push_back(cloudinit::lua_merger(name, session.sources().add(file, std::move(*text)), session));
    }
    for (const std::string& part : given_.parts) request.user_data.push_back(read(session, part));
    if (!given_.vendor_data.empty()) request.vendor_data = read(session, given_.vendor_data);
    if (!given_.vendor_data2.empty()) request.vendor_data2 = read(session, given_.vendor_data2);
    const cloudinit::Result result = cloudinit::merge(std::move(request), session);
    Outcome outcome{.result = result.config, .yaml_head = "#cloud-config\n", .printed = {}, .keepalive = result.memory};
    if (given_.lists_parts)
      outcome.printed = options_.output == Output::json ? parts_json(result, session.sources()) : parts_text(result);
    std::vector<Value> documents;
    for (const cloudinit::PartReport& part : result.parts) {
      if (part.config.is_mapping()) documents.push_back(part.config);
    }
    if (result.config.value.is_mapping()) documents.push_back(result.config.value);
    outcome.misfits =
        cloud_config_misfits({.schema = given_.schema, .type = type(), .documents = std::move(documents)}, session);
    return outcome;
  }

 private:
  [[nodiscard]] bool is_network() const { return given_.schema_type == "network-config"; }
  [[nodiscard]] cloudinit::ConfigType type() const {
    return is_network() ? cloudinit::ConfigType::network_config : cloudinit::ConfigType::cloud_config;
  }

  /// cloud-init chooses one network configuration and merges none.
  Outcome read_network(Session& session) {
    cloudinit::Blob blob = read(session, given_.parts.front());
    const std::string name = blob.name;
    const SourceId source = session.sources().add(name, std::move(blob.bytes));
    const text::Document document = text::read_yaml(session.sources(), source, text::pyyaml(), session.limits());
    session.keep(document.arena);
    if (!document.root.is_mapping() && !document.root.is_null())
      throw Error("cloud-config.root", "a network-config must be a mapping")
          .at(session.sources(), document.root.origin());
    Outcome outcome{.result = {document.root, session.recorder().add_layer(name, {})},
                    .yaml_head = {},
                    .printed = {},
                    .keepalive = session.memory()};
    outcome.misfits =
        cloud_config_misfits({.schema = given_.schema, .type = type(), .documents = {document.root}}, session);
    return outcome;
  }

  /// `--merger NAME=FILE.lua`.
  void read_merger_options() {
    for (const std::string& option : given_.mergers) {
      const std::size_t equals = option.find('=');
      if (equals == std::string::npos || equals + 1 == option.size())
        throw UsageError(Usage::value, fmt::format("--merger: '{}' is not NAME=FILE.lua", option));
      std::string name;
      try {
        name = cloudinit::merger_name(std::string_view(option).substr(0, equals));
      } catch (const Error& error) {
        throw UsageError(Usage::value, fmt::format("--merger: {}", error.what()));
      }
      if (std::ranges::find(merger_files_, name, &std::pair<std::string, std::string>::first) != merger_files_.end()) {
        throw UsageError(Usage::conflict, fmt::format("--merger: '{}' is given twice", name));
      }
      merger_files_.emplace_back(std::move(name), option.substr(equals + 1));
    }
  }

  static std::string shown_name(const std::string& name) { return name == kStdin ? "<stdin>" : name; }

  [[nodiscard]] cloudinit::Blob read(Session& session, const std::string& name) const {
    if (name == kStdin) return {.name = "<stdin>", .bytes = stdin_};
    auto bytes = session.snapshot().tree_below().read(name);
    if (!bytes)
      throw Error("part.missing", session.snapshot().tree_below().kind(name) == FileKind::folder
                                      ? "this is a folder, not a file"
                                      : "there is no such file")
          .in(name);
    return {.name = name, .bytes = std::move(*bytes)};
  }

  static std::string parts_text(const cloudinit::Result& result) {
    std::vector<std::array<std::string, 5>> rows;
    std::array<std::size_t, 5> widths{};
    for (const cloudinit::PartReport& part : result.parts) {
      rows.push_back({std::string(to_string(part.fate)), part.source, part.name, part.type, part.mergers});
      for (std::size_t i = 0; i < widths.size(); ++i) widths.at(i) = std::max(widths.at(i), rows.back().at(i).size());
    }
    std::string out;
    for (const auto& row : rows) {
      std::string line;
      for (std::size_t i = 0; i < widths.size(); ++i) line += fmt::format("{:<{}}  ", row.at(i), widths.at(i));
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  }

  static std::string parts_json(const cloudinit::Result& result, const Sources& sources) {
    Arena arena;
    SequenceBuilder rows(arena);
    for (const cloudinit::PartReport& part : result.parts) {
      MappingBuilder row(arena);
      const Place place = sources.place(part.origin);
      row.insert("source", arena.text(part.source));
      row.insert("name", arena.text(part.name));
      row.insert("type", arena.text(part.type));
      row.insert("fate", arena.text(to_string(part.fate)));
      row.insert("mergers", part.mergers.empty() ? Value::null() : arena.text(part.mergers));
      row.insert("file", place.file.empty() ? Value::null() : arena.text(place.file));
      row.insert("line", place.line ? Value::integer(*place.line) : Value::null());
      SequenceBuilder headers(arena);
      for (const auto& [name, value] : part.headers)
        headers.append(arena.sequence(std::array{arena.text(name), arena.text(value)}));
      row.insert("headers", headers.finish());
      rows.append(row.finish());
    }
    return text::write_json(rows.finish());
  }

  Arguments command_;
  SharedOptions options_;
  cloudinit::QueryOptions given_;
  std::vector<std::pair<std::string, std::string>> merger_files_;  ///< Name and file.
  cloudinit::Request request_;
  std::string stdin_;
};

const Registration merge_registration(
    {.name = "merge",
     .place = 100,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<MergeCommand>(); },
     .examples = {"strata merge examples/cloud-init/platform.yaml examples/cloud-init/web.yaml",
                  "strata merge --base examples/cloud-init/cloud.cfg --explain=/timezone examples/cloud-init/web.yaml"},
     .page = "cloud-init/merge.md",
     .is_question = true,
     .dialect = "cloud-init",
     .fidelity = "behaves as 22.4.2 and as the source of August 2026; docs/cloud-init/fidelity.md lists where "
                 "they differ"});

}  // namespace

}  // namespace strata::cli
