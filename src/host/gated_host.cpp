// SPDX-License-Identifier: Apache-2.0
#include "strata/gated_host.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/refusal.hpp"

namespace strata {
namespace {

constexpr std::size_t kMostRefusals = 100;  ///< More of them are one run over many sites.

bool is_same(const Refusal& left, const Refusal& right) {
  return left.kind == right.kind && left.what == right.what && left.where.place == right.where.place;
}

std::string_view option_for(Refusal::Kind kind) {
  return kind == Refusal::Kind::program ? "--allow-programs" : "--allow-network";
}

}  // namespace

bool GatedHost::leaves_out(const Refusal& refusal) {
  if (on_refusal_ == OnRefusal::fail) return false;
  const std::lock_guard lock(mutex_);
  if (refusals_.size() < kMostRefusals &&
      std::ranges::none_of(refusals_, [&](const Refusal& known) { return is_same(known, refusal); })) {
    refusals_.push_back(refusal);
    if (report_) report_(refusal);
  }
  return true;
}

std::string GatedHost::way_to_allow(Refusal::Kind kind) const {
  return fmt::format("allow it with {}", option_for(kind));
}

std::vector<Refusal> GatedHost::refusals() const {
  const std::lock_guard lock(mutex_);
  return refusals_;
}

std::string refusal_hint(const std::vector<Refusal>& refusals) {
  std::string options;
  for (const Refusal::Kind kind : {Refusal::Kind::program, Refusal::Kind::server}) {
    if (std::ranges::find(refusals, kind, &Refusal::kind) == refusals.end()) continue;
    options += (options.empty() ? "" : " and ") + std::string(option_for(kind));
  }
  return fmt::format("allow it with {} on the command line", options);
}

Diagnostic refusal_warning(const std::vector<Refusal>& refusals) {
  std::string what;
  for (const Refusal& one : refusals) {
    if (what.find(one.what) == std::string::npos) what += (what.empty() ? "" : "; ") + one.what;
  }
  Diagnostic out{.code = std::string(kLeftOut),
                 .message = fmt::format("left out, because files of a repository allow nothing: {}", what),
                 .where = refusals.front().where,
                 .notes = {},
                 .hint = fmt::format("if you trust these files, {}", refusal_hint(refusals))};
  for (std::size_t i = 1; i < refusals.size(); ++i) {
    const Excerpt& where = refusals[i].where;
    if (where.place.file.empty()) continue;
    out.notes.push_back(where);
    out.notes.back().message = refusals[i].what;
  }
  return out;
}

}  // namespace strata
