// SPDX-License-Identifier: Apache-2.0
// Source maps: what is written for which output, that every position leads where it must, and what a reader refuses.
#include "strata/source_map.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "merge/world.hpp"
#include "ruby/ruby.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "support/expect_error.hpp"
#include "support/random_values.hpp"

namespace strata::report {
namespace {

enum class OutputForm { yaml, json, psych };

/// An output and its map.
struct Mapped {
  std::string text;
  std::string map;
};

Mapped mapped(const Sources& sources, const Value& value, OutputForm form = OutputForm::yaml, SourceMapStyle style = {},
              const text::Profile* profile = nullptr) {
  Mapped out;
  SourceMapBuilder builder(sources, std::move(style));
  const auto sink = [&](std::string_view piece) {
    out.text += piece;
    builder.add(piece);
  };
  switch (form) {
    case OutputForm::yaml:
      text::write_yaml(value, {.profile = profile}, sink, builder);
      break;
    case OutputForm::json:
      text::write_json(value, {}, sink, builder);
      break;
    case OutputForm::psych: {
      const std::string text = ruby::yaml(value);
      ruby::find_yaml_leaves(value, text, builder);
      sink(text);
      break;
    }
  }
  out.map = builder.finish();
  return out;
}

/// `mappings` of the map of what a text of YAML gives.
std::string mappings(const std::string& text, OutputForm form = OutputForm::yaml) {
  merge::World world;
  const std::string map = mapped(world.sources, world.yaml(text), form).map;
  const std::size_t begin = map.find("\"mappings\": \"") + std::string_view("\"mappings\": \"").size();
  return map.substr(begin, map.find('"', begin) - begin);
}

/// The place that a position leads to: `LINE:COLUMN NAME`, in the units of the map.
std::string found(const std::string& map, std::uint64_t line, std::uint64_t column) {
  Sources sources;
  const auto target = SourceMap::read(sources, sources.add("m.map", map), {}).find(line, column);
  return target ? std::to_string(target->line) + ':' + std::to_string(target->column) + ' ' + target->name : "nowhere";
}

TEST(SourceMaps, Example) {
  merge::World world;
  const Value value = world.yaml("#cloud-config\nhostname: web  # x\nl: [a]\n", "base.yaml");
  SourceMapBuilder builder(world.sources, {});
  builder.add_head("#cloud-config\n");
  text::write_yaml(
      value, {}, [&](std::string_view piece) { builder.add(piece); }, builder);
  EXPECT_EQ(builder.finish(),
            "{\"version\": 3, \"sources\": [\"base.yaml\"], \"names\": [\"/hostname\", \"/l/0\"], \"mappings\": "
            "\";AACU,UAAAA;AACN;AAAA,IAAAC\"}\n");
}

TEST(SourceMaps, Numbers) {
  // 16 needs a second digit; 1000 is 11111 01000 and a sign; back by as much.
  EXPECT_EQ(mappings("? " + std::string(15, 'k') + "\n: 1\n"), "AACE,iBAAAA");
  EXPECT_EQ(mappings("a:\n" + std::string(1000, ' ') + "b\nc: d\n"), "AACw+B,GAAAA;AACr+B,GAAAC");
}

TEST(SourceMaps, Utf16) {
  // Characters beyond the basic plane are two units, in keys, values and sources; é is one.
  EXPECT_EQ(mappings("é😀: v\n"), "AAAK,KAAAA");
  EXPECT_EQ(mappings("{a: 😀😀, b: é, c: x}\n", OutputForm::json), "AAAI;AAAA,OAAAA;AAAS,OAAAC;AAAM,OAAAC;AAAA");
  const std::string map = [] {
    merge::World world;
    return mapped(world.sources, world.yaml("{a: 😀😀, b: é, c: x}\n"), OutputForm::yaml,
                  {.map_file = {}, .content = true})
        .map;
  }();
  EXPECT_EQ(found(map, 3, 4), "1:18 /c");  // In code points, since the map has the text.
}

TEST(SourceMaps, LongLines) {
  // Columns far into a line are counted from strides.
  std::string text = "[";
  for (int i = 0; i < 3000; ++i) text += i % 7 == 0 ? "😀, " : "é, ";
  text += "end]\n";
  merge::World world;
  const Value value = world.yaml(text, "long");
  const std::string map = mapped(world.sources, value).map;
  EXPECT_EQ(found(map, 3001, 3), "1:" + std::to_string(1 + 3000 * 3 + (3000 + 6) / 7 + 1) + " /3000");
}

TEST(SourceMaps, BlockScalars) {
  merge::World world;
  const Mapped out = mapped(world.sources, world.yaml("a: |\n  # no comment\n\n  ---\nb: 1\nc: |+\n  x\n\n"));
  ASSERT_EQ(out.text, "a: |\n  # no comment\n\n  ---\nb: 1\nc: |+\n  x\n\n");
  EXPECT_EQ(found(out.map, 1, 1), "1:4 ");
  EXPECT_EQ(found(out.map, 1, 4), "1:4 /a");
  EXPECT_EQ(found(out.map, 2, 5), "1:4 ");
  EXPECT_EQ(found(out.map, 3, 1), "nowhere");
  EXPECT_EQ(found(out.map, 4, 1), "1:4 ");
  EXPECT_EQ(found(out.map, 5, 1), "5:4 ");
  EXPECT_EQ(found(out.map, 7, 9), "6:4 ");
}

TEST(SourceMaps, TextsThatPsychFolds) {
  merge::World world;
  std::string words;
  for (int i = 0; i < 40; ++i) words += "word ";
  words += "end";
  const Value value = world.yaml("long: " + words + "\nnext: [b, {}]\nnone:\n");
  const Mapped out = mapped(world.sources, value, OutputForm::psych);
  ASSERT_EQ(out.text, ruby::yaml(value));
  ASSERT_EQ(out.text.find("---\nlong: word"), 0U);
  EXPECT_EQ(found(out.map, 1, 1), "nowhere");
  EXPECT_EQ(found(out.map, 2, 7), "1:7 /long");
  EXPECT_EQ(found(out.map, 3, 1), "1:7 ");
  EXPECT_EQ(found(out.map, 4, 1), "1:7 ");
  EXPECT_EQ(found(out.map, 5, 1), "2:8 ");
  EXPECT_EQ(found(out.map, 6, 3), "2:8 /next/0");
  EXPECT_EQ(found(out.map, 7, 3), "2:11 /next/1");
  EXPECT_EQ(found(out.map, 8, 6), "3:1 /none");
}

TEST(SourceMaps, EmptyContainersAndNothing) {
  EXPECT_EQ(mappings("{}\n"), "AAAAA");
  EXPECT_EQ(mappings("a: []\n", OutputForm::json), "AAAG;AAAA,OAAAA;AAAA");
  merge::World world;
  const Value nowhere = world.arena.sequence(std::array{world.arena.text("x"), world.yaml("y", "f")});
  // Values that no file wrote, or a name wrote, have segments without a source, and no names.
  EXPECT_EQ(mapped(world.sources, nowhere).map,
            "{\"version\": 3, \"sources\": [\"f\"], \"names\": [\"/1\"], \"mappings\": \"A,E;AAAA,EAAAA\"}\n");
  const Value named = world.arena.text("x").with_origin(world.sources.add_name("<parameter>"));
  EXPECT_EQ(mapped(world.sources, named).map,
            "{\"version\": 3, \"sources\": [], \"names\": [], \"mappings\": \"A\"}\n");
}

TEST(SourceMaps, Streams) {
  merge::World world;
  const Value documents = world.yaml("- {a: 1}\n- [b]\n- c\n");
  std::string text;
  SourceMapBuilder builder(world.sources, {});
  text::write_yaml_stream(
      documents.items(), {},
      [&](std::string_view piece) {
        text += piece;
        builder.add(piece);
      },
      builder);
  EXPECT_EQ(text, "---\na: 1\n---\n- b\n---\nc\n");
  const std::string map = builder.finish();
  EXPECT_EQ(found(map, 1, 1), "nowhere");
  EXPECT_EQ(found(map, 2, 4), "1:7 /0/a");
  EXPECT_EQ(found(map, 4, 1), "2:4 ");
  EXPECT_EQ(found(map, 4, 3), "2:4 /1/0");
  EXPECT_EQ(found(map, 6, 1), "3:3 /2");
}

TEST(SourceMaps, Aliases) {
  merge::World world;
  const std::string map = mapped(world.sources, world.yaml("a: &x [one]\nb: *x\nc: &y two\nd: *y\n")).map;
  EXPECT_EQ(found(map, 4, 5), "1:8 /b/0");
  EXPECT_EQ(found(map, 6, 4), "3:7 /d");
}

TEST(SourceMaps, SetsTagsAndKeys) {
  merge::World world;
  const Value value = world.yaml("set: !!set {p, q}\nbytes: !!binary aGVsbG8=\n1: int\n'1': text\nno: !!set {}\n");
  const Mapped out = mapped(world.sources, value);
  ASSERT_EQ(out.text, "set: !!set\n  ? p\n  ? q\nbytes: !!binary |\n  aGVsbG8=\n1: int\n'1': text\nfalse: !!set {}\n");
  EXPECT_EQ(found(out.map, 1, 1), "1:13 ");
  EXPECT_EQ(found(out.map, 2, 5), "1:13 /set/p");
  EXPECT_EQ(found(out.map, 3, 5), "1:16 /set/q");
  EXPECT_EQ(found(out.map, 4, 17), "2:17 /bytes");
  EXPECT_EQ(found(out.map, 4, 16), "2:17 ");
  EXPECT_EQ(found(out.map, 5, 3), "2:17 ");
  // Paths that are equal are one name.
  EXPECT_EQ(found(out.map, 6, 4), "3:4 /1");
  EXPECT_EQ(found(out.map, 7, 6), "4:6 /1");
  EXPECT_EQ(out.map.find("\"/1\""), out.map.rfind("\"/1\""));
  EXPECT_EQ(found(out.map, 8, 14), "5:11 /false");
  // A key of several lines belongs to what follows it.
  MappingBuilder complex(world.arena);
  complex.insert(world.yaml("[k, l]\n"), world.yaml("\nv\n"));
  const Mapped key = mapped(world.sources, complex.finish(), OutputForm::yaml, {}, &text::core12());
  ASSERT_EQ(key.text, "? - k\n  - l\n: v\n");
  EXPECT_EQ(found(key.map, 1, 1), "2:1 ");
  EXPECT_EQ(found(key.map, 2, 9), "2:1 ");
  EXPECT_EQ(found(key.map, 3, 3).substr(0, 4), "2:1 ");
  const std::string json = mapped(world.sources, world.yaml("set: !!set {p, q}\n"), OutputForm::json).map;
  EXPECT_EQ(found(json, 4, 5), "1:16 /set/q");
}

TEST(SourceMaps, Names) {
  merge::World world;
  const std::string map = mapped(world.sources, world.yaml("a/b~c: 1\n\"q\\\"\\\\\\x01é\": 2\n")).map;
  EXPECT_EQ(found(map, 1, 8), "1:8 /a~1b~0c");
  EXPECT_EQ(found(map, 2, 99), "2:15 /q\"\\\x01é");
}

TEST(SourceMaps, NamesOfSources) {
  const auto url = [](const std::string& folder, const std::string& map_file, const std::string& file) {
    Sources sources(folder);
    const text::Document document = text::read_yaml(sources, sources.add(file, "x\n"), text::pyyaml(), {});
    const std::string map = mapped(sources, document.root, OutputForm::yaml, {.map_file = map_file}).map;
    const std::size_t begin = map.find("\"sources\": [\"") + std::string_view("\"sources\": [\"").size();
    return map.substr(begin, map.find('"', begin) - begin);
  };
  EXPECT_EQ(url("/w", "", "a.yaml"), "a.yaml");
  EXPECT_EQ(url("/w", "out.map", "/w/d/a.yaml"), "d/a.yaml");
  EXPECT_EQ(url("/w", "build/deep/out.map", "d/a.yaml"), "../../d/a.yaml");
  EXPECT_EQ(url("/w", "/elsewhere/out.map", "a.yaml"), "../w/a.yaml");
  EXPECT_EQ(url("/w", "../out.map", "a.yaml"), "w/a.yaml");
  EXPECT_EQ(url("/w", "d/out.map", "/etc/a.yaml"), "../../etc/a.yaml");
  EXPECT_EQ(url("", "d/out.map", "d/a.yaml"), "a.yaml");
  EXPECT_EQ(url("/w", "x/out.map", "<stdin>"), "%3Cstdin%3E");
  EXPECT_EQ(url("/w", "", "a b#c?%é:.yaml"), "a%20b%23c%3F%25%C3%A9%3A.yaml");
  EXPECT_EQ(url("/w", "", "d/a:b@!$&'()*+,;=-._~"), "d/a:b@!$&'()*+,;=-._~");
}

TEST(SourceMaps, PartsThatHaveLinesOfTheirOwn) {
  Sources sources("/w");
  const SourceId outer = sources.add("outer", "head\nbody: x\n");
  const SourceId excerpt = sources.add_excerpt(outer, "part", 5, 13);
  const SourceId decoded = sources.add_decoded(outer, "p #1", "\nother: y\n");
  const text::Document first = text::read_yaml(sources, excerpt, text::pyyaml(), {});
  const text::Document second = text::read_yaml(sources, decoded, text::pyyaml(), {});
  Arena arena;
  const std::string map = mapped(sources, arena.sequence(std::array{first.root, second.root})).map;
  EXPECT_NE(map.find("\"sources\": [\"outer\", \"outer#p%20%231\"]"), std::string::npos) << map;
  EXPECT_EQ(found(map, 1, 9), "2:7 /0/body");
  EXPECT_EQ(found(map, 2, 10), "2:8 /1/other");
  Sources again("/w");
  const auto target = SourceMap::read(again, again.add("m/m.map", map), {}).find(2, 10);
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->to_string(), "m/outer[p #1]:2:8");
}

TEST(SourceMaps, TellsItsFileItsRevisionAndTexts) {
  merge::World world;
  const Value value = world.yaml("a: \"\\u00e9\"\n", "f");
  EXPECT_EQ(
      mapped(world.sources, value, OutputForm::yaml, {.map_file = "d/out.yaml.map", .content = true, .revision = "v1"})
          .map,
      "{\"version\": 3, \"file\": \"out.yaml\", \"sources\": [\"../f\"], \"sourcesContent\": [\"a: "
      "\\\"\\\\u00e9\\\"\\n\"], "
      "\"names\": [\"/a\"], \"mappings\": \"AAAG,GAAAA\", \"x_strata\": {\"at\": \"v1\"}}\n");
  for (const std::string name : {"map", ".map", "out.json"}) {
    EXPECT_EQ(mapped(world.sources, value, OutputForm::yaml, {.map_file = name}).map.find("\"file\""),
              std::string::npos)
        << name;
  }
}

TEST(SourceMaps, Secrets) {
  merge::World world;
  const Value open = world.yaml("o: 1\n", "open");
  const Value hidden = world.yaml("in: {s: [SECRET, [x]]}\n", "hidden");
  const Value shadowed = world.yaml("SHADOWED\n", "shadowed").with_secret();
  MappingBuilder builder(world.arena);
  builder.insert("open", open);
  builder.insert("s", world.arena.deep_copy(*hidden.find("in")).with_secret());
  builder.insert("also", world.yaml("- 1\n- 2\n", "shadowed"));
  const Value value = builder.finish();
  for (const OutputForm form : {OutputForm::yaml, OutputForm::json, OutputForm::psych}) {
    Mapped out;
    SourceMapBuilder maker(world.sources, {.map_file = {}, .content = true});
    const std::string text = form == OutputForm::psych  ? ruby::yaml(value)
                             : form == OutputForm::json ? text::write_json(value)
                                                        : text::write_yaml(value);
    const text::Sink sink = [&](std::string_view piece) { maker.add(piece); };
    if (form == OutputForm::yaml) text::write_yaml(value, {}, sink, maker);
    if (form == OutputForm::json) text::write_json(value, {}, sink, maker);
    if (form == OutputForm::psych) {
      ruby::find_yaml_leaves(value, text, maker);
      sink(text);
    }
    maker.hide_secrets_of(shadowed);
    const std::string map = maker.finish();
    // A secret container is one leaf, as in blame: its keys are secret too.
    EXPECT_NE(map.find("\"names\": [\"/open/o\", \"/s\", \"/also/0\", \"/also/1\"]"), std::string::npos) << map;
    EXPECT_NE(map.find("\"sourcesContent\": [\"o: 1\\n\", null, null]"), std::string::npos) << map;
    EXPECT_EQ(map.find("SECRET"), std::string::npos);
    // All of its lines lead to it.
    std::size_t line = 1;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1, ++line) {
      const std::string_view rest = std::string_view(text).substr(at, text.find('\n', at) - at);
      if (rest.find("SECRET") != std::string_view::npos || rest.find("- x") != std::string_view::npos) {
        EXPECT_EQ(found(map, line, 99).substr(0, 4), "1:5 ") << text;
      }
    }
  }
}

// Properties.

/// A leaf as the observer gets it.
struct ObservedLeaf {
  std::string pointer;
  std::size_t begin;
  std::size_t end;
  bool is_secret;
};

class Leaves final : public text::LeafObserver {
 public:
  void enter(const Value& key) override { path_.push(key); }
  void enter(std::size_t index) override { path_.push(index); }
  void leave() override { path_.pop(); }
  void leaf(const Value& leaf, std::size_t begin, bool goes_on) override {
    RC_ASSERT(observed.empty() || !is_open_);
    is_open_ = goes_on;
    observed.push_back({.pointer = path_.pointer(), .begin = begin, .end = begin, .is_secret = leaf.is_secret()});
  }
  void end(std::size_t end) override {
    RC_ASSERT(is_open_);
    is_open_ = false;
    observed.back().end = end;
  }
  std::vector<ObservedLeaf> observed;

 private:
  Path path_;
  bool is_open_ = false;
};

std::size_t units(std::string_view text) {
  std::size_t out = 0;
  for (const char c : text)
    out += (static_cast<unsigned char>(c) & 0xC0U) == 0x80U ? 0 : static_cast<unsigned char>(c) >= 0xF0 ? 2 : 1;
  return out;
}

/// The leaf that the beginning of a line leads to, word by word as the page says it; null where the line has nothing.
const ObservedLeaf* leaf_of_line(const std::string& text, const std::vector<ObservedLeaf>& leaves, std::size_t begin,
                                 std::size_t end) {
  std::size_t content = begin;
  while (content < end && text[content] == ' ') ++content;
  const ObservedLeaf* last_before = nullptr;
  const ObservedLeaf* first_on = nullptr;
  const ObservedLeaf* first_after = nullptr;
  for (const ObservedLeaf& leaf : leaves) {
    if (leaf.begin < begin && leaf.end > content && content < end) return &leaf;
    if (leaf.begin < begin) last_before = &leaf;
    if (leaf.begin >= begin && leaf.begin <= end && first_on == nullptr) first_on = &leaf;
    if (leaf.begin > end && first_after == nullptr) first_after = &leaf;
  }
  if (text.compare(begin, 3, "---") == 0 && (begin + 3 == end || text[begin + 3] == ' ')) {
    content = begin + 3;
    while (content < end && text[content] == ' ') ++content;
  }
  if (content == end || text[content] == '#') return nullptr;
  if (first_on != nullptr) return first_on;
  if (text[content] == ']' || text[content] == '}') return last_before;
  return first_after != nullptr ? first_after : last_before;
}

/// A value whose places are those of its own text: its map must be the identity.
void expect_identity(const std::string& text, const Sources& sources, const Value& value, OutputForm form,
                     const text::Profile* profile = nullptr) {
  const Mapped out = mapped(sources, value, form, {}, profile);
  RC_ASSERT(out.text == text);
  Leaves leaves;
  const text::Sink discard = [](std::string_view) {};
  if (form == OutputForm::yaml) text::write_yaml(value, {.profile = profile}, discard, leaves);
  if (form == OutputForm::json) text::write_json(value, {}, discard, leaves);
  if (form == OutputForm::psych) ruby::find_yaml_leaves(value, text, leaves);
  Sources of_map;
  const SourceMap map = SourceMap::read(of_map, of_map.add("m", out.map), {});
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    ++line;
    bool at_start = false;
    for (const ObservedLeaf& leaf : leaves.observed) {
      if (leaf.begin < begin || leaf.begin > end) continue;
      const std::size_t column = units(std::string_view(text).substr(begin, leaf.begin - begin)) + 1;
      at_start = at_start || column == 1;
      const auto target = map.find(line, column);
      RC_ASSERT(target.has_value());
      RC_ASSERT(target->name == leaf.pointer);
      if (text[leaf.begin] == '\n') continue;  // Psych writes nothing for null: its place is its key.
      RC_ASSERT(target->line == line);
      RC_ASSERT(target->column == column);
    }
    if (!at_start) {
      const ObservedLeaf* wanted = leaf_of_line(text, leaves.observed, begin, end);
      const auto target = map.find(line, 1);
      RC_ASSERT(target.has_value() == (wanted != nullptr));
      if (wanted != nullptr) {
        RC_ASSERT(target->name.empty());
        if (text[wanted->begin] != '\n') {
          const std::string_view before = std::string_view(text).substr(0, wanted->begin);
          RC_ASSERT(target->line == static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1);
          RC_ASSERT(target->column == units(before.substr(before.rfind('\n') + 1)) + 1);
        }
      }
    }
    begin = end + 1;
  }
}

Value random_value(Arena& arena, std::uint64_t seed, const testing::RandomOptions& options) {
  return testing::RandomValues(arena, seed, options).value();
}

RC_GTEST_PROP(SourceMapProperty, YamlOfItself, (std::uint64_t seed)) {
  Arena arena;
  const std::string text = text::write_yaml(random_value(arena, seed, {}));
  Sources sources;
  const text::Document document = text::read_yaml(sources, sources.add("f", text), text::pyyaml(), {});
  expect_identity(text, sources, document.root, OutputForm::yaml);
}

RC_GTEST_PROP(SourceMapProperty, KeysOfSeveralLines, (std::uint64_t seed)) {
  Arena arena;
  const text::Profile* profile = &text::core12();
  const Value random =
      random_value(arena, seed, {.keys = KeyEquality::exact, .container_keys = true, .beyond_json = false});
  const std::string text = text::write_yaml(random, {.profile = profile});
  Sources sources;
  const text::Document document = text::read_yaml(sources, sources.add("f", text), *profile, {});
  expect_identity(text, sources, document.root, OutputForm::yaml, profile);
}

RC_GTEST_PROP(SourceMapProperty, JsonOfItself, (std::uint64_t seed)) {
  Arena arena;
  const std::string text =
      text::write_json(random_value(arena, seed, {.keys = KeyEquality::exact, .beyond_json = false}));
  Sources sources;
  const text::Document document = text::read_json(sources, sources.add("f", text), {});
  expect_identity(text, sources, document.root, OutputForm::json);
}

RC_GTEST_PROP(SourceMapProperty, PsychOfItself, (std::uint64_t seed)) {
  Arena arena;
  const std::string text = ruby::yaml(random_value(arena, seed, {.keys = KeyEquality::exact, .beyond_json = false}));
  Sources sources;
  const text::Document document = text::read_yaml(sources, sources.add("f", text), text::psych(), {});
  if (ruby::yaml(document.root) != text) return;  // Where Psych does not read what it wrote.
  expect_identity(text, sources, document.root, OutputForm::psych);
}

RC_GTEST_PROP(SourceMapProperty, ObserversChangeNothing, (std::uint64_t seed)) {
  Arena arena;
  const Value value = random_value(arena, seed, {.keys = KeyEquality::python, .container_keys = true});
  for (const text::Profile* profile : {&text::pyyaml(), &text::core12(), &text::psych()}) {
    Sources sources;
    RC_ASSERT(mapped(sources, value, OutputForm::yaml, {}, profile).text ==
              text::write_yaml(value, {.profile = profile}));
  }
}

// Reading.

class SourceMapReading : public ::testing::Test {
 protected:
  SourceMap read(const std::string& text, const std::string& name = "m.map") {
    return SourceMap::read(sources, sources.add(name, text), {});
  }
  /// With these members beside `version` and `sources`.
  SourceMap with(const std::string& members) {
    return read(R"({"version": 3, "sources": ["a", null], "names": ["n"], )" + members + "}");
  }
  Sources sources;
};

TEST_F(SourceMapReading, RefusesWhatIsNoMap) {
  for (const std::string text : {"",
                                 "x",
                                 "[]",
                                 "1",
                                 "null",
                                 "{}",
                                 R"({"version": 3})",
                                 R"({"version": 3, "sources": []})",
                                 R"({"version": 3, "mappings": ""})",
                                 R"({"version": 2, "sources": [], "mappings": ""})",
                                 R"({"version": "3", "sources": [], "mappings": ""})",
                                 R"({"version": 3.0, "sources": [], "mappings": ""})",
                                 R"({"version": 3, "sources": {}, "mappings": ""})",
                                 R"({"version": 3, "sources": [1], "mappings": ""})",
                                 R"({"version": 3, "sources": [], "mappings": []})",
                                 R"({"version": 3, "sources": [], "names": [null], "mappings": ""})",
                                 R"({"version": 3, "sources": [], "names": "a", "mappings": ""})",
                                 R"({"version": 3, "file": 1, "sources": [], "mappings": ""})",
                                 R"({"version": 3, "sourceRoot": 1, "sources": [], "mappings": ""})",
                                 R"({"version": 3, "sources": [], "sourcesContent": [1], "mappings": ""})",
                                 R"({"version": 3, "sources": [], "mappings": "", "x": NaN})",
                                 R"({"version": 3, "sources": [], "mappings": ""} x)",
                                 R"({"version": 3, "sources": [], "mappings": "", "sections": []})"}) {
    STRATA_EXPECT_ERROR(read(text), "map.read");
  }
  try {
    (void)read(R"({"version": 3, "sections": [{"offset": {"line": 0, "column": 0}, "map": {}}]})");
  } catch (const Error& error) {
    EXPECT_NE(error.diagnostic().message.find("index map"), std::string::npos);
  }
}

TEST_F(SourceMapReading, RefusesWrongMappings) {
  for (const std::string mappings :
       {"A,",   ",A",    "A,,A",  "A,;A",      "AA",      "AAA",      "AAAAAA", "!",
        "A=",   "g",     "AAg",   "D",         "E,D",     "AADA",     "AAAD",   "ADAA",
        "AEAA", "AAAAC", "AAAAD", "ggggggggB", "ggggggE", "gggggggA", "AAAB",   "\\u00e9"}) {
    STRATA_EXPECT_ERROR(with("\"mappings\": \"" + mappings + "\""), "map.read");
  }
  for (const std::string mappings : {"", ";;;", "A", "A,C", "AAAA", "AAAAA", "AAAA,CCAA", "+/////D", ";A;;A,A;"}) {
    EXPECT_NO_THROW((void)with("\"mappings\": \"" + mappings + "\"")) << mappings;
  }
}

TEST_F(SourceMapReading, FindsTheLastSegmentOfALine) {
  const SourceMap map = with(R"("mappings": "EAAA,EAAEA,ECAA,E;;C")");
  EXPECT_FALSE(map.find(1, 2).has_value());
  EXPECT_EQ(map.find(1, 3)->to_string(), "a:1:1");
  EXPECT_EQ(map.find(1, 4)->name, "");
  EXPECT_EQ(map.find(1, 6)->to_string(), "a:1:3");
  EXPECT_EQ(map.find(1, 6)->name, "n");
  EXPECT_FALSE(map.find(1, 7).has_value()) << "a source without a name";
  EXPECT_FALSE(map.find(1, 9).has_value()) << "a segment without a source";
  EXPECT_FALSE(map.find(2, 1).has_value());
  EXPECT_FALSE(map.find(3, 9).has_value());
  EXPECT_FALSE(map.find(99, 1).has_value());
  EXPECT_FALSE(map.find(0, 1).has_value());
  EXPECT_FALSE(map.find(1, 0).has_value());
  EXPECT_FALSE(map.find(UINT64_MAX, UINT64_MAX).has_value());
}

TEST_F(SourceMapReading, NamesOfSources) {
  const auto file = [this](const std::string& name, const std::string& root, const std::string& url) {
    return read(R"({"version": 3, "sourceRoot": ")" + root + R"(", "sources": [")" + url + R"("], "mappings": "AAAA"})",
                name)
        .find(1, 1)
        ->to_string();
  };
  EXPECT_EQ(file("m.map", "", "a%20b/%3c.yaml"), "a b/<.yaml:1:1");
  EXPECT_EQ(file("d/m.map", "", "../a.yaml"), "a.yaml:1:1");
  EXPECT_EQ(file("d/m.map", "src", "a.yaml"), "d/src/a.yaml:1:1");
  EXPECT_EQ(file("d/m.map", "/src/", "a.yaml"), "/src/a.yaml:1:1");
  EXPECT_EQ(file("d/m.map", "", "https://x/%20"), "https://x/%20:1:1");
  EXPECT_EQ(file("d/m.map", "", "%3Cstdin%3E"), "<stdin>:1:1");
  EXPECT_EQ(file("m.map", "", "a#p%201"), "a[p 1]:1:1");
  EXPECT_EQ(file("m.map", "", "a%zz%4"), "a%zz%4:1:1");
}

/// Each segment of a large map is found, and what lies between them.
TEST_F(SourceMapReading, FindsInLargeMaps) {
  merge::World world;
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += "k" + std::to_string(i) + ": [a, b]\n" + (i % 100 == 0 ? std::string(30, '\n') : "");
  const Mapped out = mapped(world.sources, world.yaml(text), OutputForm::json);
  const SourceMap map = read(out.map);
  std::size_t line = 2;
  std::uint32_t source_line = 1;
  for (int i = 0; i < 5000; ++i, line += 4) {
    ASSERT_EQ(map.find(line + 1, 5)->name, "/k" + std::to_string(i) + "/0");
    ASSERT_EQ(map.find(line + 2, 500)->name, "/k" + std::to_string(i) + "/1");
    ASSERT_EQ(map.find(line, 1)->line, source_line);
    source_line += i % 100 == 0 ? 31 : 1;
  }
  EXPECT_FALSE(map.find(line + 1, 1).has_value());
}

}  // namespace
}  // namespace strata::report
