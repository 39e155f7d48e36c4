// SPDX-License-Identifier: Apache-2.0
#include "strata/settle.hpp"

#include <unordered_set>

#include "dry_run.hpp"
#include "kernel.hpp"
#include "pending.hpp"
#include "strata/stack.hpp"
#include "strata/traced.hpp"
#include "value/growable.hpp"

namespace strata::merge {
namespace {

using detail::Meeting;

/// One call of `settle`. `Policy` is NoRecording or Recording.
template <class Policy>
class Settling {
 public:
  Settling(const MergeInputs& inputs, Policy policy, const Resolve& resolve)
      : inputs_(inputs), policy_(policy), resolve_(resolve) {}

  /// What waits at this place. `is_last`: nothing is merged over it.
  // Recursion: as sides are nested, bounded by the stack (check_stack).
  Traced here(const Traced& value, bool is_last) {
    if (pending_of(value.value) == nullptr) return value;
    check_stack(inputs_.limits);
    // The earlier sides form a long chain.
    std::vector<Traced> chain;
    Traced first = value;
    for (const Pending* pending = pending_of(first.value); pending != nullptr; pending = pending_of(first.value)) {
      inputs_.stop.tick();
      chain.push_back(first);
      first = pending->old();
    }
    Kernel<Policy> kernel(inputs_, policy_, Growable::new_owner(inputs_.arena), nullptr);
    Traced now = resolved(first, false);
    for (auto one = chain.rbegin(); one != chain.rend(); ++one) {
      inputs_.stop.tick();
      const Pending& pending = *pending_of(one->value);
      now = met(kernel, pending, now, resolved(pending.incoming(), is_last && one + 1 == chain.rend()));
      now = placed(*one, now);
      // What came from a secret container is secret.
      if (now.value && one->value.is_secret()) now.value = now.value.with_secret();
    }
    return now;
  }

  /// What waits in a value.
  // Recursion: bounded by Limits::depth.
  Traced everywhere(const Traced& value, std::size_t depth) {
    inputs_.stop.tick();
    const Traced settled = here(value, true);
    if (!settled.value.is_container() || settled.value.size() == 0) return settled;
    if (depth >= inputs_.limits.depth) fail_depth(inputs_.limits, inputs_.recorder.sources(), {}, settled.value);
    check_stack(inputs_.limits);
    const void* const node = Growable::node(settled.value);
    // Aliases hold one container in many places.
    if (calm_.contains(node)) return settled;
    const Traced made = Builder(inputs_.arena, inputs_.recorder).transform(settled, [&](const Traced& member) {
      return everywhere(member, depth + 1);
    });
    if (Growable::node(made.value) == node) calm_.insert(node);
    return made;
  }

 private:
  Traced resolved(const Traced& side, bool is_last) {
    return here(pending_of(side.value) != nullptr ? side : resolve_(side, is_last), is_last);
  }

  Traced met(Kernel<Policy>& kernel, const Pending& pending, const Traced& old, const Traced& incoming) {
    if (!incoming.value) return old;
    if (old.value) return kernel.settle_two(pending.table(), old, incoming, pending.depth());
    // Removed by an earlier side: as a member that comes back.
    const Traced made = kernel.settle_two(pending.table(), {}, incoming, pending.depth());
    if constexpr (Policy::kKeeps) {
      if (made.value) return {made.value, policy_.meet(Meeting::took, old, made)};
      return {Value(), policy_.meet(Meeting::removed, old, incoming)};
    }
    return made;
  }

  /// The settled value with what met the waiting one where it is held.
  Traced placed([[maybe_unused]] const Traced& waiting, const Traced& settled) {
    Traced out = settled;
    if constexpr (Policy::kKeeps) {
      std::vector<const detail::MeetingNode*> around;
      const auto is_it = [&](const Traced& side) { return pending_of(side.value) == pending_of(waiting.value); };
      for (const detail::Node* node = waiting.slot.node(); node != nullptr && !node->is_container;) {
        const detail::MeetingNode& one = detail::meeting_of(*node);
        if (one.meeting != Meeting::took && one.meeting != Meeting::kept) break;
        const Traced& present = detail::present_side(one);
        if (!is_it(present)) break;
        around.push_back(&one);
        node = present.slot.node();
      }
      for (auto one = around.rbegin(); one != around.rend(); ++one) {
        const bool took = (*one)->meeting == Meeting::took;
        out.slot =
            took ? policy_.meet(Meeting::took, (*one)->old, out) : policy_.meet(Meeting::kept, out, (*one)->incoming);
      }
    }
    return out;
  }

  const MergeInputs& inputs_;
  [[no_unique_address]] Policy policy_;
  const Resolve& resolve_;
  std::unordered_set<const void*> calm_;  ///< Containers in which nothing waits.
};

}  // namespace

bool is_waiting(const Value& value) noexcept { return pending_of(value) != nullptr; }

Traced settle(const Traced& value, Reach reach, const Resolve& resolve, const Strategy& strategy, Arena& arena,
              const Limits& limits, Recorder& recorder, std::span<const Call> calls, std::vector<Notice>* notices,
              const StripPrefix* strip) {
  StopCheck stop(limits.stop);
  const MergeInputs inputs{arena, limits, recorder, strategy, calls, notices, strip, stop};
  const auto settled = [&](auto settling) {
    return reach == Reach::here ? settling.here(value, true) : settling.everywhere(value, 0);
  };
  if (!recorder.keeps()) return settled(Settling<NoRecording>(inputs, {}, resolve));
  return settled(Settling<Recording>(inputs, Recording(*recorder.history()), resolve));
}

}  // namespace strata::merge
