// SPDX-License-Identifier: Apache-2.0
// The same header in C++17.
#include <strata/strata.h>

#include <cstdio>
#include <memory>

int main() {
  struct Free {
    void operator()(strata_result* result) const { strata_result_free(result); }
  };
  strata_result* made = nullptr;
  const char* const request = R"({"verb": "merge", "args": ["a"], "files": {"a": "#cloud-config\na: 1\n"}})";
  if (strata_merge(strata_text_of(request), &made, nullptr) != STRATA_OK) return 1;
  const std::unique_ptr<strata_result, Free> result(made);
  std::printf("%d %zu\n", static_cast<int>(strata_value_kind(strata_result_value(result.get()))),
              strata_value_count(strata_result_value(result.get())));
}
