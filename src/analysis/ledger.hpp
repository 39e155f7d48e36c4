// What the files of a question state, and what becomes of it.
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
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/trial.hpp"
#include "edit/target.hpp"
#include "strata/merge.hpp"
#include "strata/question.hpp"
#include "value/seeded_hash.hpp"

namespace strata::analysis {

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
  bool is_below_list = false;    ///< A list stands between it and its root.
  bool is_merged = false;        ///< It comes from a merge key, or overrides a member of one: it is no text of its own.
  bool is_needed = false;        ///< Without it some result differs, as the histories show.
  bool is_visible = false;       ///< Some leaf of it has won, or was merged, in some result.
  bool is_hidden = false;        ///< Its key is part of a secret.
  std::uint32_t hides_from = 0;  ///< The line of its key, if secrets that do not count stand between it and the value.

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
  bool has_own_breaks = false;  ///< Lines end in other ways, too, than those of reports do.
  std::vector<std::uint32_t> statements = {};
  std::deque<LeafRecord> leaves = {};  ///< In the order of the file.
  std::size_t readers = 0;
  std::size_t first_reader = 0;                          ///< Of those with a result, from 1. 0: there is none.
  bool has_failed = false;                               ///< Some subject that reads it has no result.
  std::set<std::string, std::less<>> failed_items = {};  ///< For which some subject that reads it has no value.
  std::string first_name = {};
  std::set<std::size_t> secret_lines = {};    ///< That show secrets; from 1.
  std::vector<std::uint32_t> read_with = {};  ///< Files that some subject reads, too; rising.

  /// A leaf by line and column, as Position has them.
  std::unordered_map<std::uint64_t, LeafRecord*> places = {};
  std::unordered_map<std::uint64_t, std::uint32_t> aliases = {};  ///< Statements whose value is an alias, by its line and column, as Place has them.
  std::unordered_map<std::uint64_t, std::uint32_t> keys = {};  ///< Statements by their keys' lines and columns, as `places`; made when it is needed.
  std::set<std::size_t> begins = {};                           ///< Lines in which statements or leaves begin, from 1; made when it is needed.
};

/// How the parts of a root key count, for any of the subjects that read the file.
struct PartsOf {
  Merging::Parts parts = Merging::Parts::none;
  bool joins_items = false;
  std::set<std::string, std::less<>> prefixes = {};  ///< Of knockouts.
};

/// What subjects that read the same files have in common.
struct ReadingClass {
  std::vector<std::uint32_t> files = {};                  ///< The strongest first.
  std::map<std::string, Merging, std::less<>> keys = {};  ///< How root keys with containers are merged; of Results::keys.
};

/// One pass over all subjects, with histories.
class Ledger {
 public:
  Ledger(State state, Results results, std::string folder, Limits limits);

  /// `number`: of the subject, from 1. What it has in common with others, and whether it is the first one of them. `alike`: Subject::alike.
  std::pair<const ReadingClass&, bool> add(Subject& subject, const Subject::Answer& answer, std::size_t number, std::optional<std::uint64_t> alike);
  /// Adds a subject without asking it, if its answer is known to be one that was added before. Null: it is not.
  const ReadingClass* add_again(std::optional<std::uint64_t> alike);
  /// A subject that is asked, because no answer is known to be its own. `number`: as in `add`.
  void add_first(std::size_t number, std::optional<std::uint64_t> alike);
  /// A subject without a result: it reads files, too. Of which of them it makes use, nobody knows. `lists`: with those that it would read if nothing
  /// were broken, so that they can be shown.
  void add_failed(Subject& subject, const Subject::Answer& answer, bool lists);
  /// After the last subject.
  void finish();
  /// Takes the first ones of so many subjects once more, for `firsts`.
  void find_firsts(const Question& question, std::size_t subjects);

  [[nodiscard]] const std::vector<std::unique_ptr<FileRecord>>& files() const noexcept { return files_; }
  [[nodiscard]] const std::vector<Statement>& statements() const noexcept { return statements_; }
  /// In the order of their first subjects.
  [[nodiscard]] const std::deque<ReadingClass>& classes() const noexcept { return classes_; }
  /// The files below the folders of subjects, with the extensions of data files, that no subject has read: absolute paths, by bytes.
  [[nodiscard]] std::vector<std::string> unread() const;
  /// Some subjects, in order, of which one gives the same answers as any other subject, also where statements are missing. Empty: not known, or
  /// nearly all are such.
  [[nodiscard]] const std::vector<First>& firsts() const noexcept { return firsts_; }
  /// A path as it is shown.
  [[nodiscard]] std::string shown(const std::string& path) const;
  /// Whether a check looks at a statement: it is one by the rules of its dialect.
  [[nodiscard]] bool is_looked_at(const Statement& statement) const;
  /// Whether it is one, or stands in one.
  [[nodiscard]] bool is_within(const Statement& statement) const;
  /// Whether something fails that it may be for: nobody knows what it is worth then.
  [[nodiscard]] bool is_doubtful(const Statement& statement) const;
  /// Whether a file, by its name as it is shown, is stronger than another one for those that read both. Where nobody knows, it is.
  [[nodiscard]] bool is_stronger(std::string_view name, std::uint32_t file) const;
  /// How the parts of its root key count. Null: it has no containers.
  [[nodiscard]] const PartsOf* parts_of(const Statement& statement) const;
  /// Whether it is a member at the root of what results have items of: a key.
  [[nodiscard]] bool is_root(const Statement& statement) const;
  /// Whether it is a leaf that some result marks as secret.
  [[nodiscard]] bool is_secret(std::uint32_t statement) const;
  /// Where a statement stands in its file, but not below what is secret as a whole: the names in it are part of the secret.
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

 private:
  /// An answer that several subjects give.
  struct Repeated {
    ReadingClass* read = nullptr;  ///< Null: one subject has given it so far.
    std::size_t begin = 0;         ///< In `fates_`.
    std::size_t end = 0;
    std::uint32_t more = 0;  ///< Subjects that are not counted yet.
  };
  void forget_repeated();
  /// Its class, and whether that is new.
  std::pair<ReadingClass*, bool> class_of(Subject& subject, const Subject::Answer& answer);
  void begin(ReadingClass& made, SubjectFiles& of_subject);
  std::uint32_t file_of(const ConfigurationFile& file);
  void list(FileRecord& file, std::uint32_t number);
  void list_below(std::uint32_t file, std::uint32_t document, const Value& value, std::uint32_t parent, std::vector<std::string>& tokens,
                  bool is_below_list);
  void find_files(const std::string& folder, std::size_t depth, std::vector<std::string>& out) const;
  void add_history(const Subject::Answer& answer, std::size_t number);
  void note_failed(const Subject::Answer& answer, const ReadingClass& read);
  void hide(LeafRecord& leaf);
  void hide_lines(FileRecord& file, std::size_t line, std::size_t offset);
  void hide_key(const Sources& sources, const Value& key);
  void count(const Sources& sources, const Item& item, const merge::PathHistory& path, std::size_t number);
  void count_below(const Sources& sources, const Value& container, merge::Fate fate, bool is_secret, std::size_t number);
  void tally(LeafRecord& leaf, merge::Fate of_leaf, std::size_t number);
  void tally(LeafRecord& leaf, std::size_t what, std::size_t number);
  [[nodiscard]] bool may_need(const Statement& statement, const Item& item, const Value& value) const;
  FileRecord* file_at(const Sources& sources, const Position& position);
  LeafRecord* leaf_at(const Sources& sources, Origin origin);
  void show(std::uint32_t statement);
  void add_parts(SubjectFiles& of_subject, ReadingClass& known);
  [[nodiscard]] bool is_in_joined_list(std::uint32_t statement) const;
  void need(std::uint32_t statement);

  State state_;
  Results results_;
  std::string folder_;
  Limits limits_;
  std::vector<std::unique_ptr<FileRecord>> files_;
  TextMap<std::uint32_t> by_path_;
  std::set<std::string> folders_;
  std::set<std::string> read_by_failed_;                                                ///< Also what does not exist.
  std::map<std::shared_ptr<const Reads>, std::vector<std::uint32_t>> files_of_failed_;  ///< By what they read.
  std::vector<Statement> statements_;
  std::map<std::pair<std::uint32_t, std::string>, PartsOf> parts_;  ///< By file and root key.
  std::deque<ReadingClass> classes_;
  std::map<std::shared_ptr<const Reads>, ReadingClass*> by_reads_;
  std::map<std::pair<std::size_t, std::vector<std::uint32_t>>, ReadingClass*> by_files_;  ///< By the files that are there, and what leads to some.
  std::unordered_map<std::uint32_t, FileRecord*> of_source_;                              ///< For one subject.
  std::unordered_map<std::uint64_t, Repeated> repeated_;                                  ///< By Subject::alike.
  std::vector<std::uintptr_t> fates_;              ///< What happened to which leaves: addresses with fates in their last bits.
  bool keeps_fates_ = false;                       ///< Of the subject that is being added.
  std::vector<First> firsts_;                      ///< First without their members.
  std::unordered_set<std::uint64_t> have_firsts_;  ///< As Subject::alike.
  bool keeps_firsts_ = true;
};

}  // namespace strata::analysis
