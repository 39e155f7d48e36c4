// SPDX-License-Identifier: Apache-2.0
// Bundles: what is sent, and what is refused.
#include "heat/bundle.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "heat/request_world.hpp"
#include "strata/heat.hpp"
#include "strata/report.hpp"
#include "support/generators.hpp"

namespace strata::heat {
namespace {

class Network final : public Fetcher {
 public:
  std::string get(const std::string& url, const Stop* /*stop*/) override {
    if (url == "https://h/t/n.yaml") return "heat_template_version: pike\nresources: {r: {type: sub/m.yaml}}\n";
    if (url == "https://h/t/sub/m.yaml") return "heat_template_version: pike\n";
    throw Error("include.fetch", "404");
  }
};

struct Bundling {
  Limits limits;
  bool with_history = false;
  std::unique_ptr<Session> session;  ///< Of the last run.
  std::map<std::string, std::string> files;
  BundleRequest request;
  Network network;
  bool is_online = false;
  Bundle kept;

  Bundling() { request.folder = "/w"; }
  Value run() {
    session.reset(new Session(testing::test_session(files, {.limits = limits, .keeps_history = with_history})));
    request.network = is_online ? &network : nullptr;
    kept = bundle(request, *session);
    return kept.request.value;
  }
  [[nodiscard]] const merge::History& history() const { return *session->recorder().history(); }
  std::string text() {
    return outcome([&] { return flow(run()); });
  }
  std::string file(const std::string& url) {
    const Value* found = run().find("files")->find(url);
    return found == nullptr ? "none" : std::string(found->text());
  }
};

TEST(Bundles, of_nothing_hold_nothing) {
  Bundling it;
  EXPECT_EQ(it.text(), R"({"parameters": {}, "files": {}, "environment": {}})");
}

TEST(Bundles, resolve_registry_paths_and_templates) {
  Bundling it;
  it.files = {{"w/env/a.yaml",
               "resource_registry: {My::T: ../tpl/n.yaml, My::S: My::T2, resources: {r: {My::T: x.txt, hooks: "
               "pre-create}, s: {d: {My::T: y}}}}\n"},
              {"w/tpl/n.yaml",
               "heat_template_version: pike\nresources: {r: {type: m.template}, f: [{get_file: x.sh}, {get_file: {a: "
               "1}}, {type: none.yml}]}\n"},
              {"w/tpl/m.template", "HeatTemplateFormatVersion: 2012-12-12\n"},
              {"w/tpl/x.sh", "echo é\n"},
              {"w/env/x.txt", "x"}};
  it.request.environment_files = {"env/a.yaml"};
  EXPECT_EQ(
      it.text(),
      R"({"parameters": {}, "files": {"file:///w/tpl/m.template": "{\"HeatTemplateFormatVersion\": \"2012-12-12\"}", "file:///w/tpl/x.sh": "echo é\n", )"
      R"("file:///w/tpl/n.yaml": "{\"heat_template_version\": \"pike\", \"resources\": {\"r\": {\"type\": \"file:///w/tpl/m.template\"}, )"
      R"(\"f\": [{\"get_file\": \"file:///w/tpl/x.sh\"}, {\"get_file\": {\"a\": 1}}, {\"type\": \"none.yml\"}]}}", "file:///w/env/x.txt": "x", )"
      R"("file:///w/env/a.yaml": "{\"resource_registry\": {\"My::T\": \"file:///w/tpl/n.yaml\", \"My::S\": \"My::T2\", )"
      R"(\"resources\": {\"r\": {\"My::T\": \"file:///w/env/x.txt\", \"hooks\": \"pre-create\"}, \"s\": {\"d\": {\"My::T\": \"y\"}}}}}"}, )"
      R"("environment": {"resource_registry": {"My::T": "file:///w/tpl/n.yaml", "My::S": "My::T2", )"
      R"("resources": {"r": {"My::T": "file:///w/env/x.txt", "hooks": "pre-create"}, "s": {"d": {"My::T": "y"}}}}}, )"
      R"("environment_files": ["file:///w/env/a.yaml"]})");
}

TEST(Bundles, follow_base_url) {
  Bundling it;
  it.files = {{"w/a.yaml",
               "resource_registry: {base_url: 'file:///b', My::T: n.txt, resources: {r: {base_url: 'file:///c/', "
               "My::T: n.txt}}}\n"},
              {"b/n.txt", "b"},
              {"c/n.txt", "c"}};
  it.request.environment_files = {"a.yaml"};
  EXPECT_EQ(it.file("file:///b/n.txt"), "b");
  EXPECT_EQ(it.file("file:///c/n.txt"), "c");
}

TEST(Bundles, keep_binary_files_as_base64) {
  Bundling it;
  it.files = {{"w/a.yaml", "resource_registry: {My::T: n.bin}\n"}, {"w/n.bin", std::string(60, '\xff')}};
  it.request.environment_files = {"a.yaml"};
  EXPECT_EQ(it.file("file:///w/n.bin"), std::string(76, '/') + "\n////\n");
}

TEST(Bundles, fetch_over_the_network_only_where_it_is_allowed) {
  Bundling it;
  it.files = {{"w/a.yaml", "resource_registry: {My::T: 'https://h/t/n.yaml'}\n"}};
  it.request.environment_files = {"a.yaml"};
  EXPECT_EQ(it.text(), "bundle.network: the network is not allowed, and https://h/t/n.yaml needs it");
  it.is_online = true;
  EXPECT_EQ(it.file("https://h/t/n.yaml"),
            R"({"heat_template_version": "pike", "resources": {"r": {"type": "https://h/t/sub/m.yaml"}}})");
}

struct WrongBundle {
  const char* environment;
  const char* outcome;
};
class RefusedBundle : public ::testing::TestWithParam<WrongBundle> {};

TEST_P(RefusedBundle, says_why) {
  Bundling it;
  it.files = {{"w/a.yaml", GetParam().environment},
              {"w/loop.yaml", "heat_template_version: pike\nr: {type: loop2.yaml}"},
              {"w/loop2.yaml", "heat_template_version: pike\nr: {get_file: loop.yaml}"}};
  it.request.environment_files = {"a.yaml"};
  EXPECT_EQ(it.text().substr(0, std::string_view(GetParam().outcome).size()), GetParam().outcome);
}

INSTANTIATE_TEST_SUITE_P(
    Table, RefusedBundle,
    ::testing::Values(
        WrongBundle{"params: {}", "heat.section: environment has wrong section \"params\""},
        WrongBundle{"5: {}", "heat.section: environment has wrong section \"5\""}, WrongBundle{"[a]", "heat.root: "},
        WrongBundle{"resource_registry: [a]", "bundle.registry: "},
        WrongBundle{"resource_registry: {My::T: 5}", "bundle.registry: the registry maps 'My::T' to an integer"},
        WrongBundle{"resource_registry: {My::T: gone.yaml}",
                    "bundle.fetch: could not fetch contents for file:///w/gone.yaml"},
        WrongBundle{"resource_registry: {My::T: ''}", "bundle.fetch: could not fetch contents for file:///w/"},
        WrongBundle{"resource_registry: {My::T: 'file://other/x'}", "bundle.fetch: "},
        WrongBundle{"resource_registry: {base_url: tpl, My::T: n.yaml}",
                    "bundle.base-url: unknown url type: 'tpl/n.yaml'"},
        WrongBundle{"resource_registry: {base_url: [a], My::T: n.yaml}", "bundle.base-url: "},
        WrongBundle{"resource_registry: {My::T: loop.yaml}",
                    "bundle.loop: the template uses itself: file:///w/loop.yaml -> file:///w/loop2.yaml -> "
                    "file:///w/loop.yaml"}));

INSTANTIATE_TEST_SUITE_P(
    LetThrough, RefusedBundle,
    ::testing::Values(WrongBundle{"resource_registry: {My::T: null, resources: null}",
                                  R"({"parameters": {}, "files": {"file:///w/a.yaml": )"},
                      WrongBundle{
                          "resource_registry:",
                          R"({"parameters": {}, "files": {"file:///w/a.yaml": "{\"resource_registry\": null}"})"},
                      WrongBundle{"", R"({"parameters": {}, "files": {"file:///w/a.yaml": "{}"}, "environment": {}, )"},
                      WrongBundle{"resource_registry: {base_url: tpl, My::T: 'OS::A'}", R"({"parameters": {})"}));

TEST(Bundles, need_their_environment_files) {
  Bundling it;
  it.request.environment_files = {"no file.yaml"};
  EXPECT_EQ(it.text(), "bundle.fetch: could not fetch contents for file:///w/no%20file.yaml: there is no such file");
}

TEST(Bundles, put_hooks_into_the_clients_environment) {
  Bundling it;
  it.files = {{"w/a.yaml", "parameters: {a: 1}\n"}};
  it.request.environment_files = {"a.yaml"};
  it.request.hooks = {{"pre-create", "web"}, {"pre-create", "/outer//in*"}};
  EXPECT_EQ(
      flow(*it.run().find("environment")),
      R"({"parameters": {"a": 1}, "resource_registry": {"resources": {"web": {"hooks": "pre-create"}, "outer": {"in*": {"hooks": "pre-create"}}}}})");
  ASSERT_EQ(it.session->diagnostics().warnings().size(), 1U);
  EXPECT_EQ(it.session->diagnostics().warnings()[0].code, "bundle.hooks");
}

TEST(Bundles, split_a_single_parameter_only) {
  Bundling it;
  it.request.parameters = {"a=1;b=2=3"};
  EXPECT_EQ(flow(*it.run().find("parameters")), R"({"a": "1", "b": "2=3"})");
  it.request.parameters = {"a=1;b=2", "l=x", "l=y", "=e"};
  EXPECT_EQ(flow(*it.run().find("parameters")), R"({"a": "1;b=2", "l": ["x", "y"], "": "e"})");
  it.request.parameters = {"a=1;"};
  EXPECT_EQ(it.text(), "heat.parameter-word: malformed parameter ''");
  it.request.parameters = {"a=1"};
  it.request.parameter_files = {"a=key.pem"};
  it.files = {{"w/key.pem", "KEY\n"}};
  EXPECT_EQ(flow(*it.run().find("parameters")), R"({"a": "KEY\n"})");
}

TEST(ClientMerge, joins_mappings_and_keeps_them_from_nulls) {
  const std::vector<std::array<std::string, 3>> table{{"{a: {k: 1}}", "{a: {j: 2}}", R"({"a": {"k": 1, "j": 2}})"},
                                                      {"{a: {k: 1}}", "{a: null}", R"({"a": {"k": 1}})"},
                                                      {"{a: {}}", "{a: null}", R"({"a": {}})"},
                                                      {"{a: x}", "{a: null}", R"({"a": null})"},
                                                      {"{a: null}", "{a: {k: 1}}", R"({"a": {"k": 1}})"},
                                                      {"{a: x}", "{a: {}}", R"({"a": "x"})"},
                                                      {"{a: [1]}", "{a: [2]}", R"({"a": [2]})"},
                                                      {"{a: {k: 1}}", "{a: 5}", R"({"a": 5})"},
                                                      {"{a: x}", "{a: {k: 1}}", "merge.kind-mismatch: "}};
  for (const auto& [old, incoming, expected] : table) {
    RequestWorld world;
    const std::string got = outcome([&, &old = old, &incoming = incoming] {
      return flow(merge::merge({world.yaml(old), {}}, {world.yaml(incoming), {}}, client_merge(), world.session.arena(),
                               world.limits, world.session.recorder())
                      .value);
    });
    EXPECT_EQ(got.substr(0, expected.size()), expected) << old << " " << incoming;
  }
}

RC_GTEST_PROP(ClientMerge, of_a_mapping_with_itself_is_itself, ()) {
  const auto sample = *strata::testing::any_mapping({.text_keys_only = true, .json_only = true, .finite = true});
  const Limits limits;
  Arena arena;
  const Sources sources;
  merge::NullRecorder unrecorded(sources);
  const Value merged =
      merge::merge({sample.value, {}}, {sample.value, {}}, client_merge(), arena, limits, unrecorded).value;
  RC_ASSERT(equal(merged, sample.value));
}

TEST(Bundles, tell_which_file_set_a_value) {
  Bundling it;
  it.files = {{"w/a.yaml", "parameters: {a: 1}\n"}, {"w/b.yaml", "parameters: {a: 2}\n"}};
  it.request.environment_files = {"a.yaml", "b.yaml"};
  it.with_history = true;
  static_cast<void>(it.run());
  const auto paths = it.history().explain(it.kept.request, {"environment", "parameters", "a"});
  ASSERT_EQ(paths.size(), 1U);
  ASSERT_EQ(paths[0].contributions.size(), 2U);
  EXPECT_EQ(it.history().layer_name(paths[0].contributions[1].layer), "b.yaml");
  EXPECT_EQ(paths[0].contributions[1].fate, merge::Fate::won);
}

TEST(Bundles, mark_what_is_hidden) {
  Bundling it;
  it.files = {
      {"w/t.yaml", "heat_template_version: pike\nparameters: {pw: {type: string, hidden: true}, a: {type: string}}\n"},
      {"w/n.yaml", "HeatTemplateFormatVersion: 2012-12-12\nParameters: {Key: {Type: String, NoEcho: 'TRUE'}}\n"},
      {"w/a.yaml", "parameters: {pw: one, a: b}\nparameter_defaults: {Key: two}\n"},
      {"w/b.yaml", "resource_registry: {My::T: n.yaml}\nparameters: {a: c}\n"}};
  it.request.template_file = "t.yaml";
  it.request.environment_files = {"a.yaml", "b.yaml"};
  it.request.parameters = {"pw=three"};
  it.with_history = true;
  const Value body = it.run();
  const auto is_secret = [&](std::initializer_list<std::string_view> path) {
    const Value* at = &body;
    for (const std::string_view key : path) at = at->find(key);
    return at->is_secret();
  };
  EXPECT_TRUE(is_secret({"parameters", "pw"}));
  EXPECT_TRUE(is_secret({"environment", "parameters", "pw"}));
  EXPECT_TRUE(is_secret({"environment", "parameter_defaults", "Key"}));
  EXPECT_TRUE(is_secret({"files", "file:///w/a.yaml"}));
  EXPECT_FALSE(is_secret({"environment", "parameters", "a"}));
  EXPECT_FALSE(is_secret({"files", "file:///w/b.yaml"}));
  EXPECT_EQ(body.find("environment")->find("parameters")->find("pw")->text(), "one");
  EXPECT_EQ(
      report::explain_text(it.session->sources(), it.history(), it.history().explain(it.kept.request)).find("one"),
      std::string::npos);
}

TEST(Bundles, send_parameter_files_that_are_no_text_as_base64) {
  Bundling it;
  it.files = {{"w/bin", "\xFF\xFE"}, {"w/text", "é"}};
  it.request.parameter_files = {"b=bin", "t=text"};
  EXPECT_EQ(it.text(), R"({"parameters": {"b": "//4=\n", "t": "é"}, "files": {}, "environment": {}})");
}

TEST(Bundles, bound_what_templates_ask_for) {
  Bundling it;
  it.limits.include_depth = 3;
  for (int i = 0; i < 6; ++i)
    it.files["w/t" + std::to_string(i) + ".yaml"] =
        "heat_template_version: pike\nr: {type: t" + std::to_string(i + 1) + ".yaml}";
  it.files["w/t6.yaml"] = "heat_template_version: pike";
  it.files["w/a.yaml"] = "resource_registry: {My::T: t0.yaml}";
  it.request.environment_files = {"a.yaml"};
  EXPECT_EQ(it.text().substr(0, 20), "limit.include-depth:");
  it.limits.include_depth = 50;
  it.limits.includes = 2;
  EXPECT_EQ(it.text().substr(0, 15), "limit.includes:");
}

}  // namespace
}  // namespace strata::heat
