// SPDX-License-Identifier: Apache-2.0
// Reads mappings with known members: configuration files, options, the answers of programs. What is wrong with one is
// said in one wording.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "strata/error.hpp"
#include "strata/value.hpp"

namespace strata {

/// `WHAT must be EXPECTED, not KIND`: `'x' must be a list of names, not text`.
[[nodiscard]] std::string wrong_kind(std::string_view what, std::string_view expected, const Value& value);
/// The same for an item of a list or mapping: `WHAT must be EXPECTED; this item is KIND`.
[[nodiscard]] std::string wrong_item(std::string_view what, std::string_view expected, const Value& item);

/// The errors that Fields throws.
struct FieldErrors {
  std::string code;                  ///< For a wrong shape.
  std::string key_code = {};         ///< For an unknown key. Empty: `code`.
  const Sources* sources = nullptr;  ///< Null: errors have no places.
  Origin place = {};                 ///< For values without one.
  std::string prefix = {};           ///< Begins every message.
  std::string hint = {};             ///< For errors without a hint of their own.
};

/// A mapping whose members are asked for by name. A member that is null counts as missing. Every function throws Error
/// where a member has another shape, at its place. Members are in the mapping as long as it lives.
class Fields {
 public:
  /// `owner` names the mapping in messages: `strata.yaml`, `a resource`. Everything must outlive the fields. Throws
  /// Error if `value` is not a mapping.
  Fields(const Value& value, std::string_view owner, const FieldErrors& errors);

  /// Throws Errors for all keys that are not in `known`, with similar names. `owner`: names the mapping if not as
  /// elsewhere.
  void only(std::span<const std::string_view> known, std::string_view owner = {}) const;

  /// A member of any kind. Null if it is missing.
  [[nodiscard]] const Value* find(std::string_view name) const;
  /// A text. Null if it is missing.
  [[nodiscard]] const Value* text(std::string_view name) const;
  /// A text that is not empty. Null if it is missing.
  [[nodiscard]] const Value* word(std::string_view name) const;
  /// A text that is not empty. Throws Error also if it is missing.
  [[nodiscard]] const Value& needed_word(std::string_view name) const;
  /// A boolean. False if it is missing.
  [[nodiscard]] bool flag(std::string_view name) const;
  /// An integer within bounds. No value if it is missing. `unit`: `seconds`.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name, std::int64_t least, std::int64_t most,
                                                   std::string_view unit = {}) const;
  /// A mapping with text keys. Null if it is missing. `expected`: what its members are.
  [[nodiscard]] const Value* mapping(std::string_view name, std::string_view expected = "a mapping") const;
  /// A sequence. Null if it is missing.
  [[nodiscard]] const Value* list(std::string_view name, std::string_view expected = "a list") const;
  /// A sequence of texts. Null if it is missing.
  [[nodiscard]] const Value* texts(std::string_view name, std::string_view expected = "a list of texts") const;

  // For shapes that are not here.

  /// Throws: the member is of another kind than `expected`.
  [[noreturn]] void refuse_kind(std::string_view name, std::string_view expected, const Value& value) const;
  /// Throws: the member is of the right kind, but is not `expected`.
  [[noreturn]] void refuse_value(std::string_view name, std::string_view expected, const Value& value) const;
  /// Throws: an item of the member is not as `expected`.
  [[noreturn]] void refuse_item(std::string_view name, std::string_view expected, const Value& item) const;
  /// Throws Error with this message, at the place of `at`.
  [[noreturn]] void fail(const std::string& message, const Value& at) const;

 private:
  [[nodiscard]] std::string subject(std::string_view name) const;
  [[nodiscard]] Error error(const std::string& code, const std::string& message, const Value& at) const;

  const Value& value_;
  std::string_view owner_;
  const FieldErrors& errors_;
};

}  // namespace strata
