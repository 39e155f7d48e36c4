// SPDX-License-Identifier: Apache-2.0
// Exceptions never cross the C interface: a callback in C++ that throws is a bug, which leaves the project broken.
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>

#include "strata/strata.h"

namespace {

enum class Throws { nothing, runtime_error, number, no_memory };
Throws throws = Throws::nothing;

std::int32_t read(void* /*self*/, strata_text path, strata_text* text) {
  if (throws == Throws::runtime_error) throw std::runtime_error("thrown by a callback");
  if (throws == Throws::number) throw 7;
  if (throws == Throws::no_memory) throw std::bad_alloc();
  static const std::string content = "#cloud-config\na: 1\n";
  if (std::string(path.data, path.size) != "/a.yaml") return 1;
  *text = {content.data(), content.size()};
  return 0;
}
std::int32_t kind(void* /*self*/, strata_text path) { return std::string(path.data, path.size) == "/a.yaml" ? 1 : 0; }
void list(void* /*self*/, strata_text /*path*/, void (* /*add*/)(void*, strata_text), void* /*into*/) {}

class Exceptions : public testing::TestWithParam<Throws> {
 protected:
  void SetUp() override {
    throws = Throws::nothing;
    const strata_files files{.size = sizeof(strata_files),
                             .self = nullptr,
                             .read = read,
                             .kind = kind,
                             .list = list,
                             .release_text = nullptr};
    ASSERT_EQ(
        strata_project_open(strata_text_of(R"({"verb": "merge", "args": ["a.yaml"]})"), &files, &project_, nullptr),
        STRATA_OK);
  }
  void TearDown() override { strata_project_free(project_); }

  strata_status get(std::string& message) {
    strata_result* result = nullptr;
    strata_error* error = nullptr;
    const strata_status status =
        strata_project_get(project_, strata_text_of(""), strata_text_of(""), nullptr, &result, &error);
    EXPECT_EQ(result != nullptr, status == STRATA_OK);
    message = error == nullptr ? "" : strata_error_format(error).data;
    strata_result_free(result);
    strata_error_free(error);
    return status;
  }

  strata_project* project_ = nullptr;
};

TEST_P(Exceptions, OfCallbacksAreBugs) {
  throws = GetParam();
  std::string message;
  EXPECT_EQ(get(message), STRATA_BUG);
  EXPECT_NE(message.find("this is a bug in strata"), std::string::npos) << message;
  // From now on it answers nothing.
  throws = Throws::nothing;
  EXPECT_EQ(get(message), STRATA_BUG);
  EXPECT_EQ(strata_project_refresh(project_, nullptr), STRATA_BUG);
}
INSTANTIATE_TEST_SUITE_P(All, Exceptions, testing::Values(Throws::runtime_error, Throws::number));

TEST_F(Exceptions, OfMemoryAreNoBugs) {
  throws = Throws::no_memory;
  std::string message;
  EXPECT_EQ(get(message), STRATA_NO_MEMORY);
  EXPECT_NE(message.find("memory is exhausted"), std::string::npos) << message;
  throws = Throws::nothing;
  EXPECT_EQ(get(message), STRATA_OK);
}

}  // namespace
