// SPDX-License-Identifier: Apache-2.0
// Each document of the child's schema in a layer above gets a rank for each label of the selector: the label is there
// with the value; it looks mistyped (its value, or its name with the value); it is there with another value; it is
// missing. Documents are compared by the numbers of these, in this order. Looking costs the number of documents times
// the labels, so that all searches of a rendering share a budget; when it is spent, warnings have no such notes.
// Tested by tests/deckhand/near_parents_test.cpp.
#include "near_parents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "strata/near_names.hpp"
#include "strata/scalar_text.hpp"
#include "strata/stop.hpp"

namespace strata::deckhand {
namespace {

constexpr std::size_t kMostLooks = 50'000'000;  ///< Fractions of a second.
constexpr std::size_t kLook = 16;               ///< A label that is looked up.
constexpr std::size_t kMostShown = 3;
constexpr std::size_t kLongestValue = 100;

std::string label_text(const Value& value) {
  const std::string text = value.is_text() ? std::string(value.text()) : scalar_text(value);
  return text.size() <= kLongestValue ? text : text.substr(0, kLongestValue) + "…";
}

/// In a message: `'x'`, and with the kind where the strings are equal and the kinds are not.
std::string shown_label(const Value& value, const Value& other) {
  const std::string text = label_text(value);
  if (text == label_text(other)) return fmt::format("{} {}", describe(value.kind()), text);
  return fmt::format("'{}'", text);
}

bool is_similar(std::string_view one, std::string_view other, std::size_t& looks) {
  if (one.size() > kLongestValue || other.size() > kLongestValue) return false;
  looks += one.size() * other.size();
  return !nearest_name(std::array{one}, other).empty();
}

/// How far the labels of one document are from a selector.
struct Distance {
  std::size_t equal = 0;
  std::size_t mistyped = 0;
  std::size_t other = 0;
  std::string difference = {};

  void add(std::string text) {
    if (!difference.empty()) difference += "; ";
    difference += text;
  }
  [[nodiscard]] auto rank() const { return std::tuple(equal, mistyped, other); }
};

Distance distance_to(const Value& labels, const Value& selector, std::size_t& looks) {
  Distance out;
  for (const Entry& wanted : selector.entries()) {
    if (const Value* found = labels.find(wanted.key)) {
      if (equal(*found, wanted.value)) {
        ++out.equal;
        continue;
      }
      ++(is_similar(label_text(*found), label_text(wanted.value), looks) ? out.mistyped : out.other);
      out.add(fmt::format("its label '{}' is {}, not {}", label_text(wanted.key), shown_label(*found, wanted.value),
                          shown_label(wanted.value, *found)));
      continue;
    }
    const auto renamed = std::ranges::find_if(labels.entries(), [&](const Entry& one) {
      return equal(one.value, wanted.value) && is_similar(label_text(one.key), label_text(wanted.key), looks);
    });
    if (renamed != labels.entries().end()) ++out.mistyped;
    out.add(renamed != labels.entries().end()
                ? fmt::format("its label '{}' is called '{}'", label_text(wanted.key), label_text(renamed->key))
                : fmt::format("it has no label '{}'", label_text(wanted.key)));
  }
  return out;
}

}  // namespace

std::vector<NearParent> NearParents::find(const Document& child) {
  struct Candidate {
    std::size_t document;
    Distance distance;
  };
  std::vector<Candidate> nearest;
  const std::size_t below = child.rank == kNone ? 0 : child.rank;
  for (std::size_t i = 0; i < documents_.size(); ++i) {
    const Document& one = documents_[i];
    if (one.rank == kNone || one.rank >= below || !one.labels || one.schema_name() != child.schema_name()) continue;
    looks_ += kLook * child.selector.size() * (1 + one.labels.size());
    if (looks_ > kMostLooks) return {};
    check_stop(session_.limits().stop);
    Distance distance = distance_to(one.labels, child.selector, looks_);
    if (distance.rank() == std::tuple(std::size_t{0}, std::size_t{0}, std::size_t{0})) continue;
    const auto at =
        std::ranges::find_if(nearest, [&](const Candidate& other) { return other.distance.rank() < distance.rank(); });
    if (at == nearest.end() && nearest.size() == kMostShown) continue;
    nearest.insert(at, {.document = i, .distance = std::move(distance)});
    if (nearest.size() > kMostShown) nearest.pop_back();
  }
  // Where one is near, others with quite different labels are of no help.
  if (!nearest.empty() && nearest.front().distance.equal + nearest.front().distance.mistyped != 0) {
    std::erase_if(nearest, [](const Candidate& one) { return one.distance.equal + one.distance.mistyped == 0; });
  }
  std::vector<NearParent> out;
  for (Candidate& one : nearest) {
    out.push_back({.document = one.document,
                   .labels = documents_[one.document].labels,
                   .difference = std::move(one.distance.difference)});
  }
  return out;
}

}  // namespace strata::deckhand
