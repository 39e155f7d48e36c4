// SPDX-License-Identifier: Apache-2.0
// Laws of paths.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "deckhand/path/write.hpp"
#include "deckhand/world.hpp"

namespace strata::deckhand {
namespace {

rc::Gen<std::string> any_path() {
  const auto piece =
      rc::gen::element<std::string>("a", "b", ".", "..", "*", "[0]", "[-1]", "[*]", "[1:]", "$", "'a b'", "['a']", ",",
                                    "|", " where ", "(", ")", "`this`", "`parent`", "1", "&", "[0,1]");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const std::vector<std::string>& pieces) {
    std::string text = ".";
    for (const std::string& one : pieces) text += one;
    return text;
  });
}

testing::SampleOptions json() { return {.text_keys_only = true, .json_only = true, .finite = true}; }

RC_GTEST_PROP(PathLaws, AnyTextIsAPathOrAnError, ()) {
  const std::string text = *rc::gen::oneOf(any_path(), testing::any_text());
  const testing::Sample data = *testing::any_value(json());
  const testing::Sample value = *testing::any_value(json());
  World world;
  try {
    const PathExpression path = PathExpression::parse(text);
    const auto all = path.find(data.value, world.rendering);
    const auto first = path.first(data.value, world.rendering);
    RC_ASSERT(first.has_value() == !all.empty());
    const auto read = path.read({data.value, {}}, world.rendering);
    if (first) RC_ASSERT(identical(read->value, all.front().value));
    merge::Accumulator accumulator(world.arena, world.limits, world.recorder);
    accumulator.start({data.value, world.recorder.add_layer("data")});
    write(accumulator, path, {value.value, world.recorder.add_layer("value")}, world.rendering);
    (void)world.history().explain(accumulator.current());
  } catch (const Error& error) {
    RC_ASSERT(std::string_view(error.what()).size() > 0U);
  }
}

RC_GTEST_PROP(PathLaws, WhatIsWrittenByKeysIsReadAgain, ()) {
  const auto keys = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>("a", "b", "c-d", "_e")));
  std::string text;
  for (const std::string& key : keys) text += "." + key;
  const testing::Sample value = *testing::any_value(json());
  World world(false);
  const PathExpression path = PathExpression::parse(text);
  merge::Accumulator data(world.arena, world.limits, world.recorder);
  data.start({world.yaml("{a: {b: {}, k: 1}, c-d: {}}"), {}});
  try {
    write(data, path, {value.value, {}}, world.rendering);
  } catch (const Error& error) {
    RC_DISCARD(error.what());
  }
  RC_ASSERT(identical(path.first(data.current().value, world.rendering)->value, value.value));
  RC_ASSERT(path.find(data.current().value, world.rendering).size() == 1U);
}

}  // namespace
}  // namespace strata::deckhand
