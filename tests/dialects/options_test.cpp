// SPDX-License-Identifier: Apache-2.0
// The tables of options of all dialects.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "bindings/site/query_options.hpp"
#include "cloudinit/query_options.hpp"
#include "deckhand/query_options.hpp"
#include "dialects/dialects.hpp"
#include "heat/query_options.hpp"
#include "hiera/query_options.hpp"
#include "reclass/query_options.hpp"

namespace strata {
namespace {

template <class... Types>
struct Overloaded : Types... {
  using Types::operator()...;
};
template <class... Types>
Overloaded(Types...) -> Overloaded<Types...>;

/// The value of a string before a query sets it. Empty for other members.
template <class Values>
std::string value_before(const query::OptionOf<Values>& one) {
  const Values values;
  return std::visit(Overloaded{[&](std::string Values::*member) { return values.*member; },
                               [](const auto&) { return std::string(); }},
                    one.member);
}

template <class Values>
bool is_flag(const query::OptionOf<Values>& one) {
  return std::holds_alternative<bool Values::*>(one.member);
}

template <class Values>
void expect_described(std::span<const query::OptionOf<Values>> table) {
  std::set<std::string_view> names;
  for (const query::OptionOf<Values>& one : table) {
    const query::Option& option = one.option;
    SCOPED_TRACE(option.name);
    EXPECT_TRUE(names.insert(option.name).second);
    EXPECT_FALSE(option.help.empty());
    EXPECT_FALSE(option.help.ends_with('.'));
    EXPECT_EQ(option.value_name.empty(), is_flag(one) || option.is_argument());
    const std::string before = value_before(one);
    if (!option.choices.empty() && !before.empty()) {
      EXPECT_NE(std::ranges::find(option.choices, before), option.choices.end());
    }
    if (!before.empty() && !option.default_value.empty()) {
      EXPECT_EQ(option.default_value, before);
    }
  }
}

TEST(QueryOptions, AreDescribedInFull) {
  expect_described(cloudinit::query_options());
  expect_described(deckhand::query_options());
  expect_described(heat::query_options());
  expect_described(hiera::query_options());
  expect_described(reclass::query_options());
  expect_described(site::item_options());
  expect_described(site::injection_options());
  expect_described(site::explanation_options());
  expect_described(site::site_options(true));
}

TEST(QueryOptions, PartsOfATableAreWhatTheyAreNamedFor) {
  EXPECT_EQ(heat::input_options().back().option.name, "compat");
  EXPECT_EQ(heat::hook_options().front().option.name, "pre-create");
  EXPECT_EQ(heat::hook_options().back().option.name, "pre-update");
  EXPECT_EQ(site::site_options(false).back().option.name, "inventory");
  EXPECT_EQ(site::site_options(true).back().option.name, "mask");
}

TEST(QueryOptions, AreFoundByTheNamesOfDialects) {
  const auto trust_in = [](std::string_view dialect, std::string_view option) {
    return dialects::find(dialect)->option(option)->trust;
  };
  EXPECT_EQ(trust_in("deckhand", "schema"), query::Trust::anyone);
  EXPECT_EQ(trust_in("cloud-init", "schema"), query::Trust::writer);  // It names a file.
  EXPECT_EQ(trust_in("bindings", "default"), query::Trust::anyone);
  EXPECT_EQ(trust_in("bindings", "facts"), query::Trust::writer);
  EXPECT_EQ(dialects::find("hiera")->option("schema"), nullptr);
}

TEST(QueryOptions, EachReleaseOfHieraHasAName) {
  const query::Option* compat = query::find_option(hiera::query_options(), "compat");
  ASSERT_NE(compat, nullptr);
  std::set<hiera::Compat> named;
  for (const std::string_view name : compat->choices) named.insert(hiera::compat_named(name));
  EXPECT_EQ(named.size(), 4U);
  EXPECT_EQ(hiera::compat_named("puppet8"), hiera::Compat::openvox);
  EXPECT_EQ(hiera::compat_named("shipped"), hiera::Compat::puppet7);
}

/// An option that a reader of a service may set compares nothing with values that are hidden from the reader.
TEST(QueryOptions, ReadersMaySetFewOfThem) {
  std::set<std::string_view> of_readers;
  const auto add = [&of_readers](const auto& table) {
    for (const auto& one : table) {
      if (one.option.trust == query::Trust::anyone) of_readers.insert(one.option.name);
    }
  };
  add(cloudinit::query_options());
  add(deckhand::query_options());
  add(heat::query_options());
  add(hiera::query_options());
  add(reclass::query_options());
  add(site::injection_options());
  add(site::site_options(true));
  EXPECT_EQ(of_readers,
            (std::set<std::string_view>{"default", "mask", "merge", "merge-hash-arrays", "name", "schema"}));
}

}  // namespace
}  // namespace strata
