// SPDX-License-Identifier: Apache-2.0
// The explorer's requests: the target of a GET, or the body of a what-if. Answers are made without a crash, and what
// should be JSON is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../tests/service/explorer_world.hpp"
#include "strata/error.hpp"

namespace {

using strata::service::Response;
using strata::service::explore::ExplorerWorld;

void check_json(std::string_view text) {
  strata::Sources sources;
  (void)strata::text::read_json(sources, sources.add("<answer>", std::string(text)), strata::Limits());
}

void check(const Response& response) {
  if (response.status == 0 || response.status == 500) std::abort();
  const std::string_view type = response.headers.get("Content-Type");
  if (type.starts_with("application/json") || type.starts_with("application/problem+json")) check_json(response.body);
  if (!type.starts_with("application/x-ndjson")) return;
  std::string_view rest = response.body;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    check_json(line);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ExplorerWorld world("a: 1\nb: [x, {c: 2}]\nc: &x {d: e}\nf: *x\n");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with('/')) {
    if (text.find('\n') == std::string_view::npos) check(world.ask("GET", std::string(text)));
  } else {
    check(world.ask("POST", "/strata/v1/explore/projects/files/what-if", std::string(text),
                    {{"Content-Type", "application/json"}}));
  }
  return 0;
}
