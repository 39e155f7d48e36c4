// SPDX-License-Identifier: Apache-2.0
// The last lines of explanations that end with a failure: the reference's words.
#include <gtest/gtest.h>

#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::World;

std::string last_line(const World::Files& files) {
  World here(files);
  std::string text = here.explained("k");
  text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

TEST(ExplainedFailure, OfConfigurations) {
  struct Row {
    std::string_view entry;
    std::string_view told;
  };
  const std::string file = "/code/environments/production/hiera.yaml";
  for (const Row& row : std::initializer_list<Row>{
           {"{name: a, path: x, paths: [y]}",
            "Only one of path, paths, glob, globs, uri, uris, or mapped_paths can be defined in hierarchy 'a' (file: "
            "FILE)"},
           {"{name: a, options: {uri: b}}",
            "Option key 'uri' used in hierarchy 'a' is reserved by Puppet (file: FILE)"},
           {"{name: a, hiera3_backend: yaml}",
            "'hiera3_backend' is only allowed in the global layer (file: FILE, line: 3)"},
           {"{name: a, \"hiera3_backend\": yaml}", "'hiera3_backend' is only allowed in the global layer (file: FILE)"},
           {"{name: a, path: \"%{lookup('a')}\"}",
            "Interpolation using method syntax is not allowed in this context (file: FILE)"},
           {"{name: a}\n  - {name: a}", "Hierarchy name 'a' defined more than once. (file: FILE)"},
           {"{name: a, data_hash: nope, path: data.yaml}",
            "Unable to find 'data_hash' function named 'nope' (file: FILE)"}}) {
    std::string expected(row.told);
    expected.replace(expected.find("FILE"), 4, file);
    EXPECT_EQ(last_line({{"hiera.yaml", "version: 5\nhierarchy:\n  - " + std::string(row.entry) + "\n"},
                         {"data/data.yaml", "k: 1\n"}}),
              expected)
        << row.entry;
  }
  EXPECT_EQ(last_line({{"hiera.yaml", "version: 4\nhierarchy:\n- name: a\n  backend: x\n"}}),
            "No data provider is registered for backend 'x' (file: " + file + ", line: 4)");
  EXPECT_EQ(last_line({{"hiera.yaml", "version: 6\n"}}),
            "This runtime does not support hiera.yaml version 6 (file: " + file + ")");
}

TEST(ExplainedFailure, OfYaml) {
  struct Row {
    std::string_view text;
    std::string_view told;
  };
  const std::string file = "/code/environments/production/data/common.yaml";
  for (const Row& row : std::initializer_list<Row>{
           {"k: 2024-01-01\n", "Unable to parse (FILE): Tried to load unspecified class: Date"},
           {"k: 2024-01-01 10:00:00\n", "Unable to parse (FILE): Tried to load unspecified class: Time"},
           {"k: !ruby/object:A::B {}\n", "Unable to parse (FILE): Tried to load unspecified class: A::B"},
           {"k: !ruby/regexp /x/\n", "Unable to parse (FILE): Tried to load unspecified class: Regexp"},
           {"k: !!set {a}\n", "Unable to parse (FILE): Tried to load unspecified class: Psych::Set"},
           {"k: *x\n", "Unable to parse Unknown alias: x"},
           {"k: {b\n",
            "Unable to parse (FILE): did not find expected ',' or '}' while parsing a flow mapping at line 1 column 4"},
           {"k: [\n",
            "Unable to parse (FILE): did not find expected node content while parsing a flow node at line 2 column 1"},
           {"k: a: b\n", "Unable to parse (FILE): mapping values are not allowed in this context at line 1 column 5"},
           {"k: \xff\n", "Unable to parse (FILE): invalid leading UTF-8 octet at line 1 column 1"}}) {
    std::string expected(row.told);
    if (const auto at = expected.find("FILE"); at != std::string::npos) expected.replace(at, 4, file);
    EXPECT_EQ(last_line({{"hiera.yaml", "version: 5\n"}, {"data/common.yaml", std::string(row.text)}}), expected)
        << row.text;
  }
}

}  // namespace
}  // namespace strata::hiera
