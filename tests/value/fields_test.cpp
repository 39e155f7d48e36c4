// SPDX-License-Identifier: Apache-2.0
#include "value/fields.hpp"

#include <gtest/gtest.h>

#include <array>

#include "strata/builder.hpp"

namespace strata {
namespace {

class FieldsTest : public ::testing::Test {
 protected:
  Value made(std::initializer_list<std::pair<std::string_view, Value>> members) {
    MappingBuilder builder(arena_);
    for (const auto& [name, value] : members)
      builder.insert(name, value.with_origin(sources_.at(source_, builder.size())));
    return builder.finish().with_origin(sources_.at(source_, 0));
  }

  /// `code line:column: message (hint)` of what `action` throws, each of several on a line.
  template <class Action>
  static std::string error_of(const Action& action) {
    const auto told = [](const Diagnostic& one) {
      std::string out = one.code;
      if (one.where.place.line) out += " 1:" + std::to_string(*one.where.place.column);
      out += ": " + one.message;
      return one.hint.empty() ? out : out + " (" + one.hint + ")";
    };
    try {
      action();
    } catch (const Errors& errors) {
      std::string out;
      for (const Diagnostic& one : errors.all()) out += (out.empty() ? "" : "\n") + told(one);
      return out;
    } catch (const Error& error) {
      return told(error.diagnostic());
    }
    return {};
  }

  Arena arena_;
  Sources sources_;
  SourceId source_ = sources_.add("f", "0123456789");
  FieldErrors errors_{.code = "f.shape", .key_code = "f.key", .sources = &sources_};
};

TEST_F(FieldsTest, OfWhatIsNoMapping) {
  const Value list = arena_.sequence().with_origin(sources_.at(source_, 2));
  EXPECT_EQ(error_of([&] { Fields(list, "a thing", errors_); }),
            "f.shape 1:3: a thing must be a mapping, not a sequence");
}

TEST_F(FieldsTest, MembersThatAreThere) {
  const Value value = made({{"t", arena_.text("x")},
                            {"e", arena_.text("")},
                            {"b", Value::boolean(true)},
                            {"n", Value::integer(5)},
                            {"l", arena_.sequence(std::array{arena_.text("x")})},
                            {"m", arena_.mapping()},
                            {"null", Value::null()}});
  const Fields fields(value, "a thing", errors_);
  EXPECT_EQ(fields.text("t")->text(), "x");
  EXPECT_EQ(fields.text("e")->text(), "");
  EXPECT_EQ(fields.word("t")->text(), "x");
  EXPECT_EQ(fields.needed_word("t").text(), "x");
  EXPECT_TRUE(fields.flag("b"));
  EXPECT_EQ(fields.number("n", 5, 5), 5);
  EXPECT_EQ(fields.texts("l")->size(), 1U);
  EXPECT_EQ(fields.mapping("m")->size(), 0U);
}

TEST_F(FieldsTest, MembersThatAreNotThere) {
  const Value value = made({{"null", Value::null()}});
  const Fields fields(value, "a thing", errors_);
  for (const std::string_view name : {"null", "none"}) {
    EXPECT_EQ(fields.find(name), nullptr);
    EXPECT_EQ(fields.text(name), nullptr);
    EXPECT_EQ(fields.word(name), nullptr);
    EXPECT_FALSE(fields.flag(name));
    EXPECT_EQ(fields.number(name, 0, 1), std::nullopt);
    EXPECT_EQ(fields.mapping(name), nullptr);
    EXPECT_EQ(fields.list(name), nullptr);
    EXPECT_EQ(fields.texts(name), nullptr);
  }
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.needed_word("none")); }), "f.shape 1:1: a thing has no 'none'");
}

TEST_F(FieldsTest, WrongMembers) {
  const Value text = arena_.text("x");
  const Value value = made({{"a", text},
                            {"b", Value::integer(7)},
                            {"c", arena_.text("")},
                            {"d", arena_.sequence(std::array{text, Value::null()})}});
  const Fields fields(value, "a thing", errors_);
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.text("b")); }),
            "f.shape 1:2: 'b' of a thing must be a text, not an integer");
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.word("b")); }),
            "f.shape 1:2: 'b' of a thing must be a text that is not empty, not an integer");
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.word("c")); }),
            "f.shape 1:3: 'c' of a thing must be a text that is not empty");
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.flag("a")); }),
            "f.shape 1:1: 'a' of a thing must be true or false, not text");
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.number("a", 1, 2)); }),
            "f.shape 1:1: 'a' of a thing must be a number from 1 to 2, not text");
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.number("b", 8, 9, "seconds")); }),
            "f.shape 1:2: 'b' of a thing must be a number of seconds from 8 to 9");
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.number("b", 1, 6)); }),
            "f.shape 1:2: 'b' of a thing must be a number from 1 to 6");
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.mapping("a")); }),
            "f.shape 1:1: 'a' of a thing must be a mapping, not text");
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.list("a", "a list of names")); }),
            "f.shape 1:1: 'a' of a thing must be a list of names, not text");
}

TEST_F(FieldsTest, WrongItems) {
  const Value bad = Value::integer(1).with_origin(sources_.at(source_, 8));
  MappingBuilder keys(arena_);
  keys.insert(bad, bad);
  const Value value = made({{"d", arena_.sequence(std::array{arena_.text("x"), bad})}, {"m", keys.finish()}});
  const Fields fields(value, "a thing", errors_);
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.texts("d", "a list of names")); }),
            "f.shape 1:9: 'd' of a thing must be a list of names; this item is an integer");
  EXPECT_EQ(error_of([&] { static_cast<void>(fields.mapping("m")); }),
            "f.shape 1:9: the keys of 'm' of a thing must be texts, not an integer");
}

TEST_F(FieldsTest, UnknownKeysAreToldTogetherWithSimilarNames) {
  MappingBuilder builder(arena_);
  for (const auto& [name, offset] : {std::pair("first", 0U), std::pair("secnd", 1U), std::pair("zzzzzz", 2U)}) {
    builder.insert(arena_.key(arena_.text(name)).with_origin(sources_.at(source_, offset)), Value::null());
  }
  builder.insert(Value::integer(3).with_origin(sources_.at(source_, 3)), Value::null());
  const Value value = builder.finish();
  constexpr std::array<std::string_view, 2> kKnown{"first", "second"};
  const Fields fields(value, "a thing", errors_);
  EXPECT_EQ(error_of([&] { fields.only(kKnown); }),
            "f.key 1:2: a thing has an unknown key 'secnd' (did you mean 'second'?)\n"
            "f.key 1:3: a thing has an unknown key 'zzzzzz' (it may have first, second)\n"
            "f.key 1:4: the keys of a thing must be texts, not an integer");
  EXPECT_EQ(error_of([&] {
              fields.only(std::array<std::string_view, 3>{"first", "secnd", "x"}, "'it'");
            }).substr(0, 43),
            "f.key 1:3: 'it' has an unknown key 'zzzzzz'");
}

TEST_F(FieldsTest, ErrorsHaveWhatTheirOwnerSays) {
  const FieldErrors errors{
      .code = "f.shape", .sources = &sources_, .place = sources_.at(source_, 4), .prefix = "here: ", .hint = "look"};
  EXPECT_EQ(error_of([&] { Fields(Value::integer(1), "a thing", errors); }),
            "f.shape 1:5: here: a thing must be a mapping, not an integer (look)");
  const FieldErrors without{.code = "f.shape"};
  EXPECT_EQ(error_of([&] { Fields(Value::integer(1), "a thing", without); }),
            "f.shape: a thing must be a mapping, not an integer");
}

}  // namespace
}  // namespace strata
