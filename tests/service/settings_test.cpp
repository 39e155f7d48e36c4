// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "strata/error.hpp"
#include "strata/service.hpp"

namespace strata::service {
namespace {

std::string error_of(const std::string& text) {
  try {
    (void)read_settings("strata.yaml", text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "service.config");
    return error.what();
  }
  return {};
}

TEST(Settings, OfAWholeFile) {
  const Settings settings = read_settings("strata.yaml", R"(
listen: ["0.0.0.0:8787,tls", "127.0.0.1:9787,faces=operation"]
tls: {certificate: /etc/strata/tls.pem, key: /etc/strata/tls.key, client_ca: /etc/strata/clients.pem, client_auth: request}
store: postgresql://strata@db1,db2/strata
key: file:/etc/strata/key
auth:
  - tokens
policy: /etc/strata/policy.yaml
sites:
  control: {dialect: hiera, git: /srv/control.git, ref: production, nodes: facts/*.yaml}
  boot: {dialect: cloud-init, path: /srv/boot, keep_last_good: true}
limits: {body: 64MiB, request: 45s, connections: 100, queue: 7}
)");
  EXPECT_EQ(settings.listen.size(), 2U);
  EXPECT_EQ(settings.client_ca, "/etc/strata/clients.pem");
  EXPECT_EQ(settings.client_auth, "request");
  EXPECT_EQ(settings.server.body, std::size_t{64} << 20U);
  EXPECT_EQ(settings.server.request_time, std::chrono::seconds(45));
  EXPECT_EQ(settings.server.connections, 100U);
  EXPECT_EQ(settings.server.queue, 7U);
  ASSERT_EQ(settings.sites.size(), 2U);
  EXPECT_EQ(settings.sites[0].name, "control");
  EXPECT_EQ(settings.sites[0].path, "/srv/control.git");
  EXPECT_EQ(settings.sites[0].ref, "production");
  EXPECT_EQ(settings.sites[0].options, "{\"nodes\": \"facts/*.yaml\"}\n");
  EXPECT_TRUE(settings.sites[1].keep_last_good);
  EXPECT_EQ(settings.sites[1].options, "");
}

TEST(Settings, HostsOfTheExplorer) {
  for (const std::string name : {"public_hosts", "public-hosts"}) {
    EXPECT_EQ(read_settings("strata.yaml", name + ": [a.example, b.example]\n").public_hosts,
              (std::vector<std::string>{"a.example", "b.example"}));
    EXPECT_EQ(read_settings("strata.yaml", name + ": a.example\n").public_hosts, std::vector<std::string>{"a.example"});
  }
}

TEST(Settings, OfSitesOnOneLine) {
  const Settings settings =
      read_settings("strata.yaml", "site: [a=hiera:/srv/a, b=heat:/srv/b@main]\nbody: 1024\nrequest: 5\n");
  ASSERT_EQ(settings.sites.size(), 2U);
  EXPECT_EQ(settings.sites[1].dialect, "heat");
  EXPECT_EQ(settings.sites[1].ref, "main");
  EXPECT_EQ(settings.server.body, 1024U);
  EXPECT_EQ(settings.server.request_time, std::chrono::seconds(5));
}

TEST(Settings, OfSecretsOfSites) {
  const Settings settings = read_settings("strata.yaml", R"(
repositories: [/srv/git]
cache: 2GiB
compat: shipped
deckhand_project: ours
sites:
  a: {dialect: hiera, path: /a, secret_keys: ['password$'], eyaml_keys: {private: /k/private.pem, public: /k/../public.pem}, node_secrets: true}
)");
  ASSERT_EQ(settings.sites.size(), 1U);
  EXPECT_EQ(settings.sites[0].options, "{\"secret-keys\": [\"password$\"], \"node-secrets\": true}\n");
  EXPECT_EQ(settings.sites[0].eyaml_keys.private_key, "/k/private.pem");
  EXPECT_EQ(settings.sites[0].eyaml_keys.public_key, "/public.pem");
  EXPECT_EQ(settings.repositories, std::vector<std::string>{"/srv/git"});
  EXPECT_EQ(settings.cache, std::size_t{2} << 30U);
  EXPECT_EQ(settings.compat, "shipped");
  EXPECT_EQ(settings.deckhand_project, "ours");
}

TEST(Settings, ThatAreWrong) {
  EXPECT_NE(error_of("listn: x\n").find("listn"), std::string::npos);
  EXPECT_NE(error_of("sites: {a: {dialect: hiera}}\n").find("either 'path' or 'git'"), std::string::npos);
  EXPECT_NE(error_of("sites: {a: {dialect: hiera, path: /a, git: /b}}\n").find("either 'path' or 'git'"),
            std::string::npos);
  EXPECT_NE(error_of("sites: {a: {dialect: hiera, path: /a, ref: main}}\n").find("'ref' is for 'git'"),
            std::string::npos);
  EXPECT_NE(error_of("sites: {a: {path: /a}}\n").find("dialect"), std::string::npos);
  EXPECT_NE(error_of("sites: {a: {dialect: hiera, path: /a, secret_keys: ['(']}}\n").find("'secret-keys'"),
            std::string::npos);
  EXPECT_NE(error_of("sites: {a: {dialect: hiera, path: /a, secret_keys: p}}\n").find("'secret-keys'"),
            std::string::npos);
  EXPECT_NE(error_of("sites: {a: {dialect: hiera, path: /a, eyaml_keys: {privat: p}}}\n").find("privat"),
            std::string::npos);
  EXPECT_NE(error_of("sites: {a: {dialect: hiera, path: /a, node_secrets: 1}}\n").find("'node-secrets'"),
            std::string::npos);
  EXPECT_NE(error_of("cache: many\n").find("MiB"), std::string::npos);
  EXPECT_NE(error_of("limits: {body: 32MB}\n").find("32MiB"), std::string::npos);
  EXPECT_NE(error_of("limits: {body: 99999999999GiB}\n").find("32MiB"), std::string::npos);
  EXPECT_NE(error_of("limits: {request: -5s}\n").find("seconds"), std::string::npos);
  EXPECT_NE(error_of("limits: {drain: 5}\n").find("drain"), std::string::npos);
  EXPECT_NE(error_of("- a\n"), "");
}

}  // namespace
}  // namespace strata::service
