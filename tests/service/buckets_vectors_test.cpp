// SPDX-License-Identifier: Apache-2.0
// The recorded sequences of the Deckhand face, in process. Over HTTP they run with the real program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "face_world.hpp"
#include "service/buckets/face.hpp"
#include "service/json.hpp"
#include "strata/builder.hpp"
#include "strata/text.hpp"

namespace strata::service {
namespace {

const JsonBody& sequences() {
  static const JsonBody read = [] {
    std::ifstream file(STRATA_SOURCE_DIR "/tests/vectors/deckhand/api.json");
    std::ostringstream text;
    text << file.rdbuf();
    return read_json_text(text.str(), "api.json", Limits());
  }();
  return read;
}

std::string text_of(const Value& step, std::string_view key) {
  const Value* found = step.find(key);
  return found == nullptr || found->is_null() ? std::string() : std::string(found->text());
}

/// With `<time>` for times, `details` of added and deleted documents sorted, and results of validations by name.
class Normal {
 public:
  Normal(Arena& arena, bool sorts_results) : arena_(arena), sorts_results_(sorts_results) {}

  // Recursion: as deep as the answers of the vectors.
  Value of(const Value& value, std::string_view key = {}) {
    if (value.is_sequence()) {
      std::vector<Value> items;
      for (const Value& item : value.items()) items.push_back(of(item));
      if (key == "details" || (sorts_results_ && key == "results")) {
        std::ranges::sort(items, {}, [](const Value& item) { return text::write_json(item, {.sort_keys = true}); });
      }
      return arena_.sequence(items);
    }
    if (!value.is_mapping()) return key == "createdAt" && !value.is_null() ? arena_.text("<time>") : value;
    MappingBuilder out(arena_);
    for (const Entry& entry : value.entries()) out.insert(entry.key, of(entry.value, entry.key.text()));
    return out.finish();
  }

 private:
  Arena& arena_;
  bool sorts_results_;
};

class BucketsVectors : public ::testing::TestWithParam<std::size_t> {};

TEST_P(BucketsVectors, AnswersAsRecorded) {
  const Value& sequence = sequences().root().items()[GetParam()];
  FaceWorld world(buckets::make_deckhand_face);
  std::size_t number = 0;
  for (const Value& step : sequence.find("steps")->items()) {
    Request request;
    request.method = text_of(step, "method");
    request.headers = {{"X-Identity-Status", "Confirmed"},
                       {"X-User-Id", "u1"},
                       {"X-Roles", "admin"},
                       {"Content-Type", "application/x-yaml"}};
    if (const Value* headers = step.find("headers")) {
      for (const Entry& entry : headers->entries()) {
        request.headers.set(std::string(entry.key.text()),
                            entry.value.is_null() ? "" : std::string(entry.value.text()));
      }
    }
    request.body = text_of(step, "body");
    const std::string path = text_of(step, "path");
    const std::string query = text_of(step, "query");
    SCOPED_TRACE(fmt::format("step {} {} {} {}", number++, request.method, path, query));
    const Response response = world.ask(std::move(request), query.empty() ? path : fmt::format("{}?{}", path, query));

    const Value& wanted = *step.find("expect");
    ASSERT_EQ(response.status, wanted.find("status")->as_integer()) << response.body;
    Sources sources;
    const SourceId source = sources.add("answer", response.body);
    const auto documents = text::read_yaml_stream(sources, source, text::pyyaml_json(), Limits());
    Arena arena;
    if (response.status >= 400) {
      const Value& details = *documents.at(0).root.find("details");
      EXPECT_EQ(details.find("errorType")->text(), wanted.find("errorType")->text());
      EXPECT_EQ(details.find("errorCount")->as_integer(), wanted.find("errorCount")->as_integer());
      continue;
    }
    if (wanted.find("docs") == nullptr) continue;
    SequenceBuilder got(arena);
    if (!response.body.empty()) {
      for (const auto& document : documents) got.append(document.root);
    }
    Normal normal(arena, path.ends_with("/validations"));
    const Value expected = normal.of(*wanted.find("docs"));
    const Value found = normal.of(got.finish());
    EXPECT_TRUE(equal(expected, found)) << "wanted " << text::write_json(expected) << "got " << text::write_json(found);
  }
}

INSTANTIATE_TEST_SUITE_P(All, BucketsVectors, ::testing::Range(std::size_t{0}, sequences().root().size()),
                         [](const auto& one) {
                           std::string name(sequences().root().items()[one.param].find("name")->text());
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace strata::service
