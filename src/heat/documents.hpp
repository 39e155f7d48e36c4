// SPDX-License-Identifier: Apache-2.0
// The documents of one request.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "heat/name_set.hpp"
#include "strata/session.hpp"
#include "strata/text.hpp"
#include "text/yaml/read_ahead.hpp"
#include "value/node_count.hpp"
#include "value/problems.hpp"

namespace strata::heat {

/// Holds everything that one request parses and makes in one arena of its Session. Counts the nodes of its documents
/// together, for Limits::result.
class Documents {
 public:
  /// `session` must outlive this object.
  explicit Documents(Session& session)
      : session_(session),
        arena_(session.new_arena()),
        ahead_(session.snapshot().engine().settings().executor, session.sources(), text::heat(), session.limits(),
               text::ReadAhead::Nodes::apart) {}

  [[nodiscard]] Session& session() const noexcept { return session_; }
  [[nodiscard]] Arena& arena() const noexcept { return *arena_; }
  [[nodiscard]] const std::shared_ptr<Arena>& shared_arena() const noexcept { return arena_; }
  /// For many documents: their nodes are in the arena.
  [[nodiscard]] text::DocumentPool& pool() noexcept { return pool_; }
  /// Environments that will be read in this order; some of them may not. Which of them are secret must be known.
  void expect(std::span<const SourceId> texts) { ahead_.expect(texts); }
  /// Parses an environment or a template. Its nodes are in `pool`, or in an arena of their own, which must outlive
  /// them.
  [[nodiscard]] text::Document read(SourceId source, text::DocumentPool& pool);
  /// Counts nodes. Error `limit.result`.
  void count(std::size_t more) { nodes_.add(more); }
  [[nodiscard]] std::size_t nodes() const noexcept { return nodes_.total(); }

  /// Runs a piece of work. Its errors are kept until `raise`, so that all errors are reported together. False if there
  /// was one. Limits are not kept: they end the request.
  template <class Action>
  bool collect(Action&& action) {
    try {
      std::forward<Action>(action)();
      return true;
    } catch (const Error& error) {
      if (error.gives_up()) throw;
      problems_.add(error);
      return false;
    }
  }
  /// Throws what `collect` kept: a single Error, or Errors.
  void raise() const {
    if (problems_.all().size() == 1) throw Error(problems_.all().front());
    problems_.raise();
  }

 private:
  Session& session_;
  std::shared_ptr<Arena> arena_;
  text::DocumentPool pool_{arena_};
  text::ReadAhead ahead_;
  NodeCount nodes_{session_.limits(), "environments"};
  Problems problems_;
};

/// Warns about a place. Does not show its source line, which may contain hidden text.
void warn(Session& session, std::string code, std::string message, Origin where, std::string hint = {});

/// Warns about duplicate keys: `heat.repeated-key`.
void warn_of_repeated_keys(Session& session, std::span<const text::RepeatedKey> keys);

}  // namespace strata::heat
