// SPDX-License-Identifier: Apache-2.0
// Follows the substitutions of a HOCON text.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "strata/limits.hpp"
#include "strata/text.hpp"
#include "text/hocon/node.hpp"
#include "value/seeded_hash.hpp"

namespace strata::text {

/// Replaces references by their targets.
///
/// A reference in a definition that overrides earlier ones of the same key only sees those (`path = ${path}":more"`).
/// The result of a node is kept while the same definitions are hidden, unless it depends on a reference that is being
/// resolved. Every step counts as `work` of the graph. Errors: `limit.steps` after Limits::steps, `limit.depth` for
/// nesting beyond Limits::depth.
class HoconResolver {
 public:
  HoconResolver(const Sources& sources, SourceId source, const Limits& limits, HoconGraph& graph, HoconNode* root,
                const HoconVariables& variables);

  /// The root without references. Errors: `hocon.substitution`, `hocon.syntax`, `limit.*`.
  HoconNode* resolve() { return resolve(root_); }

 private:
  /// Null for a missing node; `loop()` if resolving a reference leads back to it.
  HoconNode* resolve(HoconNode* node);
  HoconNode* resolve_anew(HoconNode* node);
  HoconNode* resolve_list(HoconNode* node);
  HoconNode* resolve_object(HoconNode* node);
  HoconNode* resolve_reference(HoconNode* node);
  HoconNode* resolve_concatenation(HoconNode* node);
  HoconNode* resolve_merge(HoconNode* node);

  // Each returns a node that needs no resolving, null or `loop()`; those for children also `hidden()`: the node is not
  // a mapping, so nothing below it is used.
  HoconNode* look_up(const HoconNode* reference);
  HoconNode* child(HoconNode* node, std::string_view key);
  HoconNode* child_of_merge(HoconNode* merge, std::string_view key);

  /// Calls `work` for the definition at `index` of a merge. If it is unresolved, the definitions up to it are hidden
  /// meanwhile.
  template <class Work>
  HoconNode* below(HoconNode* merge, std::size_t index, const Work& work);
  template <class Work>
  HoconNode* following(HoconNode* reference, const Work& work);

  HoconNode* loop() noexcept { return &loop_; }
  HoconNode* hidden() noexcept { return &hidden_; }
  HoconNode* variable(const HoconNode* reference);
  void check(const HoconNode* node) const;
  [[noreturn]] void fail(const HoconNode* reference, const char* how, const char* hint) const;
  [[noreturn]] void fail_nowhere(const HoconNode* reference) const;

  const Sources& sources_;
  SourceId source_;
  const Limits& limits_;
  HoconGraph& graph_;
  HoconNode* root_;
  const HoconVariables& variables_;
  HoconNode loop_;
  HoconNode hidden_;
  std::size_t depth_ = 0;
  std::unordered_map<const HoconNode*, std::size_t>
      following_;  ///< The references being resolved, with the number of those before.
  std::size_t lowest_ =
      static_cast<std::size_t>(-1);  ///< The earliest of them that was reached again since the last reset.
  std::unordered_map<const HoconNode*, TextViewMap<HoconNode*>>
      children_;  ///< For merges: the merges of their members.
  using Results = std::unordered_map<const HoconNode*, HoconNode*>;
  std::vector<Results> results_{1};  ///< Results of nodes for each set of hidden definitions, the current one last.
};

}  // namespace strata::text
