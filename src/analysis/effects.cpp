// SPDX-License-Identifier: Apache-2.0
// Subjects that change alike.
#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "effects.hpp"
#include "strata/analysis.hpp"
#include "value/seeded_hash.hpp"
#include "value/value_hash.hpp"

namespace strata::analysis {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t more) { return seeded_hash(hash ^ more) + 1; }

/// What counts of one side in grouping: no places, and values only if `values` says so.
std::uint64_t side_hash(const Side& side, bool values) {
  if (side.failure) return values ? mix(seeded_hash(side.failure->code), seeded_hash(side.failure->message)) : 3;
  if (!side.value) return 1;
  return values ? ValueHash()(side.value) : 2;
}
bool is_same_side(const Side& left, const Side& right, bool values) {
  if ((left.failure == nullptr) != (right.failure == nullptr) ||
      static_cast<bool>(left.value) != static_cast<bool>(right.value))
    return false;
  if (!values) return true;
  if (left.failure) return left.failure->code == right.failure->code && left.failure->message == right.failure->message;
  return !left.value || equal(left.value, right.value);
}

}  // namespace

std::uint64_t hash_of(const Change& change, bool values) {
  std::uint64_t hash = mix(seeded_hash(change.item), seeded_hash(change.path));
  hash = mix(hash, static_cast<std::uint64_t>(change.kind));
  if (!values) return hash;
  if (change.from) hash = mix(hash, seeded_hash(*change.from));
  return mix(mix(hash, side_hash(change.before, values)), side_hash(change.after, values));
}
bool is_same(const Change& left, const Change& right, bool values) {
  if (left.item != right.item || left.path != right.path || left.kind != right.kind) return false;
  if (!values) return true;
  return left.from == right.from && is_same_side(left.before, right.before, values) &&
         is_same_side(left.after, right.after, values);
}

SharedChange::SharedChange(std::shared_ptr<const Change> what) : what_(std::move(what)), hash_(hash_of(*what_, true)) {}

std::vector<SharedChange> shared(std::vector<Change> changes, std::shared_ptr<const void> memory) {
  struct Kept {
    std::shared_ptr<const void> memory;
    std::vector<Change> changes;
  };
  const auto kept = std::make_shared<const Kept>(Kept{.memory = std::move(memory), .changes = std::move(changes)});
  std::vector<SharedChange> out;
  out.reserve(kept->changes.size());
  for (const Change& change : kept->changes) out.emplace_back(std::shared_ptr<const Change>(kept, &change));
  return out;
}

void keep_values(Change& change, Arena& arena) {
  for (Side* side : {&change.before, &change.after}) {
    if (side->value) side->value = arena.deep_copy(side->value);
  }
}

void NameList::add(std::string_view name) {
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  constexpr unsigned kMore = 0x80;
  if (pieces_.empty() || pieces_.back().size() + name.size() > kPiece) {
    // Growing by doubling would take up to twice as much.
    const bool is_long = !pieces_.empty();
    pieces_.emplace_back();
    if (is_long) pieces_.back().reserve(kPiece);
  }
  std::string& last = pieces_.back();
  std::size_t rest = name.size();
  for (; rest >= kMore; rest >>= 7U) last += static_cast<char>(rest | kMore);
  last += static_cast<char>(rest);
  last += name;
  ++size_;
}

std::vector<std::string> NameList::first(std::size_t most) const {
  std::vector<std::string> out;
  out.reserve(std::min(most, size_));
  each(most, [&out](std::string_view name) { out.emplace_back(name); });
  return out;
}

void NameList::each(std::size_t most, const std::function<void(std::string_view name)>& use) const {
  constexpr unsigned kMore = 0x80;
  for (const std::string& piece : pieces_) {
    for (std::size_t at = 0; at < piece.size();) {
      if (most-- == 0) return;
      std::size_t size = 0;
      for (unsigned shift = 0;; shift += 7U) {
        const auto byte = static_cast<unsigned char>(piece[at++]);
        size |= static_cast<std::size_t>(byte & (kMore - 1)) << shift;
        if (byte < kMore) break;
      }
      use(std::string_view(piece).substr(at, size));
      at += size;
    }
  }
}

struct Effects::State {
  State(GroupBy grouped_by, std::size_t most_kept) : by(grouped_by), most(most_kept) {}

  [[nodiscard]] std::size_t add(const std::string& subject, std::span<const SharedChange> changes);

  GroupBy by;
  std::size_t most;
  std::vector<Effect> effects;  ///< In the order in which they were found.
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash;
  std::string last_more;  ///< The subject that was last counted in `more`.
  std::size_t more = 0;
  Counts counts;
};

std::size_t Effects::State::add(const std::string& subject, std::span<const SharedChange> changes) {
  const bool values = by != GroupBy::path;
  std::uint64_t hash = changes.size();
  for (const SharedChange& change : changes) hash = mix(hash, values ? change.hash() : hash_of(*change, false));
  const auto [first, last] = by_hash.equal_range(hash);
  const auto found = std::find_if(first, last, [&](const auto& known) {
    return std::ranges::equal(effects[known.second].changes, changes,
                              [values](const SharedChange& left, const SharedChange& right) {
                                return &*left == &*right || is_same(*left, *right, values);
                              });
  });
  if (found != last) {
    effects[found->second].subjects.add(subject);
    return found->second;
  }
  if (effects.size() >= most) {
    if (more == 0 || last_more != subject) ++more;
    last_more = subject;
    return kNotKept;
  }
  by_hash.emplace(hash, effects.size());
  effects.push_back({.subjects = {}, .changes = {changes.begin(), changes.end()}});
  effects.back().subjects.add(subject);
  return effects.size() - 1;
}

Effects::Effects(GroupBy by, std::size_t most) : state_(std::make_unique<State>(by, most)) {}
Effects::~Effects() = default;
Effects::Effects(Effects&&) noexcept = default;
Effects& Effects::operator=(Effects&&) noexcept = default;

std::vector<std::size_t> Effects::add(const SubjectChanges& subject) {
  Counts& counts = state_->counts;
  ++counts.total;
  if (subject.changes.empty()) {
    ++counts.unchanged;
    return {};
  }
  ++counts.changed;
  if (const Change& first = *subject.changes.front(); first.item.empty() && first.path.empty()) {
    if (first.kind == ChangeKind::broken) ++counts.broken;
    if (first.kind == ChangeKind::mended) ++counts.mended;
    if (first.kind == ChangeKind::appeared) ++counts.appeared;
    if (first.kind == ChangeKind::disappeared) ++counts.disappeared;
  }
  if (state_->by != GroupBy::change) return {state_->add(subject.subject, subject.changes)};
  std::vector<std::size_t> out;
  for (const SharedChange& change : subject.changes) out.push_back(state_->add(subject.subject, {&change, 1}));
  return out;
}

Effect& Effects::operator[](std::size_t number) noexcept { return state_->effects[number]; }

const Effects::Counts& Effects::counts() const noexcept { return state_->counts; }
std::size_t Effects::more_subjects() const noexcept { return state_->more; }
GroupBy Effects::by() const noexcept { return state_->by; }

std::vector<std::size_t> Effects::order() const {
  std::vector<std::size_t> out(state_->effects.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  // They were found in the order of their first subjects.
  std::ranges::stable_sort(out, std::greater<>(),
                           [this](std::size_t number) { return state_->effects[number].subjects.size(); });
  return out;
}

std::vector<const Effect*> Effects::sorted() const {
  std::vector<const Effect*> out;
  for (const std::size_t number : order()) out.push_back(&state_->effects[number]);
  return out;
}

}  // namespace strata::analysis
