// `parameters` or `parameter_defaults`, while files are combined.
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

/// The layers of one file: what it joins to earlier values has layers of its own, which say how.
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

/// What one file brings to a section.
struct Contribution {
  Value section;  ///< A mapping.
  FileLayers& layers;
  std::string_view file;
  const StrategySection& strategies;
  const NameSet& cleared;  ///< Names that are taken for not there.
};

/// The values of one section. What folds into a value extends it in place, so that n files cost what they hold.
class ParameterSection {
 public:
  /// `which`: 0 or 1, which of a name's positions are those of this section.
  /// `home`: where combined values are made.
  ParameterSection(Documents& documents, Arena& home, Names& names, std::size_t which, std::string_view title);

  /// Sets a value, whatever was there.
  void set(const Value& name, const merge::Traced& value);
  /// Combines a file's section: adopted whole while there is nothing, else name by name. Rule: docs/heat/compose.md, "Which names count".
  /// Error `heat.strategies`. Kept by Documents::guard: `heat.strategy-conflict`, `heat.merge` where two values do not go together, `heat.json-text`.
  void add(const Contribution& file);

  /// Puts `copy` of each value, which lies in `home`, in its place.
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
  std::vector<Dropped> dropped_;  ///< Only with a history.
  std::vector<Name*> found_;      ///< Of the file at hand, by entry; null where it does not count at all.
};

}  // namespace strata::heat
