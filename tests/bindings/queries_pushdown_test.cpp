// SPDX-License-Identifier: Apache-2.0
#include "bindings/queries/pushdown.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "queries_world.hpp"
#include "support/puppetdb_model.hpp"

namespace strata::bindings::queries {
namespace {

/// What is sent for a query.
std::string pushed(const std::string& query, const std::string& own = {}) {
  class Recorder final : public QueryService {
   public:
    explicit Recorder(std::string own) : own_(std::move(own)) {}
    const ResourceSet& ask(const Query& query) override {
      sent = pushed_query(query, own_);
      return nothing_;
    }
    [[nodiscard]] std::optional<std::vector<std::string>> parameter_names(std::string_view /*type*/) const override {
      return std::nullopt;
    }
    [[nodiscard]] std::string title() const override { return "recorder"; }
    std::string sent;

   private:
    std::string own_;
    Sources sources_;
    std::shared_ptr<Arena> arena_ = std::make_shared<Arena>();
    ResourceSet nothing_{sources_, arena_, arena_->sequence(), "nothing"};
  };
  World world;
  auto recorder = std::make_unique<Recorder>(own);
  Recorder& kept = *recorder;
  world.use(std::move(recorder));
  (void)world.evaluate(query);
  return kept.sent;
}

TEST(Pushdown, WhatIsSent) {
  EXPECT_EQ(pushed("Sql[??]"), R"(["from", "resources", ["=", "type", "Sql"]])");
  EXPECT_EQ(pushed("Sql::Db[?? title == one]"),
            R"(["from", "resources", ["and", ["=", "type", "Sql::Db"], ["~", "title", "^[oO][nN][eE]$"]]])");
  EXPECT_EQ(pushed("Sql[??]", "me.example.com"),
            R"(["from", "resources", ["and", ["=", "type", "Sql"], ["not", ["=", "certname", "me.example.com"]]]])");
  EXPECT_EQ(pushed("?? title == 'a.B-1'"), R"(["from", "resources", ["~", "title", "^[aA]\\.[bB]\\-1$"]])");
  EXPECT_EQ(pushed("?? exported == true and tag == 'Prod'"),
            R"(["from", "resources", ["and", ["=", "exported", true], ["=", "tag", "Prod"]]])");
  EXPECT_EQ(pushed("?? size == 10"),
            R"(["from", "resources", ["or", ["=", ["parameter", "size"], 10], ["=", ["parameter", "size"], 10.0]]])");
  EXPECT_EQ(pushed("?? on == false"), R"(["from", "resources", ["=", ["parameter", "on"], false]])");
  EXPECT_EQ(pushed("?? certname ~= /^web\\d+\\./"), R"(["from", "resources", ["~", "certname", "(?w)^web[0-9]+\\."]])");
}

TEST(Pushdown, WhatCannotBeSaidIsWidened) {
  EXPECT_EQ(pushed("?? size > 5"), R"(["from", "resources"])");
  EXPECT_EQ(pushed("?? user == bob"), R"(["from", "resources"])");
  EXPECT_EQ(pushed("?? user ~= /b/"), R"(["from", "resources"])");
  EXPECT_EQ(pushed("?? size > 5 and exported == true"), R"(["from", "resources", ["=", "exported", true]])");
  EXPECT_EQ(pushed("?? size > 5 or exported == true"), R"(["from", "resources"])");
  EXPECT_EQ(pushed("?? tag ~= /\\Aa\\z/"), R"(["from", "resources"])");
  EXPECT_EQ(pushed("?? tag ~= /[^A]/"), R"(["from", "resources"])");
  EXPECT_EQ(pushed("?? tag ~= /^a/"), R"(["from", "resources", ["~", "tag", "(?w)^a"]])");
  EXPECT_EQ(pushed("?? title ~= /(?<!a)b/"), R"(["from", "resources"])");
}

TEST(Pushdown, BelowNotTheOtherWay) {
  // A name of a user compared exactly is at most what the language's comparison is.
  EXPECT_EQ(pushed("?? user != bob"), R"(["from", "resources", ["not", ["=", ["parameter", "user"], "bob"]]])");
  EXPECT_EQ(pushed("?? not (size > 5 and exported == true)"), R"(["from", "resources"])");
  EXPECT_EQ(pushed("?? not (size > 5 or exported == true)"),
            R"(["from", "resources", ["not", ["=", "exported", true]]])");
  EXPECT_EQ(pushed("?? not (not exported == true)"),
            R"(["from", "resources", ["not", ["not", ["=", "exported", true]]]])");
  // `^` is stronger where the match is negated.
  EXPECT_EQ(pushed("?? title !~ /^a/"), R"(["from", "resources", ["not", ["~", "title", "^a"]]])");
  // SQL has nothing for a file that is missing.
  EXPECT_EQ(pushed("?? file != '/a'"), R"(["from", "resources"])");
  EXPECT_EQ(pushed("?? file ~= /x*/"), R"(["from", "resources"])");
  EXPECT_EQ(pushed("?? file ~= /x/"), R"(["from", "resources", ["~", "file", "x"]])");
}

TEST(Pushdown, Patterns) {
  const auto above = [](std::string_view pattern) { return pushed_pattern(pattern, Bound::above).value_or("none"); };
  EXPECT_EQ(above("a.b"), "a[^\n]b");
  EXPECT_EQ(above("\\Aa\\z"), "\\Aa\\Z");
  EXPECT_EQ(above("(a|b)+?c"), "(?:a|b)+c");
  EXPECT_EQ(above("[a-z\\d_.-]"), "[a-z0-9_\\.\\-]");
  EXPECT_EQ(above("é+"), "é+");
  for (const char* pattern : {"(?i)a", "(?=a)", "a{2}", "a++", "[[:alpha:]]", "[a&&b]", "\\b", "\\1", "*", "a**", "(",
                              "[", "\\", "^*", "[é]", "\\h", "a)"}) {
    EXPECT_EQ(above(pattern), "none") << pattern;
  }
  EXPECT_EQ(pushed_text(std::string(300, 'a')), std::nullopt);
  EXPECT_EQ(above(std::string(300, 'a')), "none");
  EXPECT_EQ(above(std::string(50, '(') + std::string(50, ')')), "none");
}

/// One of some.
template <std::size_t N>
const char* pick(const std::array<const char*, N>& all) {
  return all.at(*rc::gen::inRange<std::size_t>(0, N));
}

constexpr std::array<const char*, 9> kTexts{"a", "A", "ab", "b\na", "a\n", "", "K", "10", "é"};
constexpr std::array<const char*, 12> kPatterns{"^a",  "a$",    "^a$",     "a|b", "[^a]", ".",
                                                "b?$", "(?i)A", "\\Aa\\z", "^$",  "a.b",  "\\w\\n^"};

/// Text that parses to a value.
std::string any_literal() {
  constexpr std::array<const char*, 9> kValues{"'a'",  "'A'",   "\"b\\na\"", "10",        "10.0",
                                               "true", "undef", "'10'",      "([1, 'a'])"};
  return pick(kValues);
}

// Recursion: the depth falls.
std::string any_condition(int depth) {
  const int choice = depth == 0 ? 0 : *rc::gen::inRange(0, 4);
  if (choice == 1) return "(" + any_condition(depth - 1) + " and " + any_condition(depth - 1) + ")";
  if (choice == 2) return "(" + any_condition(depth - 1) + " or " + any_condition(depth - 1) + ")";
  if (choice == 3) return "not (" + any_condition(depth - 1) + ")";
  constexpr std::array<const char*, 8> kFields{"title", "type", "certname", "exported",
                                               "tag",   "file", "x",        "parameter.y"};
  constexpr std::array<const char*, 6> kOperators{" == ", " != ", " == ", " < ", " ~= ", " !~ "};
  const std::string operation = pick(kOperators);
  const bool is_match = operation == " ~= " || operation == " !~ ";
  return pick(kFields) + operation + (is_match ? "/" + std::string(pick(kPatterns)) + "/" : any_literal());
}

std::string any_resource(int number) {
  const auto text = [] {
    std::string out;
    text::append_json_text(out, pick(kTexts));
    return out;
  };
  constexpr std::array<const char*, 8> kValues{R"("a")", R"("A")", "10",      "10.0",
                                               "true",   "null",   R"("10")", R"([1, "a"])"};
  std::string title = text();
  if (title == "\"\"") title = "\"z\"";
  std::string out = R"({"type": ")" + std::string(*rc::gen::arbitrary<bool>() ? "A" : "Ab") + R"(", "title": )" +
                    title + R"(, "certname": "n)" + std::to_string(number) + R"(", "exported": )" +
                    (*rc::gen::arbitrary<bool>() ? "true" : "false") + R"(, "tags": [)";
  if (*rc::gen::arbitrary<bool>()) out += text();
  out += "], \"parameters\": {";
  if (*rc::gen::arbitrary<bool>()) out += std::string("\"x\": ") + pick(kValues);
  out += "}";
  if (*rc::gen::arbitrary<bool>()) out += ", \"file\": " + text();
  return out + "}";
}

RC_GTEST_PROP(Pushdown, LetsEverythingThroughThatMatches, ()) {
  std::string inventory = "[";
  for (int i = 0; i < 6; ++i) inventory += (i == 0 ? "" : ", ") + any_resource(i);
  const std::string condition = any_condition(3);
  World world(inventory + "]", {}, "n.json");
  auto tree = std::make_shared<puppet::SyntaxTree>(condition.size());
  puppet::Parser parser(world.sources, world.sources.add("q", "?? " + condition), *tree, world.limits);
  puppet::Evaluator evaluator(
      {.sources = world.sources, .arena = world.arena, .limits = world.limits, .diagnostics = world.diagnostics});
  puppet::Scope scope(nullptr);
  const auto& query = puppet::as<puppet::Query>(*parser.expression({.queries = true}));
  const Condition evaluated = evaluate(*query.condition, scope, evaluator);
  const Value filter = pushed_filter(world.arena, evaluated);
  for (const Resource& resource : world.service->ask({}).all()) {
    const bool is_match = matches(resource, evaluated, evaluator);
    const bool comes = !filter || strata::testing::puppetdb_holds(filter, resource) == true;
    RC_LOG() << condition << " on " << text::write_json(resource.printed) << " filter "
             << (filter ? text::write_json(filter, {.sort_keys = false, .indent = -1}) : "") << "\n";
    RC_ASSERT(comes || !is_match);
    if (!filter) continue;
    RC_CLASSIFY(!is_match && !comes, "saved");
  }
}

}  // namespace
}  // namespace strata::bindings::queries
