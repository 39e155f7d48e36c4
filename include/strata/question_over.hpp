// SPDX-License-Identifier: Apache-2.0
// Questions that stand before another one.
#pragma once

#include <span>
#include <string_view>

#include "strata/question.hpp"

namespace strata::analysis {

/// Says of itself what the question says that it stands before. What `in` gives is its own.
class QuestionOver : public Question {
 public:
  [[nodiscard]] Wording wording() const override { return under().wording(); }
  [[nodiscard]] Results results() const override { return under().results(); }
  [[nodiscard]] std::span<const std::string_view> known_members() const override { return under().known_members(); }
  [[nodiscard]] Names names_in(std::string_view text) const override { return under().names_in(text); }
  [[nodiscard]] bool lacks_fleet() const override { return under().lacks_fleet(); }

 protected:
  /// It lives as long as this object, and is the same at every call.
  [[nodiscard]] virtual const Question& under() const noexcept = 0;
};

}  // namespace strata::analysis
