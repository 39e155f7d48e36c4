// SPDX-License-Identifier: Apache-2.0
#include "merge/references.hpp"

#include <gtest/gtest.h>

#include "merge/draft.hpp"
#include "merge/held.hpp"
#include "merge/name_list.hpp"
#include "strata/strategy.hpp"
#include "strata/text.hpp"
#include "support/expect_error.hpp"
#include "text/placed_references.hpp"

namespace strata::merge {
namespace {

constexpr text::ReferenceGrammar kGrammar{};

Traced step_into(const Traced& value, std::string_view step, bool /*is_last*/) { return Builder::member(value, step); }
std::string shown_in_text(const Value& value) {
  return value.is_text() ? std::string(value.text()) : text::write_json(value, {.indent = -1});
}

/// Puts references into a document; the keys of its mappings stay.
class Placed final : public text::PlacedReferences {
 public:
  Placed(const text::Document& document, Sources& sources, const Limits& limits)
      : PlacedReferences(document, sources, kGrammar, limits), sources_(sources) {}
  [[nodiscard]] Value all(const Value& root) { return placed(root, true); }
  std::size_t merged_mappings = 0;

 private:
  [[nodiscard]] Value referring(const Value& text) const override {
    return text::with_references(arena(), text, text::parse_references(text.text(), kGrammar, sources_, text.origin()));
  }
  [[nodiscard]] Value merged(const Value& mapping) override {
    ++merged_mappings;
    return with_members(arena(), mapping, [this](const Value& member) { return placed(member, false); });
  }
  const Sources& sources_;
};

class Followed final : public References {
 public:
  Followed(const Traced& root, const Builder& make, const Sources& sources, const Limits& limits)
      : References(root, make, kGrammar, sources, limits, {.circle = "test.circle", .missing = "test.missing"}) {}

 private:
  [[nodiscard]] bool is_other_placeholder(const Value& object) const override { return held_of(object) != nullptr; }
  [[nodiscard]] Traced resolve(const Traced& placeholder) override {
    if (const Held* held = held_of(placeholder.value)) return here({held->value(), placeholder.slot});
    return followed(placeholder, *text::reference_of(placeholder.value));
  }
  [[nodiscard]] Traced step_into(const Traced& value, std::string_view step, bool is_last) const override {
    return merge::step_into(value, step, is_last);
  }
  [[nodiscard]] std::string spelled(const Value& value, std::size_t /*most*/) const override {
    return shown_in_text(value);
  }
};

class ReferencesTest : public ::testing::Test {
 protected:
  [[nodiscard]] Value placed(const std::string& yaml) {
    document_ = text::read_yaml(sources_, sources_.add("all.yaml", yaml), text::core12(), limits_);
    Placed references(document_, sources_, limits_);
    const Value out = references.all(document_.root);
    merged_mappings_ = references.merged_mappings;
    return out;
  }
  std::string followed(const std::string& yaml) {
    const Traced root{placed(yaml), {}};
    return text::write_json(Followed(root, Builder(arena_, nothing_), sources_, limits_).run({}).first.value,
                            {.indent = -1});
  }

  Sources sources_;
  Arena arena_;
  NullRecorder nothing_{sources_};
  Limits limits_;
  text::Document document_;
  std::size_t merged_mappings_ = 0;
};

TEST_F(ReferencesTest, StandForValuesAndForPartsOfTexts) {
  EXPECT_EQ(followed("{a: '${b}', b: {c: 1}, d: 'x ${f} y', e: '${b:${f}}', f: c}"),
            R"({"a": {"c": 1}, "b": {"c": 1}, "d": "x c y", "e": 1, "f": "c"})"
            "\n");
}

TEST_F(ReferencesTest, ThatLeadNowhereAreReportedTogether) {
  try {
    (void)followed("a: ${b}\nc: ${d:e}\nd: {}\nf: ${b}\n");
    ADD_FAILURE() << "did not fail";
  } catch (const Errors& errors) {
    ASSERT_EQ(errors.all().size(), 3U);
    EXPECT_EQ(errors.all()[0].message, "the reference ${b} has no value");
    EXPECT_EQ(errors.all()[1].hint, "there is no 'e' in 'd'");
  }
}

TEST_F(ReferencesTest, InACircleAreAnError) {
  STRATA_EXPECT_ERROR((void)followed("{a: '${b}', b: '${a}'}"), "test.circle");
}

TEST_F(ReferencesTest, IntoLongTextsAreBounded) {
  limits_.input = 1000;
  const std::string half(400, 'x');
  EXPECT_NO_THROW((void)followed("{a: " + half + ", b: '${a}${a}'}"));
  STRATA_EXPECT_ERROR((void)followed("{a: " + half + ", b: '${a}${a}${a}'}"), "limit.result");
}

TEST_F(ReferencesTest, InWhatSeveralAliasesHoldAreOne) {
  const Value root = placed("{a: &x {k: '${b}'}, c: *x, b: 1}");
  EXPECT_EQ(root.find("a")->entries().data(), root.find("c")->entries().data());
  EXPECT_NE(root.find("a")->origin().location, root.find("c")->origin().location);
  EXPECT_EQ(merged_mappings_, 1U);  // The root: its members are not merged.
}

TEST_F(ReferencesTest, CanBeSpelledBeforeEverythingIsSettled) {
  const Value root = placed("{a: {b: x}, c: '${a:b}'}");
  const auto spelled = [&](std::string_view text) {
    const auto refuse_objects = [](const Value& value, std::string_view path) {
      if (value.kind() == Kind::object) throw Error("test.open", std::string(path));
      return shown_in_text(value);
    };
    return spelled_in(root, text::parse_references(text, kGrammar, sources_, {}), kGrammar, step_into, refuse_objects);
  };
  EXPECT_EQ(spelled("<${a:b}>"), "<x>");
  EXPECT_EQ(spelled("<${a:z}>"), std::nullopt);
  STRATA_EXPECT_ERROR((void)spelled("<${c}>"), "test.open");
}

TEST_F(ReferencesTest, MayLeadToHeldValues) {
  const Value value = placed("{a: {b: 1}}");
  const Traced kept = held(Builder(arena_, nothing_), {value, {}}, 7, shown_in_text);
  EXPECT_EQ(held_of(kept.value)->tag(), 7);
  EXPECT_EQ(held_of(value), nullptr);
  MappingBuilder root(arena_);
  root.insert("x", kept.value);
  const Value all = Followed({root.finish(), {}}, Builder(arena_, nothing_), sources_, limits_).run({}).first.value;
  EXPECT_EQ(text::write_json(all, {.indent = -1}), "{\"x\": {\"a\": {\"b\": 1}}}\n");
}

TEST(NameList, AddsOnceAndRemoves) {
  Sources sources;
  Arena arena;
  NullRecorder nothing(sources);
  const Builder make(arena, nothing);
  const auto add = [&](NameList& list, std::string_view name) { list.add({arena.text(name), {}}); };
  const auto shown = [&](const NameList& list) { return text::write_json(list.list(make).value, {.indent = -1}); };
  NameList all('~');
  for (const std::string_view name : {"a", "b", "a", "~b", "c", "~z", "b"}) add(all, name);
  EXPECT_EQ(shown(all), "[\"a\", \"c\", \"b\"]\n");
  NameList others('~');
  for (const std::string_view name : {"d", "c", "~d"}) add(others, name);
  all.add(others);
  EXPECT_EQ(shown(all), "[\"a\", \"c\", \"b\"]\n");
}

TEST(Draft, GoesOnWhereItWas) {
  Sources sources;
  Arena arena;
  const Limits limits;
  Draft draft(sources, limits, 1);
  draft.merged().start({arena.mapping(), {}});
  std::vector<std::size_t> merged;
  const auto add = [&](Accumulator& all, std::size_t number) {
    merged.push_back(number);
    MappingBuilder layer(arena);
    layer.insert(std::to_string(number), Value::integer(1));
    all.merge({layer.finish(), {}}, deep_replace());
  };
  EXPECT_EQ(draft.until(3, add).size(), 2U);
  EXPECT_EQ(draft.until(3, add).size(), 2U);
  EXPECT_EQ(draft.until(4, add).size(), 3U);
  EXPECT_EQ(merged, (std::vector<std::size_t>{1, 2, 3}));
}

}  // namespace
}  // namespace strata::merge
