// SPDX-License-Identifier: Apache-2.0
// Changes between results: their shapes, and that doing them to one result gives the other.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "compact_json.hpp"
#include "merge/world.hpp"
#include "strata/analysis.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"

namespace strata::analysis {
namespace {

class Changes : public ::testing::Test {
 protected:
  Outcome outcome(const std::string& text, const std::string& file, const std::string& item = {}) {
    Outcome out{.failure = {}, .sources = &world.sources};
    out.items.push_back({.name = item, .value = world.yaml(text, file), .failure = {}});
    return out;
  }
  Outcome failed(const std::string& code, const std::string& message) {
    Outcome out{.failure = Error(code, message).in("f.yaml").diagnostic(), .sources = &world.sources};
    return out;
  }
  std::string text(const Outcome& before, const Outcome& after, const Comparison& how = {}) {
    DiffReport report{.total = 1};
    if (auto changes = compare(before, after, how); !changes.empty())
      report.subjects.push_back({.subject = {}, .changes = shared(std::move(changes))});
    return diff_text(report, {});
  }
  std::string text(const std::string& before, const std::string& after, const Comparison& how = {}) {
    return text(outcome(before, "a"), outcome(after, "b"), how);
  }

  merge::World world;
};

TEST_F(Changes, AreToldWithBothPlaces) {
  EXPECT_EQ(text("{a: 1, b: 2, c: [x]}", "{a: 3, c: [x, y], d: {e: 1}}"),
            "~ /a: 1 -> 3\n    was  a:1:5\n    now  b:1:5\n"
            "- /b: 2\n    was  a:1:11\n"
            "+ /c/1: \"y\"\n    now  b:1:15\n"
            "+ /d: {\"e\": 1}\n    now  b:1:26\n"
            "4 changes\n");
  EXPECT_EQ(text("{a: 1, b: {c: 1.0}}", "{b: {c: 1.0}, a: 1}"), "");
}

TEST_F(Changes, CompareKinds) {
  EXPECT_EQ(text("[1, true, '1', .nan, -0.0]", "[1, true, '1', .nan, 0.0]"), "");
  EXPECT_EQ(text("{a: {'0': x}}", "{a: [x]}"),
            "~ /a: {\"0\": \"x\"} -> [\"x\"]\n    was  a:1:11\n    now  b:1:6\n1 change\n");
  EXPECT_EQ(text("1", "1.0"), "~ /: 1 -> 1.0\n    was  a:1:1\n    now  b:1:1\n1 change\n");
  EXPECT_EQ(text("{a: {}}", "{a: []}"), "~ /a: {} -> []\n    was  a:1:5\n    now  b:1:5\n1 change\n");
}

TEST_F(Changes, AlignLists) {
  EXPECT_EQ(text("[a, b, c]", "[new, a, b, c]"), "+ /0: \"new\"\n    now  b:1:2\n1 change\n");
  EXPECT_EQ(
      text("[{n: 1, p: 1}, {n: 2, p: 1}]", "[{n: 0}, {n: 1, p: 1}, {n: 2, p: 2}]"),
      "+ /0: {\"n\": 0}\n    now  b:1:6\n~ /2/p (was /1/p): 1 -> 2\n    was  a:1:26\n    now  b:1:34\n2 changes\n");
}

TEST_F(Changes, AlignListsByAKey) {
  const std::string before = "[{n: a, p: 1}, {n: b, p: 1}]";
  const std::string after = "[{n: c, p: 9}, {n: a, p: 1}, {n: b, p: 2}]";
  EXPECT_EQ(text(before, after, {.list_key = "n"}),
            "+ /0: {\"n\": \"c\", \"p\": 9}\n    now  b:1:6\n~ /2/p (was /1/p): 1 -> 2\n    was  a:1:26\n    now  "
            "b:1:40\n2 changes\n");
}

TEST_F(Changes, OfItems) {
  Outcome before = outcome("{x: 1}", "a", "one");
  before.items.push_back({.name = "two", .value = world.yaml("2", "a"), .failure = {}});
  Outcome after = outcome("3", "b", "three");
  after.items.push_back({.name = "one", .value = world.yaml("{x: 2}", "b"), .failure = {}});
  EXPECT_EQ(text(before, after),
            "~ one/x: 1 -> 2\n    was  a:1:5\n    now  b:1:5\n- two: 2\n    was  a:1:1\n+ three: 3\n    now  b:1:1\n3 "
            "changes\n");
  after.items.back() = {.name = "one", .value = {}, .failure = Error("k.v", "no key").diagnostic()};
  after.items.front().name = "two";
  EXPECT_EQ(
      text(before, after),
      "! one broken: no key [k.v]\n    at   <nowhere>\n~ two: 2 -> 3\n    was  a:1:1\n    now  b:1:1\n2 changes\n");
}

TEST_F(Changes, OfSubjectsThatFail) {
  const Outcome good = outcome("1", "a");
  EXPECT_EQ(text(good, failed("c.d", "bad")), "! broken: bad [c.d]\n    at   f.yaml\n1 change\n");
  EXPECT_EQ(text(failed("c.d", "bad"), good), "+ mended: bad [c.d]\n    at   f.yaml\n1 change\n");
  EXPECT_EQ(text(failed("c.d", "bad"), failed("c.d", "worse")),
            "! fails-otherwise: worse [c.d]\n    at   f.yaml\n1 change\n");
  EXPECT_EQ(text(failed("c.d", "bad"), failed("c.d", "bad")), "");
}

TEST_F(Changes, ShowLongValuesWhereTheyDiffer) {
  const std::string same(70, 'x');
  EXPECT_EQ(text("'" + same + "1'", "2"),
            "~ /: \"" + std::string(58, 'x') + "… -> 2\n    was  a:1:1\n    now  b:1:1\n1 change\n");
  EXPECT_EQ(text("'" + same + "1'", "'" + same + "2'"), "~ /: …" + std::string(20, 'x') + "1\" -> …" +
                                                            std::string(20, 'x') +
                                                            "2\"\n    was  a:1:1\n    now  b:1:1\n1 change\n");
}

TEST_F(Changes, HideSecrets) {
  Outcome before = outcome("{a: SECRET1, b: {c: SECRET2}, d: SECRET3, l: [SECRET4]}", "a");
  Outcome after = outcome("{a: SECRET5, b: {c: SECRET6}, d: SECRET3, l: [SECRET7, SECRET4]}", "b");
  for (Outcome* side : {&before, &after}) {
    MappingBuilder copy = MappingBuilder::copy_of(world.arena, side->items.front().value);
    for (std::size_t i = 0; i < copy.size(); ++i) copy.replace(i, copy.entries()[i].value.with_secret());
    side->items.front().value = copy.finish();
  }
  const std::vector<SubjectChanges> all{{.subject = {}, .changes = shared(compare(before, after))}};
  EXPECT_EQ(all.front().changes.size(), 3U);
  const DiffReport report{.subjects = all, .total = 1};
  ImpactReport impact;
  impact.effects.add(all.front());
  const std::string shown = diff_text(report, {}) + json(diff_data(world.arena, report)) + impact_text(impact, {}) +
                            json(impact_data(world.arena, impact)) + impact_markdown(impact, {});
  EXPECT_EQ(shown.find("SECRET"), std::string::npos) << shown;
  EXPECT_NE(shown.find("\"secret\": true"), std::string::npos) << shown;
}

TEST_F(Changes, OfAFleetAreBySubject) {
  const std::vector<SubjectChanges> all{
      {.subject = "web01", .changes = shared(compare(outcome("{a: 1}", "a"), outcome("{a: 2}", "b")))}};
  EXPECT_EQ(diff_text({.subjects = all, .total = 3}, {.subject = "node", .is_fleet = true}),
            "web01\n  ~ /a: 1 -> 2\n      was  a:1:5\n      now  b:1:5\n1 change in 1 of 3 nodes\n");
}

TEST_F(Changes, AsData) {
  const std::vector<SubjectChanges> all{
      {.subject = {}, .changes = shared(compare(outcome("{a: 1}", "a"), outcome("{a: [], b: 2}", "b")))}};
  EXPECT_EQ(json(diff_data(world.arena,
                           {.subjects = all, .total = 1, .edits = {{.file = "a", .before = {1, 1}, .after = {1, 2}}}})),
            "{\"format\": \"strata-diff/1\", \"edits\": [{\"id\": 1, \"file\": \"a\", \"before\": {\"line\": 1, "
            "\"lines\": 1}, "
            "\"after\": {\"line\": 1, \"lines\": 2}}], \"changes\": [{\"subject\": \"\", \"item\": \"\", \"path\": "
            "\"/a\", \"kind\": \"changed\", "
            "\"before\": {\"value\": 1, \"file\": \"a\", \"line\": 1, \"column\": 5}, "
            "\"after\": {\"value\": [], \"file\": \"b\", \"line\": 1, \"column\": 5}}, "
            "{\"subject\": \"\", \"item\": \"\", \"path\": \"/b\", \"kind\": \"added\", \"before\": null, "
            "\"after\": {\"value\": 2, \"file\": \"b\", \"line\": 1, \"column\": 12}}], \"summary\": {\"subjects\": 1, "
            "\"changes\": 2}}\n");
}

// What differs, done.

/// Does changes to a value, by their paths alone.
class Patch {
 public:
  Patch(Arena& arena, const std::vector<Change>& changes) : arena_(arena) {
    for (const Change& change : changes) {
      switch (change.kind) {
        case ChangeKind::added: {
          const std::size_t end = change.path.rfind('/');
          added_[change.path.substr(0, end)].emplace_back(change.path.substr(end + 1), change.after.value);
          break;
        }
        case ChangeKind::removed:
          removed_.insert(change.path);
          break;
        default:
          changed_.emplace(change.from.value_or(change.path), change.after.value);
      }
    }
  }

  /// Recursion: bounded by the value's depth.
  Value done(const Value& value, const std::string& from, const std::string& path) {
    if (const auto changed = changed_.find(from); changed != changed_.end()) return changed->second;
    if (value.is_mapping()) return done_mapping(value, from, path);
    return value.is_sequence() ? done_sequence(value, from, path) : value;
  }

 private:
  static std::string step(const Value& key) {
    Path path;
    path.push(key);
    return path.pointer();
  }

  Value done_mapping(const Value& value, const std::string& from, const std::string& path) {
    MappingBuilder out(arena_, Arena::equality(value));
    for (const Entry& entry : value.entries()) {
      const std::string name = step(entry.key);
      if (!removed_.contains(from + name)) out.insert(entry.key, done(entry.value, from + name, path + name));
    }
    for (const auto& [name, added] : added_[path]) out.insert(parse_pointer("/" + name).front(), added);
    return out.finish();
  }

  Value done_sequence(const Value& value, const std::string& from, const std::string& path) {
    std::map<std::size_t, Value> places;
    for (const auto& [name, added] : added_[path]) places.emplace(std::stoul(name), added);
    SequenceBuilder out(arena_);
    std::size_t at = 0;
    const auto insert_added = [&] {
      for (auto place = places.find(at); place != places.end(); place = places.find(at)) {
        out.append(place->second);
        ++at;
      }
    };
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string old = from + "/" + std::to_string(i);
      if (removed_.contains(old)) continue;
      insert_added();
      out.append(done(value.items()[i], old, path + "/" + std::to_string(at)));
      ++at;
    }
    insert_added();
    return out.finish();
  }

  Arena& arena_;
  std::map<std::string, std::vector<std::pair<std::string, Value>>> added_;
  std::set<std::string> removed_;
  std::map<std::string, Value> changed_;
};

rc::Gen<testing::Sample> small_value(const std::shared_ptr<Arena>& arena) {
  return testing::any_value({.depth = 3, .width = 4, .json_only = true, .arena = arena});
}

RC_GTEST_PROP(ChangesProperty, DoneToTheOneGiveTheOther, ()) {
  const auto arena = std::make_shared<Arena>();
  const Value before = (*small_value(arena)).value;
  const Value after = (*small_value(arena)).value;
  const auto outcome = [](const Value& value) {
    Outcome out{.failure = {}};
    out.items.push_back({.name = {}, .value = value, .failure = {}});
    return out;
  };
  for (const Comparison& how : {Comparison{}, Comparison{.alignment = 2}, Comparison{.list_key = "a"}}) {
    const auto changes = compare(outcome(before), outcome(after), how);
    RC_ASSERT(changes.empty() == equal(before, after));
    RC_ASSERT(equal(Patch(*arena, changes).done(before, "", ""), after));
  }
}

}  // namespace
}  // namespace strata::analysis
