// SPDX-License-Identifier: Apache-2.0
// Whatever a request does, it ends at its deadline: here the deadline has passed before the work begins, so that
// nothing depends on the clock.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "face_world.hpp"
#include "service/buckets/face.hpp"
#include "service/stacks/face.hpp"
#include "strata/stop.hpp"

namespace strata::service {
namespace {

struct SentRequest {
  std::string_view method;
  std::string target;
  std::string body = {};
};

class Deadlines : public ::testing::Test {
 protected:
  static Response ask(FaceWorld& world, const SentRequest& asked, std::string_view type, const Stop& stop) {
    Request request;
    request.method = asked.method;
    request.body = asked.body;
    request.base = "http://127.0.0.1:8787";
    request.headers = {{"X-Identity-Status", "Confirmed"},
                       {"X-User-Id", "u1"},
                       {"X-Roles", "admin"},
                       {"Content-Type", std::string(type)}};
    return world.ask(std::move(request), asked.target, stop);
  }
  static void expect_all_end(FaceWorld& world, const std::vector<SentRequest>& all, std::string_view type) {
    const Stop over(Stop::Clock::now() - std::chrono::seconds(1));
    Stop cancelled;
    cancelled.cancel();
    for (const SentRequest& one : all) {
      for (const Stop* stop : {&over, static_cast<const Stop*>(&cancelled)}) {
        const Response out = ask(world, one, type, *stop);
        EXPECT_TRUE(out.status == 503 || out.status == 504)
            << one.method << ' ' << one.target << ": " << out.status << ' ' << out.body;
      }
    }
  }
};

constexpr std::string_view kDocuments = R"(schema: deckhand/LayeringPolicy/v1
metadata: {schema: metadata/Control/v1, name: policy}
data: {layerOrder: [site]}
---
schema: example/Kind/v1
metadata: {schema: metadata/Document/v1, name: one, layeringDefinition: {layer: site}, storagePolicy: encrypted}
data: {a: 1}
)";

TEST_F(Deadlines, OfBuckets) {
  constexpr std::string_view kYaml = "application/x-yaml";
  FaceWorld world(buckets::make_deckhand_face);
  const SentRequest put{.method = "PUT", .target = "/api/v1.0/buckets/b/documents", .body = std::string(kDocuments)};
  const Stop never;
  ASSERT_EQ(ask(world, put, kYaml, never).status, 200);
  expect_all_end(world,
                 {put,
                  {.method = "GET", .target = "/api/v1.0/revisions"},
                  {.method = "GET", .target = "/api/v1.0/revisions/1"},
                  {.method = "GET", .target = "/api/v1.0/revisions/1/documents"},
                  {.method = "GET", .target = "/api/v1.0/revisions/1/rendered-documents"},
                  {.method = "GET", .target = "/api/v1.0/revisions/0/diff/1"},
                  {.method = "GET", .target = "/api/v1.0/revisions/0/deepdiff/1"},
                  {.method = "POST", .target = "/api/v1.0/rollback/1"},
                  {.method = "POST", .target = "/api/v1.0/revisions/1/tags/t"},
                  {.method = "GET", .target = "/api/v1.0/revisions/1/validations"},
                  {.method = "DELETE", .target = "/api/v1.0/revisions"}},
                 kYaml);
  // Nothing of it was done.
  const Response all = ask(world, {.method = "GET", .target = "/api/v1.0/revisions"}, kYaml, never);
  EXPECT_TRUE(all.body.find("count: 1") != std::string::npos && all.body.find("tags: []") != std::string::npos)
      << all.body;
}

TEST_F(Deadlines, OfStacks) {
  constexpr std::string_view kJson = "application/json";
  FaceWorld world(stacks::make_heat_face);
  const std::string body =
      R"({"stack_name": "s", "template": {"heat_template_version": "2018-08-31", "parameters": {"a": {"type": "string"}}}, "parameters": {"a": "1"}})";
  const Stop never;
  const Response made = ask(world, {.method = "POST", .target = "/v1/p/stacks", .body = body}, kJson, never);
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string place = made.headers.find("Location")->substr(std::string_view("http://127.0.0.1:8787").size());
  std::string other = body;
  other.replace(other.find("\"s\""), 3, "\"t\"");
  expect_all_end(world,
                 {{.method = "POST", .target = "/v1/p/stacks", .body = other},
                  {.method = "POST", .target = "/v1/p/stacks/preview", .body = other},
                  {.method = "POST", .target = "/v1/p/validate", .body = body},
                  {.method = "GET", .target = "/v1/p/stacks"},
                  {.method = "GET", .target = place},
                  {.method = "PATCH", .target = place, .body = R"({"parameters": {"a": "2"}})"},
                  {.method = "GET", .target = place + "/environment"},
                  {.method = "GET", .target = place + "/export"},
                  {.method = "DELETE", .target = place}},
                 kJson);
  const Response shown = ask(world, {.method = "GET", .target = place + "/environment"}, kJson, never);
  EXPECT_TRUE(shown.status == 200 && shown.body.find(R"("a": "1")") != std::string::npos) << shown.body;
}

}  // namespace
}  // namespace strata::service
