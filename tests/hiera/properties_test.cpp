// SPDX-License-Identifier: Apache-2.0
// What holds for any small hierarchy: a history or an explanation never changes an answer, every leaf has a place, and
// how folds behave.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::levels;
using testing::World;

constexpr std::array<std::string_view, 4> kKeys{"a", "b", "c", "m::d"};
constexpr std::array<std::string_view, 7> kMergeBehaviours{"",
                                                           "first",
                                                           "unique",
                                                           "hash",
                                                           "deep",
                                                           "{strategy: deep, knockout_prefix: '--'}",
                                                           "{strategy: deep, merge_hash_arrays: true}"};

using Members = std::map<std::string, std::string>;

/// Up to `most` of the keys, each with a value.
rc::Gen<Members> any_members(const std::vector<std::string>& keys, const rc::Gen<std::string>& value,
                             std::size_t most) {
  const auto one = rc::gen::pair(rc::gen::elementOf(keys), value);
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, most + 1), [one](std::size_t count) {
    return rc::gen::map(rc::gen::container<std::vector<std::pair<std::string, std::string>>>(count, one),
                        [](const std::vector<std::pair<std::string, std::string>>& pairs) {
                          return Members(pairs.begin(), pairs.end());
                        });
  });
}

std::string flow(const Members& members) {
  std::string out = "{";
  for (const auto& [key, value] : members) out += (out.size() > 1 ? ", " : "") + key + ": " + value;
  return out + "}";
}

/// Data that meets: few names, few texts, expressions among them.
rc::Gen<std::string> any_data(int depth) {
  const auto scalar =
      rc::gen::element<std::string>("x", "y", "'--x'", "1", "1.5", "true", "~", "''", "\"%{role}\"",
                                    "\"%{lookup('a')}\"", "\"%{alias('b')}\"", "\"<%{lookup('c.k')}>\"", "\"%{nope}\"");
  if (depth == 0) return scalar;
  const auto inner = any_data(depth - 1);
  const auto list = rc::gen::map(any_members({"1", "2", "3"}, inner, 3), [](const Members& items) {
    std::string out = "[";
    for (const auto& [position, item] : items) out += (out.size() > 1 ? ", " : "") + item;
    return out + "]";
  });
  const auto hash = rc::gen::map(any_members({"k", "l", "\"%{role}\""}, inner, 3), flow);
  return rc::gen::weightedOneOf<std::string>({{3, scalar}, {2, list}, {3, hash}});
}

rc::Gen<std::string> any_file() {
  return rc::gen::map(any_members({"a", "b", "c", "m::d", "lookup_options"}, any_data(2), 5), [](Members members) {
    if (members.contains("lookup_options"))
      members["lookup_options"] = "{b: {merge: unique}, '^c': {merge: deep}, m::d: {convert_to: Array}}";
    std::string out;
    for (const auto& [key, value] : members) out += key + ": " + value + "\n";
    return out.empty() ? std::string("{}\n") : out;
  });
}

World::Files files_of_all_levels(const std::vector<std::string>& texts) {
  return {
      {"/code/hiera.yaml", "version: 5\nhierarchy: [{name: g, path: g.yaml}]\n"},
      {"/code/data/g.yaml", texts[0]},
      {"hiera.yaml", "version: 5\nhierarchy: [{name: two, paths: [e1.yaml, e2.yaml]}, {name: last, path: e3.yaml}]\n"},
      {"data/e1.yaml", texts[1]},
      {"data/e2.yaml", texts[2]},
      {"data/e3.yaml", texts[3]},
      {"modules/m/hiera.yaml", "version: 5\n"},
      {"modules/m/data/common.yaml", "m::d: {k: 1}\n"}};
}

void check_leaves(World& here, const Value& value, const std::set<std::string>& known) {
  if (value.is_leaf()) {
    // What stands for a key that is not found, and what a conversion makes, has no place.
    if (!value.origin()) return;
    const Place place = here.session.sources().place(value.origin());
    RC_ASSERT(known.contains(place.file));
    RC_ASSERT(place.line.has_value());
    RC_ASSERT(!here.session.sources().line_of(value.origin()).empty());
    return;
  }
  if (value.is_sequence()) {
    for (const Value& item : value.items()) check_leaves(here, item, known);
  } else {
    for (const Entry& entry : value.entries()) check_leaves(here, entry.value, known);
  }
}

RC_GTEST_PROP(Lookup, ReportsNeverChangeTheAnswer, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(4, any_file());
  const auto data = files_of_all_levels(texts);
  World plain(data, "{role: k}");
  World traced(data, "{role: k}", {.keeps_history = true});
  std::set<std::string> known{"facts.yaml"};
  for (const auto& [name, text] : data)
    known.insert(name.starts_with('/') ? name : "/code/environments/production/" + name);
  for (const std::string_view key : kKeys) {
    for (const std::string_view merge : kMergeBehaviours) {
      const std::string remembering = plain.answer(std::string(key), merge);
      plain.view().forget();
      const std::string answer = plain.answer(std::string(key), merge);
      // What is remembered of other lookups may shorten the way to an error, and so its text.
      RC_ASSERT(remembering == answer || (remembering.starts_with("hiera.") && answer.starts_with("hiera.")));
      RC_ASSERT(traced.answer(std::string(key), merge) == answer);
      (void)plain.explained(std::string(key), merge);
      plain.view().forget();
      RC_ASSERT(plain.answer(std::string(key), merge) == answer);
      RC_ASSERT(traced.explained(std::string(key), merge) == plain.explained(std::string(key), merge));
      try {
        const Result& found =
            traced.result(World::query(std::string(key), merge.empty() ? Value() : traced.yaml(merge)));
        check_leaves(traced, found.value.value, known);
        // A conversion may move what it was made of to other paths.
        for (const merge::PathHistory& path : traced.history().explain(found.value)) {
          const auto counts = [](const merge::Contribution& one) {
            return one.fate == merge::Fate::won || one.fate == merge::Fate::merged;
          };
          RC_ASSERT(std::ranges::any_of(path.contributions, counts) || !path.value || !path.value.origin() ||
                    key == "m::d");
        }
        (void)report::blame_text(traced.session.sources(), found.value.value, {});
      } catch (const Error& error) {
        RC_ASSERT(answer.starts_with(error.code()));
      }
    }
  }
}

/// The value of `k` with one value per level, in the files of one entry or of an entry each.
std::string folded(const std::vector<std::string>& values, std::string_view merge, bool one_entry) {
  World::Files data;
  std::string paths;
  std::string entries;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string name = "l" + std::to_string(i) + ".yaml";
    paths += (paths.empty() ? "" : ", ") + name;
    entries += "  - {name: " + name + ", path: " + name + "}\n";
    data["data/" + name] = values[i].empty() ? "{}\n" : "k: " + values[i] + "\n";
  }
  data["hiera.yaml"] = "version: 5\nhierarchy:\n" + (one_entry ? "  - {name: all, paths: [" + paths + "]}\n" : entries);
  World here(data);
  return here.answer("k", merge);
}

/// Plain hashes with text keys, and levels without the key.
rc::Gen<std::vector<std::string>> any_levels() {
  const auto value = rc::gen::element<std::string>("1", "x", "[p, q]", "[q, r]", "{n: 1}", "{o: 2}");
  const auto hash = rc::gen::map(any_members({"a", "b", "c", "d"}, value, 4), flow);
  const auto level = rc::gen::weightedOneOf<std::string>({{4, hash}, {1, rc::gen::just(std::string())}});
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 5), [level](std::size_t count) {
    return rc::gen::container<std::vector<std::string>>(count, level);
  });
}

// Where each level holds a hash of plain data it does not matter whether levels are paths of one entry or entries.
RC_GTEST_PROP(Folds, PathsAndEntriesAgreeOnHashes, ()) {
  const auto values = *any_levels();
  const auto merge = *rc::gen::element<std::string>("hash", "deep", "first");
  RC_ASSERT(folded(values, merge, true) == folded(values, merge, false));
}

TEST(Folds, KnockoutsDependOnNesting) {
  // The prefixed item acts against the next lower value of its own fold, and is gone afterwards.
  const std::string merge = "{strategy: deep, knockout_prefix: '--'}";
  EXPECT_EQ(folded({"['--a', '--c']", "[a, d]", "[c, e]"}, merge, true), R"(["c", "e", "d"])");
  World nested(World::Files{
      {"hiera.yaml", "version: 5\nhierarchy: [{name: high, path: h.yaml}, {name: both, paths: [m.yaml, l.yaml]}]\n"},
      {"data/h.yaml", "k: ['--a', '--c']\n"},
      {"data/m.yaml", "k: [a, d]\n"},
      {"data/l.yaml", "k: [c, e]\n"}});
  EXPECT_EQ(nested.answer("k", merge), R"(["e", "d"])");
}

// Merging a level with itself changes nothing, where nothing is knocked out or flattened.
RC_GTEST_PROP(Folds, ALevelTwiceIsTheLevel, ()) {
  auto values = *any_levels();
  const auto merge = *rc::gen::element<std::string>("hash", "deep", "first");
  const std::string once = folded(values, merge, false);
  values.push_back(values.back());
  RC_ASSERT(folded(values, merge, false) == once);
}

TEST(Folds, WhereALevelTwiceIsNotTheLevel) {
  EXPECT_EQ(folded({"[x, '--x']"}, "{strategy: deep, knockout_prefix: '--'}", false), R"(["x", "--x"])");
  EXPECT_EQ(folded({"[x, '--x']", "[x, '--x']"}, "{strategy: deep, knockout_prefix: '--'}", false), R"(["x"])");
  EXPECT_EQ(folded({"[a, a]"}, "deep", true), R"(["a", "a"])");
  EXPECT_EQ(folded({"[a, a]", "[a, a]"}, "deep", true), R"(["a"])");
  EXPECT_EQ(folded({"{a: 1}", "{a: 1}"}, "unique", true),
            "merge.kind-mismatch: unique merges scalars and lists, got Hash");
}

}  // namespace
}  // namespace strata::hiera
