// SPDX-License-Identifier: Apache-2.0
// Tokens of the store and of files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <mutex>
#include <thread>

#include "asking.hpp"
#include "service/identity/recognisers.hpp"
#include "store/encoding.hpp"
#include "store/records.hpp"
#include "store/store.hpp"
#include "store/tokens.hpp"
#include "strata/error.hpp"
#include "support/temporary_folder.hpp"

namespace strata::service {
namespace {

using testing::asking;
using testing::bearing;
using testing::status_of;
using testing::TurnedClocks;

class StoredTokens : public ::testing::Test {
 protected:
  std::string add(const store::NewToken& wanted) {
    std::string out;
    store_.database().write([&](store::Transaction& transaction) { out = add_new_token(transaction, wanted); });
    return out;
  }
  void remove(const std::string& id) {
    store_.database().write([&](store::Transaction& transaction) { EXPECT_TRUE(remove_token(transaction, id)); });
  }
  store::Token stored(const std::string& id) {
    std::optional<store::Token> out;
    store_.read([&](store::Transaction& transaction) { out = find_token(transaction, id); });
    return out.value();
  }
  [[nodiscard]] std::unique_ptr<Recogniser> recogniser(IdentityClocks clocks = {}) {
    return recognise_by_stored_tokens(
        store_,
        [this](std::string_view event, const std::string&) {
          const std::lock_guard lock(mutex_);
          events_.emplace_back(event);
        },
        std::move(clocks));
  }
  std::vector<std::string> events() {
    const std::lock_guard lock(mutex_);
    return events_;
  }

  strata::testing::TemporaryFolder folder_;
  store::Store store_{{.address = "sqlite:" + (folder_ / "store.db")}};
  std::mutex mutex_;
  std::vector<std::string> events_;
};

TEST_F(StoredTokens, AreRecognised) {
  const std::string token = add({.id = "a", .project = "p", .roles = {"reader", "secret-reader"}});
  const std::string of_node = add({.project = "q", .roles = {"node"}, .node = "web01"});
  const auto who = recogniser();
  const Principal principal = who->recognise(bearing(token)).value();
  EXPECT_EQ(principal.name, "token:a");
  EXPECT_EQ(principal.method, "tokens");
  EXPECT_EQ(principal.project, "p");
  EXPECT_EQ(principal.roles, (std::vector<std::string>{"reader", "secret-reader"}));
  EXPECT_TRUE(principal.node.empty());
  EXPECT_TRUE(principal.reaches("p"));
  EXPECT_FALSE(principal.reaches("q"));
  EXPECT_EQ(who->recognise(bearing(of_node))->node, "web01");
  EXPECT_EQ(who->recognise(asking({{"authorization", "bEARER  " + token + " "}}))->name, "token:a");
}

TEST_F(StoredTokens, WithWrongPartsAreRefused) {
  const std::string token = add({.id = "a", .roles = {"reader"}});
  const auto who = recogniser();
  std::string wrong = token;
  wrong.back() = wrong.back() == 'A' ? 'B' : 'A';
  EXPECT_EQ(status_of(*who, bearing(wrong)), 401);
  EXPECT_EQ(status_of(*who, bearing("strata_b" + token.substr(8))), 401);
  for (const std::string& other :
       {token + "x", token.substr(0, token.size() - 1), std::string("strata_"), std::string("strata_a_"),
        std::string("strata__"), "strata_A" + token.substr(8), "strata_" + std::string(100'000, 'a'),
        token.substr(0, 20) + '\0' + token.substr(21)}) {
    EXPECT_EQ(status_of(*who, bearing(other)), 401) << other.substr(0, 100);
  }
  // Of other kinds: another recogniser may know them.
  EXPECT_FALSE(who->recognise(bearing("a.b.c")).has_value());
  EXPECT_FALSE(who->recognise(asking({{"Authorization", "Basic " + token}})).has_value());
  EXPECT_FALSE(who->recognise(asking({})).has_value());
  EXPECT_EQ(status_of(*who, bearing(token)), 0);
}

TEST_F(StoredTokens, AreAskedForOnceASecond) {
  const std::string token = add({.id = "a", .roles = {"reader"}});
  const TurnedClocks clocks;
  const auto who = recogniser(clocks.clocks());
  EXPECT_TRUE(who->is_brief(asking({})));
  EXPECT_FALSE(who->is_brief(bearing(token)));
  EXPECT_EQ(status_of(*who, bearing(token)), 0);
  EXPECT_TRUE(who->is_brief(bearing(token)));
}

TEST_F(StoredTokens, AreOverWithinASecondWhenRevoked) {
  const std::string token = add({.id = "a", .roles = {"reader"}});
  const auto who = recogniser();
  EXPECT_EQ(status_of(*who, bearing(token)), 0);
  remove("a");
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1100);
  unsigned status = 0;
  while (status == 0 && std::chrono::steady_clock::now() < end) {
    status = status_of(*who, bearing(token));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(status, 401);
  // One with the same id is another one.
  const std::string second = add({.id = "a", .roles = {"reader"}});
  EXPECT_EQ(status_of(*who, bearing(token)), 401);
  EXPECT_EQ(status_of(*who, bearing(second)), 0);
}

TEST_F(StoredTokens, StayBriefWhileTheyAreUsed) {
  const std::string token = add({.id = "a", .roles = {"reader"}});
  const auto who = recogniser();
  EXPECT_EQ(status_of(*who, bearing(token)), 0);
  int slow = 0;
  for (int i = 0; i < 60; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!who->is_brief(bearing(token))) ++slow;
    EXPECT_EQ(status_of(*who, bearing(token)), 0);
  }
  EXPECT_LE(slow, 6);  // None on a machine that has time.
}

TEST_F(StoredTokens, End) {
  const std::string token = add({.id = "a", .roles = {"reader"}, .days = 2});
  const std::string always = add({.id = "b", .roles = {"reader"}, .days = 0});
  const TurnedClocks clocks;
  const auto who = recogniser(clocks.clocks());
  EXPECT_EQ(status_of(*who, bearing(token)), 0);
  clocks.turn(std::chrono::hours(47));
  EXPECT_EQ(status_of(*who, bearing(token)), 0);
  clocks.turn(std::chrono::hours(2));
  EXPECT_EQ(status_of(*who, bearing(token)), 401);
  EXPECT_EQ(status_of(*who, bearing(always)), 0);
}

TEST_F(StoredTokens, RememberTheDayOfTheirLastUse) {
  const std::string token = add({.id = "a", .roles = {"reader"}, .days = 3});
  const std::string later = add({.id = "b", .roles = {"reader"}, .days = 30});
  EXPECT_FALSE(stored("a").last_used_day.has_value());
  const auto who = recogniser();
  EXPECT_EQ(status_of(*who, bearing(token)), 0);
  EXPECT_EQ(status_of(*who, bearing(later)), 0);
  const std::int64_t today = store::now() / 1'000'000 / 86'400;
  for (int i = 0; i < 100 && (!stored("a").last_used_day || !stored("b").last_used_day || events().empty()); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_GE(stored("a").last_used_day.value_or(0), today);
  EXPECT_GE(stored("b").last_used_day.value_or(0), today);
  EXPECT_EQ(events(), std::vector<std::string>{"token-ends-soon"});
}

TEST(PresentedTokens, HaveOneForm) {
  const std::string secret(43, 'a');
  const std::string token = "strata_k3-f9_" + secret;
  const auto read = store::read_token(token);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->id, "k3-f9");
  EXPECT_EQ(read->secret, secret);
  // A secret may have underscores.
  const std::string other = "strata_x_" + std::string(43, '_');
  EXPECT_EQ(store::read_token(other)->secret, std::string(43, '_'));
  EXPECT_FALSE(store::read_token("strata_x_" + std::string(42, 'a') + "."));
  EXPECT_FALSE(store::read_token("Strata_x_" + secret));
  EXPECT_TRUE(store::same_secret("abc", "abc"));
  EXPECT_FALSE(store::same_secret("abc", "abd"));
  EXPECT_FALSE(store::same_secret("abc", "ab"));
}

class TokenFiles : public ::testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(file_) << text; }
  [[nodiscard]] static std::string hash(const std::string& secret) { return store::hex(store::token_hash(secret)); }
  [[nodiscard]] std::string refused(const std::string& text) const {
    write(text);
    try {
      (void)recognise_by_token_file(file_, {}, {});
    } catch (const Error& error) {
      return error.code() + ": " + error.diagnostic().message;
    }
    return "";
  }

  strata::testing::TemporaryFolder folder_;
  std::string file_ = folder_ / "tokens.yaml";
};

TEST_F(TokenFiles, AreReadAnew) {
  const std::string secret(43, 's');
  const std::string other(43, 'o');
  write(fmt::format(
      "a: {{sha256: {}, project: p, roles: [reader]}}\nold: {{sha256: {}, roles: [admin], expires: 2001-01-01}}\n",
      hash(secret), hash(other)));
  const TurnedClocks clocks;
  std::vector<std::string> events;
  const auto who = recognise_by_token_file(
      file_, [&](std::string_view event, const std::string& why) { events.push_back(std::string(event) + " " + why); },
      clocks.clocks());
  EXPECT_TRUE(who->is_brief(bearing("strata_a_" + secret)));
  EXPECT_EQ(who->recognise(bearing("strata_a_" + secret))->project, "p");
  EXPECT_EQ(status_of(*who, bearing("strata_a_" + other)), 401);
  EXPECT_EQ(status_of(*who, bearing("strata_b_" + secret)), 401);
  EXPECT_EQ(status_of(*who, bearing("strata_old_" + other)), 401);
  write("broken: [");
  clocks.turn(std::chrono::seconds(1));
  EXPECT_EQ(status_of(*who, bearing("strata_a_" + secret)), 0);
  ASSERT_EQ(events.size(), 1);
  EXPECT_TRUE(events[0].starts_with("reload.failed " + file_)) << events[0];
  write(fmt::format("b: {{sha256: {}, roles: [node], node: n}}\n", hash(other)));
  EXPECT_EQ(status_of(*who, bearing("strata_a_" + secret)), 0);  // It is looked at once a second.
  clocks.turn(std::chrono::seconds(1));
  EXPECT_EQ(status_of(*who, bearing("strata_a_" + secret)), 401);
  EXPECT_EQ(who->recognise(bearing("strata_b_" + other))->node, "n");
  EXPECT_EQ(events.size(), 1);
}

TEST_F(TokenFiles, HaveTheLinesThatAreMadeForThem) {
  const store::FileToken one =
      store::create_file_token({.id = "0e1", .project = "a: b # c", .roles = {"reader", "null"}});
  const store::FileToken other = store::create_file_token({.roles = {"node"}, .node = "1", .days = 0});
  write(one.entry + "\n" + other.entry + "\n");
  const auto who = recognise_by_token_file(file_, {}, {});
  EXPECT_EQ(who->recognise(bearing(one.token))->project, "a: b # c");
  EXPECT_EQ(who->recognise(bearing(one.token))->roles, (std::vector<std::string>{"reader", "null"}));
  EXPECT_EQ(who->recognise(bearing(other.token))->node, "1");
}

TEST_F(TokenFiles, ThatAreWrong) {
  const std::string good = hash("x");
  EXPECT_EQ(refused(""), "");
  EXPECT_EQ(refused("- a"), "service.tokens: a file of tokens is a map of ids to what they are");
  EXPECT_EQ(refused("a: {sha256: 12, roles: [r]}"), "service.tokens: sha256 is a text");
  EXPECT_EQ(refused("a: {sha256: abcd, roles: [r]}"), "service.tokens: sha256 is 64 hexadecimal digits");
  EXPECT_EQ(refused("a: {roles: [r]}"), "service.tokens: the token 'a' needs sha256 and roles");
  // As `strata token create` refuses them.
  for (const char* line :
       {"N x: {{sha256: {}, roles: [reader]}}", "'': {{sha256: {}, roles: [reader]}}",
        "a: {{sha256: {}, roles: [reader], project: a/b}}", "a: {{sha256: {}, roles: [reader], node: a}}",
        "a: {{sha256: {}, roles: [node]}}", "a: {{sha256: {}, roles: [a b]}}"}) {
    EXPECT_TRUE(refused(fmt::format(fmt::runtime(line), good)).starts_with("service.tokens: ")) << line;
  }
  EXPECT_EQ(refused(fmt::format("a: {{sha256: {}, role: r}}", good)), "service.tokens: a token has no 'role'");
  EXPECT_EQ(refused(fmt::format("a: {{sha256: {}, roles: ['r,admin']}}", good)),
            "service.tokens: a role has a name without commas");
  EXPECT_EQ(refused(fmt::format("a: {{sha256: {}, roles: [r], expires: soon}}", good)),
            "service.tokens: expires is a day: 2027-01-31");
  EXPECT_EQ(refused(fmt::format("a: {{sha256: {}, roles: [r], expires: '2027-02-30'}}", good)),
            "service.tokens: expires is a day: 2027-01-31");
}

}  // namespace
}  // namespace strata::service
