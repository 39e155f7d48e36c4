// A mapping that is put together entry by entry, with the history of each.
#pragma once

#include <optional>
#include <vector>

#include "heat/context.hpp"

namespace strata::heat {

/// Entries keep their first place until they are removed. Each operation is O(1), `finish` is linear.
class MappingBuilder {
 public:
  MappingBuilder(const Context& context, std::size_t expected = 0);

  /// A copy of the entries of a mapping.
  void start(const merge::Traced& mapping);
  /// Replaces what is there, whose history goes with it, or adds an entry.
  void put(const Value& key, const merge::Traced& value);
  [[nodiscard]] std::optional<merge::Traced> at(const Value& key) const;
  /// Removes what is there, or notes that what would come is not taken: `by` is what did so.
  void remove(const Value& key, const merge::Traced& by);
  /// Calls `use(key, value)` for every entry that is there.
  template <class Use>
  void each(const Use& use) const {
    for (const Member& member : members_) {
      if (member.value.value) use(member.key, member.value);
    }
  }

  [[nodiscard]] merge::Traced finish(Origin origin = {}) const;

 private:
  struct Member {
    Value key;
    merge::Traced value;  ///< Absent: it was removed.
  };
  struct Gone {
    Value key;
    merge::Traced what;
    merge::Traced by;
  };
  void note_gone(const Value& key, const merge::Traced& what, const merge::Traced& by);

  const Context& context_;
  std::vector<Member> members_;
  std::vector<Gone> gone_;  ///< Only with a history.
  Value index_;
  Value gone_index_;
};

}  // namespace strata::heat
