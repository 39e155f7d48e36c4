// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "bindings/composition/constants.hpp"
#include "bindings/injector/lists.hpp"
#include "bindings/injector/lookup.hpp"
#include "bindings/types/names.hpp"
#include "strata/stop.hpp"

namespace strata::bindings {

namespace {

constexpr std::size_t kMostFindings = 1000;
constexpr std::uint32_t kAlways = 0;  // The number of no conditions.

/// Findings, each once.
class Collected {
 public:
  explicit Collected(std::vector<Diagnostic>& out) : out_(out) {}
  void add(const Diagnostic& diagnostic) {
    if (out_.size() < kMostFindings &&
        seen_.insert(diagnostic.where.place.to_string() + '\n' + diagnostic.message).second)
      out_.push_back(diagnostic);
  }
  [[nodiscard]] bool is_full() const noexcept { return out_.size() >= kMostFindings; }

 private:
  std::vector<Diagnostic>& out_;
  std::set<std::string> seen_;
};

void sort_by_place(std::vector<Diagnostic>& all) {
  std::stable_sort(all.begin(), all.end(), [](const Diagnostic& left, const Diagnostic& right) {
    const Place& one = left.where.place;
    const Place& other = right.where.place;
    return std::tie(one.file, one.line, one.column) < std::tie(other.file, other.line, other.column);
  });
}

}  // namespace

std::vector<Findings::Layer> list_layers(const Request& request) {
  std::vector<Findings::Layer> out;
  for (const Layer& layer : request.layers) {
    Findings::Layer& listed = out.emplace_back();
    listed.name = layer.name;
    for (const LayerPart& part : layer.parts) {
      if (part.source != nullptr) listed.documents.push_back(part.source->title());
      for (std::size_t i = 0; part.documents != nullptr && i < part.documents->size(); ++i)
        listed.documents.push_back((*part.documents)[i]->title);
    }
  }
  return out;
}

Findings Checker::check() {
  Findings out;
  out.environment = request_.environment.name;
  out.manifest = request_.environment.manifest;
  out.layers = list_layers(request_);
  std::vector<Diagnostic> found;
  Collected errors(found);
  const auto guard = [&](const auto& work) {
    expressions_.refill();
    try {
      work();
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      for (const Diagnostic& each : error.all()) errors.add(each);
    }
  };
  for (std::uint32_t key = 0; key < composition_.key_count() && !errors.is_full(); ++key) {
    if (composition_.effective(key).winner != nullptr) guard([&] { static_cast<void>(lookup_.look_up(key)); });
  }
  for (const Composition::Source& source : composition_.key_sources()) {
    guard([&] {
      for (const std::string& name : source.source->keys()) guard([&] { static_cast<void>(lookup_.find_exact(name)); });
    });
  }
  guard([&] { static_cast<void>(lists_.classes()); });
  guard([&] { static_cast<void>(lists_.dependency_list()); });
  out.errors = std::move(found);
  warn_of_statements(check_static(out), out);
  sort_by_place(out.errors);
  for (const Diagnostic& warning : expressions_.diagnostics().warnings()) out.warnings.push_back(warning);
  sort_by_place(out.warnings);
  return out;
}

/// Statements of one layer that ask for the same conditions conflict whatever the facts are. Returns those that were
/// reported.
Checker::Candidates Checker::check_static(Findings& out) {
  // Sets of conditions as numbers: most statements of a document are in few blocks.
  std::map<std::vector<StaticTest>, std::uint32_t> numbers;
  numbers.emplace(std::vector<StaticTest>(), kAlways);
  std::unordered_map<const When*, std::vector<std::uint32_t>> known;
  const std::vector<std::uint32_t> of_node{UINT32_MAX};
  std::set<std::string> reported;
  for (const Diagnostic& error : out.errors) reported.insert(error.message);
  const Guards::Evaluate evaluate = composition_.resolve();
  const auto complain = [&](const Error& error, const When* when) {
    // What is too wide is not looked at: the site may be as good as any.
    std::vector<Diagnostic>& list = error.category() == strata::Category::limit ? out.warnings : out.errors;
    if (list.size() >= kMostFindings || !reported.insert(error.what()).second) return;
    Error placed(error.diagnostic());
    if (placed.diagnostic().where.place.file.empty()) place_at(placed, sources_, when->origin);
    list.push_back(placed.diagnostic());
  };
  const auto alternatives = [&](const Candidate& candidate) -> const std::vector<std::uint32_t>& {
    if (composition_.document(candidate.document).document->in_node_category) return of_node;
    const When* when = candidate.binding->statement->when;
    const auto added = known.try_emplace(when);
    if (!added.second) return added.first->second;
    std::vector<std::uint32_t>& made = added.first->second;
    try {
      for (auto& tests : static_alternatives(when, evaluate))
        made.push_back(numbers.emplace(std::move(tests), numbers.size()).first->second);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      complain(error, when);
    }
    return made;
  };
  // A higher layer that always binds the key settles a tie for all nodes, optional or not.
  const auto always_bound_above = [&](std::span<const Candidate> candidates, std::uint32_t layer) {
    return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& one) {
      if (one.layer >= layer) return false;
      const auto& sets = alternatives(one);
      return std::find(sets.begin(), sets.end(), kAlways) != sets.end();
    });
  };
  Candidates told;
  StopCheck stop_check(expressions_.limits().stop);
  for (std::uint32_t key = 0; key < composition_.key_count() && out.errors.size() < kMostFindings; ++key) {
    stop_check.tick();
    const auto candidates = composition_.candidates(key);
    if (candidates.size() < 2) continue;
    std::map<std::pair<std::uint32_t, std::uint32_t>, const Candidate*> seen;  // By layer and set of conditions.
    for (const Candidate& candidate : candidates) {
      for (const std::uint32_t set : alternatives(candidate)) {
        const auto added = seen.emplace(std::make_pair(candidate.layer, set), &candidate);
        if (added.second || added.first->second == &candidate || !told.insert(&candidate).second) continue;
        static_conflict(key, *added.first->second, candidate, always_bound_above(candidates, candidate.layer), out);
      }
    }
  }
  return told;
}

void Checker::static_conflict(std::uint32_t key, const Candidate& first, const Candidate& second, bool settled,
                              Findings& out) {
  const StatementReport one = composition_.told(first);
  const StatementReport other = composition_.told(second);
  const Error error =
      Error(settled ? "bindings.shadowed-conflict" : "bindings.conflict",
            fmt::format("{} is bound twice in layer '{}' under the same conditions ({}): by {} and by {}",
                        composition_.readable(key), one.layer, condition_text(second.binding->statement->when),
                        one.document, other.document))
          .at(sources_, Composition::origin(second))
          .note(
              sources_, Composition::origin(first),
              fmt::format("also bound here, by {} ({})", one.document, condition_text(first.binding->statement->when)))
          .hint(
              "bind it in a higher layer, put one of them under a more specific category, or exclude one of the "
              "documents from the layer");
  (settled ? out.warnings : out.errors).push_back(error.diagnostic());
}

void Checker::warn_of_statements(const Candidates& told, Findings& out) {
  const auto warn = [&](std::string_view code, std::string message, Origin origin) {
    if (out.warnings.size() < kMostFindings)
      out.warnings.push_back(Error(code, std::move(message)).at(sources_, origin).diagnostic());
  };
  std::set<const When*> seen;
  for (std::uint32_t d = 0; d < composition_.document_count(); ++d) {
    const Guards& guards = composition_.document(d).prepared->guards;
    for (std::uint32_t guard = Guards::kNode + 1; guard < guards.size(); ++guard) {
      const When* when = guards.when(guard);
      if (!seen.insert(when).second) continue;
      const When own{when->guard, nullptr, when->origin};
      for_each_predicate(&own, [&](const Predicate& predicate) {
        if (composition_.categories().find(predicate.category) != nullptr) return;
        warn("bindings.no-category", fmt::format("unknown category '{}': this is never in effect", predicate.category),
             predicate.origin);
      });
      try {
        if (static_alternatives(when, composition_.resolve()).empty()) {
          warn("bindings.contradiction",
               fmt::format("'{}' contradicts itself: this is never in effect", condition_text(when)), when->origin);
        }
      } catch (const Error& error) {
        if (error.ends_request()) throw;
        continue;  // It was reported as an error.
      }
    }
  }
  std::set<std::string_view> ids{"included_classes", "excluded_classes"};
  for (std::uint32_t key = 0; key < composition_.key_count(); ++key) warn_of_key(key, warn, told, ids);
  for (const std::string_view id : composition_.ids()) {
    if (ids.contains(id)) continue;
    for (const Contributed& each : composition_.contributions(id)) {
      if (!composition_.in_effect(each.guard)) continue;
      warn("bindings.orphan", fmt::format("no multibind has the id '{}': the contribution is ignored", id),
           each.statement->statement->origin);
    }
  }
}

void Checker::warn_of_key(std::uint32_t key, const Warn& warn, const Candidates& told,
                          std::set<std::string_view>& ids) {
  const Effective effective = composition_.effective(key);
  const KeyText text = composition_.text(key);
  if (effective.winner != nullptr && (effective.winner->flags & (Candidate::kMultibind | Candidate::kOtherName)) != 0) {
    try {
      const Candidate* multibind = references_.behind_rebinds(key, *effective.winner);
      const auto id = multibind == nullptr ? std::nullopt : references_.id_of(*multibind);
      if (id) ids.insert(*id);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return;  // It was reported as an error.
    }
  }
  std::map<Rank, const Candidate*> ranks;
  for (const Candidate& candidate : composition_.candidates(key)) {
    const Statement& statement = *candidate.binding->statement;
    const Rank rank = composition_.rank(candidate);
    if (rank == 0) continue;
    const Origin origin = Composition::origin(candidate);
    const bool wins = &candidate == effective.winner;
    if (!wins && candidate.binding->is_override && statement.form != Form::alias && statement.form != Form::renamed) {
      const bool something = composition_.below(key, rank).winner != nullptr;
      if (!something)
        warn("bindings.idle-override",
             fmt::format("{} overrides nothing, but is not effective", composition_.readable(key)), origin);
    }
    if ((statement.form == Form::alias || statement.form == Form::renamed) && statement.is_override) {
      warn("bindings.idle-override",
           fmt::format("'override' has no effect on another name: {}", composition_.readable(key)), origin);
    }
    if (!wins && statement.form == Form::rebind) {
      warn("bindings.idle-rebind",
           fmt::format("rebind of {} has no effect: a binding of higher precedence is there",
                       composition_.readable(key)),
           origin);
    }
    const auto tied = ranks.emplace(rank, &candidate);
    if (!tied.second && effective.winner != nullptr && composition_.rank(*effective.winner) != rank &&
        !told.contains(&candidate)) {
      warn("bindings.shadowed-conflict",
           fmt::format("{} is bound twice in layer '{}' with the same precedence; what is above it hides this",
                       composition_.readable(key), composition_.layer_name(candidate.layer)),
           origin);
    }
    constexpr std::string_view kVariable = "/var/";
    if (wins && text.type.empty() && text.name.starts_with(kVariable) && request_.facts.is_mapping() &&
        request_.facts.find(text.name.substr(kVariable.size())) != nullptr) {
      warn("bindings.hides-fact",
           fmt::format("the variable ${} hides a fact of that name", text.name.substr(kVariable.size())), origin);
    }
  }
}

}  // namespace strata::bindings
