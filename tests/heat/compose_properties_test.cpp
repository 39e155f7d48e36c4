// SPDX-License-Identifier: Apache-2.0
// Laws of combining environments.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "compose_world.hpp"

namespace strata::heat {
namespace {

/// A random environment file, mostly of values that go together. Names and shapes are few, so that they meet.
std::string random_file(bool first) {
  const auto pick = [](std::initializer_list<const char*> words) {
    return std::string(*rc::gen::elementOf(std::vector<const char*>(words)));
  };
  const auto values = [&] {
    std::string text = "{";
    for (int count = *rc::gen::inRange(0, 4); count > 0; --count) {
      text += pick({"a: x, ", "a: '', ", "b: null, ", "b: y, ", "n: 1, ", "n: '2', ", "f: true, ", "m: {k: {x: 1}}, ",
                    "m: {k: {y: [1]}, j: null}, ", "m: {}, ", "l: [1], ", "l: [2, 3], ", "l: null, ", "stray: 1, ",
                    "p: {q: 1}, "});
    }
    return text + "}";
  };
  std::string text = "parameters: " + values() + "\nparameter_defaults: " + values() + "\n";
  if (*rc::gen::inRange(0, 3) == 0)
    text += "resource_registry: {" + pick({"'A::X': B, ", "'A::*': null, ", "", "resources: {s: {'A::X': B}}, "}) +
            pick({"'C::D': e.yaml", "resources: {t: {hooks: []}}"}) + "}\n";
  if (first || *rc::gen::inRange(0, 6) == 0)
    text += "parameter_merge_strategies: " +
            pick({"{m: deep_merge, l: merge}", "{m: merge}", "{l: merge, a: merge}", "{}"}) + "\n";
  return text;
}

Texts random_files() {
  Texts files;
  for (int count = *rc::gen::inRange(1, 6); count > 0; --count)
    files.emplace_back("e" + std::to_string(files.size()), random_file(files.empty()));
  return files;
}

std::optional<std::string> random_root() {
  return *rc::gen::arbitrary<bool>() ? std::optional(kTemplate) : std::nullopt;
}

RC_GTEST_PROP(Composing, all_is_composing_a_saved_prefix_with_the_rest, ()) {
  const Texts files = random_files();
  const auto root = random_root();
  const auto whole = ask({.files = files, .root = root});
  const std::size_t size = *rc::gen::inRange<std::size_t>(0, files.size() + 1);
  const auto prefix =
      ask({.files = Texts(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(size)), .root = root});
  if (!prefix->error.empty()) {
    RC_ASSERT(whole->error == prefix->error);
    return;
  }
  const Texts rest(files.begin() + static_cast<std::ptrdiff_t>(size), files.end());
  const auto resumed = ask({.files = rest, .state = prefix->state()});
  const auto afresh = ask({.files = rest, .state = prefix->state(), .reuse = false});
  RC_ASSERT(resumed->error == whole->error);
  RC_ASSERT(afresh->all() == resumed->all());
  if (!whole->error.empty()) return;
  RC_ASSERT(afresh->state() == resumed->state());
  // An update drops what the template does not declare; all else is the same to the byte.
  const auto updated = ask({.state = whole->state()});
  RC_ASSERT(resumed->all() == updated->all());
  RC_ASSERT(resumed->state() == updated->state());
}

RC_GTEST_PROP(Composing, again_without_news_changes_nothing, ()) {
  const auto first = ask({.files = random_files(), .root = random_root()});
  RC_PRE(first->error.empty());
  const auto second = ask({.state = first->state()});
  const auto third = ask({.state = second->state()});
  RC_ASSERT(second->all() == third->all());
  RC_ASSERT(second->state() == third->state());
}

RC_GTEST_PROP(Composing, files_of_different_names_may_change_places, ()) {
  // Once every section is filled, files that share no name and no section of one entry do not see each other: only the
  // order of keys tells.
  const std::string first =
      "parameters: {f: true}\nparameter_defaults: {f: true}\nparameter_merge_strategies: {l: merge}\n";
  const std::string left = *rc::gen::elementOf(
      std::vector<std::string>{"parameters: {a: x}", "parameters: {m: {k: 1}}\nparameter_defaults: {a: y}"});
  const std::string right =
      *rc::gen::elementOf(std::vector<std::string>{"parameters: {b: x, l: [1]}", "parameter_defaults: {n: 4}", ""});
  const auto one = ask({.files = {{"0", first}, {"l", left}, {"r", right}}});
  const auto other = ask({.files = {{"0", first}, {"r", right}, {"l", left}}});
  RC_ASSERT(equal(one->composition->shown.value, other->composition->shown.value));
  const auto same_name = [&](const std::string& a, const std::string& b) {
    return ask({.files = {{"0", first}, {"1", a}, {"2", b}}})->section("parameters");
  };
  RC_ASSERT(same_name("parameters: {a: x}", "parameters: {a: y}") !=
            same_name("parameters: {a: y}", "parameters: {a: x}"));
}

RC_GTEST_PROP(Composing, with_a_history_gives_the_same, ()) {
  const Asked asked{
      .files = random_files(), .root = random_root(), .compat = *rc::gen::element(Compat::promised, Compat::shipped)};
  const auto plain = ask(asked);
  const auto traced = ask(asked, true);
  RC_ASSERT(plain->all() == traced->all());
  if (!plain->error.empty()) return;
  // Every leaf of the result is in its history, once.
  for (const merge::PathHistory& path : traced->history().explain(traced->composition->shown)) {
    if (!path.value) continue;
    const auto winners = std::ranges::count_if(
        path.contributions, [](const merge::Contribution& one) { return one.fate == merge::Fate::won; });
    RC_ASSERT(winners <= 1);
  }
}

RC_GTEST_PROP(Composing, edited_states_never_crash, ()) {
  const auto first = ask({.files = random_files()});
  RC_PRE(first->error.empty());
  std::string state = first->state();
  for (int edits = *rc::gen::inRange(1, 4); edits > 0; --edits) {
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, state.size());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        state.erase(at, *rc::gen::inRange<std::size_t>(1, 20));
        break;
      case 1:
        state.insert(at, *rc::gen::element<std::string>("\"", "{", "]", ",", "null", "3", "\\u0000", "a"));
        break;
      default:
        state[at] = *rc::gen::element('"', '{', '}', '[', ']', ',', ':', '0', 'x', ' ');
    }
  }
  (void)ask({.files = {{"e9", "parameters: {a: z}"}}, .state = state});
}

}  // namespace
}  // namespace strata::heat
