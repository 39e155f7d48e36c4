// SPDX-License-Identifier: Apache-2.0
// A whole merge. The bytes are fields that end at a byte FF; the first byte of a field says what it is: `u` user-data,
// `v` and `w` vendor data, `b` and `d` a base file and a fragment of it, `j` instance data, `i` the launch index, `s`
// the strategy, `f` a file to include. A merge with a history gives the same value as one without, and what is told of
// it can always be made.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "strata/cloudinit.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace {

using namespace strata;

struct Case {
  cloudinit::Request request;
  std::map<std::string, std::string> files;
};

Case read_case(std::string_view bytes) {
  Case result;
  cloudinit::Request& request = result.request;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\xFF'), bytes.size());
    const std::string_view field = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (field.empty()) continue;
    const std::string text(field.substr(1));
    switch (field.front()) {
      case 'v':
        request.vendor_data = cloudinit::Blob{.name = "vendor", .bytes = text};
        break;
      case 'w':
        request.vendor_data2 = cloudinit::Blob{.name = "vendor2", .bytes = text};
        break;
      case 'b':
        request.base = {"base"};
        result.files["base"] = text;
        break;
      case 'd':
        result.files["base.d/" + std::to_string(result.files.size()) + ".cfg"] = text;
        break;
      case 'j':
        request.instance_data = cloudinit::Blob{.name = "instance", .bytes = text};
        break;
      case 'i':
        request.launch_index = text;
        break;
      case 's':
        request.strategy = text;
        break;
      case 'f':
        result.files["f"] = text;
        break;
      default:
        request.user_data.push_back({.name = "user" + std::to_string(request.user_data.size()), .bytes = text});
    }
  }
  return result;
}

/// The merged value as text, or none where the merge fails.
std::optional<std::string> run(const Case& input, bool with_history) {
  const Limits limits{.depth = 60,
                      .input = std::size_t{1} << 18,
                      .aliases = 2000,
                      .result = 20'000,
                      .include_depth = 5,
                      .includes = 20,
                      .steps = 20'000};
  Session session(Snapshot::make(Engine::make({.file_cache = 0}), memory_tree(input.files)),
                  {.limits = limits, .keeps_history = with_history});
  const Sources& sources = session.sources();
  std::optional<cloudinit::Result> result;
  try {
    result = cloudinit::merge(input.request, session);
  } catch (const Error& error) {
    if (error.diagnostic().message.empty()) std::abort();
    return std::nullopt;
  }
  for (const Diagnostic& warning : session.diagnostics().warnings()) {
    if (format(warning, "warning").empty() || warning.message.empty()) std::abort();
  }
  Arena arena;
  (void)report::blame_text(sources, result->config.value, {});
  (void)report::blame_data(arena, sources, result->config.value);
  if (with_history) {
    const merge::History& history = *session.recorder().history();
    const auto paths = history.explain(result->config);
    (void)report::explain_text(sources, history, paths);
    (void)report::explain_data(arena, sources, history, paths);
  }
  return text::write_yaml(result->config.value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Case input = read_case({reinterpret_cast<const char*>(data), size});
  if (run(input, false) != run(input, true)) std::abort();
  return 0;
}
