// SPDX-License-Identifier: Apache-2.0
#include "bindings/queries/puppetdb.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

#include "host/curl_http.hpp"
#include "queries_world.hpp"
#include "strata/stop.hpp"
#include "support/temporary_folder.hpp"

extern char** environ;

namespace strata::bindings::queries {
namespace {

/// tests/bindings/puppetdb_server.py.
class Server {
 public:
  explicit Server(const std::string& tls_folder = {}) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    EXPECT_EQ(pipe2(in.data(), O_CLOEXEC) + pipe2(out.data(), O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    std::string python = "/usr/bin/env";
    std::string name = "python3";
    std::string script = STRATA_SOURCE_DIR "/tests/bindings/puppetdb_server.py";
    std::string flag = "--tls";
    std::string folder = tls_folder;
    std::array<char*, 6> arguments{python.data(), name.data(), script.data(), flag.data(), folder.data(), nullptr};
    if (folder.empty()) arguments[3] = nullptr;
    EXPECT_EQ(posix_spawn(&id_, python.c_str(), &actions, nullptr, arguments.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    stop_ = in[1];
    char c = 0;
    while (::read(out[0], &c, 1) == 1 && c != '\n') port_ += c;
    close(out[0]);
    EXPECT_FALSE(port_.empty());
  }
  ~Server() {
    close(stop_);
    waitpid(id_, nullptr, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  [[nodiscard]] std::string url(const std::string& mode, const std::string& scheme = "http") const {
    return scheme + "://127.0.0.1:" + port_ + "/" + mode;
  }

 private:
  pid_t id_ = 0;
  int stop_ = -1;
  std::string port_;
};

/// Asks real servers through libcurl, and counts.
class Client final : public HttpClient {
 public:
  HttpAnswer post(const HttpRequest& request) override {
    ++asked;
    return client_->post(request);
  }
  int asked = 0;

 private:
  std::unique_ptr<HttpClient> client_ = curl_http();
};

PuppetDbSettings settings(const std::string& url, unsigned timeout = 10) {
  return {.url = url, .ssl_ca = {}, .ssl_cert = {}, .ssl_key = {}, .timeout = timeout, .origin = {}};
}

const Server& server() {
  static const Server running;
  return running;
}

std::string failure_in_mode(const std::string& mode, unsigned timeout = 10, std::size_t input = 1000000) {
  World world;
  world.limits.input = input;
  Client client;
  world.use(puppetdb(settings(server().url(mode), timeout), &client, world.sources, world.limits));
  return world.failure("Sql[??]");
}

TEST(PuppetDb, AnswersAreSortedCheckedAndKept) {
  World world({}, "me.example.com");
  Client client;
  world.use(puppetdb(settings(server().url("good/")), &client, world.sources, world.limits, "me.example.com"));
  EXPECT_EQ(world.titles("Sql[??]"), "one two ");
  EXPECT_EQ(world.titles("Sql[?? user == 'bob']"), "one ");
  EXPECT_EQ(world.titles("Sql[?? size > 15]"), "two ");
  EXPECT_EQ(world.titles("Sql[?? not file == '/x']"), "one two ");
  // What could not be pushed down leaves the same question.
  EXPECT_EQ(client.asked, 1);
  EXPECT_EQ(world.titles("Sql[?? exported == true]"), "two ");
  EXPECT_EQ(client.asked, 2);
  EXPECT_EQ(world.titles("Other[??]"), "");
  const Value found = world.evaluate("Sql[?? line == 12]").items()[0];
  EXPECT_EQ(
      text::write_json(found, {.sort_keys = false, .indent = -1}),
      R"({"type": "Sql", "title": "two", "certname": "db2.example.com", "exported": true, "tags": ["sql", "two", "prod"], )"
      R"("parameters": {"size": 20, "user": "eve"}})"
      "\n");
  const Value user = *found.find("parameters")->find("user");
  EXPECT_EQ(world.sources.place(user.origin()).file, server().url("good") + "/pdb/query/v4");
  EXPECT_EQ(world.answers->origin_of(user.origin())->parameter, "user");
}

TEST(PuppetDb, FailuresNameTheUrl) {
  const std::string url = server().url("");
  EXPECT_EQ(
      failure_in_mode("broken").substr(0, 80),
      "query.failed: " + (url + "broken/pdb/query/v4 answers with status 500:  <h1>out of cheese ").substr(0, 66));
  EXPECT_EQ(failure_in_mode("moved"), "query.failed: " + url + "moved/pdb/query/v4 answers with status 302: ");
  EXPECT_EQ(failure_in_mode("junk").substr(0, 13), "query.answer:");
  EXPECT_NE(failure_in_mode("junk").find("junk/pdb/query/v4 is not a list of resources"), std::string::npos);
  EXPECT_EQ(failure_in_mode("text"),
            "query.answer: the answer of " + url + "text/pdb/query/v4 is not a list of resources: it is text");
  EXPECT_EQ(failure_in_mode("untitled"),
            "query.answer: the answer of " + url +
                "untitled/pdb/query/v4 is not a list of resources: an answer of PuppetDB: a resource "
                "has no 'title' (line 2, column 2)");
  EXPECT_EQ(failure_in_mode("huge"),
            "limit.input: the answer of " + url + "huge/pdb/query/v4 has more than 1000000 bytes");
}

TEST(PuppetDb, SlowAnswersEnd) {
  for (const char* mode : {"slow", "drip"}) {
    const std::string told = failure_in_mode(mode, 1);
    EXPECT_EQ(told.substr(0, 13), "query.failed:") << told;
    EXPECT_NE(told.find(mode), std::string::npos) << told;
  }
}

TEST(PuppetDb, SlowAnswersEndWithTheRequest) {
  for (const char* mode : {"slow", "drip"}) {
    for (const bool is_cancelled : {true, false}) {
      World world;
      Client client;
      Stop stop;
      world.limits.stop = &stop;
      world.use(puppetdb(settings(server().url(mode), 1000), &client, world.sources, world.limits));
      std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        if (is_cancelled) {
          stop.cancel();
        } else {
          stop.end_at(Stop::Clock::now());
        }
      });
      EXPECT_EQ(world.failure("Sql[??]").substr(0, 10), is_cancelled ? "session.ca" : "limit.time") << mode;
      other.join();
    }
  }
}

TEST(PuppetDb, NobodyIsThere) {
  World world;
  Client client;
  world.use(puppetdb(settings("http://127.0.0.1:1"), &client, world.sources, world.limits));
  EXPECT_EQ(world.failure("Sql[??]").substr(0, 68),
            "query.failed: http://127.0.0.1:1/pdb/query/v4 does not answer: Faile");
  world.use(puppetdb(settings("http://127.0.0.1:1"), nullptr, world.sources, world.limits));
  EXPECT_EQ(world.failure("Sql[??]").substr(0, 18), "query.unavailable:");
}

TEST(PuppetDb, ShowsNoCredentials) {
  World world;
  Client client;
  const auto service = puppetdb(settings("http://me:s3cr@t@127.0.0.1:1/x@y"), &client, world.sources, world.limits);
  EXPECT_EQ(service->title(), "PuppetDB at http://127.0.0.1:1/x@y");
  world.use(puppetdb(settings("http://me:s3cr@t@127.0.0.1:1/x@y"), &client, world.sources, world.limits));
  EXPECT_EQ(world.failure("Sql[??]").substr(0, 61), "query.failed: http://127.0.0.1:1/x@y/pdb/query/v4 does not an");
  std::string known = server().url("good");
  known.insert(known.find("//") + 2, "me:secret@");
  world.use(puppetdb(settings(known), &client, world.sources, world.limits));
  const Value found = world.evaluate("Sql[?? line == 12]").items()[0];
  EXPECT_EQ(world.sources.place(found.find("parameters")->find("user")->origin()).file,
            server().url("good") + "/pdb/query/v4");
}

TEST(PuppetDb, Tls) {
  const strata::testing::TemporaryFolder folder;
  const Server secure(folder.path().string());
  Client client;
  PuppetDbSettings all = settings(secure.url("good", "https"));
  all.ssl_ca = folder / "ca.pem";
  all.ssl_cert = folder / "client.pem";
  all.ssl_key = folder / "client.key";
  World world;
  world.use(puppetdb(all, &client, world.sources, world.limits));
  EXPECT_EQ(world.titles("Sql[??]"), "mine one two ");
  PuppetDbSettings nobody = all;
  nobody.ssl_cert = nobody.ssl_key = {};
  world.use(puppetdb(nobody, &client, world.sources, world.limits));
  EXPECT_EQ(world.failure("Sql[??]").substr(0, 13), "query.failed:");
  PuppetDbSettings untrusted = all;
  untrusted.ssl_ca = {};
  world.use(puppetdb(untrusted, &client, world.sources, world.limits));
  EXPECT_EQ(world.failure("Sql[??]").substr(0, 13), "query.failed:");
  PuppetDbSettings missing = all;
  missing.ssl_key = folder / "none.key";
  world.use(puppetdb(missing, &client, world.sources, world.limits));
  EXPECT_EQ(world.failure("Sql[??]").substr(0, 13), "query.failed:");
}

}  // namespace
}  // namespace strata::bindings::queries
