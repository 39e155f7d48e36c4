// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "deckhand/path/place.hpp"
#include "deckhand/path/write.hpp"
#include "python/data.hpp"

namespace strata::deckhand {
namespace {

/// Looks for the first value, depth first, that is equal to another one.
class EqualSearch {
 public:
  EqualSearch(const Value& wanted, Rendering& rendering) noexcept : wanted_(wanted), rendering_(rendering) {}

  /// Without a bound on the nodes that are looked at, or until there are `most` in this rendering.
  std::optional<Match> find(const Value& root, std::size_t most = static_cast<std::size_t>(-1)) {
    most_ = most;
    if (!search(root)) return std::nullopt;
    return found_;
  }

 private:
  // Recursion: bounded by Limits::depth.
  bool search(const Value& here) {
    rendering_.stop.tick();
    if (found_.path.steps().size() > rendering_.session.limits().depth)
      throw Error("limit.depth", "the data are nested too deep to search them");
    if (rendering_.searched++ >= most_) return false;
    if (python::equal(here, wanted_)) {
      found_.value = here;
      return true;
    }
    if (!here.is_container()) return false;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (here.is_sequence()) {
        found_.path.push(i);
      } else {
        found_.path.push(here.entries()[i].key);
      }
      if (search(here.is_sequence() ? here.items()[i] : here.entries()[i].value)) return true;
      found_.path.pop();
    }
    return false;
  }

  const Value& wanted_;
  Rendering& rendering_;
  std::size_t most_ = 0;
  Match found_{};
};

bool is_same_place(const Path& left, const Path& right) {
  return std::ranges::equal(left.steps(), right.steps(), [](const Path::Step& one, const Path::Step& other) {
    if (one.index() != other.index()) return false;
    if (const auto* key = std::get_if<Value>(&one)) return equal(*key, std::get<Value>(other));
    return std::get<std::size_t>(one) == std::get<std::size_t>(other);
  });
}

}  // namespace

std::optional<Erased> erase(merge::Accumulator& data, const PathExpression& path, const merge::Traced& by,
                            Compat compat, Rendering& rendering) {
  constexpr std::size_t kMostSearched = 500'000;
  const bool shipped = compat == Compat::shipped;
  const auto empty = [&] { data.put({}, {rendering.arena.mapping().with_origin(by.value.origin()), by.slot}); };
  const Value root = data.current().value;
  if (shipped ? path.text() == "." : path.is_root()) {
    empty();
    return Erased{.match = {.path = {}, .value = root}, .shipped = {}};
  }
  std::optional<Match> match = path.first(root, rendering);
  if (!match || match->value.is_null()) return std::nullopt;
  Erased erased{.match = std::move(*match), .shipped = {}};
  if (shipped) {
    std::optional<Match> equal = EqualSearch(erased.match.value, rendering).find(root);
    if (!equal || equal->path.steps().empty()) return erased;
    erased.match = std::move(*equal);
  } else if (rendering.searched < kMostSearched) {
    erased.shipped = EqualSearch(erased.match.value, rendering).find(root, kMostSearched);
    if (erased.shipped && is_same_place(erased.match.path, erased.shipped->path)) erased.shipped.reset();
  }
  if (erased.match.path.steps().empty()) {
    empty();
  } else {
    data.erase(erased.match.path.steps(), &by);
  }
  return erased;
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

bool is_destination(std::string_view text) noexcept {
  return text.starts_with('.') || text.starts_with("$.") || text == "$";
}

}  // namespace strata::deckhand
