// SPDX-License-Identifier: Apache-2.0
// What the explorer's answers have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/explore/source.hpp"
#include "service/face.hpp"
#include "strata/builder.hpp"
#include "strata/check.hpp"
#include "strata/error.hpp"
#include "strata/origin.hpp"
#include "strata/value.hpp"

namespace strata::service::explore {

/// The subject that the path names. `.` and `..` cannot stand in one: such a name has a `~` before it, and one more
/// where it has some already.
[[nodiscard]] std::string subject_of(const Call& call);
/// The view that a call's first capture and its `at` name.
[[nodiscard]] std::shared_ptr<const View> view_of(const Call& call, Source& source);

/// A value for JSON: `{"secret": true}` for what is secret, texts for what JSON has no form for.
[[nodiscard]] Value shown_value(Arena& arena, const Value& value);
/// The same as a member `value`, with `secret` beside it if it is: a mapping that is configured may look so, too.
void insert_value(Arena& arena, MappingBuilder& out, const Value& value);
[[nodiscard]] Value number(std::size_t value);
[[nodiscard]] Value text_or_null(Arena& arena, std::string_view text);
/// `{file, line, column}`, perhaps with `part` and `via`.
[[nodiscard]] Value place_value(Arena& arena, const Place& place);
/// Whether lines of files stand beside errors. Where files may have secrets, they are for who may see what is in no
/// result.
class ErrorLines {
 public:
  explicit ErrorLines(bool are_shown) : are_shown_(are_shown) {}
  /// Judged when it is asked first, by the project at the revision that the call names. `call` and `source` must live
  /// as long.
  ErrorLines(const Call& call, Source& source) : call_(&call), source_(&source) {}
  [[nodiscard]] bool are_shown() const;

 private:
  const Call* call_ = nullptr;
  Source* source_ = nullptr;
  mutable std::optional<bool> are_shown_ = {};
};

/// `{code, severity, message, file, line, column, excerpt, notes, hint}`
[[nodiscard]] Value diagnostic_value(Arena& arena, const Diagnostic& what, std::string_view severity,
                                     const ErrorLines& lines);
/// Those of an error, all of them if it is several.
[[nodiscard]] Value diagnostics_value(Arena& arena, const Error& error, const ErrorLines& lines);
[[nodiscard]] Value warnings_of(Arena& arena, const std::vector<Diagnostic>& warnings, const ErrorLines& lines);
/// Findings as `strata-check/1` has them, in the order of the report. Silenced ones have `silenced_by`.
[[nodiscard]] Value findings_value(Arena& arena, const analysis::CheckReport& report);

/// An answer with `generation` and an entity tag.
[[nodiscard]] Response answer(const Call& call, MappingBuilder& out, std::int64_t generation);
/// A text that is no secret, packed if the client takes that.
[[nodiscard]] Response text_answer(const Call& call, std::string_view type, const std::string& text);

/// The texts of a draft, `{PATH: TEXT or null}`, by absolute path. Errors: `request.body`, `tree.outside`.
[[nodiscard]] Edits read_draft(const View& view, const Value& files);
/// A member of a body. Empty: it is not there, or null. Error `request.body`.
[[nodiscard]] std::string text_member(const Value& body, std::string_view name);
/// Whether pages may show the whole text of a file, by absolute path: nothing in it is secret. Errors: as
/// View::coverage.
[[nodiscard]] bool is_open(const View& view, const std::string& path, const Stop& stop);

/// Words of a filter: all must be in a text, without regard to case, and those with `-` must not.
class Filter {
 public:
  explicit Filter(std::string_view text);
  [[nodiscard]] bool is_empty() const noexcept { return with_.empty() && without_.empty(); }
  /// Whether it has a word that must be there.
  [[nodiscard]] bool looks_for_something() const { return !with_.empty(); }
  [[nodiscard]] bool takes(std::string_view text) const;

 private:
  std::vector<std::string> with_;
  std::vector<std::string> without_;
};
/// In lower case, as far as ASCII has it.
[[nodiscard]] std::string lower(std::string_view text);

}  // namespace strata::service::explore
