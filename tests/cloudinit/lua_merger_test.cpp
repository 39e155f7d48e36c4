// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "strata/cloudinit.hpp"
#include "strata/text.hpp"
#include "support/sessions.hpp"

namespace strata::cloudinit {
namespace {

/// One merge of parts with one merger.
class LuaMerger : public ::testing::Test {
 protected:
  const Result& merge(const std::string& lua, std::vector<std::string> parts,
                      const std::string& strategy = "mine()+dict(recurse_list)+str()") {
    mergers_.push_back(lua_merger("mine", session.sources().add("mine.lua", lua), session));
    Request request;
    for (std::size_t i = 0; i < parts.size(); ++i)
      request.user_data.push_back({.name = "p" + std::to_string(i + 1), .bytes = "#cloud-config\n" + parts[i]});
    request.strategy = strategy;
    request.mergers = {mergers_.back()};
    results_.push_back(cloudinit::merge(request, session));
    return results_.back();
  }
  std::string merged(const std::string& lua, std::vector<std::string> parts,
                     const std::string& strategy = "mine()+dict(recurse_list)+str()") {
    return text::write_json(merge(lua, std::move(parts), strategy).config.value, {.sort_keys = false, .indent = 0});
  }
  std::string place(const Value& value) { return session.sources().place(value.origin()).to_string(); }

  Session session = testing::test_session({}, {.keeps_history = true});
  const Diagnostics& diagnostics = session.diagnostics();

 private:
  std::vector<CustomMerger> mergers_;
  std::vector<Result> results_;
};

std::string read_example() {
  std::ifstream file(STRATA_SOURCE_DIR "/examples/cloud-init/mergers/by_name.lua");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string compact(std::string json) {
  std::erase_if(json, [](char c) { return c == ' ' || c == '\n'; });
  return json;
}

TEST_F(LuaMerger, ExampleMergesByName) {
  const auto result =
      compact(merged(read_example(), {"users:\n- default\n- {name: ann, shell: sh, groups: [a]}\n- {name: bob}\n",
                                      "users:\n- {name: ann, sudo: true}\n- default\n- {name: cid}\n"}));
  EXPECT_EQ(
      result,
      R"({"users":["default",{"name":"ann","shell":"sh","groups":["a"],"sudo":true},{"name":"bob"},{"name":"cid"}]})");
  EXPECT_TRUE(diagnostics.warnings().empty());
}

TEST_F(LuaMerger, ExampleTakesOptions) {
  EXPECT_EQ(compact(merged(read_example(),
                           {"f:\n- {path: /a, content: 1, mode: 2}\n", "f:\n- {path: /a, content: 3}\n- {path: /b}\n"},
                           "mine(key_path, replace)+dict(recurse_list)")),
            R"({"f":[{"path":"/a","content":3},{"path":"/b"}]})");
}

TEST_F(LuaMerger, ResultsKeepTheirPlaces) {
  const Result& result = merge(
      read_example(), {"users:\n- {name: ann, shell: sh}\n", "users:\n- {name: ann, sudo: true}\n- {name: bob}\n"});
  const Value ann = result.config.value.find("users")->items()[0];
  EXPECT_EQ(place(*ann.find("shell")), "p1:3:22");
  EXPECT_EQ(place(*ann.find("sudo")), "p2:3:21");
  EXPECT_EQ(place(*result.config.value.find("users")->items()[1].find("name")), "p2:4:10");
}

TEST_F(LuaMerger, HandlersGetTheirShapes) {
  EXPECT_EQ(compact(merged("return { on_string = function(old, new) return old .. '+' .. new end }",
                           {"a: x\nl: [1]\n", "a: y\nl: [2]\n", "a: z\n"},
                           "mine()+list(append)+dict(recurse_str,recurse_list)")),
            R"({"a":"x+y+z","l":[1,2]})");
  EXPECT_EQ(compact(merged("return { on_mapping = function(old, new) local r = mapping(old) for k, v in pairs(new) do "
                           "r[k] = v end r.n = (old.n or "
                           "0) + 1 return r end }",
                           {"a: 1\n", "b: 2\n"}, "mine()")),
            R"({"a":1,"n":2,"b":2})");
}

TEST_F(LuaMerger, FactoriesGetTheOptions) {
  EXPECT_EQ(compact(merged("return function(options) local last = options[#options] return { on_sequence = function() "
                           "return {last, options.x == true} end } end",
                           {"l: [1]\n", "l: [2]\n"}, "mine(x, y)+dict(recurse_list)")),
            R"({"l":["y",true]})");
}

TEST_F(LuaMerger, RecursionUsesTheStrategy) {
  const std::string sum = R"(return { on_mapping = function(old, new, options, merge)
    local r = mapping(old)
    for k, v in pairs(new) do
      if kind(v) == "integer" and kind(r[k]) == "integer" then r[k] = r[k] + v else r[k] = merge(r[k], v) end
    end
    return r
  end })";
  EXPECT_EQ(compact(merged(sum, {"a: {n: 1, l: [x], deep: {m: 2}}\n", "a: {n: 4, l: [y], deep: {m: 3}, new: {z: 1}}\n"},
                           "mine()+list(append)")),
            R"({"a":{"n":5,"l":["x","y"],"deep":{"m":5},"new":{"z":1}}})");
}

TEST_F(LuaMerger, NilRemoves) {
  EXPECT_EQ(compact(merged("return { on_sequence = function() return nil end }", {"a: 1\nl: [1]\n", "l: [2]\nb: 3\n"})),
            R"({"a":1,"b":3})");
  EXPECT_EQ(
      compact(merged("return { on_string = function() return nil end }", {"l: [a, {}, b, 1]\n", "l: [x, {}, y, 2]\n"},
                     "mine()+list(recurse_str)+dict(recurse_list)")),
      R"({"l":[{},2]})");
}

TEST_F(LuaMerger, EndlessMutualRecursionEnds) {
  EXPECT_EQ(compact(merged("return { on_sequence = function(old, new, options, merge) return merge(old, new) end }",
                           {"l: [1]\n", "l: [2]\nb: 1\n"})),
            R"({"l":[1]})");
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
}

TEST_F(LuaMerger, CaughtErrorsLeaveTheMergeWhole) {
  EXPECT_EQ(
      compact(merged(
          "return { on_sequence = function(old, new, options, merge) local ok = pcall(merge, {a = old}, {a = print}) "
          "return {ok, merge({k = 1}, {m = 2})} end }",
          {"l: [1]\nz: {a: 1}\n", "l: [2]\nz: {b: 1}\n"})),
      R"({"l":[true,{"k":1,"m":2}],"z":{"a":1,"b":1}})");
}

TEST_F(LuaMerger, ErrorsFailThePartAndNameThePlaces) {
  EXPECT_EQ(compact(merged("return {\n on_sequence = function(old)\n  error('no ' .. old[1])\n end }",
                           {"l: [1]\n", "l: [2]\nb: 1\n", "c: 1\n"})),
            R"({"l":[1],"c":1})");
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  const Diagnostic& warning = diagnostics.warnings().front();
  EXPECT_EQ(warning.code, "lua.runtime");
  EXPECT_EQ(warning.where.place.to_string(), "mine.lua:3:3");
  EXPECT_NE(warning.message.find("no 1"), std::string::npos);
  EXPECT_NE(warning.message.find("p2 (part-002) is skipped"), std::string::npos);
  ASSERT_EQ(warning.notes.size(), 1U);
  EXPECT_EQ(warning.notes.front().place.to_string(), "p2:2:4");
}

TEST_F(LuaMerger, FilesMustReturnHandlers) {
  for (const char* lua :
       {"return 1", "", "return {}", "return { on_sequence = 1 }", "return { on_list = function() end }"}) {
    try {
      (void)lua_merger("mine", session.sources().add("mine.lua", lua), session);
      FAIL() << lua;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "merger.lua") << lua;
    }
  }
  EXPECT_THROW((void)merged("return function() end", {"a: 1\n"}), Error);
}

TEST_F(LuaMerger, NamesFollowTheReference) {
  EXPECT_EQ(merger_name("by_name"), "by_name");
  EXPECT_EQ(merger_name("m_by_name"), "by_name");
  for (const char* name : {"", "m_", "a-b", "1a", "list", "m_dict", "str", "a b", "é"})
    EXPECT_THROW((void)merger_name(name), Error) << name;
}

}  // namespace
}  // namespace strata::cloudinit
