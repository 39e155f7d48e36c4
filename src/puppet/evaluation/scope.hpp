// SPDX-License-Identifier: Apache-2.0
// Variables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "strata/value.hpp"

namespace strata::puppet {

class Evaluator;

/// Variables that nobody may assign, in no scope.
[[nodiscard]] inline bool is_reserved_variable(std::string_view name) noexcept {
  return name == "facts" || name == "trusted" || name == "server_facts";
}

/// Variables that the program did not assign: facts, bound variables. Consulted if a name is not in the scopes.
class Variables {
 public:
  virtual ~Variables() = default;
  /// The value of `name` (without `$` and a leading `::`). Absent if there is none.
  [[nodiscard]] virtual Value find(std::string_view name, Evaluator& evaluator) = 0;
  /// Names for suggestions in errors.
  [[nodiscard]] virtual std::vector<std::string> names() const { return {}; }
};

/// The variables of a frame, on top of an outer frame. Blocks of `if`, `case` and `unless` share the frame; lambdas
/// have their own. Names are not copied: their texts must outlive the scope. Cost: `find` and `assign` O(1) per frame.
class Scope {
 public:
  struct Slot {
    std::string_view name;
    Value value;
    Origin assigned;
  };

  /// `outer` may be null and must outlive this scope. `others`: consulted if no frame has a name; may be null.
  explicit Scope(const Scope* outer, Variables* others = nullptr) noexcept
      : outer_(outer), others_(others != nullptr || outer == nullptr ? others : outer->others_) {}
  ~Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// Null if neither this frame nor an outer one has it.
  [[nodiscard]] const Value* find(std::string_view name) const noexcept;
  /// Null if this frame does not have it.
  [[nodiscard]] const Slot* find_here(std::string_view name) const noexcept;
  /// False if this frame already has it.
  bool assign(std::string_view name, const Value& value, Origin origin);
  /// Replaces the value of the variable at `index` of this frame: for parameters before their lambda is evaluated.
  /// Absent: must not be read yet.
  void set(std::size_t index, const Value& value) noexcept {
    (index < kInline ? near_[index] : far_[index - kInline]).value = value;
  }
  /// Where it was assigned in this frame.
  [[nodiscard]] Origin assigned_at(std::string_view name) const noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The variables of this frame, in the order of assignment. `index` is less than `size()`.
  [[nodiscard]] const Slot& at(std::size_t index) const noexcept {
    return index < kInline ? near_[index] : far_[index - kInline];
  }

  [[nodiscard]] const Scope* outer() const noexcept { return outer_; }
  [[nodiscard]] const Scope& top() const noexcept;
  /// Of this frame, or of the nearest outer one that has groups.
  [[nodiscard]] Variables* others() const noexcept { return others_; }

  /// `$0`, `$1`, …: a sequence. Absent if nothing has matched yet.
  [[nodiscard]] Value groups() const noexcept;
  /// Of this frame only, to restore them after a branch.
  [[nodiscard]] const Value& own_groups() const noexcept { return groups_; }
  void set_groups(const Value& groups) noexcept { groups_ = groups; }

 private:
  static constexpr std::size_t kInline = 4;    ///< Enough for most lambdas.
  static constexpr std::size_t kIndexed = 16;  ///< The size from which on there is an index.
  /// A slot of the index.
  struct Place {
    std::uint32_t number = 0;  ///< Index + 1; 0: free.
    std::uint32_t hash = 0;
  };
  [[nodiscard]] std::size_t position(std::string_view name) const noexcept;
  [[nodiscard]] std::size_t position(std::string_view name, std::uint32_t hash) const noexcept;
  [[nodiscard]] std::size_t position_in_few(std::string_view name) const noexcept;
  void add_to_index(const Place& place) noexcept;
  void grow_index();

  const Scope* outer_;
  Variables* others_;
  Value groups_;
  std::size_t size_ = 0;
  std::array<Slot, kInline> near_;
  std::vector<Slot> far_;
  std::vector<Place> index_;  ///< Open addressing. Empty: not made yet.
};

}  // namespace strata::puppet
