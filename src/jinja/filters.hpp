// SPDX-License-Identifier: Apache-2.0
// The filters and tests of templates.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "jinja/operations.hpp"

namespace strata::jinja {

using Filter = Datum (*)(Runtime&, const Datum& value, Arguments&);
using Test = bool (*)(Runtime&, const Datum& value, Arguments&);

/// A filter by name. Null if there is none.
[[nodiscard]] Filter find_filter(std::string_view name) noexcept;
/// Whether Jinja has the filter, but strata does not.
[[nodiscard]] bool is_unsupported_filter(std::string_view name) noexcept;
/// A test by name. Null if there is none.
[[nodiscard]] Test find_test(std::string_view name) noexcept;

struct FilterEntry {
  std::string_view name;
  Filter filter;
};
/// A filter of a table. Null if there is none with that name.
[[nodiscard]] Filter find_filter_among(std::span<const FilterEntry> filters, std::string_view name) noexcept;

/// The filters of one file. Null if it has none with that name.
[[nodiscard]] Filter find_text_filter(std::string_view name) noexcept;
[[nodiscard]] Filter find_sequence_filter(std::string_view name) noexcept;
[[nodiscard]] Filter find_order_filter(std::string_view name) noexcept;
[[nodiscard]] Filter find_value_filter(std::string_view name) noexcept;

/// Applies the filter `name`. An error if there is none.
[[nodiscard]] Datum apply_filter(Runtime& runtime, std::string_view name, const Datum& value, Arguments& arguments);
[[nodiscard]] bool apply_test(Runtime& runtime, std::string_view name, const Datum& value, Arguments& arguments);

/// Whether a flag was passed, and is true.
[[nodiscard]] inline bool flag(Runtime& runtime, const std::optional<Datum>& argument) {
  return argument && truth(runtime, *argument);
}

/// Looks up `attribute` (`a.b.0`, a number, or none for the value itself) in items.
class AttributeGetter {
 public:
  AttributeGetter(Runtime& runtime, const Datum& attribute);
  [[nodiscard]] Datum get(const Datum& item, const std::optional<Datum>& standard = {}) const;

 private:
  Runtime& runtime_;
  std::vector<Datum> parts_;
};

/// Lower case if it is a text and `case_sensitive` is off.
[[nodiscard]] Datum folded(Runtime& runtime, const Datum& datum, bool case_sensitive);

}  // namespace strata::jinja
