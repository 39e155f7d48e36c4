// What all rooms of the dialect have at hand while one request is combined.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/merge.hpp"
#include "strata/origin.hpp"
#include "strata/text.hpp"

namespace strata::heat {

using NameSet = std::set<std::string, std::less<>>;

struct Context {
  Sources& sources;
  Diagnostics& diagnostics;
  const Limits& limits;
  merge::Recorder& recorder;
  std::shared_ptr<Arena> arena;  ///< Of everything that is read and made.
  text::DocumentPool documents{arena};
  std::size_t nodes = 0;                            ///< Of all documents so far, aliases written out.
  std::vector<std::shared_ptr<Arena>> others = {};  ///< Further owners of what the result points into.

  /// Adds to `nodes`. Error `limit.result`.
  void count(std::size_t more);
  /// The next layer of the history; empty where there is none. `note`: how it is joined; may be empty.
  [[nodiscard]] merge::Slot add_layer(const std::string& name, std::string note = {}) const;
  /// Warns of a place. The line that stands there is not shown: it may hold what is hidden.
  void warn(std::string code, std::string message, Origin where, std::string hint = {}) const;
};

}  // namespace strata::heat
