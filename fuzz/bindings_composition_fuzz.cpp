// Composes arbitrary documents (separated by a line of `----`, each in a layer of its own) and asks for everything. Either findings come out, or
// every listed name has the value that it is listed with; a check never throws; a history changes nothing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "bindings/request.hpp"
#include "bindings/syntax/document.hpp"
#include "strata/bindings.hpp"

namespace {

using namespace strata;

std::shared_ptr<bindings::Request> request_of(Sources& sources, std::string_view text, const Limits& limits) {
  auto request = std::make_shared<bindings::Request>();
  request->categories = {{"node", "kermit", {}}, {"environment", "production", {}}, {"virtual", "true", {}}, {"off", std::nullopt, {}}};
  request->arena = std::make_shared<Arena>();
  request->scope = std::make_shared<puppet::Scope>(nullptr);
  request->scope->assign("rack", Value::integer(7), {});
  constexpr std::string_view kBetween = "\n----\n";
  for (std::size_t layers = 0; layers < 4; ++layers) {
    const std::size_t end = text.find(kBetween);
    const std::string body = "bindings d {\n" + std::string(text.substr(0, end)) + "\n}\n";
    bindings::Layer layer;
    layer.name = "layer" + std::to_string(layers);
    layer.parts.push_back(bindings::LayerPart::of({bindings::read_document(sources, sources.add(layer.name, body), "d", limits)}));
    request->layers.push_back(std::move(layer));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + kBetween.size());
  }
  return request;
}

void ask(bindings::Preparations& shared, const std::shared_ptr<bindings::Request>& request, Session& session) {
  bindings::Injector injector(shared, request, {}, session);
  try {
    const Value all = injector.all().value;
    Session recording(session, true);
    bindings::Injector traced(shared, request, {}, recording);
    if (!equal(traced.all().value, all)) std::abort();
  } catch (const Error& error) {
    if (error.diagnostic().message.empty()) std::abort();
  }
  try {
    static_cast<void>(injector.explain("", "a"));
  } catch (const Error& error) {
    if (error.diagnostic().message.empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Limits limits{.depth = 100, .input = std::size_t{1} << 20U, .result = 100'000, .steps = 20'000};
  Session session(Snapshot::make(Engine::make({.file_cache = 0}), memory_tree({})), {.limits = limits});
  bindings::Preparations shared;
  try {
    const auto request = request_of(session.sources(), std::string_view(reinterpret_cast<const char*>(data), size), limits);
    static_cast<void>(bindings::check(shared, request, {}, session));
    ask(shared, request, session);
  } catch (const Error& error) {
    if (error.diagnostic().message.empty()) std::abort();
  }
  return 0;
}
