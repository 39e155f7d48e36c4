// strata.yaml: what has to be known before any bindings are read. Rule: docs/bindings/inject.md.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/session.hpp"

namespace strata::bindings {

/// A program that classifies nodes.
struct EncCommand {
  std::vector<std::string> words;  ///< The program and its first arguments; a program with a `/` in it is absolute.
  bool takes_facts = false;        ///< The facts go to its standard input, as JSON.
  unsigned timeout = 30;           ///< Seconds.
  Origin origin;
};

/// `extensions: [{kind, name, lua | plugin}]`. Paths are absolute.
struct ExtensionDeclaration {
  std::string kind;  ///< producer, provider, combinator, function, type or query_service; empty: whatever the file registers.
  std::string name;  ///< Empty: all that it registers.
  std::string lua;   ///< One of the two is set.
  std::string plugin;
  Origin origin;
  friend bool operator==(const ExtensionDeclaration&, const ExtensionDeclaration&) = default;
};

/// `puppetdb: {url, ssl_ca, ssl_cert, ssl_key, timeout}`. Paths are absolute; empty where not given.
struct PuppetDbSettings {
  std::string url;
  std::string ssl_ca;
  std::string ssl_cert;
  std::string ssl_key;
  unsigned timeout = 30;  ///< Seconds.
  Origin origin;
};

struct Configuration {
  std::optional<EncCommand> enc_command;
  std::string facts_dir;  ///< Where `strata enc NODE` finds NODE.yaml and NODE.json; absolute, or empty.
  std::vector<ExtensionDeclaration> extensions;
  std::optional<PuppetDbSettings> puppetdb;
  std::string query_service;  ///< Who answers queries: `puppetdb`, or the name of an extension's service; empty: the one that there is.
};

/// Reads `CONFDIR/strata.yaml`, once a Snapshot; without the file, nothing is configured. Errors: `config.key` for unknown keys (with near names),
/// `config.value`.
[[nodiscard]] std::shared_ptr<const Configuration> read_configuration(const std::string& confdir, Session& session);

}  // namespace strata::bindings
