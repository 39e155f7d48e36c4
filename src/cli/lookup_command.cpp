// SPDX-License-Identifier: Apache-2.0
// strata lookup: a key's value for a node, out of a Hiera code directory, with the options of `puppet lookup`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "command.hpp"
#include "hiera_settings.hpp"
#include "lookup_fleet.hpp"
#include "lookup_node.hpp"
#include "strata/builder.hpp"
#include "strata/hiera.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

constexpr std::array<std::string_view, 4> kStrategies{"first", "unique", "hash", "deep"};
constexpr std::array<std::string_view, 3> kRenderFormats{"yaml", "json", "s"};
/// The names of releases, with the older names of some.
const std::map<std::string_view, hiera::Compat> kCompats{
    {"openvox", hiera::Compat::openvox}, {"openvox9", hiera::Compat::openvox9}, {"promised", hiera::Compat::promised},
    {"puppet7", hiera::Compat::puppet7}, {"puppet8", hiera::Compat::openvox},   {"shipped", hiera::Compat::puppet7}};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

class LookupCommand final : public Verb {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("lookup", "Hiera 5: look up a key for a node, with the options of puppet lookup");
    command_.add_option("KEY", keys_, "the key; if there are several, the first that is found");
    command_.add_option("--codedir", codedir_, "the code directory: DIR/environments/NAME, DIR/hiera.yaml, DIR/modules")
        .type_name("DIR");
    command_.add_option("--environment", environment_, "the environment")
        .type_name("ENVIRONMENT")
        .capture_default_str();
    command_
        .add_option("--environment-root", environment_root_,
                    "the environment's folder, instead of one in the code directory: a control repository with "
                    "hiera.yaml, modules and environment.conf")
        .type_name("DIR");
    command_
        .add_option("--hiera-config", hiera_config_,
                    "the hiera.yaml of the global layer; if given alone, only this layer is searched")
        .type_name("FILE");
    add_map_option(command_, maps_);
    command_
        .add_option("--facts", facts_,
                    "the node's facts: JSON or YAML, Puppet's cache, an answer of PuppetDB; - is standard input")
        .type_name("FILE");
    command_.add_option("--trusted", trusted_, "trusted facts: the members of the variable trusted, as JSON or YAML")
        .type_name("FILE");
    command_
        .add_option("--server-facts", server_facts_file_,
                    "what the server knows about itself, as JSON or YAML: the members of the variable server_facts")
        .type_name("FILE");
    command_
        .add_option("--nodes", nodes_,
                    "a whole fleet: a JSON or YAML list of {name, facts, trusted}, an answer of PuppetDB, or a folder "
                    "or pattern of facts files "
                    "NAME.yaml, NAME.json")
        .type_name("FILE|DIR");
    command_.add_option("--node", node_, "the node's name").type_name("NODE");
    merge_option_ = command_.add_option("--merge", merge_, "first, unique, hash or deep; overrides lookup_options")
                        .type_name("STRATEGY");
    prefix_option_ =
        command_.add_option("--knock-out-prefix", knockout_prefix_, "with --merge deep: the prefix of values to remove")
            .type_name("PREFIX");
    command_.add_flag("--sort-merged-arrays", sort_merged_arrays_, "with --merge deep: merged arrays are sorted");
    command_.add_flag("--merge-hash-arrays", merge_hash_arrays_,
                      "with --merge deep: hashes in arrays are merged by position");
    type_option_ = command_.add_option("--type", type_, "the Puppet type that the value must have").type_name("TYPE");
    default_option_ =
        command_.add_option("--default", default_, "the text to use if no key is found").type_name("TEXT");
    command_.add_flag("--explain-options", explain_options_, "explain how lookup_options were found");
    render_option_ = command_.add_option("--render-as", render_as_, "yaml, json or s, as puppet lookup prints them")
                         .type_name("FORMAT");
    command_.add_flag("--all", all_, "every key");
    command_.add_flag("--mask", mask_,
                      "show ****** for secrets, and <encrypted> for those whose private key is missing");
    command_
        .add_option("--compat", compat_,
                    "the release whose rules apply: openvox (8.x, also named puppet8), openvox9, puppet7 (also named "
                    "shipped), or promised: puppet7 with merges as the manual describes them")
        .type_name("RELEASE")
        .one_of({"openvox", "openvox9", "puppet7", "puppet8", "promised", "shipped"})
        .capture_default_str();
    options_.add_to(command_, Output::yaml, true);
    options_.add_source_map_to(command_);
    options_.add_lists_to(command_);
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int usage_status() override {
    return options_.against.empty() && !options_.maps() && !options_.lists ? 1 : 2;
  }
  [[nodiscard]] bool explains_by_history() override {
    return options_.lists || (options_.explain && (!nodes_.empty() || options_.output_given || options_.explains_path));
  }

  [[nodiscard]] std::string place_of_files() const override { return codedir_.empty() ? hiera_config_ : codedir_; }

  void check_usage() override {
    if (codedir_.empty() && hiera_config_.empty() && environment_root_.empty()) {
      throw UsageError(
          Usage::missing,
          "lookup: say where the data is with --codedir DIR, --environment-root DIR or --hiera-config FILE");
    }
    (void)mapped_folders(maps_);
    if (keys_.empty() && !all_ && !(explain_options_ && !options_.explain))
      throw UsageError(Usage::missing, "lookup: No keys were given to lookup");
    if (!keys_.empty() && all_) throw UsageError(Usage::conflict, "lookup: --all prints every key: remove the KEY");
    if (merge_option_.is_given() && std::ranges::find(kStrategies, merge_) == kStrategies.end()) {
      throw UsageError(Usage::value,
                       fmt::format("--merge: '{}' is not a strategy: use 'first', 'unique', 'hash' or 'deep'", merge_));
    }
    if ((prefix_option_.is_given() || sort_merged_arrays_ || merge_hash_arrays_) && merge_ != "deep") {
      throw UsageError(
          Usage::conflict,
          "--knock-out-prefix, --sort-merged-arrays and --merge-hash-arrays are only available with '--merge deep'");
    }
    if (nodes_.empty()) {
      if (options_.output == Output::jsonl)
        throw UsageError(Usage::missing, "--output jsonl writes a line for each node: give --nodes with it");
    } else if (!facts_.empty() || !node_.empty() || !trusted_.empty()) {
      throw UsageError(Usage::conflict,
                       "--nodes names the nodes and their facts: remove --facts, --trusted and --node");
    } else if (explain_options_) {
      throw UsageError(Usage::conflict, "--explain-options works for one node: remove --nodes");
    } else if (options_.output == Output::jsonl && keeps_results()) {
      throw UsageError(Usage::conflict, "--output jsonl cannot be used with --blame, --explain, --lists and --against");
    }
    if (options_.lists && (render_option_.is_given() || explain_options_)) {
      throw UsageError(Usage::conflict, "--lists cannot be used with --render-as and --explain-options");
    }
    if (options_.maps() && (render_option_.is_given() || explain_options_)) {
      throw UsageError(Usage::conflict, "--source-map cannot be used with --render-as and --explain-options");
    }
    render_as_ = lower(render_as_);
    if (render_option_.is_given()) {
      if (options_.output_given) throw UsageError(Usage::conflict, "give only one of --render-as and --output");
      if (std::ranges::find(kRenderFormats, render_as_) == kRenderFormats.end()) {
        throw UsageError(
            Usage::value,
            fmt::format("--render-as: Unknown rendering format '{}': it takes yaml, json or s", render_as_));
      }
    }
  }

  void prepare(Host& host) override {
    host_ = &host;
    if (!facts_.empty()) facts_text_ = host.read(facts_);
    if (!trusted_.empty()) trusted_text_ = host.read(trusted_);
    if (!server_facts_file_.empty()) server_facts_text_ = host.read(server_facts_file_);
  }

  Outcome run(Session& session) override { return run_for(session, std::nullopt); }

  Outcome run_for(Session& session, const analysis::Wanted& wanted) override {
    if (options_.lists && !merge_.empty()) merge_origin_ = session.sources().add_name("<--merge>");
    if (!nodes_.empty()) return fleet(session);
    hiera::Facts facts = read_facts(session);
    auto kept = std::make_shared<Kept>();
    hiera::NodeView view(settings(session), facts, session);
    if (explains_as_reference())
      return {.result = {}, .yaml_head = {}, .printed = explanation(view, *kept), .keepalive = kept};
    Outcome outcome{.result = {}, .yaml_head = {}, .printed = {}, .keepalive = kept};
    outcome.result = all_ ? everything(view, *kept, outcome.failures, wanted ? &*wanted : nullptr)
                          : answer(view, session, facts, *kept);
    kept->facts = facts;
    // Comparisons are of the secrets themselves.
    if (mask_ && !options_.compares) outcome.result.value = report::masked(kept->arena, outcome.result.value);
    if (!options_.blame && !explains_by_history() && !options_.compares && !options_.output_given) render_into(outcome);
    show_as_puppet(outcome);
    return outcome;
  }

  /// The answer for some keys, as that for the KEYs of the command line.
  Outcome look_up(Session& session, const analysis::KeyQuery& query) override {
    if (!one_node_) one_node_ = read_facts(session);
    hiera::NodeView view(settings(session), *one_node_, session);
    return looked_up(view, *one_node_, session, query);
  }

  [[nodiscard]] const query::Traits& traits() const override { return hiera::traits(); }
  [[nodiscard]] bool is_fleet() const override { return !nodes_.empty(); }
  [[nodiscard]] bool is_for_many() const override { return true; }

  [[nodiscard]] std::vector<analysis::Item> items(const Outcome& outcome) const override {
    if (!all_)
      return {{.name = keys_.front(), .value = outcome.result.value, .failure = {}, .slot = outcome.result.slot}};
    std::vector<analysis::Item> out;
    const auto entries = outcome.result.value.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const merge::Traced member = merge::Recorder::member(outcome.result, i);
      out.push_back({.name = key_text(entries[i].key), .value = member.value, .failure = {}, .slot = member.slot});
    }
    std::ranges::copy(outcome.failures, std::back_inserter(out));
    return out;
  }

  void suggest(std::string_view kind, Host& host, Session& session, const AddSuggestion& add) override {
    if (kind == "STRATEGY") {
      for (const std::string_view name : kStrategies) add({.word = std::string(name)});
    } else if (kind == "FORMAT") {
      for (const std::string_view name : kRenderFormats) add({.word = std::string(name)});
    } else if (kind == "ENVIRONMENT") {
      suggest_folders(session.tree(), absolute(codedir_) + "/environments", add);
    } else if (kind == "NODE") {
      suggest_nodes(host, session, [&](const hiera::Facts& facts) { add({.word = facts.node}); });
    } else if (kind == "KEY") {
      const auto add_keys = [&](const hiera::Facts& facts) {
        hiera::NodeView(settings(session), facts, session).each_key([&](std::string_view key) {
          add({.word = hiera::whole_key(std::string(key))});
        });
      };
      if (facts_.empty() || facts_ == "-") {
        add_keys({});
        suggest_nodes(host, session, add_keys);
      } else {
        facts_text_ = host.read(facts_);
        add_keys(read_facts(session));
      }
    }
  }

  [[nodiscard]] bool has_editable_files() const override { return true; }
  [[nodiscard]] std::shared_ptr<analysis::SubjectFiles> files(Session& session,
                                                              const analysis::ReadLog& /*log*/) override {
    return LookupNode::files(one_node(session));
  }
  [[nodiscard]] std::optional<std::string> fact(Session& session, std::string_view name) override {
    return one_node(session)->fact(name);
  }

  [[nodiscard]] FleetSubjects subjects(Session& session) override {
    const auto memory = run_memory(session);
    FleetSubjects out =
        taken_nodes(nodes_, *host_, session,
                    [this, memory](const std::shared_ptr<const hiera::Facts>& facts, Session& own, FleetSubject& out) {
                      const auto node = std::make_shared<LookupNode>(memory, facts, own);
                      out.node = node;
                      out.ask = [this, node](const analysis::Wanted& wanted, analysis::Outcome& answer) {
                        ask_node(*node, wanted, answer);
                      };
                      out.look_up = [this, node, &own](const analysis::KeyQuery& wanted) {
                        return looked_up(node->view(), *node->facts(), own, wanted);
                      };
                      out.reads = [node] { return node->reads(); };
                      out.files = LookupNode::files(node);
                      out.fact = [node](std::string_view name) { return node->fact(name); };
                      out.touched = [node](const FleetSubject& other) {
                        return node->touched(*std::static_pointer_cast<LookupNode>(other.node));
                      };
                      out.basis = [node] { return node->basis(); };
                      out.alike = [node] { return node->alike(); };
                    });
    out.touched = [memory](const analysis::Basis& basis, const std::vector<std::string>& files) {
      return LookupNode::touched(*memory, basis, files);
    };
    return out;
  }

 private:
  /// What owns a result.
  struct Kept {
    Arena arena;
    hiera::Facts facts;
    std::vector<std::shared_ptr<const void>> parts;
  };

  [[nodiscard]] std::shared_ptr<LookupNode> one_node(Session& session) {
    return std::make_shared<LookupNode>(run_memory(session), std::make_shared<hiera::Facts>(read_facts(session)),
                                        session);
  }

  [[nodiscard]] bool explains_as_reference() {
    return (options_.explain && !explains_by_history()) || explain_options_;
  }

  [[nodiscard]] static std::string absolute(const std::string& path) {
    return path.empty() ? path : (std::filesystem::path(working_folder()) / path).lexically_normal().string();
  }

  [[nodiscard]] static std::string without_slashes(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path;
  }

  [[nodiscard]] hiera::Settings settings(Session& session) const {
    hiera::Settings out = host_hiera_settings(options_.bounds);
    out.codedir = without_slashes(absolute(codedir_));
    out.environment = environment_;
    out.masks_locked = mask_;
    out.environment_root = without_slashes(absolute(environment_root_));
    if (!hiera_config_.empty()) out.hiera_config = absolute(hiera_config_);
    out.maps = mapped_folders(maps_);
    out.compat = kCompats.at(compat_);
    if (server_facts_text_) {
      const std::lock_guard lock(server_facts_mutex_);
      if (!server_facts_)
        server_facts_ =
            hiera::read_server_facts(*server_facts_text_, server_facts_file_, session.sources(), session.limits());
      out.server_facts = server_facts_;
    }
    return out;
  }

  [[nodiscard]] hiera::Facts read_facts(Session& session) const {
    const auto add = [&](const std::string& name, const std::string& text) {
      return session.sources().add(name == "-" ? "<stdin>" : name, text);
    };
    hiera::Facts facts;
    facts.node = node_;
    if (!facts_.empty())
      facts = hiera::read_facts(session.sources(), add(facts_, facts_text_), facts_, session.limits(), node_);
    if (!trusted_.empty())
      hiera::set_trusted(facts, session.sources(), add(trusted_, trusted_text_), trusted_, session.limits());
    return facts;
  }

  /// The nodes that are given, else those that facts or names of data files tell of.
  void suggest_nodes(Host& host, Session& session, const std::function<void(const hiera::Facts& facts)>& add) const {
    const std::string folder = absolute(!environment_root_.empty() ? environment_root_ : codedir_);
    each_known_node(nodes_,
                    {.name = {},
                     .verb = "lookup",
                     .settings = {{.name = "codedir", .values = {absolute(codedir_)}}},
                     .folder = folder},
                    host, session, add);
  }

  /// The query that the options make.
  [[nodiscard]] hiera::Query query(std::vector<std::string> names, Arena& arena) const {
    hiera::Query out;
    out.names = std::move(names);
    if (type_option_.is_given()) out.type = type_;
    if (default_option_.is_given()) out.default_value = arena.text(default_);
    if (merge_.empty()) return out;
    MappingBuilder merge(arena);
    merge.insert("strategy", arena.text(merge_));
    if (merge_ == "deep") {
      merge.insert("sort_merged_arrays", Value::boolean(sort_merged_arrays_));
      merge.insert("merge_hash_arrays", Value::boolean(merge_hash_arrays_));
      if (prefix_option_.is_given()) merge.insert("knockout_prefix", arena.text(knockout_prefix_));
    }
    out.merge = merge.finish().with_origin(merge_origin_);
    return out;
  }

  [[nodiscard]] merge::Traced answer(hiera::NodeView& view, Session& session, const hiera::Facts& facts,
                                     Kept& kept) const {
    hiera::Result result = found_or_hinted(view, facts, session, query(keys_, kept.arena));
    kept.parts.push_back(result.keepalive);
    return result.value;
  }

  /// The result of a lookup. The error of a key that is not found has a hint.
  [[nodiscard]] hiera::Result found_or_hinted(hiera::NodeView& view, const hiera::Facts& facts, Session& session,
                                              const hiera::Query& asked) const {
    try {
      return view.lookup(asked);
    } catch (const hiera::LookupError& error) {
      std::vector<Diagnostic> all = error.all();
      all.front() = error.named();
      if (error.category() == Category::not_found && asked.names.size() == 1)
        all.front().hint = hint_for(session, facts, asked.names.front());
      throw Errors(all);
    }
  }

  [[nodiscard]] std::string hint_for(Session& session, const hiera::Facts& facts, const std::string& key) const {
    const auto near = hiera::nearest_key(settings(session), facts, key, session);
    return near ? fmt::format("did you mean '{}'?", *near) : "--explain shows where it was searched";
  }

  // --nodes

  /// Whether all results are needed at once.
  [[nodiscard]] bool keeps_results() const { return options_.reports() || options_.compares || options_.maps(); }

  [[nodiscard]] Outcome fleet(Session& session) {
    if (keeps_results()) return kept_fleet(session);
    return {.result = {},
            .yaml_head = {},
            .printed = {},
            .keepalive = {},
            .stream = [this, &session](const Stream& stream) { return stream_fleet(session, stream); }};
  }

  bool stream_fleet(Session& session, const Stream& stream) const {
    Kept kept;
    hiera::Settings wanted = settings(session);
    wanted.share_files = false;
    const auto nodes = open_nodes(nodes_, *host_, session.sources(), session.limits());
    hiera::FleetQuery asked{
        .query = query(keys_, kept.arena), .all = all_, .masks = mask_, .sort_keys = options_.sort_keys};
    FleetWriter writer(fleet_text(asked), stream, options_.strict);
    std::size_t count = 0;
    const auto size = nodes->size();
    hiera::fleet(wanted, *nodes, asked, session, [&](hiera::FleetResult&& result) {
      writer.add(std::move(result));
      session.snapshot().add_input(kInputOfNode);
      constexpr std::size_t kStep = 64;
      if (++count % kStep == 0)
        stream.progress(size ? fmt::format("{} of {} nodes", count, *size) : fmt::format("{} nodes", count));
    });
    if (count == 0) stream.tell(no_nodes(nodes_), options_.strict ? "error" : "warning");
    return writer.finish() && !(count == 0 && options_.strict);
  }

  /// How the output is put together; sets the form of the nodes' texts.
  [[nodiscard]] FleetText fleet_text(hiera::FleetQuery& asked) const {
    if (options_.output == Output::jsonl) {
      asked.form = hiera::FleetForm::json_line;
      return {.is_streamed = true};
    }
    if (options_.output == Output::json) {
      asked.form = hiera::FleetForm::json_member;
      return {.head = "{\n", .separator = ",\n", .tail = "\n}\n", .empty = "{}\n", .sort_nodes = options_.sort_keys};
    }
    asked.form = hiera::FleetForm::custom;
    asked.custom = [this](const std::string& node, const Value& result) {
      Arena arena;
      MappingBuilder mapping(arena);
      mapping.insert(node, result);
      return fleet_member(mapping.finish());
    };
    if (options_.output_given) return {.empty = "{}\n", .sort_nodes = options_.sort_keys};
    if (render_as_ == "json") return {.head = "{", .separator = ",", .tail = "}\n", .empty = "{}\n"};
    if (render_as_ == "s") return {.head = "{", .separator = ", ", .tail = "}\n", .empty = "{}\n"};
    return {.head = "---\n", .empty = "--- {}\n"};
  }

  /// A mapping of one node without what stands before and behind the members.
  [[nodiscard]] std::string fleet_member(const Value& mapping) const {
    if (options_.output_given)
      return text::write_yaml(mapping, {.profile = nullptr, .sort_keys = options_.sort_keys, .indent = 2});
    std::string text = rendered(mapping);
    if (render_as_.empty() || render_as_ == "yaml") return text.substr(text.find('\n') + 1);
    return text.substr(1, text.rfind('}') - 1);
  }

  /// A fleet whose results are all kept, with what blame, histories, differences and source maps need.
  [[nodiscard]] Outcome kept_fleet(Session& session) const {
    auto kept = std::make_shared<Kept>();
    MappingBuilder mapping(kept->arena);
    Outcome outcome{.result = {}, .yaml_head = {}, .printed = {}, .keepalive = kept};
    std::vector<merge::Traced> members;
    std::set<std::string> told;
    const auto nodes = open_nodes(nodes_, *host_, session.sources(), session.limits());
    while (const auto node = nodes->next()) {
      std::string name = node->name;
      bool about_node = !name.empty();
      Session of_node = Session::beside(session);
      session.snapshot().add_input(kInputOfNode);
      const auto tell = [&] {
        // A warning that many nodes share is shown once.
        for (const Diagnostic& warning : of_node.diagnostics().warnings()) {
          if (told.insert(format(warning, "")).second) session.diagnostics().warn(warning);
        }
      };
      try {
        const hiera::Facts facts = node->facts(session.sources());
        name = facts.node;
        about_node = mapping.find(name) == nullptr;
        if (!about_node) throw duplicate_node(name, node->where);
        hiera::NodeView view(settings(of_node), facts, of_node);
        std::vector<analysis::Item> failed;
        const merge::Traced result = all_ ? everything(view, *kept, failed) : looked_up(view, *kept);
        for (analysis::Item& one : failed) {
          one.failure->message.insert(0, fmt::format("node '{}', ", name));
          outcome.failures.push_back(std::move(one));
        }
        kept->parts.push_back(facts.arena);
        members.push_back(result);
        mapping.insert(name, result.value);
        tell();
      } catch (const Error& error) {
        tell();
        const auto* of_node_alone = dynamic_cast<const hiera::LookupError*>(&error);
        if (of_node_alone != nullptr && name.empty() && !of_node_alone->name().empty()) {
          name = of_node_alone->name();
          about_node = true;
        }
        if (!about_node || hiera::ends_run(error)) throw;
        Diagnostic failure = error.diagnostic();
        failure.message = fmt::format("node '{}'{}{}", name, all_ ? ": " : ", ", about_lookup(failure.message));
        outcome.failures.push_back({.name = {}, .value = {}, .failure = std::move(failure)});
      }
    }
    if (mapping.size() == 0 && outcome.failures.empty()) session.diagnostics().warn(no_nodes(nodes_));
    outcome.result = session.recorder().compose(mapping.finish(), members);
    if (mask_) outcome.result.value = report::masked(kept->arena, outcome.result.value);
    if (options_.maps() && !options_.output_given) render_into(outcome);
    return outcome;
  }

  /// The value of the first of some keys that is found.
  [[nodiscard]] Outcome looked_up(hiera::NodeView& view, const hiera::Facts& facts, Session& session,
                                  const analysis::KeyQuery& wanted) const {
    auto kept = std::make_shared<Kept>();
    kept->facts = facts;
    hiera::Query asked = query(wanted.names, kept->arena);
    if (wanted.merge) asked.merge = kept->arena.deep_copy(wanted.merge);
    if (wanted.otherwise) asked.default_value = kept->arena.deep_copy(*wanted.otherwise);
    Outcome out{.result = {}, .yaml_head = {}, .printed = {}, .keepalive = kept};
    hiera::Result found = found_or_hinted(view, facts, session, asked);
    kept->parts.push_back(found.keepalive);
    out.result = found.value;
    show_as_puppet(out);
    return out;
  }

  [[nodiscard]] merge::Traced looked_up(hiera::NodeView& view, Kept& kept) const {
    hiera::Result result = view.lookup(query(keys_, kept.arena));
    kept.parts.push_back(result.keepalive);
    return result.value;
  }

  /// The message of a lookup that failed for a node of a fleet.
  [[nodiscard]] std::string about_lookup(const std::string& message) const {
    return all_ ? message : hiera::about_key(keys_.front(), message);
  }

  /// Every key but those that fail, which are added to `failures`.
  [[nodiscard]] merge::Traced everything(hiera::NodeView& view, Kept& kept, std::vector<analysis::Item>& failures,
                                         const std::vector<std::string>* only = nullptr) const {
    const auto failed = [&failures](const std::string& key, const hiera::LookupError& error) {
      failures.push_back({.name = key, .value = {}, .failure = error.diagnostic()});
    };
    hiera::Result result = view.lookup_all(query({}, kept.arena), failed, only);
    kept.parts.push_back(result.keepalive);
    return result.value;
  }

  /// The result for one node of a fleet that is analysed.
  void ask_node(LookupNode& node, const analysis::Wanted& wanted, analysis::Outcome& out) const {
    auto kept = std::make_shared<Kept>();
    kept->parts.push_back(node.facts());
    out.memory = kept;
    try {
      Outcome outcome;
      outcome.result = all_ ? everything(node.view(), *kept, outcome.failures, wanted ? &*wanted : nullptr)
                            : looked_up(node.view(), *kept);
      out.items = items(outcome);
      show_as_puppet(outcome);
      out.whole = whole_of(outcome, options_);
    } catch (const Error& error) {
      if (!analysis::is_failure(error)) throw;
      analysis::set_failure(out, error);
      // What is wrong with the configuration is so for every lookup.
      if (!hiera::ends_run(error)) out.failure->message = about_lookup(out.failure->message);
    }
  }

  /// What the nodes of a run share that is analysed.
  [[nodiscard]] std::shared_ptr<LookupMemory> run_memory(Session& session) const {
    auto out = std::make_shared<LookupMemory>();
    out->settings = settings(session);
    out->keys = keys_;
    out->is_strict = options_.strict;
    if (!merge_.empty()) {
      out->merging = {.strategy = merge_,
                      .knockout_prefix = prefix_option_.is_given() ? std::optional(knockout_prefix_) : std::nullopt};
    }
    return out;
  }

  /// What `--render-as` names.
  [[nodiscard]] hiera::RenderFormat render_format(hiera::RenderFormat otherwise) const {
    using enum hiera::RenderFormat;
    return render_as_ == "json" ? json : render_as_ == "s" ? s : render_as_ == "yaml" ? yaml : otherwise;
  }

  /// Prints the result as puppet lookup does.
  void render_into(Outcome& outcome) const {
    const Value value = outcome.result.value;
    outcome.printed = rendered(value);
    outcome.leaves = [value](std::string_view printed, text::LeafObserver& observer) {
      hiera::find_leaves(value, printed, observer);
    };
  }

  void show_as_puppet(Outcome& outcome) const {
    if (options_.output_given) return;
    outcome.own = [key = single_key(), format = render_format(hiera::RenderFormat::yaml),
                   compat = kCompats.at(compat_)](const Value& value) {
      return rendered_as(value, format, compat, key);
    };
  }

  /// Prints `value` as puppet lookup does. An error names `key`, the key that was looked up, unless it is empty.
  [[nodiscard]] static std::string rendered_as(const Value& value, hiera::RenderFormat format, hiera::Compat compat,
                                               const std::string& key) {
    try {
      return hiera::render(value, format, compat);
    } catch (const Error& error) {
      if (key.empty() || error.gives_up()) throw;
      Diagnostic diagnostic = error.diagnostic();
      diagnostic.message = fmt::format("cannot print the value of '{}': {}", key, diagnostic.message);
      throw Error(std::move(diagnostic));
    }
  }

  [[nodiscard]] std::string rendered(const Value& value) const {
    return rendered_as(value, render_format(hiera::RenderFormat::yaml), kCompats.at(compat_), single_key());
  }

  /// The key that is looked up; empty where it is all of them.
  [[nodiscard]] std::string single_key() const { return all_ || keys_.empty() ? std::string() : keys_.front(); }

  /// What `puppet lookup --explain` prints. A lookup that fails is explained too.
  [[nodiscard]] std::string explanation(hiera::NodeView& view, Kept& kept) const {
    using Scope = hiera::Explanation::Scope;
    hiera::Explanation explanation(!explain_options_  ? Scope::data
                                   : options_.explain ? Scope::both
                                                      : Scope::options_only);
    const std::vector<std::string> names = keys_.empty() ? std::vector<std::string>{"__global__"} : keys_;
    try {
      hiera::Result result = view.lookup(query(names, kept.arena), &explanation);
      kept.parts.push_back(result.keepalive);
      return explained(explanation, kept);
    } catch (const hiera::LookupError& error) {
      explanation.add_failure(error, working_folder());
      return explained(explanation, kept);
    }
  }

  [[nodiscard]] std::string explained(const hiera::Explanation& explanation, Kept& kept) const {
    const hiera::RenderFormat wanted = render_format(hiera::RenderFormat::s);
    return wanted == hiera::RenderFormat::s ? explanation.text()
                                            : hiera::render(explanation.data(kept.arena), wanted, kCompats.at(compat_));
  }

  Arguments command_;
  SharedOptions options_;
  Host* host_ = nullptr;
  std::vector<std::string> keys_;
  std::string codedir_;
  std::string environment_ = "production";
  std::string hiera_config_;
  std::vector<std::string> maps_;
  std::string environment_root_;
  std::string facts_;
  std::string facts_text_;
  std::string trusted_;
  std::string trusted_text_;
  std::string server_facts_file_;
  std::optional<std::string> server_facts_text_;
  mutable std::mutex server_facts_mutex_;                           ///< Guards `server_facts_`.
  mutable std::shared_ptr<const hiera::ServerFacts> server_facts_;  ///< Null until a lookup needs them.
  std::optional<hiera::Facts> one_node_;                            ///< For lookups of further keys.
  std::string node_;
  std::string nodes_;
  std::string merge_;
  Origin merge_origin_;  ///< For the report on lists.
  std::string knockout_prefix_;
  bool sort_merged_arrays_ = false;
  bool merge_hash_arrays_ = false;
  std::string type_;
  std::string default_;
  bool explain_options_ = false;
  std::string render_as_;
  bool all_ = false;
  bool mask_ = false;
  std::string compat_ = "openvox";
  Option merge_option_;
  Option prefix_option_;
  Option type_option_;
  Option default_option_;
  Option render_option_;
};

const Registration lookup_registration(
    {.name = "lookup",
     .place = 200,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<LookupCommand>(); },
     .examples = {"strata lookup --codedir examples/hiera --facts examples/hiera/nodes/db01.yaml accounts::users",
                  "strata lookup --codedir examples/hiera --nodes examples/hiera/nodes --output jsonl "
                  "accounts::users.alice.groups"},
     .page = "hiera/lookup.md",
     .is_question = true,
     .dialect = "Hiera 5",
     .fidelity = "behaves as OpenVox 8.28.1; --compat puppet7 as Puppet 7.23, --compat openvox9 as OpenVox 9.0.0"});

}  // namespace

}  // namespace strata::cli
