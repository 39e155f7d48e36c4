// SPDX-License-Identifier: Apache-2.0
#include "strata/placeholders.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "strata/text.hpp"
#include "support/expect_error.hpp"
#include "world.hpp"

namespace strata::merge {
namespace {

/// Stands for the value of a name.
class Named final : public Object {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::string to_string() const override { return "@" + name_; }
  [[nodiscard]] bool equals(const Object& other) const override { return this == &other; }
  [[nodiscard]] std::size_t hash() const override { return 0; }

 private:
  std::string name_;
};

const Named* named(const Value& value) {
  return value.kind() == Kind::object ? dynamic_cast<const Named*>(&value.as_object()) : nullptr;
}

/// Values by name; a text `@NAME` in them stands for another one.
class Names final : public Placeholders {
 public:
  Names(const Builder& make, const Sources& sources, const Limits& limits, const Value& all)
      : Placeholders(make, sources, limits, "test.circle"), all_(marked(all)) {}

  [[nodiscard]] Value everywhere_in(std::string_view name) { return everywhere({*all_.find(name), {}}).value; }
  std::size_t resolved = 0;

 private:
  Value marked(const Value& value) {
    if (value.is_text() && value.text().starts_with('@'))
      return make().arena().object(std::make_shared<Named>(std::string(value.text().substr(1))));
    if (!value.is_container()) return value;
    return strata::with_members(make().arena(), value, [this](const Value& member) { return marked(member); });
  }
  [[nodiscard]] bool is_placeholder(const Value& object) const override { return named(object) != nullptr; }
  [[nodiscard]] Traced resolve(const Traced& placeholder) override {
    ++resolved;
    const Value* value = all_.find(named(placeholder.value)->name());
    if (value == nullptr) throw Error("test.missing", "no such name");
    return here({*value, {}});
  }
  [[nodiscard]] Traced without(const Traced& /*placeholder*/, const Error& error) override {
    if (error.diagnostic().code != "test.missing") throw Error(error);
    return {Value::null(), {}};
  }
  [[nodiscard]] std::string text_of(const Object& placeholder) const override { return placeholder.to_string(); }

  Value all_;
};

class PlaceholdersTest : public ::testing::Test {
 protected:
  Names names(const std::string& yaml) { return {Builder(arena_, nothing_), sources_, limits_, parsed(yaml)}; }
  std::string asked(const std::string& yaml, std::string_view name = "a") {
    Names all = names(yaml);
    return text::write_json(all.everywhere_in(name), {.indent = -1});
  }
  Value parsed(const std::string& yaml) {
    document_ = text::read_yaml(sources_, sources_.add("names", yaml), text::core12(), {});
    return document_.root;
  }

  Sources sources_;
  Arena arena_;
  NullRecorder nothing_{sources_};
  Limits limits_;
  text::Document document_;
};

TEST_F(PlaceholdersTest, StandForValuesAtAnyDepth) {
  EXPECT_EQ(asked("{a: [1, '@b', {x: '@c'}], b: {y: '@c'}, c: 2}"), "[1, {\"y\": 2}, {\"x\": 2}]\n");
  EXPECT_EQ(asked("{a: '@b', b: '@c', c: [3]}"), "[3]\n");
  EXPECT_EQ(asked("{a: [1, {x: 2}]}"), "[1, {\"x\": 2}]\n");
}

TEST_F(PlaceholdersTest, WithoutAnyTheValueIsShared) {
  Names all = names("{a: [1, {x: 2}]}");
  const Value before = *document_.root.find("a");
  EXPECT_EQ(all.everywhere_in("a").items().size(), before.size());
}

TEST_F(PlaceholdersTest, EachIsResolvedOnce) {
  Names all = names("{a: ['@b', '@b'], b: ['@c'], c: 1}");
  (void)all.everywhere_in("a");
  (void)all.everywhere_in("a");
  EXPECT_EQ(all.resolved, 3U);
}

TEST_F(PlaceholdersTest, CirclesAreErrors) {
  for (const char* yaml : {"{a: '@a'}", "{a: '@b', b: '@c', c: '@b'}", "{a: ['@a']}", "{a: ['@b'], b: {x: '@a'}}"}) {
    STRATA_EXPECT_ERROR((void)asked(yaml), "test.circle");
  }
  // Through a value is not inside it.
  EXPECT_EQ(asked("{a: ['@b', '@c'], b: ['@c'], c: []}"), "[[[]], []]\n");
}

TEST_F(PlaceholdersTest, WhatCannotBeResolved) { EXPECT_EQ(asked("{a: [1, '@gone', 2]}"), "[1, null, 2]\n"); }

TEST_F(PlaceholdersTest, SizesAreBounded) {
  std::string yaml = "{a: '@n40', n0: [1, 2]";
  for (int i = 1; i <= 40; ++i) {
    const std::string before = std::to_string(i - 1);
    yaml += ", n" + std::to_string(i) + ": ['@n" + before + "', '@n" + before + "']";
  }
  STRATA_EXPECT_ERROR((void)asked(yaml + "}"), "limit.result");
  limits_.depth = 10;
  std::string deep = "{a: '@n20', n0: 1";
  for (int i = 1; i <= 20; ++i) deep += ", n" + std::to_string(i) + ": ['@n" + std::to_string(i - 1) + "']";
  STRATA_EXPECT_ERROR((void)asked(deep + "}"), "limit.depth");
}

}  // namespace
}  // namespace strata::merge
