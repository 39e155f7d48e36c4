// SPDX-License-Identifier: Apache-2.0
// `parameters` or `parameter_defaults` while files are combined.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heat/documents.hpp"
#include "heat/names.hpp"

namespace strata::heat {

/// The layers of one file. Values that it merges into earlier ones have layers of their own, which say how.
class FileLayers {
 public:
  FileLayers(const Documents& documents, std::string file)
      : documents_(documents), file_(std::move(file)), plain_(documents.session().recorder().add_layer(file_)) {}
  [[nodiscard]] merge::Slot plain() const noexcept { return plain_; }
  [[nodiscard]] merge::Slot of(MergeStrategy kind);

 private:
  const Documents& documents_;
  std::string file_;
  merge::Slot plain_;
  std::array<std::optional<merge::Slot>, 2> joined_;  ///< merge, deep_merge.
};

/// The contribution of one file to a section.
struct Contribution {
  Value section;  ///< A mapping.
  FileLayers& layers;
  std::string_view file;
  const StrategySection& strategies;
  const NameSet& cleared;  ///< Names that count as missing.
};

/// The values of one section. Merging extends a value in place, so n files cost their contents.
class ParameterSection {
 public:
  /// `which`: 0 or 1, the index of this section in the positions of names.
  /// `home`: the arena of combined values.
  ParameterSection(Documents& documents, Arena& home, Names& names, std::size_t which, std::string_view title);

  /// Sets a value, replacing any earlier one.
  void set(const Value& name, const merge::Traced& value);
  /// Combines a file's section. The first section is taken whole, later ones name by name. Rule: docs/heat/compose.md,
  /// "Which names count". Error `heat.strategies`. Kept by Documents::guard: `heat.strategy-conflict`, `heat.merge` if
  /// two values cannot be merged, `heat.json-text`.
  void add(const Contribution& file);

  /// Replaces each value in `home` by `copy` of it.
  template <class Copy>
  void move(Arena& home, const Copy& copy) {
    home_ = &home;
    for (Member& member : members_) {
      const merge::Traced& value = member.value.current();
      member.value.move(home, {copy(value.value), value.slot});
    }
  }

  [[nodiscard]] bool is_empty() const noexcept { return members_.empty(); }
  /// Calls `use(key, value)` for each value, in order.
  template <class Use>
  void each(const Use& use) const {
    for (const Member& member : members_) use(member.key, member.value.current().value);
  }
  [[nodiscard]] merge::Traced finish() const;

 private:
  struct Member {
    Member(const Value& name, Arena& home, const Documents& documents)
        : key(name), value(home, documents.session().limits(), documents.session().recorder()) {}
    Value key;
    merge::Accumulator value;
  };
  struct Dropped {
    Value key;
    merge::Traced value;
  };

  Member& member(Name& name);
  void meet(Name& name, const merge::Traced& value, std::string_view file);
  void merge(Name& name, Member& known, const merge::Traced& value, std::string_view file);
  void drop(const Name& name, const Entry& entry, const Contribution& file);
  [[nodiscard]] merge::Traced without_dropped(const merge::Traced& section) const;

  Documents& documents_;
  Arena* home_;
  Names& names_;
  std::size_t which_;
  std::string_view title_;
  std::deque<Member> members_;
  std::vector<Dropped> dropped_;  ///< Only if a history is kept.
  std::vector<Name*> found_;      ///< For the current file, by entry. Null if the entry is ignored.
};

}  // namespace strata::heat
