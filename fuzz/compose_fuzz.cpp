// SPDX-License-Identifier: Apache-2.0
// Combines environment files that the input is split into: lines `@@ NAME` begin files. `template` is the template,
// `state` a state file to go on from, `parameters` explicit parameters as YAML; other names are environment files, in
// order. Only errors of strata come out; going on from a checkpoint, histories and a second update change nothing.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "strata/heat.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace {

using namespace strata;

const Limits kLimits{.depth = 60, .input = std::size_t{1} << 18U, .aliases = 2000, .result = 20'000, .steps = 2000};

struct Input {
  std::vector<std::pair<std::string, std::string>> files;
  std::optional<std::string> root;
  std::optional<std::string> state;
  std::string parameters;
};

Input split(std::string_view text) {
  Input input;
  std::string* into = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (line.starts_with("@@ ")) {
      const std::string name(line.substr(3, line.find('\n') - 3));
      if (name == "template") {
        into = &input.root.emplace();
      } else if (name == "state") {
        into = &input.state.emplace();
      } else if (name == "parameters") {
        into = &input.parameters;
      } else {
        into = &input.files.emplace_back(name, std::string()).second;
      }
    } else {
      if (into == nullptr) into = &input.files.emplace_back("first", std::string()).second;
      *into += line;
    }
  }
  return input;
}

/// What came out.
struct Outcome {
  std::string result;
  std::string state;
  std::string code;  ///< Of the error; empty where there was none.
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run(const Input& input, const std::optional<std::string>& state, heat::Compat compat, bool reuse,
            bool with_history = false) {
  Session session(Snapshot::make(Engine::make({.file_cache = 0}), memory_tree({})),
                  {.limits = kLimits, .keeps_history = with_history});
  Sources& sources = session.sources();
  text::Document parameters;
  try {
    heat::Request request;
    request.compat = compat;
    request.reuse = reuse;
    request.keep_combination = true;
    for (const auto& [name, text] : input.files) {
      request.environment_files.push_back(name);
      const bool known = std::ranges::find(request.files, name, &heat::NamedText::name) != request.files.end();
      if (!known) request.files.push_back({.name = name, .source = sources.add(name, text)});
    }
    if (input.root) request.template_text = sources.add("template", *input.root);
    if (state) request.existing = sources.add("state", *state);
    parameters = text::read_yaml(sources, sources.add("parameters", input.parameters), text::heat(), kLimits);
    if (parameters.root.is_mapping() &&
        std::ranges::all_of(parameters.root.entries(), [](const Entry& entry) { return entry.key.is_text(); }))
      request.parameters = parameters.root;
    const auto composition = heat::compose(request, session);
    (void)heat::masked_environment(composition, session);
    if (with_history) {
      const merge::History& history = *session.recorder().history();
      const auto paths = history.explain(composition.shown);
      (void)report::explain_text(sources, history, paths);
      (void)report::blame_text(sources, composition.shown.value, {});
    }
    return {.result = text::write_json(composition.shown.value), .state = heat::state_text(composition), .code = {}};
  } catch (const Error& error) {
    if (error.diagnostic().message.empty() || error.code().empty()) std::abort();
    (void)format(error.diagnostic(), "error");
    return {.result = {}, .state = {}, .code = error.code()};
  }
}

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Input input = split({reinterpret_cast<const char*>(data), size});
  for (const heat::Compat compat : {heat::Compat::promised, heat::Compat::shipped}) {
    const Outcome plain = run(input, input.state, compat, true);
    require(plain == run(input, input.state, compat, false));
    require(plain.result == run(input, input.state, compat, true, true).result);
    if (!plain.code.empty()) continue;
    // An update of nothing may drop what the template does not declare; another one finds nothing more to do.
    const Input nothing;
    const Outcome again = run(nothing, plain.state, compat, true);
    if (!again.code.empty()) continue;  // A text grew beyond a limit as JSON.
    require(again == run(nothing, again.state, compat, false));
  }
  return 0;
}
