// SPDX-License-Identifier: Apache-2.0
// A project in one state, and what was found out about it: each thing once, on request.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/explore/work.hpp"
#include "service/sites/askers.hpp"
#include "service/sites/residents.hpp"
#include "strata/check.hpp"
#include "strata/coverage.hpp"
#include "strata/limits.hpp"
#include "strata/question.hpp"
#include "strata/study.hpp"
#include "value/once_flag.hpp"

namespace strata {
class Engine;
class Executor;
}  // namespace strata
namespace strata::analysis {
class Fleet;
class SecretTexts;
}  // namespace strata::analysis

namespace strata::service::explore {

enum class Layout : std::uint8_t;
struct Table;
struct Survey;
struct Facets;

/// What makes a View.
struct ViewForm {
  std::string name;
  std::string verb;
  std::shared_ptr<const analysis::Question> question;
  analysis::State state;      ///< Kept.
  std::string folder = "/";   ///< Absolute: names of files below it are relative to it.
  std::string root = "/";     ///< Absolute: files below it may be edited.
  std::string revision = {};  ///< As it was asked for. Empty: the present state.
  std::int64_t generation = 0;
  Limits limits = {};
  bool is_assumed = false;              ///< The nodes are guessed.
  std::vector<std::string> words = {};  ///< The question as a command line, without `strata`.
  /// What defines them for a subject. May be empty.
  std::function<std::vector<std::string>(const std::string& subject)> words_of = {};
  std::shared_ptr<Executor> executor = {};
  std::shared_ptr<const void> keeper = {};  ///< What the question and the state point into.
  TellProgress tell = {};                   ///< Of what takes long. May be empty.
  sites::Residents* residents = nullptr;  ///< Counts what stays in memory. `keeper` keeps it alive. Null: nothing does.
  std::function<void()> trim = {};        ///< Called when something stays that may be too much. May be empty.
  /// What is secret in the files, for all readers. Empty: what the files with values say.
  std::function<const analysis::SecretTexts&()> secret_texts = {};
};

/// Immutable to its users; thread-safe.
class View {
 public:
  explicit View(ViewForm form);
  ~View();
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  [[nodiscard]] const ViewForm& form() const noexcept { return form_; }
  [[nodiscard]] const analysis::Question& question() const noexcept { return *form_.question; }
  [[nodiscard]] const analysis::State& state() const noexcept { return form_.state; }
  /// The files of the state, without those that it may not read.
  [[nodiscard]] const FileTree& tree() const noexcept { return *tree_; }
  [[nodiscard]] const sites::Askers& subjects() const noexcept { return askers_; }
  [[nodiscard]] Layout layout() const;
  /// Whether results are streams of documents.
  [[nodiscard]] bool has_documents() const { return question().traits().has_documents; }

  /// The name of a file as answers have it, and back.
  [[nodiscard]] std::string shown(std::string_view path) const;
  [[nodiscard]] std::string path_of(std::string_view file) const;
  /// The path of a file that a draft or a page may change. Error `tree.outside`.
  [[nodiscard]] std::string editable_path(std::string_view file) const;

  /// The rows of a subject's result. Error `explore.subject`; those of asking.
  [[nodiscard]] std::shared_ptr<const Table> table(const std::string& subject, const Stop& stop) const;
  /// What a subject has, with its history.
  struct Answered {
    mutable std::mutex mutex;  ///< Who looks at the outcome holds it.
    analysis::Subject::Answer answer = {};
  };
  /// Asked once for the last subjects: pages ask for one place of them after the other. Errors: as above.
  [[nodiscard]] std::shared_ptr<const Answered> answer(const std::string& subject, const Stop& stop) const;
  /// Lends a subject with its history, or without. Error `explore.subject`.
  void with(const std::string& subject, analysis::Question::History history, const Stop& stop,
            const sites::Askers::Use& use) const;

  // What all subjects say together: found out once, while those who ask wait. Errors: those that end a run, and of
  // `stop`.
  [[nodiscard]] const analysis::CoverageReport& coverage(const Stop& stop) const;
  struct ProjectFile {
    const analysis::CoveredFile* covered =
        nullptr;  ///< What becomes of its values. Null: unknown; it is code, or says where data are.
    std::optional<std::size_t> read_by = {};  ///< How many subjects read it. No value: it is read for all of them.
    const analysis::ConfigurationFile* form = nullptr;  ///< How its text is read, if that is known.
  };
  /// All files that are read or meant to be, by their names.
  [[nodiscard]] const std::map<std::string, ProjectFile>& files(const Stop& stop) const;
  /// As `strata check` says it, with the configuration beside the files. What is silenced is marked.
  [[nodiscard]] const analysis::CheckReport& findings(const Stop& stop) const;
  /// Null: not requested yet.
  [[nodiscard]] const analysis::CheckReport* known_findings() const { return findings_.peek(); }
  /// What becomes of the values of a file, by its absolute path. Null: unknown.
  [[nodiscard]] const analysis::CoveredFile* covered(const std::string& path, const Stop& stop) const;
  /// What is secret in texts of files.
  [[nodiscard]] const analysis::SecretTexts& secret_texts(const Stop& stop) const;
  /// How many `files` there are. No value: not requested yet.
  [[nodiscard]] std::optional<std::size_t> known_files(const Stop& stop) const;
  /// Whether coverage and findings are known. If they are not, and there are few subjects, another thread begins to
  /// find them out, and this waits a moment.
  [[nodiscard]] bool is_counted() const;
  [[nodiscard]] const Survey& survey(const Stop& stop) const;
  [[nodiscard]] const Facets& facets(const Stop& stop) const;
  /// The findings of another state of the same files.
  [[nodiscard]] analysis::CheckReport check(const analysis::State& state) const;
  /// Whether a file is one that the project reads as configuration, or would read if it were there. Errors: those of
  /// `files` and `impact`.
  [[nodiscard]] bool takes(const std::string& path, const Stop& stop) const;
  /// What a draft does to all subjects. One draft at a time.
  [[nodiscard]] analysis::ImpactReport impact(const Edits& edits, analysis::GroupBy by, const Stop& stop,
                                              const analysis::CountCompared& count) const;
  /// A draft will come soon: begins with what the first one needs.
  void expect_draft() const;

 private:
  [[nodiscard]] Progress progress(std::string_view work) const;
  [[nodiscard]] std::size_t size() const { return askers_.names().size(); }
  [[nodiscard]] analysis::CheckReport check(const analysis::Question& question, const analysis::State& state) const;
  [[nodiscard]] Once<analysis::CoverageReport>::Make make_coverage() const;
  [[nodiscard]] Once<analysis::CheckReport>::Make make_findings() const;
  [[nodiscard]] Once<std::unique_ptr<const Survey>>::Make make_survey_of() const;
  [[nodiscard]] std::unique_lock<std::timed_mutex> with_fleet(const Stop& stop) const;
  [[nodiscard]] analysis::Fleet& fleet() const;
  [[nodiscard]] Once<bool>::Make make_fleet() const;

  ViewForm form_;
  std::shared_ptr<const FileTree> tree_;
  sites::Askers askers_;
  mutable sites::KeptFleet fleet_;
  template <class T>
  using Last = std::list<std::pair<std::string, std::shared_ptr<const T>>>;  ///< By subject; last used first.
  mutable std::mutex tables_mutex_;                                          ///< Of the two below.
  mutable Last<Table> tables_;
  mutable Last<Answered> answers_;
  // They work with all above.
  mutable Once<analysis::CoverageReport> coverage_;
  mutable Once<analysis::CheckReport> findings_;
  mutable Once<std::unique_ptr<const Survey>> survey_;
  mutable Once<std::unique_ptr<const Facets>> facets_;
  mutable Once<bool> expected_;  ///< Whether the fleet of drafts has been made.
  mutable OnceFlag has_files_;
  mutable std::map<std::string, ProjectFile> files_;  ///< Of those above.
  mutable std::mutex secret_texts_mutex_;
  mutable std::unique_ptr<const analysis::SecretTexts> secret_texts_;
};

/// The same state, in which `stop` ends all work. It must outlive the work.
[[nodiscard]] analysis::State stopped(analysis::State state, const Stop& stop);

}  // namespace strata::service::explore
