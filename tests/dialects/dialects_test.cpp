// SPDX-License-Identifier: Apache-2.0
// The list of dialects, and what all of their properties have in common.
#include "dialects/dialects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "strata/check.hpp"
#include "strata/cloudinit.hpp"
#include "strata/deckhand.hpp"
#include "strata/heat.hpp"
#include "strata/hiera.hpp"
#include "strata/reclass.hpp"

namespace strata::dialects {
namespace {

/// Those of the list, and of commands beside them.
std::vector<const query::Traits*> all_traits() {
  std::vector<const query::Traits*> out;
  for (const Entry& one : all()) out.push_back(&one.traits());
  out.push_back(&cloudinit::traits_of_network());
  out.push_back(&heat::traits_of_parameters());
  return out;
}

TEST(Dialects, AreFoundByNameAndByCommand) {
  EXPECT_TRUE(std::ranges::is_sorted(all(), {}, &Entry::name));
  for (const Entry& one : all()) {
    EXPECT_EQ(find(one.name), &one);
    EXPECT_EQ(find_verb(one.verb), &one);
  }
  EXPECT_EQ(find("lookup"), nullptr);
  EXPECT_EQ(find_verb("hiera"), nullptr);
}

TEST(Dialects, ListFindingsThatChecksKnow) {
  std::set<std::string_view> listed;
  for (const query::Traits* traits : all_traits()) {
    EXPECT_TRUE(std::ranges::is_sorted(traits->findings));
    for (const std::string_view code : traits->findings) {
      ASSERT_NE(analysis::find_code(code), nullptr) << code;
      EXPECT_EQ(analysis::find_code(code)->scope, analysis::FindingCode::Scope::listed) << code;
      EXPECT_TRUE(analysis::is_of(code, *traits)) << code;
      listed.insert(code);
    }
  }
  for (const analysis::FindingCode& code : analysis::finding_codes()) {
    EXPECT_EQ(code.scope == analysis::FindingCode::Scope::listed, listed.contains(code.name)) << code.name;
  }
}

TEST(Dialects, HaveConsistentProperties) {
  for (const query::Traits* traits : all_traits()) {
    ASSERT_NE(traits->profile, nullptr);
    EXPECT_TRUE(std::ranges::is_sorted(traits->known_members));
    EXPECT_EQ(traits->unknown_members == query::UnknownMembers::kept, traits->known_members.empty());
    EXPECT_EQ(traits->items == query::ItemKind::document, traits->document_item != nullptr);
    EXPECT_TRUE(traits->items != query::ItemKind::section_member || !traits->sections.empty());
    EXPECT_EQ(traits->reference_syntax == query::ReferenceSyntax::none, traits->references == nullptr);
    EXPECT_EQ(traits->empty_file.empty(), traits->widest_merge.empty());
    EXPECT_TRUE(traits->empty_file.empty() || (traits->is_data_file(traits->empty_file) && !traits->settings.empty()));
    EXPECT_TRUE(traits->options_key.empty() ||
                std::ranges::find(traits->settings, traits->options_key) != traits->settings.end());
  }
}

TEST(Dialects, TellDataFromOtherFiles) {
  const auto is_data = cloudinit::traits().is_data_file;
  EXPECT_TRUE(is_data("#cloud-config\na: 1\n"));
  EXPECT_TRUE(is_data("\xEF\xBB\xBF#cloud-config\n"));
  EXPECT_FALSE(is_data("#cloud-config-archive\n- a\n"));
  EXPECT_FALSE(is_data("a: 1\n"));
  const auto is_environment = [](std::string_view contents) {
    Sources sources;
    const auto document = text::read_yaml(sources, sources.add("a", std::string(contents)), text::heat(), Limits());
    return heat::traits().is_data_document(document.root);
  };
  EXPECT_TRUE(is_environment("parameters: {a: 1}\n"));
  EXPECT_TRUE(is_environment("[a]\n"));
  EXPECT_FALSE(is_environment("heat_template_version: 2018-08-31\nparameters: {}\n"));
  EXPECT_FALSE(is_environment("AWSTemplateFormatVersion: 2010-09-09\n"));
}

TEST(Dialects, NameTheItemOfADocument) {
  Sources sources;
  const auto item_of = [&sources](std::string_view contents) {
    const auto document =
        text::read_yaml(sources, sources.add("a", std::string(contents)), text::pyyaml_json(), Limits());
    return deckhand::traits().document_item(document.root);
  };
  EXPECT_EQ(item_of("schema: a/B/v1\nmetadata: {name: c}\n"), "a/B/v1/c");
  EXPECT_EQ(item_of("metadata: c\n"), "/");
}

TEST(Dialects, ListWhatAStringRefersTo) {
  const query::ReferredNames hiera = hiera::traits().references_in("%{facts.role} %{lookup('a::b.c')}");
  EXPECT_EQ(hiera.variables, std::vector<std::string>{"facts.role"});
  EXPECT_EQ(hiera.items, std::vector<std::string>{"a::b"});
  const query::ReferredNames reclass = reclass::traits().references_in("${a:b} ${c${d}}");
  EXPECT_EQ(reclass.items, (std::vector<std::string>{"a", "", "d"}));
}

}  // namespace
}  // namespace strata::dialects
