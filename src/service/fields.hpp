// SPDX-License-Identifier: Apache-2.0
// Headers and parameters: names with values, in the order in which they were sent.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::service {

struct Field {
  std::string name;
  std::string value;
  friend bool operator==(const Field&, const Field&) = default;
};

/// The parameters of a query. Names are compared as they are.
class Query {
 public:
  Query() = default;
  /// Reads `a=1&b=2`, with percent encoding and `+` for blanks. Error `request.query` for encoding that is broken, or
  /// for text that is not UTF-8.
  explicit Query(std::string_view text);

  /// The first value of a name. Null: there is none.
  [[nodiscard]] const std::string* find(std::string_view name) const noexcept;
  /// All values of a name.
  [[nodiscard]] std::vector<std::string> all(std::string_view name) const;
  [[nodiscard]] bool holds(std::string_view name) const noexcept { return find(name) != nullptr; }
  /// The value `true`, `1`, or nothing after the name. False if the name is not there. Error `request.query` for other
  /// values than `false` and `0`.
  [[nodiscard]] bool flag(std::string_view name, bool otherwise = false) const;
  /// A whole number from 0 to `most`. Error `request.query` for another value.
  [[nodiscard]] std::optional<std::size_t> number(std::string_view name, std::size_t most) const;
  [[nodiscard]] const std::vector<Field>& fields() const noexcept { return fields_; }

 private:
  std::vector<Field> fields_;
};

/// Headers. Names are compared without regard to case.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<Field> fields) : fields_(fields) {}

  void add(std::string name, std::string value) { fields_.push_back({std::move(name), std::move(value)}); }
  /// Replaces all headers of the name.
  void set(std::string name, std::string value);
  /// Removes all headers of the name.
  void remove(std::string_view name);
  /// The first of a name. Null: there is none.
  [[nodiscard]] const std::string* find(std::string_view name) const noexcept;
  /// The first of a name, or an empty text.
  [[nodiscard]] std::string_view get(std::string_view name) const noexcept;
  /// All of a name, with commas between them: for headers whose values are lists (RFC 9110, 5.3).
  [[nodiscard]] std::string list(std::string_view name) const;
  /// The members of the lists in all lines of a name, in their order. They last as long as the headers.
  [[nodiscard]] std::vector<std::string_view> members(std::string_view name) const;
  /// How many lines have a name.
  [[nodiscard]] std::size_t count(std::string_view name) const noexcept;
  [[nodiscard]] const std::vector<Field>& fields() const noexcept { return fields_; }

 private:
  std::vector<Field> fields_;
};

/// Whether two texts differ in the case of ASCII letters at most.
[[nodiscard]] bool same_name(std::string_view left, std::string_view right) noexcept;
/// `text` without the spaces and tabulators around it.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;
/// The members of a list, trimmed: what stands between separators that are not within quotes.
[[nodiscard]] std::vector<std::string_view> members_of(std::string_view text, char separator);
/// What a quoted string says; other texts as they are.
[[nodiscard]] std::string unquoted(std::string_view text);
/// Undoes percent encoding once. No value if it is broken.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);
/// Encodes all but letters, digits and `-._~`.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace strata::service
