// SPDX-License-Identifier: Apache-2.0
// strata inject: what names are bound to for a node; strata bindings explain: why.
#include <fmt/format.h>

#include <set>

#include "command.hpp"
#include "list_report.hpp"
#include "lookup_fleet.hpp"
#include "site_options.hpp"
#include "strata/builder.hpp"
#include "strata/paths.hpp"
#include "strata/report.hpp"
#include "strata/stop_scope.hpp"
#include "strata/text.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

/// The owner of a result.
struct Kept {
  Kept(const site::Settings& settings, const site::NodeInputs& inputs, Session& session)
      : node(settings, inputs, session) {}
  [[nodiscard]] bindings::Injector& injector() { return node.injector(); }

  site::Node node;
  Arena arena;
  std::shared_ptr<const void> fallback;
};

/// For analyses: the uses of statements that a node made known, or was the first to use.
std::vector<analysis::Use> uses_of(bindings::Usage& usage) {
  using Kind = bindings::Usage::Statement::Kind;
  std::vector<analysis::Use> out;
  for (bindings::Usage::Statement& one : usage.take()) {
    analysis::Use use{.code = "losing-binding",
                      .place = {.file = {.path = absolute_path(working_folder(), one.where.place.file),
                                         .form = {.syntax = edit::Syntax::other}}},
                      .is_used = one.is_used,
                      .message = "this binding never wins",
                      .note = std::move(one.rival),
                      .hint = "remove it"};
    use.note.message = "it loses to this one";
    if (one.kind == Kind::abstract) {
      use.code = "unbound-abstract";
      use.message = "nothing binds this abstract key";
      use.hint = "bind it, or remove it";
    } else if (one.kind == Kind::when) {
      use.code = "unused-category";
      use.message = "no node has these categories";
      for (auto& [category, value] : one.conditions) {
        use.names.push_back({.kind = std::move(category), .text = std::move(value), .ignores_case = true});
      }
    }
    use.place.where = std::move(one.where);
    out.push_back(std::move(use));
  }
  return out;
}

std::vector<std::string> usage_values(const bindings::Usage& usage, const std::string& category) {
  const auto value = usage.value(category);
  return value ? std::vector{*value} : std::vector<std::string>();
}

/// The files behind the nodes of a site.
class UsageFiles final : public analysis::SubjectFiles {
 public:
  explicit UsageFiles(std::shared_ptr<bindings::Usage> usage) : usage_(std::move(usage)) {}

  /// The documents of all nodes so far.
  [[nodiscard]] std::vector<analysis::ConfigurationFile> read() override {
    gather();
    std::vector<analysis::ConfigurationFile> out;
    for (const std::string& path : files_) out.push_back({.path = path, .form = {.syntax = edit::Syntax::other}});
    return out;
  }
  [[nodiscard]] std::vector<analysis::Use> uses() override {
    gather();
    return std::exchange(uses_, {});
  }
  [[nodiscard]] bool has_own_uses() override { return true; }
  [[nodiscard]] std::vector<std::string> names(const std::string& kind) override { return usage_values(*usage_, kind); }

 private:
  void gather() {
    for (analysis::Use& use : uses_of(*usage_)) {
      files_.insert(use.place.file.path);
      uses_.push_back(std::move(use));
    }
  }

  std::vector<analysis::Use> uses_;  ///< Not yet given.
  std::set<std::string> files_;
  std::shared_ptr<bindings::Usage> usage_;
};

class InjectCommand : public Verb {
 public:
  explicit InjectCommand(bool explains) : explains_(explains) {}

  void add_to(Arguments& program) override {
    if (explains_) {
      command_ = program.subcommand("bindings", "ARM-8 bindings: check a site or explain a value")
                     .add_subcommand("explain", "explain the value of a name in a site of bindings");
    } else {
      command_ = program.add_subcommand("inject", "ARM-8 bindings: print the value of a name for a node");
    }
    command_.add(site::item_options(), given_);
    command_.add(explains_ ? site::explanation_options() : site::injection_options(), given_);
    command_.add(site::site_options(true), given_);
    options_.add_to(command_, Output::json);
    if (!explains_) {
      options_.add_permissions_to(command_);
      options_.add_source_map_to(command_);
      options_.add_lists_to(command_);
    }
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] std::string place_of_files() const override { return site_.confdir(); }
  [[nodiscard]] Permissions permissions() override { return {.programs = true, .network = true}; }
  [[nodiscard]] bool explains_by_history() override { return is_explaining() || options_.lists; }

  void check_usage() override {
    words_.clear();
    if (given_.first) words_.push_back(*given_.first);
    if (given_.second) words_.push_back(*given_.second);
    const int forms = (given_.all ? 1 : 0) + (given_.classes ? 1 : 0) + (given_.parameters ? 1 : 0) +
                      (given_.variables ? 1 : 0) + (given_.graph ? 1 : 0);
    const std::string name = explains_ ? "bindings explain" : "inject";
    if (forms > 1)
      throw UsageError(Usage::conflict, name + ": give only one of --all, --classes, --parameters and --variables");
    if (forms == 1 && !words_.empty())
      throw UsageError(Usage::conflict, name + ": give either a NAME or an option that replaces it");
    if (forms == 0 && words_.empty()) throw UsageError(Usage::missing, name + ": give a NAME");
    if (forms == 1 && given_.default_value) throw UsageError(Usage::missing, "inject: --default needs a NAME");
    if (given_.default_value) check_default();
    if (explains_ && (options_.blame || options_.compares))
      throw UsageError(Usage::conflict, "bindings explain: --blame and --against only work with inject");
    if (!site_.nodes().empty() && (is_explaining() || given_.graph || options_.blame || options_.maps())) {
      throw UsageError(
          Usage::conflict,
          name + ": --nodes cannot be used with --explain, --graph, --blame and --source-map: ask about one node");
    }
    if (given_.graph && options_.maps())
      throw UsageError(Usage::conflict, name + ": --graph shows no values: it cannot be used with --source-map");
  }

  void prepare(Host& host) override {
    host_ = &host;
    site_.prepare(host);
  }

  void suggest(std::string_view kind, Host& host, Session& session, const AddSuggestion& add) override {
    if (kind != "TYPE" && kind != "NAME") return site_.suggest(kind, host, session, add);
    site_.prepare(host);
    const bool is_first = kind == "TYPE";
    site_.each_node(host, session, [&](const site::NodeInputs& node) {
      try {
        Session own(session, false);
        const StopScope work(&own.stop());
        Kept kept(site_.settings(false), node, own);
        for (bindings::Injector::Key& key : kept.injector().keys()) {
          // The first word is a type, or the name of data; types of data do not tell names apart.
          if (is_first) add({.word = key.type.empty() ? std::move(key.name) : std::move(key.type)});
          if (!is_first && (key.type.empty() || key.type == given_.first)) add({.word = std::move(key.name)});
        }
      } catch (const Error& error) {
        if (error.ends_request()) throw;
      }
    });
  }

  Outcome run(Session& session) override {
    if (!site_.nodes().empty()) return fleet(session);
    auto kept = std::make_shared<Kept>(site_.settings(options_.strict, options_.bounds),
                                       learning(site_.node(), session, usage_), session);
    Outcome outcome{.result = {}, .yaml_head = {}, .printed = {}, .keepalive = kept};
    if (given_.graph) {
      outcome.printed = graph(*kept);
      return outcome;
    }
    if (is_explaining()) {
      outcome.stream = explanation(session, *kept);
    } else {
      outcome.result = result(session, *kept);
      // Comparisons are of the secrets themselves.
      if (site_.masks() && !options_.compares) outcome.result.value = report::masked(kept->arena, outcome.result.value);
      if (options_.lists) {
        outcome.printed = list_report(options_, lists_of(session, *kept, outcome.result));
      }
    }
    return outcome;
  }

  /// The value of a NAME, or of a TYPE and a NAME.
  Outcome look_up(Session& session, const analysis::KeyQuery& query) override {
    return looked_up(session, site_.node(), query);
  }

  [[nodiscard]] const query::Traits& traits() const override { return bindings::traits(); }
  [[nodiscard]] bool is_fleet() const override { return !site_.nodes().empty(); }
  [[nodiscard]] bool is_for_many() const override { return true; }

  [[nodiscard]] std::vector<analysis::Use> uses(Session& /*session*/) override { return uses_of(usage_); }
  [[nodiscard]] std::vector<std::string> names(const std::string& kind) const override {
    return usage_values(usage_, kind);
  }

  [[nodiscard]] FleetSubjects subjects(Session& session) override {
    // All nodes share it: a site's statements are known once.
    const auto usage = std::make_shared<bindings::Usage>();
    const auto files = std::make_shared<UsageFiles>(usage);
    const auto make = [this, usage, files](const std::shared_ptr<const hiera::Facts>& facts, Session& own,
                                           FleetSubject& out) {
      out.files = files;
      out.ask = [this, facts, usage, &own](const analysis::Wanted& /*wanted*/, analysis::Outcome& answer) {
        const auto kept = std::make_shared<Kept>(site_.settings(options_.strict, options_.bounds),
                                                 learning(site_.node(*facts), own, *usage), own);
        const merge::Traced found = result(own, *kept);
        // The node goes with its session, and a history points into what it made.
        const auto memory = std::make_shared<std::pair<Arena, std::shared_ptr<const Kept>>>();
        if (own.recorder().keeps()) memory->second = kept;
        answer.items = {{.name = {}, .value = memory->first.deep_copy(found.value), .failure = {}, .slot = found.slot}};
        answer.memory = memory;
      };
      out.look_up = [this, facts, &own](const analysis::KeyQuery& query) {
        return looked_up(own, site_.node(*facts), query);
      };
    };
    return taken_nodes(site_.nodes(), *host_, session, make);
  }

 private:
  /// A node from which `usage` learns, if an analysis looks at how results come about.
  [[nodiscard]] site::NodeInputs learning(site::NodeInputs node, Session& session, bindings::Usage& usage) const {
    if (options_.compares && session.recorder().keeps()) node.usage = &usage;
    return node;
  }

  /// Every node of `--nodes`, one after the other: what one of them takes is gone before the next.
  Outcome fleet(Session& session) {
    return {
        .result = {},
        .yaml_head = {},
        .printed = {},
        .keepalive = {},
        .stream = [this, &session](const Stream& stream) {
          const bool as_json = options_.output == Output::json;
          const auto nodes = open_nodes(site_.nodes(), *host_, session.sources(), session.limits());
          FleetText style{.empty = "{}\n", .sort_nodes = options_.sort_keys};
          if (as_json)
            style = {
                .head = "{\n", .separator = ",\n", .tail = "\n}\n", .empty = "{}\n", .sort_nodes = options_.sort_keys};
          if (options_.lists) style = {.sort_nodes = options_.sort_keys};
          if (options_.lists && as_json) {
            style = {.head = std::string(kRowsHead),
                     .separator = std::string(kRowsSeparator),
                     .tail = std::string(kRowsTail),
                     .empty = std::string(kNoRows),
                     .sort_nodes = options_.sort_keys};
          }
          style.failing = " cannot be answered: ";
          FleetWriter writer(style, stream, options_.strict);
          const auto size = nodes->size();
          std::size_t count = 0;
          while (const auto node = nodes->next()) {
            session.stop().check();
            writer.add(of_node(session, *node));
            ++count;
            stream.progress(size ? fmt::format("{} of {} nodes", count, *size) : fmt::format("{} nodes", count));
          }
          if (count == 0) stream.tell(no_nodes(site_.nodes()), options_.strict ? "error" : "warning");
          return writer.finish() && !(count == 0 && options_.strict);
        }};
  }

  /// The value of a name for one node of many.
  hiera::FleetResult of_node(Session& session, const hiera::FleetNode& node) {
    hiera::FleetResult out;
    out.node = node.name;
    out.where = node.where;
    Session own(session, options_.lists);
    const StopScope work(&own.stop());
    session.snapshot().add_input(kInputOfNode);
    bool is_known = !node.name.empty();
    try {
      const hiera::Facts facts = node.facts(own.sources());
      out.node = facts.node;
      is_known = true;
      Kept kept(site_.settings(options_.strict, options_.bounds), site_.node(facts), own);
      const merge::Traced found = result(own, kept);
      const Value value = site_.masks() ? report::masked(kept.arena, found.value) : found.value;
      MappingBuilder mapping(kept.arena);
      mapping.insert(out.node, value);
      if (options_.lists) {
        out.text = list_rows(options_, lists_of(own, kept, {value, found.slot}, out.node));
      } else if (options_.output == Output::json) {
        out.text = "  ";
        text::append_json_text(out.text, out.node);
        out.text += ": ";
        text::append_json(out.text, value, {.sort_keys = options_.sort_keys, .indent = 2}, 1);
      } else {
        out.text =
            text::write_yaml(mapping.finish(), {.profile = nullptr, .sort_keys = options_.sort_keys, .indent = 2});
      }
    } catch (const Error& error) {
      const auto* of_lookup = dynamic_cast<const hiera::LookupError*>(&error);
      if (!is_known && of_lookup != nullptr) out.node = of_lookup->name();
      if ((error.ends_request() && !own.is_spent_alone(session)) || out.node.empty()) throw;
      out.failed_keys = error.all();
    }
    out.warnings = own.diagnostics().warnings();
    return out;
  }

  Outcome looked_up(Session& session, const site::NodeInputs& node, const analysis::KeyQuery& query) const {
    if (query.merge) throw Error("call.merge", "'merge' is for lookup: bindings say themselves how they are merged");
    if (query.names.empty() || query.names.size() > 2)
      throw Error("call.keys", "inject takes a name, or a type and a name");
    Kept kept(site_.settings(options_.strict, options_.bounds), node, session);
    const std::string_view type = query.names.size() == 2 ? std::string_view(query.names.front()) : std::string_view();
    bindings::Injector& injector = kept.injector();
    merge::Traced found;
    if (query.otherwise) {
      found = type.empty() ? injector.find(query.names.back()) : injector.find(type, query.names.back());
      if (!found.value) found = {*query.otherwise, {}};
    } else {
      found = type.empty() ? injector.inject(query.names.back()) : injector.inject(type, query.names.back());
    }
    // The node goes with its session.
    const auto memory = std::make_shared<Arena>();
    found.value = memory->deep_copy(found.value);
    return {.result = found, .yaml_head = {}, .printed = {}, .keepalive = memory};
  }

  [[nodiscard]] bool is_explaining() const { return explains_ ? !given_.graph : options_.explain.has_value(); }

  [[nodiscard]] std::string_view type() const {
    return words_.size() == 2 ? std::string_view(words_[0]) : std::string_view();
  }
  [[nodiscard]] std::string_view name() const { return words_.back(); }

  /// Layers and contributions as `--explain` prints them.
  static ListQuestion lists_of(Session& session, Kept& kept, const merge::Traced& result,
                               const std::string& node = {}) {
    const merge::History& history = *session.recorder().history();
    const bindings::Injector& injector = kept.injector();
    return {
        .sources = session.sources(),
        .history = history,
        .result = result,
        .reading = {.revise = [&injector](
                                  std::vector<merge::PathHistory>& paths) { bindings::join_repeated(injector, paths); },
                    .stop = session.limits().stop},
        .node = node,
        .layer_name = [&injector, &history](merge::LayerId layer) {
          const bindings::StatementReport* told = injector.told(layer);
          return told == nullptr ? history.layer_name(layer) : told->layer;
        }};
  }

  /// With a history for `--lists`, also of what the binding shadows.
  merge::Traced result(Session& session, Kept& kept) {
    const merge::Traced found = plain_result(session, kept);
    if (!options_.lists || (words_.empty() && !given_.classes)) return found;
    bindings::Injector& injector = kept.injector();
    const bindings::Explanation told =
        given_.classes ? injector.explain("", "/classes") : injector.explain(type(), name(), fallback(session, kept));
    return told.value.value ? told.value : found;
  }

  merge::Traced plain_result(Session& session, Kept& kept) {
    bindings::Injector& injector = kept.injector();
    if (given_.all) return injector.all();
    if (given_.classes) return injector.classes();
    if (given_.variables) return injector.variables();
    if (given_.parameters) return injector.parameters(*given_.parameters);
    if (!given_.default_value) return words_.size() == 2 ? injector.inject(type(), name()) : injector.inject(name());
    const merge::Traced found = words_.size() == 2 ? injector.find(type(), name()) : injector.find(name());
    return found.value ? found : merge::Traced{fallback(session, kept), {}};
  }

  /// Whether it is used or not.
  void check_default() const {
    try {
      Sources sources;
      (void)text::read_json(sources, sources.add("<default>", *given_.default_value), options_.limits);
    } catch (const Error& error) {
      throw UsageError(Usage::value, fmt::format("inject: --default: {}", error.what()));
    }
  }

  /// What --default says; absent where it is not given.
  Value fallback(Session& session, Kept& kept) {
    if (!given_.default_value) return {};
    const text::Document document =
        text::read_json(session.sources(), session.sources().add("<default>", *given_.default_value), session.limits());
    kept.fallback = document.arena;
    return document.root;
  }

  /// Why the result is what it is; what cannot be had counts as failed, as it does without `--explain`.
  std::function<bool(const Stream&)> explanation(Session& session, Kept& kept) {
    bindings::Injector& injector = kept.injector();
    const std::string path = options_.explain.value_or("");
    const bool of_name = !words_.empty() || given_.classes;
    bindings::Explanation told;
    if (of_name) {
      told =
          given_.classes ? injector.explain("", "/classes") : injector.explain(type(), name(), fallback(session, kept));
    } else {
      told.value = result(session, kept);
    }
    const merge::History& history = *session.recorder().history();
    const Stop* stop = session.limits().stop;
    const auto require = [&](bool is_any) {
      if (is_any || path.empty()) return;
      if (told.problem) throw Error(*told.problem);
      options_.throw_no_such_path(told.value.value);
    };
    if (options_.explains_name()) options_.throw_no_such_path(told.value.value);
    std::string text;
    if (options_.output_given && (of_name || options_.output == Output::json)) {
      // An arena of the session: what the rows take counts for its budget.
      const Value data =
          bindings::explanation_data(*session.new_arena(), session.sources(), history, injector, told, path, stop);
      require(data.size() != 0);
      text = options_.output == Output::json ? text::write_json(data) : text::write_yaml(data);
    } else if (of_name && path.empty()) {
      text = bindings::explanation_text(session.sources(), told);
    } else {
      const auto paths = bindings::explanation_paths(history, injector, told.value, path, stop);
      require(!paths.empty());
      text = report::explain_text(session.sources(), history, paths);
    }
    options_.check_explanation(text.size());
    return [text = std::move(text), problem = std::move(told.problem)](const Stream& stream) {
      stream.print(text);
      if (problem) stream.tell(*problem, "error");
      return !problem;
    };
  }

  /// The resources of other nodes that fed the site's bindings: all of them are worked out.
  std::string graph(Kept& kept) const {
    bindings::Injector& injector = kept.injector();
    (void)injector.all();
    const std::vector<bindings::ResourceEdge> edges = injector.edges();
    if (!options_.output_given) {
      std::string out;
      for (const bindings::ResourceEdge& edge : edges) {
        out += fmt::format("{} {}[{}]{} -> {}\n", edge.certname.empty() ? "-" : edge.certname, edge.type, edge.title,
                           edge.parameter.empty() ? "" : " " + edge.parameter, edge.key);
      }
      return out;
    }
    SequenceBuilder list(kept.arena, edges.size());
    for (const bindings::ResourceEdge& edge : edges) {
      MappingBuilder out(kept.arena);
      const auto put = [&](std::string_view name, const std::string& text) {
        if (!text.empty()) out.insert(name, kept.arena.text(text));
      };
      put("certname", edge.certname);
      put("type", edge.type);
      put("title", edge.title);
      put("parameter", edge.parameter);
      put("key", edge.key);
      list.append(out.finish());
    }
    return options_.output == Output::json ? text::write_json(list.finish()) : text::write_yaml(list.finish());
  }

  bool explains_;
  Host* host_ = nullptr;
  Arguments command_;
  site::QueryOptions given_;
  SiteOptions site_{given_};
  SharedOptions options_;
  std::vector<std::string> words_;  ///< One or two of them, where any were given.
  bindings::Usage usage_;
};

const Registration inject_registration(
    {.name = "inject",
     .place = 500,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<InjectCommand>(false); },
     .examples =
         {"strata inject --confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml --classes",
          "strata inject --confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml --blame "
          "accounts::users"},
     .page = "bindings/inject.md",
     .is_question = true,
     .dialect = "ARM-8",
     .fidelity = "bindings, with the Puppet language of 7.23"});

const Registration explain_registration(
    {.name = "bindings explain",
     .place = 520,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<InjectCommand>(true); },
     .examples =
         {"strata bindings explain --confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml "
          "motd::color",
          "strata bindings explain --confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml "
          "--inventory examples/bindings/inventory.yaml --graph"},
     .page = "bindings/check.md"});

}  // namespace

}  // namespace strata::cli
