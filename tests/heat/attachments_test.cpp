// SPDX-License-Identifier: Apache-2.0
// Which files are attached to a request, in which order, and what is not found.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "heat/attached_template.hpp"
#include "heat/file_references.hpp"
#include "heat/request_world.hpp"
#include "strata/heat.hpp"

namespace strata::heat {
namespace {

const std::string kHead = "heat_template_version: 2018-08-31\n";

/// A template that declares one parameter and names files.
std::string naming(const std::string& parameter, const std::string& resources) {
  return kHead + "parameters: {" + parameter + ": {type: json}}\nresources: {" + resources + "}\n";
}

struct Attaching {
  std::map<std::string, std::string> files;
  std::vector<std::string> environments;
  std::string root;                ///< The name of the template; empty: none.
  std::vector<std::string> given;  ///< As `--file`.
  Limits limits = {};
  std::unique_ptr<Session> session;  ///< Of the last run.
  Request request;

  void run() {
    session.reset(new Session(testing::test_session(files, {.limits = limits})));
    request = {};
    request.environment_files = environments;
    for (const auto* names : {&environments, &given}) {
      for (const std::string& name : *names)
        request.files.push_back({.name = name, .source = session->sources().add(name, files.at("w/" + name))});
    }
    // The tree begins in the root, and `folder` is another one.
    if (!root.empty()) request.template_text = session->sources().add(root, files.at("w/" + root));
    attach_files(request, *session, "/w");
  }

  std::string names() {
    return outcome([&] {
      run();
      std::vector<std::string> out;
      for (const NamedText& file : request.files) out.push_back(file.name);
      return fmt::format("{}", fmt::join(out, " "));
    });
  }

  /// `REASON NAME POINTER`, one per line.
  std::string unattached() {
    run();
    std::string out;
    for (const UnattachedFile& one : request.unattached)
      out += fmt::format("{} {} {}\n", static_cast<int>(one.reason), one.name, one.pointer);
    return out;
  }

  std::vector<std::string> warnings() const {
    std::vector<std::string> out;
    for (const Diagnostic& one : session->diagnostics().warnings()) out.push_back(one.code + ": " + one.message);
    return out;
  }
};

std::vector<std::string> names_of(const std::vector<FileReference>& all) {
  std::vector<std::string> out;
  for (const FileReference& one : all) out.push_back(one.base + " " + one.name + " " + one.pointer);
  return out;
}

TEST(FileReferences, of_a_template_are_the_deepest_first) {
  RequestWorld world;
  const Value root = world.yaml(
      "type: top.yaml\nresources: {a: {type: a.template, properties: {x: [{get_file: b.sh}, {get_file: [no]}]}}, b: "
      "{type: OS::X, Type: no.yaml}, c: {type: no.yml}, d: {type: 3}}\n");
  const std::vector<std::string> wanted{"file:///w b.sh ", "file:///w a.template ", "file:///w top.yaml "};
  EXPECT_EQ(names_of(files_of_template(root, "file:///w", nullptr)), wanted);
}

TEST(FileReferences, of_a_registry_are_two_levels_deep) {
  RequestWorld world;
  const Value registry = world.yaml(
      "A: a.yaml\nB: OS::X\nC: other\nhooks: pre-create\nD: null\nbase_url: file:///b\nresources:\n  r: {A: r.yaml, "
      "restricted_actions: update, deeper: {A: no.yaml}}\n  s: {base_url: 'file:///s/', A: s.yaml}\n  t: text\n");
  const std::vector<std::string> wanted{"file:///b a.yaml /resource_registry/A", "file:///b other /resource_registry/C",
                                        "file:///b r.yaml /resource_registry/resources/r/A",
                                        "file:///s/ s.yaml /resource_registry/resources/s/A"};
  EXPECT_EQ(names_of(files_of_registry(registry, "file:///w", nullptr)), wanted);
}

TEST(FileReferences, count_their_memory) {
  Stop stop;
  stop.spend({.memory = 10'000});  // Builds with sanitizers allow twenty times as much.
  std::string text = "base_url: 'file:///" + std::string(5'000, 'x') + "'\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("A{}: f\n", i);
  RequestWorld world;
  const Value registry = world.yaml(text);
  EXPECT_EQ(
      outcome([&] { return std::to_string(files_of_registry(registry, "file:///w", &stop).size()); }).substr(0, 12),
      "limit.memory");
}

TEST(Attachments, follow_templates_before_environments) {
  Attaching it;
  it.files = {{"w/t.yaml", naming("a", "x: {type: sub/one.yaml}, y: {type: OS::X, p: {get_file: run.sh}}")},
              {"w/sub/one.yaml", naming("b", "x: {type: two.yaml}")},
              {"w/sub/two.yaml", naming("c", "x: {type: ../three.yaml}")},
              {"w/three.yaml", kHead},
              {"w/run.sh", "echo\n"},
              {"w/env/e.yaml", "resource_registry: {My::T: ../reg.yaml, My::U: ../three.yaml}\n"},
              {"w/reg.yaml", kHead}};
  it.root = "t.yaml";
  it.environments = {"env/e.yaml"};
  EXPECT_EQ(it.names(), "three.yaml sub/two.yaml sub/one.yaml run.sh reg.yaml env/e.yaml");
  EXPECT_TRUE(it.warnings().empty());
}

TEST(Attachments, end_where_templates_name_each_other) {
  Attaching it;
  it.files = {{"w/t.yaml", naming("a", "x: {type: t.yaml}, y: {type: one.yaml}")},
              {"w/one.yaml", naming("b", "x: {type: two.yaml}, y: {type: one.yaml}")},
              {"w/two.yaml", naming("c", "x: {type: one.yaml}, y: {type: t.yaml}")}};
  it.root = "t.yaml";
  EXPECT_EQ(it.names(), "two.yaml one.yaml t.yaml");
}

TEST(Attachments, given_files_come_last_and_are_followed) {
  Attaching it;
  it.files = {{"w/t.yaml", naming("a", "x: {type: one.yaml}, y: {type: two.yaml}")},
              {"w/one.yaml", naming("b", "x: {type: leaf.yaml}")},
              {"w/two.yaml", kHead},
              {"w/leaf.yaml", kHead}};
  it.root = "t.yaml";
  it.given = {"./one.yaml"};
  it.files["w/./one.yaml"] = it.files["w/one.yaml"];
  EXPECT_EQ(it.names(), "two.yaml leaf.yaml ./one.yaml");
}

TEST(Attachments, report_what_is_not_there) {
  Attaching it;
  it.files = {
      {"w/t.yaml", naming("a", "x: {type: 'https://h/n.yaml'}, y: {type: gone.yaml}, z: {type: gone.yaml}")},
      {"w/env/e.yaml",
       "resource_registry:\n  A: ../../out.yaml\n  B: made.yaml\n  C: dir\n  D: ../right.yaml\n  E: right.yaml\n  "
       "F: Type\n"},
      {"w/env/made.j2.yaml", "{{ x }}"},
      {"w/env/dir/x", ""},
      {"w/right.yaml", kHead}};
  it.root = "t.yaml";
  it.environments = {"env/e.yaml"};
  EXPECT_EQ(it.unattached(),
            "3 https://h/n.yaml \n0 gone.yaml \n0 gone.yaml \n0 ../../out.yaml /resource_registry/A\n2 made.yaml "
            "/resource_registry/B\n4 dir /resource_registry/C\n0 right.yaml /resource_registry/E\n0 Type "
            "/resource_registry/F\n");
  EXPECT_EQ(it.request.unattached[6].correction, "../right.yaml");
  // One warning for each file.
  EXPECT_EQ(it.warnings().size(), 7U);
  EXPECT_EQ(it.warnings()[1],
            "heat.unattached-file: the file 'gone.yaml' does not exist: the parameters that it declares do not count");
}

TEST(Attachments, are_bounded) {
  Attaching it;
  std::string resources;
  for (int i = 0; i < 20; ++i) {
    resources += fmt::format("r{0}: {{type: n{0}.yaml}}, ", i);
    it.files[fmt::format("w/n{}.yaml", i)] = kHead;
  }
  it.files["w/t.yaml"] = naming("a", resources);
  it.root = "t.yaml";
  it.limits.includes = 19;
  EXPECT_EQ(it.names(), "limit.includes: templates and registries name more than 19 files");
  it.limits.includes = 20;
  EXPECT_EQ(it.names().substr(0, 7), "n0.yaml");
}

TEST(Attachments, of_wrong_or_hostile_texts_are_none) {
  const std::string deep(100'000, '[');
  for (const std::string& text :
       {std::string("resource_registry: [a.yaml]\n"), std::string("resource_registry: {A: [\n"),
        std::string("[resource_registry]\n"), "resource_registry: " + deep, std::string()}) {
    Attaching it;
    it.files = {{"w/e.yaml", text}};
    it.environments = {"e.yaml"};
    EXPECT_EQ(it.names(), "e.yaml") << text.substr(0, 40);
    EXPECT_TRUE(it.warnings().empty());
  }
  Attaching it;
  it.files = {
      {"w/e.yaml", "resource_registry: {A: \"" + std::string(100'000, 'x') + ".yaml\", B: \"a\\0.yaml\", C: ''}\n"}};
  it.environments = {"e.yaml"};
  it.run();
  ASSERT_EQ(it.request.unattached.size(), 3U);
  for (const std::string& warning : it.warnings()) EXPECT_LT(warning.size(), 400U);
}

TEST(Attachments, warn_of_twenty_files_at_most) {
  Attaching it;
  std::string text = "resource_registry:\n";
  for (int i = 0; i < 50; ++i) text += fmt::format("  A{0}: n{0}.yaml\n", i);
  it.files = {{"w/e.yaml", text}};
  it.environments = {"e.yaml"};
  it.run();
  ASSERT_EQ(it.warnings().size(), 21U);
  EXPECT_EQ(it.warnings().back(),
            "heat.unattached-file: 30 more files that templates and registries name are not attached");
  EXPECT_EQ(it.request.unattached.size(), 50U);
}

TEST(Attachments, make_parameters_count) {
  Attaching it;
  it.files = {{"w/t.yaml", naming("a", "x: {type: n.yaml}")},
              {"w/n.yaml", naming("inner", "")},
              {"w/one.yaml", "parameter_defaults: {a: {}}\n"},
              {"w/two.yaml", "parameter_defaults: {inner: {k: 1}, stray: 2}\n"}};
  it.root = "t.yaml";
  it.environments = {"one.yaml", "two.yaml"};
  it.run();
  const Composition made = compose(it.request, *it.session);
  EXPECT_EQ(flow(made.environment.parameter_defaults.value), R"({"a": {}, "inner": {"k": 1}})");
}

TEST(Attachments, with_wrong_declarations_are_errors) {
  for (const std::string& text :
       {kHead + "parameters: {x: {type: none}}\n", std::string("heat_template_version: 1999-01-01\n")}) {
    Attaching it;
    it.files = {{"w/t.yaml", naming("a", "x: {type: n.yaml}")}, {"w/n.yaml", text}};
    it.root = "t.yaml";
    it.run();
    EXPECT_EQ(outcome([&] { return flow(compose(it.request, *it.session).shown.value); }).substr(0, 5), "heat.")
        << text;
  }
}

TEST(Attachments, are_parsed_once_for_a_snapshot) {
  std::map<std::string, std::string> files = {{"w/n.yaml", naming("inner", "x: {type: m.yaml}")}, {"w/m.yaml", kHead}};
  const auto snapshot = Snapshot::make(Engine::make(), memory_tree(files), {});
  std::shared_ptr<const AttachedTemplate> first;
  for (int i = 0; i < 2; ++i) {
    Session session(snapshot, {});
    Request request;
    request.template_text = session.sources().add("t.yaml", naming("a", "x: {type: n.yaml}"));
    attach_files(request, session, "/w");
    ASSERT_EQ(request.files.size(), 2U);
    if (first == nullptr) first = request.files[1].read;
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(request.files[1].read, first);
    EXPECT_EQ(first->references.size(), 1U);
    EXPECT_NE(first->parameters.find("inner"), nullptr);
  }
}

}  // namespace
}  // namespace strata::heat
