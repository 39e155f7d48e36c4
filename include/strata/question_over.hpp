// SPDX-License-Identifier: Apache-2.0
// Questions that stand before another one.
#pragma once

#include "strata/question.hpp"

namespace strata::analysis {

/// Says of itself what the question says that it stands before. What `in` gives is its own.
class QuestionOver : public Question {
 public:
  [[nodiscard]] Wording wording() const override { return under().wording(); }
  [[nodiscard]] const query::Traits& traits() const override { return under().traits(); }
  [[nodiscard]] bool lacks_fleet() const override { return under().lacks_fleet(); }

 protected:
  /// It lives as long as this object, and is the same at every call.
  [[nodiscard]] virtual const Question& under() const noexcept = 0;
};

}  // namespace strata::analysis
