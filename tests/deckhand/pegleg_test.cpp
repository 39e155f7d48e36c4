// SPDX-License-Identifier: Apache-2.0
// Pegleg: wrappers of documents, their encryption, the files of a site, and the lint rules. The tokens were made with
// Python's cryptography package, at a fixed time and with fixed vectors.
#include "strata/pegleg.hpp"

#include <gtest/gtest.h>

#include "deckhand/pegleg/fernet.hpp"
#include "deckhand/site.hpp"

namespace strata::deckhand {
namespace {

constexpr const char* kPassphrase = "a passphrase of the site, long enough";
constexpr const char* kSalt = "a salt of the site, long enough";
constexpr const char* kOpened =
    "gAAAAABlU_EAAAAAAAAAAAAAAAAAAAAAALdkRcM1Kx4l22g02BCqaUE94gOue35stTmHkZx1-QocHuFEGlk4W_EdFHyXUNHImA==";
constexpr const char* kOpenedBase64 =
    "Z0FBQUFBQmxVX0VBQUFBQUFBQUFBQUFBQUFBQUFBQUFBTGRrUmNNMUt4NGwyMmcwMkJDcWFVRTk0Z091ZTM1c3RUbUhrWngxLVFvY0h1RkVHbGs0V1"
    "9FZEZIeVhVTkhJbUE9PQ==";
constexpr const char* kEmpty =
    "gAAAAABlU_EAAQEBAQEBAQEBAQEBAQEBAalh3hXD9uVBCvrYOlDHYvKuvOA-cqrkfQnMzVvIme2zCw3So7I8JoTABtNxtY9DAg==";
constexpr const char* kUmlaut =
    "gAAAAABlU_EAAgICAgICAgICAgICAgICAkPlS9C5NFzQKibmNWC2K38fn7quDuB8BzboAgfjsyRQo70ol_pe51c7X98kLZg0mA==";
constexpr const char* kNotText =
    "gAAAAABlU_EAAwMDAwMDAwMDAwMDAwMDA_k_TWnwPnk6A7PY2sxxOBvcp0UBa_B-tuy5iHtPR5MMPaSTP-Lvg6UDDv9gPAcleg==";
constexpr const char* kGlobalPassphrase =
    "gAAAAABlU_EABAQEBAQEBAQEBAQEBAQEBFcyESWgwoLmsAE87lPsv78PFJzhKgFd4kATUnZsmhP9NLvXSS7I6p7HogFdzmYlPtsNBEa-"
    "bxPWtjOkg5RP"
    "P-la--ptsswfn3Qe1IlSWfUe";
constexpr const char* kGlobalSalt =
    "gAAAAABlU_EABQUFBQUFBQUFBQUFBQUFBfJdZ7CDQ53zssvgXPPWruNkyYSIvyMoBrAxwrqNtqN4JbNFxc8CoEl_"
    "5TiAqhKRtmqhMuW7yxcirIEUqAWC"
    "PUHiSRFgVdnWO-A5CezFl3P1";
constexpr const char* kOfRegion =
    "gAAAAABlU_EABgYGBgYGBgYGBgYGBgYGBkRiJzKrnga4VOKr_D5th-TAhUjWXF7Ueh72HzMM_0Ll-4T3xZYhgVC_4EbD7Ycs8Q==";
constexpr const char* kLong =
    "gAAAAABlU_EACAgICAgICAgICAgICAgICOnaNm4jxdVDMAf5azN_"
    "bblu25SFglPUUk94lNWaaT8C2Vd5ePayhztpo7Yj0HVBmCkfKZiynjG47PiblpbV"
    "Fb2GZG5RSNDxJesHal5dq2Udz5uGjssHy3CvAY2Momw2Pg==";

/// A Passphrase in a wrapper.
std::string wrapped(const std::string& name, const std::string& data, const std::string& more = "encrypted: {at: now}",
                    const std::string& layer = "site", const std::string& policy = "encrypted") {
  return "schema: pegleg/PeglegManagedDocument/v1\nmetadata: {schema: metadata/Document/v1, name: w-" + name +
         ", layeringDefinition: {layer: " + layer + ", abstract: false}, storagePolicy: cleartext}\ndata:\n  " + more +
         "\n  managedDocument:\n    schema: deckhand/Passphrase/v1\n    metadata: {schema: metadata/Document/v1, "
         "name: " +
         name + ", layeringDefinition: {layer: " + layer + "}, storagePolicy: " + policy + "}\n    data: " + data +
         "\n";
}

Site site_of(const std::string& documents, bool decrypts = true) {
  Site site;
  site.request.cleartext_secrets = true;
  if (decrypts) site.request.pegleg = {.passphrase = kPassphrase, .salt = kSalt};
  site.add("site.yaml", kPolicy + "---\n" + documents);
  return site;
}

TEST(Fernet, Opens) {
  const FernetKey key(kPassphrase, kSalt);
  EXPECT_EQ(key.open(kOpened), "opened");
  EXPECT_EQ(key.open(kEmpty), "");
  EXPECT_EQ(key.open(kUmlaut), "grüße\n");
  EXPECT_EQ(key.open(kLong), "0123456789abcdef0123456789abcdef0123456789abcdef");
  // Decoding skips line breaks.
  EXPECT_EQ(key.open(std::string(kOpened).insert(20, "\n  ")), "opened");
}

TEST(Fernet, RefusesWhatItHasNotMade) {
  const FernetKey key(kPassphrase, kSalt);
  const auto reason = [&key](std::string_view token) -> std::string {
    try {
      return "opened " + key.open(token);
    } catch (const Error& error) {
      return error.code() + ": " + error.what();
    }
  };
  const std::string no_token = "deckhand.decrypt: its data are not an encrypted text (a token of Fernet)";
  for (const char* one : {"", "gAAAAA", "x", "=====", "hello world", "\xff\xff"}) EXPECT_EQ(reason(one), no_token);
  const std::string whole = kOpened;
  for (std::size_t size = 0; size + 4 < whole.size(); size += 4)
    EXPECT_NE(reason(std::string_view(whole).substr(0, size)).find("deckhand.decrypt"), std::string::npos) << size;
  for (const std::size_t at : {20U, 40U, 60U, 80U}) {
    std::string changed = whole;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    EXPECT_EQ(reason(changed),
              "deckhand.decrypt: it cannot be decrypted: it was encrypted with another passphrase or salt");
  }
  EXPECT_EQ(reason("hAAA" + whole.substr(4)), no_token);
}

TEST(Managed, TakesThePlaceOfItsWrapper) {
  EXPECT_EQ(site_of(wrapped("p", "x", "generated: {by: me}")).render(), R"(p "x")");
  EXPECT_EQ(site_of(wrapped("p", "x", "generated: {by: me}"), false).render(), R"(p "x")");
}

TEST(Managed, StaysAWrapperWhereTheCallerSaysSo) {
  Site site = site_of(wrapped("p", "x", "generated: {by: me}"));
  site.request.unwraps_managed = false;
  EXPECT_TRUE(has(site.render(), R"(w-p {"generated": )"));
}

TEST(Managed, IsDecrypted) {
  EXPECT_EQ(site_of(wrapped("p", kOpened)).render(), R"(p "opened")");
  EXPECT_EQ(site_of(wrapped("p", std::string("!!binary ") + kOpenedBase64)).render(), R"(p "opened")");
  EXPECT_EQ(site_of(wrapped("p", kEmpty)).render(), R"(p "")");
}

TEST(Managed, StaysEncryptedWithoutPassphrase) {
  EXPECT_EQ(site_of(wrapped("p", kOpened), false).render(), std::string("p \"") + kOpened + "\"");
  EXPECT_EQ(site_of(wrapped("p", std::string("!!binary ") + kOpenedBase64), false).render(),
            std::string("p \"") + kOpened + "\"");
}

TEST(Managed, IsSecretWhateverItsPolicy) {
  for (const char* policy : {"encrypted", "cleartext"}) {
    Site site = site_of(wrapped("p", kOpened, "encrypted: {}", "site", policy));
    site.request.cleartext_secrets = false;
    const std::string shown = site.render();
    EXPECT_FALSE(has(shown, "opened")) << shown;
    EXPECT_FALSE(has(shown, "gAAAA")) << shown;
    ASSERT_EQ(site.result->secrets.size(), 2U);
    EXPECT_TRUE(site.result->secrets[0] || site.result->secrets[1]);
  }
}

TEST(Managed, OtherLayersHaveAPassphraseOfTheirOwn) {
  const std::string globals =
      wrapped("global_passphrase", kGlobalPassphrase) + "---\n" + wrapped("global_salt", kGlobalSalt) + "---\n";
  const std::string shown = site_of(globals + wrapped("r", kOfRegion, "encrypted: {}", "region")).render();
  EXPECT_TRUE(has(shown, R"(r "of the region")")) << shown;
  EXPECT_EQ(site_of(wrapped("r", kOpened, "encrypted: {}", "region")).render(), R"(r "opened")");
  const std::string half =
      wrapped("global_salt", kGlobalSalt) + "---\n" + wrapped("r", kOfRegion, "encrypted: {}", "region");
  EXPECT_EQ(site_of(half).render(), "!deckhand.passphrase");
}

TEST(Managed, SaysWhichDocumentCannotBeDecrypted) {
  for (const std::string& data :
       {std::string(kOfRegion), std::string(kNotText), std::string("{a: 1}"), std::string("x")}) {
    Site site = site_of(wrapped("p", data) + "---\n" + wrapped("q", kOpened));
    EXPECT_EQ(site.render(), "!deckhand.decrypt") << data;
    const std::string told = site.told();
    EXPECT_TRUE(has(told, "site.yaml:12:11: error: deckhand/Passphrase/v1 site/p: ")) << told;
    EXPECT_FALSE(has(told, "gAAAA")) << told;
    EXPECT_FALSE(has(told, "passphrase of the site")) << told;
  }
}

TEST(Managed, ChecksThePassphraseWhereItIsNeeded) {
  const auto render = [](const PeglegCredentials& credentials, const std::string& document) {
    Site site = site_of(document);
    site.request.pegleg = credentials;
    return site.render();
  };
  const std::string encrypted = wrapped("p", kOpened);
  EXPECT_EQ(render({.passphrase = "short", .salt = kSalt}, encrypted), "!deckhand.passphrase");
  EXPECT_EQ(render({.passphrase = kPassphrase, .salt = "äöüäöüäöüäöüäöüäöü"}, encrypted), "!deckhand.passphrase");
  EXPECT_EQ(render({.passphrase = kPassphrase, .salt = ""}, encrypted), "!deckhand.passphrase");
  EXPECT_EQ(render({.passphrase = "", .salt = kSalt}, encrypted), "!deckhand.passphrase");
  EXPECT_EQ(render({.passphrase = "short", .salt = ""}, wrapped("p", "x", "generated: {}")), R"(p "x")");
}

TEST(Managed, NeedsADocument) {
  const std::string head =
      "schema: pegleg/PeglegManagedDocument/v1\nmetadata: {schema: metadata/Document/v1, name: w}\n";
  for (const char* data : {"data: {}\n", "data: {managedDocument: text}\n", "data: [1]\n", ""})
    EXPECT_EQ(site_of(head + data).render(), "!deckhand.managed") << data;
  EXPECT_EQ(site_of(head + "data: {managedDocument: {}}\n").render().substr(0, 14), "!deckhand.form");
}

TEST(Managed, OneWrapperIsTakenOff) {
  const std::string inner = wrapped("p", "hidden", "generated: {}");
  std::string indented;
  for (const char c : "    " + inner.substr(0, inner.size() - 1))
    indented += c == '\n' ? std::string("\n    ") : std::string(1, c);
  Site site =
      site_of("schema: pegleg/PeglegManagedDocument/v1\nmetadata: {}\ndata:\n  managedDocument:\n" + indented + "\n");
  EXPECT_TRUE(has(site.render(), R"(w-p {"generated": )")) << site.told();
  EXPECT_EQ(site.warnings(), "deckhand.managed-nested");
  site.request.cleartext_secrets = false;
  EXPECT_FALSE(has(site.render(), "hidden"));
}

TEST(MissingSources, AreSkippedWhereThatIsAllowed) {
  Site site({{.name = "a",
              .data = "{x: 1}",
              .more = "substitutions: [" + substitutes("none", ".", ".y") + ", " + substitutes("b", ".z", ".w") + "]"},
             {.name = "b", .data = "{z: 2}"}});
  EXPECT_EQ(site.render(), "!deckhand.source");
  site.request.allows_missing_sources = true;
  EXPECT_EQ(site.render(), R"(b {"z": 2}; a {"x": 1, "w": 2})");
  EXPECT_EQ(site.warnings(), "deckhand.missing-source");
  EXPECT_TRUE(has(site.told(), "example/Kind/v1 none, does not exist: the substitution is skipped")) << site.told();
}

// The files of a site.

std::string definition(const std::string& data) {
  return "---\nschema: pegleg/SiteDefinition/v1\nmetadata: {schema: metadata/Document/v1, name: s, storagePolicy: "
         "cleartext, layeringDefinition: {layer: site, abstract: false}}\ndata: " +
         data + "\n";
}

using Files = std::map<std::string, std::string>;

/// The files, or the code of the error after `!`; then the codes of warnings.
std::string files_of_site(const Files& files, const PeglegSite& site) {
  Session session = testing::test_session(files);
  std::string out;
  try {
    for (const PeglegFile& file : pegleg_files(site, session.tree(), session)) out += file.path + " ";
  } catch (const Error& error) {
    out = "!" + error.code() + " ";
  }
  for (const Diagnostic& one : session.diagnostics().warnings()) out += "~" + one.code + " ";
  return out;
}

TEST(SiteFiles, InTheOrderOfPegleg) {
  const Files files{{"r/site/s/site-definition.yaml", definition("{site_type: t}")},
                    {"r/site/s/a/b.yaml", ""},
                    {"r/site/s/z.yaml", ""},
                    {"r/site/s/z.yml", ""},
                    {"r/site/s/.hidden.yaml", ""},
                    {"r/site/s/.h/a.yaml", ""},
                    {"r/site/s/.h/in/a.yaml", ""},
                    {"r/site/s/tools/a.yaml", ""},
                    {"r/site/s/tools/in/a.yaml", ""},
                    {"r/site/other/a.yaml", ""},
                    {"r/type/t/a.yaml", ""},
                    {"r/type/u/a.yaml", ""},
                    {"r/global/a.yaml", ""},
                    {"r/a.yaml", ""}};
  EXPECT_EQ(files_of_site(files, {.name = "s", .repository = "r"}),
            "r/global/a.yaml r/type/t/a.yaml r/site/s/site-definition.yaml r/site/s/z.yaml r/site/s/.h/in/a.yaml "
            "r/site/s/a/b.yaml ");
}

TEST(SiteFiles, OfOtherRepositories) {
  const auto with = [](const std::string& repositories) {
    return Files{{"site/s/site-definition.yaml", definition("{site_type: t" + repositories + "}")},
                 {"g/global/a.yaml", ""},
                 {"g/type/t/a.yaml", ""},
                 {"h/global/a.yaml", ""},
                 {"h/site/s/a.yaml", ""}};
  };
  const std::string both = ", repositories: {h: {url: 'https://h', revision: v1}, g: {url: g, revision: 2}}";
  const std::string own = "site/s/site-definition.yaml ";
  const PeglegSite site{.name = "s", .repository = ".", .extra_repositories = {{"g", "g"}, {"h", "h"}}};
  EXPECT_EQ(files_of_site(with(both), site), own + "h/global/a.yaml h/site/s/a.yaml g/global/a.yaml g/type/t/a.yaml ");
  // Without a list, those of the arguments are taken; with one, no others.
  EXPECT_EQ(files_of_site(with(""), site), own + "g/global/a.yaml g/type/t/a.yaml h/global/a.yaml h/site/s/a.yaml ");
  EXPECT_EQ(files_of_site(with(", repositories: {h: {url: x, revision: y}, site: {url: x, revision: y}}"), site),
            own + "h/global/a.yaml h/site/s/a.yaml ~deckhand.repository ");
  EXPECT_EQ(files_of_site(with(both), {.name = "s", .repository = ".", .extra_repositories = {{"g", "g"}}}),
            "!deckhand.repository ");
  EXPECT_EQ(
      files_of_site(with(both), {.name = "s", .repository = ".", .extra_repositories = {{"g", "g"}, {"h", "no"}}}),
      "!deckhand.repository ");
  EXPECT_EQ(files_of_site(with(""), {.name = "s", .repository = ".", .extra_repositories = {{"site", "h"}}}),
            own + "~deckhand.repository ");
}

TEST(SiteFiles, NeedADefinition) {
  EXPECT_EQ(files_of_site({}, {.name = "s"}), "!deckhand.site ");
  const Files files{{"site/lab/site-definition.yaml", definition("{site_type: t}")}, {"site-definition.yaml", "x"}};
  for (const char* name : {"lba", "", ".", "..", "../site/lab", "lab/.."})
    EXPECT_EQ(files_of_site(files, {.name = name}), "!deckhand.site ") << name;
  for (const char* bad :
       {"[]", "{}", "{site_type: 1}", "{site_type: ../x}", "{site_type: ''}", "{site_type: t, repositories: [a]}",
        "{site_type: t, repositories: {g: a}}", "{site_type: t, repositories: {g: {url: a}}}"}) {
    EXPECT_EQ(files_of_site({{"site/lab/site-definition.yaml", definition(bad)}}, {.name = "lab"}),
              "!deckhand.site-definition ")
        << bad;
  }
  EXPECT_EQ(
      files_of_site({{"site/lab/site-definition.yaml", definition("{site_type: t}") + "---\na: 1\n"}}, {.name = "lab"}),
      "!deckhand.site-definition ");
}

// The rules.

std::string linted(const std::string& text, const std::string& below) {
  Sources sources;
  const Limits limits;
  std::string out;
  for (const LintFinding& one : lint({{{.name = "f.yaml", .text = text}, below}}, sources, limits))
    out += (out.empty() ? "" : " ") + std::string(one.rule) + ":" + std::to_string(one.where.place.line.value_or(0));
  return out;
}

TEST(Lint, Rules) {
  const std::string secret =
      Doc{.name = "p", .data = "x", .more = "storagePolicy: encrypted", .schema = "deckhand/Passphrase/v1"}.text();
  const std::string open =
      Doc{.name = "p", .data = "x", .more = "storagePolicy: cleartext", .schema = "deckhand/Passphrase/v1"}.text();
  EXPECT_EQ(linted("---\n" + secret, "site/s/secrets/f.yaml"), "");
  EXPECT_EQ(linted("---\r\n" + secret, "site/s/secrets/f.yaml"), "");
  EXPECT_EQ(linted("---\n" + open, "site/s/secrets/f.yaml"), "P001:3");
  EXPECT_EQ(linted("---\n" + secret, "site/s/f.yaml"), "P009:2");
  EXPECT_EQ(linted("---\n" + secret, "site/s/secretsx/f.yaml"), "P009:2");
  EXPECT_EQ(linted("---\n" + secret, "type/t/secrets/f.yaml"), "P008:3");
  EXPECT_EQ(linted(secret, "site/s/secrets/f.yaml"), "P006:0");
  EXPECT_EQ(linted("--- # x\n" + secret, "site/s/secrets/f.yaml"), "P006:0");
  // In no site.
  EXPECT_EQ(linted(open, ""), "P001:2");
  // In a wrapper, secrets are Pegleg's.
  EXPECT_EQ(linted("---\n" + wrapped("p", "x"), "site/s/f.yaml"), "");
  EXPECT_EQ(linted("---\n" + wrapped("p", "x"), "global/f.yaml"), "P008:3");
  const std::string schema = Doc{.name = "a/B/v1", .data = "{}", .schema = "deckhand/DataSchema/v1"}.text();
  EXPECT_EQ(linted(schema + "---\n" + schema + "---\n" + schema, ""), "P004:6 P004:10");
  // Neither the definition of a site nor what Deckhand does not know is looked at.
  EXPECT_EQ(linted(definition("{site_type: t}"), "type/t/site-definition.yaml"), "");
  EXPECT_EQ(linted("---\na: 1\n---\n[]\n---\n", "type/t/f.yaml"), "");
  EXPECT_EQ(linted("---\n[", "type/t/f.yaml"), "");
}

TEST(Lint, Sites) {
  const Files files{{"site/a/site-definition.yaml", definition("{site_type: t}")},
                    {"site/b/x.yaml", ""},
                    {"site/c/site-definition.yaml", definition("{}")},
                    {"site/d/site-definition.yaml", "["},
                    {"site/e/site-definition.yaml", "schema: pegleg/SiteDefinition/v1\n"},
                    {"site/x.yaml", ""}};
  const Session session = testing::test_session(files);
  Sources sources;
  std::string out;
  for (const LintFinding& one : lint_sites(".", session.tree(), sources, Limits()))
    out += std::string(one.rule) + " " + one.file + ": " + one.message + "\n";
  EXPECT_EQ(out,
            "P010 site/b/site-definition.yaml: the folder of the site 'b' has no site-definition.yaml\n"
            "P011 site/c/site-definition.yaml: 'site_type' is missing\n"
            "P011 site/d/site-definition.yaml: the file is not valid YAML\n"
            "P011 site/e/site-definition.yaml: 'metadata' is missing\n"
            "P011 site/e/site-definition.yaml: 'data' is missing\n");
}

}  // namespace
}  // namespace strata::deckhand
