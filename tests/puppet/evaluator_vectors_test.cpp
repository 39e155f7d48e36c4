// SPDX-License-Identifier: Apache-2.0
// The expressions of the vectors of the bindings dialect, without the documents around them.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "puppet/evaluator_world.hpp"

namespace strata::puppet::testing {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What stands behind `bind 'r' to `.
std::string expression_of(std::string_view document) {
  constexpr std::string_view kBefore = "bind 'r' to ";
  constexpr std::string_view kBehind = "}\n";
  document.remove_prefix(document.find(kBefore) + kBefore.size());
  if (document.ends_with(kBehind)) document.remove_suffix(kBehind.size());
  return std::string(document);
}

class Vectors : public ::testing::TestWithParam<const char*> {};

TEST_P(Vectors, AreMet) {
  const std::string path = std::string(STRATA_SOURCE_DIR) + "/tests/vectors/bindings/" + GetParam();
  Sources sources;
  const text::Document vectors = text::read_json(sources, sources.add(path, read_file(path)), {});
  ASSERT_GT(vectors.root.size(), 10U);
  for (const Value& vector : vectors.root.items()) {
    const std::string facts(vector.find("files")->find("facts.yaml")->text());
    const std::string text = expression_of(vector.find("files")->find("bindings/default.pp")->text());
    const std::string variables = "{\"facts\": " + facts + ", " + facts.substr(1);
    const Evaluated done("$result = " + text + "\n$result", {.variables = variables});
    const Value* expected = vector.find("expect")->find("value");
    if (expected == nullptr) {
      EXPECT_TRUE(!done.error.code.empty() || done.value.is_null()) << text << " is " << done.told();
    } else {
      EXPECT_TRUE(done.error.code.empty() && identical(done.value, *expected))
          << text << " is " << done.told() << " " << done.error.message;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bindings, Vectors, ::testing::Values("expr.json", "expr_random.json"));

}  // namespace
}  // namespace strata::puppet::testing
