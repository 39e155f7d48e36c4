// SPDX-License-Identifier: Apache-2.0
// .strata.yaml: where it is looked for, its shape, its errors.
#include <gtest/gtest.h>

#include "strata/error.hpp"
#include "support/expect_error.hpp"
#include "trees.hpp"

namespace strata::workspace {
namespace {

using testing::found_in;
using testing::told;

/// The code, place and message of the error of a file; empty if there is none.
std::string error_of(const std::string& text) {
  try {
    (void)found_in({{".strata.yaml", text}});
    return {};
  } catch (const Error& error) {
    const Place& place = error.diagnostic().where.place;
    return error.code() + " " + std::to_string(place.line.value_or(0)) + ":" +
           std::to_string(place.column.value_or(0)) + " " + error.what();
  }
}

TEST(Configuration, TheNearestFileUpToTheRepositoryWins) {
  const testing::Files files{{"r/.git/HEAD", ""},
                             {".strata.yaml", "projects: {top: {verb: merge}}"},
                             {"r/.strata.yaml", "projects: {r: {verb: merge}}"},
                             {"r/a/.strata.yaml", "projects: {}"},
                             {"r/a/s/environments.pp", ""},
                             {"r/b/s/environments.pp", ""},
                             {"out/s/environments.pp", ""}};
  EXPECT_EQ(told(found_in(files, "/r/b/s")), "r merge /r file\n");
  EXPECT_EQ(found_in(files, "/r/b/s").file, "/r/.strata.yaml");
  EXPECT_EQ(told(found_in(files, "/r/a/s")), "");  // `projects: {}` switches detection off.
  EXPECT_EQ(told(found_in(files, "/out")),
            "s inject /out/s bindings-site\n");  // No repository: only the folder itself.
  EXPECT_EQ(told(found_in(files, "/out", "/")), "top merge / file\n");
}

TEST(Configuration, Shapes) {
  const Found found = found_in({{"x/.strata.yaml", R"(
projects:
  a: {verb: merge, args: [one, 2], base: [x, y], threads: 4, strict: true, quiet: false, color: null, fleet: f.yaml}
  b: {verb: merge, fleet: [{name: m, args: [p]}, {name: n}]}
)"}},
                               "/x");
  ASSERT_EQ(found.projects.size(), 2U);
  const Project& a = found.projects[0];
  EXPECT_EQ(a.args, (std::vector<std::string>{"one", "2"}));
  EXPECT_EQ(a.find("base")->values, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(a.find("threads")->values, std::vector<std::string>{"4"});
  EXPECT_TRUE(a.find("strict")->is_on);
  EXPECT_FALSE(a.find("quiet")->is_on);
  EXPECT_EQ(a.find("color"), nullptr);
  EXPECT_EQ(a.fleet_file, "f.yaml");
  EXPECT_EQ(found.projects[1].members->at(0).words, std::vector<std::string>{"p"});
  EXPECT_EQ(a.sources->place(a.at).line, 3U);
}

TEST(Configuration, Errors) {
  EXPECT_EQ(error_of("projects: {}"), "");
  EXPECT_EQ(error_of(""), "workspace.value 1:1 .strata.yaml must be a mapping, not null");
  EXPECT_EQ(error_of("- a"), "workspace.value 1:1 .strata.yaml must be a mapping, not a sequence");
  EXPECT_EQ(error_of("{}"), "workspace.value 1:1 .strata.yaml has no 'projects'");
  EXPECT_EQ(error_of("projects: {}\nproject: 1"), "workspace.key 2:1 .strata.yaml has an unknown key 'project'");
  EXPECT_EQ(error_of("projects: [a]"),
            "workspace.value 1:11 'projects' of .strata.yaml must be a mapping from names to projects, not a sequence");
  EXPECT_EQ(error_of("projects: {1: {verb: a}}").substr(0, 20), "workspace.value 1:12");
  EXPECT_EQ(error_of("projects: {a: text}"), "workspace.value 1:15 the project 'a' must be a mapping, not text");
  EXPECT_EQ(error_of("projects: {a: {}}"), "workspace.value 1:15 the project 'a' has no 'verb'");
  EXPECT_EQ(error_of("projects: {'': {verb: a}}").substr(0, 38), "workspace.value 1:16 a project needs a");
  EXPECT_EQ(error_of("projects: {a: {verb: [a]}}").substr(0, 20), "workspace.value 1:22");
  EXPECT_EQ(error_of("projects: {a: {verb: a, args: b}}").substr(0, 20), "workspace.value 1:31");
  EXPECT_EQ(error_of("projects: {a: {verb: a, args: [[b]]}}").substr(0, 20), "workspace.value 1:32");
  EXPECT_EQ(error_of("projects: {a: {verb: a, x: {}}}").substr(0, 20), "workspace.value 1:28");
  EXPECT_EQ(error_of("projects: {a: {verb: a, x: \"\\0\"}}").substr(0, 20), "workspace.value 1:28");
  EXPECT_EQ(error_of("projects: {a: {verb: a, fleet: {}}}").substr(0, 20), "workspace.value 1:32");
  EXPECT_EQ(error_of("projects: {a: {verb: a, fleet: [{name: x}, {name: x}]}}").substr(0, 20), "workspace.value 1:44");
  EXPECT_EQ(error_of("projects: {a: {verb: a}, a: {verb: b}}").substr(0, 18), "yaml.duplicate-key");
  EXPECT_EQ(error_of("projects: {a").substr(0, 11), "yaml.syntax");
}

TEST(Configuration, UnknownNames) {
  const Found found = found_in({{".strata.yaml", "projects: {fleet: {verb: merge}}"}});
  EXPECT_EQ(found.named("fleet").verb, "merge");
  try {
    (void)found.named("flet");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "workspace.project");
    EXPECT_EQ(error.category(), Category::not_found);
    EXPECT_EQ(error.diagnostic().hint, "did you mean 'fleet'?");
  }
  STRATA_EXPECT_ERROR(Found{}.named("x"), "workspace.project");
}

}  // namespace
}  // namespace strata::workspace
