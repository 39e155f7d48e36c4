// SPDX-License-Identifier: Apache-2.0
// A project in one state of its files.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cli/terminal.hpp"
#include "cli/verb_question.hpp"
#include "options.hpp"
#include "results.hpp"
#include "strata/file_tree.hpp"
#include "strata/host.hpp"
#include "strata/question.hpp"
#include "strata/resident_fleet.hpp"
#include "strata/subject_pool.hpp"

namespace strata::c {

/// Results that were given before, by subject and query. Thread-safe.
class ResultCache {
 public:
  explicit ResultCache(std::size_t bytes) noexcept : most_(bytes / kShards) {}
  /// Null: there is none.
  [[nodiscard]] ResultHandle find(std::string_view subject, std::string_view query);
  void add(std::string_view subject, std::string_view query, strata_result& result);

 private:
  static constexpr std::size_t kShards = 16;
  struct Key {
    std::string subject;
    std::string query;
  };
  struct View {
    std::string_view subject;
    std::string_view query;
    std::size_t hash;
  };
  struct Entry {
    Key key;
    std::size_t hash;
    ResultHandle result;
    bool is_used = false;  ///< Since it was last looked whether it can go.
  };
  /// Entries in the order in which they came; what is used stays.
  struct alignas(64) Shard {
    std::mutex mutex;
    std::list<Entry> entries;
    std::unordered_multimap<std::size_t, std::list<Entry>::iterator> by_hash;
    std::size_t bytes = 0;
  };

  [[nodiscard]] static std::size_t hash_of(std::string_view subject, std::string_view query) noexcept;
  static void drop_oldest(Shard& shard);

  std::size_t most_;
  std::array<Shard, kShards> shards_;
};

/// Where a project stands.
struct Site {
  ProjectOptions options;
  std::shared_ptr<const FileTree> caller = {};  ///< Files of the caller. Null: the host's.
  cli::Ground ground = {};
  std::string folder = {};  ///< Absolute: paths of options count from here.
  std::shared_ptr<Executor> executor = {};
  std::shared_ptr<Engine> engine = {};
  Limits limits = {};
};

/// Immutable to its users; thread-safe. Each function is called on the ground of the site. `stop` ends its work.
class State {
 public:
  /// `site` must outlive the object. Errors: `workspace.…`, those of the question.
  explicit State(const Site& site);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[nodiscard]] const std::vector<std::string>& subjects(const Stop* stop);
  /// How deep values may nest in answers.
  [[nodiscard]] std::size_t depth() const noexcept;
  /// Errors: `subject.unknown`, the failure of the subject, those that end a run.
  [[nodiscard]] ResultHandle get(std::string_view subject, std::string_view query, const Stop* stop);
  [[nodiscard]] ResultHandle check(std::string_view options, const Stop* stop);
  [[nodiscard]] ResultHandle impact(std::string_view edits, const Stop* stop);
  [[nodiscard]] ResultHandle diff(std::string_view options, const Stop* stop);
  /// A result that was given before. Null: there is none.
  [[nodiscard]] ResultHandle kept(std::string_view subject, std::string_view query) {
    return cache_.find(subject, query);
  }

 private:
  /// A question in this state, with and without histories.
  struct Asking;
  /// Unsaved edits, one after the other.
  struct Edited;

  [[nodiscard]] std::unique_ptr<Asking> make_asking(const std::vector<std::string>& more, const Edits& inputs,
                                                    bool is_cleartext);
  [[nodiscard]] Asking& asking(bool is_cleartext);
  [[nodiscard]] std::shared_ptr<Asking> asking_of_node(const std::string& list, bool is_cleartext);
  [[nodiscard]] cli::QuestionChoice choice(const std::vector<std::string>& more) const;
  [[nodiscard]] analysis::StudySettings study_settings(const Stop* stop) const;
  [[nodiscard]] ResultHandle impact_result(const analysis::ImpactReport& report,
                                           const std::vector<std::string>& unread) const;
  [[nodiscard]] Edits absolute(const Edits& edits) const;

  const Site& site_;
  std::shared_ptr<const FileTree> files_;              ///< With what the options say.
  std::unique_ptr<const workspace::Project> project_;  ///< Null: of words.
  std::unique_ptr<Host> host_;
  ResultCache cache_;

  std::mutex mutex_;               ///< Of all below, while they are made.
  std::unique_ptr<Asking> plain_;  ///< Always there.
  std::unique_ptr<Asking> cleartext_;
  std::list<std::pair<std::string, std::shared_ptr<Asking>>>
      nodes_;  ///< Of nodes that are not of the fleet, last used first.

  std::timed_mutex edited_mutex_;
  std::unique_ptr<Edited> edited_;
};

}  // namespace strata::c
