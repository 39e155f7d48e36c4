// SPDX-License-Identifier: Apache-2.0
// Comments that silence findings: `# strata: allow CODE[, CODE…] REASON`. Rules: docs/analysis/check.md.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/question.hpp"

namespace strata::analysis {

inline constexpr std::string_view kAllCodes = "all";  ///< In place of a code: every one.

/// A line, and a column in code points, both from 1.
struct LinePlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend auto operator<=>(const LinePlace&, const LinePlace&) = default;
};

/// One comment.
struct Allow {
  std::vector<std::string> codes = {};  ///< Without `check.`. `all`: every one.
  std::string reason = {};              ///< Empty: nothing is allowed.
  bool is_for_file = false;
  Excerpt where = {};
  // The first statement that it holds for.
  std::optional<LinePlace> target = {};
  std::string pointer = {};
  std::optional<std::size_t> document = {};  ///< Of a file with several.
};

/// The comments of one file, and the places that they hold for.
class Allows {
 public:
  /// `name`: of the file, for places. A form of Syntax::other has comments if the name says which: `.conf`, `.pp`.
  /// Errors: those of the readers.
  Allows(const std::string& name, const std::string& text, const edit::Form& form, const Limits& limits);

  [[nodiscard]] const std::vector<Allow>& all() const noexcept { return allows_; }
  /// The numbers of comments that allow a code, the nearest first. `place`: no value for what stands nowhere in the
  /// file.
  [[nodiscard]] std::vector<std::size_t> allowing(std::string_view code, const std::optional<LinePlace>& place) const;

 private:
  class Reader;
  /// The first comment for each code.
  using ByCode = std::map<std::string, std::size_t, std::less<>>;
  /// A statement with all inside it, or a line: from `begin` to before `end`.
  struct Range {
    LinePlace begin;
    LinePlace end;
    std::size_t target;          ///< Its number in `targets_`.
    std::size_t around = kNone;  ///< The range around it.
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  static void add(ByCode& to, const Allow& allow, std::size_t number);
  static void find(const ByCode& in, std::string_view code, std::vector<std::size_t>& out);

  std::vector<Allow> allows_;
  ByCode for_file_;
  std::vector<ByCode> targets_;
  std::vector<Range> ranges_;  ///< By `begin`. They nest.
};

/// How a file is read that no subject has read, by its name.
[[nodiscard]] edit::Form form_by_name(std::string_view name);

}  // namespace strata::analysis
