// SPDX-License-Identifier: Apache-2.0
// A verb at work in one state, beside the work of other states.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "strata/question.hpp"
#include "strata/session.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "verb_question.hpp"

namespace strata::cli {

/// The work of a Session, which threads do in turn. Its budget is that of the thread that made it: what that thread
/// does while it rests, or while another one works, does not count. Others have sessions of their own that are parts of
/// it.
class Shift {
 public:
  explicit Shift(const Stop& stop);
  void wake() { leave_out(); }
  void rest();

 private:
  [[nodiscard]] std::chrono::nanoseconds now() const noexcept;
  void leave_out();

  const Stop& stop_;
  std::size_t maker_;  ///< A thread.
  clockid_t clock_{};
  std::chrono::nanoseconds began_{};
};

/// A verb in one state, prepared.
struct Running {
  /// What `log` hears of.
  enum class Logs : std::uint8_t { nothing, found, all };
  Running(const std::vector<std::string>& words, const QuestionTools& tools, analysis::State of, bool keeps_history,
          Logs logs);

  /// Others work now.
  void rest() { shift->rest(); }
  void wake() { shift->wake(); }

  analysis::State state;
  ParsedVerb verb;
  std::shared_ptr<analysis::ReadLog> log;
  std::optional<Session> session;
  std::optional<Shift> shift;
};

/// Work of one state: that of the others does not count.
class Working {
 public:
  explicit Working(Running& running) : running_(running), scope_(running.session->limits().stop) { running_.wake(); }
  ~Working() { running_.rest(); }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  Running& running_;
  StopScope scope_;
};

using Tell = std::function<void(const Diagnostic&)>;

/// The warnings of the subjects of a state, each once.
class Told {
 public:
  explicit Told(Tell tell) : tell_(std::move(tell)) {}
  void add(const std::vector<Diagnostic>& warnings);

 private:
  Tell tell_;
  std::unordered_set<std::string> told_;
};

/// The files of a subject, asked while others work.
class PausedFiles final : public analysis::SubjectFiles {
 public:
  PausedFiles(std::shared_ptr<Running> running, std::shared_ptr<analysis::SubjectFiles> files)
      : running_(std::move(running)), files_(std::move(files)) {}

  [[nodiscard]] std::optional<std::string> pointer(const std::string& item) override { return files_->pointer(item); }
  [[nodiscard]] std::vector<analysis::ConfigurationFile> editable(const std::string& item) override {
    const Working working(*running_);
    return files_->editable(item);
  }
  [[nodiscard]] std::vector<analysis::ConfigurationFile> read() override {
    const Working working(*running_);
    return files_->read();
  }
  [[nodiscard]] std::vector<analysis::ConfigurationFile> levels() override {
    const Working working(*running_);
    return files_->levels();
  }
  [[nodiscard]] std::vector<std::string> code_folders() override {
    const Working working(*running_);
    return files_->code_folders();
  }
  [[nodiscard]] std::vector<std::string> folders() override {
    const Working working(*running_);
    return files_->folders();
  }
  [[nodiscard]] std::vector<analysis::Use> uses() override {
    const Working working(*running_);
    return files_->uses();
  }
  [[nodiscard]] bool has_own_uses() override { return files_->has_own_uses(); }
  [[nodiscard]] std::vector<std::string> names(const std::string& kind) override {
    const Working working(*running_);
    return files_->names(kind);
  }
  [[nodiscard]] std::vector<analysis::NamingText> naming_texts() override {
    const Working working(*running_);
    return files_->naming_texts();
  }
  [[nodiscard]] bool has_variable(std::string_view name) override { return files_->has_variable(name); }
  [[nodiscard]] std::string misspelt_variable(std::string_view name) override {
    return files_->misspelt_variable(name);
  }
  [[nodiscard]] std::vector<std::string> fact_names() override { return files_->fact_names(); }
  [[nodiscard]] bool lacks_legacy_facts() override { return files_->lacks_legacy_facts(); }
  [[nodiscard]] analysis::Merging merging(const std::string& item) override {
    const Working working(*running_);
    return files_->merging(item);
  }

 private:
  std::shared_ptr<Running> running_;
  std::shared_ptr<analysis::SubjectFiles> files_;
};

}  // namespace strata::cli
