// The documents of one request.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "heat/name_set.hpp"
#include "strata/session.hpp"
#include "strata/text.hpp"
#include "value/problems.hpp"

namespace strata::heat {

/// Holds what one request reads and makes in one arena of its Session, and counts the nodes of its documents together, for Limits::result.
class Documents {
 public:
  /// `session` must outlive this.
  explicit Documents(Session& session) : session_(session), arena_(session.new_arena()) {}

  [[nodiscard]] Session& session() const noexcept { return session_; }
  [[nodiscard]] Arena& arena() const noexcept { return *arena_; }
  [[nodiscard]] const std::shared_ptr<Arena>& shared_arena() const noexcept { return arena_; }
  /// For documents of which many are read: their nodes are in the arena.
  [[nodiscard]] text::DocumentPool& pool() noexcept { return pool_; }
  /// Counts nodes. Error `limit.result`.
  void count(std::size_t more);
  [[nodiscard]] std::size_t nodes() const noexcept { return nodes_; }

  /// Does a piece of work; what is wrong with it is kept until `raise`, so that all that is wrong is told together. False where something was.
  /// Limits are not kept: they end the request.
  template <class Action>
  bool guard(Action&& action) {
    try {
      std::forward<Action>(action)();
      return true;
    } catch (const Error& error) {
      if (error.gives_up()) throw;
      problems_.add(error);
      return false;
    }
  }
  /// Throws what `guard` kept: the one Error, or several Errors.
  void raise() const {
    if (problems_.all().size() == 1) throw Error(problems_.all().front());
    problems_.raise();
  }

 private:
  Session& session_;
  std::shared_ptr<Arena> arena_;
  text::DocumentPool pool_{arena_};
  std::size_t nodes_ = 0;  ///< So far, aliases written out.
  Problems problems_;
};

/// Warns of a place. The line that stands there is not shown: it may hold what is hidden.
void warn(Session& session, std::string code, std::string message, Origin where, std::string hint = {});

/// Warns of keys that stood in their mapping before: `heat.repeated-key`.
void warn_of_repeated_keys(Session& session, std::span<const Origin> keys);

}  // namespace strata::heat
