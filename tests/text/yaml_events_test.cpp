// SPDX-License-Identifier: Apache-2.0
// YamlEvents and the reader above it: the scanner and libyaml give the same, and the memory that texts share stays out
// of what they mean.
#include "text/yaml/events.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/compare_yaml_events.hpp"
#include "text/compare_yaml_readings.hpp"
#include "text/yaml/workspace.hpp"

namespace strata::text {
namespace {

using testing::KeptEvent;

/// Texts that the scanner takes, that it leaves at once or late, and that are wrong in syntax or only to the builder.
const std::vector<std::string>& texts() {
  static const std::vector<std::string> all{"a: 1\nb: [x, {y: z}]\n",
                                            "- &a {k: v}\n- *a\n- <<: *a\n  k: w\n",
                                            "a: 1\n---\nb: 2\n--- ? c\n: d\n---\ne: 3\n",
                                            "%YAML 1.1\n---\na: b\n",
                                            "a: 1\n---\n*nowhere\n",
                                            "a: *nowhere\nb: [\n",
                                            "a: 1\na: 2\nb: {a: 1, a: 3}\n",
                                            "a: !!int x\n---\n@\n",
                                            "&a [ &a x, *a ]\n",
                                            "a: &x 1\nb: &x 2\nc: *x\n",
                                            "<<: {a: 1}\nb: 2\n<<: [{c: 3}, {a: 4}]\n",
                                            "!!omap [a: 1, b: 2]\n",
                                            "!!set {a, b}\n",
                                            "? [a]\n: b\n",
                                            "k01: 1\nk02: 2\nk03: 3\nk04: 4\nk05: 5\nk06: 6\nk07: 7\nk08: 8\nk09: "
                                            "9\nk10: 10\nk11: 11\nk12: 12\nk13: 13\nk05: 14\n",
                                            "a: \"\\u00e9\\\n  x\"\nb: |2-\n   x\nc: >+\n y\n\n",
                                            "a:\r\n- b\r\n",
                                            "\xEF\xBB\xBF"
                                            "a: b\n",
                                            "a: \xFF\n",
                                            "a\tb: c\n\td: e\n",
                                            "123456789012345678: -0\n-5: 007\n0: 18446744073709551616\n",
                                            ""};
  return all;
}

TEST(YamlReader, ReadsAlikeWithAndWithoutTheScanner) {
  for (const std::string_view profile : testing::kProfiles) {
    for (const std::string& text : texts()) {
      for (const std::size_t small : {std::size_t{2}, std::size_t{1000}}) {
        const Limits limits{.depth = small, .aliases = small};
        EXPECT_EQ(testing::difference_of_readings(text, *find_profile(profile), limits), "") << text;
      }
    }
  }
}

TEST(YamlReader, TakesCommonScalarsAsEachProfileDoes) {
  // Short cuts that know no profile: what they make is what the tables say.
  std::vector<std::string> scalars{"true",
                                   "false",
                                   "0",
                                   "-0",
                                   "00",
                                   "1",
                                   "-1",
                                   "+1",
                                   "12345678",
                                   "20240102",
                                   "999999999999999999",
                                   "1000000000000000000"};
  for (int i = 1; i < 2000; i += 7) scalars.push_back((i % 2 == 0 ? "-" : "") + std::to_string(i * 7919));
  for (const std::string_view name : testing::kProfiles) {
    const Profile& profile = *find_profile(name);
    for (const std::string& scalar : scalars) {
      Sources sources;
      const Document document = read_yaml(sources, sources.add("f", "[" + scalar + ", x]"), profile, {});
      const Value& read = document.root.items().front();
      Arena arena;
      Value expected;
      switch (profile.resolve(scalar)) {
        case Scalar::integer:
          expected = *profile.conversions.integer(arena, scalar);
          break;
        case Scalar::boolean:
          expected = Value::boolean(*profile.conversions.boolean(scalar));
          break;
        default:
          continue;
      }
      EXPECT_TRUE(identical(read, expected)) << name << ": " << scalar;
    }
  }
}

TEST(YamlReader, ReadsATextWhileAnotherOneIsUnderWay) {
  Sources sources;
  const YamlInput outer_input(sources, sources.add("outer", "[1, [2], \"a\\tb\"]\n"), {});
  const YamlInput inner_input(sources, sources.add("inner", "{k: \"c\\td\"}\n"), {});
  const YamlWorkspace::Lease outer_workspace;
  YamlEvents outer(outer_input, false, YamlEvents::By::both, (*outer_workspace).tape);
  std::vector<std::string> seen;
  for (const YamlEvent* event = &outer.next(); event->kind != YamlEvent::Kind::stream_end; event = &outer.next()) {
    const YamlWorkspace::Lease inner_workspace;
    ASSERT_NE(&*inner_workspace, &*outer_workspace);
    YamlEvents inner(inner_input, false, YamlEvents::By::both, (*inner_workspace).tape);
    while (inner.next().kind != YamlEvent::Kind::stream_end) {
    }
    if (event->kind == YamlEvent::Kind::scalar) seen.emplace_back(event->text);
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"1", "2", "a\tb"}));
}

TEST(YamlReader, AnErrorLeavesNothingForTheNextText) {
  const Limits limits;
  for (int round = 0; round < 3; ++round) {
    for (const std::string& text : texts()) {
      Sources sources;
      try {
        (void)read_yaml_stream(sources, sources.add("f", text), pyyaml(), limits);
      } catch (const Error&) {  // Whatever it is.
      }
      EXPECT_EQ(testing::reading("{a: [1, b]}", pyyaml(), limits, false),
                testing::reading("{a: [1, b]}", pyyaml(), limits, true));
    }
  }
}

TEST(DocumentPool, KeepsOneCopyOfEachKey) {
  DocumentPool pool(std::make_shared<Arena>());
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 1000; ++i) {
      const std::string name = "key" + std::to_string(i);
      const Value key = pool.key(std::string_view(name));
      EXPECT_EQ(key.text(), name);
      EXPECT_EQ(key.text().data(), pool.key(std::string_view(name)).text().data());
    }
  }
  Arena arena;
  const Value secret = arena.key("key7").with_secret();
  EXPECT_TRUE(pool.key(secret).is_secret());
  EXPECT_EQ(pool.key(secret).text().data(), pool.key(std::string_view("key7")).text().data());
  EXPECT_EQ(pool.key(std::string_view("")).text(), "");
}

TEST(YamlEvents, GoOnWithLibyamlWhereTheScannerLeavesTheText) {
  for (const std::string& text : {std::string("a: 1\n--- [b]\n--- ? c\n: d\n--- e\n"),
                                  std::string("\xEF\xBB\xBF"
                                              "a: 1\n--- ? b\n"),
                                  std::string("? a"), std::string("a\r\n--- b\r\n"), std::string("a: b\n")}) {
    Sources sources;
    const YamlInput input(sources, sources.add("f", text), {});
    const std::vector<KeptEvent> expected = testing::read_with_libyaml(input).events;
    YamlTape tape;
    YamlEvents events(input, false, YamlEvents::By::both, tape);
    for (const KeptEvent& each : expected) ASSERT_EQ(KeptEvent(events.next()).to_string(), each.to_string()) << text;
  }
}

TEST(YamlEvents, DeliverTheDocumentsBeforeAnError) {
  Sources sources;
  const YamlInput input(sources, sources.add("f", "a: 1\n--- b\n--- [c\n"), {});
  YamlTape tape;
  YamlEvents events(input, false, YamlEvents::By::both, tape);
  const std::vector<KeptEvent> expected = testing::read_with_libyaml(input).events;
  ASSERT_GT(expected.size(), 10U);
  for (const KeptEvent& each : expected) ASSERT_EQ(KeptEvent(events.next()).to_string(), each.to_string());
  EXPECT_THROW(events.next(), YamlError);
}

TEST(YamlEvents, OfAPartKnowNothingOfWhatFollows) {
  Sources sources;
  const std::string text =
      "head\n\xEF\xBB\xBF"
      "a: |\n  b\n  c\n";
  const SourceId source = sources.add("f", text);
  for (std::size_t end = 5; end <= text.size(); ++end) {
    const YamlInput input(sources, source, {.begin = 5, .end = end});
    const testing::LibyamlReading expected = testing::read_with_libyaml(input);
    if (expected.has_failed) continue;
    YamlTape tape;
    YamlEvents events(input, false, YamlEvents::By::both, tape);
    for (const KeptEvent& each : expected.events)
      ASSERT_EQ(KeptEvent(events.next()).to_string(), each.to_string()) << end;
  }
}

}  // namespace
}  // namespace strata::text
