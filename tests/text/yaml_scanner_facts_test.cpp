// SPDX-License-Identifier: Apache-2.0
// YamlScanner: libyaml's rules as a table of texts with their events.
#include "text/yaml/scanner.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "text/compare_yaml_events.hpp"

namespace strata::text {
namespace {

std::vector<testing::KeptEvent> libyaml_events(const std::string& text) {
  Sources sources;
  const YamlInput input(sources, sources.add("f", text), {});
  return testing::read_with_libyaml(input).events;
}

struct Fact {
  const char* text;
  const char* events;  ///< Kind, properties, style and text, begin and end.
};

// Rules of libyaml 0.2.5; all events seen by running it.
constexpr Fact kFacts[] = {
    // A mapping begins at its first key, properties included.
    Fact{"a: 1\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :1 3-4; -MAP 5-5; -DOC 5-5"},
    Fact{"&k a: 1\n", "+DOC 0-0; +MAP 0-0; =VAL &k :a 0-4; =VAL :1 6-7; -MAP 8-8; -DOC 8-8"},
    Fact{"- &x a: 1\n  b: 2\n",
         "+DOC 0-0; +SEQ 0-0; +MAP 2-2; =VAL &x :a 2-6; =VAL :1 8-9; =VAL :b 12-13; =VAL :2 15-16; -MAP 17-17; -SEQ "
         "17-17; -DOC 17-17"},
    Fact{
        "k: &m\n  a: 1\n",
        "+DOC 0-0; +MAP 0-0; =VAL :k 0-1; +MAP &m 3-8; =VAL :a 8-9; =VAL :1 11-12; -MAP 13-13; -MAP 13-13; -DOC 13-13"},
    Fact{"k: &m\n  &n a: 1\n",
         "+DOC 0-0; +MAP 0-0; =VAL :k 0-1; +MAP &m 3-8; =VAL &n :a 8-12; =VAL :1 14-15; -MAP 16-16; -MAP 16-16; -DOC "
         "16-16"},
    Fact{"- &x\n  a: 1\n",
         "+DOC 0-0; +SEQ 0-0; +MAP &x 2-7; =VAL :a 7-8; =VAL :1 10-11; -MAP 12-12; -SEQ 12-12; -DOC 12-12"},
    Fact{"--- &x\na: 1\n", "+DOC 0-3 explicit; +MAP &x 4-7; =VAL :a 7-8; =VAL :1 10-11; -MAP 12-12; -DOC 12-12"},
    Fact{"!!map\na: b\n",
         "+DOC 0-0; +MAP <tag:yaml.org,2002:map> 0-6; =VAL :a 6-7; =VAL :b 9-10; -MAP 11-11; -DOC 11-11"},
    // Collections and documents end at the next token, behind comments.
    Fact{"a:\n  b: 1\n# c\n\nd: 2\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +MAP 5-5; =VAL :b 5-6; =VAL :1 8-9; -MAP 15-15; =VAL :d 15-16; =VAL :2 "
         "18-19; -MAP 20-20; -DOC 20-20"},
    Fact{"a:\n  - b\n  # c\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +SEQ 5-5; =VAL :b 7-8; -SEQ 15-15; -MAP 15-15; -DOC 15-15"},
    Fact{"a: 1\n# end\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :1 3-4; -MAP 11-11; -DOC 11-11"},
    Fact{"a:\n- b\n# c\nd: e\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +SEQ 3-4; =VAL :b 5-6; -SEQ 11-11; =VAL :d 11-12; =VAL :e 14-15; -MAP "
         "16-16; -DOC 16-16"},
    Fact{"- a\n # c\n--- b\n",
         "+DOC 0-0; +SEQ 0-0; =VAL :a 2-3; -SEQ 9-9; -DOC 9-9; +DOC 9-12 explicit; =VAL :b 13-14; -DOC 15-15"},
    Fact{"  - a\n  - b\n", "+DOC 2-2; +SEQ 2-2; =VAL :a 4-5; =VAL :b 10-11; -SEQ 12-12; -DOC 12-12"},
    // An empty value or item stands behind its indicator.
    Fact{"a:\nb:\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL : 2-2; =VAL :b 3-4; =VAL : 5-5; -MAP 6-6; -DOC 6-6"},
    Fact{"a:   # c\nb: 1\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL : 2-2; =VAL :b 9-10; =VAL :1 12-13; -MAP 14-14; -DOC 14-14"},
    Fact{"-\n- b\n-", "+DOC 0-0; +SEQ 0-0; =VAL : 1-1; =VAL :b 4-5; =VAL : 7-7; -SEQ 7-7; -DOC 7-7"},
    Fact{"- # c\n- a\n", "+DOC 0-0; +SEQ 0-0; =VAL : 1-1; =VAL :a 8-9; -SEQ 10-10; -DOC 10-10"},
    Fact{"a:\n  -\n  - b:\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +SEQ 5-5; =VAL : 6-6; +MAP 11-11; =VAL :b 11-12; =VAL : 13-13; -MAP 14-14; "
         "-SEQ 14-14; -MAP 14-14; -DOC "
         "14-14"},
    Fact{"a:\n---\nb:\n...\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL : 2-2; -MAP 3-3; -DOC 3-3; +DOC 3-6 explicit; +MAP 7-7; =VAL :b 7-8; "
         "=VAL : 9-9; -MAP 10-10; -DOC "
         "10-13 explicit"},
    // An empty document stands at the next token.
    Fact{"---\n", "+DOC 0-3 explicit; =VAL : 4-4; -DOC 4-4"},
    Fact{"--- # c\n\n", "+DOC 0-3 explicit; =VAL : 9-9; -DOC 9-9"},
    Fact{"---\n--- a\n", "+DOC 0-3 explicit; =VAL : 4-4; -DOC 4-4; +DOC 4-7 explicit; =VAL :a 8-9; -DOC 10-10"},
    Fact{"---\n...\n", "+DOC 0-3 explicit; =VAL : 4-4; -DOC 4-7 explicit"},
    Fact{"--- # c\n# d\n...", "+DOC 0-3 explicit; =VAL : 12-12; -DOC 12-15 explicit"},
    // Properties alone are a node.
    Fact{"a: &x\nb: !t\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL &x : 3-5; =VAL :b 6-7; =VAL <!t> : 9-11; -MAP 12-12; -DOC 12-12"},
    Fact{"a: &x !!str # c\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL &x <tag:yaml.org,2002:str> : 3-11; -MAP 16-16; -DOC 16-16"},
    Fact{"- &x\n- !t &y\n", "+DOC 0-0; +SEQ 0-0; =VAL &x : 2-4; =VAL &y <!t> : 7-12; -SEQ 13-13; -DOC 13-13"},
    Fact{"--- &x\n", "+DOC 0-3 explicit; =VAL &x : 4-6; -DOC 7-7"},
    Fact{"--- !t\n...\n", "+DOC 0-3 explicit; =VAL <!t> : 4-6; -DOC 7-10 explicit"},
    Fact{"&x", "+DOC 0-0; =VAL &x : 0-2; -DOC 2-2"},
    // Pairs and empty values in flow collections.
    Fact{"[a: b]", "+DOC 0-0; +SEQ flow 0-1; +MAP flow 1-1; =VAL :a 1-2; =VAL :b 4-5; -MAP 5-5; -SEQ 5-6; -DOC 6-6"},
    Fact{"[a: b, c]",
         "+DOC 0-0; +SEQ flow 0-1; +MAP flow 1-1; =VAL :a 1-2; =VAL :b 4-5; -MAP 5-5; =VAL :c 7-8; -SEQ 8-9; -DOC 9-9"},
    Fact{"[a: ]", "+DOC 0-0; +SEQ flow 0-1; +MAP flow 1-1; =VAL :a 1-2; =VAL : 4-4; -MAP 4-4; -SEQ 4-5; -DOC 5-5"},
    Fact{"[a: , b]",
         "+DOC 0-0; +SEQ flow 0-1; +MAP flow 1-1; =VAL :a 1-2; =VAL : 4-4; -MAP 4-4; =VAL :b 6-7; -SEQ 7-8; -DOC 8-8"},
    Fact{"[a:\n]", "+DOC 0-0; +SEQ flow 0-1; +MAP flow 1-1; =VAL :a 1-2; =VAL : 4-4; -MAP 4-4; -SEQ 4-5; -DOC 5-5"},
    Fact{"[&x a: b]",
         "+DOC 0-0; +SEQ flow 0-1; +MAP flow 1-1; =VAL &x :a 1-5; =VAL :b 7-8; -MAP 8-8; -SEQ 8-9; -DOC 9-9"},
    Fact{"{a, b: , c: d}",
         "+DOC 0-0; +MAP flow 0-1; =VAL :a 1-2; =VAL : 2-2; =VAL :b 4-5; =VAL : 7-7; =VAL :c 9-10; =VAL :d 12-13; -MAP "
         "13-14; -DOC 14-14"},
    Fact{"{a: \n}", "+DOC 0-0; +MAP flow 0-1; =VAL :a 1-2; =VAL : 5-5; -MAP 5-6; -DOC 6-6"},
    Fact{"{a\n b}", "+DOC 0-0; +MAP flow 0-1; =VAL :a b 1-5; =VAL : 5-5; -MAP 5-6; -DOC 6-6"},
    Fact{"{a: [b, {c: d}], e: {}, }",
         "+DOC 0-0; +MAP flow 0-1; =VAL :a 1-2; +SEQ flow 4-5; =VAL :b 5-6; +MAP flow 8-9; =VAL :c 9-10; =VAL :d "
         "12-13; -MAP 13-14; -SEQ 14-15; =VAL "
         ":e 17-18; +MAP flow 20-21; -MAP 21-22; -MAP 24-25; -DOC 25-25"},
    Fact{"[[], [a], {}]",
         "+DOC 0-0; +SEQ flow 0-1; +SEQ flow 1-2; -SEQ 2-3; +SEQ flow 5-6; =VAL :a 6-7; -SEQ 7-8; +MAP flow 10-11; "
         "-MAP 11-12; -SEQ 12-13; -DOC "
         "13-13"},
    // A colon in flow.
    Fact{"[\"a\":b, 'c' : d]",
         "+DOC 0-0; +SEQ flow 0-1; +MAP flow 1-1; =VAL \"a 1-4; =VAL :b 5-6; -MAP 6-6; +MAP flow 8-8; =VAL 'c 8-11; "
         "=VAL :d 14-15; -MAP 15-15; -SEQ "
         "15-16; -DOC 16-16"},
    Fact{"{\"a\":1}", "+DOC 0-0; +MAP flow 0-1; =VAL \"a 1-4; =VAL :1 5-6; -MAP 6-7; -DOC 7-7"},
    Fact{"[a b:c]", "+DOC 0-0; +SEQ flow 0-1; =VAL :a b:c 1-6; -SEQ 6-7; -DOC 7-7"},
    Fact{"[a:b: c]",
         "+DOC 0-0; +SEQ flow 0-1; +MAP flow 1-1; =VAL :a:b 1-4; =VAL :c 6-7; -MAP 7-7; -SEQ 7-8; -DOC 8-8"},
    Fact{"{a :b: c}", "+DOC 0-0; +MAP flow 0-1; =VAL :a :b 1-5; =VAL :c 7-8; -MAP 8-9; -DOC 9-9"},
    Fact{"[-, -a]", "+DOC 0-0; +SEQ flow 0-1; =VAL :- 1-2; =VAL :-a 4-6; -SEQ 6-7; -DOC 7-7"},
    Fact{"[a, b,]", "+DOC 0-0; +SEQ flow 0-1; =VAL :a 1-2; =VAL :b 4-5; -SEQ 6-7; -DOC 7-7"},
    Fact{"[*a : b, *a]",
         "+DOC 0-0; +SEQ flow 0-1; +MAP flow 1-1; =ALI *a 1-3; =VAL :b 6-7; -MAP 7-7; =ALI *a 9-11; -SEQ 11-12; -DOC "
         "12-12"},
    // Flow collections over lines.
    Fact{"[a\n  b,\n# c\n c]", "+DOC 0-0; +SEQ flow 0-1; =VAL :a b 1-6; =VAL :c 13-14; -SEQ 14-15; -DOC 15-15"},
    Fact{"a: [\nb\n]\nc: d\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +SEQ flow 3-4; =VAL :b 5-6; -SEQ 7-8; =VAL :c 9-10; =VAL :d 12-13; -MAP "
         "14-14; -DOC 14-14"},
    Fact{"{a:\nb,\n\nc: d}",
         "+DOC 0-0; +MAP flow 0-1; =VAL :a 1-2; =VAL :b 4-5; =VAL :c 8-9; =VAL :d 11-12; -MAP 12-13; -DOC 13-13"},
    Fact{
        "- [a,\n b]\n- c\n",
        "+DOC 0-0; +SEQ 0-0; +SEQ flow 2-3; =VAL :a 3-4; =VAL :b 7-8; -SEQ 8-9; =VAL :c 12-13; -SEQ 14-14; -DOC 14-14"},
    // Block scalars end behind the last break.
    Fact{"a: |\n  b\n  c\n\nd: 1\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL |b\\nc\\n 3-14; =VAL :d 14-15; =VAL :1 17-18; -MAP 19-19; -DOC 19-19"},
    Fact{"a: |\n  b", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL |b 3-8; -MAP 8-8; -DOC 8-8"},
    Fact{"a: |\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL | 3-5; -MAP 5-5; -DOC 5-5"},
    Fact{"a: | # c\n  b\n# d\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL |b\\n 3-13; -MAP 17-17; -DOC 17-17"},
    Fact{"|\n b\n", "+DOC 0-0; =VAL |b\\n 0-5; -DOC 5-5"},
    Fact{"--- >-\n b\n--- |\n c\n",
         "+DOC 0-3 explicit; =VAL >b 4-10; -DOC 10-10; +DOC 10-13 explicit; =VAL |c\\n 14-19; -DOC 19-19"},
    Fact{"- |\n a\n- >\n b\n", "+DOC 0-0; +SEQ 0-0; =VAL |a\\n 2-7; =VAL >b\\n 9-14; -SEQ 14-14; -DOC 14-14"},
    // The widest leading line is the indentation.
    Fact{"a:\n  b: |\n      \n  c: d\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +MAP 5-5; =VAL :b 5-6; =VAL | 8-17; =VAL :c 19-20; =VAL :d 22-23; -MAP "
         "24-24; -MAP 24-24; -DOC 24-24"},
    Fact{"a: |\n  \n    \n    b\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL |\\n\\nb\\n 3-19; -MAP 19-19; -DOC 19-19"},
    Fact{"a: |\n\n   b\n    c\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL |\\nb\\n c\\n 3-17; -MAP 17-17; -DOC 17-17"},
    // A digit counts from the parent.
    Fact{"a: |2\n    b\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL |  b\\n 3-12; -MAP 12-12; -DOC 12-12"},
    Fact{"- |1\n  b\n", "+DOC 0-0; +SEQ 0-0; =VAL | b\\n 2-9; -SEQ 9-9; -DOC 9-9"},
    Fact{"a:\n  b: |1-\n    c\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +MAP 5-5; =VAL :b 5-6; =VAL | c 8-18; -MAP 18-18; -MAP 18-18; -DOC 18-18"},
    Fact{"|2\n   a\n", "+DOC 0-0; =VAL | a\\n 0-8; -DOC 8-8"},
    Fact{"a: >+3\n     b\n\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL >  b\\n\\n 3-15; -MAP 15-15; -DOC 15-15"},
    // Chomping.
    Fact{"a: |-\n b\n\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL |b 3-10; -MAP 10-10; -DOC 10-10"},
    Fact{"a: |+\n b\n\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL |b\\n\\n 3-10; -MAP 10-10; -DOC 10-10"},
    Fact{"a: |\n b\n\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL |b\\n 3-9; -MAP 9-9; -DOC 9-9"},
    Fact{"a: |+\n\n\nb: c\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL |\\n\\n 3-8; =VAL :b 8-9; =VAL :c 11-12; -MAP 13-13; -DOC 13-13"},
    Fact{"a: >-\n\n\n b\n\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL >\\n\\nb 3-12; -MAP 12-12; -DOC 12-12"},
    // Folding.
    Fact{"a: >\n b\n c\n\n d\n   e\n f\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL >b c\\nd\\n  e\\nf\\n 3-23; -MAP 23-23; -DOC 23-23"},
    Fact{"a: >\n\n b\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL >\\nb\\n 3-9; -MAP 9-9; -DOC 9-9"},
    Fact{"a: >\n b\n \tc\n d\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL >b\\n\\tc\\nd\\n 3-15; -MAP 15-15; -DOC 15-15"},
    Fact{"a: >\n b\n\n\n c\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL >b\\n\\nc\\n 3-13; -MAP 13-13; -DOC 13-13"},
    Fact{"a: >\n   b\n\n    c\n\n   d\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL >b\\n\\n c\\n\\nd\\n 3-23; -MAP 23-23; -DOC 23-23"},
    // A comment where a token could begin.
    Fact{"\"a\"#c\n", "+DOC 0-0; =VAL \"a 0-3; -DOC 6-6"}, Fact{"a#b #c\n", "+DOC 0-0; =VAL :a#b 0-3; -DOC 7-7"},
    Fact{"a: b#c\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :b#c 3-6; -MAP 7-7; -DOC 7-7"},
    Fact{"[a#b, \"c\"#d\n]", "+DOC 0-0; +SEQ flow 0-1; =VAL :a#b 1-4; =VAL \"c 6-9; -SEQ 12-13; -DOC 13-13"},
    Fact{"a: #c\n  b\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :b 8-9; -MAP 10-10; -DOC 10-10"},
    Fact{"[a,#c\n b]#d\n", "+DOC 0-0; +SEQ flow 0-1; =VAL :a 1-2; =VAL :b 7-8; -SEQ 8-9; -DOC 12-12"},
    Fact{"- #c\n  a\n", "+DOC 0-0; +SEQ 0-0; =VAL :a 7-8; -SEQ 9-9; -DOC 9-9"},
    // Plain scalars over lines.
    Fact{"a: b\n c\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :b c 3-7; -MAP 8-8; -DOC 8-8"},
    Fact{"a\nb\n", "+DOC 0-0; =VAL :a b 0-3; -DOC 4-4"},
    Fact{"- a\n b\n", "+DOC 0-0; +SEQ 0-0; =VAL :a b 2-6; -SEQ 7-7; -DOC 7-7"},
    Fact{"a: b\n  c\n\n\n  d  \n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :b c\\n\\nd 3-14; -MAP 17-17; -DOC 17-17"},
    Fact{"a: b\n\n# c\nd: e\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :b 3-4; =VAL :d 10-11; =VAL :e 13-14; -MAP 15-15; -DOC 15-15"},
    Fact{"a: b\n  c # d\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :b c 3-8; -MAP 13-13; -DOC 13-13"},
    Fact{"a\n- b\n", "+DOC 0-0; =VAL :a - b 0-5; -DOC 6-6"},
    Fact{"--- a\nb:c", "+DOC 0-3 explicit; =VAL :a b:c 4-9; -DOC 9-9"},
    Fact{"a: b\n  - c\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :b - c 3-10; -MAP 11-11; -DOC 11-11"},
    // Documents.
    Fact{"", ""}, Fact{"# c\n", ""}, Fact{"\n\n  a\n", "+DOC 4-4; =VAL :a 4-5; -DOC 6-6"},
    Fact{"a", "+DOC 0-0; =VAL :a 0-1; -DOC 1-1"},
    Fact{"--- a\n...\n", "+DOC 0-3 explicit; =VAL :a 4-5; -DOC 6-9 explicit"},
    Fact{"--- a\n--- b\n...\n... # x\n--- c\n",
         "+DOC 0-3 explicit; =VAL :a 4-5; -DOC 6-6; +DOC 6-9 explicit; =VAL :b 10-11; -DOC 12-15 explicit; +DOC 24-27 "
         "explicit; =VAL :c 28-29; -DOC "
         "30-30"},
    Fact{"a\n...\n...\n", "+DOC 0-0; =VAL :a 0-1; -DOC 2-5 explicit"},
    Fact{"--- \"a\"\n--- 'b'\n--- [c]\n--- *d\n",
         "+DOC 0-3 explicit; =VAL \"a 4-7; -DOC 8-8; +DOC 8-11 explicit; =VAL 'b 12-15; -DOC 16-16; +DOC 16-19 "
         "explicit; +SEQ flow 20-21; =VAL :c "
         "21-22; -SEQ 22-23; -DOC 24-24; +DOC 24-27 explicit; =ALI *d 28-30; -DOC 31-31"},
    Fact{"a\n---\n---\n",
         "+DOC 0-0; =VAL :a 0-1; -DOC 2-2; +DOC 2-5 explicit; =VAL : 6-6; -DOC 6-6; +DOC 6-9 explicit; =VAL : 10-10; "
         "-DOC 10-10"},
    Fact{"---a\n", "+DOC 0-0; =VAL :---a 0-4; -DOC 5-5"}, Fact{"...a\n", "+DOC 0-0; =VAL :...a 0-4; -DOC 5-5"},
    Fact{"a:\n  b:\n    - c\n--- d\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +MAP 5-5; =VAL :b 5-6; +SEQ 12-12; =VAL :c 14-15; -SEQ 16-16; -MAP 16-16; "
         "-MAP 16-16; -DOC 16-16; +DOC "
         "16-19 explicit; =VAL :d 20-21; -DOC 22-22"},
    // Quoted scalars over lines.
    Fact{"\"a  \n  b\n\n c\\\n  d\"", "+DOC 0-0; =VAL \"a b\\ncd 0-18; -DOC 18-18"},
    Fact{"'a\n\n b''c'", "+DOC 0-0; =VAL 'a\\nb'c 0-10; -DOC 10-10"},
    Fact{"\"a \\\n\n b\"", "+DOC 0-0; =VAL \"a \\nb 0-9; -DOC 9-9"},
    Fact{"\" a\t\n\t b \"", "+DOC 0-0; =VAL \" a b  0-10; -DOC 10-10"}, Fact{"'\n'", "+DOC 0-0; =VAL '  0-3; -DOC 3-3"},
    Fact{"\"\\\n\"", "+DOC 0-0; =VAL \" 0-4; -DOC 4-4"},
    Fact{"a: 'b\nc'\nd: e\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL 'b c 3-8; =VAL :d 9-10; =VAL :e 12-13; -MAP 14-14; -DOC 14-14"},
    // Escapes.
    Fact{"\"\\a\\b\\t\\n\\v\\f\\r\\e\\ \\\"\\/\\\\\\N\\_\\L\\P\\x41\\u00e9\\U0001F600\"",
         "+DOC 0-0; =VAL \"\007\010\\t\\n\013\014\015\033 \"/\\\302\205 \342\200\250\342\200\251Aé😀 0-54; -DOC 54-54"},
    Fact{"\"\\\t\"", "+DOC 0-0; =VAL \"\\t 0-4; -DOC 4-4"}, Fact{"'\\x'", "+DOC 0-0; =VAL '\\x 0-4; -DOC 4-4"},
    Fact{"''", "+DOC 0-0; =VAL ' 0-2; -DOC 2-2"}, Fact{"''''", "+DOC 0-0; =VAL '' 0-4; -DOC 4-4"},
    // Keys.
    Fact{"'a' : b\n", "+DOC 0-0; +MAP 0-0; =VAL 'a 0-3; =VAL :b 6-7; -MAP 8-8; -DOC 8-8"},
    Fact{"\"a\": b\n", "+DOC 0-0; +MAP 0-0; =VAL \"a 0-3; =VAL :b 5-6; -MAP 7-7; -DOC 7-7"},
    Fact{"&a a: *a\n*a : b\n",
         "+DOC 0-0; +MAP 0-0; =VAL &a :a 0-4; =ALI *a 6-8; =ALI *a 9-11; =VAL :b 14-15; -MAP 16-16; -DOC 16-16"},
    Fact{"a b : c\n", "+DOC 0-0; +MAP 0-0; =VAL :a b 0-3; =VAL :c 6-7; -MAP 8-8; -DOC 8-8"},
    Fact{"a:b: c\n", "+DOC 0-0; +MAP 0-0; =VAL :a:b 0-3; =VAL :c 5-6; -MAP 7-7; -DOC 7-7"},
    Fact{"a::b: c\n", "+DOC 0-0; +MAP 0-0; =VAL :a::b 0-4; =VAL :c 6-7; -MAP 8-8; -DOC 8-8"},
    Fact{"-a: b\n", "+DOC 0-0; +MAP 0-0; =VAL :-a 0-2; =VAL :b 4-5; -MAP 6-6; -DOC 6-6"},
    Fact{"?a: b\n", "+DOC 0-0; +MAP 0-0; =VAL :?a 0-2; =VAL :b 4-5; -MAP 6-6; -DOC 6-6"},
    Fact{":a: b\n", "+DOC 0-0; +MAP 0-0; =VAL ::a 0-2; =VAL :b 4-5; -MAP 6-6; -DOC 6-6"},
    Fact{"a: b:c\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :b:c 3-6; -MAP 7-7; -DOC 7-7"},
    // Tabs separate behind something.
    Fact{"a:\tb\t#c\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :b 3-4; -MAP 8-8; -DOC 8-8"},
    Fact{"\"a\"\t:\tb\n", "+DOC 0-0; +MAP 0-0; =VAL \"a 0-3; =VAL :b 6-7; -MAP 8-8; -DOC 8-8"},
    Fact{"[\ta,\t\n\tb\t]", "+DOC 0-0; +SEQ flow 0-1; =VAL :a 2-3; =VAL :b 7-8; -SEQ 9-10; -DOC 10-10"},
    Fact{"a: &x\tb\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL &x :b 3-7; -MAP 8-8; -DOC 8-8"},
    Fact{"---\ta\n", "+DOC 0-3 explicit; =VAL :a 4-5; -DOC 6-6"},
    Fact{"a: b\tc\t\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL :b\\tc 3-6; -MAP 8-8; -DOC 8-8"},
    Fact{"a: \"b\"\t#c\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL \"b 3-6; -MAP 10-10; -DOC 10-10"},
    // Tags and anchors.
    Fact{"!t a", "+DOC 0-0; =VAL <!t> :a 0-4; -DOC 4-4"},
    Fact{"!!str a", "+DOC 0-0; =VAL <tag:yaml.org,2002:str> :a 0-7; -DOC 7-7"},
    Fact{"a: !a/b?c(d) [x]\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +SEQ <!a/b?c(d)> flow 3-14; =VAL :x 14-15; -SEQ 15-16; -MAP 17-17; -DOC "
         "17-17"},
    Fact{"!t &a x", "+DOC 0-0; =VAL &a <!t> :x 0-7; -DOC 7-7"},
    Fact{"&a !t x", "+DOC 0-0; =VAL &a <!t> :x 0-7; -DOC 7-7"},
    Fact{"- !!str\n  a\n", "+DOC 0-0; +SEQ 0-0; =VAL <tag:yaml.org,2002:str> :a 2-11; -SEQ 12-12; -DOC 12-12"},
    Fact{"a: !t |\n b\n", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL <!t> |b\\n 3-11; -MAP 11-11; -DOC 11-11"},
    Fact{"[&a b, !t {c: d}, !!x 'e']",
         "+DOC 0-0; +SEQ flow 0-1; =VAL &a :b 1-5; +MAP <!t> flow 7-11; =VAL :c 11-12; =VAL :d 14-15; -MAP 15-16; =VAL "
         "<tag:yaml.org,2002:x> 'e "
         "18-25; -SEQ 25-26; -DOC 26-26"},
    Fact{"a: &b-_1 c", "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; =VAL &b-_1 :c 3-10; -MAP 10-10; -DOC 10-10"},
    // Sequences.
    Fact{"a:\n- b\n- - c\n  - d\nc: d\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +SEQ 3-4; =VAL :b 5-6; +SEQ 9-9; =VAL :c 11-12; =VAL :d 17-18; -SEQ 19-19; "
         "-SEQ 19-19; =VAL :c 19-20; "
         "=VAL :d 22-23; -MAP 24-24; -DOC 24-24"},
    Fact{"- - - a\n    - b\n  - c\n",
         "+DOC 0-0; +SEQ 0-0; +SEQ 2-2; +SEQ 4-4; =VAL :a 6-7; =VAL :b 14-15; -SEQ 18-18; =VAL :c 20-21; -SEQ 22-22; "
         "-SEQ 22-22; -DOC 22-22"},
    Fact{"- a: b\n  c: d\n- e\n",
         "+DOC 0-0; +SEQ 0-0; +MAP 2-2; =VAL :a 2-3; =VAL :b 5-6; =VAL :c 9-10; =VAL :d 12-13; -MAP 14-14; =VAL :e "
         "16-17; -SEQ 18-18; -DOC 18-18"},
    Fact{"a:\n- b:\n- c\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +SEQ 3-4; +MAP 5-5; =VAL :b 5-6; =VAL : 7-7; -MAP 8-8; =VAL :c 10-11; -SEQ "
         "12-12; -MAP 12-12; -DOC 12-12"},
    Fact{"a: &x\n- b\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +SEQ &x 3-7; =VAL :b 8-9; -SEQ 10-10; -MAP 10-10; -DOC 10-10"},
    Fact{"a:\n  &x\n- b\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +SEQ &x 5-9; =VAL :b 10-11; -SEQ 12-12; -MAP 12-12; -DOC 12-12"},
    Fact{"a:\n  - b\n  -\n    c: d\n",
         "+DOC 0-0; +MAP 0-0; =VAL :a 0-1; +SEQ 5-5; =VAL :b 7-8; +MAP 17-17; =VAL :c 17-18; =VAL :d 20-21; -MAP "
         "22-22; -SEQ 22-22; -MAP 22-22; -DOC "
         "22-22"},
    // Bytes are counted, not characters.
    Fact{"é: ü # ö\nb: \"é\\xe9\"\n",
         "+DOC 0-0; +MAP 0-0; =VAL :é 0-2; =VAL :ü 4-6; =VAL :b 12-13; =VAL \"éé 15-23; -MAP 24-24; -DOC 24-24"},
    Fact{"- é\n- 日本: 語\n",
         "+DOC 0-0; +SEQ 0-0; =VAL :é 2-4; +MAP 7-7; =VAL :日本 7-13; =VAL :語 15-18; -MAP 19-19; -SEQ 19-19; -DOC "
         "19-19"}};

TEST(YamlScanner, GivesTheEventsOfLibyaml) {
  for (const Fact& fact : kFacts) {
    EXPECT_EQ(testing::joined(libyaml_events(fact.text)), fact.events) << fact.text;
    const testing::ScannerReading found = testing::read_with_scanner(fact.text);
    EXPECT_FALSE(found.has_bailed) << fact.text;
    EXPECT_EQ(testing::joined(found.events), fact.events) << fact.text;
    EXPECT_EQ(testing::compare_events(fact.text).difference, "") << fact.text;
  }
}

// ---- Mutations

TEST(YamlScanner, GivesTheEventsOfLibyamlForMutatedTexts) {
  constexpr std::string_view kPieces[] = {
      " ",  "  ", "\n",   "\n  ", "\t",  "- ",  ": ",    ":",    ", ", "[",   "]",    "{",      "}",     "#",
      " #", "'",  "\"",   "\\",   "|\n", ">\n", "|+\n ", "&x ",  "*x", "!t ", "? ",   "---\n",  "...\n", "a",
      "é",  "%",  "\n\n", "!!s ", "1",   "-",   "?",     "\\\n", "''", "*x ", "\n- ", "\n---\n"};
  std::mt19937 random(20260101);
  const auto below = [&random](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  std::size_t taken = 0;
  for (int round = 0; round < 30'000; ++round) {
    std::string text = kFacts[below(std::size(kFacts))].text;
    if (below(3) == 0) text += kFacts[below(std::size(kFacts))].text;
    for (std::size_t changes = 1 + below(3); changes != 0; --changes) {
      const std::size_t at = below(text.size() + 1);
      if (below(3) == 0) {
        text.erase(at, 1 + below(3));
      } else {
        text.insert(at, kPieces[below(std::size(kPieces))]);
      }
    }
    const testing::Comparison result = testing::compare_events(text);
    ASSERT_EQ(result.difference, "") << text;
    ASSERT_TRUE(result.is_valid || !result.is_taken) << text;
    taken += result.is_taken ? 1 : 0;
  }
  EXPECT_GT(taken, 5'000U) << "the mutations leave too few texts that the scanner takes";
}

}  // namespace
}  // namespace strata::text
