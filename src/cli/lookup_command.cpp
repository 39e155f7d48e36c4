// SPDX-License-Identifier: Apache-2.0
// strata lookup: a key's value for a node, out of a Hiera code directory, with the options of `puppet lookup`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>

#include "command.hpp"
#include "hiera/query_options.hpp"
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
std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

class LookupCommand final : public Verb {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("lookup", "Hiera 5: look up a key for a node, with the options of puppet lookup");
    command_.add(hiera::query_options(), given_);
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
    return options_.lists ||
           (options_.explain && (!given_.nodes.empty() || options_.output_given || options_.explains_path));
  }

  [[nodiscard]] std::string place_of_files() const override {
    return given_.codedir.empty() ? given_.hiera_config : given_.codedir;
  }

  void check_usage() override {
    if (given_.codedir.empty() && given_.hiera_config.empty() && given_.environment_root.empty()) {
      throw UsageError(Usage::missing,
                       "lookup: name the data with --codedir DIR, --environment-root DIR or --hiera-config FILE");
    }
    (void)mapped_folders(given_.maps);
    if (given_.keys.empty() && !given_.all && !(given_.explain_options && !options_.explain))
      throw UsageError(Usage::missing, "lookup: No keys were given to lookup");
    if (!given_.keys.empty() && given_.all)
      throw UsageError(Usage::conflict, "lookup: --all prints every key: remove the KEY");
    if (given_.merge && std::ranges::find(kStrategies, strategy()) == kStrategies.end()) {
      throw UsageError(
          Usage::value,
          fmt::format("--merge: '{}' is not a strategy: use 'first', 'unique', 'hash' or 'deep'", strategy()));
    }
    if ((given_.knockout_prefix || given_.sort_merged_arrays || given_.merge_hash_arrays) && strategy() != "deep") {
      throw UsageError(
          Usage::conflict,
          "--knock-out-prefix, --sort-merged-arrays and --merge-hash-arrays are only available with '--merge deep'");
    }
    if (given_.nodes.empty()) {
      if (options_.output == Output::jsonl)
        throw UsageError(Usage::missing, "--output jsonl writes a line for each node: give --nodes with it");
    } else if (!given_.facts.empty() || !given_.node.empty() || !given_.trusted.empty()) {
      throw UsageError(Usage::conflict,
                       "--nodes names the nodes and their facts: remove --facts, --trusted and --node");
    } else if (given_.explain_options) {
      throw UsageError(Usage::conflict, "--explain-options works for one node: remove --nodes");
    } else if (options_.output == Output::jsonl && keeps_results()) {
      throw UsageError(Usage::conflict, "--output jsonl cannot be used with --blame, --explain, --lists and --against");
    }
    if (options_.lists && (given_.render_as || given_.explain_options)) {
      throw UsageError(Usage::conflict, "--lists cannot be used with --render-as and --explain-options");
    }
    if (options_.maps() && (given_.render_as || given_.explain_options)) {
      throw UsageError(Usage::conflict, "--source-map cannot be used with --render-as and --explain-options");
    }
    if (given_.render_as) given_.render_as = lower(*given_.render_as);
    if (given_.render_as) {
      if (options_.output_given) throw UsageError(Usage::conflict, "give only one of --render-as and --output");
      if (std::ranges::find(kRenderFormats, render_as()) == kRenderFormats.end()) {
        throw UsageError(
            Usage::value,
            fmt::format("--render-as: Unknown rendering format '{}': it takes yaml, json or s", render_as()));
      }
    }
  }

  void prepare(Host& host) override {
    host_ = &host;
    if (!given_.facts.empty()) facts_text_ = host.read(given_.facts);
    if (!given_.trusted.empty()) trusted_text_ = host.read(given_.trusted);
    if (!given_.server_facts.empty()) server_facts_text_ = host.read(given_.server_facts);
  }

  Outcome run(Session& session) override { return run_for(session, std::nullopt); }

  Outcome run_for(Session& session, const analysis::Wanted& wanted) override {
    if (options_.lists && !strategy().empty()) merge_origin_ = session.sources().add_name("<--merge>");
    if (!given_.nodes.empty()) return fleet(session);
    hiera::Facts facts = read_facts(session);
    auto kept = std::make_shared<Kept>();
    hiera::NodeView view(settings(session), facts, session);
    if (explains_as_reference())
      return {.result = {}, .yaml_head = {}, .printed = explanation(view, *kept), .keepalive = kept};
    Outcome outcome{.result = {}, .yaml_head = {}, .printed = {}, .keepalive = kept};
    outcome.result = given_.all ? everything(view, *kept, outcome.failures, wanted ? &*wanted : nullptr)
                                : answer(view, session, facts, *kept);
    kept->facts = facts;
    // Comparisons are of the secrets themselves.
    if (given_.mask && !options_.compares) outcome.result.value = report::masked(kept->arena, outcome.result.value);
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
  [[nodiscard]] bool is_fleet() const override { return !given_.nodes.empty(); }
  [[nodiscard]] bool is_for_many() const override { return true; }

  [[nodiscard]] std::vector<analysis::Item> items(const Outcome& outcome) const override {
    if (!given_.all)
      return {{.name = given_.keys.front(), .value = outcome.result.value, .failure = {}, .slot = outcome.result.slot}};
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
      suggest_folders(session.tree(), absolute(given_.codedir) + "/environments", add);
    } else if (kind == "NODE") {
      suggest_nodes(host, session, [&](const hiera::Facts& facts) { add({.word = facts.node}); });
    } else if (kind == "KEY") {
      const auto add_keys = [&](const hiera::Facts& facts) {
        hiera::NodeView(settings(session), facts, session).each_key([&](std::string_view key) {
          add({.word = hiera::whole_key(std::string(key))});
        });
      };
      if (given_.facts.empty() || given_.facts == "-") {
        add_keys({});
        suggest_nodes(host, session, add_keys);
      } else {
        facts_text_ = host.read(given_.facts);
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
        taken_nodes(given_.nodes, *host_, session,
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
  /// The release whose rules apply.
  [[nodiscard]] hiera::Compat compat() const { return hiera::compat_named(given_.compat); }
  /// The strategy of `--merge`. Empty: none.
  [[nodiscard]] std::string_view strategy() const { return given_.merge ? std::string_view(*given_.merge) : ""; }
  /// The format of `--render-as`. Empty: none.
  [[nodiscard]] std::string_view render_as() const {
    return given_.render_as ? std::string_view(*given_.render_as) : "";
  }

  /// The owner of a result.
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
    return (options_.explain && !explains_by_history()) || given_.explain_options;
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
    out.codedir = without_slashes(absolute(given_.codedir));
    out.environment = given_.environment;
    out.masks_locked = given_.mask;
    out.environment_root = without_slashes(absolute(given_.environment_root));
    if (!given_.hiera_config.empty()) out.hiera_config = absolute(given_.hiera_config);
    out.maps = mapped_folders(given_.maps);
    out.compat = compat();
    if (server_facts_text_) {
      const std::lock_guard lock(server_facts_mutex_);
      if (!server_facts_)
        server_facts_ =
            hiera::read_server_facts(*server_facts_text_, given_.server_facts, session.sources(), session.limits());
      out.server_facts = server_facts_;
    }
    return out;
  }

  [[nodiscard]] hiera::Facts read_facts(Session& session) const {
    const auto add = [&](const std::string& name, const std::string& text) {
      return session.sources().add(name == "-" ? "<stdin>" : name, text);
    };
    hiera::Facts facts;
    facts.node = given_.node;
    if (!given_.facts.empty())
      facts = hiera::read_facts(session.sources(), add(given_.facts, facts_text_), given_.facts, session.limits(),
                                given_.node);
    if (!given_.trusted.empty())
      hiera::set_trusted(facts, session.sources(), add(given_.trusted, trusted_text_), given_.trusted,
                         session.limits());
    return facts;
  }

  /// The nodes that are given, else those that facts or names of data files show.
  void suggest_nodes(Host& host, Session& session, const std::function<void(const hiera::Facts& facts)>& add) const {
    const std::string folder = absolute(!given_.environment_root.empty() ? given_.environment_root : given_.codedir);
    each_known_node(given_.nodes,
                    {.name = {},
                     .verb = "lookup",
                     .settings = {{.name = "codedir", .values = {absolute(given_.codedir)}}},
                     .folder = folder},
                    host, session, add);
  }

  /// The query that the options make.
  [[nodiscard]] hiera::Query query(std::vector<std::string> names, Arena& arena) const {
    hiera::Query out;
    out.names = std::move(names);
    if (given_.type) out.type = *given_.type;
    if (given_.default_value) out.default_value = arena.text(*given_.default_value);
    if (strategy().empty()) return out;
    MappingBuilder merge(arena);
    merge.insert("strategy", arena.text(strategy()));
    if (strategy() == "deep") {
      merge.insert("sort_merged_arrays", Value::boolean(given_.sort_merged_arrays));
      merge.insert("merge_hash_arrays", Value::boolean(given_.merge_hash_arrays));
      if (given_.knockout_prefix) merge.insert("knockout_prefix", arena.text(*given_.knockout_prefix));
    }
    out.merge = merge.finish().with_origin(merge_origin_);
    return out;
  }

  [[nodiscard]] merge::Traced answer(hiera::NodeView& view, Session& session, const hiera::Facts& facts,
                                     Kept& kept) const {
    hiera::Result result = found_or_hinted(view, facts, session, query(given_.keys, kept.arena));
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
    const auto nodes = open_nodes(given_.nodes, *host_, session.sources(), session.limits());
    hiera::FleetQuery asked{.query = query(given_.keys, kept.arena),
                            .all = given_.all,
                            .masks = given_.mask,
                            .sort_keys = options_.sort_keys};
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
    if (count == 0) stream.tell(no_nodes(given_.nodes), options_.strict ? "error" : "warning");
    return writer.finish() && !(count == 0 && options_.strict);
  }

  /// How the output is put together; sets the form of the nodes' results.
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
    if (render_as() == "json") return {.head = "{", .separator = ",", .tail = "}\n", .empty = "{}\n"};
    if (render_as() == "s") return {.head = "{", .separator = ", ", .tail = "}\n", .empty = "{}\n"};
    return {.head = "---\n", .empty = "--- {}\n"};
  }

  /// A mapping of one node without the parts before and after the members.
  [[nodiscard]] std::string fleet_member(const Value& mapping) const {
    if (options_.output_given)
      return text::write_yaml(mapping, {.profile = nullptr, .sort_keys = options_.sort_keys, .indent = 2});
    std::string text = rendered(mapping);
    if (render_as().empty() || render_as() == "yaml") return text.substr(text.find('\n') + 1);
    return text.substr(1, text.rfind('}') - 1);
  }

  /// A fleet whose results are all kept, with what blame, histories, differences and source maps need.
  [[nodiscard]] Outcome kept_fleet(Session& session) const {
    auto kept = std::make_shared<Kept>();
    MappingBuilder mapping(kept->arena);
    Outcome outcome{.result = {}, .yaml_head = {}, .printed = {}, .keepalive = kept};
    std::vector<merge::Traced> members;
    std::set<std::string> told;
    const auto nodes = open_nodes(given_.nodes, *host_, session.sources(), session.limits());
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
        const merge::Traced result = given_.all ? everything(view, *kept, failed) : looked_up(view, *kept);
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
        failure.message = fmt::format("node '{}'{}{}", name, given_.all ? ": " : ", ", about_lookup(failure.message));
        outcome.failures.push_back({.name = {}, .value = {}, .failure = std::move(failure)});
      }
    }
    if (mapping.size() == 0 && outcome.failures.empty()) session.diagnostics().warn(no_nodes(given_.nodes));
    outcome.result = session.recorder().compose(mapping.finish(), members);
    if (given_.mask) outcome.result.value = report::masked(kept->arena, outcome.result.value);
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
    hiera::Result result = view.lookup(query(given_.keys, kept.arena));
    kept.parts.push_back(result.keepalive);
    return result.value;
  }

  /// The message of a lookup that failed for a node of a fleet.
  [[nodiscard]] std::string about_lookup(const std::string& message) const {
    return given_.all ? message : hiera::about_key(given_.keys.front(), message);
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
      outcome.result = given_.all ? everything(node.view(), *kept, outcome.failures, wanted ? &*wanted : nullptr)
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

  /// State that the nodes of an analysed run share.
  [[nodiscard]] std::shared_ptr<LookupMemory> run_memory(Session& session) const {
    auto out = std::make_shared<LookupMemory>();
    out->settings = settings(session);
    out->keys = given_.keys;
    out->is_strict = options_.strict;
    if (!strategy().empty()) {
      out->merging = {.strategy = std::string(strategy()), .knockout_prefix = given_.knockout_prefix};
    }
    return out;
  }

  /// What `--render-as` names.
  [[nodiscard]] hiera::RenderFormat render_format(hiera::RenderFormat otherwise) const {
    using enum hiera::RenderFormat;
    return render_as() == "json" ? json : render_as() == "s" ? s : render_as() == "yaml" ? yaml : otherwise;
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
                   compat = compat()](const Value& value) { return rendered_as(value, format, compat, key); };
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
    return rendered_as(value, render_format(hiera::RenderFormat::yaml), compat(), single_key());
  }

  /// The key that is looked up; empty where it is all of them.
  [[nodiscard]] std::string single_key() const {
    return given_.all || given_.keys.empty() ? std::string() : given_.keys.front();
  }

  /// What `puppet lookup --explain` prints. A lookup that fails is explained too.
  [[nodiscard]] std::string explanation(hiera::NodeView& view, Kept& kept) const {
    using Scope = hiera::Explanation::Scope;
    hiera::Explanation explanation(!given_.explain_options ? Scope::data
                                   : options_.explain      ? Scope::both
                                                           : Scope::options_only);
    const std::vector<std::string> names = given_.keys.empty() ? std::vector<std::string>{"__global__"} : given_.keys;
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
                                            : hiera::render(explanation.data(kept.arena), wanted, compat());
  }

  Arguments command_;
  SharedOptions options_;
  hiera::QueryOptions given_;
  Host* host_ = nullptr;
  std::string facts_text_;
  std::string trusted_text_;
  std::optional<std::string> server_facts_text_;
  mutable std::mutex server_facts_mutex_;                           ///< Guards `server_facts_`.
  mutable std::shared_ptr<const hiera::ServerFacts> server_facts_;  ///< Null until a lookup needs them.
  std::optional<hiera::Facts> one_node_;                            ///< For lookups of further keys.
  Origin merge_origin_;                                             ///< For the report on lists.
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
