// SPDX-License-Identifier: Apache-2.0
// What the files of a question state, and what in them is secret.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "edit/target.hpp"
#include "strata/question.hpp"
#include "value/seeded_hash.hpp"

namespace strata::analysis {

class SecretTexts;

/// A member of a mapping or an item of a list, in a file.
struct Statement {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t file = 0;
  std::uint32_t document = 0;
  std::uint32_t parent = kNone;  ///< The statement around it.
  std::vector<std::string> tokens = {};
  Value place;  ///< Its key, or the item.
  Value value;
  bool is_item = false;
  bool is_below_list = false;  ///< A list stands between it and its root.
  bool is_merged = false;      ///< It comes from a merge key, or overrides a member of one: it has no text of its own.
  bool is_needed = false;      ///< Without it some result differs, as the histories show.
  bool is_visible = false;     ///< Some leaf of it has won, or was merged, in some result.
  bool is_hidden = false;      ///< Its key is part of a secret.

  [[nodiscard]] std::string pointer() const;
};

/// A scalar or an empty container of a file, and in how many subjects something happened to it.
struct LeafRecord {
  std::uint32_t statement = Statement::kNone;  ///< The innermost one around it.
  Value value;
  bool is_secret = false;                    ///< Some result marks it.
  static constexpr std::size_t kSeen = 4;    ///< After the fates: it has won or was merged.
  std::array<std::uint32_t, 5> counts = {};  ///< By merge::Fate, and kSeen.
  std::array<std::uint32_t, 5> last = {};    ///< The last subject that was counted, from 1.
};

/// A file that was read.
struct FileRecord {
  std::string path;  ///< Absolute.
  std::string name;  ///< As it is shown.
  edit::Form form;
  std::unique_ptr<edit::Reading> reading;  ///< Null: its text cannot be looked at.
  bool has_merge_keys = false;
  std::vector<std::uint32_t> statements = {};
  std::deque<LeafRecord> leaves = {};  ///< In the order of the file.
  std::size_t readers = 0;
  std::size_t first_reader = 0;                          ///< Of those with a result, from 1. 0: there is none.
  bool has_failed = false;                               ///< Some subject that reads it has no result.
  std::set<std::string, std::less<>> failed_items = {};  ///< For which some subject that reads it has no value.
  std::string first_name = {};
  std::vector<std::uint32_t> read_with = {};  ///< Files that some subject reads, too; rising.

  /// A leaf by line and column, as Position has them.
  std::unordered_map<std::uint64_t, LeafRecord*> places = {};
  std::unordered_map<std::uint64_t, std::uint32_t> aliases =
      {};  ///< Statements whose value is an alias, by its line and column, as Place has them.
  std::unordered_map<std::uint64_t, std::uint32_t> keys =
      {};  ///< Statements by their keys' lines and columns, as `places`; made when it is needed.
};

/// How the parts of a root key count, for any of the subjects that read the file.
struct PartsOf {
  Merging::Parts parts = Merging::Parts::none;
  bool joins_items = false;
  std::set<std::string, std::less<>> prefixes = {};  ///< Of knockouts.
};

/// The files that subjects read, with all that they state. The Ledger records what becomes of it.
class Statements {
 public:
  Statements(State state, const query::Traits& traits, std::string folder, Limits limits);
  ~Statements();

  [[nodiscard]] const State& state() const noexcept { return state_; }
  [[nodiscard]] const query::Traits& traits() const noexcept { return traits_; }
  /// The configuration of the state, without the files that it may not read.
  [[nodiscard]] const FileTree& tree() const noexcept { return *tree_; }
  [[nodiscard]] const std::vector<std::unique_ptr<FileRecord>>& files() const noexcept { return files_; }
  [[nodiscard]] const std::vector<Statement>& all() const noexcept { return all_; }
  [[nodiscard]] std::vector<Statement>& all() noexcept { return all_; }

  /// The number of a file among `files`, which it joins if it is new.
  std::uint32_t add(const ConfigurationFile& file);
  /// Some subject that reads the file merges a root key so.
  void add_merging(std::uint32_t file, const std::string& key, const Merging& merging);

  /// Sources of the next subject have other numbers.
  void begin_subject() { of_source_.clear(); }
  /// The leaf that stands where a value comes from. Null: none does.
  [[nodiscard]] LeafRecord* leaf_at(const Sources& sources, Origin origin);
  /// The statement of the leaf's file whose value is the alias at `origin`. No value: none is.
  [[nodiscard]] std::optional<std::uint32_t> alias_at(const LeafRecord& leaf, const Sources& sources,
                                                      Origin origin) const;

  /// A result marks a leaf, or the member with a key, as secret.
  static void hide(LeafRecord& leaf) { leaf.is_secret = true; }
  void hide_key(const Sources& sources, const Value& key);
  /// The text of a file, with `******` for what is secret in it; as all of it where that is not known. For all subjects
  /// that were added. `hides_doubtful`: also data of Deckhand's documents of which no result tells what became of them.
  /// Errors: those that end a request.
  [[nodiscard]] std::string shown_text(const FileRecord& file, bool hides_doubtful = false) const;
  /// The lines of a file that hold secrets, from 1. Errors: as above.
  [[nodiscard]] std::set<std::size_t> secret_lines(const FileRecord& file) const;
  /// The same of all files with such lines, by absolute paths without links.
  [[nodiscard]] std::map<std::string, std::set<std::size_t>> secret_lines() const;

  /// A path as it is shown.
  [[nodiscard]] std::string shown(const std::string& path) const;
  /// The number of a file by its absolute path.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view path) const;
  /// The same by its name as it is shown.
  [[nodiscard]] std::optional<std::uint32_t> find_shown(std::string_view name) const;
  /// Whether a check looks at a statement: it is one by the rules of its dialect.
  [[nodiscard]] bool is_looked_at(const Statement& statement) const;
  /// Whether it is in a member that controls how others are merged.
  [[nodiscard]] bool is_setting(const Statement& statement) const;
  /// Whether its document wraps another one.
  [[nodiscard]] bool is_wrapped(const Statement& statement) const;
  /// Whether the list that it is written in holds the same item again.
  [[nodiscard]] bool repeats_in_list(const Statement& statement) const;
  /// Whether it is one, or is inside one.
  [[nodiscard]] bool is_within(const Statement& statement) const;
  /// How the parts of its root key count, where the dialect merges each key in its own way. Null: it has no containers.
  [[nodiscard]] const PartsOf* parts_of(const Statement& statement) const;
  /// Whether it is a member at the root of what results have items of: a key.
  [[nodiscard]] bool is_root(const Statement& statement) const;
  /// Whether it is a leaf that some result marks as secret.
  [[nodiscard]] bool is_secret(std::uint32_t statement) const;
  /// The place of a statement in its file, but not below what is secret as a whole: the names in it are part of the
  /// secret.
  [[nodiscard]] std::string shown_pointer(const Statement& statement) const;
  /// The name by which a member is merged.
  [[nodiscard]] std::string_view merged_name(const Statement& statement) const;
  /// Whether an item of a list takes others away, for any of the subjects that read it.
  [[nodiscard]] bool is_knockout(const Statement& statement) const;
  /// The item of results that a statement is about; where they have no items, the empty text.
  [[nodiscard]] std::string item_of(const Statement& statement) const;
  /// Where the value of a statement is in the item: a JSON Pointer.
  [[nodiscard]] std::string path_of(const Statement& statement) const;
  /// 'K' of messages.
  [[nodiscard]] static std::string name_of(const Statement& statement);
  /// Whether it is part of a member that is an item of its own, beside those of the first section.
  [[nodiscard]] bool is_in_further_section(const Statement& statement) const;
  /// Whether it is an item of a list that results join with others, or is inside one.
  [[nodiscard]] bool is_in_joined_list(std::uint32_t statement) const;

 private:
  void list(FileRecord& file, std::uint32_t number);
  void list_below(std::uint32_t file, std::uint32_t document, const Value& value, std::uint32_t parent,
                  std::vector<std::string>& tokens, bool is_below_list);
  FileRecord* file_at(const Sources& sources, const Position& position);
  [[nodiscard]] const SecretTexts& secret_texts() const;

  State state_;
  std::shared_ptr<const FileTree> tree_;
  const query::Traits& traits_;
  std::string folder_;
  Limits limits_;
  std::vector<std::unique_ptr<FileRecord>> files_;
  TextMap<std::uint32_t> by_path_;
  std::vector<Statement> all_;
  std::map<std::pair<std::uint32_t, std::string>, PartsOf> parts_;  ///< By file and root key.
  std::unordered_map<std::uint32_t, FileRecord*> of_source_;        ///< For one subject.
  mutable std::unique_ptr<const SecretTexts> secret_texts_;         ///< Made when it is needed, after the last file.
};

}  // namespace strata::analysis
