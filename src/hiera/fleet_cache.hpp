// What the nodes that one thread looks up have in common.
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

/// Numbers for names, with what their results are written under.
class KeyTable {
 public:
  using Id = std::uint32_t;
  struct Name {
    std::string text;
    std::string json;  ///< As a member's name: `"text": `.
  };

  Id intern(std::string_view text);
  [[nodiscard]] const Name& operator[](Id id) const { return names_[id]; }
  [[nodiscard]] Id size() const noexcept { return static_cast<Id>(names_.size()); }
  /// Forgets the names from `size` on.
  void shrink(Id size);

 private:
  std::deque<Name> names_;
  TextViewMap<Id> ids_;
};

/// Results by everything that they follow from: the options in force, the name, and each file that holds the name with its place in the hierarchies.
/// Two lookups for which all of that is equal, and whose values hold no expressions, have one result. The sequence of these steps leads to a state;
/// states are the nodes of a tree, and a step from a state leads to the same one every time.
class ResultTree {
 public:
  using State = std::uint32_t;
  using Step = std::uint32_t;
  static constexpr State kRoot = 0;

  /// What a state stands for, once somebody has worked it out.
  struct Result {
    Value value;
    Value text;                                           ///< The value as it is written; absent: not known.
    std::shared_ptr<const std::vector<Diagnostic>> told;  ///< What the lookup warned of; null for nothing.
  };

  ResultTree() { clear(); }
  [[nodiscard]] State next(State from, Step step);
  [[nodiscard]] Result& operator[](State state) { return results_[state]; }
  /// Keeps a text as long as the tree.
  [[nodiscard]] Value keep(std::string_view text) { return arena_->text(text); }
  void keep(std::shared_ptr<const void> owner) { owners_.push_back(std::move(owner)); }
  /// Whether it takes more memory than sharing is worth.
  [[nodiscard]] bool is_full() const noexcept;
  void clear();

 private:
  struct Slot {
    std::uint64_t from_and_step = 0;
    State to = kRoot;  ///< Nothing leads to the root: the slot is free.
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
    ResultTree::State first = ResultTree::kRoot;  ///< Where a name leads that this file is the first to hold, under the options `first_options`.
  };
  ResultTree::Step step = 0;
  std::vector<Key> keys;
  ResultTree::State first_options = ResultTree::kRoot;
  bool has_options = false;
  bool options_are_plain = true;
};

/// All of it. Not thread-safe: each thread has its own, so that lookups never lock.
class FleetCache {
 public:
  KeyTable keys;
  ResultTree results;
  std::unordered_map<ResultTree::State, SharedOptions> options;

  /// `searched` must be of a shared file.
  SharedFile& file(const SearchedSource& searched, const DataFile& file);
  /// Drops everything where it has become too large. Names and states are new ones afterwards.
  void trim();

 private:
  std::map<std::pair<const DataFile*, std::uint64_t>, SharedFile> files_;
};

}  // namespace strata::hiera
