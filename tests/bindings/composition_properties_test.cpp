// SPDX-License-Identifier: Apache-2.0
// What holds of every project.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "injector_world.hpp"

namespace strata::bindings {
namespace {

using testing::LayerText;
using testing::World;

const std::vector<std::string> kKeys{"a", "b", "c"};

rc::Gen<std::string> any_key() { return rc::gen::elementOf(kKeys); }

/// A statement whose place among others does not count: contributions go to Hashes, classes are asked for as sets.
rc::Gen<std::string> any_orderless_statement() {
  return rc::gen::exec([] {
    const std::string key = "'" + *any_key() + "'";
    const int number = *rc::gen::inRange(0, 5);
    std::string text;
    switch (*rc::gen::inRange(0, 11)) {
      case 0:
      case 1:
      case 2:
      case 3:
        text = "bind " + key + " to " + std::to_string(number);
        break;
      case 4:
        text = "bind override " + key + " to " + std::to_string(number);
        break;
      case 5:
        text = "bind abstract " + key;
        break;
      case 6:
        text = "bind " + key + " to inject('" + *any_key() + "')";
        break;
      case 7:
        text = "bind " + key + " to optional $facts['" + *rc::gen::element<std::string>("rack", "none") + "']";
        break;
      case 8:
        text = "multibind Hash, " + key + " as 'i'";
        break;
      case 9:
        text = "bind 'm" + std::to_string(number) + "' to " + std::to_string(number) + " in 'i'";
        break;
      default:
        text = "rebind " + key;
    }
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
        return "when node 'kermit' { " + text + " }";
      case 1:
        return "when virtual true or environment production { " + text + " }";
      case 2:
        return "when virtual true { when environment production { " + text + " } }";
      case 3:
        return "when node 'other' { " + text + " }";
      default:
        return text;
    }
  });
}

using Layers = std::vector<std::vector<std::string>>;

rc::Gen<Layers> any_layers() {
  return rc::gen::container<Layers>(
      rc::gen::resize(6, rc::gen::container<std::vector<std::string>>(any_orderless_statement())));
}

std::string joined_lines(const std::vector<std::string>& statements) {
  std::string out;
  for (const std::string& one : statements) out += one + "\n";
  return out;
}

void add_layers(World& world, const Layers& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    world.layer({"layer" + std::to_string(i), {{"d" + std::to_string(i), joined_lines(layers[i])}}});
  }
}

/// Members sorted; an error as its code, since which of several comes first may differ.
std::string outcome(World& world, const std::string& key) {
  try {
    std::string out;
    const Value value = world.injector().inject(key).value;
    text::append_json(out, value, {.sort_keys = true, .indent = -1});
    return out;
  } catch (const Errors& errors) {
    std::vector<std::string> messages;
    for (const Diagnostic& each : errors.all()) messages.push_back(each.code);
    std::sort(messages.begin(), messages.end());
    return joined_lines(messages);
  } catch (const Error& error) {
    return error.code();
  }
}

RC_GTEST_PROP(CompositionProperties, OrderOfStatementsDoesNotCount, ()) {
  Layers layers = *any_layers().as("layers");
  World first;
  add_layers(first, layers);
  for (auto& statements : layers) {
    for (std::size_t i = statements.size(); i > 1; --i)
      std::swap(statements[i - 1], statements[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  World second;
  add_layers(second, layers);
  for (const std::string& key : kKeys) RC_ASSERT(outcome(first, key) == outcome(second, key));
}

RC_GTEST_PROP(CompositionProperties, ALayerThatBindsNothingChangesNothing, ()) {
  Layers layers = *any_layers().as("layers");
  World first;
  add_layers(first, layers);
  const auto at = *rc::gen::inRange<std::size_t>(0, layers.size() + 1);
  layers.insert(layers.begin() + static_cast<std::ptrdiff_t>(at),
                std::vector<std::string>{"when node 'other' { bind 'a' to 9 }"});
  World second;
  add_layers(second, layers);
  for (const std::string& key : kKeys) RC_ASSERT(outcome(first, key) == outcome(second, key));
}

RC_GTEST_PROP(CompositionProperties, CheckAndInjectAgree, ()) {
  const Layers layers = *any_layers().as("layers");
  World world;
  add_layers(world, layers);
  World checked;
  add_layers(checked, layers);
  const Findings findings = check(checked.shared, checked.request, {}, checked.session);
  bool broken = false;
  for (const std::string& key : kKeys) {
    const std::string found = outcome(world, key);
    if (found.find("bindings.") != std::string::npos && found != "bindings.not-bound") broken = true;
    // What inject finds wrong, check finds as well; check also knows other nodes.
    if (found.find("bindings.") != std::string::npos && found != "bindings.not-bound")
      RC_ASSERT(!findings.errors.empty());
  }
  const bool only_static = std::all_of(findings.errors.begin(), findings.errors.end(), [](const Diagnostic& one) {
    return one.message.find("under the same conditions") != std::string::npos || one.code == "bindings.not-bound";
  });
  RC_ASSERT(broken || only_static);
}

RC_GTEST_PROP(CompositionProperties, AnotherNodeIsAsIfItWereTheFirst, ()) {
  const Layers layers = *any_layers().as("layers");
  World first;
  add_layers(first, layers);
  for (const std::string& key : kKeys) static_cast<void>(outcome(first, key));
  auto other = std::make_shared<Request>(*first.request);
  other->categories[0].value = "other";
  World fresh;
  add_layers(fresh, layers);
  fresh.request->categories[0].value = "other";
  first.request = other;
  first.made.reset();
  for (const std::string& key : kKeys) RC_ASSERT(outcome(first, key) == outcome(fresh, key));
}

}  // namespace
}  // namespace strata::bindings
