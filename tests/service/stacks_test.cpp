// SPDX-License-Identifier: Apache-2.0
// The Heat face beyond the recorded sequences: hidden values, preconditions, repeated and concurrent writes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "service/json.hpp"
#include "stacks_world.hpp"
#include "store/records.hpp"
#include "store/stacks.hpp"
#include "strata/text.hpp"

namespace strata::service::stacks {
namespace {

constexpr std::string_view kTemplate =
    R"({"heat_template_version": "2018-08-31", "parameters": {"a": {"type": "string", "default": "x"}, "m": {"type": "json", "default": {}},
        "pin": {"type": "string", "hidden": true, "default": ""}, "code": {"type": "string", "hidden": true, "default": ""}},
        "outputs": {"plain": {"value": {"get_param": "a"}}, "deep": {"value": {"get_param": ["m", "k", 0]}},
                    "leak": {"value": ["begin", {"get_param": "pin"}]}, "far": {"value": {"get_attr": ["server", "ip"]}}},
        "resources": {"server": {"type": "OS::Nova::Server"}}})";

std::string create_body(std::string_view name, std::string_view more = R"("parameters": {})") {
  return fmt::format(R"({{"stack_name": "{}", "template": {}, {}}})", name, kTemplate, more);
}

/// The value of a pointer such as `/stack/id`, as JSON.
std::string json_at(const Response& response, std::string_view pointer) {
  const JsonBody body = read_json_text(response.body, "<answer>", {});
  const Value* here = &body.root();
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string part(pointer.substr(0, pointer.find('/')));
    pointer.remove_prefix(part.size());
    if (here->is_sequence()) {
      here = &here->items()[std::stoul(part)];
    } else {
      here = here->is_mapping() ? here->find(part) : nullptr;
    }
    if (here == nullptr) return "nothing";
  }
  if (here->is_text()) return std::string(here->text());
  std::string out;
  text::append_json(out, *here, {.sort_keys = false, .indent = -1});
  return out;
}

class StacksTest : public ::testing::Test {
 protected:
  std::string create(std::string_view name, std::string_view more = R"("parameters": {})") {
    const Response made = world_.ask("POST", "/v1/p1/stacks", create_body(name, more));
    EXPECT_EQ(made.status, 201U) << made.body;
    return fmt::format("/v1/p1/stacks/{}/{}", name, json_at(made, "/stack/id"));
  }
  [[nodiscard]] Response get(const std::string& target) const { return world_.ask("GET", target); }
  void expect_refused(const Response& response, unsigned status, std::string_view type) {
    EXPECT_EQ(response.status, status) << response.body;
    EXPECT_EQ(json_at(response, "/error/type"), type);
    EXPECT_NE(json_at(response, "/error/message"), "");
  }

  StacksWorld world_;
};

/// The bytes of all files of a folder.
std::string all_bytes(const std::string& folder) {
  std::ostringstream out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) out << std::ifstream(entry.path(), std::ios::binary).rdbuf();
  }
  return out.str();
}

// One canary a place where a hidden value can be.
constexpr std::string_view kSecrets =
    R"("parameters": {"pin": "canary-explicit"}, "environment_files": ["e.yaml", "repeated.yaml", "escaped.yaml"],
       "files": {"e.yaml": "parameters:\n  code: canary-file\nparameter_defaults: {pin: canary-default, db_password: canary-undeclared}\n",
                 "repeated.yaml": "parameters: {pin: canary-lost}\nparameters: {a: seen}\n",
                 "escaped.yaml": "{\"parameter_defaults\": {\"c\\u006fde\": \"canary-escaped\"}}",
                 "nested.yaml": "{heat_template_version: 2018-08-31, parameters: {inner: {type: string, hidden: true}}}",
                 "unlisted.yaml": "parameter_defaults: {inner: canary-unlisted}",
                 "script.sh": "#!/bin/sh\necho code: [ not yaml"})";

TEST_F(StacksTest, HiddenValuesHaveNoOtherName) {
  for (const std::string_view text :
       {R"(parameters: {pin: &p canary-there, a: *p})", R"(parameter_defaults: {a: &p canary-back, code: *p})",
        R"({parameters: {pin: &p canary-1}, parameter_defaults: {m: {k: [*p]}}})",
        R"({parameters: {m: {k: &p [canary-2]}, pin: *p}})"}) {
    const std::string more = fmt::format(R"("environment_files": ["e.yaml"], "files": {{"e.yaml": "{}"}})", text);
    const Response answer = world_.ask("POST", "/v1/p1/stacks", create_body("s1", more));
    EXPECT_EQ(answer.status, 400U) << text;
    EXPECT_NE(answer.body.find("another name"), std::string::npos) << answer.body;
    EXPECT_EQ(answer.body.find("canary"), std::string::npos) << answer.body;
  }
  EXPECT_EQ(all_bytes(world_.folder().path()).find("canary"), std::string::npos);
  // Other aliases, and hidden values under hidden names, are as they were.
  (void)create(
      "s1",
      R"("environment_files": ["e.yaml"], "files": {"e.yaml": "parameters: {pin: &p canary, code: *p, a: &a seen, m: {k: *a}}"})");
}

TEST_F(StacksTest, HiddenValuesAreNowhereInClear) {
  const std::string place = create("s1", kSecrets);
  EXPECT_EQ(world_.ask("PATCH", place, R"({"environment": {"parameters": {"code": "canary-body"}}, "parameters": {}})")
                .status,
            202U);
  EXPECT_EQ(world_
                .ask("PUT", create("s2", kSecrets),
                     create_body("s2", R"("environment": {"parameter_defaults": {"pin": "canary-put"}})"))
                .status,
            202U);
  for (const std::string_view part :
       {"", "/environment", "/files", "/outputs", "/outputs/leak", "/export", "/template", "/events"}) {
    const Response answer = get(place + std::string(part));
    EXPECT_EQ(answer.status, 200U) << part;
    EXPECT_EQ(answer.body.find("canary"), std::string::npos) << part << ": " << answer.body;
  }
  EXPECT_EQ(get("/v1/p1/stacks/detail").body.find("canary"), std::string::npos);
  const Response preview = world_.ask("PATCH", place + "/preview", R"({"parameters": {"pin": "canary-preview"}})");
  EXPECT_EQ(preview.status, 200U);
  EXPECT_EQ(preview.body.find("canary"), std::string::npos);

  EXPECT_EQ(all_bytes(std::filesystem::path(world_.folder() / "store.db").parent_path()).find("canary"),
            std::string::npos);
  // Blobs may be compressed: what they say counts.
  world_.store().read([](store::Transaction& transaction) {
    const auto project = store::find_project(transaction, "p1");
    for (const store::Stack& listed : store::stacks(transaction, *project)) {
      const auto stack = store::find_stack(transaction, *project, listed.id);
      EXPECT_NE(stack->state.find("******"), std::string::npos);
      EXPECT_EQ((stack->state + stack->settings).find("canary"), std::string::npos) << stack->state;
    }
  });
}

TEST_F(StacksTest, HiddenValuesAreShownToWhoMayAndAsks) {
  const std::string place = create("s1", kSecrets);
  const Response refused = get(place + "/files?secrets=clear");
  EXPECT_EQ(refused.status, 403U);
  EXPECT_EQ(refused.body.find("canary"), std::string::npos);
  world_.principal.roles.emplace_back("secret-reader");
  const Response files = get(place + "/files?secrets=clear");
  EXPECT_EQ(files.status, 200U);
  EXPECT_EQ(files.headers.get("Cache-Control"), "no-store");
  EXPECT_EQ(json_at(files, "/repeated.yaml"), "parameters: {pin: canary-lost}\nparameters: {a: seen}\n");
  EXPECT_EQ(json_at(get(place + "/environment?secrets=clear"), "/parameters/pin"), "canary-explicit");
  EXPECT_EQ(json_at(get(place + "?secrets=clear"), "/stack/parameters/code"), "canary-file");
  EXPECT_EQ(json_at(get(place + "/outputs/leak?secrets=clear"), "/output/output_value"),
            R"(["begin", "canary-explicit"])");
  EXPECT_EQ(json_at(get(place + "/outputs/leak"), "/output/output_value"), "******");
  bool is_audited = false;
  world_.store().read([&](store::Transaction& transaction) {
    for (const store::AuditEntry& entry : store::audit_after(transaction, "p1", 0, 100)) {
      is_audited =
          is_audited || (entry.target == "GET " + place + "/files" && entry.outcome.find("clear") != std::string::npos);
    }
  });
  EXPECT_TRUE(is_audited);
}

TEST_F(StacksTest, WhatWasHiddenStaysSoUntilItIsSentAnew) {
  const std::string place =
      create("s1", R"("environment_files": ["e"], "files": {"e": "parameters: {a: seen, pin: 'no'}"})");
  const auto shown = [&] { return json_at(get(place + "/files"), "/e"); };
  const auto patch = [&](std::string_view a, std::string_view pin) {
    constexpr std::string_view kBody =
        R"({{"template": {{"heat_template_version": "rocky", "parameters": {{"a": {{"type": "string"{}}}, "pin": {{"type": "string"{}}}}}}}}})";
    EXPECT_EQ(world_.ask("PATCH", place, fmt::format(kBody, a, pin)).status, 202U);
  };
  constexpr std::string_view kHidden = R"(, "hidden": true)";
  EXPECT_EQ(shown(), R"({"parameters": {"a": "seen", "pin": "******"}})");
  EXPECT_EQ(world_.ask("PATCH", place, "{}").status, 202U);
  EXPECT_EQ(shown(), R"({"parameters": {"a": "seen", "pin": "******"}})");
  patch(kHidden, kHidden);
  EXPECT_EQ(shown(), R"({"parameters": {"a": "******", "pin": "******"}})");
  EXPECT_EQ(json_at(get(place), "/stack/parameters/a"), "******");
  // Who may update the stack may not therefore read what is stored.
  constexpr std::string_view kOpen =
      R"({"template": {"heat_template_version": "rocky", "parameters": {"a": {"type": "string"}, "pin": {"type": "string"}},
          "outputs": {"told": {"value": {"get_param": "pin"}}}}})";
  const Response preview = world_.ask("PATCH", place + "/preview", std::string(kOpen));
  EXPECT_EQ(json_at(preview, "/environment/after/parameters/pin"), "******");
  EXPECT_EQ(world_.ask("PATCH", place, std::string(kOpen)).status, 202U);
  EXPECT_EQ(shown(), R"({"parameters": {"a": "******", "pin": "******"}})");
  EXPECT_EQ(json_at(get(place + "/environment"), "/parameters/pin"), "******");
  EXPECT_EQ(json_at(get(place), "/stack/parameters/pin"), "******");
  EXPECT_EQ(get(place + "/export").body.find("'no'"), std::string::npos);
  EXPECT_EQ(get(place + "/outputs/told").body.find("\"no\""), std::string::npos);
  patch("", "");
  EXPECT_EQ(shown(), R"({"parameters": {"a": "******", "pin": "******"}})");
  // A whole new environment with values of its own is shown as its template says; one that goes on with a stored value
  // is not.
  const auto put = [&](std::string_view pin) {
    constexpr std::string_view kBody =
        R"({{"template": {{"heat_template_version": "rocky", "parameters": {{"a": {{"type": "string"}}, "pin": {{"type": "string"}}}}}},
            "environment_files": ["e"], "files": {{"e": "parameters: {{a: seen, pin: '{}'}}"}}}})";
    EXPECT_EQ(world_.ask("PUT", place, fmt::format(kBody, pin)).status, 202U);
  };
  put("******");
  EXPECT_EQ(json_at(get(place + "/environment"), "/parameters/pin"), "******");
  put("yes");
  EXPECT_EQ(json_at(get(place + "/environment"), "/parameters/pin"), "yes");
}

TEST_F(StacksTest, MaskedValuesThatComeBackMeanTheStoredOnes) {
  const std::string place = create("s1", kSecrets);
  world_.principal.roles.emplace_back("secret-reader");
  const Response files = get(place + "/files");
  // Unchanged; with another value beside it; and as an explicit value.
  const std::string body = fmt::format(
      R"({{"parameters": {{"pin": "******"}}, "files": {{"escaped.yaml": {}, "e.yaml": {}}}}})",
      text::write_json(Arena().text(json_at(files, "/escaped.yaml"))),
      R"("{\"parameters\": {\"code\": \"******\", \"a\": \"new\"}, \"parameter_defaults\": {\"pin\": \"canary-other\"}}")");
  const Response changed = world_.ask("PATCH", place, body);
  ASSERT_EQ(changed.status, 202U) << changed.body;
  const Response environment = get(place + "/environment?secrets=clear");
  EXPECT_EQ(json_at(environment, "/parameters/pin"), "canary-explicit");
  EXPECT_EQ(json_at(environment, "/parameters/code"), "canary-file");
  EXPECT_EQ(json_at(environment, "/parameters/a"), "seen");
  EXPECT_EQ(json_at(environment, "/parameter_defaults/pin"), "canary-other");
  EXPECT_EQ(json_at(environment, "/parameter_defaults/code"), "canary-escaped");
  EXPECT_EQ(json_at(get(place + "/files?secrets=clear"), "/escaped.yaml"),
            R"({"parameter_defaults": {"c\u006fde": "canary-escaped"}})");
  expect_refused(world_.ask("POST", "/v1/p1/stacks", create_body("s2", R"("parameters": {"pin": "******"})")), 400,
                 "HTTPBadRequest");
}

TEST_F(StacksTest, OutputsAreResolvedAsFarAsTheyCanBe) {
  const std::string place = create("s1", R"("parameters": {"m": {"k": ["first"]}})");
  EXPECT_EQ(json_at(get(place + "/outputs/deep"), "/output/output_value"), "first");
  EXPECT_EQ(json_at(get(place + "/outputs/far"), "/output/output_value"), "null");
  EXPECT_EQ(json_at(get(place + "/outputs/far"), "/output/output_error"), "not resolved: no resources are run");
}

TEST_F(StacksTest, PreconditionsAreKept) {
  const std::string place = create("s1");
  const std::string etag(get(place).headers.get("ETag"));
  EXPECT_EQ(etag, "\"1\"");
  EXPECT_EQ(world_.ask("PATCH", place, R"({"parameters": {"a": "1"}})", {{"If-Match", "\"7\", " + etag}}).status, 202U);
  expect_refused(world_.ask("PATCH", place, R"({"parameters": {"a": "2"}})", {{"If-Match", etag}}), 412,
                 "HTTPPreconditionFailed");
  expect_refused(world_.ask("DELETE", place, "", {{"If-Match", etag}}), 412, "HTTPPreconditionFailed");
  EXPECT_EQ(json_at(get(place + "/environment"), "/parameters/a"), "1");
  EXPECT_EQ(world_.ask("DELETE", place, "", {{"If-Match", "*"}}).status, 204U);
}

TEST_F(StacksTest, ARepeatedWriteIsDoneOnce) {
  const Headers key{{"Idempotency-Key", "k1"}};
  const Response first = world_.ask("POST", "/v1/p1/stacks", create_body("s1"), key);
  const Response second = world_.ask("POST", "/v1/p1/stacks", create_body("s1"), key);
  EXPECT_EQ(second.status, 201U);
  EXPECT_EQ(second.body, first.body);
  EXPECT_EQ(second.headers.get("Idempotency-Replayed"), "true");
  EXPECT_EQ(world_.ask("POST", "/v1/p1/stacks", create_body("s2"), key).status, 422U);
  const std::string place = "/v1/p1/stacks/s1/" + json_at(first, "/stack/id");
  const Headers patch{{"Idempotency-Key", "k2"}, {"If-Match", "\"1\""}};
  EXPECT_EQ(world_.ask("PATCH", place, R"({"parameters": {"a": "1"}})", patch).status, 202U);
  EXPECT_EQ(world_.ask("PATCH", place, R"({"parameters": {"a": "1"}})", patch).status, 202U);
  EXPECT_EQ(get(place).headers.get("ETag"), "\"2\"");
}

TEST_F(StacksTest, ConcurrentPatchesLoseNothing) {
  const std::string place = create("s1");
  constexpr int kThreads = 4;
  constexpr int kPatches = 6;
  std::atomic<int> done = 0;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kPatches; ++i) {
        const std::string name = fmt::format("file-{}-{}", thread, i);
        const std::string body = fmt::format(R"({{"environment_files": ["{0}"], "files": {{"{0}": "{{}}"}}}})", name);
        unsigned status = 409;
        while (status == 409) status = world_.ask("PATCH", place, body).status;
        EXPECT_EQ(status, 202U);
        ++done;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Response out = get(place + "/export");
  const JsonBody body = read_json_text(out.body, "<export>", {});
  EXPECT_EQ(body.root().find("environment_files")->size(), static_cast<std::size_t>(kThreads * kPatches));
  EXPECT_EQ(out.headers.get("ETag"), fmt::format("\"{}\"", 1 + done));
}

TEST_F(StacksTest, ImmutableParametersStay) {
  constexpr std::string_view kBody =
      R"({{"stack_name": "s1", "template": {{"heat_template_version": "2018-08-31", "parameters": {{"a": {{"type": "string", "immutable": true}}}}}},
          "parameters": {{"a": "{}"}}}})";
  const Response made = world_.ask("POST", "/v1/p1/stacks", fmt::format(kBody, "one"));
  const std::string place = "/v1/p1/stacks/s1/" + json_at(made, "/stack/id");
  expect_refused(world_.ask("PUT", place, fmt::format(kBody, "two")), 400, "ImmutableParameterModified");
  expect_refused(world_.ask("PATCH", place, R"({"parameters": {"a": "two"}})"), 400, "ImmutableParameterModified");
  EXPECT_EQ(world_.ask("PUT", place, fmt::format(kBody, "one")).status, 202U);
}

TEST_F(StacksTest, NumbersOfTheBodyStayNumbers) {
  const std::string place = create("s1", R"("environment": {"parameters": {"m": {"big": 1e20, "small": 1e-7}}})");
  EXPECT_EQ(json_at(get(place + "/environment"), "/parameters/m"), R"({"big": 1e+20, "small": 1e-07})");
}

TEST_F(StacksTest, NestedTemplatesAreDescribed) {
  const std::string body =
      R"({"template": {"heat_template_version": "2018-08-31", "resources": {"r": {"type": "My::T", "properties": {"p": 3}}, "s": {"type": "OS::Heat::None"}}},
      "environment_files": ["e"], "files": {"e": "resource_registry: {'My::T': n.yaml}",
        "n.yaml": "{heat_template_version: rocky, description: inner, resources: {again: {type: n.yaml}}, )"
      R"(parameters: {p: {type: number, default: 2, constraints: [{range: {min: 1, max: 3}}]}}}"}})";
  const Response plain = world_.ask("POST", "/v1/p1/validate", body);
  EXPECT_EQ(json_at(plain, "/NestedParameters"), "nothing") << plain.body;
  const Response nested = world_.ask("POST", "/v1/p1/validate?show_nested=True", body);
  EXPECT_EQ(json_at(nested, "/NestedParameters/r/Type"), "My::T") << nested.body;
  EXPECT_EQ(json_at(nested, "/NestedParameters/r/Parameters/p/MaxValue"), "3");
  EXPECT_EQ(json_at(nested, "/NestedParameters/r/Parameters/p/Value"), "3");
  EXPECT_EQ(json_at(nested, "/NestedParameters/s"), "nothing");
  expect_refused(world_.ask("POST", "/v1/p1/validate?ignore_errors=99001,7", body), 400, "HTTPBadRequest");
  EXPECT_EQ(world_.ask("POST", "/v1/p1/validate?ignore_errors=99001", body).status, 200U);
}

TEST_F(StacksTest, RolesAndProjectsAreKept) {
  const std::string place = create("s1");
  world_.principal.roles = {"reader"};
  EXPECT_EQ(get(place).status, 200U);
  expect_refused(world_.ask("PATCH", place, "{}"), 403, "Forbidden");
  expect_refused(get("/v1/p1/stacks?global_tenant=True"), 403, "Forbidden");
  world_.principal.project = "p2";
  expect_refused(get(place), 403, "Forbidden");
  expect_refused(get("/v1/p1/build_info"), 403, "Forbidden");
  world_.principal.roles = {"admin"};
  expect_refused(get(place), 403, "Forbidden");
  expect_refused(get("/v1/p2/stacks?global_tenant=True"), 403, "Forbidden");
  world_.principal.is_everywhere = true;
  EXPECT_EQ(get(place).status, 200U);
  EXPECT_EQ(json_at(get("/v1/p2/stacks?global_tenant=True"), "/stacks/0/project"), "p1");
}

TEST_F(StacksTest, PathsAndMethodsHaveTheReferencesForms) {
  EXPECT_EQ(world_.ask("OPTIONS", "/v1/p1/stacks").headers.get("Allow"), "GET,POST");
  EXPECT_EQ(world_.ask("OPTIONS", "/v1/p1/stacks").status, 204U);
  expect_refused(world_.ask("PUT", "/v1/p1/stacks", "{}"), 405, "HTTPMethodNotAllowed");
  expect_refused(world_.ask("GET", "/v1/p1/nowhere"), 404, "HTTPNotFound");
  expect_refused(world_.ask("GET", "/v1"), 404, "HTTPNotFound");
  // Words of the API may be names of stacks.
  const std::string place = create("preview");
  EXPECT_EQ(get("/v1/p1/stacks/preview").headers.get("Location"), std::string(kBase) + place);
  EXPECT_EQ(world_.ask("POST", place.substr(0, place.rfind('/')) + "/actions", "{}").status, 302U);
  expect_refused(world_.ask("POST", place + "/actions", "{}"), 501, "NotSupported");
  expect_refused(world_.ask("POST", "/v1/p1/stacks/none/1/actions", "{}"), 404, "EntityNotFound");
}

TEST_F(StacksTest, ListsAreFilteredAndSorted) {
  for (const auto& [name, tags] : {std::pair{"b", "red,blue"}, std::pair{"a", "red"}, std::pair{"c", "green"}}) {
    (void)create(name, fmt::format(R"("tags": "{}")", tags));
  }
  const auto names = [this](std::string_view query) {
    const Response answer = get("/v1/p1/stacks?" + std::string(query));
    if (answer.status != 200) return std::to_string(answer.status);
    const JsonBody body = read_json_text(answer.body, "<list>", {});
    std::string out;
    for (const Value& stack : body.root().find("stacks")->items()) out += stack.find("stack_name")->text();
    return out;
  };
  EXPECT_EQ(names(""), "cab");
  EXPECT_EQ(names("sort_keys=stack_name"), "abc");
  EXPECT_EQ(names("sort_keys=stack_name&sort_dir=desc"), "cba");
  EXPECT_EQ(names("sort_keys=nonsense"), "cab");
  EXPECT_EQ(names("sort_dir=asc"), "bac");
  EXPECT_EQ(names("sort_dir=up"), "400");
  EXPECT_EQ(names("limit=0"), "");
  EXPECT_EQ(names("limit=2&marker=unknown"), "ca");
  EXPECT_EQ(names("name=a&name=b"), "ab");
  EXPECT_EQ(names("name=a&status=FAILED"), "");
  EXPECT_EQ(names("tags=red,blue"), "b");
  EXPECT_EQ(names("tags_any=blue,green"), "cb");
  EXPECT_EQ(names("not_tags=red,blue"), "ca");
  EXPECT_EQ(names("not_tags_any=blue,green"), "a");
  EXPECT_EQ(names("show_deleted=maybe"), "400");
  EXPECT_EQ(names("tenant=p1"), "cab");
  EXPECT_EQ(names("tenant=p2"), "");
  EXPECT_EQ(names("tenant=p2&tenant=p1&name=a"), "a");
  EXPECT_EQ(names("tenant=p2&global_tenant=True"), "");
  EXPECT_EQ(names("tenant=p1&global_tenant=True"), "cab");
  EXPECT_EQ(json_at(get("/v1/p1/stacks?limit=1&with_count=True"), "/count"), "3");
  EXPECT_EQ(world_.ask("DELETE", get("/v1/p1/stacks/a").headers.get("Location").data() + kBase.size()).status, 204U);
  EXPECT_EQ(names(""), "cb");
  EXPECT_EQ(names("show_deleted=True"), "cab");
}

TEST_F(StacksTest, FunctionsOfTemplatesAreListed) {
  const auto functions = [this](std::string_view version, std::string_view query = "") {
    const Response answer = get(fmt::format("/v1/p1/template_versions/{}/functions{}", version, query));
    if (answer.status != 200) return std::to_string(answer.status);
    const JsonBody body = read_json_text(answer.body, "<list>", {});
    std::string out;
    for (const Value& one : body.root().find("template_functions")->items()) {
      EXPECT_FALSE(one.find("description")->text().empty());
      out += std::string(out.empty() ? "" : " ").append(one.find("functions")->text());
    }
    return out;
  };
  EXPECT_EQ(functions("heat_template_version.2014-10-16"),
            "get_attr get_file get_param get_resource list_join resource_facade str_replace Fn::Select");
  EXPECT_EQ(functions("heat_template_version.newton", "?with_condition_func=True"),
            "get_attr get_file get_param get_resource list_join repeat resource_facade str_replace digest str_split "
            "map_merge yaql map_replace if equals not and or");
  EXPECT_EQ(functions("HeatTemplateFormatVersion.2012-12-12", "?with_condition_func=true").find("Fn::If"),
            std::string::npos);
  EXPECT_NE(functions("AWSTemplateFormatVersion.2010-09-09").find("Fn::If"), std::string::npos);
  EXPECT_EQ(functions("heat_template_version.1999-01-01"), "404");
  EXPECT_EQ(functions("2014-10-16"), "404");
  EXPECT_EQ(functions("heat_template_version.pike", "?with_condition_func=maybe"), "400");
  // All that are listed have functions.
  const Response versions = get("/v1/p1/template_versions");
  const JsonBody body = read_json_text(versions.body, "<list>", {});
  for (const Value& one : body.root().find("template_versions")->items())
    EXPECT_GT(functions(one.find("version")->text()).size(), 80U) << one.find("version")->text();
}

TEST_F(StacksTest, CyclesOfDependenciesAreRefused) {
  const auto created = [this](std::string_view resources) {
    return world_.ask("POST", "/v1/p1/stacks",
                      fmt::format(R"({{"stack_name": "s", "template": {{"heat_template_version": "2018-08-31",
                                      "conditions": {{"c": true}}, "resources": {{{}}}}}}})",
                                  resources));
  };
  const Response loop = created(
      R"("a": {"type": "T", "depends_on": ["d", "b"]}, "b": {"type": "T", "depends_on": "c"},
         "c": {"type": "T", "depends_on": ["d", "b"]}, "d": {"type": "T"})");
  expect_refused(loop, 400, "CircularDependencyException");
  EXPECT_EQ(json_at(loop, "/error/message"), "Circular Dependency Found: b -> c -> b");
  expect_refused(created(R"("a": {"type": "T", "depends_on": "a"})"), 400, "CircularDependencyException");
  // Whether a resource with a condition is there is not known.
  const Response open = created(
      R"("a": {"type": "T", "depends_on": "b"}, "b": {"type": "T", "depends_on": "a", "condition": "c"},
         "d": {"type": "T", "depends_on": ["a", "b", "b"]})");
  EXPECT_EQ(open.status, 201U) << open.body;
}

TEST_F(StacksTest, AnExportedStackIsAStateFile) {
  const std::string place = create(
      "s1", R"("parameters": {"a": "one"}, "environment_files": ["e"], "files": {"e": "parameters: {m: {k: 1}}"})");
  EXPECT_EQ(world_.ask("PATCH", place, "{}").status, 202U);
  const Response out = get(place + "/export");
  EXPECT_EQ(json_at(out, "/parameters"), R"({"a": "one"})");
  EXPECT_EQ(json_at(out, "/base_environment"), "{}");  // What was combined is not taken for what was sent.
  EXPECT_EQ(json_at(out, "/environment/parameters"), R"({"m": {"k": 1}, "a": "one"})");
  EXPECT_EQ(json_at(out, "/shown"), "nothing");
}

TEST_F(StacksTest, DeclarationsDoNotAskForStoredHiddenValues) {
  const auto templ = [](std::string_view declaration) {
    return fmt::format(
        R"({{"heat_template_version": "2018-08-31", "parameters": {{"pin": {}, "a": {{"type": "string", "default": "x"}}}}}})",
        declaration);
  };
  const std::string made = fmt::format(R"({{"stack_name": "q", "template": {}, "parameters": {{"pin": "canary-1"}}}})",
                                       templ(R"({"type": "string", "hidden": true})"));
  const Response created = world_.ask("POST", "/v1/p1/stacks", made);
  ASSERT_EQ(created.status, 201U) << created.body;
  const std::string place = "/v1/p1/stacks/q/" + json_at(created, "/stack/id");
  const auto ask = [&](std::string_view method, const std::string& target, std::string_view declaration,
                       std::string_view more = "") {
    return world_.ask(method, target, fmt::format(R"({{"template": {}{}}})", templ(declaration), more));
  };
  std::string told;
  for (const std::string_view hidden : {R"(, "hidden": true)", ""}) {
    for (const std::string_view rule :
         {R"("type": "string", "constraints": [{"allowed_pattern": "canary.*"}])",
          R"("type": "string", "constraints": [{"allowed_pattern": "xanary.*"}])",
          R"("type": "string", "constraints": [{"length": {"max": 1}}])", R"("type": "number")", R"("type": "json")"}) {
      const std::string declaration = fmt::format("{{{}{}}}", rule, hidden);
      for (const auto& [method, target] : {std::pair("PATCH", place + "/preview"), std::pair("PATCH", place)}) {
        const Response out = ask(method, target, declaration);
        EXPECT_EQ(out.status, 400U) << declaration << out.body;
        // It says the same, whatever the value is.
        if (told.empty()) told = out.body;
        EXPECT_EQ(out.body, told);
        EXPECT_EQ(told.find("canary-1"), std::string::npos);
      }
    }
  }
  // Nothing is asked where the declaration stays, or the value comes with it.
  EXPECT_EQ(ask("PATCH", place + "/preview", R"({"type": "string", "hidden": true, "description": "other"})").status,
            200U);
  constexpr std::string_view kNewRule =
      R"({"type": "string", "hidden": true, "constraints": [{"length": {"max": 3}}]})";
  EXPECT_EQ(ask("PATCH", place, kNewRule, R"(, "parameters": {"pin": "abc"})").status, 202U);
  const Response wrong = ask("PATCH", place, kNewRule, R"(, "parameters": {"pin": "abcd"})");
  EXPECT_EQ(wrong.status, 400U);
  EXPECT_NE(wrong.body.find("length (******)"), std::string::npos) << wrong.body;
  // Who may read secrets may ask.
  world_.principal.roles = {"admin", "secret-reader"};
  EXPECT_EQ(ask("PATCH", place + "/preview",
                R"({"type": "string", "hidden": true, "constraints": [{"allowed_pattern": "a.*"}]})")
                .status,
            200U);
}

TEST_F(StacksTest, ValuesWhoseNamesSoundSecretStayHiddenWhoeverDeclaresThem) {
  constexpr std::string_view kMade =
      R"({"stack_name": "q", "template": {"heat_template_version": "2018-08-31"}, "environment_files": ["f"],
    "files": {"f": "{parameter_defaults: {db_password: canary-1}}", "g": "{parameters: {api_token: canary-2}}"}})";
  const Response created = world_.ask("POST", "/v1/p1/stacks", std::string(kMade));
  ASSERT_EQ(created.status, 201U) << created.body;
  const std::string place = "/v1/p1/stacks/q/" + json_at(created, "/stack/id");
  const auto declare = [&](const std::string& target, std::string_view declaration, std::string_view more = "") {
    return world_.ask(
        "PATCH", place + target,
        fmt::format(
            R"({{"template": {{"heat_template_version": "2018-08-31", "parameters": {{"db_password": {}, "api_token": {}}},
                                      "outputs": {{"o": {{"value": {{"get_param": "db_password"}}}}}}}}{}}})",
            declaration, R"({"type": "string", "default": "x"})", more));
  };
  constexpr std::string_view kRule =
      R"({"type": "string", "hidden": true, "constraints": [{"allowed_pattern": "c.*"}]})";
  EXPECT_EQ(declare("/preview", kRule).status, 400U);
  EXPECT_EQ(declare("/preview", kRule, R"(, "parameters": {"db_password": null})").status,
            400U);  // Null is not a value.
  // A text fits each declaration of a text: nothing is asked.
  for (const std::string target : {"/preview", "", ""}) {
    const Response out = declare(target, R"({"type": "string"})");
    EXPECT_TRUE(out.status == 200U || out.status == 202U) << out.body;
    EXPECT_EQ(out.body.find("canary"), std::string::npos) << out.body;
  }
  for (const std::string_view part : {"", "/environment", "/files", "/template"}) {
    const Response out = world_.ask("GET", place + std::string(part));
    EXPECT_EQ(out.status, 200U);
    EXPECT_EQ(out.body.find("canary"), std::string::npos) << out.body;
  }
  // What is declared open, and comes with the request, is shown.
  const Response renewed = world_.ask("PUT", place, R"({"template": {"heat_template_version": "2018-08-31",
    "parameters": {"db_password": {"type": "string"}}}, "parameters": {"db_password": "open"}})");
  EXPECT_EQ(renewed.status, 202U) << renewed.body;
  EXPECT_NE(world_.ask("GET", place).body.find("open"), std::string::npos);
}

TEST_F(StacksTest, NamesAreTextsAndProjectsHaveOne) {
  const auto ask = [&](std::string_view name) {
    return world_.ask(
        "POST", "/v1/p1/stacks",
        fmt::format(R"({{"stack_name": {}, "template": {{"heat_template_version": "2018-08-31"}}}})", name));
  };
  for (const auto& [name, told] : {std::pair("5", "Invalid stack name 5, must be a string"),
                                   std::pair("null", "Invalid stack name None, must be a string"),
                                   std::pair("[1, \"a\"]", "Invalid stack name [1, 'a'], must be a string")}) {
    const Response out = ask(name);
    EXPECT_EQ(out.status, 400U);
    EXPECT_NE(out.body.find(told), std::string::npos) << out.body;
  }
  EXPECT_EQ(world_.ask("GET", "/v1//stacks").status, 404U);
}

}  // namespace
}  // namespace strata::service::stacks
