// SPDX-License-Identifier: Apache-2.0
// YamlScanner: documents, the end, offsets, tapes and limits.
#include "text/yaml/scanner.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "text/compare_yaml_events.hpp"
#include "text/yaml/events.hpp"

namespace strata::text {
namespace {

using testing::compare_events;

TEST(YamlScanner, KeepsZeroBytesOfEscapes) {
  const std::string text = R"(a: "b\0c\x00\u0000")";
  const testing::Comparison result = compare_events(text);
  EXPECT_TRUE(result.is_taken);
  EXPECT_EQ(result.difference, "");
  EXPECT_EQ(testing::read_with_scanner(text).events[4].text, std::string("b\0c\0\0", 5));
}

TEST(YamlScanner, DeliversTheDocumentsBeforeTheOneThatItLeaves) {
  const std::string text = "a: 1\n--- [b]\n--- ? c\n--- d\n";
  YamlTape tape;
  YamlScanner scanner(text, tape);
  EXPECT_TRUE(scanner.next_document());
  EXPECT_EQ(tape.size(), 7U);
  EXPECT_TRUE(scanner.next_document());
  EXPECT_EQ(tape.size(), 5U);
  EXPECT_FALSE(scanner.next_document());
  EXPECT_EQ(tape.size(), 0U);
  EXPECT_FALSE(scanner.next_document()) << "there is no way back";
}

TEST(YamlScanner, LeavesADocumentForWhatFollowsIt) {
  // libyaml finds its error while it looks for the end of the document.
  YamlTape tape;
  YamlScanner scanner("a: 1\n--- [b]\n@\n", tape);
  EXPECT_TRUE(scanner.next_document());
  EXPECT_FALSE(scanner.next_document());
}

TEST(YamlScanner, StaysAtTheEnd) {
  YamlTape tape;
  YamlScanner scanner("a", tape);
  EXPECT_TRUE(scanner.next_document());
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(scanner.next_document());
    ASSERT_EQ(tape.size(), 1U);
    YamlEvent event;
    tape.take(event);
    EXPECT_EQ(event.kind, YamlEvent::Kind::stream_end);
    EXPECT_TRUE(tape.is_at_end());
  }
}

TEST(YamlScanner, CountsOffsetsFromTheBase) {
  const testing::ScannerReading found = testing::read_with_scanner("a: b", 10);
  ASSERT_FALSE(found.has_bailed);
  EXPECT_EQ(found.events.at(4).event.begin, 13U);
  EXPECT_EQ(found.events.at(4).event.end, 14U);
}

TEST(YamlScanner, LeavesDocumentsOfMillionsOfNodes) {
  // The reader's limits must come before the memory is full of events.
  for (const std::string_view unit : {"- a\n", "a,", "[],"}) {
    const bool is_flow = unit != "- a\n";
    for (const std::size_t count : {1'000'000U, 5'000'000U}) {
      std::string text(is_flow ? "[" : "");
      for (std::size_t i = 0; i < count; ++i) text += unit;
      if (is_flow) text += "]";
      YamlTape tape;
      YamlScanner scanner(text, tape);
      EXPECT_EQ(scanner.next_document(), count == 1'000'000U) << unit;
    }
  }
}

TEST(YamlScanner, EndsWithTheWork) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "- a\n";
  Stop stop;
  stop.cancel();
  YamlTape tape;
  tape.stop_with(&stop);
  YamlScanner scanner(text, tape);
  EXPECT_FALSE(scanner.next_document());
}

TEST(YamlTape, ServesOneTextAfterTheOther) {
  YamlTape tape;
  for (const std::string text : {"&a !!str \"b\\n\": c", "[d, e]", ""}) {
    YamlScanner scanner(text, tape);
    std::vector<testing::KeptEvent> events;
    YamlEvent event;
    do {
      ASSERT_TRUE(scanner.next_document());
      while (!tape.is_at_end()) {
        tape.take(event);
        events.emplace_back(event);
      }
    } while (event.kind != YamlEvent::Kind::stream_end);
    EXPECT_EQ(events, testing::read_with_scanner(text).events);
    tape.shrink(16);
    EXPECT_EQ(tape.size(), 0U);
  }
}

TEST(YamlScanner, LeavesLongKeys) {
  for (const std::size_t length : {999U, 1000U, 1001U, 1023U, 1024U, 1025U, 1030U}) {
    const std::string key(length, 'k');
    for (const std::string& text :
         {key + ": v\n", "\"" + key.substr(2) + "\": v\n", "&a " + key.substr(3) + ": v\n", "[" + key + ": v]",
          "{\"" + key.substr(2) + "\":v}", key.substr(10) + "          : v\n"}) {
      const testing::Comparison result = compare_events(text);
      EXPECT_EQ(result.is_taken, length <= 1000) << length << " " << text;
      EXPECT_EQ(result.is_valid, length <= 1024) << length << " " << text;
      EXPECT_EQ(result.difference, "");
    }
  }
}

TEST(YamlScanner, TakesLongScalarsThatAreNoKeys) {
  const std::string word(5000, 'w');
  for (const std::string& text :
       {word, "- " + word, "a: " + word + "\n", "[" + word + "]", "{a: '" + word + "'}", "{" + word + "}"}) {
    const testing::Comparison result = compare_events(text);
    EXPECT_TRUE(result.is_taken) << text;
    EXPECT_EQ(result.difference, "");
  }
}

TEST(YamlScanner, LeavesDeepCollections) {
  const auto repeated = [](std::string_view text, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += text;
    return out;
  };
  for (const std::size_t levels : {199U, 200U, 201U, 300U}) {
    for (const std::string& text : {repeated("[", levels) + repeated("]", levels), repeated("- ", levels) + "a",
                                    repeated("{a: ", levels) + repeated("}", levels)}) {
      const testing::Comparison result = compare_events(text);
      EXPECT_EQ(result.is_taken, levels <= 200) << levels << " " << text;
      EXPECT_EQ(result.difference, "");
    }
  }
}

TEST(YamlScanner, NeedsTimeInProportionToTheText) {
  constexpr std::size_t kSize = std::size_t{1} << 20U;
  for (const std::string_view unit :
       {"[",       "- ",     "-\n",     "\"",           "'",         "\n",       "&a ",
        "&a\n",    "a: ",    "a:\n",    "\t",           " ",         "#",        "\n#",
        "a\n",     "a\n\n",  "\"\\\n",  "|\n",          "- |\n",     "- |\n \n", "[a,\n",
        "{a, ",    "---\n",  "...\n",   "--- a\n...\n", "a:\n- b\n", "'a'\n",    "\"a\"\n",
        "- !!a\n", "- &a\n", "a: b\n ", "- \"\n\n\"\n", "[\n",       ": ",       "? "}) {
    std::string text;
    text.reserve(kSize + unit.size());
    while (text.size() < kSize) text += unit;
    const std::clock_t begin = std::clock();
    YamlTape tape;
    YamlScanner scanner(text, tape);
    std::size_t documents = 0;
    // The end of the stream stands alone.
    while (scanner.next_document() && tape.size() != 1) ++documents;
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    // Of processor time: a build without optimisation needs less than 0.2 µs a byte; time in proportion to the square
    // needs hours.
    EXPECT_LT(seconds, 1e-5 * static_cast<double>(kSize)) << unit << ": " << documents << " documents";
  }
}

}  // namespace
}  // namespace strata::text
