// SPDX-License-Identifier: Apache-2.0
// What the tests of merge behaviours share: values from YAML, folded from the highest to the lowest.
#pragma once

#include <string>
#include <vector>

#include "hiera/strategies/merger.hpp"
#include "strata/text.hpp"
#include "support/generators.hpp"

namespace strata::hiera {

struct Folding {
  Sources sources;
  std::vector<text::Document> documents;
  Arena arena;
  Limits limits;
  merge::History history{sources};
  merge::NullRecorder nothing{sources};
  std::vector<merge::Notice> notices;

  Value yaml(const std::string& text) {
    const std::string name = "level" + std::to_string(documents.size());
    documents.push_back(text::read_yaml(sources, sources.add(name, text), text::pyyaml(), limits));
    return documents.back().root;
  }
  static std::string shown(const Value& value) { return strata::testing::show(value); }

  MergeOptions options(const std::string& text) { return parse_merge(sources, yaml(text)); }

  merge::Traced fold(const MergeOptions& options, const std::vector<Value>& levels, bool with_history = false,
                     Promised promised = {}) {
    merge::Recorder& recorder = with_history ? static_cast<merge::Recorder&>(history) : nothing;
    Merger merger(options, sources, arena, limits, recorder, &notices, {}, promised);
    merge::Traced total;
    for (const Value& level : levels) {
      const merge::Traced layer{level, recorder.add_layer("level")};
      total = total.value ? merger.merge(total, layer) : merger.convert(layer);
    }
    return total;
  }
  /// Levels from the highest to the lowest, as texts; the result as one line, or the code of the error.
  std::string folded(const std::string& merge, const std::vector<std::string>& levels, Promised promised = {}) {
    std::vector<Value> values;
    for (const std::string& level : levels) values.push_back(yaml(level));
    try {
      return shown(fold(options(merge), values, false, promised).value);
    } catch (const Error& error) {
      return error.code();
    }
  }
};

}  // namespace strata::hiera
