// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "explorer_world.hpp"
#include "service/explore/answers.hpp"
#include "service/explore/assets.hpp"
#include "service/explore/levels.hpp"
#include "service/explore/survey.hpp"

namespace strata::service::explore {
namespace {

constexpr std::string_view kProject = "/strata/v1/explore/projects/files";

std::string in_project(std::string_view rest) { return std::string(kProject) + std::string(rest); }

bool body_holds(const Response& response, std::string_view text) {
  return response.body.find(text) != std::string::npos;
}

TEST(Explorer, AnswersHaveHeadersGenerationAndTag) {
  ExplorerWorld world("a: 1\nb: [x, y]\n");
  const Response rows = world.ask("GET", in_project("/subjects/default/rows"));
  EXPECT_EQ(rows.status, 200U);
  EXPECT_TRUE(body_holds(rows, R"("generation": 7)")) << rows.body;
  EXPECT_TRUE(body_holds(rows, R"("text": "a: 1")")) << rows.body;
  EXPECT_EQ(rows.headers.get("Cache-Control"), "no-store");
  EXPECT_TRUE(rows.headers.get("Content-Security-Policy").starts_with("default-src 'none'; script-src 'self'"));
  EXPECT_EQ(rows.headers.get("Referrer-Policy"), "no-referrer");
  EXPECT_EQ(rows.headers.get("Cross-Origin-Opener-Policy"), "same-origin");
  const std::string tag(rows.headers.get("ETag"));
  ASSERT_FALSE(tag.empty());
  const Response again = world.ask("GET", in_project("/subjects/default/rows"), "", {{"If-None-Match", tag}});
  EXPECT_EQ(again.status, 304U);
  EXPECT_TRUE(again.body.empty());
  EXPECT_EQ(world.ask("GET", in_project("/subjects/default/rows?count=1"), "", {{"If-None-Match", tag}}).status, 200U);
}

TEST(Explorer, ErrorsAreProblemsWithDiagnostics) {
  ExplorerWorld world("a: 1\n");
  for (const auto& [target, status, code] :
       {std::tuple{in_project("/none"), 404U, "request.route"},
        std::tuple{in_project("/subjects/x/rows"), 404U, "explore.subject"},
        std::tuple{in_project("/subjects/default/rows?count=2000"), 400U, "request.query"},
        std::tuple{in_project("/names?at=HEAD"), 404U, "git.no-repository"},
        std::tuple{std::string("/strata/v1/explore/projects/fils/names"), 404U, "explore.project"}}) {
    const Response response = world.ask("GET", target);
    EXPECT_EQ(response.status, status) << target;
    EXPECT_EQ(response.headers.get("Content-Type"), "application/problem+json");
    EXPECT_TRUE(body_holds(response, code)) << response.body;
    EXPECT_TRUE(body_holds(response, R"("errors": [{"code": ")")) << response.body;
    EXPECT_EQ(response.headers.get("Referrer-Policy"), "no-referrer");
  }
  EXPECT_EQ(world.ask("POST", in_project("/names")).status, 405U);
  EXPECT_EQ(world.ask("PUT", in_project("/files/data.yaml"), "{}").status, 403U);
}

TEST(Explorer, PagesAreTheSameForEveryAddress) {
  ExplorerWorld world("a: 1\n");
  EXPECT_EQ(world.ask("GET", "/explore").status, 308U);
  const Response page = world.ask("GET", "/explore/");
  const Response other = world.ask("GET", "/explore/files/subject/x%2Fy?leaf=/a");
  EXPECT_EQ(page.status, assets().empty() ? 404U : 200U);
  EXPECT_EQ(page.body, other.body);
  EXPECT_EQ(page.headers.get("Cache-Control"), "no-cache");
  for (const Asset& asset : assets()) {
    const std::string target = "/explore/" + std::string(asset.name);
    const Response packed = world.ask("GET", target, "", {{"Accept-Encoding", "gzip"}});
    const Response plain = world.ask("GET", target);
    EXPECT_EQ(packed.headers.get("Content-Encoding"), "gzip");
    EXPECT_EQ(plain.headers.get("Content-Type"), asset.type);
    EXPECT_GT(plain.body.size(), 0U);
    EXPECT_NE(packed.headers.get("ETag"), plain.headers.get("ETag"));
    EXPECT_EQ(world.ask("GET", target, "", {{"If-None-Match", std::string(plain.headers.get("ETag"))}}).status, 304U);
  }
}

TEST(Explorer, HostsAndOriginsAreChecked) {
  ExplorerWorld world("a: 1\n");
  EXPECT_EQ(world.ask("GET", in_project("/names"), "", {{"Host", "localhost:1"}}).status, 200U);
  EXPECT_EQ(world.ask("GET", in_project("/names"), "", {{"Host", "[::1]:1"}}).status, 200U);
  EXPECT_EQ(world.ask("GET", in_project("/names"), "", {{"Host", "example.org:8787"}}).status, 421U);
  EXPECT_EQ(world.ask("GET", "/explore/", "", {{"Host", "example.org"}}).status, 421U);
  EXPECT_EQ(world.ask("GET", in_project("/names"), "", {{"Nobody", "1"}}).status, 401U);
  const std::string draft = R"({"files": {"data.yaml": "a: 2\n"}})";
  EXPECT_EQ(world.ask("POST", in_project("/what-if"), draft).status, 200U);
  EXPECT_EQ(world.ask("POST", in_project("/what-if"), draft, {{"Origin", "http://example.org"}}).status, 403U);
  const Headers cookie{{"Cookie", "strata_explore_8787=abc"}, {"Content-Type", "application/json"}};
  EXPECT_EQ(world.ask("POST", in_project("/what-if"), draft, cookie).status, 403U);
  Headers own = cookie;
  own.set("Origin", "http://127.0.0.1:8787");
  EXPECT_EQ(world.ask("POST", in_project("/what-if"), draft, own).status, 200U);
  own.set("Content-Type", "text/plain");
  EXPECT_EQ(world.ask("POST", in_project("/what-if"), draft, own).status, 403U);
}

TEST(Explorer, ClosedPagesNeedTheToken) {
  const Gate gate{
      .takes_host = [](std::string_view host) { return host == "127.0.0.1:8787"; },
      .closes_pages = true,
      .recognise = [](const Request& request) -> Principal {
        if (request.headers.get("Authorization") == "Bearer right") return {.name = "user"};
        throw Refused(
            {.status = 401, .code = "service.unauthorized", .message = "no", .hint = "", .type = "", .headers = {}});
      }};
  ExplorerWorld world("a: 1\n", gate);
  EXPECT_EQ(world.ask("GET", "/explore/", "", {{"Nobody", "1"}}).status, 401U);
  EXPECT_EQ(world.ask("GET", "/explore/?token=wrong", "", {{"Nobody", "1"}}).status, 401U);
  const Response first = world.ask("GET", "/explore/files/?q=%26&token=right", "", {{"Nobody", "1"}});
  EXPECT_EQ(first.status, 303U);
  EXPECT_EQ(first.headers.get("Location"), "/explore/files/?q=%26");
  EXPECT_EQ(first.headers.get("Set-Cookie"), "strata_explore_8787=right; HttpOnly; SameSite=Strict; Path=/");
  const Response session = world.ask("POST", "/strata/v1/explore/session", R"({"token": "right"})", {{"Nobody", "1"}});
  EXPECT_EQ(session.status, 200U) << session.body;
  EXPECT_EQ(world.ask("POST", "/strata/v1/explore/session", R"({"token": "right\r\nX: 1"})", {{"Nobody", "1"}}).status,
            401U);
  EXPECT_EQ(world.ask("POST", "/strata/v1/explore/session", R"({"token": 1})", {{"Nobody", "1"}}).status, 400U);
}

TEST(Explorer, ADraftIsAnsweredAsAStream) {
  ExplorerWorld world("a: 1\nb: 2\n");
  const Response stream =
      world.ask("POST", in_project("/what-if"), R"({"subject": "default", "files": {"data.yaml": "a: 3\nb: 2\n"}})");
  EXPECT_EQ(stream.headers.get("Content-Type"), "application/x-ndjson");
  EXPECT_TRUE(stream.body.starts_with(R"({"subject": [{)")) << stream.body;
  EXPECT_TRUE(body_holds(stream, R"({"effect": {"id": 1, "count": 1)")) << stream.body;
  EXPECT_TRUE(body_holds(stream, R"({"done": )")) << stream.body;
  EXPECT_EQ(world.ask("GET", in_project("/effects/1")).status, 200U);
  EXPECT_EQ(world.ask("GET", in_project("/effects/2")).status, 404U);
  EXPECT_EQ(world.ask("GET", in_project("/effects/x")).status, 400U);
  const Response broken = world.ask("POST", in_project("/what-if"), R"({"files": {"data.yaml": "a: [\n"}})");
  EXPECT_TRUE(body_holds(broken, R"("broken": 1)")) << broken.body;
  EXPECT_TRUE(body_holds(broken, R"("code": "yaml.syntax")")) << broken.body;
}

TEST(Explorer, SecretsOfCookiesAreForTheExplorer) {
  Request request;
  request.base = "https://127.0.0.1:1";
  request.headers = {{"Cookie", "a=b; strata_explore_1=tok; c=d"}};
  request.segments = {"strata", "v1", "sites"};
  take_cookie(request);
  EXPECT_EQ(request.headers.find("Authorization"), nullptr);
  request.segments = {"strata", "v1", "explore", "projects"};
  take_cookie(request);
  EXPECT_EQ(request.headers.get("Authorization"), "Bearer tok");
  EXPECT_NE(request.headers.find("Strata-By-Cookie"), nullptr);
  EXPECT_TRUE(cookie_header(request, "tok").ends_with("; Secure"));
}

TEST(Explorer, Tokens) {
  const std::string one = random_token();
  EXPECT_EQ(one.size(), 22U);
  EXPECT_NE(one, random_token());
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "abcd"));
}

TEST(Explorer, OwnHosts) {
  for (const std::string_view host : {"127.0.0.1", "127.0.0.1:80", "10.0.0.1:1", "[::1]:2", "LocalHost:3",
                                      "strata.example.org:4", "STRATA.example.org"}) {
    EXPECT_TRUE(is_own_host(host, {"strata.example.org"})) << host;
  }
  for (const std::string_view host :
       {"", "example.org", "127.0.0.1.example.org", "strata.example.org.evil:4", "[::1", "localhost.evil"}) {
    EXPECT_FALSE(is_own_host(host, {"strata.example.org"})) << host;
  }
  EXPECT_TRUE(is_own_host("a.org:1", {"a.org:1"}));
  EXPECT_FALSE(is_own_host("a.org:2", {"a.org:1"}));
}

TEST(Explorer, LevelsOfLayers) {
  EXPECT_EQ(level_of("role/role/web.yaml", "data/role/web.yaml"), "role");
  EXPECT_EQ(level_of("Per node/node/a.yaml", "/x/data/node/a.yaml"), "Per node");
  EXPECT_EQ(level_of("common/common.yaml", "data/common.yaml"), "common");
  EXPECT_EQ(level_of("site/network", "site.yaml"), "site/network");
  EXPECT_EQ(level_of("a.yaml", "a.yaml"), "a.yaml");
}

TEST(Explorer, Filters) {
  EXPECT_TRUE(Filter("").takes("anything"));
  EXPECT_TRUE(Filter("A b").takes("b and a"));
  EXPECT_FALSE(Filter("a c").takes("b and a"));
  EXPECT_FALSE(Filter("a -b").takes("b and a"));
  EXPECT_TRUE(Filter("-").takes("a-b"));
  EXPECT_FALSE(Filter("-").takes("ab"));
}

TEST(Explorer, RowsHaveThePathsOfTheirValues) {
  ExplorerWorld world("a: {b: [1, {c: x, d: \"two\\nlines\\n\"}], e: {}}\n? k\n: z\n");
  const Response rows = world.ask("GET", in_project("/subjects/default/rows"));
  for (const std::string_view part :
       {R"("path": "", "depth": 0, "text": "a:", "kind": "mapping", "below": 7)",
        R"("path": "/b", "depth": 1, "text": "  b:", "kind": "sequence")",
        R"("path": "/b/0", "depth": 2, "text": "    - 1")", R"("path": "/b/1/c", "depth": 3, "text": "    - c: x")",
        R"("path": "/b/1/d", "depth": 3, "text": "      d: |")",
        R"("path": "/b/1/d", "depth": 3, "text": "        lines")", R"("path": "/e", "depth": 1, "text": "  e: {}")"}) {
    EXPECT_TRUE(body_holds(rows, part)) << part << "\n" << rows.body;
  }
}

}  // namespace
}  // namespace strata::service::explore
