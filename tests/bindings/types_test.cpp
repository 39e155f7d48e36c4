// SPDX-License-Identifier: Apache-2.0
// Typerefs and names of keys.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bindings/types/membership.hpp"
#include "bindings/types/names.hpp"
#include "bindings/types/type_reader.hpp"
#include "puppet/language/parser.hpp"
#include "strata/text.hpp"

namespace strata::bindings {
namespace {

class TypesTest : public ::testing::Test {
 protected:
  TypeRef type(const std::string& text) {
    puppet::Parser parser(sources_, sources_.add("t", text), tree_, limits_);
    return read_type(sources_, *parser.expression(), {}, limits_);
  }
  bool fits(const std::string& name, const std::string& json) {
    documents_.push_back(text::read_json(sources_, sources_.add("v", json), limits_));
    return Types().is_instance(*type(name), documents_.back().root);
  }
  bool below(const std::string& wide, const std::string& narrow) {
    return Types().is_assignable(*type(wide), *type(narrow));
  }

 private:
  Sources sources_;
  Limits limits_;
  puppet::SyntaxTree tree_{1024};
  std::vector<text::Document> documents_;
};

TEST_F(TypesTest, Members) {
  EXPECT_TRUE(fits("Data", R"({"a": [1, null, {"b": 1.5}]})"));
  EXPECT_FALSE(fits("Data", "null"));
  EXPECT_TRUE(fits("Literal", "\"x\""));
  EXPECT_FALSE(fits("Scalar", "[1]"));
  EXPECT_TRUE(fits("Number", "1.5"));
  EXPECT_FALSE(fits("Float", "1"));
  EXPECT_FALSE(fits("Integer", "\"1\""));
  EXPECT_TRUE(fits("Array", "[1, null]"));
  EXPECT_TRUE(fits("Array[String]", "[]"));
  EXPECT_FALSE(fits("Array[Integer]", "[1, \"a\"]"));
  EXPECT_TRUE(fits("Hash[Integer]", R"({"a": 1})"));
  EXPECT_TRUE(fits("Hash[String, Integer]", R"({"a": 1})"));
  EXPECT_TRUE(fits("Collection", "{}"));
  EXPECT_TRUE(fits("Any", "null"));
  EXPECT_TRUE(fits("Integer[1, 5]", "3"));
  EXPECT_FALSE(fits("String[1, 2]", "\"abc\""));
  EXPECT_TRUE(fits("Array[Integer, 1, 2]", "[1]"));
  EXPECT_FALSE(fits("Array[Integer, 1, 2]", "[]"));
  EXPECT_TRUE(fits("Enum['a', 'b']", "\"a\""));
  EXPECT_TRUE(fits("Variant[Integer, Array[String]]", "[\"x\"]"));
  EXPECT_TRUE(fits("Optional[String]", "null"));
  EXPECT_TRUE(fits("Tuple[Integer, String]", "[1, \"x\"]"));
  EXPECT_TRUE(fits("Struct[{a => Integer}]", R"({"a": 1})"));
  EXPECT_TRUE(fits("Pattern[/^a/]", "\"ab\""));
  EXPECT_FALSE(fits("Pattern", "\"ab\""));
  EXPECT_TRUE(fits("Sql", R"({"type": "Sql", "title": "one", "parameters": {}})"));
  EXPECT_FALSE(fits("Sql['two']", R"({"type": "Sql", "title": "one", "parameters": {}})"));
  EXPECT_TRUE(fits("Array[Resource]", R"([{"type": "Sql", "title": "one", "parameters": {}}])"));
}

TEST_F(TypesTest, Relation) {
  EXPECT_TRUE(below("Array[Number]", "Array[Integer]"));
  EXPECT_TRUE(below("Array[Data]", "Array[Number]"));
  EXPECT_TRUE(below("Data", "Array[Data]"));
  EXPECT_TRUE(below("Data", "Hash[Array[Integer]]"));
  EXPECT_TRUE(below("Literal", "Number"));
  EXPECT_FALSE(below("Float", "Integer"));
  EXPECT_FALSE(below("Data", "Collection"));
  EXPECT_FALSE(below("Data", "Any"));
  EXPECT_FALSE(below("Data", "Pattern"));
  EXPECT_TRUE(below("Resource", "Sql['x']"));
  EXPECT_TRUE(below("Sql", "Sql['x']"));
  EXPECT_FALSE(below("Sql['x']", "Sql"));
  EXPECT_FALSE(below("Sql", "Web"));
  EXPECT_TRUE(below("Class[a]", "Class[b]"));
  EXPECT_TRUE(is_data(*type("Enum['a']")));
  EXPECT_FALSE(is_data(*type("Type[X]")));
}

TEST_F(TypesTest, Texts) {
  const std::vector<std::pair<std::string, std::string>> texts{{"Object", "Any"},
                                                               {"Scalar", "Literal"},
                                                               {"Numeric", "Number"},
                                                               {"Array[Data]", "Array"},
                                                               {"Hash[Literal, Data]", "Hash"},
                                                               {"Hash[Integer]", "Hash[Integer]"},
                                                               {"Hash[String, Integer]", "Hash[String, Integer]"},
                                                               {"Array[Array[String]]", "Array[Array[String]]"},
                                                               {"Regexp", "Pattern"},
                                                               {"Class['::Ntp::Server']", "Class[ntp::server]"},
                                                               {"Web", "Web"},
                                                               {"My::Web['a/b']", "My::Web[a%2Fb]"},
                                                               {"Type[Logger]", "Type[Logger]"},
                                                               {"Type[Producer[String]]", "Type[Producer[String]]"},
                                                               {"Integer[1, 5]", "Integer[1, 5]"},
                                                               {"Array[Integer, 1]", "Array[Integer, 1]"}};
  for (const auto& one : texts) EXPECT_EQ(type_text(*type(one.first)), one.second);
  EXPECT_EQ(reference_text(*type("File['/etc/hosts']")), "File[/etc/hosts]");
}

TEST_F(TypesTest, RefusesWhatIsNoType) {
  for (const std::string text : {"Integer['x']", "Array[A, B]", "Array[2]", "Data[Integer]", "1 + 1", "Class[a, b]",
                                 "Class['class']", "Web[a, b]", "Number[1]", "Array[1, 2, 3, 4]"}) {
    EXPECT_THROW(static_cast<void>(type(text)), Error) << text;
  }
}

TEST(Names, ParametersHaveTwo) {
  EXPECT_EQ(other_parameter_name("ntp::server::ip"), "/param/Class[ntp::server]/ip");
  EXPECT_EQ(other_parameter_name("/param/Class[ntp::server]/ip"), "ntp::server::ip");
  EXPECT_EQ(other_parameter_name("ntp"), std::nullopt);
  EXPECT_EQ(other_parameter_name("/param/Web[a]/ip"), std::nullopt);
  EXPECT_EQ(other_parameter_name("Not A Class::x"), std::nullopt);
  EXPECT_EQ(other_parameter_name("a::"), std::nullopt);
  EXPECT_EQ(canonical_name("/param/class[NTP]/x"), "/param/Class[ntp]/x");
  EXPECT_EQ(canonical_name("/var/::x"), "/var/x");
  EXPECT_EQ(canonical_name("/nope"), std::nullopt);
  EXPECT_EQ(encoded_title("foo/bar[x]%"), "foo%2Fbar%5Bx%5D%25");
  EXPECT_EQ(readable_key("", "/param/File[foo%2Fbar]/mode"), "parameter 'mode' of File['foo/bar']");
}

}  // namespace
}  // namespace strata::bindings
