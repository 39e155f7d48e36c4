// SPDX-License-Identifier: Apache-2.0
// Secrets do not appear beside a value: in explanations, histories, blame, warnings or errors.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>
#include <thread>

#include "eyaml/payloads.hpp"
#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::World;

constexpr std::string_view kSecret = "geheim";

std::optional<std::string> key_file(const std::string& path) {
  std::ifstream file(STRATA_SOURCE_DIR "/tests/hiera/eyaml/" + path.substr(path.rfind('/') + 1));
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

World world_with_secrets(bool keeps_history) {
  const std::string block = "ENC[PKCS7," + std::string(eyaml::kGeheim) + "]";
  return World(
      World::Files{{"hiera.yaml", R"(version: 5
hierarchy:
  - name: secrets
    lookup_key: eyaml_lookup_key
    paths: [high.eyaml, low.eyaml]
    options: {pkcs7_private_key: keys/private_key.pem}
  - {name: plain, path: plain.yaml}
)"},
                   {"data/high.eyaml",
                    "text: " + block + "\nhash: {user: me, password: '" + block + "'}\nlist: [a, '" + block + "', '--" +
                        block + "']\nsensitive: " + block + "\nas_integer: " + block + "\nas_text: {p: '" + block +
                        "'}\nas_array: " + block + "\nas_enum: ['" + block + "']\nas_hash: ['" + block + "']\n"},
                   {"data/low.eyaml", "text: low\nhash: {password: '" + block + "', more: ['" + block +
                                          "']}\nlist: ['" + block + "', '--" + block + "', b]\n"},
                   {"data/plain.yaml", R"(
lookup_options:
  sensitive: {convert_to: Sensitive}
  hidden: {convert_to: Sensitive, merge: deep}
  hidden_list: {convert_to: ["Sensitive"], merge: unique}
  as_integer: {convert_to: Integer}
  as_text: {convert_to: String}
  as_array: {convert_to: Array}
  as_enum: {convert_to: "Array[Enum[a]]"}
  as_hash: {convert_to: Hash}
text: plain
hash: {extra: 1}
list: [c]
inserted: "<%{lookup('text')}>"
inserted_hash: "<%{lookup('hash')}>"
inserted_list: "%{lookup('list')}"
inserted_item: "%{lookup('list.1')}"
aliased: "%{alias('hash')}"
inside: {deep: ["%{alias('hash')}", "%{lookup('hash.password')}"]}
as_key: {"%{lookup('text')}": 1}
dug: "%{lookup('text.x')}"
hidden: {password: geheim, list: [geheim]}
hidden_list: [geheim, geheim]
hidden_use: "%{lookup('hidden')}"
)"}},
      "{}", {.keeps_history = keeps_history, .read_key = key_file});
}

const std::vector<std::string> kSecretNames{"text",          "hash",
                                            "hash.password", "list",
                                            "list.1",        "sensitive",
                                            "as_integer",    "as_text",
                                            "as_array",      "as_enum",
                                            "as_hash",       "inserted",
                                            "inserted_hash", "inserted_list",
                                            "inserted_item", "aliased",
                                            "inside",        "inside.deep.0",
                                            "dug",           "text.x",
                                            "hidden",        "hidden.password",
                                            "hidden_list",   "hidden_use"};
const std::vector<std::string> kMerges{"",
                                       "unique",
                                       "hash",
                                       "deep",
                                       "{strategy: deep, knockout_prefix: '--'}",
                                       "{strategy: deep, sort_merged_arrays: true}"};
const std::vector<std::string> kTypes{
    "", "Integer", "Enum[a]", "Array[Enum[a]]", "Hash[String, Integer]", "Struct[{user => Enum[x]}]", "Pattern[/x/]"};

/// All output of one lookup except its value.
std::string everything(World& here, const std::string& name, const std::string& merge, const std::string& type) {
  Query query = World::query(name, merge.empty() ? Value() : here.yaml(merge));
  query.type = type;
  std::string out;
  Explanation explanation;
  Arena arena;
  try {
    const Result& found = here.result(query, &explanation);
    out += report::blame_text(here.session.sources(), found.value.value, {});
    out += ruby::inspect(report::blame_data(arena, here.session.sources(), found.value.value));
    if (here.session.recorder().keeps()) {
      const auto paths = here.history().explain(found.value);
      out += report::explain_text(here.session.sources(), here.history(), paths);
      out += ruby::inspect(report::explain_data(arena, here.session.sources(), here.history(), paths));
    }
  } catch (const Error& error) {
    out += format(error.diagnostic(), "error");
    explanation.add_text(error.what());
  }
  return out + explanation.text() + ruby::inspect(explanation.data(arena));
}

TEST(Secrets, ValuesAreThere) {
  World here = world_with_secrets(false);
  EXPECT_EQ(here.answer("text"), R"("geheim")");
  EXPECT_EQ(here.answer("inserted_hash"), R"("<{\"user\"=>\"me\", \"password\"=>\"geheim\"}>")");
  EXPECT_EQ(here.answer("as_key"), R"({"geheim"=>1})");
  EXPECT_TRUE(here.answer("sensitive").find(kSecret) == std::string::npos);
}

TEST(Secrets, AVariableThatIsSetAndEmptyIsAKey) {
  const auto answer = [](const std::optional<std::string>& variable, bool masks_locked = false) {
    World here(World::Files{{"hiera.yaml", R"(version: 5
hierarchy:
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: s.eyaml
    options: {pkcs7_private_key: keys/private_key.pem, pkcs7_private_key_env_var: KEY}
)"},
                            {"data/s.eyaml", "text: ENC[PKCS7," + std::string(eyaml::kGeheim) + "]\n"}},
               "{}", {.read_key = key_file});
    here.settings.environment_variable = [variable](const std::string&) { return variable; };
    here.settings.masks_locked = masks_locked;
    return here.answer("text");
  };
  EXPECT_EQ(answer(std::nullopt), R"("geheim")");
  EXPECT_EQ(answer(key_file("private_key.pem")), R"("geheim")");
  EXPECT_NE(answer("").find("'KEY' does not contain a private key"), std::string::npos) << answer("");
  EXPECT_EQ(answer("", true).find("error"), std::string::npos) << "a check of changes goes on without a key";
}

TEST(Secrets, RelativeKeysAreFoundBesideTheHierarchy) {
  for (const bool is_in_working_folder : {true, false}) {
    World here(World::Files{{"hiera.yaml", R"(version: 5
hierarchy:
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: s.eyaml
    options: {pkcs7_private_key: keys/private_key.pem}
)"},
                            {"data/s.eyaml", "text: ENC[PKCS7," + std::string(eyaml::kGeheim) + "]\n"}},
               "{}", {.read_key = [is_in_working_folder](const std::string& path) {
                 return path.starts_with("/elsewhere/") == is_in_working_folder ? key_file(path) : std::nullopt;
               }});
    here.settings.working_folder = "/elsewhere";
    EXPECT_EQ(here.answer("text"), R"("geheim")");
    // The reference looks in the working directory, and nowhere else: only a departure is explained.
    const std::string explained = here.explained("text");
    EXPECT_EQ(explained.find("The key file \"keys/private_key.pem\" is ") == std::string::npos, is_in_working_folder)
        << explained;
  }
}

TEST(Secrets, AreNeverTold) {
  for (const bool keeps_history : {false, true}) {
    World here = world_with_secrets(keeps_history);
    for (const std::string& merge : kMerges) {
      for (const std::string& type : kTypes) {
        for (const std::string& name : kSecretNames) {
          const std::string told = everything(here, name, merge, type);
          // The line of a plain text file is not a secret.
          EXPECT_EQ(told.find(kSecret), std::string::npos)
              << name << " " << merge << " " << type << (keeps_history ? " with history" : "") << "\n"
              << told;
          if (HasFailure()) return;
        }
      }
    }
    EXPECT_EQ(here.warnings().find(kSecret), std::string::npos) << here.warnings();
  }
}

TEST(Secrets, AreShownAsStars) {
  World here = world_with_secrets(true);
  const Result& found = here.result(World::query("hash", here.yaml("deep")));
  EXPECT_NE(report::blame_text(here.session.sources(), found.value.value, {}).find("******"), std::string::npos);
  const std::string explained = here.explained("hash.password");
  EXPECT_NE(explained.find("******"), std::string::npos) << explained;
}

TEST(Secrets, ThreadsOpenTheSameValues) {
  World here = world_with_secrets(false);
  constexpr std::size_t kThreads = 4;
  std::array<std::string, kThreads> found;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&here, &out = found.at(i)] {
        Session session(here.session.shared_snapshot());
        NodeView view(here.settings, here.facts, session);
        for (const char* name : {"text", "hash", "list"})
          out += ruby::inspect(view.lookup(World::query(name)).value.value);
      });
    }
  }
  for (const std::string& one : found) EXPECT_EQ(one, found.front());
}

}  // namespace
}  // namespace strata::hiera
