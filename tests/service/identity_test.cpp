// SPDX-License-Identifier: Apache-2.0
// The ways of a service together: their order, where they are allowed, and how often one may fail.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asking.hpp"
#include "service/identity/recognisers.hpp"
#include "store/store.hpp"
#include "strata/error.hpp"
#include "support/temporary_folder.hpp"

namespace strata::service {
namespace {

using testing::asking;
using testing::bearing;
using testing::status_of;
using testing::TurnedClocks;

/// Knows `Bearer right`, and at once `Bearer known`.
class Fake final : public Recogniser {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "fake"; }
  [[nodiscard]] std::string challenge() const override { return "Fake"; }
  [[nodiscard]] bool is_brief(const Request& request) const override {
    return bearer_of(request) != "right" && bearer_of(request) != "wrong";
  }
  [[nodiscard]] std::optional<Principal> recognise(const Request& request) const override {
    const std::string_view bearer = bearer_of(request);
    if (bearer == "right" || bearer == "known") return Principal{.name = std::string(bearer)};
    if (bearer == "away") throw nobody_can_judge("it is away");
    if (bearer.empty() || bearer == "of-others") return std::nullopt;
    throw wrong_credentials();
  }
};

Identity fakes(const TurnedClocks& clocks) {
  std::vector<std::unique_ptr<Recogniser>> ways;
  ways.push_back(std::make_unique<Fake>());
  return Identity(std::move(ways), clocks.clocks());
}

Refusal refusal_to(const Identity& who, const Request& request) {
  try {
    (void)who.recognise(request);
  } catch (const Refused& refused) {
    return refused.refusal();
  }
  return {.status = 0};
}

TEST(Identities, PagesOfOthersCannotUseWhatABrowserHas) {
  const auto status = [](std::string_view method, std::string verb, std::string base, std::string origin,
                         const Pages& pages = {}, std::string address = "127.0.0.1") {
    Request request =
        asking(origin.empty() ? std::vector<Field>{} : std::vector<Field>{{"Origin", origin}}, std::move(address));
    request.method = std::move(verb);
    request.base = std::move(base);
    try {
      check_page(request, method, pages);
      return 0U;
    } catch (const Refused& refused) {
      return refused.refusal().status;
    }
  };
  const std::string own = "http://127.0.0.1:8787";
  for (const std::string_view method : {"none", "headers", "mtls"}) {
    EXPECT_EQ(status(method, "POST", own, ""), 0U);
    EXPECT_EQ(status(method, "POST", own, own), 0U);
    EXPECT_EQ(status(method, "POST", own, "http://evil.example"), 403U);
    EXPECT_EQ(status(method, "POST", own, "http://127.0.0.1:8788"), 403U);
    EXPECT_EQ(status(method, "DELETE", own, "null"), 403U);
    EXPECT_EQ(status(method, "GET", own, "http://evil.example"), 0U);
    EXPECT_EQ(status(method, "POST", own, "https://config.example", {.public_hosts = {"config.example"}}), 0U);
  }
  EXPECT_EQ(status("tokens", "POST", own, "http://evil.example"), 0U);
  // A foreign name that leads here.
  const std::string rebound = "http://evil.example:8787";
  EXPECT_EQ(status("none", "GET", rebound, ""), 421U);
  EXPECT_EQ(status("none", "POST", rebound, rebound), 421U);
  EXPECT_EQ(status("none", "GET", rebound, "", {.public_hosts = {"evil.example"}}), 0U);
  EXPECT_EQ(status("none", "GET", rebound, "", {.takes_any_host = true}), 0U);
  EXPECT_EQ(status("none", "GET", rebound, "", {}, "local"), 0U);
  for (const char* base : {"http://[::1]:8787", "http://localhost:8787", "http://strata:8787"})
    EXPECT_EQ(status("none", "GET", base, ""), 0U);
  EXPECT_EQ(status("headers", "GET", rebound, ""), 0U);
}

TEST(Identities, TenFailuresAMinute) {
  const TurnedClocks clocks;
  const Identity who = fakes(clocks);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(status_of(who, bearing("wrong")), 401);
  const Refusal refusal = refusal_to(who, bearing("right"));
  EXPECT_EQ(refusal.status, 429);
  EXPECT_EQ(refusal.headers.get("Retry-After"), "60");
  EXPECT_EQ(status_of(who, bearing("wrong")), 429);
  // Who is known already, who shows nothing, and others are not kept out.
  EXPECT_EQ(status_of(who, bearing("known")), 0);
  EXPECT_EQ(status_of(who, asking({})), 401);
  EXPECT_EQ(status_of(who, bearing("right", "192.0.2.2")), 0);
  clocks.turn(std::chrono::seconds(59));
  EXPECT_EQ(status_of(who, bearing("right")), 429);
  clocks.turn(std::chrono::seconds(1));
  EXPECT_EQ(status_of(who, bearing("right")), 0);
  EXPECT_EQ(status_of(who, bearing("wrong")), 401);
}

TEST(Identities, OnlyFailuresCount) {
  const TurnedClocks clocks;
  const Identity who = fakes(clocks);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(status_of(who, asking({})), 401);
    EXPECT_EQ(status_of(who, bearing("right")), 0);
    EXPECT_EQ(status_of(who, bearing("away")), 503);
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(status_of(who, asking({{"Authorization", "Basic eDp5"}})), 401);
  EXPECT_EQ(status_of(who, bearing("of-others")), 429);
}

TEST(Identities, ManyAddressesAreRememberedInBounds) {
  const TurnedClocks clocks;
  const Identity who = fakes(clocks);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(status_of(who, bearing("wrong", "the-one")), 401);
  for (int i = 0; i < 200'000; ++i) ASSERT_EQ(status_of(who, bearing("wrong", std::to_string(i))), 401);
  EXPECT_EQ(status_of(who, bearing("right", "the-one")), 429);
}

TEST(Identities, TheSameAnswerForWhateverIsWrong) {
  const TurnedClocks clocks;
  const Identity who = fakes(clocks);
  const Refusal wrong = refusal_to(who, bearing("wrong"));
  const Refusal unknown = refusal_to(who, bearing("of-others"));
  EXPECT_EQ(wrong.message, unknown.message);
  EXPECT_EQ(wrong.code, "service.unauthorized");
  EXPECT_EQ(wrong.headers.fields(), unknown.headers.fields());
  EXPECT_EQ(wrong.headers.get("WWW-Authenticate"), "Fake");
}

TEST(Identities, TheFirstThatKnowsDecides) {
  strata::testing::TemporaryFolder folder;
  store::Store store({.address = "sqlite:" + (folder / "store.db")});
  const Identity who = make_identity({{.kind = "tokens"}, {.kind = "headers"}, {.kind = "none-on-purpose"}},
                                     {.store = &store, .anonymous_roles = {"reader"}});
  const Request by_proxy =
      asking({{"X-Identity-Status", "Confirmed"}, {"X-User-Id", "u"}, {"X-Roles", " a, b ,"}, {"X-Project-Id", "p"}});
  EXPECT_EQ(who.recognise(by_proxy).name, "u");
  EXPECT_EQ(who.recognise(by_proxy).roles, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(who.recognise(asking({})).roles, std::vector<std::string>{"reader"});
  // A wrong token is not an anonymous request.
  EXPECT_EQ(status_of(who, bearing("strata_a_" + std::string(43, 'a'))), 401);
  const Identity anybody = make_identity({}, {});
  EXPECT_EQ(anybody.recognise(asking({})).roles, std::vector<std::string>{"admin"});
}

TEST(Identities, RolesOfOneProject) {
  const Principal of_one{.name = "u", .project = "p"};
  EXPECT_TRUE(of_one.reaches("p"));
  EXPECT_FALSE(of_one.reaches("q"));
  EXPECT_TRUE(Principal{}.reaches("q"));
  const auto by_headers = recognise_by_headers();
  const auto asked = [&](const std::string& roles) {
    return by_headers
        ->recognise(asking({{"X-Identity-Status", "Confirmed"},
                            {"X-User-Id", "u"},
                            {"X-Roles", roles},
                            {"X-Project-Id", "p"},
                            {"X-User-Domain-Id", "d"}}))
        .value();
  };
  EXPECT_FALSE(asked("member").reaches("q"));
  EXPECT_TRUE(asked("member,admin").reaches("q"));
  EXPECT_EQ(asked("member").attributes, (std::vector<Field>{{"user_domain_id", "d"}}));
}

TEST(Identities, HeadersNeedAUser) {
  const auto by_headers = recognise_by_headers();
  const std::vector<Field> known{{"X-Identity-Status", "Confirmed"}, {"X-Roles", "admin"}, {"X-Project-Id", "p"}};
  EXPECT_FALSE(by_headers->recognise(asking(known)));
  for (const std::string& user : {std::string(), std::string(" "), std::string("\t ")}) {
    std::vector<Field> headers = known;
    headers.push_back({"X-User-Id", user});
    EXPECT_FALSE(by_headers->recognise(asking(headers)));
  }
}

std::string error_code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

TEST(AuthWays, AreWords) {
  EXPECT_EQ(read_auth_way("tokens").file, "");
  EXPECT_EQ(read_auth_way("tokens:/etc/tokens.yaml").file, "/etc/tokens.yaml");
  EXPECT_EQ(read_auth_way("keystone:https://k:5000").keystone.url, "https://k:5000");
  for (const char* text : {"", "token", "None", "tokens:", "headers:x", "none:1", "oidc:x", "keystone:"}) {
    EXPECT_EQ(error_code_of([text] { (void)read_auth_way(text); }), "service.auth") << text;
  }
}

TEST(AuthWays, AreAllowedWhereTheyAreSafe) {
  const auto check = [](std::string kind, std::vector<Reach> listeners) {
    std::vector<AuthWay> ways{{.kind = "tokens"}};
    if (!kind.empty()) ways.push_back({.kind = std::move(kind)});
    return error_code_of([&] { check_auth_ways(ways, listeners); });
  };
  EXPECT_EQ(check("none", {Reach::local, Reach::local}), "");
  EXPECT_EQ(check("none", {Reach::local, Reach::anybody}), "service.auth");
  EXPECT_EQ(check("none", {Reach::certified}), "service.auth");
  EXPECT_EQ(check("headers", {Reach::local, Reach::certified}), "");
  EXPECT_EQ(check("headers", {Reach::certified, Reach::anybody}), "service.auth");
  EXPECT_EQ(check("none-on-purpose", {Reach::anybody}), "");
  EXPECT_EQ(check("mtls", {Reach::anybody}), "");
  EXPECT_EQ(error_code_of([] { check_auth_ways({}, {Reach::anybody}); }), "service.auth");
}

TEST(Certificates, StandForSomebody) {
  const auto who =
      recognise_by_certificate({{.name = "subject:CN=deploy,O=Example", .roles = {"editor"}, .project = "p"},
                                {.name = "DNS:*.nodes.example.org", .roles = {"node"}, .project = "q", .node = "*"}});
  const auto asked = [&](std::vector<std::string> names) {
    Request request = asking({});
    request.certificate_names = std::move(names);
    return who->recognise(request);
  };
  EXPECT_FALSE(asked({}).has_value());
  EXPECT_EQ(asked({"subject:CN=deploy,O=Example", "DNS:d"})->project, "p");
  EXPECT_FALSE(asked({"subject:CN=deploy,O=Example2"}).has_value());
  EXPECT_FALSE(asked({"DNS:subject:CN=deploy,O=Example"}).has_value());
  // A star stands within one part of a subject.
  const auto any = recognise_by_certificate({{.name = "subject:CN=*,O=Example", .roles = {"editor"}}});
  const auto is_taken = [&](const std::string& name) {
    Request request = asking({});
    request.certificate_names = {"subject:" + name};
    return any->recognise(request).has_value();
  };
  EXPECT_TRUE(is_taken("CN=joe,O=Example"));
  EXPECT_TRUE(is_taken("CN=joe\\,\\+x\\\\,O=Example"));
  EXPECT_FALSE(is_taken("CN=joe,OU=guests,O=Example"));
  EXPECT_FALSE(is_taken("CN=joe+UID=1,O=Example"));
  EXPECT_FALSE(is_taken("CN=joe\\,O=Example"));
  EXPECT_EQ(asked({"subject:CN=x", "DNS:web01.nodes.example.org"})->node, "web01.nodes.example.org");
  EXPECT_FALSE(asked({"DNS:a.b.nodes.example.org"}).has_value());
  EXPECT_FALSE(asked({"DNS:.nodes.example.org"}).has_value());
  EXPECT_FALSE(asked({"email:web01.nodes.example.org"}).has_value());
  for (const CertificateRule& wrong :
       {CertificateRule{.name = "web01", .roles = {"a"}}, CertificateRule{.name = "DNS:a"},
        CertificateRule{.name = "DNS:*.*", .roles = {"a"}}, CertificateRule{.name = "DNS:a", .roles = {"node"}},
        CertificateRule{.name = "DNS:a", .roles = {"reader"}, .node = "n"},
        CertificateRule{.name = "URI:a", .roles = {"node"}, .node = "*"}}) {
    EXPECT_EQ(error_code_of([&] { (void)recognise_by_certificate({wrong}); }), "service.auth") << wrong.name;
  }
}

}  // namespace
}  // namespace strata::service
