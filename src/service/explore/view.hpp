// A project in one state, and what was found out about it: each thing once, when somebody asks.
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

#include "service/sites/askers.hpp"
#include "strata/check.hpp"
#include "strata/coverage.hpp"
#include "strata/limits.hpp"
#include "strata/question.hpp"

namespace strata {
class Engine;
class Executor;
}  // namespace strata
namespace strata::analysis {
class Fleet;
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
  std::shared_ptr<Executor> executor = {};
  std::shared_ptr<const void> keeper = {};  ///< What the question and the state point into.
};

/// A value that is made once. Thread-safe.
template <class T>
class Once {
 public:
  /// Others who ask wait. What `make` throws is thrown, and the next one tries again.
  const T& get(const std::function<std::unique_ptr<T>()>& make) const {
    const std::scoped_lock lock(mutex_);
    if (value_ == nullptr) value_ = make();
    return *value_;
  }
  /// Null: it is not made yet, or is being made.
  [[nodiscard]] const T* peek() const {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock ? value_.get() : nullptr;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<T> value_;
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
  [[nodiscard]] const sites::Askers& subjects() const noexcept { return askers_; }
  [[nodiscard]] Layout layout() const;
  /// Whether results are streams of documents.
  [[nodiscard]] bool has_documents() const { return question().results() == analysis::Results::documents; }

  /// The name of a file as answers have it, and back.
  [[nodiscard]] std::string shown(std::string_view path) const;
  [[nodiscard]] std::string path_of(std::string_view file) const;
  /// The path of a file that a draft or a page may change. Error `tree.outside`.
  [[nodiscard]] std::string editable_path(std::string_view file) const;

  /// The rows of a subject's result. Error `explore.subject`; those of asking.
  [[nodiscard]] std::shared_ptr<const Table> table(const std::string& subject) const;
  /// Lends a subject with its history, or without. Error `explore.subject`.
  void with(const std::string& subject, analysis::Question::History history, const sites::Askers::Use& use) const;

  // What all subjects say together. Errors: those that end a run.
  [[nodiscard]] const analysis::CoverageReport& coverage() const;
  /// The names of all files that are read or meant to be, in byte order, with what coverage knows of them (of code, nothing).
  [[nodiscard]] std::map<std::string, const analysis::CoveredFile*> files() const;
  /// As `strata check` says it, with the configuration beside the files. What is silenced is marked.
  [[nodiscard]] const analysis::CheckReport& findings() const;
  /// Null: nobody has asked for them yet.
  [[nodiscard]] const analysis::CheckReport* known_findings() const { return findings_.peek(); }
  [[nodiscard]] const Survey& survey() const;
  [[nodiscard]] const Facets& facets() const;
  /// The findings of another state of the same files.
  [[nodiscard]] analysis::CheckReport check(const analysis::State& state) const;
  /// What a draft does to all subjects. One draft at a time.
  [[nodiscard]] analysis::ImpactReport impact(const Edits& edits, analysis::GroupBy by, const Stop* stop) const;

 private:
  ViewForm form_;
  sites::Askers askers_;
  Once<analysis::CoverageReport> coverage_;
  Once<analysis::CheckReport> findings_;
  Once<Survey> survey_;
  Once<Facets> facets_;
  mutable std::mutex fleet_mutex_;
  mutable std::unique_ptr<analysis::Fleet> fleet_;
  mutable std::mutex tables_mutex_;
  mutable std::list<std::pair<std::string, std::shared_ptr<const Table>>> tables_;  ///< Last used first.
};

}  // namespace strata::service::explore
