// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "strata/error.hpp"
#include "strata/origin.hpp"

namespace strata {
namespace {

std::string place(const Sources& sources, SourceId source, std::size_t offset) {
  return sources.place(sources.at(source, offset)).to_string();
}

TEST(Sources, NowhereHasNoPlace) {
  Sources sources;
  EXPECT_EQ(sources.place({}).to_string(), "");
  EXPECT_EQ(sources.line_of({}), "");
  EXPECT_FALSE(sources.source_of({}));
  sources.add("a.yaml", "a");
  EXPECT_EQ(sources.place({}).to_string(), "");
}

TEST(Sources, CountsLinesAndCodePointsFromOne) {
  Sources sources;
  const SourceId source = sources.add("a.yaml", "a: 1\n\xC3\xA4\xF0\x9F\x98\x80: x\n");
  EXPECT_EQ(place(sources, source, 0), "a.yaml:1:1");
  EXPECT_EQ(place(sources, source, 3), "a.yaml:1:4");
  EXPECT_EQ(place(sources, source, 4), "a.yaml:1:5") << "the line break belongs to its line";
  EXPECT_EQ(place(sources, source, 5), "a.yaml:2:1");
  EXPECT_EQ(place(sources, source, 11), "a.yaml:2:3");
  EXPECT_EQ(place(sources, source, 15), "a.yaml:3:1") << "the end of the text";
  EXPECT_EQ(place(sources, source, 999), "a.yaml:3:1");
  EXPECT_EQ(sources.line_of(sources.at(source, 12)), "\xC3\xA4\xF0\x9F\x98\x80: x");
}

TEST(Sources, CountsCodePointsOfLongLines) {
  Sources sources;
  std::string text = "\n";
  for (int i = 0; i < 1500; ++i)
    text += "a\xC3\xA4\xF0\x9F\x98\x80";  // 7 bytes, 3 code points: they lie across all strides.
  const std::string line = text.substr(1);
  const SourceId source = sources.add("a.json", text + "\n" + line);
  for (const std::size_t start : {std::size_t{1}, text.size() + 1}) {
    for (std::size_t i = 0; i <= 1500; i += 7) {
      EXPECT_EQ(sources.place(sources.at(source, start + 7 * i)).column, 3 * i + 1);
      EXPECT_EQ(sources.place(sources.at(source, start + 7 * i)).line, start == 1 ? 2U : 3U);
    }
  }
}

TEST(Sources, AcceptsEveryLineBreak) {
  Sources sources;
  const SourceId source = sources.add("a", "1\r\n22\r333\n\r\n5\r");
  EXPECT_EQ(place(sources, source, 2), "a:1:3") << "between CR and LF";
  EXPECT_EQ(place(sources, source, 3), "a:2:1");
  EXPECT_EQ(place(sources, source, 6), "a:3:1");
  EXPECT_EQ(place(sources, source, 10), "a:4:1");
  EXPECT_EQ(place(sources, source, 12), "a:5:1");
  EXPECT_EQ(place(sources, source, 14), "a:6:1");
  EXPECT_EQ(sources.line_of(sources.at(source, 4)), "22");
  EXPECT_EQ(sources.line_of(sources.at(source, 1)), "1");
}

TEST(Sources, EmptyTextsHaveAPlace) {
  Sources sources;
  const SourceId first = sources.add("a", "");
  const SourceId second = sources.add("b", "");
  EXPECT_EQ(place(sources, first, 0), "a:1:1");
  EXPECT_EQ(place(sources, second, 0), "b:1:1");
  EXPECT_EQ(sources.source_of(sources.at(first, 0)), first);
}

TEST(Sources, NamesHaveNeitherLineNorColumn) {
  Sources sources;
  sources.add("a", "text");
  const Origin origin = sources.add_name("<parameter>");
  const Place named = sources.place(origin);
  EXPECT_EQ(named.to_string(), "<parameter>");
  EXPECT_FALSE(named.line);
  EXPECT_FALSE(named.column);
  EXPECT_FALSE(sources.source_of(origin));
  EXPECT_EQ(sources.line_of(origin), "");
}

TEST(Sources, DecodedTextsHaveLinesOfTheirOwn) {
  Sources sources;
  const SourceId outer = sources.add("mail", "x\ny\nz");
  const SourceId inner = sources.add_decoded(outer, "part-001", "a\nb: c");
  EXPECT_EQ(sources.place(sources.at(inner, 5)).to_string(), "mail[part-001]:2:4");
  EXPECT_EQ(sources.line_of(sources.at(inner, 2)), "b: c");
  EXPECT_EQ(sources.file(inner), "mail");
  EXPECT_EQ(sources.part(inner), "part-001");
  EXPECT_EQ(sources.text(inner), "a\nb: c");
}

TEST(Sources, ExcerptsStandInTheOuterText) {
  Sources sources;
  const std::string mail = "header\n\n#cloud-config\n\xC3\xA4: 1\n--end";
  const SourceId outer = sources.add("mail", mail);
  const SourceId part = sources.add_excerpt(outer, "one", mail.find('#'), mail.find("--"));
  EXPECT_EQ(sources.text(part), "#cloud-config\n\xC3\xA4: 1\n");
  EXPECT_EQ(sources.place(sources.at(part, 18)).to_string(), "mail[one]:4:4");
  EXPECT_EQ(sources.line_of(sources.at(part, 14)), "\xC3\xA4: 1");

  const SourceId inner = sources.add_excerpt(part, "two", 14, 20);
  EXPECT_EQ(sources.place(sources.at(inner, 4)).to_string(), "mail[two]:4:4");
  EXPECT_EQ(sources.source_of(sources.at(inner, 4)), inner);
}

TEST(Sources, DerivedTextsStandWhereTheirSegmentsDo) {
  Sources sources;
  const SourceId outer = sources.add("t", "## template: jinja\nname: {{ v }} end\nnext: 1\n");
  // "name: " + "value" + " end\nnext: 1\n": the expansion stands at its braces as a whole.
  const SourceId inner = sources.add_derived(outer, "", "name: value end\nnext: 1\n",
                                             {{.inner = 0, .outer = sources.at(outer, 19)},
                                              {.inner = 6, .outer = sources.at(outer, 25), .verbatim = false},
                                              {.inner = 11, .outer = sources.at(outer, 32)}});
  EXPECT_EQ(place(sources, inner, 0), "t:2:1");
  EXPECT_EQ(place(sources, inner, 6), "t:2:7");
  EXPECT_EQ(place(sources, inner, 10), "t:2:7");
  EXPECT_EQ(place(sources, inner, 12), "t:2:15");
  EXPECT_EQ(place(sources, inner, 16), "t:3:1");
  EXPECT_EQ(sources.line_of(sources.at(inner, 8)), "name: {{ v }} end");
}

TEST(Sources, SegmentsMayStandNowhereOrAtAName) {
  Sources sources;
  const SourceId outer = sources.add("t", "x");
  const SourceId inner = sources.add_derived(
      outer, "p", "abcd",
      {{.inner = 0, .outer = {}}, {.inner = 2, .outer = sources.add_name("<fact>"), .verbatim = false}});
  EXPECT_EQ(place(sources, inner, 1), "t[p]");
  EXPECT_EQ(place(sources, inner, 3), "t[p]");
  EXPECT_EQ(sources.line_of(sources.at(inner, 1)), "");
}

TEST(Sources, AliasesKeepBothPlaces) {
  Sources sources;
  const SourceId source = sources.add("a", "x: &a 1\ny: *a\nz: *b\n");
  const Origin once = sources.add_via(sources.at(source, 6), sources.at(source, 11));
  const Place reached = sources.place(once);
  EXPECT_EQ(reached.to_string(), "a:1:7");
  ASSERT_NE(reached.via, nullptr);
  EXPECT_EQ(reached.via->to_string(), "a:2:4");
  EXPECT_EQ(sources.line_of(once), "x: &a 1");
  EXPECT_EQ(sources.source_of(once), source);

  const Place twice = sources.place(sources.add_via(once, sources.at(source, 17)));
  EXPECT_EQ(twice.to_string(), "a:1:7");
  EXPECT_NE(twice.via, nullptr);
}

TEST(Sources, SecretTextsShowNoLines) {
  Sources sources;
  const SourceId outer = sources.add("a", "password: x\n");
  const SourceId before = sources.add_excerpt(outer, "p", 0, 11);
  sources.mark_secret(outer);
  const SourceId after = sources.add_decoded(outer, "q", "password");
  EXPECT_EQ(sources.line_of(sources.at(outer, 0)), "");
  EXPECT_EQ(sources.line_of(sources.at(before, 0)), "");
  EXPECT_EQ(sources.line_of(sources.at(after, 0)), "") << "what is made of a secret text is secret";
  EXPECT_EQ(place(sources, outer, 10), "a:1:11");
}

TEST(Sources, ManyTextsAreToldApart) {
  Sources sources;
  std::vector<SourceId> ids;
  for (int i = 0; i < 3000; ++i)
    ids.push_back(sources.add(std::to_string(i), std::string(static_cast<std::size_t>(i % 7), '\n')));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(sources.place(sources.at(ids[i], 0)).file, std::to_string(i));
    EXPECT_EQ(sources.source_of(sources.at(ids[i], 99)), ids[i]);
  }
}

TEST(Sources, MayBeReadWhileTheyGrow) {
  Sources sources;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&sources, thread] {
      for (int i = 0; i < 500; ++i) {
        const std::string name = std::to_string(thread) + "-" + std::to_string(i);
        const SourceId id = sources.add(name, "a\nb\n" + name);
        const Origin origin = sources.add_via(sources.at(id, 4), sources.at(id, 2));
        EXPECT_EQ(sources.place(origin).to_string(), name + ":3:1");
        EXPECT_EQ(sources.line_of(origin), name);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Sources, TextsOfOneSpaceAreSpelledOutByAllItsSources) {
  Sources shared("/folder");
  const SourceId common = shared.add("/folder/common.yaml", "a: 1\nb: 2\n");
  const Origin alias = shared.add_via(shared.at(common, 0), shared.at(common, 5));
  Sources child(&shared);
  Sources other(&shared);
  const SourceId own = child.add("/folder/node.yaml", "c:\n  d\n");
  const SourceId others = other.add("/folder/other.yaml", "e\nf\n");
  const SourceId later = shared.add("later.yaml", "g\n");
  const Origin own_alias = child.add_via(shared.at(common, 5), child.at(own, 5));
  EXPECT_EQ(place(child, own, 5), "node.yaml:2:3");
  EXPECT_EQ(place(other, others, 2), "other.yaml:2:1");
  EXPECT_EQ(place(child, common, 5), "common.yaml:2:1");
  EXPECT_EQ(child.text(later), "g\n") << "what is shared later is seen too";
  EXPECT_EQ(child.place(alias).via->to_string(), "common.yaml:2:1");
  EXPECT_EQ(child.place(own_alias).to_string(), "common.yaml:2:1");
  EXPECT_EQ(child.place(own_alias).via->to_string(), "node.yaml:2:3");
  EXPECT_EQ(child.source_of(own_alias), common);
  EXPECT_EQ(child.source_of(child.at(own, 0)), own);
  EXPECT_EQ(child.line_of(child.at(own, 4)), "  d");
  const SourceId inner = child.add_excerpt(common, "part", 5, 9);
  EXPECT_EQ(place(child, inner, 3), "common.yaml[part]:2:4") << "derived from a shared text";
}

TEST(Sources, GivesItsLocationsBack) {
  const auto locations = std::make_shared<Locations>();
  Sources lasting(locations);
  const SourceId kept = lasting.add("kept", "a\nb\n");
  const std::size_t before = locations->leased();
  Origin gone;
  Origin gone_alias;
  {
    Sources passing(locations);
    gone = passing.at(passing.add("a", "text"), 2);
    gone_alias = passing.add_via(gone, passing.at(kept, 2));
    EXPECT_EQ(lasting.place(gone_alias).to_string(), "a:1:3");
    EXPECT_GT(locations->leased(), before);
  }
  EXPECT_EQ(locations->leased(), before);
  EXPECT_EQ(lasting.place(gone).to_string(), "");
  EXPECT_EQ(lasting.place(gone_alias).to_string(), "");
  Sources next(locations);
  EXPECT_EQ(place(next, next.add("b", "text"), 0), "b:1:1");
  EXPECT_EQ(lasting.place(gone).to_string(), "") << "a location is not used again at once";
  EXPECT_EQ(place(lasting, kept, 2), "kept:2:1");
}

TEST(Sources, MoreTextThanTheSpaceIsLargePassesThrough) {
  const auto locations = std::make_shared<Locations>();
  Sources lasting(locations);
  const SourceId kept = lasting.add("kept", "a\nb\n");
  constexpr std::size_t kText = std::size_t{48} << 20U;
  std::string text(kText, 'x');
  text[kText - 3] = '\n';
  std::vector<std::unique_ptr<Sources>> alive;
  for (std::size_t passed = 0, n = 0; passed < std::size_t{7} << 29U; passed += kText, ++n) {  // 3.5 GiB.
    auto sources = std::make_unique<Sources>(locations);
    const SourceId id = sources->add("text" + std::to_string(n), text);
    const SourceId small = sources->add("small" + std::to_string(n), "1\n2");
    const Origin alias = sources->add_via(sources->at(id, kText - 1), sources->at(small, 2));
    if (n % 16 == 0) {
      EXPECT_EQ(place(*sources, id, kText - 1), "text" + std::to_string(n) + ":2:2");
    }
    EXPECT_EQ(place(lasting, small, 2), "small" + std::to_string(n) + ":2:1");
    EXPECT_EQ(lasting.place(alias).via->to_string(), "small" + std::to_string(n) + ":2:1");
    EXPECT_EQ(place(*sources, kept, 2), "kept:2:1");
    alive.push_back(std::move(sources));
    if (alive.size() > 3) alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(n % 3));
  }
  alive.clear();
  EXPECT_EQ(locations->leased(), 5U);
}

TEST(Sources, ThreadsComeAndGoInOneSpace) {
  const auto locations = std::make_shared<Locations>();
  Sources lasting(locations);
  const SourceId kept = lasting.add("kept", "a\nb\n");
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 300; ++i) {
        Sources own(&lasting);
        const std::string name = std::to_string(thread) + "-" + std::to_string(i);
        const SourceId id = own.add(name, std::string(static_cast<std::size_t>(i), 'x') + "\ny");
        const Origin alias = own.add_via(own.at(id, static_cast<std::size_t>(i) + 1), own.at(kept, 2));
        EXPECT_EQ(own.place(alias).to_string(), name + ":2:1");
        EXPECT_EQ(own.place(alias).via->to_string(), "kept:2:1");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(locations->leased(), 5U);
}

TEST(Sources, AStretchNeverLeadsPastTheTextThatItStandsIn) {
  Sources sources;
  const SourceId outer = sources.add("outer", "ab");
  sources.add("next", "12345678\n");
  const SourceId inner = sources.add_derived(outer, "", "abcdefgh", {{.inner = 0, .outer = sources.at(outer, 1)}});
  EXPECT_EQ(place(sources, inner, 7), "outer:1:3") << "the end of the outer text, not the text behind it";
}

}  // namespace
}  // namespace strata
