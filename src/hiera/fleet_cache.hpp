// SPDX-License-Identifier: Apache-2.0
// Results that the nodes of one thread share.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lookup_options.hpp"
#include "searched_sources.hpp"
#include "strata/error.hpp"
#include "value/seeded_hash.hpp"

namespace strata::hiera {

/// Numbers for names, with the JSON of each name.
class KeyTable {
 public:
  using Id = std::uint32_t;
  struct Name {
    std::string text;
    std::string json;  ///< As a member name: `"text": `.
  };

  Id intern(std::string_view text);
  [[nodiscard]] const Name& operator[](Id id) const { return names_[id]; }
  [[nodiscard]] Id size() const noexcept { return static_cast<Id>(names_.size()); }
  /// Removes the names from `size` on.
  void shrink(Id size);

 private:
  std::deque<Name> names_;
  TextViewMap<Id> ids_;
};

/// Results by everything that determines them: the options in force, the name, and each file that has the name with its
/// place in the hierarchies. Two lookups with equal determinants, whose values have no expressions, have the same
/// result. The sequence of these steps leads to a state. States form a tree: the same step from the same state always
/// leads to the same state.
class ResultTree {
 public:
  using State = std::uint32_t;
  using Step = std::uint32_t;
  static constexpr State kRoot = 0;

  /// The result of a state, once it is computed.
  struct Result {
    Value value;
    Value text;                                           ///< The value as written. Absent: not known.
    std::shared_ptr<const std::vector<Diagnostic>> told;  ///< Warnings of the lookup. Null: none.
  };

  ResultTree() { clear(); }
  [[nodiscard]] State next(State from, Step step);
  [[nodiscard]] Result& operator[](State state) { return results_[state]; }
  /// Keeps a text as long as the tree.
  [[nodiscard]] Value keep(std::string_view text) { return arena_->text(text); }
  void keep(std::shared_ptr<const void> owner) { owners_.push_back(std::move(owner)); }
  /// Whether it uses more memory than sharing is worth.
  [[nodiscard]] bool is_full() const noexcept;
  void clear();

 private:
  struct Slot {
    std::uint64_t from_and_step = 0;
    State to = kRoot;  ///< No step leads to the root: the slot is free.
  };
  void grow();
  [[nodiscard]] std::size_t slot_of(std::uint64_t from_and_step) const noexcept;

  std::vector<Slot> slots_;
  std::vector<Result> results_;
  std::unique_ptr<Arena> arena_;
  std::vector<std::shared_ptr<const void>> owners_;
};

/// The `lookup_options` of nodes that read them from the same files.
struct SharedOptions {
  std::map<std::string, std::shared_ptr<const LookupOptions>, std::less<>> options;
  std::map<std::string, std::shared_ptr<const LookupOptions>, std::less<>> default_options;
  std::shared_ptr<Arena> arena;
};

/// A shared file at one place of the hierarchies.
struct SharedFile {
  struct Key {
    KeyTable::Id id;
    bool is_plain;
    ResultTree::State first = ResultTree::kRoot;  ///< The state of a name that this file is the first to have, with the
                                                  ///< options `first_options`.
  };
  ResultTree::Step step = 0;
  std::vector<Key> keys;
  ResultTree::State first_options = ResultTree::kRoot;
  bool has_options = false;
  bool options_are_plain = true;
};

/// All caches. Not thread-safe: each thread has its own, so lookups never lock.
class FleetCache {
 public:
  KeyTable keys;
  ResultTree results;
  std::unordered_map<ResultTree::State, SharedOptions> options;

  /// `searched` must be for a shared file.
  SharedFile& file(const SearchedSource& searched, const DataFile& file);
  /// Drops everything if it has become too large. Names and states are then new.
  void trim();

 private:
  std::map<std::pair<const DataFile*, std::uint64_t>, SharedFile> files_;
};

}  // namespace strata::hiera
