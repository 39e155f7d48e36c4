// SPDX-License-Identifier: Apache-2.0
// The form of documents (D001).
#include <gtest/gtest.h>

#include "deckhand/schemas.hpp"
#include "deckhand/site.hpp"
#include "deckhand/structure.hpp"

namespace strata::deckhand {
namespace {

/// The messages without the document's name, separated by ` | `. Notes: by ` + `.
std::string structure_findings(const std::string& text) {
  Sources sources;
  const auto document = text::read_yaml(sources, sources.add("f", text), text::pyyaml_json(), {});
  Findings findings;
  const bool is_right = check_structure(sources, document.root, false, findings);
  if (findings.empty()) return is_right ? "" : "no finding";
  try {
    findings.stop();
  } catch (const Refused& refused) {
    std::string out;
    for (const Finding& finding : refused.findings()) {
      const std::string& message = finding.diagnostic.message;
      const std::string name = finding.document.to_string();
      out += (out.empty() ? "" : " | ") + message.substr(name.empty() ? 0 : name.size() + 2);
      for (const Excerpt& note : finding.diagnostic.notes) out += " + " + note.message;
    }
    return out;
  }
}

std::string document(const std::string& metadata) {
  return "schema: a/B/v1\nmetadata: {schema: metadata/Document/v1, name: n, " + metadata + "}\ndata: 1\n";
}
std::string layering(const std::string& more) { return document("layeringDefinition: {layer: site, " + more + "}"); }
std::string substitution(const std::string& entry) {
  return document("layeringDefinition: {layer: site}, substitutions: [" + entry + "]");
}

TEST(Structure, SchemaNames) {
  for (const char* good : {"a/B/v1", "example/Kind/v12", "Z/z/v0"}) EXPECT_TRUE(is_schema_name(good)) << good;
  for (const char* bad : {"", "a", "a/b", "a/b/1", "a/b/v", "a/b/v1x", "a/b/v1/", "ex-ample/Kind/v1", "acme/Config2/v1",
                          "a//v1", "/b/v1", "a/b/v1\n"})
    EXPECT_FALSE(is_schema_name(bad)) << bad;
}

TEST(Structure, IsChecked) {
  const std::string metadata = "metadata";
  const std::vector<std::pair<std::string, std::string>> cases{
      {document("layeringDefinition: {layer: ''}"), ""},
      {"a: 1", "'schema' is missing | 'metadata' is missing"},
      {"schema: a/B\nmetadata: [1]",
       "schema is 'a/B', which is not of the form namespace/Kind/v1 | metadata must be a mapping, not a sequence"},
      {"schema: 5\nmetadata: {}",
       "schema must be text, not an integer | metadata has no 'schema', which is required | metadata has no 'name', "
       "which is required"},
      {"schema: a/B/v1\nmetadata: {schema: metadata/Document/v2, name: 5}",
       "invalid metadata schema 'metadata/Document/v2' | metadata.name must be text, not an integer (5)"},
      {document("labels: {}"), "metadata has no 'layeringDefinition', which is required"},
      {document("layeringDefinition: {}"), "metadata.layeringDefinition has no 'layer', which is required"},
      {document("layeringDefinition: {layer: a}, colour: red"), "metadata has an unknown key 'colour'"},
      {document("layeringDefinition: {layer: a}, storagePolicy: clear"),
       "metadata.storagePolicy is 'clear', not one of cleartext, encrypted"},
      {document("layeringDefinition: {layer: a}, labels: {a: [1], b: 1, c: null}"),
       "metadata.labels.a must be a scalar, not a sequence"},
      {document("layeringDefinition: {layer: a}, labels: null"), "metadata.labels must be a mapping, not null"},
      {document("layeringDefinition: {layer: a}, replacement: null"),
       "metadata.replacement must be a boolean, not null"},
      {layering("abstract: 1"), "metadata.layeringDefinition.abstract must be a boolean, not an integer"},
      {layering("parentSelector: {}, actions: []"),
       "metadata.layeringDefinition.parentSelector is empty | metadata.layeringDefinition.actions is empty"},
      {layering("parentSelector: {a: b}"), "metadata.layeringDefinition has 'parentSelector' without 'actions'"},
      {layering("actions: [{method: merge, path: .}]"),
       "metadata.layeringDefinition has 'actions' without 'parentSelector'"},
      {layering("parentSelector: {a: b}, actions: [{method: Merge, path: 1, x: 1}]"),
       "metadata.layeringDefinition.actions[0].method is 'Merge', not one of merge, replace, delete | "
       "metadata.layeringDefinition.actions[0].path must be text, not an integer (1) | "
       "metadata.layeringDefinition.actions[0] has an unknown key "
       "'x'"},
      {substitution("{}"),
       "metadata.substitutions[0] has no 'src', which is required | metadata.substitutions[0] has no 'dest', which is "
       "required"},
      {substitution("{src: {schema: a/B/v1, name: n, path: .}, dest: []}"), "metadata.substitutions[0].dest is empty"},
      {substitution(
           "{src: {schema: a, name: n, path: ., match_group: true, deepcopy: 1, pattern: 1}, dest: {path: .}}"),
       "metadata.substitutions[0].src.schema is 'a', which is not of the form namespace/Kind/v1 | "
       "metadata.substitutions[0].src.match_group must be an integer, not a boolean | "
       "metadata.substitutions[0].src.deepcopy must be a boolean, not an integer | "
       "metadata.substitutions[0].src.pattern must be text, not an integer (1)"},
      {substitution("{src: {schema: a/B/v1, name: n, path: .}, dest: [{path: ., recurse: {}}, {path: ., recurse: "
                    "{depth: -2, x: 1}}]}"),
       "metadata.substitutions[0].dest[0].recurse has no 'depth', which is required + "
       "metadata.substitutions[0].dest[1].recurse.depth is less than -1 (-1 means all depths)"},
      // Unknown keys of one mapping are one failure.
      {document("layeringDefinition: {layer: a}, bad: 1, storagPolicy: cleartext, replacement: 1"),
       "metadata.replacement must be a boolean, not an integer | "
       "metadata has an unknown key 'bad' + metadata has an unknown key 'storagPolicy' (did you mean "
       "'storagePolicy'?)"},
      {layering("a: 1, b: 1"),
       "metadata.layeringDefinition has an unknown key 'a' + metadata.layeringDefinition has an unknown key 'b'"},
      {substitution("{src: {schema: a/B/v1, name: n, path: ., x: 1, y: 1}, dest: {path: .}, z: 1, w: 1}"),
       "metadata.substitutions[0].src has an unknown key 'x' + metadata.substitutions[0].src has an unknown key 'y' | "
       "metadata.substitutions[0] has an unknown key 'z' + metadata.substitutions[0] has an unknown key 'w'"},
      // A destination is right in one of its forms, or in none.
      {substitution("{src: {schema: a/B/v1, name: n, path: .}, dest: [{}, {path: 1, a: 1}]}"),
       "metadata.substitutions[0].dest[0] has no 'path', which is required + "
       "metadata.substitutions[0].dest[1].path must be text, not an integer (1) + metadata.substitutions[0].dest[1] "
       "has an unknown key 'a'"},
      {substitution("{src: {schema: a/B/v1, name: n, path: .}, dest: {path: ., a: 1, b: 1}}, {src: 1, dest: 1}"),
       "metadata.substitutions[0].dest has an unknown key 'a' + metadata.substitutions[0].dest has an unknown key 'b' "
       "| "
       "metadata.substitutions[1].src must be a mapping, not an integer | metadata.substitutions[1].dest must be a "
       "mapping, not an integer"},
      {"schema: a/B/v1\nmetadata: {schema: metadata/Control/v1, name: n, anything: [1]}", ""},
      {"schema: a/B/v1\nmetadata: {schema: metadata/Control/v1, name: n, labels: {a: 1}}",
       "metadata.labels.a must be text, not an integer (1)"},
  };
  for (const auto& [text, messages] : cases) EXPECT_EQ(structure_findings(text), messages) << text;
}

TEST(Structure, OneFailureTellsTheFirstThings) {
  std::string keys = "layeringDefinition: {layer: a}";
  for (int i = 0; i < 30; ++i) keys += ", bad" + std::to_string(i) + "x: 1";
  const std::string found = structure_findings(document(keys));
  EXPECT_TRUE(found.starts_with("metadata has an unknown key 'bad0x' + ")) << found;
  EXPECT_TRUE(found.ends_with("metadata has an unknown key 'bad20x' + 9 more are not shown")) << found;
}

}  // namespace
}  // namespace strata::deckhand
