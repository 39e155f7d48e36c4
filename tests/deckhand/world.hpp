// SPDX-License-Identifier: Apache-2.0
// What the tests of Deckhand's rooms share: values from texts, and a place to work in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "deckhand/path/rendering.hpp"
#include "strata/merge.hpp"
#include "strata/text.hpp"
#include "support/generators.hpp"
#include "support/sessions.hpp"

namespace strata::deckhand {

using Strings = std::vector<std::string>;

struct World {
  explicit World(bool with_history = true, const Limits& wanted = {})
      : session(testing::test_session({}, {.limits = wanted, .keeps_history = with_history})) {}

  Session session;
  Sources& sources = session.sources();
  std::vector<text::Document> documents;
  Arena& arena = session.arena();
  const Limits& limits = session.limits();
  merge::Recorder& recorder = session.recorder();
  Rendering rendering{.session = session, .arena = arena};

  [[nodiscard]] const merge::History& history() const { return *recorder.history(); }

  Value yaml(const std::string& text, const std::string& name = "f") {
    documents.push_back(text::read_yaml(sources, sources.add(name, text), text::pyyaml(), limits));
    return documents.back().root;
  }
  /// A document as the next layer of the history.
  merge::Traced layer(const std::string& text) {
    const std::string name = "L" + std::to_string(documents.size());
    return {yaml(text, name), recorder.add_layer(name)};
  }
};

inline std::string flow(const Value& value) { return testing::show(value); }

/// The code and the message of the error that `act` throws; empty where it throws none.
template <class Act>
std::string error_of(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.code() + ": " + error.what();
  }
  return {};
}

}  // namespace strata::deckhand
