// SPDX-License-Identifier: Apache-2.0
#include "strata/path.hpp"

#include <gtest/gtest.h>

#include <array>

#include "strata/builder.hpp"
#include "strata/error.hpp"

namespace strata {
namespace {

using Tokens = std::vector<std::string>;

TEST(Path, IsAJsonPointer) {
  Arena arena;
  Path path;
  EXPECT_EQ(path.pointer(), "");
  path.push(arena.text("a/b~c"));
  path.push(3);
  path.push(Value::boolean(true));
  path.push(Value::floating(1.5));
  path.push(Value::null());
  path.push(arena.text(""));
  EXPECT_EQ(path.pointer(), "/a~1b~0c/3/true/1.5/null/");
  path.pop();
  EXPECT_EQ(path.pointer(), "/a~1b~0c/3/true/1.5/null");
  EXPECT_EQ(path.steps().size(), 5U);
}

TEST(Path, NearPointers) {
  Arena arena;
  MappingBuilder inner(arena);
  inner.insert("ComputeCount", Value::integer(1));
  inner.insert("list", arena.sequence(std::array{arena.text("x"), arena.text("y")}));
  MappingBuilder root(arena);
  root.insert("parameters", inner.finish());
  root.insert("list", Value::null());
  const Value value = root.finish();
  EXPECT_EQ(near_pointer(value, "ComputeCount"), "/parameters/ComputeCount");
  EXPECT_EQ(near_pointer(value, "parameters.ComputeCount"), "/parameters/ComputeCount");
  EXPECT_EQ(near_pointer(value, "/ComputeCount"), "/parameters/ComputeCount");
  EXPECT_EQ(near_pointer(value, "/parameters/ComputCount"), "/parameters/ComputeCount");
  EXPECT_EQ(near_pointer(value, "/paramters/list/1"), "/parameters/list/1");
  EXPECT_EQ(near_pointer(value, "list"), "/list");
  EXPECT_EQ(near_pointer(value, "/zzz"), "");
  EXPECT_EQ(near_pointer(Value(), "a"), "");
}

TEST(Path, PointersAreSplit) {
  EXPECT_EQ(parse_pointer(""), Tokens{});
  EXPECT_EQ(parse_pointer("/"), Tokens{""});
  EXPECT_EQ(parse_pointer("/a//b"), (Tokens{"a", "", "b"}));
  EXPECT_EQ(parse_pointer("/~0~1~01"), Tokens{"~/~1"});
}

TEST(Path, BadPointersAreErrors) {
  for (const char* pointer : {"a", "a/b", "/~", "/~2", "/a~", "/~/x"}) {
    try {
      (void)parse_pointer(pointer);
      ADD_FAILURE() << pointer;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "pointer.syntax") << pointer;
    }
  }
}

TEST(Path, KeysAreText) {
  Arena arena;
  EXPECT_EQ(key_text(arena.text("x")), "x");
  EXPECT_EQ(key_text(Value::integer(-1)), "-1");
  EXPECT_EQ(key_text(Value::floating(1)), "1.0");
  EXPECT_EQ(key_text(arena.binary("hi")), "aGk=");
}

}  // namespace
}  // namespace strata
