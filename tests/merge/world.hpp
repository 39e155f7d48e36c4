// SPDX-License-Identifier: Apache-2.0
// What the tests of merges share: values and strategies from texts.
#pragma once

#include <string>
#include <vector>

#include "strata/merge.hpp"
#include "strata/text.hpp"
#include "support/generators.hpp"

namespace strata::merge {

struct World {
  Sources sources;
  std::vector<text::Document> documents;
  Arena arena;
  Limits limits;
  History history{sources};
  NullRecorder nothing{sources};

  /// One that keeps the history, or nothing.
  Recorder& recorder(bool keeps) {
    if (keeps) return history;
    return nothing;
  }
  Value yaml(const std::string& text, const std::string& name = "f") {
    documents.push_back(text::read_yaml(sources, sources.add(name, text), text::pyyaml(), limits));
    return documents.back().root;
  }
  /// A document as the next layer of the history.
  Traced layer(const std::string& text) {
    const std::string name = "L" + std::to_string(documents.size());
    return {yaml(text, name), history.add_layer(name)};
  }
  Value merged(const Value& old, const Value& incoming, const Strategy& strategy) {
    return merge::merge({old, {}}, {incoming, {}}, strategy, arena, limits, nothing).value;
  }
  Value merged(const std::string& old, const std::string& incoming, const Strategy& strategy) {
    return merged(yaml(old), yaml(incoming), strategy);
  }
};

inline std::string flow(const Value& value) { return testing::show(value); }

/// A strategy whose tables replace by default.
inline Strategy rules(const std::string& root, const std::string& member = "", const std::string& item = "",
                      const std::string& more = "") {
  return parse_strategy("root:\n* <- *: take_new\n" + root + "\nmember:\n* <- *: take_new\n" + member +
                        "\nitem:\n* <- *: take_new\n" + item + "\n" + more);
}

}  // namespace strata::merge
