// SPDX-License-Identifier: Apache-2.0
// Opens a site of bindings that the input is split into: lines `@@ NAME` begin files. `facts.yaml` holds facts,
// `enc.yaml` what an ENC says, `inventory.yaml` resources, `keys` names to ask for, a line each; other names are files
// of the confdir. Only errors of strata come out, a check never throws, and histories change nothing.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ruby/ruby.hpp"
#include "strata/report.hpp"
#include "strata/site.hpp"

namespace {

using namespace strata;

constexpr std::size_t kMostKeys = 6;
const Limits kLimits{
    .depth = 60, .input = std::size_t{1} << 18U, .aliases = 2000, .result = 20'000, .includes = 200, .steps = 20'000};

struct Input {
  std::map<std::string, std::string> files;
  site::Settings settings{.confdir = "/site"};
  site::NodeInputs node;
  std::vector<std::string> keys;
};

Input split(std::string_view text) {
  Input input;
  std::map<std::string, std::string> own;
  std::string name = "bindings/default.pp";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (line.starts_with("@@ ")) {
      name = line.substr(3, line.find('\n') - 3);
    } else if (name == "keys") {
      if (input.keys.size() < kMostKeys) input.keys.emplace_back(line.substr(0, line.find('\n')));
    } else if (name == "facts.yaml" || name == "enc.yaml" || name == "inventory.yaml") {
      own[name] += line;
    } else {
      input.files["/site/" + name] += line;
    }
  }
  const auto named = [&](const char* file) {
    const auto found = own.find(file);
    return found == own.end() ? std::nullopt : std::optional(site::NamedText{.name = file, .text = found->second});
  };
  input.node.facts = named("facts.yaml");
  input.node.enc = named("enc.yaml");
  input.settings.inventory = named("inventory.yaml");
  return input;
}

void check_error(const Error& error) {
  if (error.diagnostic().message.empty() || error.code().empty()) std::abort();
  (void)format(error.diagnostic(), "error");
}

/// What the keys are bound to, in the words of Ruby, or the codes of the errors.
std::vector<std::string> answers(const Input& input, const Session& parent, bool with_history) {
  Session session(parent, with_history);
  std::vector<std::string> out;
  try {
    site::Node node(input.settings, input.node, session);
    for (const std::string& key : input.keys) {
      try {
        out.push_back(ruby::inspect(node.injector().inject(key).value));
        if (with_history) (void)bindings::explanation_text(session.sources(), node.injector().explain("", key));
      } catch (const Error& error) {
        check_error(error);
        out.push_back(error.code());
      }
    }
    out.push_back(ruby::inspect(node.enc().value));
  } catch (const Error& error) {
    check_error(error);
    out.push_back(error.code());
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Input input = split({reinterpret_cast<const char*>(data), size});
  std::unique_ptr<FileTree> tree;
  try {
    tree = memory_tree(input.files);
  } catch (const Error&) {
    return 0;
  }
  Session session(Snapshot::make(Engine::make(), std::move(tree), {.limits = kLimits}), {.limits = kLimits});
  const std::vector<std::string> plain = answers(input, session, false);
  if (answers(input, session, true) != plain) std::abort();
  const bindings::Findings findings = site::check(input.settings, input.node, session);
  for (const Diagnostic& error : findings.errors) (void)format(error, "error");
  return 0;
}
