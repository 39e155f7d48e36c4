// SPDX-License-Identifier: Apache-2.0
// strata inventory: what reclass's classes give a node.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <unordered_set>

#include "command.hpp"
#include "list_report.hpp"
#include "lookup_fleet.hpp"
#include "reclass/query_options.hpp"
#include "strata/ask_all.hpp"
#include "strata/builder.hpp"
#include "strata/found_file.hpp"
#include "strata/kind_inside.hpp"
#include "strata/paths.hpp"
#include "strata/reclass.hpp"
#include "strata/text.hpp"
#include "strata/traced.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

class InventoryCommand final : public Verb {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("inventory", "reclass: print the applications, classes and parameters of a node");
    command_.add(reclass::query_options(), given_);
    options_.add_to(command_, Output::yaml, true);
    options_.add_source_map_to(command_);
    options_.add_lists_to(command_);
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] std::string place_of_files() const override {
    return given_.nodes_folder.empty() ? base() : given_.nodes_folder;
  }

  void check_usage() override {
    const int ways =
        static_cast<int>(!given_.nodes.empty()) + static_cast<int>(given_.all) + static_cast<int>(!given_.list.empty());
    if (ways == 0) throw UsageError(Usage::missing, "inventory: name a NODE, or say --all or --nodes FILE");
    if (ways > 1 || given_.nodes.size() > 1)
      throw UsageError(Usage::conflict, "inventory: give one of NODE, --all and --nodes FILE");
    if (options_.output == Output::jsonl) {
      if (!is_fleet())
        throw UsageError(Usage::missing, "--output jsonl writes a line for each node: give --all or --nodes with it");
      if (options_.blame || options_.explain || options_.lists || options_.compares) {
        throw UsageError(Usage::conflict,
                         "--output jsonl cannot be used with --blame, --explain, --lists and --against");
      }
    }
    if (given_.check &&
        (options_.blame || options_.explain || options_.lists || options_.compares || options_.maps())) {
      throw UsageError(Usage::conflict,
                       "--check prints no result: remove --blame, --explain, --lists, --against and --source-map");
    }
  }

  void prepare(Host& host) override {
    if (!given_.list.empty()) text_ = host.read(given_.list);
  }

  /// As reclass: the file of the inventory, else that of the working folder, of the user, or of the machine.
  void find_configuration(Host& host) override {
    const char* const home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nothing sets variables
    home_ = home == nullptr ? std::string() : home;
    if (!options_.at.empty() || options_.compares) return;
    constexpr std::string_view kMachine = "/etc/reclass";
    for (const std::string& folder : {home_, std::string(kMachine)}) {
      if (folder.empty()) continue;
      std::string path = absolute_path(folder, reclass::kConfigName);
      std::optional<std::string> text = host.find(path);
      if (!text) continue;
      further_ = FurtherConfig{.path = std::move(path), .text = *std::move(text), .base = std::string(kMachine)};
      return;
    }
  }

  Outcome run(Session& session) override {
    find_settings(session);
    if (!is_fleet()) {
      const auto read = std::make_shared<Paths>();
      read_ = read;
      const reclass::Result result = asked(given_.nodes.front(), session, *read);
      Outcome outcome{.result = result.node, .yaml_head = {}, .printed = {}, .keepalive = result.memory};
      if (given_.check) outcome.printed = "";
      return outcome;
    }
    std::vector<std::string> names = wanted(session);
    if (names.empty())
      session.diagnostics().warn("fleet.empty", "no nodes found",
                                 "nodes are files NAME.yml or NAME.yaml below the folder of nodes");
    if (options_.blame || options_.explain || options_.lists || options_.maps()) return kept(names, session);
    return {.result = {},
            .yaml_head = {},
            .printed = {},
            .keepalive = {},
            .stream = [this, &session, names = std::move(names)](const Stream& stream) {
              return written(names, session, stream);
            }};
  }

  [[nodiscard]] const query::Traits& traits() const override { return reclass::traits(); }
  [[nodiscard]] bool is_fleet() const override { return given_.all || !given_.list.empty(); }

  [[nodiscard]] bool is_for_many() const override { return true; }

  [[nodiscard]] std::vector<analysis::Item> items(const Outcome& outcome) const override {
    return items_of(outcome.result);
  }

  [[nodiscard]] std::shared_ptr<analysis::SubjectFiles> files(Session& /*session*/,
                                                              const analysis::ReadLog& /*log*/) override {
    return std::make_shared<Files>(*this, read_);
  }

  [[nodiscard]] FleetSubjects subjects(Session& session) override {
    find_settings(session);
    FleetSubjects all;
    all.take = [this, names = wanted(session),
                next = std::size_t{0}](Session& own) mutable -> std::optional<FleetSubject> {
      if (next == names.size()) return std::nullopt;
      FleetSubject out{.name = names[next++]};
      const auto read = std::make_shared<Paths>();
      out.files = std::make_shared<Files>(*this, read);
      out.ask = [this, name = out.name, read, &own](const analysis::Wanted& /*wanted*/, analysis::Outcome& answer) {
        const merge::Traced node = asked(name, own, *read).node;
        answer.items = items_of(node);
        answer.whole = whole_of({.result = node, .yaml_head = {}, .printed = {}, .keepalive = {}}, options_);
      };
      return out;
    };
    return all;
  }

  void suggest(std::string_view kind, Host& /*host*/, Session& session, const AddSuggestion& add) override {
    if (kind != "NODE") return;
    find_settings(session);
    for (std::string& name : reclass::node_names(settings_, session)) add({.word = std::move(name)});
  }

 private:
  using Paths = std::vector<std::string>;

  /// A configuration outside of the working folder.
  struct FurtherConfig {
    std::string path;
    std::string text;
    std::string base;
  };

  [[nodiscard]] std::string base() const { return given_.base.value_or("."); }

  /// A folder without what does not change it: `./a/` is `a`.
  static std::string plain(std::string folder) {
    while (folder.starts_with("./")) folder.erase(0, 2);
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    return folder == "." ? std::string() : folder;
  }
  static std::string folder_above(const std::string& folder) {
    const std::size_t slash = folder.rfind('/');
    return slash == std::string::npos ? std::string() : folder.substr(0, std::max<std::size_t>(slash, 1));
  }

  /// Where the inventory is: as the options name it, or as the folders show.
  [[nodiscard]] reclass::InventoryPlace place_of(Session& session) const {
    const std::string nodes = plain(given_.nodes_folder);
    const std::string classes = plain(given_.classes_folder);
    // Folders beside each other are an inventory.
    const bool are_together = !nodes.empty() && !classes.empty() && folder_above(nodes) == folder_above(classes);
    reclass::InventoryPlace out =
        reclass::find_inventory(given_.base || !are_together ? plain(base()) : folder_above(nodes), session);
    if (!given_.compat.empty()) out.compat = reclass::compat_named(given_.compat);
    return out;
  }

  /// The settings of a run: those of the configuration, and the options over them. A file of the inventory is read as
  /// of the run's revision.
  void find_settings(Session& session) {
    const reclass::InventoryPlace place = place_of(session);
    settings_ = reclass::default_settings(place.compat, place.base);
    if (place.compat == reclass::Compat::kapitan) settings_.composes_node_names = place.composes_node_names;
    settings_.share_nodes = !is_fleet();
    config_.clear();
    const std::string name(reclass::kConfigName);
    const std::string beside = place.base.empty() ? name : path_in(place.base, name);
    const auto read = [&](const std::string& path, const std::string& base, bool is_base_fixed) {
      auto text = kind_inside(session.tree(), path) == FileKind::file ? session.tree().read(path) : std::nullopt;
      if (!text) return false;
      config_ = path;
      reclass::read_config(settings_, session, session.sources().add(path, *std::move(text)),
                           {.base = base, .is_base_fixed = is_base_fixed, .home = home_});
      return true;
    };
    const bool is_found =
        read(beside, place.base, !place.base.empty() || given_.base) ||
        (place.compat == reclass::Compat::reclass && !place.base.empty() && read(name, place.base, true));
    if (!is_found && further_ && place.compat == reclass::Compat::reclass) {
      const bool has_place = !place.base.empty() || given_.base;
      reclass::read_config(
          settings_, session, session.sources().add(further_->path, further_->text),
          {.base = has_place ? place.base : further_->base, .is_base_fixed = has_place, .home = home_});
    }
    if (!given_.nodes_folder.empty()) settings_.nodes = given_.nodes_folder;
    if (!given_.classes_folder.empty()) settings_.classes = given_.classes_folder;
    warn_of_unread(session);
  }

  /// A file of settings beside the nodes counts, or is said not to.
  void warn_of_unread(Session& session) const {
    const std::string above = folder_above(plain(settings_.nodes));
    const std::string beside = above.empty() ? std::string(reclass::kConfigName) : path_in(above, reclass::kConfigName);
    if (beside == config_ || kind_inside(session.tree(), beside) != FileKind::file) return;
    session.diagnostics().warn(
        Error("reclass.unread-settings",
              fmt::format("the settings beside the nodes are not read{}",
                          config_.empty() ? std::string() : fmt::format(", but those of '{}'", config_)))
            .in(beside)
            .hint(fmt::format("read them with -b {}", above.empty() ? "." : above))
            .diagnostic());
  }

  /// The files of a node: known when it has a result.
  class Files final : public analysis::SubjectFiles {
   public:
    Files(const InventoryCommand& command, std::shared_ptr<const Paths> read)
        : command_(command), read_(std::move(read)) {}
    [[nodiscard]] std::vector<analysis::ConfigurationFile> read() override {
      std::vector<analysis::ConfigurationFile> out;
      const auto add = [&](const std::string& path) { out.push_back({.path = path, .form = command_.form_of(path)}); };
      if (read_) std::ranges::for_each(*read_, add);
      if (!command_.config_.empty()) add(absolute_path(working_folder(), command_.config_));
      return out;
    }
    [[nodiscard]] std::vector<std::string> folders() override {
      return {absolute_path(working_folder(), command_.settings_.nodes),
              absolute_path(working_folder(), command_.settings_.classes)};
    }

   private:
    const InventoryCommand& command_;
    std::shared_ptr<const Paths> read_;
  };

  [[nodiscard]] reclass::Request request(const std::string& node, std::vector<Origin>* files = nullptr) const {
    return {.settings = settings_, .node = node, .shows_exports = given_.shows_exports, .files = files};
  }

  /// The result of a node. `read`: its files, the strongest first, also if there is an error.
  [[nodiscard]] reclass::Result asked(const std::string& node, Session& session, Paths& read) const {
    std::vector<Origin> files;
    const auto tell = [&] {
      const std::string& folder = session.sources().folder();
      read.clear();
      for (auto file = files.rbegin(); file != files.rend(); ++file) {
        if (const auto source = session.sources().source_of(*file))
          read.push_back(absolute_path(folder, session.sources().file(*source)));
      }
    };
    try {
      reclass::Result result = reclass::inventory(request(node, &files), session);
      tell();
      return result;
    } catch (const Error&) {
      tell();
      throw;
    }
  }

  /// The root keys of the parameters, and the other members of the result.
  [[nodiscard]] static std::vector<analysis::Item> items_of(const merge::Traced& node) {
    std::vector<analysis::Item> out;
    const auto add = [&out](std::string name, const merge::Traced& member) {
      out.push_back({.name = std::move(name), .value = member.value, .failure = {}, .slot = member.slot});
    };
    const std::span<const Entry> entries = node.value.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const merge::Traced member = merge::Recorder::member(node, i);
      if (key_text(entries[i].key) != "parameters") {
        add(key_text(entries[i].key), member);
        continue;
      }
      for (std::size_t j = 0; j < member.value.size(); ++j) {
        std::string name = key_text(member.value.entries()[j].key);
        // A name outside of the parameters wins.
        if (node.value.find(name) != nullptr) name.insert(0, "parameters/");
        add(std::move(name), merge::Recorder::member(member, j));
      }
    }
    return out;
  }

  /// The nodes that are meant.
  [[nodiscard]] std::vector<std::string> wanted(Session& session) const {
    if (given_.all) return reclass::node_names(settings_, session);
    const SourceId source = session.sources().add(given_.list == "-" ? "<stdin>" : given_.list, text_);
    const text::Document list = text::read_yaml(session.sources(), source, text::pyyaml_c(), session.limits());
    const auto refuse = [&](const Value& at) {
      throw Error("fleet.list", "the nodes must be a list of names")
          .at(session.sources(), at ? at.origin() : session.sources().at(source, 0));
    };
    std::vector<std::string> names;
    std::unordered_set<std::string> known;
    if (!list.root || !list.root.is_sequence()) refuse(list.root);
    for (const Value& name : list.root.items()) {
      if (!name.is_text()) refuse(name);
      names.emplace_back(name.text());
      if (known.insert(names.back()).second) continue;
      throw Error("fleet.duplicate-node", fmt::format("the node '{}' is in the list twice", name.text()))
          .at(session.sources(), name.origin());
    }
    return names;
  }

  /// All results at once, with what blame, histories and source maps need.
  [[nodiscard]] Outcome kept(const std::vector<std::string>& names, Session& session) const {
    Outcome outcome{.result = {}, .yaml_head = {}, .printed = {}, .keepalive = session.memory()};
    merge::TracedMapping nodes(merge::Builder(session.arena(), session.recorder()));
    std::unordered_set<std::string> told;
    for (const std::string& name : names) {
      Session own = Session::beside(session);
      try {
        nodes.insert(name, reclass::inventory(request(name), own).node);
      } catch (const Error& error) {
        if (!analysis::is_failure(error)) throw;
        Diagnostic failure = error.diagnostic();
        failure.message.insert(0, fmt::format("node '{}': ", name));
        outcome.failures.push_back({.name = {}, .value = {}, .failure = std::move(failure)});
      }
      for (const Diagnostic& warning : own.diagnostics().warnings()) {
        // A warning of many nodes is reported once.
        if (told.insert(format(warning, "")).second) session.diagnostics().warn(warning);
      }
    }
    outcome.result = nodes.finish();
    return outcome;
  }

  /// Prints the results.
  bool written(const std::vector<std::string>& names, Session& session, const Stream& stream) const {
    FleetWriter writer(fleet_text(), stream, options_.strict);
    std::size_t count = 0;
    const auto ask = [this](const std::string& node, Session& own) {
      return text_of(node, reclass::inventory(request(node), own).node.value);
    };
    const auto take = [&](Answer&& answer) {
      constexpr std::size_t kStep = 64;
      if (++count % kStep == 0) stream.progress(fmt::format("{} of {} nodes", count, names.size()));
      if (answer.failure) answer.failure->message.insert(0, fmt::format("node '{}': ", answer.name));
      writer.add({.node = std::move(answer.name),
                  .text = std::move(answer.text),
                  .warnings = std::move(answer.warnings),
                  .failed_keys = {},
                  .failure = std::move(answer.failure)});
    };
    (void)reclass::node_names(settings_, session);  // A wrong folder is not the failure of a node.
    ask_all(session, names, ask, take);
    return writer.finish() && !(names.empty() && options_.strict);
  }

  [[nodiscard]] FleetText fleet_text() const {
    if (given_.check || options_.output == Output::jsonl) return {.is_streamed = true};
    if (options_.output == Output::json) return {.head = "{\n", .separator = ",\n", .tail = "\n}\n", .empty = "{}\n"};
    return {.empty = "{}\n"};
  }

  /// A node's part of the output.
  [[nodiscard]] std::string text_of(const std::string& node, const Value& result) const {
    if (given_.check) return {};
    if (options_.output == Output::json) {
      std::string out = "  ";
      text::append_json_text(out, node);
      out += ": ";
      text::append_json(out, result, {.sort_keys = options_.sort_keys, .indent = 2}, 1);
      out.shrink_to_fit();  // It is kept until all nodes are written.
      return out;
    }
    Arena arena;
    MappingBuilder one(arena);
    one.insert(node, result);
    if (options_.output == Output::jsonl)
      return text::write_json(one.finish(), {.sort_keys = options_.sort_keys, .indent = -1});
    return text::write_yaml(one.finish(), {.profile = nullptr, .sort_keys = options_.sort_keys, .indent = 2});
  }

  Arguments command_;
  SharedOptions options_;
  reclass::QueryOptions given_;
  reclass::Settings settings_;  ///< Of the last run.
  std::string config_;          ///< The file of the tree that they are from. Empty: none.
  std::optional<FurtherConfig> further_;
  std::string home_;
  std::string text_;
  std::shared_ptr<const Paths> read_;  ///< By the last run.
};

const Registration inventory_registration(
    {.name = "inventory",
     .place = 600,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<InventoryCommand>(); },
     .examples = {"strata inventory web1.example.com -b examples/reclass",
                  "strata inventory --all --blame -b examples/reclass"},
     .page = "reclass/inventory.md",
     .is_question = true,
     .dialect = "reclass",
     .fidelity = "behaves as reclass 1.7.0; --compat kapitan as Kapitan 0.36 with kapicorp's reclass"});

}  // namespace

}  // namespace strata::cli
