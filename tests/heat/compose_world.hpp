// SPDX-License-Identifier: Apache-2.0
// A request made of texts, for tests of the whole combination.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heat/request_world.hpp"
#include "strata/heat.hpp"

namespace strata::heat {

/// The parameters that the tests' template declares, of each type.
inline const std::string kTemplate =
    "heat_template_version: 2018-08-31\nparameters:\n  a: {type: string}\n  b: {type: string}\n  n: {type: number}\n  "
    "f: {type: boolean}\n"
    "  m: {type: json}\n  l: {type: comma_delimited_list}\n  secret: {type: string, hidden: true}\n";

/// Names and texts, in order.
using Texts = std::vector<std::pair<std::string, std::string>>;

/// One request, described. `files` are the list unless `list` is given.
struct Asked {
  Texts files = {};
  std::optional<std::vector<std::string>> list = {};
  std::optional<std::string> state = {};
  std::string parameters = {};  ///< A mapping in YAML.
  std::vector<std::string> cleared = {};
  std::string body = {};
  std::optional<std::string> root = kTemplate;  ///< Not given to updates.
  Compat compat = Compat::promised;
  bool reuse = true;
  Texts attached = {};
  std::vector<HookOption> hooks = {};
};

/// What became of a request, with all that its values point into.
struct Composed {
  explicit Composed(bool with_history) : session(testing::test_session({}, {.keeps_history = with_history})) {}

  Session session;
  Sources& sources = session.sources();
  std::vector<text::Document> documents;
  std::optional<Composition> composition;
  std::string error;   ///< `code: message`; empty where it succeeded.
  std::string report;  ///< The error as people see it.

  [[nodiscard]] const merge::History& history() { return *session.recorder().history(); }
  [[nodiscard]] std::string section(std::string_view name) const {
    return composition ? flow(*composition->shown.value.find(name)) : error;
  }
  [[nodiscard]] std::string all() const { return composition ? flow(composition->shown.value) : error; }
  [[nodiscard]] std::vector<std::string> warnings() const {
    std::vector<std::string> codes;
    for (const Diagnostic& warning : session.diagnostics().warnings()) codes.push_back(warning.code);
    return codes;
  }
  [[nodiscard]] std::string state() const { return state_text(*composition); }
};

inline std::unique_ptr<Composed> ask(const Asked& asked, bool with_history = false) {
  auto answer = std::make_unique<Composed>(with_history);
  Sources& sources = answer->sources;
  Request request;
  for (const Texts* texts : {&asked.files, &asked.attached}) {
    for (const auto& [name, text] : *texts) {
      const bool known = std::ranges::find(request.files, name, &NamedText::name) != request.files.end();
      if (!known) request.files.push_back({.name = name, .source = sources.add(name, text)});
    }
  }
  if (asked.list) {
    request.environment_files = *asked.list;
  } else {
    for (const auto& [name, text] : asked.files) request.environment_files.push_back(name);
  }
  if (asked.state) request.existing = sources.add("state.json", *asked.state);
  if (asked.root && !asked.state) request.template_text = sources.add("t.yaml", *asked.root);
  if (!asked.body.empty()) request.environment_body = sources.add("body.yaml", asked.body);
  request.cleared_parameters = asked.cleared;
  request.compat = asked.compat;
  request.hooks = asked.hooks;
  request.reuse = asked.reuse;
  request.keep_combination = true;
  try {
    if (!asked.parameters.empty()) {
      answer->documents.push_back(text::read_yaml(sources, sources.add("<parameter>", asked.parameters), text::heat(),
                                                  answer->session.limits()));
      request.parameters = answer->documents.back().root;
    }
    answer->composition = compose(request, answer->session);
  } catch (const Error& error) {
    answer->error = error.code() + ": " + error.what();
    answer->report = format(error.diagnostic(), "error");
  }
  return answer;
}

}  // namespace strata::heat
