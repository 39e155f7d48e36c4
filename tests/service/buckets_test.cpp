// SPDX-License-Identifier: Apache-2.0
// The Deckhand face beyond the recorded sequences: secrets, preconditions, places, limits, differences.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "face_world.hpp"
#include "service/buckets/deepdiff.hpp"
#include "service/buckets/face.hpp"
#include "service/json.hpp"
#include "store/documents.hpp"
#include "strata/text.hpp"

namespace strata::service {
namespace {

constexpr std::string_view kPolicy = R"(schema: deckhand/LayeringPolicy/v1
metadata: {schema: metadata/Control/v1, name: layering-policy}
data: {layerOrder: [global, site]}
)";

std::string document(std::string_view name, std::string_view data, std::string_view more = "",
                     std::string_view policy = "cleartext") {
  return fmt::format(
      "---\nschema: example/Kind/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: {}\n  layeringDefinition: "
      "{{layer: site}}\n"
      "  storagePolicy: {}\n{}data: {}\n",
      name, policy, more, data);
}

std::string substitution(std::string_view source) {
  return fmt::format(
      "  substitutions:\n  - src: {{schema: example/Kind/v1, name: {}, path: .}}\n    dest: {{path: .got}}\n", source);
}

constexpr std::string_view kPut = "/api/v1.0/buckets/b/documents";

class Buckets : public ::testing::Test {
 protected:
  FaceWorld world_{buckets::make_deckhand_face};

  Response put(const std::string& body, Headers headers = {}) {
    return world_.ask("PUT", std::string(kPut), body, std::move(headers));
  }
  std::string get(const std::string& target) { return world_.ask("GET", "/api/v1.0" + target).body; }

  /// Bytes of all files of the store.
  std::string files() {
    std::string out;
    for (const char* name : {"store.db", "store.db-wal"}) {
      std::ifstream file(world_.file(name), std::ios::binary);
      std::ostringstream text;
      text << file.rdbuf();
      out += text.str();
    }
    return out;
  }
};

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Deckhand's other operations for a role that may not see encrypted documents.
constexpr const char* kOpenOnly =
    "\"deckhand:create_cleartext_documents\": \"role:dev or role:admin\"\n\"deckhand:list_cleartext_documents\": "
    "\"role:dev or role:admin\"\n";

TEST(BucketsWithPolicy, SchemasAndPatternsSayNothingOfSecretsThatAreNotShown) {
  FaceWorld world(buckets::make_deckhand_face, kOpenOnly);
  const std::string secret = std::string(kPolicy) + document("pw", "canary-7f3a", "", "encrypted");
  ASSERT_EQ(world.ask("PUT", "/api/v1.0/buckets/secrets/documents", secret).status, 200);
  const auto guess = [](std::string_view pattern, std::string_view of_source) {
    return fmt::format(
        "schema: deckhand/DataSchema/v1\nmetadata: {{schema: metadata/Control/v1, name: ex/K/v1}}\n"
        "data: {{properties: {{p: {{type: string, pattern: '{}'}}}}}}\n---\nschema: ex/K/v1\nmetadata:\n  schema: "
        "metadata/Document/v1\n  name: "
        "guess\n"
        "  layeringDefinition: {{layer: site}}\n  storagePolicy: cleartext\n"
        "  substitutions: [{{src: {{schema: example/Kind/v1, name: pw, path: .{}}}, dest: {{path: .p}}}}]\ndata: "
        "{{}}\n",
        pattern, of_source);
  };
  int revision = 1;
  for (const std::string& body :
       {guess("^canary", ""), guess("^xanary", ""), guess("^canary", ", pattern: '^canary.*', match_group: 0"),
        guess("^canary", ", pattern: '^xanary.*', match_group: 0"), guess("^canary", "nothing")}) {
    ASSERT_EQ(world.ask("PUT", "/api/v1.0/buckets/dev/documents", body, {}, "dev").status, 200) << body;
    const Response out =
        world.ask("GET", fmt::format("/api/v1.0/revisions/{}/rendered-documents", ++revision), "", {}, "dev");
    EXPECT_EQ(out.status, 200) << out.body;
    EXPECT_FALSE(holds(out.body, "guess")) << out.body;
  }
  // A role with access to secrets gets the error.
  EXPECT_EQ(world.ask("GET", "/api/v1.0/revisions/3/rendered-documents").status, 400);
}

TEST_F(Buckets, SecretsAreSealedAndKeepTheirIdentity) {
  const std::string body = std::string(kPolicy) + document("pw", "canary-7f3a", "", "encrypted") +
                           document("use", "{a: 1}", substitution("pw"));
  const Response first = put(body);
  ASSERT_EQ(first.status, 200U) << first.body;
  EXPECT_FALSE(holds(first.body, "canary"));
  const std::size_t at = first.body.find("strata:secret/");
  ASSERT_NE(at, std::string::npos);
  const std::string reference = first.body.substr(at, 50);
  EXPECT_TRUE(holds(get("/revisions/1/documents"), reference));
  EXPECT_FALSE(holds(get("/revisions/1/documents?cleartext-secrets=false"), reference));
  EXPECT_TRUE(holds(get("/revisions/1/rendered-documents"), "got: canary-7f3a"));
  const std::string redacted = get("/revisions/1/rendered-documents?cleartext-secrets=false");
  EXPECT_FALSE(holds(redacted, "canary"));
  EXPECT_TRUE(holds(redacted, "name: use"));
  // The choice of an earlier question is not the choice of this one.
  EXPECT_TRUE(holds(get("/revisions/1/rendered-documents?cleartext-secrets=true"), "canary-7f3a"));
  EXPECT_FALSE(holds(files(), "canary"));

  EXPECT_TRUE(holds(put(body).body, reference));
  EXPECT_EQ(get("/revisions/1/diff/2"), "b: unmodified\n");
  std::string changed = body;
  changed.replace(changed.find("canary-7f3a"), 11, "canary-0000");
  EXPECT_FALSE(holds(put(changed).body, reference));
  EXPECT_EQ(get("/revisions/2/diff/3"), "b: modified\n");
  const std::string deep = get("/revisions/2/deepdiff/3");
  EXPECT_FALSE(holds(deep, "canary")) << deep;
  EXPECT_TRUE(holds(deep, "encrypted: true"));
  EXPECT_FALSE(holds(files(), "canary"));
}

TEST_F(Buckets, WhoMayNotSeeSecretsSeesNothingThatIsMadeOfThem) {
  FaceWorld world(buckets::make_deckhand_face, "'deckhand:list_encrypted_documents': 'role:keeper'\n");
  const std::string body = std::string(kPolicy) + document("pw", "canary-7f3a", "", "encrypted") +
                           document("use", "{a: 1}", substitution("pw")) + document("open", "{a: 1}");
  ASSERT_EQ(world.ask("PUT", std::string(kPut), body).status, 200U);
  const auto names = [&](const std::string& target, const std::string& roles) {
    return world.ask("GET", "/api/v1.0/revisions/1/" + target, "", {}, roles).body;
  };
  EXPECT_TRUE(holds(names("rendered-documents", "admin,keeper"), "canary-7f3a"));
  for (const char* query : {"", "?cleartext-secrets=true", "?cleartext-secrets=false"}) {
    const std::string rendered = names(std::string("rendered-documents") + query, "admin");
    EXPECT_FALSE(holds(rendered, "canary")) << query;
    EXPECT_FALSE(holds(rendered, "name: use")) << query;
    EXPECT_FALSE(holds(rendered, "name: pw")) << query;
    EXPECT_TRUE(holds(rendered, "name: open")) << query;
  }
  const std::string raw = names("documents", "admin");
  EXPECT_FALSE(holds(raw, "strata:secret"));
  EXPECT_TRUE(holds(raw, "name: use"));
}

TEST_F(Buckets, PreconditionsAndKnownAnswers) {
  const Response first = put(std::string(kPolicy), {{"If-Match", "\"0\""}});
  ASSERT_EQ(first.status, 200U);
  EXPECT_EQ(first.headers.get("ETag"), "\"1\"");
  const Response late = put(std::string(kPolicy), {{"If-Match", "\"0\""}});
  EXPECT_EQ(late.status, 412U);
  EXPECT_TRUE(holds(late.body, "errorType: PreconditionFailed"));
  EXPECT_EQ(put(std::string(kPolicy), {{"If-Match", "\"1\""}}).status, 200U);

  for (const std::string target : {"/api/v1.0/revisions/1/documents", "/api/v1.0/revisions/1/rendered-documents"}) {
    const Response known = world_.ask("GET", target);
    const std::string tag(known.headers.get("ETag"));
    ASSERT_FALSE(tag.empty());
    const Response again = world_.ask("GET", target, "", {{"If-None-Match", tag}});
    EXPECT_EQ(again.status, 304U);
    EXPECT_TRUE(again.body.empty());
    EXPECT_EQ(world_.ask("GET", target + "?limit=1", "", {{"If-None-Match", tag}}).status, 200U);
    // Numbers restart, but it is another revision.
    ASSERT_EQ(world_.ask("DELETE", "/api/v1.0/revisions").status, 204U);
    ASSERT_EQ(put(std::string(kPolicy) + document("x", "{}")).status, 200U);
    EXPECT_EQ(world_.ask("GET", target, "", {{"If-None-Match", tag}}).status, 200U);
    EXPECT_TRUE(holds(world_.ask("GET", target).body, "name: x"));
  }
}

TEST_F(Buckets, RepeatedRequestsAreAnsweredOnce) {
  const Headers key{{"Idempotency-Key", "k1"}};
  const Response first = put(std::string(kPolicy), key);
  const Response again = put(std::string(kPolicy), key);
  EXPECT_EQ(again.headers.get("Idempotency-Replayed"), "true");
  EXPECT_EQ(again.body, first.body);
  EXPECT_TRUE(holds(get("/revisions"), "count: 1"));
  EXPECT_EQ(put(std::string(kPolicy) + document("x", "{}"), key).status, 422U);
}

TEST_F(Buckets, BlameNamesTheLineOfTheBody) {
  ASSERT_EQ(
      put(std::string(kPolicy) + "---\nschema: example/Kind/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: x\n"
                                 "  layeringDefinition: {layer: site}\n  storagePolicy: cleartext\ndata:\n  a: 1\n\n  "
                                 "list:\n  - one\n  - two/~\n")
          .status,
      200U);
  const std::string rendered = get("/revisions/1/rendered-documents?strata-blame=1&metadata.name=x");
  for (const auto& [path, line] :
       {std::pair("/data/a", 12), std::pair("/data/list/0", 15), std::pair("/data/list/1", 16)}) {
    EXPECT_TRUE(holds(rendered, fmt::format("- file: b@1\n      line: {}\n      path: {}\n", line, path)))
        << path << '\n'
        << rendered;
  }
  EXPECT_FALSE(holds(get("/revisions/1/rendered-documents?metadata.name=x"), "strata:"));
}

TEST_F(Buckets, RenderedDocumentsFollowALateLayeringPolicy) {
  ASSERT_EQ(put(document("x", "{a: 1}")).status, 200U);
  EXPECT_EQ(world_.ask("GET", "/api/v1.0/revisions/1/rendered-documents").status, 409U);
  ASSERT_EQ(world_.ask("PUT", "/api/v1.0/buckets/p/documents", std::string(kPolicy)).status, 200U);
  EXPECT_TRUE(holds(get("/revisions/1/rendered-documents"), "layerOrder:\n    - global"));
  std::string other(kPolicy);
  other.replace(other.find("global, site"), 12, "site, below ");
  ASSERT_EQ(world_.ask("PUT", "/api/v1.0/buckets/p/documents", other).status, 200U);
  EXPECT_TRUE(holds(get("/revisions/1/rendered-documents"), "layerOrder:\n    - site"));
}

TEST_F(Buckets, LimitsOfNames) {
  const std::string long_name(65, 'n');
  EXPECT_EQ(world_.ask("PUT", "/api/v1.0/buckets/" + std::string(37, 'b') + "/documents", std::string(kPolicy)).status,
            400U);
  EXPECT_TRUE(holds(put(document(long_name, "{}")).body, "errorType: InvalidDocumentFormat"));
  ASSERT_EQ(put(document(std::string(64, 'n'), "{}")).status, 200U);
  EXPECT_EQ(world_.ask("POST", "/api/v1.0/revisions/1/tags/" + long_name).status, 400U);
  EXPECT_EQ(world_.ask("POST", "/api/v1.0/revisions/1/tags/x%20y").body, "x y: {}\n");
  EXPECT_EQ(world_.ask("POST", "/api/v1.0/revisions/1/validations/" + long_name, "{status: success, validator: {n: 1}}")
                .status,
            400U);
  EXPECT_EQ(world_.ask("POST", "/api/v1.0/revisions/1/validations/v", "{status: successful, validator: {n: 1}}").status,
            400U);
  EXPECT_TRUE(holds(world_.ask("POST", "/api/v1.0/revisions/1/tags/t", "[1]").body, "errorType: RevisionTagBadFormat"));
  EXPECT_TRUE(holds(world_.ask("POST", "/api/v1.0/revisions/7/tags/t").body, "errorType: RevisionNotFound"));
}

TEST_F(Buckets, MethodsAndHeaders) {
  const Response options = world_.ask("OPTIONS", "/api/v1.0/revisions");
  EXPECT_EQ(options.status, 200U);
  EXPECT_EQ(options.headers.get("Allow"), "DELETE, GET");
  EXPECT_TRUE(options.body.empty());
  const Response head = world_.ask("HEAD", "/api/v1.0/revisions");
  EXPECT_EQ(head.status, 405U);
  EXPECT_EQ(head.headers.get("Allow"), "DELETE, GET, OPTIONS");
  EXPECT_EQ(world_.ask("GET", "/api/v1.0/revisions/").status, 200U);
  const Response marked =
      world_.ask("GET", "/api/v1.0/revisions", "", {{"X-CONTEXT-MARKER", "m"}, {"X-END-USER", "e"}});
  EXPECT_TRUE(marked.headers.get("X-Deckhand-Req").starts_with("req-"));
  EXPECT_EQ(marked.headers.get("X-User-Name"), "u1");
  EXPECT_EQ(marked.headers.get("X-Context-Marker"), "m");
  EXPECT_EQ(marked.headers.get("X-End-User"), "e");
  EXPECT_EQ(world_.ask("GET", "/api/v1.0/health").headers.find("X-Deckhand-Req"), nullptr);
  EXPECT_EQ(put(std::string(kPolicy), {{"Content-Type", "application/x-yaml; charset=utf-8"}}).status, 200U);
}

TEST_F(Buckets, ValuesSurviveTheStore) {
  const std::string data =
      R"({big: 123456789012345678901234567890, f: 1.0, inf: .inf, t: 'yes', n: null, e: {}, l: [], u: "\u20ac\n"})";
  ASSERT_EQ(put(std::string(kPolicy) + document("x", data)).status, 200U);
  const std::string put_again = put(std::string(kPolicy) + document("x", data)).body;
  const std::string raw = get("/revisions/2/documents");
  std::string expected = put_again;
  for (std::size_t at = expected.find("revision: 2"); at != std::string::npos; at = expected.find("revision: 2"))
    expected[at + 10] = '1';
  EXPECT_EQ(raw, expected);
  EXPECT_TRUE(holds(raw, "big: 123456789012345678901234567890"));
  EXPECT_TRUE(holds(raw, "inf: .inf"));
}

TEST_F(Buckets, HostileBodiesAreRefused) {
  std::string bomb =
      "---\nschema: example/Kind/v1\nmetadata: {schema: metadata/Document/v1, name: x, storagePolicy: cleartext, "
      "layeringDefinition: {layer: site}}\n"
      "data:\n  a0: &a0 " +
      std::string(100, 'x') + "\n";
  for (int i = 1; i < 12; ++i)
    bomb += fmt::format("  a{}: &a{} [*a{}, *a{}, *a{}, *a{}, *a{}, *a{}, *a{}, *a{}]\n", i, i, i - 1, i - 1, i - 1,
                        i - 1, i - 1, i - 1, i - 1, i - 1);
  const unsigned status = put(bomb).status;
  EXPECT_TRUE(status == 400 || status == 413) << status;
  EXPECT_EQ(put("a: \xff\n").status, 400U);
  EXPECT_EQ(put("--- {}\n").status, 400U);
  EXPECT_EQ(put(std::string(100'000, '[')).status, 400U);
  EXPECT_FALSE(holds(put("storagePolicy: encrypted\ndata: canary: 1\n").body, "canary"));
  EXPECT_TRUE(holds(get("/revisions"), "count: 0"));
}

TEST_F(Buckets, ValidatorsAreAnythingThatIsNotEmpty) {
  ASSERT_EQ(put(std::string(kPolicy)).status, 200U);
  const auto posted = [this](std::string_view validator) {
    return world_.ask("POST", "/api/v1.0/revisions/1/validations/v",
                      fmt::format("{{status: success, validator: {}}}", validator));
  };
  for (const char* validator : {"5", "true", "1.5", "text"}) {
    const Response out = posted(validator);
    EXPECT_EQ(out.status, 201U) << out.body;
    EXPECT_EQ(out.body, fmt::format("status: success\nvalidator: {}\n", validator));
  }
  for (const char* validator : {"", "''", "{}", "[]", "0", "false"})
    EXPECT_EQ(posted(validator).status, 400U) << validator;
}

TEST_F(Buckets, NumbersThatNoRevisionCanHaveAreUnknownRevisions) {
  ASSERT_EQ(put(std::string(kPolicy)).status, 200U);
  const auto refusal = [this](const char* method, const std::string& path) {
    const Response out = world_.ask(method, "/api/v1.0" + path);
    EXPECT_EQ(out.status, 404U) << path << '\n' << out.body;
    return out.body;
  };
  const std::string missing = "message: The requested revision=99999999999999999999 was not found";
  for (const auto& [method, path, type] :
       {std::array{"POST", "/rollback/99999999999999999999", "RevisionNotFound"},
        std::array{"GET", "/revisions/99999999999999999999", "RevisionNotFound"},
        std::array{"GET", "/revisions/1/diff/0099999999999999999999", "RevisionNotFound"},
        std::array{"GET", "/revisions/99999999999999999999/deepdiff/1", "HTTPNotFound"}}) {
    const std::string body = refusal(method, path);
    EXPECT_TRUE(holds(body, fmt::format("errorType: {}\n", type))) << body;
    EXPECT_TRUE(holds(body, missing)) << body;
  }
  EXPECT_TRUE(holds(refusal("GET", "/revisions/000"), "revision=0 was"));
  EXPECT_TRUE(holds(refusal("POST", "/rollback/x9"), "errorType: HTTPRouteNotFound"));
  EXPECT_EQ(world_.ask("GET", "/api/v1.0/revisions/1/deepdiff/x9").status, 400U);
}

TEST_F(Buckets, WhatOneSchemaRefusesIsOneError) {
  const auto refusal = [this](std::string_view more) {
    return put(std::string(kPolicy) + document("x", "{}", more)).body;
  };
  const std::string keys = refusal("  bad: 1\n  worse: 2\n");
  EXPECT_TRUE(holds(keys, "errorCount: 1\n")) << keys;
  EXPECT_TRUE(holds(keys, "key 'bad'")) << keys;
  EXPECT_TRUE(holds(keys, "key 'worse'")) << keys;
  const std::string places = refusal("  substitutions: [{src: {schema: a/B/v1, name: n, path: .}, dest: [{}, {}]}]\n");
  EXPECT_TRUE(holds(places, "errorCount: 1\n")) << places;
  EXPECT_TRUE(holds(refusal("  bad: 1\n  replacement: 1\n"), "errorCount: 2\n"));
}

TEST_F(Buckets, DifferencesHaveValidationPolicies) {
  const auto put_policy = [this](std::string_view wanted) {
    const std::string body = fmt::format(
        "schema: deckhand/ValidationPolicy/v1\nmetadata: {{schema: metadata/Control/v1, name: vp}}\ndata: "
        "{{validations: [{{name: {}}}]}}\n",
        wanted);
    return world_.ask("PUT", "/api/v1.0/buckets/v/documents", body).status;
  };
  ASSERT_EQ(put(std::string(kPolicy)).status, 200U);
  ASSERT_EQ(put_policy("p-validation"), 200U);
  ASSERT_EQ(put_policy("q-validation"), 200U);
  EXPECT_EQ(get("/revisions/1/deepdiff/2"), "b: unmodified\nv: created\n");
  EXPECT_EQ(get("/revisions/0/deepdiff/2"), "b: created\nv: created\n");
  const std::string deep = get("/revisions/2/deepdiff/3");
  EXPECT_TRUE(holds(deep, "b: unmodified\nv: modified\nv diff:\n")) << deep;
  EXPECT_TRUE(holds(deep, "('deckhand/ValidationPolicy/v1', 'vp')")) << deep;
  EXPECT_TRUE(holds(deep, "new_value: q-validation")) << deep;
  for (const char* query : {"", "?sort=id", "?schema=deckhand/ValidationPolicy", "?status.bucket=v"}) {
    EXPECT_FALSE(holds(get(std::string("/revisions/3/rendered-documents") + query), "validation")) << query;
  }
}

TEST_F(Buckets, TheTypeOfABodyComesFirst) {
  const Headers text{{"Content-Type", "text/plain"}};
  const Headers nothing{{"Content-Type", ""}};
  const Headers nobody{{"Content-Type", "text/plain"}, {"X-Identity-Status", "Invalid"}};
  for (const char* target : {"/api/v1.0/revisions", "/api/v1.0/nowhere", "/api/v1.0/revisions/1/tags/t", "/versions"}) {
    const Response wrong = world_.ask("POST", target, "x", text);
    EXPECT_EQ(wrong.status, 415U) << target;
    EXPECT_TRUE(holds(wrong.body, "errorType: HTTPUnsupportedMediaType")) << wrong.body;
    const Response missing = world_.ask("POST", target, "x", nothing);
    EXPECT_EQ(missing.status, 400U) << target;
    EXPECT_TRUE(holds(missing.body, "errorType: HTTPMissingHeader")) << missing.body;
  }
  EXPECT_EQ(world_.ask("PUT", std::string(kPut), "x", nobody).status, 415U);
  EXPECT_EQ(world_.ask("PUT", std::string(kPut), "x", text, "member").status, 415U);
  EXPECT_EQ(world_.ask("PUT", std::string(kPut), "x", {}, "member").status, 403U);
  // Without a body, and with methods that need none, the type says nothing.
  EXPECT_EQ(world_.ask("POST", "/api/v1.0/nowhere", "", text).status, 404U);
  EXPECT_EQ(world_.ask("PUT", std::string(kPut), "", nobody).status, 401U);
  EXPECT_EQ(world_.ask("GET", "/api/v1.0/revisions", "x", text).status, 200U);
  EXPECT_EQ(world_.ask("DELETE", "/api/v1.0/revisions", "x", nothing).status, 204U);
}

TEST_F(Buckets, TheStatusSortsNothing) {
  ASSERT_EQ(put(std::string(kPolicy) + document("x", "{}")).status, 200U);
  ASSERT_EQ(world_.ask("PUT", "/api/v1.0/buckets/c/documents", document("y", "{}")).status, 200U);
  for (const std::string listing : {"/revisions/2/documents", "/revisions/2/rendered-documents"}) {
    const std::string unsorted = get(listing);
    for (const char* path : {"status", "status.bucket", ".status.bucket", "$.status.revision", "'status'.bucket"}) {
      EXPECT_EQ(get(listing + "?order=desc&sort=" + path), unsorted) << path;
    }
    EXPECT_NE(get(listing + "?order=desc&sort=metadata.name"), unsorted);
  }
}

TEST_F(Buckets, ChangedDocumentsAreNamedAsPythonWritesTuples) {
  // The names as YAML has them, and as repr() writes them.
  const std::array<std::pair<std::string_view, std::string_view>, 5> names{{
      {"plain", "'plain'"},
      {"it's", R"("it's")"},
      {R"("back\\slash")", R"('back\\slash')"},
      {R"("line\nbreak")", R"('line\nbreak')"},
      {R"("both'\"")", R"('both\'"')"},
  }};
  for (const std::string_view data : {"{a: 1}", "{a: 2}"}) {
    std::string body(kPolicy);
    for (const auto& [name, shown] : names) body += document(name, data);
    ASSERT_EQ(put(body).status, 200U);
  }
  Sources sources;
  const auto found =
      text::read_yaml(sources, sources.add("answer", get("/revisions/1/deepdiff/2")), text::pyyaml_json(), {});
  const Value& changed = *found.root.find("b diff")->find("document_changed")->find("details");
  ASSERT_EQ(changed.size(), names.size());
  for (const auto& [name, shown] : names)
    EXPECT_NE(changed.find(fmt::format("('example/Kind/v1', {})", shown)), nullptr) << shown;
}

Value parsed(Arena& arena, std::string_view text) {
  return arena.deep_copy(read_json_text(text, "t", Limits()).root());
}

// Recorded with DeepDiff 6.2.2.
TEST(BucketsDeepDiff, IsThatOfTheLibrary) {
  const std::array<std::array<std::string_view, 3>, 19> cases{{
      {R"({"l": [1, 2, 3]})", R"({"l": [1, 3]})", R"({"iterable_item_removed": {"root['l'][1]": 2}})"},
      {R"({"l": [1, 2, 3]})", R"({"l": [0, 1, 2, 3, 4]})",
       R"({"iterable_item_added": {"root['l'][0]": 0, "root['l'][4]": 4}})"},
      {R"({"l": [1, 2, 3, 4]})", R"({"l": [2, 9, 4, 5]})",
       R"({"values_changed": {"root['l'][1]": {"new_value": 9, "old_value": 3}}, "iterable_item_added": {"root['l'][3]": 5},
           "iterable_item_removed": {"root['l'][0]": 1}})"},
      {R"({"a": 1})", R"({"a": "x"})",
       R"({"type_changes": {"root['a']": {"old_type": "int", "new_type": "str", "old_value": 1, "new_value": "x"}}})"},
      {R"({"a": null})", R"({"a": {}})",
       R"({"type_changes": {"root['a']": {"old_type": "NoneType", "new_type": "dict", "old_value": null, "new_value": {}}}})"},
      {R"({"a": 1})", R"({"a": 1.0})",
       R"({"type_changes": {"root['a']": {"old_type": "int", "new_type": "float", "old_value": 1, "new_value": 1.0}}})"},
      {R"({"it's": 1})", R"({"it's": 2})", R"({"values_changed": {"root['it's']": {"new_value": 2, "old_value": 1}}})"},
      {R"({"t": "a\nb\n"})", R"({"t": "a\nc\n"})",
       R"({"values_changed": {"root['t']": {"new_value": "a\nc\n", "old_value": "a\nb\n", "diff": "--- \n+++ \n@@ -1,2 +1,2 @@\n a\n-b\n+c"}}})"},
      {R"({"l": [{"a": 1}, {"b": 2}]})", R"({"l": [{"b": 2}]})",
       R"({"dictionary_item_added": ["root['l'][0]['b']"], "dictionary_item_removed": ["root['l'][0]['a']"],
           "iterable_item_removed": {"root['l'][1]": {"b": 2}}})"},
      {R"({"l": ["a", "b"]})", R"({"l": ["b", "a"]})",
       R"({"values_changed": {"root['l'][0]": {"new_value": "b", "old_value": "a"}, "root['l'][1]": {"new_value": "a", "old_value": "b"}}})"},
      {R"({"l": [1, [2]]})", R"({"l": [1, [3], 4]})",
       R"({"values_changed": {"root['l'][1][0]": {"new_value": 3, "old_value": 2}}, "iterable_item_added": {"root['l'][2]": 4}})"},
      {R"({"l": ["x", "y", "z", "w"]})", R"({"l": ["y", "z", "q", "r"]})",
       R"({"values_changed": {"root['l'][2]": {"new_value": "q", "old_value": "w"}}, "iterable_item_added": {"root['l'][3]": "r"},
           "iterable_item_removed": {"root['l'][0]": "x"}})"},
      {R"({"l": [1, 2, 3, 4, 5, 6]})", R"({"l": [1, 9, 8, 3, 4, 6]})",
       R"({"values_changed": {"root['l'][1]": {"new_value": 9, "old_value": 2}}, "iterable_item_added": {"root['l'][2]": 8},
           "iterable_item_removed": {"root['l'][4]": 5}})"},
      {R"({"l": [true, 2]})", R"({"l": [1, 2]})", R"({})"},
      {R"(["d", "a", "b"])", R"(["e", "d", "e", "a"])",
       R"({"values_changed": {"root[2]": {"new_value": "e", "old_value": "b"}}, "iterable_item_added": {"root[0]": "e"}})"},
      {R"([1, "a", "x\n"])", R"([3, "x\n", 1, "x\n"])",
       R"({"values_changed": {"root[1]": {"new_value": "x\n", "old_value": "a"}}, "iterable_item_added": {"root[0]": 3}})"},
      {R"([3, 1, null])", R"([null, 3, "b", 1])",
       R"({"values_changed": {"root[2]": {"new_value": "b", "old_value": null}}, "iterable_item_added": {"root[0]": null}})"},
      {R"("a\fb\nc\u2028d\u001ce\u0085f")", R"("z\u000by\u001fw")",
       R"({"values_changed": {"root": {"new_value": "z\u000by\u001fw", "old_value": "a\fb\nc\u2028d\u001ce\u0085f",
           "diff": "--- \n+++ \n@@ -1,6 +1,2 @@\n-a\n-b\n-c\n-d\n-e\n-f\n+z\n+y\u001fw"}}})"},
      {R"("x")", R"("y")", R"({"values_changed": {"root": {"new_value": "y", "old_value": "x"}}})"},
  }};
  Arena arena;
  for (const auto& [before, after, expected] : cases) {
    const Value found = buckets::deep_diff(parsed(arena, before), parsed(arena, after), Limits(), arena);
    EXPECT_TRUE(equal(found, parsed(arena, expected))) << before << " to " << after << ": " << text::write_json(found);
  }
}

}  // namespace
}  // namespace strata::service
