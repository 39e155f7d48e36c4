// SPDX-License-Identifier: Apache-2.0
// Which statements the values of an injector come from.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "bindings/injector/production.hpp"
#include "bindings/queries/service.hpp"
#include "strata/bindings.hpp"
#include "strata/traced.hpp"

namespace strata::bindings {

/// Records values in a history, with the statement behind each of its layers. Without a history, values have no slots
/// and nothing is kept.
class Provenance {
 public:
  Provenance(merge::Recorder& recorder, const Composition& composition, const queries::Answers& answers)
      : recorder_(recorder), composition_(composition), answers_(answers) {
    // What no multibind says otherwise of.
    if (recorder_.keeps()) recorder_.follow(merge::Rule{.text = "bind", .option = {}});
  }

  /// Makes values with their histories.
  [[nodiscard]] merge::Builder builder(Arena& arena) const noexcept { return {arena, recorder_}; }
  [[nodiscard]] bool is_kept() const noexcept { return recorder_.keeps(); }
  [[nodiscard]] merge::Recorder& recorder() const noexcept { return recorder_; }
  /// The number of layers so far.
  [[nodiscard]] merge::LayerId layers() const noexcept { return recorder_.layers(); }

  /// A value given by a statement, made from `inputs`.
  [[nodiscard]] merge::Traced record(const Value& value, const StatementReport& told,
                                     std::span<const merge::Traced> inputs = {});
  [[nodiscard]] merge::Traced record(const Production& work, const Value& value, std::span<const merge::Traced> inputs);
  /// A container with the histories of its members.
  [[nodiscard]] merge::Traced compose(const Value& container, std::span<const merge::Traced> members) {
    return recorder_.compose(container, members);
  }
  /// A value that was computed from others.
  [[nodiscard]] merge::Traced derive(const Value& value, std::span<const merge::Traced> inputs) {
    return recorder_.derive(value, inputs);
  }
  /// A value that lost to another one, in whose history it appears.
  [[nodiscard]] merge::Traced chosen(const merge::Traced& taken, const merge::Traced& other) {
    return recorder_.choose(taken, other);
  }
  /// A value computed by any means: each of its leaves came from all of `inputs`. Recursion: bounded by Limits::depth.
  [[nodiscard]] merge::Traced made_of(const Value& value, const merge::Traced& inputs, merge::LayerId own);

  /// The statement behind a layer. Null if the layer is not a statement.
  [[nodiscard]] const StatementReport* told(merge::LayerId layer) const noexcept;
  [[nodiscard]] StatementReport* told(merge::LayerId layer) noexcept;
  /// Layers from `first` on were added elsewhere; `told` describes them, with their own names as `via`.
  void adopt(merge::LayerId first, const StatementReport& told);

  /// Records a value that the running production uses as one of its inputs.
  [[nodiscard]] Value used(const merge::Traced& value);
  /// Collects the values used while it exists.
  class Inputs {
   public:
    explicit Inputs(Provenance& owner) : owner_(owner) { owner_.inputs_.push_back(&used_); }
    ~Inputs() { owner_.inputs_.pop_back(); }
    Inputs(const Inputs&) = delete;
    Inputs& operator=(const Inputs&) = delete;
    [[nodiscard]] std::span<const merge::Traced> used() const noexcept { return used_; }

   private:
    Provenance& owner_;
    std::vector<merge::Traced> used_;
  };

 private:
  merge::Recorder& recorder_;
  const Composition& composition_;
  const queries::Answers& answers_;
  std::vector<std::vector<merge::Traced>*> inputs_;
  std::unordered_map<merge::LayerId, StatementReport> told_;
};

}  // namespace strata::bindings
