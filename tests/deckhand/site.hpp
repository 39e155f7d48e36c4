// SPDX-License-Identifier: Apache-2.0
// Sites in a few words, for the tests of whole renderings.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strata/deckhand.hpp"
#include "strata/merge.hpp"
#include "strata/text.hpp"
#include "support/generators.hpp"
#include "support/sessions.hpp"

namespace strata::deckhand {

inline const std::string kPolicy =
    "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\n"
    "data: {layerOrder: [global, region, site]}\n";

/// One document; everything but the name in flow style.
struct Doc {
  std::string name;
  std::string layer = "site";
  std::string data = "{}";
  std::string more = {};      ///< Of metadata: `labels: {a: b}`.
  std::string layering = {};  ///< Of layeringDefinition: `abstract: true`.
  std::string schema = "example/Kind/v1";

  [[nodiscard]] std::string text() const {
    return "schema: " + schema + "\nmetadata: {schema: metadata/Document/v1, name: " + name +
           ", layeringDefinition: {layer: " + layer + (layering.empty() ? "" : ", " + layering) + "}" +
           (more.empty() ? "" : ", " + more) + "}\ndata: " + data + "\n";
  }
};

/// A child with one action.
inline std::string selects(const std::string& labels, const std::string& actions = "[{method: merge, path: .}]") {
  return "parentSelector: " + labels + ", actions: " + actions;
}

inline std::string substitutes(const std::string& source, const std::string& from, const std::string& to) {
  return "{src: {schema: example/Kind/v1, name: " + source + ", path: " + from + "}, dest: {path: " + to + "}}";
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// One rendering with all that it leaves.
struct Site {
  Request request;
  Limits limits;
  bool with_history = false;
  std::unique_ptr<Session> session;  ///< Of the last rendering.
  std::optional<Result> result;
  std::vector<Finding> findings;

  Site() = default;
  explicit Site(const std::vector<Doc>& documents) {
    std::string text = kPolicy;
    for (const Doc& document : documents) text += "---\n" + document.text();
    add("site.yaml", text);
  }

  void add(const std::string& name, const std::string& text) {
    request.streams.push_back({.name = name, .text = text});
  }

  /// The names of the documents with their data, in order: `a {"x": 1}; b 2`; or the codes of the findings after `!`.
  std::string render() {
    session.reset(new Session(testing::test_session({}, {.limits = limits, .keeps_history = with_history})));
    try {
      result = deckhand::render(request, *session);
    } catch (const Refused& refused) {
      findings = refused.findings();
      std::string codes = "!";
      for (const Finding& finding : findings) codes += (codes.size() > 1 ? " " : "") + finding.diagnostic.code;
      return codes;
    }
    std::string out;
    for (std::size_t i = 0; i < result->identities.size(); ++i) {
      if (result->identities[i].name == "policy") continue;
      const Value* data = result->documents.value.items()[i].find("data");
      out += (out.empty() ? "" : "; ") + result->identities[i].name + " " + testing::show(*data);
    }
    return out;
  }

  [[nodiscard]] std::string warnings() const {
    std::string codes;
    for (const Diagnostic& warning : session->diagnostics().warnings())
      codes += (codes.empty() ? "" : " ") + warning.code;
    return codes;
  }

  [[nodiscard]] Sources& sources() const { return session->sources(); }
  [[nodiscard]] const merge::History& history() const { return *session->recorder().history(); }

  /// The findings and the warnings as people read them.
  [[nodiscard]] std::string told() const {
    std::string out;
    for (const Finding& finding : findings) out += format(finding.diagnostic, "error");
    for (const Diagnostic& warning : session->diagnostics().warnings()) out += format(warning, "warning");
    return out;
  }
};

}  // namespace strata::deckhand
