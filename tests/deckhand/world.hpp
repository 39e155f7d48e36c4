// What the tests of Deckhand's rooms share: values from texts, and a place to work in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "deckhand/path/render_context.hpp"
#include "strata/merge.hpp"
#include "strata/text.hpp"
#include "support/generators.hpp"

namespace strata::deckhand {

struct World {
  explicit World(bool with_history = true) : keeps_history(with_history) {}

  Sources sources;
  std::vector<text::Document> documents;
  Arena arena;
  Limits limits;
  bool keeps_history;
  merge::History history{sources};
  merge::NullRecorder nothing{sources};
  merge::Recorder& recorder = keeps_history ? static_cast<merge::Recorder&>(history) : nothing;
  RenderContext context{.arena = arena, .limits = limits, .recorder = recorder};

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
