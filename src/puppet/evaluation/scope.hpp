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

/// Variables that nobody assigned in the program: facts, bound variables. Asked once a name is not found in the scopes.
class Variables {
 public:
  virtual ~Variables() = default;
  /// The value of `name` (without `$` and a leading `::`); absent where there is none.
  [[nodiscard]] virtual Value find(std::string_view name, Evaluator& evaluator) = 0;
  /// Names, for near names in errors.
  [[nodiscard]] virtual std::vector<std::string> names() const { return {}; }
};

/// Variables in a frame over those of another one. Blocks of `if`, `case` and `unless` share the frame, lambdas have their own. Names are not copied:
/// their texts must outlive the scope. Cost: `find` and `assign` O(1) a frame.
class Scope {
 public:
  struct Slot {
    std::string_view name;
    Value value;
    Origin assigned;
  };

  /// `outer` may be null; it must outlive this one. `others`: asked where no frame knows a name; may be null.
  explicit Scope(const Scope* outer, Variables* others = nullptr) noexcept
      : outer_(outer), others_(others != nullptr || outer == nullptr ? others : outer->others_) {}
  ~Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// Null pointer where neither this frame nor an outer one has it.
  [[nodiscard]] const Value* find(std::string_view name) const noexcept;
  /// Null pointer where this frame does not have it.
  [[nodiscard]] const Slot* find_here(std::string_view name) const noexcept;
  /// False where this frame has it already.
  bool assign(std::string_view name, const Value& value, Origin origin);
  /// Gives the variable at `index` of this frame another value: parameters, before their lambda is evaluated. The absent value: not to be read yet.
  void set(std::size_t index, const Value& value) noexcept { (index < kInline ? near_[index] : far_[index - kInline]).value = value; }
  /// Where it was assigned in this frame.
  [[nodiscard]] Origin assigned_at(std::string_view name) const noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The variables of this frame, in the order of their assignments. `index` is below `size()`.
  [[nodiscard]] const Slot& at(std::size_t index) const noexcept { return index < kInline ? near_[index] : far_[index - kInline]; }

  [[nodiscard]] const Scope* outer() const noexcept { return outer_; }
  [[nodiscard]] const Scope& top() const noexcept;
  /// Of this frame, or the nearest outer one that has such.
  [[nodiscard]] Variables* others() const noexcept { return others_; }

  /// `$0`, `$1`, …: a sequence; absent where nothing matched yet.
  [[nodiscard]] Value groups() const noexcept;
  /// Those of this frame alone, to put them back behind a branch.
  [[nodiscard]] const Value& own_groups() const noexcept { return groups_; }
  void set_groups(const Value& groups) noexcept { groups_ = groups; }

 private:
  static constexpr std::size_t kInline = 4;    ///< Most lambdas have no more.
  static constexpr std::size_t kIndexed = 16;  ///< From so many on there is an index.
  /// A slot of the index.
  struct Place {
    std::uint32_t number = 0;  ///< Position + 1; 0: free.
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
  std::vector<Place> index_;  ///< Open addressing. Empty: not yet.
};

}  // namespace strata::puppet
