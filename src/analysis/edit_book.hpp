// SPDX-License-Identifier: Apache-2.0
// What differs in the files of two states, as far as somebody asks.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/analysis.hpp"
#include "strata/study.hpp"

namespace strata::analysis {

/// Where edits of files, which are absolute paths, were made: where symbolic links lead. `after`: the state with the
/// edits.
[[nodiscard]] std::set<std::string> places_of(const std::set<std::string>& edited, const State& after);

/// The edits between two states, found file by file. Numbers are given in the order of finding. Any number of threads
/// may use it, but for `listed` and `unread`, which come last.
class EditBook {
 public:
  using Numbers = std::vector<std::size_t>;

  /// Names below `folder` are shown relative to it.
  EditBook(State before, State after, std::string folder, Comparison how, EditedFiles files);

  /// The edits of files that were read, in order. Those of inputs count as read by all.
  [[nodiscard]] Numbers read(const Reads& before, const Reads& after);
  /// The files that were read and differ.
  [[nodiscard]] std::vector<std::string> changed(const Reads& reads);
  /// Whether those who read so get the same in both states: the same files, kinds and names in folders.
  [[nodiscard]] bool is_same_for(const Reads& reads);
  /// Whether no file and no folder that was asked for comes or goes, edited files aside where these are given.
  [[nodiscard]] bool has_same_kinds(const Reads& reads);
  /// What decides all of this: of those who asked for the same of what can differ, it is the same. No value: all that
  /// they read does.
  [[nodiscard]] std::optional<std::vector<bool>> asked_of(const Reads& reads) const;
  /// Whether an input of the host differs.
  [[nodiscard]] bool inputs_differ();

  /// The file of an edit, as an absolute path.
  [[nodiscard]] const std::string& path(std::size_t number);
  /// Where a path leads.
  [[nodiscard]] std::string place(const std::string& path) const;
  /// `after` without these edits of one file, or `before` with them.
  [[nodiscard]] State undone(const Numbers& numbers) { return patched(after_, before_, numbers, true); }
  [[nodiscard]] State done(const Numbers& numbers) { return patched(before_, after_, numbers, false); }

  /// The edits that were read, by file and line, and the place of each number among them.
  struct Listed {
    std::vector<Edit> edits;
    std::map<std::size_t, std::size_t> places;
  };
  [[nodiscard]] Listed listed() const;
  /// Files that can differ, do, and were not read. Shown names.
  [[nodiscard]] std::vector<std::string> unread();

 private:
  struct Known {
    std::string path;
    Edit edit;
    bool is_read = false;
  };
  [[nodiscard]] std::vector<std::string> changed_in(const Reads& reads);
  [[nodiscard]] bool are_kinds_same(const Reads& reads);
  [[nodiscard]] const Numbers& of_file(const std::string& path, bool is_input);
  void add_read(const Reads& reads, bool is_input, Numbers& out);
  [[nodiscard]] const Numbers& of_inputs();
  /// Calls `use` with each file that was read and can differ.
  template <class Use>
  void for_each_candidate(const Reads& reads, bool is_input, const Use& use);
  /// The files of a folder in either state.
  [[nodiscard]] const std::vector<std::string>& files_of(const std::string& folder, bool is_input);
  [[nodiscard]] bool kind_differs(const std::string& path);
  [[nodiscard]] bool names_differ(const std::string& folder);
  [[nodiscard]] State patched(const State& state, const State& other, const Numbers& numbers, bool is_undone);
  [[nodiscard]] std::string shown(const std::string& path) const;

  State before_;
  State after_;
  std::string folder_;
  Comparison how_;
  EditedFiles files_;
  std::set<std::string> around_;  ///< Those files, and the folders around them.
  std::mutex mutex_;              ///< Of what is found out.
  std::deque<Known> edits_;       ///< What was found stays where it is.
  Numbers of_inputs_;
  std::pair<std::size_t, std::size_t> inputs_known_;  ///< How many reads `of_inputs_` was found with.
  std::map<std::pair<std::string, bool>, Numbers> by_file_;
  // What many subjects read is looked at once.
  std::map<std::pair<std::string, bool>, std::vector<std::string>> by_folder_;
  std::map<std::string, bool> kinds_differ_;
  std::map<std::string, bool> names_differ_;
};

}  // namespace strata::analysis
