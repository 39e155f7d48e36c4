// SPDX-License-Identifier: Apache-2.0
// site.pp and environments.pp as they are read.
#include <gtest/gtest.h>

#include "bindings/syntax/site.hpp"
#include "puppet/tree_printer.hpp"

namespace strata::bindings {
namespace {

std::string print(const Expression* expression) {
  return expression == nullptr ? "()" : puppet::testing::TreePrinter::print(*expression);
}

std::string print(const Errors& errors) {
  std::string out;
  for (const Diagnostic& error : errors.all()) {
    const Place& place = error.where.place;
    out += (out.empty() ? "" : "\n") + std::to_string(place.line.value_or(0)) + ":" +
           std::to_string(place.column.value_or(0)) + ": " + error.message;
  }
  return out;
}

std::string environments(std::string_view text) {
  Sources sources;
  try {
    const EnvironmentsFile file = read_environments(sources, sources.add("environments.pp", std::string(text)), {});
    std::string out;
    for (const EnvironmentItem& item : file.items) {
      if (!out.empty()) out += '\n';
      if (item.statement != nullptr) {
        out += print(item.statement);
        continue;
      }
      static constexpr std::string_view kKinds[] = {"defaults", "named", "dynamic"};
      out += std::string(kKinds[static_cast<std::size_t>(item.entry.kind)]) + " " + print(item.entry.title);
      for (const Attribute& attribute : item.entry.attributes)
        out += " " + std::string(attribute.name) + "=" + print(attribute.value);
    }
    return out;
  } catch (const Errors& errors) {
    return print(errors);
  }
}

std::string printed_site(std::string_view text, std::string* warnings = nullptr) {
  Sources sources;
  Diagnostics diagnostics;
  std::string out;
  try {
    const SiteFile file = read_site(sources, sources.add("site.pp", std::string(text)), {}, diagnostics);
    for (const SiteItem& item : file.items) {
      if (!out.empty()) out += '\n';
      switch (item.kind) {
        case SiteItem::Kind::statement:
          out += print(item.statement);
          break;
        case SiteItem::Kind::categories:
          out += "categories";
          for (const CategoryEntry& category : item.categories)
            out += " " + std::string(category.name) + "=" + print(category.value);
          break;
        case SiteItem::Kind::layers:
          out += "layers";
          for (const LayerEntry& layer : item.layers)
            out += " (" + print(layer.name) + " " + print(layer.include) + " " + print(layer.exclude) + ")";
          break;
      }
    }
  } catch (const Errors& errors) {
    out = print(errors);
  }
  for (const Diagnostic& warning : diagnostics.warnings()) {
    if (warnings != nullptr)
      *warnings += warning.where.place.to_string() + " " + warning.code + " " + warning.message + "\n";
  }
  return out;
}

TEST(EnvironmentsFile, OfTheProposal) {
  EXPECT_EQ(environments("site {\n"
                         "  Environment {\n    modulepath => 'modules/dist:modules/site',\n  }\n"
                         "  dynamic_environments { \"$confdir/environments\":\n  }\n"
                         "  environment { 'production':\n    envdir     => \"$confdir/master\",\n    modulepath => "
                         "'$confdir/modules',\n  }\n"
                         "}\n\n$environment = 'production'\n"),
            "defaults () modulepath=\"modules/dist:modules/site\"\n"
            "dynamic (text $confdir \"/environments\")\n"
            "named \"production\" envdir=(text $confdir \"/master\") modulepath=\"$confdir/modules\"\n"
            "(= $environment \"production\")");
}

TEST(EnvironmentsFile, HasSeveralBlocksAndStatementsInOrder) {
  EXPECT_EQ(
      environments("$a = 1\nsite { environment { ['x', 'y']: ; 'z': envdir => $a; }, ENVIRONMENT { 'w': }; }\nif $a { "
                   "$environment = 'b' }\nsite { }"),
      "(= $a 1)\nnamed (list \"x\" \"y\")\nnamed \"z\" envdir=$a\nnamed \"w\"\n(if $a (do (= $environment \"b\")) ())");
  EXPECT_EQ(environments(""), "");
}

TEST(EnvironmentsFile, SaysWhatIsWrong) {
  EXPECT_EQ(environments("site { environmnt { 'x': } }"),
            "1:8: expected environment, Environment or dynamic_environments, found 'environmnt'");
  EXPECT_EQ(environments("if true { site { } }"), "1:11: a resource is not allowed here");
  EXPECT_EQ(environments("site { environment { 'x' } }\n$a = )"),
            "1:26: expected ':' after the name of the environment, found '}'\n2:6: expected an expression, found ')'");
  EXPECT_EQ(environments("site { dynamic_environments { '/a': ; '/b': } }"),
            "1:37: expected ',', ';' or '}' after an attribute, found ';'");
  EXPECT_EQ(environments("$a\nsite { }"), "1:1: this variable has no effect: its value is not used");
  EXPECT_EQ(environments("class x { }"),
            "1:1: a class is not allowed here: expected an expression, found the keyword 'class'");
}

TEST(SiteFile, OfTheProposal) {
  EXPECT_EQ(printed_site(
                "site {\n  categories {\n    node => \"$::fqdn\"  environment => true,\n    virtual => if $x { 1 } "
                "else { 2 }\n  }\n"
                "  bindings => [ layer { 'site': include => 'confdir:/default' },\n"
                "                { 'm': include => ['module:/*::default'], exclude => \"module:/b\", } ]\n}\n$z = 1"),
            "categories node=(text $::fqdn) environment=true virtual=(if $x (do 1) (do 2))\n"
            "layers (\"site\" \"confdir:/default\" ()) (\"m\" (list \"module:/*::default\") \"module:/b\")\n(= $z 1)");
  EXPECT_EQ(printed_site("SITE { BINDINGS => [ LAYER { 'a': } LAYER { $b: INCLUDE => 'c' } ] }"),
            "layers (\"a\" () ()) ($b \"c\" ())");
  EXPECT_EQ(printed_site("site { bindings => [] }"), "layers");
}

TEST(SiteFile, ClassesAndTheLikeArePassedOver) {
  std::string warnings;
  EXPECT_EQ(
      printed_site("$a = 1\nclass x($b = { c => [1] }) inherits y { if $d { file { '}': mode => \"${e['f']}\" } } }\n"
                   "define z::w(Integer $a) { @@file { $title: } }\nnode /x/, default { include y }\n"
                   "function f($x) >> Struct[{ a => Integer }] { $x }\n$g = 2",
                   &warnings),
      "(= $a 1)\n(= $g 2)");
  EXPECT_EQ(
      warnings,
      "site.pp:2:1 bindings.skipped this class is ignored\nsite.pp:3:1 bindings.skipped this define is ignored\n"
      "site.pp:4:1 bindings.skipped this node is ignored\nsite.pp:5:1 bindings.skipped this function is ignored\n");
}

TEST(SiteFile, SaysWhatIsWrong) {
  EXPECT_EQ(printed_site("site { categories { node => 1 } }\nsite { categories { x => 1 } }"),
            "2:8: 'categories' is already given");
  EXPECT_EQ(printed_site("site { bindings => [] bindings => [] }"), "1:23: 'bindings =>' is already given");
  EXPECT_EQ(printed_site("site { bindings => [ layer { 'x': includes => 'y' } ] }"),
            "1:35: a layer has no attribute 'includes'");
  EXPECT_EQ(printed_site("site { bindings => [ layer { 'x': include => 'y', include => 'z' } ] }"),
            "1:51: 'include' occurs twice");
  EXPECT_EQ(printed_site("site { category { } }"), "1:8: expected categories or bindings, found 'category'");
  EXPECT_EQ(printed_site("class x {"), "1:10: expected '}', found the end of the text");
  EXPECT_EQ(printed_site("class x"), "1:8: expected '{', found the end of the text");
  EXPECT_EQ(printed_site("class { 'x': }"),
            "1:1: a class is not allowed here: expected an expression, found the keyword 'class'");
}

}  // namespace
}  // namespace strata::bindings
