// SPDX-License-Identifier: Apache-2.0
// Services for all parts of a running template: making values, the budget, errors with places.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/datum.hpp"
#include "jinja/lexer.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/stack.hpp"
#include "strata/stop.hpp"

namespace strata::jinja {

class Runtime {
 public:
  Runtime(const TemplateText& source, const Limits& limits) : source_(source), limits_(limits), stop_(limits.stop) {}

  // Making values.
  [[nodiscard]] Datum text(std::string bytes, bool markup = false);
  [[nodiscard]] Datum list(std::vector<Datum> items = {});
  [[nodiscard]] Datum tuple(std::vector<Datum> items);
  [[nodiscard]] Datum dict();
  [[nodiscard]] Datum function(std::string name, std::function<Datum(Arguments&)> call);
  [[nodiscard]] Datum generator(std::string_view kind, std::function<std::optional<Datum>()> next);
  [[nodiscard]] Datum undefined(Datum name, std::string hint = {});
  /// An object of any other kind.
  template <typename Kind>
  Kind* make() {
    charge(sizeof(Kind) + 16);
    auto owned = std::make_unique<Kind>();
    Kind* object = owned.get();
    objects_.push_back(std::move(owned));
    return object;
  }

  // Budget.
  /// Counts one step. Error `limit.steps` if there are too many.
  void step() { work(1); }
  /// Counts `amount` steps.
  void work(std::size_t amount) {
    steps_ += amount;
    if (steps_ > limits_.steps) too_many_steps();
    constexpr std::size_t kMuch = 1024;  // As good as any more: it looks at the clock.
    stop_.tick([this] { return source_.origin(at_); }, static_cast<std::uint32_t>(std::min(amount, kMuch)));
  }
  /// Counts steps for work on `bytes` of text.
  void work_on(std::size_t bytes) { work(1 + bytes / 64); }
  /// Counts bytes that are kept until the end. Error `limit.result` if there are too many.
  void charge(std::size_t bytes);

  /// For each level of a recursion. Errors: `limit.stack`.
  void check_stack() const { strata::check_stack(limits_); }

  // Places and errors.
  /// From now on, errors are at byte `at` of the template.
  void set_place(std::uint32_t at) noexcept { at_ = at; }
  [[noreturn]] void fail(std::string message) const;
  [[noreturn]] void fail_unsupported(const std::string& construct) const;
  [[noreturn]] void fail_undefined(const Undefined& undefined) const;
  [[noreturn]] void fail_limit(std::string_view code, std::string message) const;
  /// Throws if `datum` is undefined.
  void need_defined(const Datum& datum) const {
    if (datum.is_undefined()) fail_undefined(datum.undefined());
  }

  /// An undefined name that was turned into text, and where it was first asked for.
  struct Missing {
    std::string name;
    std::uint32_t at;
  };
  /// In order.
  [[nodiscard]] const std::vector<Missing>& missing() const noexcept { return missing_; }
  void note_missing(const std::string& name, std::uint32_t at);

 private:
  [[noreturn]] void too_many_steps() const;

  const TemplateText& source_;
  std::uint32_t at_ = 0;
  const Limits& limits_;
  std::size_t steps_ = 0;
  StopCheck stop_;
  std::size_t bytes_ = 0;
  std::deque<std::unique_ptr<Object>> objects_;
  std::vector<Missing> missing_;
};

/// Counts the depth of a recursion over values. Throws if it is too deep for the stack.
class DepthGuard {
 public:
  DepthGuard(const Runtime& runtime, std::size_t& depth, std::size_t limit = 400) : depth_(depth) {
    runtime.check_stack();
    if (depth_ >= limit) runtime.fail("nested too deeply");
    ++depth_;
  }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

 private:
  std::size_t& depth_;
};

inline constexpr std::string_view kMissing = "CI_MISSING_JINJA_VAR/";
/// The maximal size of the output, or of one text, in bytes.
inline constexpr std::size_t kMaxText = std::size_t{64} << 20;

}  // namespace strata::jinja
