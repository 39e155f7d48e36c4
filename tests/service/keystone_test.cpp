// SPDX-License-Identifier: Apache-2.0
// Tokens of Keystone, which is played by a server of the test.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mutex>

#include "asking.hpp"
#include "http_peer.hpp"
#include "service/identity/recognisers.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

using strata::testing::HttpPeer;
using testing::asking;
using testing::status_of;
using testing::TurnedClocks;

class Keystone : public ::testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<Recogniser> recogniser(KeystoneOptions options) const {
    if (options.url.empty()) options.url = peer_.url();
    return recognise_by_keystone(std::move(options), clocks_.clocks());
  }
  [[nodiscard]] static Request presenting(const std::string& token) { return asking({{"X-Auth-Token", token}}); }

  HttpPeer::Answer answer(const HttpPeer::Asked& asked) {
    const std::lock_guard lock(mutex_);
    if (is_down_) return {.status = 503};
    if (asked.line.starts_with("POST /v3/auth/tokens HTTP")) {
      ++logins_;
      login_ = asked.body;
      if (asked.body.find("\"correct\"") == std::string::npos) return {.status = 401};
      own_ = fmt::format("own{}", logins_);
      return {.status = 201, .headers = "x-subject-token: " + own_ + "\r\n", .body = token("p9", "service")};
    }
    EXPECT_TRUE(asked.line.starts_with("GET /v3/auth/tokens?nocatalog HTTP")) << asked.line;
    ++validations_;
    const std::string own = asked.header("X-Auth-Token");
    const std::string subject = asked.header("X-Subject-Token");
    if (own != own_ && own != subject) return {.status = 401};
    if (subject == "member") return {.status = 200, .body = token("p1", "member")};
    if (subject == "admin") return {.status = 200, .body = token("p1", "admin")};
    if (subject == "system") {
      return {
          .status = 200,
          .body = fmt::format(
              R"({{"token":{{"expires_at":"{}","user":{{"id":"u"}},"system":{{"all":true}},"roles":[{{"name":"reader"}}]}}}})",
              end_)};
    }
    if (subject == "unscoped")
      return {.status = 200,
              .body = fmt::format(
                  R"({{"token":{{"expires_at":"{}","user":{{"id":"u"}},"roles":[{{"name":"admin"}}]}}}})", end_)};
    if (subject == "nonsense") return {.status = 200, .body = "<html>"};
    if (subject == "no-user") return {.status = 200, .body = fmt::format(R"({{"token":{{"expires_at":"{}"}}}})", end_)};
    return {.status = own == subject ? 401 : 404};
  }
  [[nodiscard]] std::string token(const std::string& project, const std::string& role) const {
    return fmt::format(
        R"({{"token":{{"methods":["password"],"expires_at":"{}","user":{{"id":"u1","name":"Jo","domain":{{"id":"d1"}}}},)"
        R"("project":{{"id":"{}","name":"x","domain":{{"id":"d2"}}}},"roles":[{{"id":"1","name":"{}"}},{{"id":"2","name":"reader"}}]}}}})",
        end_, project, role);
  }

  std::mutex mutex_;
  bool is_down_ = false;
  int logins_ = 0;
  int validations_ = 0;
  std::string own_ = "none";
  std::string login_;
  std::string end_ = "2099-01-31T12:00:00.000000Z";
  TurnedClocks clocks_;
  HttpPeer peer_{[this](const HttpPeer::Asked& asked) { return answer(asked); }};
};

TEST_F(Keystone, SaysWhoAsks) {
  const auto who = recogniser({.username = "strata", .password = "correct", .project = "service"});
  const Principal principal = who->recognise(presenting("member")).value();
  EXPECT_EQ(principal.name, "u1");
  EXPECT_EQ(principal.project, "p1");
  EXPECT_EQ(principal.roles, (std::vector<std::string>{"member", "reader"}));
  EXPECT_TRUE(principal.reaches("p1"));
  EXPECT_FALSE(principal.reaches("p2"));
  EXPECT_EQ(principal.attributes, (std::vector<Field>{{"project_domain_id", "d2"}, {"user_domain_id", "d1"}}));
  EXPECT_EQ(
      login_,
      R"({"auth": {"identity": {"methods": ["password"], "password": {"user": {"name": "strata", "domain": {"name": "Default"}, "password": )"
      R"("correct"}}}, "scope": {"project": {"name": "service", "domain": {"name": "Default"}}}}})"
      "\n");
  // An administrator may look at other projects.
  EXPECT_TRUE(who->recognise(presenting("admin"))->reaches("p2"));
  EXPECT_EQ(logins_, 1);
  EXPECT_FALSE(who->recognise(asking({})).has_value());
  EXPECT_EQ(who->challenge(), "Keystone uri=\"" + peer_.url() + "\"");
}

TEST_F(Keystone, IsAskedWithTheTokenItselfWithoutAUser) {
  const auto who = recogniser({});
  EXPECT_EQ(status_of(*who, presenting("member")), 0);
  EXPECT_EQ(status_of(*who, presenting("other")), 401);
  EXPECT_EQ(logins_, 0);
}

TEST_F(Keystone, IsAskedOnceInFiveMinutes) {
  const auto who = recogniser({.url = peer_.url() + "/v3/", .username = "strata", .password = "correct"});
  EXPECT_FALSE(who->is_brief(presenting("member")));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(status_of(*who, presenting("member")), 0);
  EXPECT_EQ(validations_, 1);
  EXPECT_TRUE(who->is_brief(presenting("member")));
  clocks_.turn(std::chrono::seconds(299));
  EXPECT_EQ(status_of(*who, presenting("member")), 0);
  EXPECT_EQ(validations_, 1);
  clocks_.turn(std::chrono::seconds(1));
  EXPECT_FALSE(who->is_brief(presenting("member")));
  EXPECT_EQ(status_of(*who, presenting("member")), 0);
  EXPECT_EQ(validations_, 2);
  // What is wrong, for ten seconds.
  for (int i = 0; i < 3; ++i) EXPECT_EQ(status_of(*who, presenting("wrong")), 401);
  EXPECT_EQ(validations_, 3);
  EXPECT_TRUE(who->is_brief(presenting("wrong")));
  clocks_.turn(std::chrono::seconds(10));
  EXPECT_EQ(status_of(*who, presenting("wrong")), 401);
  EXPECT_EQ(validations_, 4);
}

TEST_F(Keystone, EndsTokensInTime) {
  const auto later = std::chrono::floor<std::chrono::seconds>(clocks_.day + std::chrono::seconds(100));
  const auto day = std::chrono::floor<std::chrono::days>(later);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(later - day);
  end_ = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.000000Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count());
  const auto who = recogniser({});
  EXPECT_EQ(status_of(*who, presenting("member")), 0);
  clocks_.turn(std::chrono::seconds(98));
  EXPECT_EQ(status_of(*who, presenting("member")), 0);
  EXPECT_EQ(validations_, 1);
  clocks_.turn(std::chrono::seconds(3));
  EXPECT_EQ(status_of(*who, presenting("member")), 401);
  EXPECT_EQ(validations_, 2);
}

TEST_F(Keystone, MayBeAway) {
  const auto who = recogniser({.username = "strata", .password = "correct"});
  EXPECT_EQ(status_of(*who, presenting("member")), 0);
  is_down_ = true;
  EXPECT_EQ(status_of(*who, presenting("member")), 0);
  EXPECT_EQ(status_of(*who, presenting("admin")), 503);
  clocks_.turn(std::chrono::minutes(5));
  EXPECT_EQ(status_of(*who, presenting("member")), 503);
  is_down_ = false;
  EXPECT_EQ(status_of(*who, presenting("member")), 0);
  EXPECT_EQ(status_of(*recogniser({.url = "http://127.0.0.1:1"}), presenting("member")), 503);
}

TEST_F(Keystone, MayTakeTheServicesTokenBack) {
  const auto who = recogniser({.username = "strata", .password = "correct"});
  EXPECT_EQ(status_of(*who, presenting("member")), 0);
  own_ = "another";
  EXPECT_EQ(status_of(*who, presenting("admin")), 0);
  EXPECT_EQ(logins_, 2);
  EXPECT_EQ(status_of(*recogniser({.username = "strata", .password = "wrong"}), presenting("member")), 503);
}

TEST_F(Keystone, MayAnswerNonsense) {
  const auto who = recogniser({});
  EXPECT_EQ(status_of(*who, presenting("nonsense")), 503);
  EXPECT_EQ(status_of(*who, presenting("no-user")), 503);
}

TEST_F(Keystone, KnowsTokensOfNoProject) {
  const auto who = recogniser({});
  // An administrator of no project is not one of all.
  EXPECT_TRUE(who->recognise(presenting("unscoped"))->roles.empty());
  const Principal system = who->recognise(presenting("system")).value();
  EXPECT_EQ(system.roles, std::vector<std::string>{"reader"});
  EXPECT_EQ(system.attributes, (std::vector<Field>{{"system_scope", "all"}}));
}

TEST_F(Keystone, IsNotAskedForWhatCannotBeAToken) {
  const auto who = recogniser({});
  for (const std::string& text : {std::string(), std::string("a b"), std::string("a\r\nX-Evil: 1"),
                                  std::string("a\0b", 3), std::string(9000, 'a'), std::string("\xc3\xa4")}) {
    EXPECT_EQ(status_of(*who, presenting(text)), 401);
  }
  EXPECT_EQ(peer_.asked(), 0);
  EXPECT_THROW((void)recogniser({.url = "http://keystone.example.org"}), Error);
  EXPECT_THROW((void)recogniser({.url = "keystone"}), Error);
  EXPECT_THROW((void)recogniser({.username = "strata"}), Error);
}

}  // namespace
}  // namespace strata::service
