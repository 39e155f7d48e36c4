// SPDX-License-Identifier: Apache-2.0
// Laws of types and values.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "puppet/world.hpp"
#include "support/generators.hpp"

namespace strata::puppet {
namespace {

using strata::testing::Sample;

bool is_data(const Value& value) { return is_instance(*testing::type("RichData"), value); }

bool has_nan(const Value& value) {
  if (value.kind() == Kind::floating) return std::isnan(value.as_floating());
  for (const Value& item : value.is_sequence() ? value.items() : std::span<const Value>()) {
    if (has_nan(item)) return true;
  }
  for (const Entry& entry :
       value.is_mapping() || value.kind() == Kind::set ? value.entries() : std::span<const Entry>()) {
    if (has_nan(entry.key) || has_nan(entry.value)) return true;
  }
  return false;
}

RC_GTEST_PROP(Types, OfAValueHasIt, (const Sample& sample)) {
  // No range holds not-a-number.
  RC_PRE(is_data(sample.value) && !has_nan(sample.value));
  RC_ASSERT(is_instance(*infer_detailed(sample.value), sample.value));
  RC_ASSERT(is_instance(*generalize(infer_detailed(sample.value)), sample.value));
}

RC_GTEST_PROP(Types, InferredIsReadAgain, (const Sample& sample)) {
  RC_PRE(is_data(sample.value) && !has_nan(sample.value));
  const std::string text = to_string(*generalize(infer(sample.value)));
  RC_PRE(text.find("Unit") == std::string::npos);  // What an empty collection holds has no name in the language.
  RC_ASSERT(testing::printed(text) == text);
}

RC_GTEST_PROP(Types, WiderOneTakesTheNarrow, (const Sample& left, const Sample& right)) {
  RC_PRE(is_data(left.value) && is_data(right.value) && !has_nan(left.value));
  const TypeRef type = generalize(infer_detailed(left.value));
  RC_ASSERT(!is_assignable(*type, *infer_detailed(right.value)) || is_instance(*type, right.value));
}

RC_GTEST_PROP(Types, SomethingIsWrongWithEveryStranger, (const Sample& left, const Sample& right)) {
  const TypeRef type = infer(left.value);
  RC_PRE(!is_instance(*type, right.value));
  const std::string words = mismatch(*type, right.value, "It");
  RC_ASSERT(words.starts_with("It has wrong type, "));
}

}  // namespace
}  // namespace strata::puppet
