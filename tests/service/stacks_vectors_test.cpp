// SPDX-License-Identifier: Apache-2.0
// The recorded sequences of the Orchestration API, asked in process.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "service/json.hpp"
#include "stacks_world.hpp"
#include "strata/text.hpp"

namespace strata::service::stacks {
namespace {

std::string text_of_file(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string json_of(const Value& value) { return text::write_json(value, {.sort_keys = true, .indent = -1}); }

/// Whether `got` is what is wanted: keys in any order; with `is_subset` it may have more members.
bool fits(const Value& want, const Value& got, bool is_subset) {
  if (want.is_mapping() && got.is_mapping()) {
    if (!is_subset && want.size() != got.size()) return false;
    return std::ranges::all_of(want.entries(), [&](const Entry& entry) {
      const Value* found = got.find(entry.key.text());
      return found != nullptr && fits(entry.value, *found, is_subset);
    });
  }
  if (want.is_sequence() && got.is_sequence()) {
    return std::ranges::equal(want.items(), got.items(),
                              [&](const Value& one, const Value& other) { return fits(one, other, is_subset); });
  }
  return want.kind() == got.kind() && json_of(want) == json_of(got);
}

/// One sequence on an empty project.
class StackSteps {
 public:
  void run(const Value& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Value& step = steps.items()[i];
      SCOPED_TRACE(fmt::format("step {}, {} {}", i, step.find("method")->text(), step.find("path")->text()));
      check(step);
    }
  }

 private:
  [[nodiscard]] std::string filled(std::string text) const {
    for (const auto& [name, id] : ids_) text = replaced(std::move(text), fmt::format("{{{}}}", name), id);
    return text;
  }

  /// What differs from run to run, by names.
  [[nodiscard]] std::string named(std::string text) const {
    static const std::regex times(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)");
    static const std::regex ids(R"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})");
    for (const auto& [name, id] : ids_) text = replaced(std::move(text), id, fmt::format("{{{}}}", name));
    text = replaced(std::move(text), std::string(kBase) + "/v1/p1", "{root}");
    text = replaced(std::move(text), std::string(kBase) + "/v1/p2", "{root}");
    return std::regex_replace(std::regex_replace(text, times, "<time>"), ids, "<uuid>");
  }

  void check(const Value& step) {
    const auto text_of = [&step](std::string_view name, std::string otherwise) {
      const Value* found = step.find(name);
      return found == nullptr ? std::move(otherwise) : std::string(found->text());
    };
    std::string target = fmt::format("/v1/{}{}", text_of("project", "p1"), filled(text_of("path", "")));
    if (const std::string query = text_of("query", ""); !query.empty()) target += "?" + filled(query);
    const Value* sent = step.find("body");
    const std::string body = sent == nullptr ? text_of("raw", "") : json_of(*sent);
    Headers headers;
    if (const Value* given = step.find("headers")) {
      for (const Entry& header : given->entries())
        headers.add(std::string(header.key.text()), std::string(header.value.text()));
    }
    const Response response = world_.ask(text_of("method", ""), target, body, headers);
    const Value& expect = *step.find("expect");
    ASSERT_EQ(response.status, expect.find("status")->as_integer()) << response.body;
    if (const Value* capture = step.find("capture")) {
      const JsonBody made = read_json_text(response.body, "<made>", {});
      ids_[std::string(capture->text())] = made.root().find("stack")->find("id")->text();
    }
    if (const Value* place = expect.find("location")) {
      EXPECT_EQ(named(std::string(response.headers.get("Location"))), place->text());
    }
    check_body(expect, response);
  }

  void check_body(const Value& expect, const Response& response) const {
    const Value* want = expect.find("json");
    const Value* error = expect.find("error");
    if (want == nullptr && error == nullptr) return;
    const JsonBody got = read_json_text(named(response.body), "<got>", {});
    if (want != nullptr) {
      const Value* match = expect.find("match");
      const bool is_subset = (match != nullptr && match->text() == "subset") || want->find("events") != nullptr;
      EXPECT_TRUE(fits(*want, got.root(), is_subset)) << "want " << json_of(*want) << "\ngot  " << json_of(got.root());
    }
    if (error == nullptr) return;
    const Value& told = *got.root().find("error");
    const std::string message(told.find("message")->text());
    EXPECT_FALSE(message.empty());
    if (const Value* type = error->find("type")) {
      EXPECT_EQ(told.find("type")->text(), type->text()) << message;
    }
    if (const Value* words = error->find("words")) {
      for (const Value& word : words->items()) EXPECT_NE(message.find(word.text()), std::string::npos) << message;
    }
  }

  StacksWorld world_;
  std::map<std::string, std::string> ids_;
};

TEST(StacksVectors, AllSequencesAreAnsweredAsRecorded) {
  const JsonBody cases = read_json_text(text_of_file(STRATA_SOURCE_DIR "/tests/vectors/heat/api.json"), "api.json", {});
  ASSERT_GE(cases.root().size(), 41U);
  for (const Value& one : cases.root().items()) {
    SCOPED_TRACE(one.find("name")->text());
    StackSteps().run(*one.find("steps"));
  }
}

}  // namespace
}  // namespace strata::service::stacks
