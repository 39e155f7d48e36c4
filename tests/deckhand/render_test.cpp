// SPDX-License-Identifier: Apache-2.0
// Whole renderings: parents, replacement, order, filters, secrets and diagnostics.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "deckhand/site.hpp"
#include "strata/report.hpp"
#include "strata/stop.hpp"

namespace strata::deckhand {
namespace {

const std::string kTop = "labels: {t: g}";

struct RenderCase {
  const char* name;
  std::vector<Doc> documents;
  const char* result;
  const char* warnings = "";
};

std::ostream& operator<<(std::ostream& out, const RenderCase& one) { return out << one.name; }

class Renders : public ::testing::TestWithParam<RenderCase> {};

TEST_P(Renders, AsTheReferenceDoes) {
  for (const bool with_history : {false, true}) {
    Site site(GetParam().documents);
    site.with_history = with_history;
    EXPECT_EQ(site.render(), GetParam().result) << site.told();
    EXPECT_EQ(site.warnings(), GetParam().warnings) << site.told();
  }
}

Doc top(const std::string& name, const std::string& layer = "global", const std::string& data = "{g: 1}") {
  return {.name = name, .layer = layer, .data = data, .more = kTop};
}
Doc child(const std::string& name, const std::string& layer = "site", const std::string& more = "") {
  return {.name = name, .layer = layer, .data = "{c: 1}", .more = more, .layering = selects("{t: g}")};
}

INSTANTIATE_TEST_SUITE_P(
    Parents, Renders,
    ::testing::Values(
        RenderCase{"nearest layer",
                   {top("g"), top("r", "region", "{r: 1}"), child("c")},
                   R"(r {"r": 1}; c {"r": 1, "c": 1}; g {"g": 1})"},
        RenderCase{"one a layer, the nearest wins",
                   {child("c"), top("r", "region", "{r: 1}"), top("g")},
                   R"(r {"r": 1}; c {"r": 1, "c": 1}; g {"g": 1})"},
        RenderCase{"two in a layer", {top("g"), top("h"), child("c")}, "!deckhand.parents"},
        RenderCase{
            "two farther, one nearer", {top("g"), top("h"), top("r", "region"), child("c")}, "!deckhand.parents"},
        RenderCase{"a peer beside a good parent", {top("g"), top("p", "site"), child("c")}, "!deckhand.parent"},
        RenderCase{"a document below", {top("low", "site"), child("c", "region")}, "!deckhand.parent"},
        RenderCase{"another schema beside a good parent",
                   {top("g"), {.name = "o", .layer = "region", .more = kTop, .schema = "other/Kind/v1"}, child("c")},
                   "!deckhand.parent"},
        RenderCase{"itself does not match", {top("g"), child("c", "site", kTop)}, R"(g {"g": 1}; c {"g": 1, "c": 1})"},
        RenderCase{"only itself", {child("c", "site", kTop)}, R"(c {"c": 1})", "deckhand.no-parent"},
        RenderCase{"none: the actions do not run", {child("c")}, R"(c {"c": 1})", "deckhand.no-parent"},
        RenderCase{"kinds of label values differ",
                   {{.name = "g", .layer = "global", .more = "labels: {t: 1}"},
                    {.name = "c", .layering = selects("{t: '1'}")}},
                   "g {}; c {}",
                   "deckhand.no-parent"},
        RenderCase{"all labels of a selector",
                   {{.name = "g", .layer = "global", .more = "labels: {a: 1, b: x}"},
                    {.name = "c", .layering = selects("{b: x, a: 2}")}},
                   "g {}; c {}",
                   "deckhand.no-parent"},
        RenderCase{"an empty layer is none", {{.name = "c", .layer = "''"}}, "c {}"},
        RenderCase{"an unknown layer", {{.name = "c", .layer = "sight"}}, "!deckhand.layer"},
        RenderCase{"everything that is wrong",
                   {top("g"), top("h"), child("c"), child("d")},
                   "!deckhand.parents deckhand.parents"}));

Doc replacement(const std::string& layer, const std::string& labels = "{t: g}", const std::string& more = "") {
  return {.name = "n",
          .layer = layer,
          .data = "{" + layer + ": 1}",
          .more = "replacement: true" + more,
          .layering = selects(labels)};
}

INSTANTIATE_TEST_SUITE_P(
    Replacement, Renders,
    ::testing::Values(
        RenderCase{"is all that is output", {top("n"), replacement("site")}, R"(n {"g": 1, "site": 1})"},
        RenderCase{"feeds children above it too",
                   {top("n"), replacement("site"), child("o", "region")},
                   R"(n {"g": 1, "site": 1}; o {"g": 1, "site": 1, "c": 1})"},
        RenderCase{
            "abstract: neither is output",
            {top("n"), {.name = "n", .more = "replacement: true", .layering = selects("{t: g}") + ", abstract: true"}},
            ""},
        RenderCase{"is read as a source",
                   {top("n"),
                    replacement("site"),
                    {.name = "o", .more = "substitutions: [" + substitutes("n", ".site", ".x") + "]"}},
                   R"(n {"g": 1, "site": 1}; o {"x": 1})"},
        RenderCase{"without parent", {replacement("site")}, "!deckhand.replacement", "deckhand.no-parent"},
        RenderCase{"of another name", {top("other"), replacement("site")}, "!deckhand.replacement"},
        RenderCase{"without the flag", {top("n"), child("n")}, "!deckhand.replacement"},
        RenderCase{"unrelated documents of one name", {top("n"), {.name = "n"}}, "!deckhand.replacement"},
        RenderCase{"three in a row",
                   {top("n"), replacement("region", "{t: g}", ", labels: {t: r}"), replacement("site", "{t: r}")},
                   "!deckhand.replacement"},
        RenderCase{"three in a row, the middle one abstract",
                   {top("n"),
                    {.name = "n",
                     .layer = "region",
                     .more = "replacement: true, labels: {t: r}",
                     .layering = selects("{t: g}") + ", abstract: true"},
                    replacement("site", "{t: r}")},
                   R"(n {"g": 1, "site": 1})"},
        RenderCase{"two of one document",
                   {top("n"), replacement("site"), replacement("region")},
                   R"(n {"g": 1, "region": 1}; n {"g": 1, "region": 1, "site": 1})",
                   "deckhand.replacements"}));

Doc reads(const std::string& name, const std::string& source, const std::string& layer = "site") {
  return {.name = name,
          .layer = layer,
          .data = "{v: 1}",
          .more = "substitutions: [" + substitutes(source, ".v", "." + source) + "]"};
}

INSTANTIATE_TEST_SUITE_P(
    Order, Renders,
    ::testing::Values(
        RenderCase{"the example of the rule",
                   {{.name = "z"},
                    {.name = "c",
                     .data = "{c: 1}",
                     .more = "substitutions: [" + substitutes("src", ".v", ".q") + "]",
                     .layering = selects("{t: g}")},
                    top("g"),
                    {.name = "y", .layer = "region"},
                    {.name = "src", .data = "{v: 9}"}},
                   R"(src {"v": 9}; g {"g": 1}; c {"g": 1, "c": 1, "q": 9}; z {}; y {})"},
        RenderCase{"a ring of two", {reads("a", "b"), reads("b", "a")}, "!deckhand.cycle"},
        RenderCase{"a ring of one", {reads("a", "a")}, "!deckhand.cycle"},
        RenderCase{"rings are all told",
                   {reads("a", "b"), reads("b", "a"), reads("x", "y"), reads("y", "x")},
                   "!deckhand.cycle deckhand.cycle"},
        RenderCase{
            "a parent that reads its child",
            {{.name = "g", .layer = "global", .more = kTop + ", substitutions: [" + substitutes("c", ".c", ".x") + "]"},
             child("c")},
            "!deckhand.cycle"},
        RenderCase{"a source that is not there",
                   {reads("a", "ghost"), reads("b", "ghost"), {.name = "z"}},
                   "!deckhand.source deckhand.source"},
        RenderCase{"what fails does not hide other failures",
                   {reads("a", "ghost"),
                    reads("b", "a"),
                    {.name = "c", .data = "{}", .layering = selects("{t: g}", "[{method: merge, path: .q}]")},
                    top("g")},
                   "!deckhand.source deckhand.missing"}));

/// The documents that the project's description of layering gives as its example, verbatim.
const std::string kSeedPolicy = R"(---
schema: deckhand/LayeringPolicy/v1
metadata:
  schema: metadata/Control/v1
  name: layering-policy
data:
  layerOrder:
    - global
    - region
    - site
)";
const std::string kSeedGlobal = R"(---
schema: example/Kind/v1
metadata:
  schema: metadata/Document/v1
  name: global-1234
  labels:
    key1: value1
  layeringDefinition:
    abstract: true
    layer: global
data:
  a:
    x: 1
    y: 2
)";
const std::string kSeedRegion = R"(---
schema: example/Kind/v1
metadata:
  schema: metadata/Document/v1
  name: region-1234
  labels:
    key1: value1
  layeringDefinition:
    abstract: true
    layer: region
    parentSelector:
      key1: value1
    actions:
      - method: replace
        path: .a
data:
  a:
    z: 3
)";
const std::string kSeedSite = R"(---
schema: example/Kind/v1
metadata:
  schema: metadata/Document/v1
  name: site-1234
  layeringDefinition:
    layer: site
    parentSelector:
      key1: value1
    actions:
      - method: merge
        path: .
data:
  b: 4
)";

TEST(SeedExample, RegionReplacesAndSiteMerges) {
  Site site;
  site.add("docs.yaml", kSeedPolicy + kSeedGlobal + kSeedRegion + kSeedSite);
  EXPECT_EQ(site.render(),
            R"(site-1234 {"a": {"z": 3}, "b": 4}; layering-policy {"layerOrder": ["global", "region", "site"]})")
      << site.told();
  EXPECT_EQ(site.warnings(), "");
}

TEST(SeedExample, WithoutTheRegionTheParentIsGlobal) {
  Site site;
  site.add("docs.yaml", kSeedPolicy + kSeedGlobal + kSeedSite);
  EXPECT_EQ(
      site.render(),
      R"(site-1234 {"a": {"x": 1, "y": 2}, "b": 4}; layering-policy {"layerOrder": ["global", "region", "site"]})")
      << site.told();
}

TEST(Render, TellsTheChainOfARing) {
  Site site(std::vector<Doc>{reads("a", "b"), reads("b", "c"), reads("c", "a")});
  EXPECT_EQ(site.render(), "!deckhand.cycle");
  EXPECT_TRUE(has(site.told(),
                  "example/Kind/v1 site/a → example/Kind/v1 site/b → example/Kind/v1 site/c → example/Kind/v1 site/a"))
      << site.told();
}

TEST(Render, NamesFileLineAndDocument) {
  Site site(std::vector<Doc>{{.name = "c", .layer = "sita"}});
  EXPECT_EQ(site.render(), "!deckhand.layer");
  EXPECT_TRUE(has(site.told(), "site.yaml:6:")) << site.told();
  EXPECT_TRUE(has(site.told(), "example/Kind/v1 sita/c: its layer 'sita' is not in the layer order")) << site.told();
  EXPECT_TRUE(has(site.told(), "did you mean 'site'?")) << site.told();
}

TEST(Render, FindsAllFormsThatAreWrongInAllFiles) {
  Site site;
  site.add("a.yaml", "- 1\n---\nschema: x\nmetadata: {schema: metadata/Document/v1, name: n, colour: red}\n");
  site.add("b.yaml", "a: [\n");
  site.add("c.yaml", "---\n" + kPolicy + "---\n");
  EXPECT_EQ(site.render(), "!deckhand.entry deckhand.form yaml.syntax deckhand.entry");
  EXPECT_TRUE(has(site.told(), "entry 1 of this stream is a sequence")) << site.told();
  EXPECT_TRUE(has(site.told(), "c.yaml:")) << site.told();
  EXPECT_EQ(site.findings[1].check, "D001");
}

TEST(Render, NeedsAPolicyWithAnOrder) {
  Site without;
  without.add("a.yaml", Doc{.name = "a"}.text());
  EXPECT_EQ(without.render(), "!deckhand.no-policy");
  Site broken;
  broken.add("a.yaml",
             "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: p}\ndata: {layerOrder: "
             "[1]}\n");
  EXPECT_EQ(broken.render(), "!deckhand.policy");
  Site two({{.name = "a"}});
  two.add("b.yaml",
          "schema: deckhand/LayeringPolicy/v2\nmetadata: {schema: metadata/Control/v1, name: other}\ndata: "
          "{layerOrder: []}\n");
  EXPECT_EQ(two.render(), "a {}; other {\"layerOrder\": []}");
  EXPECT_EQ(two.warnings(), "deckhand.policies");
}

TEST(Render, RefusesDuplicates) {
  Site site(std::vector<Doc>{{.name = "a"}, {.name = "a", .layer = "region"}, {.name = "a"}});
  EXPECT_EQ(site.render(), "!deckhand.duplicate");
  EXPECT_TRUE(has(site.told(), "site.yaml:13:1: error")) << site.told();
}

TEST(Render, StoragePolicyIsRequiredOnDemand) {
  Site site(std::vector<Doc>{{.name = "a"}, {.name = "b", .more = "storagePolicy: cleartext"}});
  site.request.require_storage_policy = true;
  EXPECT_EQ(site.render(), "!deckhand.form");
}

TEST(Render, KeysBecomeTextAndDatesStayText) {
  Site site(
      std::vector<Doc>{{.name = "a", .data = "{1: x, 2.5: x, 1.0e+20: x, false: x, ~: x, 2001-12-14: 2001-12-14}"}});
  EXPECT_EQ(site.render(),
            R"(a {"1": "x", "2.5": "x", "1e+20": "x", "false": "x", "null": "x", "2001-12-14": "2001-12-14"})");
}

TEST(Render, DeletesByPlaceOrByValue) {
  const auto deleted = [](Compat compat, const std::string& path, const std::string& data) {
    Site site(
        std::vector<Doc>{{.name = "g", .layer = "global", .data = data, .more = kTop, .layering = "abstract: true"},
                         {.name = "c", .layering = selects("{t: g}", "[{method: delete, path: " + path + "}]")}});
    site.request.compat = compat;
    return site.render();
  };
  EXPECT_EQ(deleted(Compat::promised, ".b", "{a: 1, b: 1}"), R"(c {"a": 1})");
  EXPECT_EQ(deleted(Compat::shipped, ".b", "{a: 1, b: 1}"), R"(c {"b": 1})");
  EXPECT_EQ(deleted(Compat::promised, "$", "{a: 1}"), "c {}");
  EXPECT_EQ(deleted(Compat::shipped, "$", "{a: 1}"), R"(c {"a": 1})");
  EXPECT_EQ(deleted(Compat::promised, ".database", "{base: 1, database: 2}"), R"(c {"base": 1})");
  EXPECT_EQ(deleted(Compat::shipped, ".database", "{base: 1, database: 2}"), R"(c {"database": 2})");
}

TEST(Render, WarnsWhereTheReferenceDeletesSomethingElse) {
  const auto deleted = [](const std::string& path, const std::string& data) {
    Site site(std::vector<Doc>{
        {.name = "p", .layer = "global", .data = data, .more = "labels: {p: p}", .layering = "abstract: true"},
        {.name = "c", .layering = selects("{p: p}", "[{method: delete, path: " + path + "}]")}});
    (void)site.render();
    return site.told();
  };
  const std::string told = deleted(".b", "{a: 1, b: 1}");
  EXPECT_TRUE(has(told,
                  "the action 'delete' removes /b; Deckhand itself removes /a, the first value that is equal "
                  "[deckhand.delete-equal]"))
      << told;
  EXPECT_TRUE(has(told, "site.yaml:7:17: note: what is removed")) << told;
  EXPECT_TRUE(has(told, "site.yaml:7:11: note: what Deckhand removes")) << told;
  EXPECT_EQ(deleted(".a", "{a: 1, b: 1}"), "");
  EXPECT_EQ(deleted(".", "{a: 1, b: 1}"), "");
  EXPECT_TRUE(has(deleted(".b", "{a: {x: {}}, b: {}}"), "removes /a/x")) << deleted(".b", "{a: {x: {}}, b: {}}");
}

TEST(Render, DataSchemasAreNoErrorByThemselves) {
  const auto told = [](const std::string& name, const std::string& data, const std::string& checked = "1") {
    Site site(std::vector<Doc>{{.name = "a", .data = checked}});
    site.add("schema.yaml", "schema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: " + name +
                                "}\ndata: " + data + "\n");
    const std::string result = site.render();
    return result.starts_with('!') ? result : site.warnings();
  };
  EXPECT_EQ(told("other/Kind/v1", "text"), "deckhand.data-schema");
  EXPECT_EQ(told("other/Kind/v1", "[1]"), "deckhand.data-schema");
  EXPECT_EQ(told("other/Kind/v1", "{type: 7}"), "deckhand.data-schema");
  EXPECT_EQ(told("other/Kind/v1", "{type: object}"), "");
  EXPECT_EQ(told("example/Kind/v1", "{type: 7}"), "!deckhand.schema");
  EXPECT_EQ(told("example/Kind/v1", "text"), "!deckhand.schema");
}

TEST(Render, DataSchemasOfBuiltInNamesAreNotApplied) {
  Site site(std::vector<Doc>{{.name = "pw", .data = "hunter2", .schema = "deckhand/Passphrase/v1"}});
  site.add("schema.yaml",
           "schema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: "
           "deckhand/Passphrase/v1}\ndata: {type: object}\n");
  EXPECT_EQ(site.render(), R"(pw "hunter2"; deckhand/Passphrase/v1 {"type": "object"})");
  EXPECT_EQ(site.warnings(), "");
}

TEST(Render, ErrorsOfActionsNameTheParent) {
  const auto told = [](const std::string& action) {
    Site site({top("g"), {.name = "c", .layering = selects("{t: g}", "[" + action + "]")}});
    EXPECT_EQ(site.render().substr(0, 1), "!");
    return site.told();
  };
  for (const char* action :
       {"{method: merge, path: .nope}", "{method: delete, path: .nope}", "{method: replace, path: '.['}"}) {
    EXPECT_TRUE(has(told(action), "example/Kind/v1 site/c: ")) << told(action);
    EXPECT_TRUE(has(told(action), "(layered on example/Kind/v1 global/g)")) << told(action);
  }
}

TEST(Render, RepeatedKeysAreWarnedOf) {
  Site site;
  site.add("a.yaml", kPolicy + "---\n" + Doc{.name = "a", .data = "{x: 1, x: 2}"}.text() + "---\n" +
                         Doc{.name = "pw", .data = "{x: hunter2, x: 2}", .more = "storagePolicy: encrypted"}.text());
  EXPECT_TRUE(has(site.render(), R"(a {"x": 2})"));
  EXPECT_EQ(site.warnings(), "deckhand.repeated-key deckhand.repeated-key");
  EXPECT_TRUE(has(site.told(), "a.yaml:7:14: warning: example/Kind/v1 site/a: duplicate key")) << site.told();
  EXPECT_FALSE(has(site.told(), "hunter2")) << site.told();
}

TEST(Render, FiltersThatNothingMatchesAreWarnedOf) {
  const auto told = [](Filters filters) {
    Site site(std::vector<Doc>{{.name = "apple"}, {.name = "hidden", .layer = "region", .layering = "abstract: true"}});
    site.request.filters = std::move(filters);
    (void)site.render();
    return site.told();
  };
  EXPECT_EQ(
      told({.schemas = {"example", "deckhand/LayeringPolicy"}, .layers = {"site"}, .names = {"apple"}, .labels = {}}),
      "");
  EXPECT_TRUE(has(told({.schemas = {}, .layers = {}, .names = {"aple"}, .labels = {}}),
                  "no rendered document has the name 'aple' [deckhand.unmatched]\nhint: did you mean 'apple'?"))
      << told({.schemas = {}, .layers = {}, .names = {"aple"}, .labels = {}});
  EXPECT_TRUE(has(told({.schemas = {}, .layers = {"region"}, .names = {}, .labels = {}}),
                  "no rendered document has the layer 'region'"));
  EXPECT_TRUE(has(told({.schemas = {"exam"}, .layers = {}, .names = {}, .labels = {}}),
                  "no rendered document has the schema 'exam'"));
}

TEST(Render, ChecksDataAndTellsWhereTheyDoNotFit) {
  Site site(std::vector<Doc>{{.name = "a", .data = "{port: x}"},
                             {.name = "b", .data = "{port: hunter2}", .more = "storagePolicy: encrypted"},
                             {.name = "c", .data = "{port: 1}"}});
  site.add("schema.yaml",
           "schema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: example/Kind/v1}\n"
           "data: {properties: {port: {type: integer}}}\n");
  EXPECT_EQ(site.render(), "!deckhand.data deckhand.data");
  EXPECT_EQ(site.findings[0].check, "D002");
  EXPECT_EQ(site.findings[0].schema_path, ".properties.port.type");
  EXPECT_EQ(site.findings[0].error_section, R"({"port": "x"})");
  EXPECT_TRUE(
      has(site.told(),
          "site.yaml:7:14: error: example/Kind/v1 site/a: its data at /port do not fit: 'x' is not of type 'integer'"))
      << site.told();
  EXPECT_FALSE(has(site.told(), "hunter2")) << site.told();
}

TEST(Render, TakesParsedDocuments) {
  Site site;
  site.add("policy.yaml", kPolicy);
  Sources texts;
  const auto parsed =
      text::read_yaml(texts, texts.add("request", Doc{.name = "a", .data = "{x: 1}"}.text()), text::pyyaml_json(), {});
  site.request.documents.push_back(parsed.root);
  EXPECT_EQ(site.render(), R"(a {"x": 1})");
}

TEST(Render, LeavesOutUnknownKeysAndValidationPolicies) {
  Site site(std::vector<Doc>{{.name = "a", .data = "1\nstatus: {}"}});
  site.add("b.yaml",
           "schema: deckhand/ValidationPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: v}\n"
           "data: {validations: [{name: x-validation}]}\n");
  EXPECT_EQ(site.render(), "a 1");
  EXPECT_EQ(site.result->documents.value.items()[0].size(), 3U);
}

TEST(Render, Filters) {
  using Texts = std::vector<std::string>;
  const auto filtered = [](Texts schemas, Texts layers, Texts names,
                           std::vector<std::pair<std::string, std::string>> labels) {
    Site site(std::vector<Doc>{{.name = "a", .more = "labels: {k: '1'}"},
                               {.name = "b", .layer = "region", .more = "labels: {k: 1}"},
                               {.name = "c", .schema = "other/Kind/v1"}});
    site.request.filters = {.schemas = std::move(schemas),
                            .layers = std::move(layers),
                            .names = std::move(names),
                            .labels = std::move(labels)};
    return site.render();
  };
  EXPECT_EQ(filtered({"example"}, {}, {}, {}), "a {}; b {}");
  EXPECT_EQ(filtered({"example/Kind"}, {}, {}, {}), "a {}; b {}");
  EXPECT_EQ(filtered({"example/Ki"}, {}, {}, {}), "");
  EXPECT_EQ(filtered({"other/Kind/v1", "none"}, {}, {}, {}), "c {}");
  EXPECT_EQ(filtered({}, {}, {"a", "c"}, {}), "a {}; c {}");
  EXPECT_EQ(filtered({}, {"region"}, {}, {}), "b {}");
  EXPECT_EQ(filtered({}, {""}, {}, {}), "");
  EXPECT_EQ(filtered({}, {}, {}, {{"k", "1"}}), "a {}");
  EXPECT_EQ(filtered({}, {}, {}, {{"k", "1"}, {"l", "2"}}), "");
  EXPECT_EQ(filtered({"example"}, {"site"}, {}, {}), "a {}");
}

const std::string kSecret = "storagePolicy: encrypted, labels: {t: g}";

TEST(Secrets, StayOutOfBlameExplainAndMessages) {
  for (const bool in_clear : {true, false}) {
    Site site(std::vector<Doc>{{.name = "pw", .layer = "global", .data = "{p: hunter2}", .more = kSecret},
                               {.name = "leaks", .data = "{x: 1}", .layering = selects("{t: g}")},
                               {.name = "takes",
                                .data = "{u: me-PW}",
                                .more = "substitutions: [" + substitutes("pw", ".p", ".v") + ", " +
                                        substitutes("pw", ".p", ".u, pattern: PW") + "]"}});
    site.with_history = true;
    site.request.cleartext_secrets = in_clear;
    EXPECT_TRUE(has(site.render(), "leaks {\"p\": \"hunter2\"")) << site.told();
    EXPECT_EQ(has(text::write_yaml(site.result->documents.value), "me-hunter2"), in_clear);
    Arena arena;
    const Value& all = site.result->documents.value;
    EXPECT_FALSE(has(report::blame_documents_text(site.sources(), all, {}), "hunter2"));
    EXPECT_FALSE(has(text::write_json(report::blame_data(arena, site.sources(), all)), "hunter2"));
    const auto paths = site.history().explain(site.result->documents);
    EXPECT_FALSE(has(report::explain_text(site.sources(), site.history(), paths), "hunter2"));
    EXPECT_FALSE(has(text::write_json(report::explain_data(arena, site.sources(), site.history(), paths)), "hunter2"));
  }
}

TEST(Secrets, LeaksAreWarnedOf) {
  Site site(std::vector<Doc>{
      {.name = "pw", .layer = "global", .data = "{p: hunter2}", .more = kSecret},
      {.name = "leaks", .data = "{x: 1}", .layering = selects("{t: g}")},
      {.name = "clean", .data = "{x: 1}", .layering = selects("{t: g}", "[{method: replace, path: .}]")}});
  (void)site.render();
  EXPECT_EQ(site.warnings(), "deckhand.secret-leak");
  EXPECT_FALSE(has(site.told(), "hunter2")) << site.told();
}

TEST(Secrets, LinesOfEncryptedDocumentsAreNotShown) {
  Site site(std::vector<Doc>{{.name = "pw", .layer = "sight", .data = "hunter2", .more = kSecret}});
  site.add("b.yaml",
           "{schema: example/Kind/v1, metadata: {schema: metadata/Document/v1, name: x, storagePolicy: encrypted}, "
           "data: hunter2}");
  EXPECT_EQ(site.render(), "!deckhand.form");
  EXPECT_FALSE(has(site.told(), "hunter2")) << site.told();
  Site broken;
  broken.add("b.yaml", "{storagePolicy: encrypted, data: hunter2, x: [}");
  EXPECT_EQ(broken.render(), "!yaml.syntax");
  EXPECT_FALSE(has(broken.told(), "hunter2")) << broken.told();
}

TEST(Limits, DocumentsThatGrowWithoutEnd) {
  std::vector<Doc> documents{{.name = "d0", .data = "{v: [1, 2, 3]}"}};
  for (int i = 1; i < 60; ++i) {
    const std::string from = "d" + std::to_string(i - 1);
    documents.push_back(
        {.name = "d" + std::to_string(i),
         .more = "substitutions: [" + substitutes(from, ".v", ".v.a") + ", " + substitutes(from, ".v", ".v.b") + "]"});
  }
  Site site(documents);
  try {
    (void)site.render();
    FAIL() << "no limit";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "limit.result");
  }
}

TEST(Limits, DocumentsThatNestWithoutEnd) {
  std::vector<Doc> documents{{.name = "d0", .data = "{v: 1}"}};
  for (int i = 1; i < 80; ++i) documents.push_back(reads("d" + std::to_string(i), "d" + std::to_string(i - 1)));
  for (std::size_t i = 1; i < documents.size(); ++i) {
    documents[i].more = "substitutions: [" + substitutes(documents[i - 1].name, ".", ".v") + "]";
  }
  Site site(documents);
  site.limits.depth = 50;
  EXPECT_EQ(site.render(), "!limit.depth");
}

TEST(Limits, ManyFindingsAreCounted) {
  std::vector<Doc> documents;
  for (int i = 0; i < 1100; ++i) documents.push_back({.name = "d" + std::to_string(i), .layer = "nowhere"});
  Site site(documents);
  (void)site.render();
  EXPECT_EQ(site.findings.size(), 1001U);
  EXPECT_EQ(site.findings.back().diagnostic.message, "100 more findings are not shown");
}

TEST(Gather, FilesFoldersAndStandardInput) {
  const auto tree = memory_tree({{"d/b.yaml", "b"},
                                 {"d/a.yaml", "a"},
                                 {"d/c.yml", "c"},
                                 {"d/ab/f.yaml", "f"},
                                 {"d/.g/h.yaml", "h"},
                                 {"d/i.txt", "i"},
                                 {"x", "x"}});
  const std::vector<std::string> inputs{"x", "d", "-"};
  std::string names;
  for (const Stream& stream : gather(inputs, *tree, "in")) names += stream.name + "=" + stream.text + " ";
  EXPECT_EQ(names, "x=x d/a.yaml=a d/ab/f.yaml=f d/b.yaml=b d/c.yml=c <stdin>=in ");
  const std::vector<std::string> missing{"nope"};
  EXPECT_THROW((void)gather(missing, *tree, std::nullopt), Error);
}

TEST(Rendering, EndsWhenItsTimeIsOver) {
  Site site({top("g"), child("c")});
  const Stop stop(Stop::Clock::now());
  site.limits.stop = &stop;
  try {
    (void)site.render();
    FAIL() << "it did not end";
  } catch (const Refused&) {
    FAIL() << "the end of a request is not a finding";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "limit.time");
  }
}

/// Renders until another thread cancels it.
void expect_to_be_cancelled(Site& site) {
  Stop stop;
  site.limits.stop = &stop;
  site.limits.steps = SIZE_MAX;
  std::thread other([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.cancel();
  });
  try {
    while (true) (void)site.render();
  } catch (const Refused&) {
    ADD_FAILURE() << "the end of a request is not a finding";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "session.cancelled");
  }
  other.join();
}

TEST(Rendering, EndsWhenItIsCancelled) {
  // Each document walks all of a large one.
  std::string list = "{l: [";
  for (int i = 0; i < 20'000; ++i) list += "{a: 1}, ";
  Site site({{.name = "source", .layer = "site", .data = list + "{k: 1}]}"}});
  std::string documents;
  for (int i = 0; i < 500; ++i) {
    documents += "---\n" + Doc{.name = "d" + std::to_string(i),
                               .layer = "site",
                               .data = "{}",
                               .more = "substitutions: [" + substitutes("source", "$..k", ".v") + "]"}
                               .text();
  }
  site.add("many.yaml", documents);
  expect_to_be_cancelled(site);
}

TEST(Rendering, DataSchemasEndWhenTheyAreCancelled) {
  std::string list = "{l: [";
  for (int i = 0; i < 20'000; ++i) list += "{a: 1}, ";
  Site site({{.name = "big", .layer = "site", .data = list + "{}]}"}});
  // Each item against a thousand alternatives.
  std::string schema = "{properties: {l: {items: {anyOf: [";
  for (int i = 0; i < 1000; ++i) schema += "{type: string}, ";
  site.add("schema.yaml",
           "schema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: example/Kind/v1}\ndata: " +
               schema + "{}]}}}}\n");
  expect_to_be_cancelled(site);
}

TEST(Rendering, SubstitutionsOfAllDataAreHistoriesOfTheKernel) {
  Site site(
      {{.name = "source", .data = "{a: 1, b: {c: 2}}"},
       {.name = "d", .data = "{b: {x: 1}, d: 4}", .more = "substitutions: [" + substitutes("source", ".", ".") + "]"}});
  site.with_history = true;
  EXPECT_EQ(site.render(), R"(source {"a": 1, "b": {"c": 2}}; d {"b": {"c": 2}, "d": 4, "a": 1})");
  std::string fates;
  for (const merge::PathHistory& path : site.history().explain(site.result->documents, {"1", "data"})) {
    fates += path.path.pointer() + ":";
    for (const merge::Contribution& one : path.contributions)
      fates += " " + std::string(to_string(one.fate)) + " " + site.history().layer_name(one.layer);
    fates += "; ";
  }
  EXPECT_EQ(fates,
            "/1/data/b/c: won site/source; /1/data/b/x: shadowed site/d; /1/data/d: won site/d; /1/data/a: won "
            "site/source; ");
}

}  // namespace
}  // namespace strata::deckhand
