#include <algorithm>
#include <optional>

#include "deckhand/path/place.hpp"
#include "deckhand/path/write.hpp"
#include "python/data.hpp"

namespace strata::deckhand {
namespace {

using Steps = std::vector<Path::Step>;

/// The way to the first value, depth first, that is equal to another one.
// Recursion: bounded by Limits::depth.
bool find_equal(const Value& here, const Value& wanted, Steps& steps, StopCheck& stop) {
  stop.tick();
  if (python::equal(here, wanted)) return true;
  if (!here.is_container()) return false;
  for (std::size_t i = 0; i < here.size(); ++i) {
    steps.push_back(here.is_sequence() ? Path::Step(i) : Path::Step(here.entries()[i].key));
    if (find_equal(here.is_sequence() ? here.items()[i] : here.entries()[i].value, wanted, steps, stop)) return true;
    steps.pop_back();
  }
  return false;
}

}  // namespace

bool erase(merge::Accumulator& data, const PathExpression& path, const merge::Traced& by, Compat compat, RenderContext& context) {
  const bool shipped = compat == Compat::shipped;
  if (shipped ? path.text() == "." : path.is_root()) {
    data.put({}, {context.arena.mapping().with_origin(by.value.origin()), by.slot});
    return true;
  }
  const std::optional<Match> match = path.first(data.current().value, context);
  if (!match || match->value.is_null()) return false;
  Steps steps = match->path.steps();
  if (shipped) {
    steps.clear();
    find_equal(data.current().value, match->value, steps, context.stop);
    if (steps.empty()) return true;
  }
  if (steps.empty()) {
    data.put({}, {context.arena.mapping().with_origin(by.value.origin()), by.slot});
  } else {
    data.erase(steps, &by);
  }
  return true;
}

std::string action_path(std::string_view text, Compat compat) {
  for (const std::string_view prefix : {".data", "$.data"}) {
    if (!text.starts_with(prefix)) continue;
    const std::string_view rest = text.substr(prefix.size());
    if (compat == Compat::shipped || rest.empty() || rest.front() == '.' || rest.front() == '[') text = rest;
    break;
  }
  if (text.empty()) return ".";
  return text.front() == '.' || text.front() == '$' ? std::string(text) : "." + std::string(text);
}

bool is_destination(std::string_view text) noexcept { return text.starts_with('.') || text.starts_with("$.") || text == "$"; }

}  // namespace strata::deckhand
