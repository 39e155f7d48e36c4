// SPDX-License-Identifier: Apache-2.0
// The names that are being worked on, each because the one before refers to it. Finds circles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace strata {

/// Bound its size where a step is made: input decides how far references lead. Cost of `circle`: the size of the chain.
template <class Name>
class Chain {
 public:
  /// Puts a name at the end of the chain, as long as this lives.
  class Step {
   public:
    Step(Chain& chain, Name name) : chain_(chain) { chain_.names_.push_back(std::move(name)); }
    ~Step() { chain_.names_.pop_back(); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Chain& chain_;
  };

  /// The first one led to all others.
  [[nodiscard]] std::span<const Name> names() const noexcept { return names_; }
  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  /// The circle that a step to `name` would close: the names from it on. Empty if it is not on the chain.
  [[nodiscard]] std::span<const Name> circle(const Name& name) const {
    const auto begin = std::ranges::find(names_, name);
    return std::span<const Name>(names_).subspan(static_cast<std::size_t>(begin - names_.begin()));
  }

 private:
  std::vector<Name> names_;
};

}  // namespace strata
