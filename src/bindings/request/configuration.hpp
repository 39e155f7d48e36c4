// SPDX-License-Identifier: Apache-2.0
// strata.yaml: settings that are needed before any bindings are read. Rule: docs/bindings/inject.md.
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
  std::vector<std::string> words;  ///< The program and its first arguments. A program with `/` is absolute.
  bool takes_facts = false;        ///< The facts go to its standard input, as JSON.
  unsigned timeout = 30;           ///< Seconds.
  Origin origin;
};

/// `extensions: [{kind, name, lua | plugin}]`. Paths are absolute.
struct ExtensionDeclaration {
  std::string kind;  ///< producer, provider, combinator, function, type or query_service. Empty: everything that the
                     ///< file registers.
  std::string name;  ///< Empty: everything that it registers.
  std::string lua;   ///< One of the two is set.
  std::string plugin;
  Origin origin;
  friend bool operator==(const ExtensionDeclaration&, const ExtensionDeclaration&) = default;
};

/// `puppetdb: {url, ssl_ca, ssl_cert, ssl_key, timeout}`. Paths are absolute; empty if not given.
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
  std::string facts_dir;  ///< `strata enc NODE` looks for NODE.yaml and NODE.json here. Absolute, or empty.
  std::vector<ExtensionDeclaration> extensions;
  std::optional<PuppetDbSettings> puppetdb;
  /// Answers queries: `puppetdb`, or the name of an extension's service. Empty: the only one.
  std::string query_service;
};

/// Reads `CONFDIR/strata.yaml`, once per Snapshot. Without the file, nothing is configured. Errors: `config.key` for
/// unknown keys (with suggestions), `config.value`.
[[nodiscard]] std::shared_ptr<const Configuration> read_configuration(const std::string& confdir, Session& session);

}  // namespace strata::bindings
