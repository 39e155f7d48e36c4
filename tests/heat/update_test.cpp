// SPDX-License-Identifier: Apache-2.0
// States: updates, promised and shipped, and what they are written as.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "compose_world.hpp"
#include "strata/report.hpp"
#include "strata/stop.hpp"

namespace strata::heat {
namespace {

const Texts two_files{
    {"one.yaml", "parameters: {a: one, m: {k: 1}}\nparameter_defaults: {n: 1}\n"},
    {"two.yaml", "parameters: {a: two}\nresource_registry: {'A::A': 'B::B', resources: {r: {hooks: pre-create}}}\n"}};

std::string stored(const std::string& parameters = {}) {
  return ask({.files = two_files, .parameters = parameters})->state();
}

TEST(Update, of_nothing_changes_nothing) {
  const auto before = ask({.files = two_files, .parameters = "{b: cli}"});
  const auto after = ask({.state = before->state()});
  EXPECT_EQ(after->all(), before->all());
  EXPECT_EQ(after->state(), before->state());
  EXPECT_EQ(ask({.state = before->state(), .reuse = false})->state(), before->state());
}

TEST(Update, appends_files_that_are_new) {
  EXPECT_EQ(
      ask({.files = {{"three.yaml", "parameters: {b: three, m: {j: 2}}"}}, .state = stored()})->section("parameters"),
      R"({"a": "two", "m": {"j": 2}, "b": "three"})");
}

TEST(Update, gives_a_stored_file_its_new_text_at_its_old_place) {
  const auto answer = ask({.files = {{"one.yaml", "parameters: {a: uno, b: s}"}}, .state = stored()});
  EXPECT_EQ(answer->section("parameters"), R"({"a": "two", "b": "s"})");
  EXPECT_EQ(answer->section("parameter_defaults"), "{}");
  const auto attached = ask({.state = stored(), .attached = {{"one.yaml", "parameters: {b: s}"}}});
  EXPECT_EQ(attached->section("parameters"), R"({"b": "s", "a": "two"})");
}

TEST(Update, appends_a_new_name_as_often_as_it_is_given) {
  const auto answer = ask({.files = {{"x", "parameter_merge_strategies: {l: merge}\nparameters: {l: [1]}"}},
                           .list = {{"x", "two.yaml", "x"}},
                           .state = stored()});
  EXPECT_EQ(answer->section("parameters"), R"({"a": "two", "m": {"k": 1}, "l": [1, 1]})");
}

TEST(Update, keeps_explicit_parameters_above_files_until_they_are_cleared) {
  const std::string state = stored("{a: cli, n: '5'}");
  EXPECT_EQ(ask({.files = {{"three.yaml", "parameters: {a: three}"}}, .state = state})->section("parameters"),
            R"({"a": "cli", "m": {"k": 1}, "n": "5"})");
  EXPECT_EQ(ask({.state = state, .parameters = "{a: again}", .cleared = {"a"}})->section("parameters"),
            R"({"m": {"k": 1}, "n": "5", "a": "again"})");
}

TEST(Update, clears_what_stored_files_say_until_they_are_sent_again) {
  const auto cleared = ask({.state = stored(), .cleared = {"a"}});
  EXPECT_EQ(cleared->section("parameters"), R"({"m": {"k": 1}})");
  const auto kept = ask({.state = cleared->state()});
  EXPECT_EQ(kept->section("parameters"), R"({"m": {"k": 1}})");
  const auto sent = ask({.files = {{"two.yaml", "parameters: {a: dos}"}}, .state = kept->state()});
  EXPECT_EQ(sent->section("parameters"), R"({"m": {"k": 1}, "a": "dos"})");
  EXPECT_EQ(ask({.files = {{"two.yaml", "parameters: {a: dos}"}}, .state = stored(), .cleared = {"a"}})
                ->section("parameters"),
            R"({"m": {"k": 1}, "a": "dos"})");
}

TEST(Update, drops_parameters_that_the_template_does_not_declare) {
  const auto created = ask(
      {.files = {{"e", "parameters: {a: x, stray: 1}\nparameter_defaults: {stray: 2}"}}, .parameters = "{zz: cli}"});
  EXPECT_EQ(created->section("parameters"), R"({"a": "x", "stray": 1, "zz": "cli"})");
  const auto updated = ask({.state = created->state()});
  EXPECT_EQ(updated->section("parameters"), R"({"a": "x"})");
  EXPECT_EQ(updated->section("parameter_defaults"), R"({"stray": 2})");
}

const std::string imported_state =
    R"({"template": {"heat_template_version": "2018-08-31", "parameters": {"a": {"type": "string"}, "m": {"type": "json"}}},
        "environment": {"resource_registry": {"A::X": "B::X", "resources": {"s": {"A::X": "B::X"}}}, "parameters": {"a": "base", "m": {"k": 1}},
                        "event_sinks": [{"type": "zaqar-queue", "target": "q1"}], "encrypted_param_names": ["a"]}})";

TEST(Update, lies_over_an_imported_environment) {
  const auto answer = ask({.files = {{"e",
                                      "parameters: {a: new}\nresource_registry: {'A::X': null, 'A::Y': y.yaml, "
                                      "resources: {t: {hooks: pre-create}}}\n"
                                      "event_sinks: [{type: zaqar-queue, target: q2}]\nencrypted_param_names: [m]"}},
                           .state = imported_state});
  EXPECT_EQ(
      answer->all(),
      R"({"resource_registry": {"resources": {"s": {"A::X": "B::X"}, "t": {"hooks": "pre-create"}}, "A::Y": "y.yaml"}, )"
      R"("parameters": {"a": "new", "m": {"k": 1}}, "parameter_defaults": {}, )"
      R"("event_sinks": [{"type": "zaqar-queue", "target": "q1"}, {"type": "zaqar-queue", "target": "q2"}], "encrypted_param_names": ["a"]})");
  EXPECT_EQ(ask({.state = answer->state()})->all(), answer->all());
  EXPECT_EQ(ask({.state = imported_state, .cleared = {"a"}})->section("parameters"), R"({"m": {"k": 1}})");
}

TEST(Update, over_a_level_cannot_go_below_a_mapping) {
  EXPECT_EQ(ask({.files = {{"e", "resource_registry: {'A::X': {y: z}}"}}, .state = imported_state})->error,
            "heat.registry: 'A::X' maps a type: there cannot be entries below it");
}

TEST(Update, as_shipped_lies_over_the_last_result_only) {
  const auto created = ask({.files = two_files, .compat = Compat::shipped});
  const auto sent =
      ask({.files = {{"three.yaml", "parameter_merge_strategies: {default: merge}\nparameters: {m: {j: 2}}"}},
           .state = created->state(),
           .compat = Compat::shipped});
  EXPECT_EQ(sent->section("parameters"), R"({"a": "two", "m": {"j": 2}})");
  const auto attached = ask(
      {.state = created->state(), .compat = Compat::shipped, .attached = {{"one.yaml", "parameters: {a: changed}"}}});
  EXPECT_EQ(attached->all(), created->all());
  EXPECT_EQ(ask({.state = created->state(), .cleared = {"a"}, .compat = Compat::shipped})->section("parameters"),
            R"({"m": {"k": 1}})");
}

TEST(Hooks, of_a_request_are_in_its_result_and_not_in_the_next_one) {
  const auto answer = ask({.files = two_files, .hooks = {{"pre-create", "r"}, {"pre-update", "outer/in*"}}});
  EXPECT_EQ(
      answer->section("resource_registry"),
      R"({"resources": {"r": {"hooks": "pre-create"}, "outer": {"in*": {"hooks": "pre-update"}}}, "A::A": "B::B"})");
  EXPECT_EQ(ask({.state = answer->state()})->all(), ask({.state = stored()})->all());
}

TEST(Hooks, beside_files_have_no_effect_as_shipped) {
  const auto answer = ask({.files = two_files, .compat = Compat::shipped, .hooks = {{"pre-create", "web"}}});
  EXPECT_EQ(answer->all(), ask({.files = two_files, .compat = Compat::shipped})->all());
  EXPECT_EQ(answer->warnings(), std::vector<std::string>{"bundle.hooks"});
}

TEST(Numbers, of_clients_that_became_text_are_warned_of) {
  const auto answer = ask(
      {.files = {{"e", R"({"parameters": {"n": 1e+20, "a": "1e+20", "m": {"k": [Infinity, 1.5, e1, 1.0e+20]}}})"}}});
  EXPECT_EQ(answer->warnings(), (std::vector<std::string>{"heat.number-text", "heat.number-text"}));
}

TEST(Explicit, wins_as_promised_and_is_overridden_as_shipped) {
  const Texts files{{"e0", "parameter_merge_strategies: {a: merge}\nparameters: {a: one, n: 1, stray: 1}"},
                    {"e1", "parameters: {a: two}"}};
  EXPECT_EQ(ask({.files = files, .parameters = "{a: cli}"})->section("parameters"),
            R"({"a": "cli", "n": 1, "stray": 1})");
  const auto shipped = ask({.files = files, .parameters = "{a: cli, n: '7'}", .compat = Compat::shipped});
  EXPECT_EQ(shipped->section("parameters"), R"({"a": "clionetwo", "n": 1})");
  EXPECT_EQ(shipped->warnings(),
            (std::vector<std::string>{"heat.dropped-name", "heat.explicit-overridden", "heat.explicit-overridden"}));
}

TEST(Body, counts_without_a_list_only) {
  const std::string body =
      "parameters: {a: body, stray: 1}\nresource_registry: {'A::B': 'C::D'}\nparameter_merge_strategies: {a: merge}";
  EXPECT_EQ(
      ask({.parameters = "{b: cli}", .body = body})->all(),
      R"({"resource_registry": {"resources": {}, "A::B": "C::D"}, "parameters": {"a": "body", "stray": 1, "b": "cli"}, "parameter_defaults": {}, )"
      R"("event_sinks": [], "encrypted_param_names": []})");
  EXPECT_EQ(ask({.files = {{"e", "parameters: {b: file}"}}, .body = body})->section("parameters"), R"({"b": "file"})");
  EXPECT_EQ(ask({.body = "parameters: words"})->error, "heat.section-shape: 'parameters' must be a mapping, not text");
  const auto created = ask({.body = body});
  EXPECT_EQ(ask({.files = {{"e", "parameters: {a: file}"}}, .state = created->state()})->section("parameters"),
            R"({"a": "file"})");
}

TEST(Hidden, values_are_shown_in_the_plain_result_only) {
  const Texts files{{"e0", "parameters: {secret: geheim, a: x}\nparameter_defaults: {secret: null}"},
                    {"e1", "parameters: {secret: heimlich}"}};
  const auto answer = ask({.files = files, .parameters = "{secret: versteckt}"}, true);
  ASSERT_EQ(answer->error, "");
  EXPECT_EQ(answer->section("parameters"), R"({"secret": "versteckt", "a": "x"})");
  const std::string blame = report::blame_text(answer->sources, answer->composition->shown.value, {});
  const std::string history =
      report::explain_text(answer->sources, answer->history(), answer->history().explain(answer->composition->shown));
  for (const char* word : {"geheim", "heimlich", "versteckt"}) {
    EXPECT_EQ(blame.find(word), std::string::npos) << blame;
    EXPECT_EQ(history.find(word), std::string::npos) << history;
  }
  const Value masked = masked_environment(*answer->composition, answer->session).value;
  EXPECT_EQ(flow(*masked.find("parameters")), R"({"secret": "******", "a": "x"})");
  EXPECT_EQ(flow(*masked.find("parameter_defaults")), R"({"secret": "******"})");
}

TEST(Hidden, values_are_in_no_message) {
  for (const char* text :
       {"parameters: {secret: [geheim, 1}",
        "parameter_merge_strategies: {secret: merge}\nparameters: {secret: {geheim: geheim}}",
        "parameter_merge_strategies: {default: merge}\nparameters: {a: 5, secret: geheim}\nparms: {}"}) {
    const auto answer =
        ask({.files = {{"e0", "parameters: {secret: geheim}\nparameter_merge_strategies: {default: merge}"},
                       {"e1", text}}});
    EXPECT_NE(answer->error, "");
    EXPECT_EQ(answer->report.find("geheim"), std::string::npos) << answer->report;
  }
}

TEST(History, tells_of_each_parameter_and_entry_who_set_it_and_who_lost) {
  const Texts files{{"a.yaml", "parameters:\n  a: one\n  n: 1\nresource_registry:\n  A::X: B::X\n  A::Y: null\n"},
                    {"b.yaml", "parameters:\n  a: two\n  n: null\n  stray: 5\nresource_registry:\n  A::X: C::X\n"}};
  const auto answer = ask({.files = files, .parameters = "{a: cli}"}, true);
  EXPECT_EQ(
      report::explain_text(answer->sources, answer->history(), answer->history().explain(answer->composition->shown)),
      "/resource_registry/resources: {}\n"
      "/resource_registry/A::X: \"C::X\"\n"
      "  won       b.yaml:6:9  \"C::X\"\n"
      "  shadowed  a.yaml:5:9  \"B::X\"\n"
      "/parameters/a: \"cli\"\n"
      "  won       <parameter>:1:5  \"cli\"\n"
      "  shadowed  b.yaml:2:6       \"two\"\n"
      "  shadowed  a.yaml:2:6       \"one\"\n"
      "/parameters/n: 1\n"
      "  won       a.yaml:3:6  1\n"
      "  shadowed  b.yaml:3:6  null\n"
      "/parameters/stray: (gone)\n"
      "  removed   b.yaml:4:10  5\n"
      "/parameter_defaults: {}\n"
      "/event_sinks: []\n"
      "/encrypted_param_names: []\n");
}

TEST(History, tells_how_values_were_joined) {
  const auto answer = ask({.files = {{"a.yaml", "parameter_merge_strategies: {l: merge}\nparameters:\n  l: x\n"},
                                     {"b.yaml", "parameters:\n  l: y\n  a: z\n"}}},
                          true);
  EXPECT_EQ(report::explain_text(answer->sources, answer->history(),
                                 answer->history().explain(answer->composition->shown, {"parameters"})),
            "/parameters/l: \"x,y\"\n"
            "  merged    a.yaml:3:6  \"x\"\n"
            "  merged    b.yaml:2:6  \"y\"  by merge\n"
            "/parameters/a: \"z\"\n"
            "  won       b.yaml:3:6  \"z\"\n");
}

TEST(History, agrees_with_the_plain_result) {
  for (const Compat compat : {Compat::promised, Compat::shipped}) {
    const Texts files{{"x",
                       "parameters: {m: {k: 1}}\nparameter_merge_strategies: {m: deep_merge}\nresource_registry: "
                       "{resources: {'*': {hooks: []}}}"},
                      {"y", "parameters: {m: {j: [1]}, a: z}"}};
    const Asked asked{.files = files, .state = imported_state, .parameters = "{a: cli}", .compat = compat};
    EXPECT_EQ(ask(asked, true)->all(), ask(asked)->all());
  }
}

TEST(State, that_was_cut_off_or_edited_is_one_error) {
  const std::string whole = stored("{a: cli}");
  for (std::size_t size = 0; size < whole.size() - 1; size += 7) {
    const auto answer = ask({.state = whole.substr(0, size)});
    EXPECT_TRUE(answer->error.starts_with("json.")) << size << ": " << answer->error;
  }
  struct Edited {
    const char* text;
    const char* error;
  };
  for (const auto& [text, error] :
       {Edited{"[]", "heat.state: a state must be a mapping, not a sequence"},
        Edited{R"({"template": 3})", "heat.state: 'template' of a state must be a text or a mapping, not an integer"},
        Edited{R"({"environment_files": {}})",
               "heat.state: 'environment_files' of a state must be a sequence of names, not a mapping"},
        Edited{R"({"environment_files": [1]})",
               "heat.state: 'environment_files' of a state must be a sequence of names; this item is an integer"},
        Edited{R"({"files": {"a": 1}})",
               "heat.state: 'files' of a state must be a mapping from names to texts; this item is an integer"},
        Edited{R"({"environment_files": ["x"]})",
               "heat.missing-file: the contents of this environment file are missing: 'x'"},
        Edited{R"({"cleared_parameters": {"a": "x"}})",
               "heat.state: 'a' of 'cleared_parameters' must be a sequence of file names, not text"},
        Edited{R"({"environment": {"parms": {"a": 1}}})", "heat.section: environment has wrong section \"parms\""},
        Edited{R"({"base_environment": {"event_sinks": [3]}})",
               "heat.event-sink: event_sinks: a sink must be a mapping, not an integer"}}) {
    EXPECT_EQ(ask({.state = text})->error, error);
  }
}

TEST(State, with_an_edited_checkpoint_is_combined_again) {
  std::string state = stored();
  const std::size_t sections = state.find("\"sections\"");
  const std::size_t value = state.find("\"two\"", sections);
  ASSERT_NE(value, std::string::npos);
  state.replace(value, 5, "\"TWO\"");
  const auto answer = ask({.state = state});
  EXPECT_EQ(answer->section("parameters"), R"({"a": "two", "m": {"k": 1}})");
  EXPECT_EQ(answer->warnings(), std::vector<std::string>{"heat.checkpoint"});
  for (const char* checkpoint : {"3", "[]", "{}", R"({"version": "1"})", R"({"version": "9", "files": 3})"}) {
    const auto odd = ask(
        {.state = std::string(R"({"environment_files": ["e"], "files": {"e": "parameters: {a: 1}"}, "checkpoint": )") +
                  checkpoint + "}"});
    EXPECT_EQ(odd->section("parameters"), R"({"a": 1})");
  }
}

/// The code of the error that ends a combination of files of `sections`.
std::string ending(const std::vector<std::string>& texts, const Stop& stop) {
  Session session = testing::test_session({}, {.limits = {.stop = &stop}});
  Request request;
  for (const std::string& text : texts) {
    const std::string name = "f" + std::to_string(request.files.size());
    request.files.push_back({.name = name, .source = session.sources().add(name, text)});
    request.environment_files.push_back(name);
  }
  try {
    (void)compose(request, session);
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

TEST(Composing, EndsWhenItsTimeIsOver) {
  const Stop stop(Stop::Clock::now());
  EXPECT_EQ(ending({"parameters: {a: 1}\n"}, stop), "limit.time");
}

TEST(Composing, EndsWhenItIsCancelled) {
  // Wildcards each of which looks at all entries: much work for each composition.
  std::string many = "resource_registry:\n";
  for (int i = 0; i < 5000; ++i) many += "  A" + std::to_string(i) + ": B\n";
  for (int i = 0; i < 5000; ++i) many += "  C" + std::to_string(i) + "*: null\n";
  Stop stop;
  std::thread other([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.cancel();
  });
  std::string code;
  while (code.empty()) code = ending({many}, stop);
  EXPECT_EQ(code, "session.cancelled");
  other.join();
}

}  // namespace
}  // namespace strata::heat
