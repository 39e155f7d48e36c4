// SPDX-License-Identifier: Apache-2.0
// Answers as C sees them.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "strata/analysis.hpp"
#include "strata/error.hpp"
#include "strata/question.hpp"
#include "strata/strata.h"
#include "strata/value.hpp"

/// Immutable to its users: what is made later is made once. Several may hold it.
struct strata_result {
 public:
  /// The answer for a subject. `is_cleartext`: with the contents of Sensitive values in their places, marked. Throws
  /// Error where it failed.
  strata_result(strata::analysis::Subject::Answer answer, bool is_cleartext);
  /// A report. `arena` owns it.
  strata_result(const strata::Value& report, std::shared_ptr<const void> arena,
                std::vector<strata::Diagnostic> warnings);
  strata_result(const strata_result&) = delete;
  strata_result& operator=(const strata_result&) = delete;

  void hold() noexcept { holders_.fetch_add(1, std::memory_order_relaxed); }
  void let_go() noexcept {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  [[nodiscard]] const strata::Value* value() const;
  [[nodiscard]] const std::string& json() const;
  [[nodiscard]] const std::string& yaml() const;
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] const std::string& blame() const;
  [[nodiscard]] const std::string& explain(std::string_view pointer) const;
  [[nodiscard]] const std::string& warnings() const;
  [[nodiscard]] bool is_secret(std::string_view pointer) const;
  /// How deep its values nest: what makes a text of them needs the stack for it.
  [[nodiscard]] std::size_t levels() const noexcept { return levels_; }
  /// About how many bytes it takes.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  ~strata_result() = default;
  [[nodiscard]] const strata::Value& root() const noexcept { return whole_.result.value; }

  std::atomic<std::size_t> holders_ = 1;
  std::shared_ptr<const void> memory_;
  const strata::Sources* sources_ = nullptr;         ///< Null: of a report.
  const strata::merge::History* history_ = nullptr;  ///< Null: none was wanted.
  strata::analysis::Whole whole_;
  strata::Value given_;  ///< The root as it is given out: with what is Sensitive in clear text, if that was wanted.
  std::unique_ptr<strata::Arena> given_memory_;
  std::vector<strata::Diagnostic> noticed_;
  std::vector<strata::Diagnostic> missing_;  ///< Why parts have no value.
  std::size_t bytes_ = 0;
  std::size_t levels_ = 0;

  mutable std::atomic<const strata::Value*> shown_ = nullptr;
  mutable std::mutex mutex_;  ///< Of all below. What is set stays.
  mutable strata::Value plain_;
  mutable std::unique_ptr<strata::Arena> plain_memory_;
  mutable std::optional<std::string> json_, yaml_, text_, blame_, warnings_;
  mutable std::unordered_map<std::string, std::string> explained_;
};

namespace strata::c {

struct LetGo {
  void operator()(strata_result* result) const noexcept { result->let_go(); }
};
using ResultHandle = std::unique_ptr<strata_result, LetGo>;

}  // namespace strata::c
