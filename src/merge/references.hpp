// SPDX-License-Identifier: Apache-2.0
// Follows references when everything is merged. docs/internals/toolbox.md, "References".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/placeholders.hpp"
#include "text/reference_text.hpp"
#include "value/problems.hpp"

namespace strata::merge {

/// Follows the References (text/reference_text.hpp) in a value, which lead into it. A dialect derives from it. For one
/// request.
class References : public Placeholders {
 public:
  /// The value, and `further`, whose references lead into the value, without references. Errors: `missing`, for all
  /// without a target together; those of Placeholders::everywhere.
  [[nodiscard]] std::pair<Traced, Traced> run(const Traced& further);

 protected:
  struct Codes {
    std::string circle;
    std::string missing;  ///< Of a reference without a target.
  };
  /// `grammar`, `sources` and `limits` must outlive this object.
  References(const Traced& root, const Builder& make, const text::ReferenceGrammar& grammar, const Sources& sources,
             const Limits& limits, const Codes& codes)
      : Placeholders(make, sources, limits, codes.circle), root_(root), grammar_(grammar), missing_(codes.missing) {}
  ~References() = default;

  /// What a text with references stands for: a value of any kind if it is one reference, or else a text. It is derived
  /// from what was written and from all that it needs, and is as secret. Errors: `missing`; `limit.result`, for a text
  /// of more than 64 MiB.
  [[nodiscard]] Traced followed(const Traced& side, const text::Reference& reference);
  [[nodiscard]] bool is_missing(const Error& error) const noexcept { return error.diagnostic().code == missing_; }
  /// The value at a path, for the text at `side`. Error: `missing`.
  [[nodiscard]] Traced at(std::string_view path, const Value& side);

 private:
  /// Whether an object that is no Reference is a placeholder.
  [[nodiscard]] virtual bool is_other_placeholder(const Value& object) const = 0;
  /// The member at a step of a path; absent if there is none. `is_last`: no step follows.
  [[nodiscard]] virtual Traced step_into(const Traced& value, std::string_view step, bool is_last) const = 0;
  /// The value of a member on a path, its last one included. Errors: those of Placeholders::here.
  [[nodiscard]] virtual Traced target(const Traced& member) { return here(member); }
  /// The text of a value inside a text, of at most `most` bytes. May throw Error.
  [[nodiscard]] virtual std::string spelled(const Value& value, std::size_t most) const = 0;
  /// The result of a query, for a grammar that has them. It is derived from `inputs` as well.
  [[nodiscard]] virtual Value queried(const std::string& query, const Value& side, std::vector<Traced>& inputs);
  /// The value in the place of one that failed, so that the others are still found. Absent: the error ends the work,
  /// or counts as a missing target.
  [[nodiscard]] virtual Value instead_of(const Value& /*side*/, const Error& /*error*/) const { return {}; }

  [[nodiscard]] bool is_placeholder(const Value& object) const final {
    return text::reference_of(object) != nullptr || is_other_placeholder(object);
  }
  [[nodiscard]] Traced without(const Traced& placeholder, const Error& error) final;
  [[nodiscard]] std::string text_of(const Object& placeholder) const final;

  Traced root_;
  const text::ReferenceGrammar& grammar_;
  std::string missing_;
  Problems problems_;
};

/// The text of parts whose references lead into a value that is not settled. No value if one has no target.
/// `step_into`: as in References. `text_of(value, path)`: the text of what a reference leads to, which may be a
/// placeholder.
template <typename StepInto, typename TextOf>
[[nodiscard]] std::optional<std::string> spelled_in(const Value& root, const text::ReferenceText& parts,
                                                    const text::ReferenceGrammar& grammar, const StepInto& step_into,
                                                    const TextOf& text_of) {
  bool is_known = true;
  const auto value_of = [&](const std::string& path) -> std::string {
    const std::vector<std::string_view> steps = text::steps_of(path, grammar);
    Traced now{root, {}};
    for (const std::string_view& step : steps) now = step_into(now, step, &step == &steps.back());
    is_known = is_known && now.value;
    return is_known ? text_of(now.value, path) : std::string();
  };
  std::string text = text::spelled(parts, value_of);
  return is_known ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace strata::merge
