// SPDX-License-Identifier: Apache-2.0
// Plans: a plan updated from an earlier one equals a plan made from scratch.
#include "bindings/composition/plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bindings/composition/paged.hpp"
#include "bindings/shared_list.hpp"
#include "injector_world.hpp"

namespace strata::bindings {
namespace {

using testing::World;

rc::Gen<std::string> any_planned_statement() {
  return rc::gen::exec([] {
    const std::string key = fmt::format(
        "'{}'", *rc::gen::elementOf(std::vector<std::string>{"a", "b", "c", "d", "e", "long name of a key"}));
    const int number = *rc::gen::inRange(0, 4);
    const std::string text = *rc::gen::elementOf(std::vector<std::string>{
        fmt::format("bind {} to {}", key, number), fmt::format("bind {} to {}", key, number),
        fmt::format("bind override {} to {}", key, number), fmt::format("bind abstract {}", key),
        fmt::format("bind Array[String], {} to ['{}']", key, number),
        fmt::format("bind Array[Type[Class]], {} to [{}]", key, number),
        fmt::format("multibind Hash, {} as 'i{}'", key, number),
        fmt::format("bind 'm{}' to {} in 'i{}'", number, number, number % 2), fmt::format("bind alias 'a' as {}", key),
        fmt::format("rebind {}", key), fmt::format("include c{}", number), fmt::format("bind \"$x{}\" to 1", number),
        fmt::format("bind {} to optional $nothing", key),
        fmt::format("bind variables to {{ 'v{}' => 1, 'w' => 2 }}", number)});
    const std::string when = *rc::gen::elementOf(std::vector<std::string>{
        "", "", "", "node 'kermit'", "node 'other'", "virtual true", "node 'kermit' and virtual true", "common"});
    return when.empty() ? text : fmt::format("when {} {{ {} }}", when, text);
  });
}

rc::Gen<std::string> any_body() {
  return rc::gen::map(rc::gen::resize(8, rc::gen::container<std::vector<std::string>>(any_planned_statement())),
                      [](const std::vector<std::string>& all) { return fmt::format("{}", fmt::join(all, "\n")); });
}

/// Everything that a plan says, whatever the numbers of its guards are.
std::string described(const Plan& plan) {
  std::string out;
  const auto guard = [&](std::uint32_t document, std::uint32_t number) {
    return plan.documents[document]->own_guard(number);
  };
  for (std::uint32_t key = 0; key < plan.key_count(); ++key) {
    const KeyText text = plan.text(key);
    if (plan.of(key).empty()) continue;
    out += fmt::format("{} {}/{} found as {}:", key, text.type, text.name,
                       plan.find(text, key_hash(text.type, text.name)));
    for (const Candidate& one : plan.of(key)) {
      const auto binding = one.binding - plan.documents[one.document]->prepared->bindings.data();
      out += fmt::format(" {}.{} guard {} layer {} flags {}", one.document, binding, guard(one.document, one.guard),
                         one.layer, one.flags);
    }
    out += '\n';
  }
  out += fmt::format("notable {}\nconditional {}\nfindings {}\n", fmt::join(plan.notable, " "),
                     fmt::join(plan.conditional, " "), fmt::join(plan.with_findings, " "));
  for (const std::string_view id : {"i0", "i1", "i2", "i3"}) {
    out += fmt::format("{}:", id);
    for (const Contributed& one : plan.contributions_of(id)) {
      const auto statement = one.statement - plan.documents[one.document]->prepared->contributions.data();
      out +=
          fmt::format(" {}.{} guard {} layer {}", one.document, statement, guard(one.document, one.guard), one.layer);
    }
    out += '\n';
  }
  for (const std::vector<Placed>* all : {&plan.classes, &plan.edges, &plan.open}) {
    for (const Placed& one : *all) {
      const auto statement = one.statement - plan.documents[one.document]->document->statements.data();
      out +=
          fmt::format(" {}.{} guard {} layer {}", one.document, statement, guard(one.document, one.guard), one.layer);
    }
    out += '\n';
  }
  return out + fmt::format("other names {}", plan.has_other_names);
}

/// Lists of documents, a layer each but for the last two.
class PlannedSite {
 public:
  explicit PlannedSite(const std::vector<std::string>& bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (i == 0 || i + 1 < bodies.size()) world_.request->layers.push_back({fmt::format("layer{}", i), {}, {}});
      std::vector<LayerPart>& parts = world_.request->layers.back().parts;
      std::vector<std::shared_ptr<const Document>> documents{document(i, bodies[i])};
      if (!parts.empty()) documents.insert(documents.begin(), (*parts.front().documents)[0]);
      parts = {LayerPart::of(documents)};
      places_.emplace_back(world_.request->layers.size() - 1, documents.size() - 1);
    }
  }
  void replace(std::size_t number, const std::string& body) {
    LayerPart& part = world_.request->layers[places_[number].first].parts.front();
    part.documents =
        std::make_shared<const DocumentList>(part.documents->with({{places_[number].second, document(number, body)}}));
  }
  /// Without earlier plans.
  std::shared_ptr<const Plan> plan() {
    return PlanCache().plan(*world_.request, world_.sources, world_.session.limits());
  }

 private:
  std::shared_ptr<const Document> document(std::size_t number, const std::string& body) {
    return world_.document(fmt::format("d{}", number), body);
  }

  World world_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;
};

RC_GTEST_PROP(Plans, OfAnEarlierOneAreAsThoseMadeAnew, ()) {
  std::vector<std::string> bodies = *rc::gen::container<std::vector<std::string>>(10, any_body());
  PlannedSite site(bodies);
  std::shared_ptr<const Plan> before = site.plan();
  for (int edit = 0; edit < 5; ++edit) {
    const auto number = *rc::gen::inRange<std::size_t>(0, bodies.size());
    bodies[number] = *any_body();
    site.replace(number, bodies[number]);
    const std::shared_ptr<const Plan> after = site.plan();
    RC_ASSERT(described(*after) == described(*PlannedSite(bodies).plan()));
    before = after;
  }
}

TEST(Plan, TakesOverWhatDidNotChange) {
  std::vector<std::string> bodies;
  for (int i = 0; i < 20; ++i)
    bodies.push_back(fmt::format("bind 'k{}' to 1 bind 'both' to 2 when node 'n{}' {{ bind 'x{}' to 1 }}", i, i, i));
  PlannedSite site(bodies);
  const std::shared_ptr<const Plan> before = site.plan();
  EXPECT_EQ(site.plan(), before);
  for (const std::string body :
       {"bind 'k5' to 1",
        "when node 'a' { bind 'k' to 3 } when node 'b' { bind 'k' to 3 } when virtual true { bind 'l' to 1 }", ""}) {
    bodies[5] = body;
    site.replace(5, body);
    const std::shared_ptr<const Plan> after = site.plan();
    for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_EQ(after->documents[i] == before->documents[i], i != 5);
    EXPECT_EQ(described(*after), described(*PlannedSite(bodies).plan()));
  }
}

TEST(Plan, NumbersOfGuardsDoNotGrowWithEdits) {
  std::vector<std::string> bodies(10, "bind 'a' to 1");
  PlannedSite site(bodies);
  std::shared_ptr<const Plan> plan = site.plan();
  for (int edit = 0; edit < 1000; ++edit) {
    std::string body;
    for (int i = 0; i <= edit % 40; ++i) body += fmt::format("when node 'n{}' {{ bind 'b{}' to 1 }} ", i, i);
    site.replace(static_cast<std::size_t>(edit) % bodies.size(), body);
    plan = site.plan();
    EXPECT_LT(plan->guards, 1000U);
  }
}

TEST(Plan, OnlyKeysOfWhichThereIsSomethingToSayAreNotable) {
  const auto names = [](const std::vector<std::string>& bodies) {
    PlannedSite site(bodies);
    const std::shared_ptr<const Plan> plan = site.plan();
    std::string out;
    for (const std::uint32_t key : plan->notable) out += std::string(plan->text(key).name) + " ";
    return out;
  };
  EXPECT_EQ(names({"bind 'a' to 1", "bind 'a' to 2", "bind 'b' to 3"}), "");  // In three layers.
  EXPECT_EQ(names({"bind 'a' to 1 when node 'x' { bind 'a' to 2 } when node 'y' { bind 'a' to 3 } when virtual true { "
                   "bind 'a' to 4 }"}),
            "");
  EXPECT_EQ(names({"bind 'a' to 1 bind 'a' to 2 bind 'b' to 1"}), "a ");
  EXPECT_EQ(names({"when node 'x' { bind 'a' to 2 } when node 'X' { bind 'a' to 3 }"}), "a ");
  EXPECT_EQ(names({"when node \"$x\" { bind 'a' to 2 } when node 'y' { bind 'a' to 3 }"}), "a ");
  EXPECT_EQ(names({"when node 'x' or node 'z' { bind 'a' to 2 } when node 'y' { bind 'a' to 3 }"}), "a ");
  EXPECT_EQ(names({"bind 'a' to 1 when common { bind 'a' to 2 }"}), "a ");
  EXPECT_EQ(names({"bind abstract 'a' bind override 'b' to 1 bind 'c' to 1 bind alias 'c' as 'd' multibind Hash, 'e' "
                   "bind 'f' to optional $nothing"}),
            "a b d e f ");
}

TEST(Paged, MakesWhatIsAskedFor) {
  Paged<int> numbers;
  EXPECT_EQ(numbers.find(1000), nullptr);
  int& kept = numbers[1000];
  kept = 7;
  for (std::uint32_t i = 0; i < 5000; ++i) numbers[i] += 1;
  EXPECT_EQ(&numbers[1000], &kept);
  EXPECT_EQ(*numbers.find(1000), 8);
  EXPECT_EQ(*numbers.find(4999), 1);
  numbers.clear();
  EXPECT_EQ(numbers.find(1000), nullptr);
}

TEST(SharedList, TellsWhereListsDiffer) {
  std::vector<int> numbers(100);
  const SharedList<int> list(numbers);
  const auto places = [&list](const SharedList<int>& other, std::size_t most) {
    std::vector<std::size_t> out;
    const bool all = list.for_each_difference(other, [&](std::size_t place) {
      out.push_back(place);
      return out.size() < most;
    });
    return std::make_pair(out, all);
  };
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(places(list, 9), std::make_pair(Places{}, true));
  EXPECT_EQ(places(SharedList<int>(numbers), 9), std::make_pair(Places{}, true)) << "equal items in other pieces";
  const auto changed = list.with({{0, 1}, {15, 1}, {16, 1}, {40, 0}, {99, 1}});
  EXPECT_EQ(places(changed, 9), std::make_pair(Places({0, 15, 16, 99}), true));
  EXPECT_EQ(places(changed, 2), std::make_pair(Places({0, 15}), false));
}

TEST(SharedList, HasOtherItemsWhereTheyAreGiven) {
  std::vector<std::shared_ptr<const int>> numbers;
  for (int i = 0; i < 50; ++i) numbers.push_back(std::make_shared<const int>(i));
  const SharedList<std::shared_ptr<const int>> list(numbers);
  const auto other = std::make_shared<const int>(100);
  const auto changed = list.with({{0, other}, {3, other}, {49, other}});
  ASSERT_EQ(changed.size(), 50U);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(list[i], numbers[i]);
    EXPECT_EQ(changed[i], i == 0 || i == 3 || i == 49 ? other : numbers[i]);
  }
  // A piece between them is shared; so numbers[20] has the list's owner and the test's.
  EXPECT_EQ(numbers[20].use_count(), 2);
  EXPECT_EQ(SharedList<int>().with({}).size(), 0U);
}

}  // namespace
}  // namespace strata::bindings
