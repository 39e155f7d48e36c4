// SPDX-License-Identifier: Apache-2.0
// Files in memory, and a request made from them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../support/sessions.hpp"
#include "bindings/injector/checker.hpp"
#include "bindings/request/prepare.hpp"
#include "strata/error.hpp"

namespace strata::bindings {

using Files = std::map<std::string, std::string>;

struct RequestWorld {
  explicit RequestWorld(const Files& given) : session(strata::testing::test_session(in_confdir(given))) {}

  RequestWorld& facts(const std::string& text) {
    known = read_facts(session.sources(), "facts.yaml", text, session.limits());
    return *this;
  }
  RequestWorld& enc(const std::string& text) {
    const SourceId source = session.sources().add("enc.yaml", text);
    classified =
        std::make_shared<const Enc>(read_enc(session.sources(), source, session.limits(), session.diagnostics()));
    return *this;
  }

  Request& make() {
    request = std::make_unique<Request>();
    prepare({.session = session,
             .confdir = "/c",
             .facts = known,
             .agent_environment = agent,
             .enc = classified,
             .node = node,
             .providers = providers},
            *request);
    return *request;
  }

  /// Codes and messages of what it fails with; `none` where it does not.
  std::string problems() {
    try {
      (void)make();
    } catch (const Errors& errors) {
      std::string out;
      for (const Diagnostic& each : errors.all()) out += each.code + ": " + each.message + "\n";
      return out;
    } catch (const Error& error) {
      return error.code() + ": " + error.diagnostic().message + "\n";
    }
    return "none";
  }

  std::string warnings() const {
    std::string out;
    for (const Diagnostic& each : session.diagnostics().warnings()) out += each.code + ": " + each.message + "\n";
    return out;
  }

  /// `site: default, m::default | modules: …`.
  std::string layers() {
    std::string out;
    for (const Findings::Layer& layer : list_layers(make())) {
      out += (out.empty() ? "" : " | ") + layer.name + ":";
      for (const std::string& title : layer.documents) out += " " + title;
    }
    return out;
  }

  /// `node=kermit environment=production zone=-`.
  std::string categories() {
    std::string out;
    for (const Category& each : make().categories)
      out += (out.empty() ? "" : " ") + each.name + "=" + each.value.value_or("-");
    return out;
  }

  static Files in_confdir(const Files& given) {
    Files files{{"c/.there", ""}};
    for (const auto& file : given) files["c/" + file.first] = file.second;
    return files;
  }

  Session session;
  Facts known;
  std::optional<std::string> agent;
  std::shared_ptr<const Enc> classified;
  std::string node;
  SchemeProviders providers;
  std::unique_ptr<Request> request;
};

}  // namespace strata::bindings
