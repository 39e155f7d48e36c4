// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/options.hpp"
#include "guarded.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"
#include "strata/revealed.hpp"
#include "strata/text.hpp"

namespace {

using strata::Arena;
using strata::Diagnostic;
using strata::Error;
using strata::Kind;
using strata::Value;

/// What a result takes besides its nodes: a handle, a session.
constexpr std::size_t kBytesOfResult = 4096;
constexpr std::size_t kBytesOfNode = 32;
/// Larger results count as being so large; of them it is not known how deep they nest: as deep as any limit allows.
constexpr std::size_t kMostCounted = 1'000'000;

/// Levels that a report of values, and what is written about them, has more than the values.
constexpr std::size_t kMoreLevels = 16;

struct Extent {
  std::size_t nodes = 0;
  std::size_t depth = 0;
};

// Recursion: bounded by Limits::depth, as the value was made.
void measure(const Value& value, std::size_t depth, Extent& out) {
  ++out.nodes;
  out.depth = std::max(out.depth, depth);
  if (value.is_sequence()) {
    for (const Value& item : value.items()) {
      if (out.nodes >= kMostCounted) return;
      measure(item, depth + 1, out);
    }
  } else if (value.is_container()) {
    for (const strata::Entry& entry : value.entries()) {
      if (out.nodes >= kMostCounted) return;
      ++out.nodes;
      measure(entry.value, depth + 1, out);
    }
  }
}

std::size_t levels_of(const Extent& extent) {
  return extent.nodes < kMostCounted ? extent.depth + kMoreLevels : strata::cli::SharedOptions::kDeepest;
}

// Recursion: as above.
bool holds_object(const Value& value) {
  if (value.kind() == Kind::object) return true;
  if (value.is_sequence()) return std::ranges::any_of(value.items(), holds_object);
  if (!value.is_container()) return false;
  return std::ranges::any_of(
      value.entries(), [](const strata::Entry& entry) { return holds_object(entry.key) || holds_object(entry.value); });
}

/// A copy with texts in place of objects of the Puppet language. Recursion: as above.
Value without_objects(Arena& arena, const Value& value) {
  const auto marked = [&value](const Value& made) {
    return made.with_origin(value.origin()).with_secret(value.is_secret());
  };
  if (value.kind() == Kind::object) return marked(arena.text(value.as_object().to_string()));
  if (value.is_sequence()) {
    strata::SequenceBuilder out(arena, value.size());
    for (const Value& item : value.items()) out.append(without_objects(arena, item));
    return marked(out.finish());
  }
  if (value.is_mapping()) {
    strata::MappingBuilder out(arena);
    for (const strata::Entry& entry : value.entries()) {
      out.insert(arena.key(without_objects(arena, entry.key)), without_objects(arena, entry.value));
    }
    return marked(out.finish());
  }
  return arena.deep_copy(value);
}

[[noreturn]] void refuse(const strata::analysis::Outcome& outcome) {
  if (outcome.further.empty()) throw Error(*outcome.failure);
  std::vector<Diagnostic> all{*outcome.failure};
  std::ranges::copy(outcome.further, std::back_inserter(all));
  throw strata::Errors(all);
}

}  // namespace

strata_result::strata_result(strata::analysis::Subject::Answer answer, bool is_cleartext) {
  strata::analysis::Outcome& outcome = answer.outcome;
  if (outcome.failure) refuse(outcome);
  if (!outcome.whole) throw Error("call.query", "this question has no value: it only prints");
  memory_ = std::move(outcome.memory);
  sources_ = outcome.sources;
  history_ = outcome.history;
  whole_ = *std::move(outcome.whole);
  given_ = root();
  if (is_cleartext && holds_object(root())) {
    given_memory_ = std::make_unique<Arena>();
    given_ = strata::puppet::revealed(*given_memory_, root());
  }
  noticed_ = std::move(answer.warnings);
  for (strata::analysis::Item& item : outcome.items) {
    if (item.failure) missing_.push_back(*std::move(item.failure));
  }
  Extent extent;
  measure(root(), 0, extent);
  levels_ = levels_of(extent);
  bytes_ =
      kBytesOfResult + std::min(extent.nodes, kMostCounted) * (history_ == nullptr ? kBytesOfNode : 4 * kBytesOfNode);
}

strata_result::strata_result(const Value& report, std::shared_ptr<const void> arena, std::vector<Diagnostic> warnings)
    : memory_(std::move(arena)),
      whole_{.result = {report, {}}, .is_json = true},
      given_(report),
      noticed_(std::move(warnings)) {
  Extent extent;
  measure(report, 0, extent);
  levels_ = levels_of(extent);
}

const Value* strata_result::value() const {
  if (const Value* known = shown_.load(std::memory_order_acquire)) return known;
  const std::lock_guard lock(mutex_);
  if (holds_object(given_) && !plain_memory_) {
    auto arena = std::make_unique<Arena>();
    plain_ = without_objects(*arena, given_);
    plain_memory_ = std::move(arena);
  }
  const Value* out = plain_memory_ ? &plain_ : &given_;
  shown_.store(out, std::memory_order_release);
  return out;
}

const std::string& strata_result::json() const {
  const std::lock_guard lock(mutex_);
  if (!json_) json_ = strata::text::write_json(given_, {.sort_keys = whole_.sort_keys, .indent = 2});
  return *json_;
}

const std::string& strata_result::yaml() const {
  const std::lock_guard lock(mutex_);
  if (yaml_) return *yaml_;
  const strata::text::YamlStyle style{.profile = nullptr, .sort_keys = whole_.sort_keys, .indent = 2};
  std::string out = whole_.yaml_head;
  if (whole_.is_documents) {
    strata::text::write_yaml_stream(given_.items(), style, [&out](std::string_view piece) { out += piece; });
  } else {
    out += strata::text::write_yaml(given_, style);
  }
  return yaml_.emplace(std::move(out));
}

const std::string& strata_result::text() const {
  if (!whole_.own) return whole_.is_json ? json() : yaml();
  const std::lock_guard lock(mutex_);
  if (!text_) text_ = whole_.own(given_);
  return *text_;
}

const std::string& strata_result::blame() const {
  const std::lock_guard lock(mutex_);
  if (blame_) return *blame_;
  Arena arena;
  return blame_.emplace(strata::text::write_json(
      sources_ == nullptr ? arena.sequence() : strata::report::blame_data(arena, *sources_, root(), whole_.sort_keys)));
}

const std::string& strata_result::explain(std::string_view pointer) const {
  if (history_ == nullptr) {
    strata::c::misuse("call.history", "no history was kept",
                      sources_ == nullptr ? "reports have none" : R"(ask with {"history": true})");
  }
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = explained_.try_emplace(std::string(pointer));
  if (!is_new) return known->second;
  try {
    const auto prefix = strata::parse_pointer(pointer);
    const auto paths = history_->explain(whole_.result, prefix);
    if (paths.empty() && !prefix.empty())
      throw Error("explain.path", fmt::format("nothing was ever at the path '{}'", pointer));
    Arena arena;
    known->second = strata::text::write_json(strata::report::explain_data(arena, *sources_, *history_, paths));
  } catch (...) {
    explained_.erase(known);
    throw;
  }
  return known->second;
}

const std::string& strata_result::warnings() const {
  const std::lock_guard lock(mutex_);
  if (warnings_) return *warnings_;
  Arena arena;
  strata::SequenceBuilder out(arena);
  for (const Diagnostic& one : noticed_) out.append(strata::c::diagnostic_data(arena, one, "warning"));
  for (const Diagnostic& one : missing_) out.append(strata::c::diagnostic_data(arena, one, "error"));
  return warnings_.emplace(strata::text::write_json(out.finish()));
}

bool strata_result::is_secret(std::string_view pointer) const {
  const std::vector<std::string> tokens = strata::parse_pointer(pointer);
  Value at = given_;
  bool out = at.is_secret();
  for (const std::string& token : tokens) {
    const std::size_t index = at.is_container() ? strata::index_of_token(at, token) : Arena::npos;
    if (index == Arena::npos) return false;
    at = at.is_sequence() ? at.items()[index] : at.entries()[index].value;
    out = out || at.is_secret();
  }
  return out;
}
