// SPDX-License-Identifier: Apache-2.0
// environments.pp.
#include <gtest/gtest.h>

#include "request_world.hpp"

namespace strata::bindings {
namespace {

std::string chosen(const std::string& text, const Files& more = {}, const std::string& facts = "{}") {
  Files files = more;
  files["environments.pp"] = text;
  RequestWorld world(std::move(files));
  const std::string problems = world.facts(facts).problems();
  return problems == "none" ? world.request->environment.name + " " + world.request->environment.envdir : problems;
}

TEST(Environments, WithoutAFileThereIsProduction) {
  RequestWorld world(Files{});
  const Environment& environment = world.make().environment;
  EXPECT_EQ(environment.name, "production");
  EXPECT_EQ(environment.envdir, "/c");
  EXPECT_EQ(environment.modulepath, (std::vector<std::string>{"/c/modules"}));
  EXPECT_EQ(environment.templatedir, "/c/templates");
  EXPECT_EQ(environment.bindingsdir, "/c/bindings");
  EXPECT_EQ(environment.manifest, "");
}

TEST(Environments, AttributesOwnThenDefaultsThenTable) {
  RequestWorld world(Files{{"environments.pp",
                            "site { environment { 'production': envdir => \"$confdir/p\", templatedir => default }\n"
                            "Environment { templatedir => 't', bindingsdir => '${envdir}/../b', modulepath => ['x', "
                            "'$confdir/y', '/z:w'] } }\n"},
                           {"p/x", ""}});
  const Environment& environment = world.make().environment;
  EXPECT_EQ(environment.envdir, "/c/p");
  EXPECT_EQ(environment.templatedir, "/c/p/templates");
  EXPECT_EQ(environment.bindingsdir, "/c/b");
  EXPECT_EQ(environment.modulepath, (std::vector<std::string>{"/c/p/x", "/c/y", "/z", "/c/p/w"}));
}

TEST(Environments, EmptyTextsAreTheFolderItself) {
  RequestWorld world(
      Files{{"environments.pp", "site { environment { 'production': modulepath => '', bindingsdir => '' } }"}});
  EXPECT_EQ(world.make().environment.modulepath, std::vector<std::string>{});
  EXPECT_EQ(world.request->environment.bindingsdir, "/c");
}

TEST(Environments, TheLastDefaultCounts) {
  RequestWorld world(
      Files{{"environments.pp",
             "site { Environment { bindingsdir => 'a' } }\nsite { Environment { bindingsdir => 'b' } }\n"}});
  EXPECT_EQ(world.make().environment.bindingsdir, "/c/b");
  EXPECT_EQ(world.warnings(),
            "environment.default-twice: the default of 'bindingsdir' is set again: this one is used\n");
}

TEST(Environments, AreChosenByTheVariable) {
  const std::string two = "site { environment { ['a', 'b']: envdir => '$confdir/e' } }\n";
  const Files folder{{"e/x", ""}};
  EXPECT_EQ(chosen(two + "$environment = 'b'", folder), "b /c/e");
  EXPECT_EQ(chosen(two + "if $x == 1 { $environment = 'a' } else { $environment = 'b' }", folder, "x: 1"), "a /c/e");
  EXPECT_EQ(chosen(two + "[1].each |$i| { $environment = 'b' }", folder), "production /c");
  EXPECT_EQ(chosen(two + "'b'", folder), "production /c");
  EXPECT_EQ(chosen(two + "$environment = undef", folder), "production /c");
  EXPECT_EQ(chosen(two + "$environment = ''", folder),
            "environment.name: $environment must be a text that is not empty, not an empty one\n");
  EXPECT_EQ(chosen(two + "$environment = 'bb'", folder),
            "environment.unknown: unknown environment 'bb': there are a, b, production\n");
}

TEST(Environments, OfTheEncMayBeAssignedOver) {
  const Files files{
      {"environments.pp", "site { environment { 'a': } environment { 'b': } }\nif $pick { $environment = $pick }\n"}};
  RequestWorld world(files);
  EXPECT_EQ(world.enc("environment: a\n").make().environment.name, "a");
  EXPECT_EQ(world.enc("environment: a\nparameters: {pick: b}\n").make().environment.name, "b");
  EXPECT_EQ(world.enc("parameters: {environment: b}\n").make().environment.name, "b");
}

TEST(Environments, AgentEnvironment) {
  RequestWorld world(Files{
      {"environments.pp", "site { environment { 'a': } environment { 'b': } }\n$environment = $agent_environment\n"}});
  EXPECT_EQ(world.make().environment.name, "production");
  EXPECT_EQ(world.facts("environment: a").make().environment.name, "a");
  world.agent = "b";
  EXPECT_EQ(world.make().environment.name, "b");
}

TEST(Environments, DynamicNamesAreOneSegment) {
  const Files folders{{"d/x/f", ""}, {"d/.h/f", ""}, {"d/file", ""}, {"e/f", ""}};
  const std::string dynamic = "site { dynamic_environments { '$confdir/d': bindingsdir => 'b' } }\n";
  EXPECT_EQ(chosen(dynamic + "$environment = 'x'", folders), "x /c/d/x");
  for (const std::string name : {"../e", ".", "..", ".h", "file", "x/", "/x"}) {
    EXPECT_EQ(chosen(dynamic + "$environment = '" + name + "'", folders).substr(0, 19), "environment.unknown") << name;
  }
}

TEST(Environments, SeveralErrorsAreToldTogether) {
  EXPECT_EQ(chosen("site { environment { 'a': envdir => 'x' }\nenvironment { 'a': manifest => [1] }\n "
                   "dynamic_environments { 'rel': } }\n$x = 1\n$x = 2"),
            "environment.attribute: the attribute 'manifest' of environment a must be a text\n"
            "environment.dynamic: the title of dynamic_environments must be an absolute path\n"
            "puppet.reassigned: cannot reassign variable '$x'\n"
            "environment.path: the envdir of environment 'a' must be an absolute path: 'x' is not\n");
}

TEST(Environments, UnknownAttributesNameTheKnownOnes) {
  const auto hint = [](const std::string& attribute) {
    RequestWorld world(Files{{"environments.pp", "site { environment { 'a': " + attribute + " => 'x' } }"}});
    try {
      static_cast<void>(world.make());
    } catch (const Error& error) {
      return error.diagnostic().message + "; " + error.diagnostic().hint;
    }
    return std::string("none");
  };
  EXPECT_EQ(hint("manifst"), "environment a has no attribute 'manifst'; did you mean 'manifest'?");
  EXPECT_EQ(hint("colour"),
            "environment a has no attribute 'colour'; it may have envdir, modulepath, manifestdir, manifest, "
            "templatedir, bindingsdir");
}

TEST(Environments, InjectionIsNotAvailable) {
  EXPECT_EQ(chosen("$environment = inject('x')").substr(0, 21), "bindings.no-injection");
}

TEST(Environments, Manifests) {
  const auto manifest = [](const Files& files) {
    RequestWorld world(files);
    const std::string problems = world.problems();
    return problems == "none" ? world.request->environment.manifest : problems;
  };
  EXPECT_EQ(manifest({{"site.pp", ""}}), "/c/site.pp");
  EXPECT_EQ(manifest({{"site.pp", ""}, {"manifests/site.pp", ""}}), "/c/manifests/site.pp");
  EXPECT_EQ(
      manifest({{"environments.pp", "site { environment { 'production': manifestdir => 'm', manifest => 'x.pp' } }"},
                {"m/x.pp", ""}}),
      "/c/m/x.pp");
  EXPECT_EQ(manifest({{"environments.pp", "site { environment { 'production': manifest => 'x.pp' } }"}}),
            "environment.missing: the manifest of environment 'production' does not exist: there is no file "
            "/c/manifests/x.pp\n");
}

}  // namespace
}  // namespace strata::bindings
