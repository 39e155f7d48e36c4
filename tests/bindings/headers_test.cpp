// SPDX-License-Identifier: Apache-2.0
// The headers of classes and defines in module manifests.
#include <gtest/gtest.h>

#include "bindings/syntax/site.hpp"

namespace strata::bindings {
namespace {

std::string headers(std::string_view text) {
  Sources sources;
  std::string out;
  for (const Header& header : read_headers(sources, sources.add("init.pp", std::string(text)), {})) {
    out += (out.empty() ? "" : "; ") + std::string(header.is_class ? "class " : "define ") + header.name;
    for (const std::string& parameter : header.parameters) out += " " + parameter;
  }
  return out;
}

TEST(Headers, NameTheParameters) {
  EXPECT_EQ(headers("class ntp { }"), "class ntp");
  EXPECT_EQ(headers("class ::ntp::server($a, String $b = $c, Hash[String, Array[$x]] $d = { $e => [$f, $g] }, $h = "
                    "f($i, $j),) inherits ntp { $k = 1 }"),
            "class ntp::server a b d h");
  EXPECT_EQ(headers("# comment\ndefine web::host (\n  Integer[1, 10] $port = 80,  # $x\n  Optional[String] $user = "
                    "\"a${b}c\",\n) { }"),
            "define web::host port user");
}

TEST(Headers, AreFoundWithinClasses) {
  EXPECT_EQ(headers("class a($x) { class b($y) { define c($z) { } } class d { } }\nclass e { }"),
            "class a x; class a::b y; define a::b::c z; class a::d; class e");
}

TEST(Headers, AreNotResources) { EXPECT_EQ(headers("class { 'a': b => $c }\n$d = Class['e']\nfile { class: }"), ""); }

TEST(Headers, WhatCannotBeReadEndsThem) {
  EXPECT_EQ(headers("class a($x) { }\n'unclosed"), "class a x");
  EXPECT_EQ(headers("class a($x"), "class a x");
  EXPECT_EQ(headers("\xFF"), "");
  EXPECT_EQ(headers(""), "");
}

}  // namespace
}  // namespace strata::bindings
