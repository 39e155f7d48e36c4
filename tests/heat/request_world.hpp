// SPDX-License-Identifier: Apache-2.0
// What the tests of templates, parameters and registries share: values from texts, and what became of them.
#pragma once

#include <string>
#include <vector>

#include "heat/parameters.hpp"
#include "heat/template.hpp"
#include "strata/error.hpp"
#include "strata/merge.hpp"
#include "strata/text.hpp"
#include "support/sessions.hpp"

namespace strata::heat {

struct RequestWorld {
  explicit RequestWorld(bool with_history = true)
      : session(testing::test_session({}, {.keeps_history = with_history})) {}

  Session session;
  Sources& sources = session.sources();
  const Limits& limits = session.limits();
  std::vector<text::Document> documents;
  std::vector<Template> templates;

  [[nodiscard]] const merge::History& history() { return *session.recorder().history(); }

  Value yaml(const std::string& text, const std::string& name = "e.yaml") {
    documents.push_back(text::read_yaml(sources, sources.add(name, text), text::heat(), limits));
    return documents.back().root;
  }
  merge::Traced layer(const std::string& text, const std::string& name) {
    return {yaml(text, name), session.recorder().add_layer(name)};
  }
  const Template& read(const std::string& text) {
    templates.push_back(read_template(sources, sources.add("t.yaml", text), limits));
    return templates.back();
  }
};

/// A template with one parameter `p`, declared as flow YAML.
inline std::string declaring(const std::string& declaration) {
  return "heat_template_version: 2018-08-31\nparameters:\n  p: " + declaration + "\n";
}

/// JSON in one line.
inline std::string flow(const Value& value) {
  std::string text = text::write_json(value, {.sort_keys = false, .indent = -1});
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

/// What a piece of work gives, or `code: message` of the error that ends it.
template <class Work>
std::string outcome(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    return error.code() + ": " + error.what();
  }
}

}  // namespace strata::heat
