// SPDX-License-Identifier: Apache-2.0
// The question of a project with all that it refers to, for programs that stay.
#pragma once

#include <memory>
#include <string>

#include "options.hpp"
#include "strata/error.hpp"
#include "strata/question_over.hpp"
#include "terminal.hpp"
#include "verb_question.hpp"

namespace strata::cli {

/// Thread-safe, as a question is.
class OwnedQuestion : public analysis::QuestionOver {
 public:
  /// What holds for it besides its words.
  struct Ground {
    Limits limits;
    bool strict = false;
    Permissions permissions = {};  ///< Of the command line.
    std::shared_ptr<Engine> engine;
    const char* code = "site.project";  ///< Of errors of the words.
    bool caps_limits = false;           ///< The words raise none of the limits.
  };
  /// Errors: `code` for words that make no question.
  OwnedQuestion(QuestionChoice choice, const Ground& ground)
      : code_(ground.code),
        options_(ground),
        question_(told_as(code_, [&] { return made(std::move(choice), ground, options_); })) {}

  [[nodiscard]] std::unique_ptr<analysis::Asked> in(const analysis::State& state, History history,
                                                    Telling telling) const override {
    return told_as(code_, [&] { return question_->in(state, history, telling); });
  }

  [[nodiscard]] const VerbQuestion& question() const noexcept { return *question_; }

 private:
  [[nodiscard]] const analysis::Question& under() const noexcept override { return *question_; }

  /// The options of an analysis that has none.
  struct PlainOptions : SharedOptions {
    explicit PlainOptions(const Ground& ground) {
      limits = ground.limits;
      limits.stop = nullptr;
      threads = 1;
      compares = true;
      strict = ground.strict;
      permissions = ground.permissions;
      caps_limits = ground.caps_limits;
    }
  };
  static std::unique_ptr<VerbQuestion> made(QuestionChoice choice, const Ground& ground, const SharedOptions& options) {
    QuestionTools tools{.own = options,
                        .engine = ground.engine,
                        .folder = working_folder(),
                        .tell = {},
                        .is_whole_process = false,
                        .code = ground.code};
    return std::make_unique<VerbQuestion>(std::move(choice), std::move(tools));
  }

  const char* code_;
  PlainOptions options_;
  std::unique_ptr<VerbQuestion> question_;
};

}  // namespace strata::cli
