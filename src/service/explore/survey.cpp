#include "service/explore/survey.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "report/lines.hpp"
#include "service/explore/table.hpp"
#include "service/sites/askers.hpp"
#include "strata/merge.hpp"
#include "strata/paths.hpp"

namespace strata::service::explore {
namespace {

bool wins(const merge::Contribution& one) { return one.fate == merge::Fate::won || one.fate == merge::Fate::merged; }

Spot spot_of(const Place& place) { return {.file = place.file, .line = place.line.value_or(0), .column = place.column.value_or(0)}; }

/// Adds the layers of one subject to those of all, so that both orders hold where they agree.
void add_order(std::vector<std::string>& all, const std::vector<std::string>& names) {
  auto place = all.size();
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const auto known = std::ranges::find(all, *name);
    if (known == all.end()) {
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(place), *name);
    } else {
      place = static_cast<std::size_t>(known - all.begin());
    }
  }
}

using Levels = std::map<std::string, std::string>;  ///< By file.

/// The levels of the files that a subject reads, each once.
std::vector<std::string> in_order(const Levels& levels, analysis::SubjectFiles& files, const std::string& folder) {
  std::vector<std::string> out;
  for (const analysis::ConfigurationFile& file : files.read()) {
    const auto level = levels.find(shown_path(file.path, folder));
    if (level != levels.end() && std::ranges::find(out, level->second) == out.end()) out.push_back(level->second);
  }
  return out;
}

class Surveyor {
 public:
  Surveyor(Survey& out, const std::string& folder) : out_(out), folder_(folder) {}

  void add(const std::string& name, analysis::Subject& subject, const analysis::Subject::Answer& answer) {
    ++out_.subjects;
    count_readers(answer.reads);
    const analysis::Outcome& outcome = answer.outcome;
    if (outcome.failure || outcome.history == nullptr || outcome.sources == nullptr) return;
    for (const analysis::Item& item : outcome.items) {
      if (item.failure) continue;
      for (const merge::PathHistory& path : outcome.history->explain({.value = item.value, .slot = item.slot})) add(name, item.name, path, outcome);
    }
    add_order(order_, in_order(levels_, *subject.files(), folder_));
  }

  void finish() {
    tell_readers();
    std::map<std::string, std::set<std::string>> files;
    for (const auto& [file, level] : levels_) files[level].insert(file);
    for (const std::string& name : order_) {
      out_.layers.push_back({.name = name, .files = files[name]});
      files.erase(name);
    }
    for (auto& [name, of] : files) out_.layers.push_back({.name = name, .files = std::move(of)});
  }

 private:
  void add(const std::string& subject, const std::string& item, const merge::PathHistory& path, const analysis::Outcome& outcome) {
    std::vector<Spot> winners;
    std::size_t losers = 0;
    for (const merge::Contribution& one : path.contributions) {
      const Place place = outcome.sources->place(one.value.origin());
      if (one.layer != merge::kNoLayer && place.line && place.part.empty()) {
        levels_.try_emplace(place.file, level_of(outcome.history->layer_name(one.layer), place.file));
      }
      if (wins(one)) {
        winners.push_back(spot_of(place));
      } else {
        ++losers;
      }
    }
    if (losers != 0 && !winners.empty()) {
      for (const merge::Contribution& one : path.contributions) {
        if (wins(one)) continue;
        const Place place = outcome.sources->place(one.value.origin());
        if (place.line) ++out_.rivals[{place.file, *place.line}][winners.back()];
      }
    }
    if (!path.value) return;
    const std::string key = place_key(item, path.path.pointer());
    const auto [found, is_new] = out_.places.try_emplace(key);
    if (is_new) out_.order.push_back(key);
    Common& common = found->second;
    ++common.subjects;
    common.losers += losers;
    common.overridden += losers == 0 ? 0 : 1;
    Common::Had& had = common.values[hash_of(path.value)];
    if (++had.subjects == 1) {
      constexpr std::size_t kSearched = 400;
      had.first = subject;
      if (!path.value.is_secret())
        had.text = report::first_points(path.value.is_text() ? std::string(path.value.text()) : report::one_line(path.value), kSearched);
    }
    ++common.origins[spot_of(outcome.sources->place(path.value.origin()))];
  }

  /// Subjects that read the same often share one object.
  void count_readers(const std::shared_ptr<const analysis::Reads>& reads) {
    constexpr std::size_t kMostKept = 1024;
    if (reads == nullptr) return;
    if (reads_.size() >= kMostKept) tell_readers();
    ++reads_[reads];
  }
  void tell_readers() {
    for (const auto& [reads, count] : reads_) {
      for (const std::string& file : reads->files) out_.readers[file] += count;
    }
    reads_.clear();
  }

  Survey& out_;
  const std::string& folder_;
  std::map<std::shared_ptr<const analysis::Reads>, std::size_t> reads_;  ///< Subjects that are not in Survey::readers yet.
  Levels levels_;
  std::vector<std::string> order_;
};

/// How evenly a fact splits so many subjects: 1 where all its values are equally frequent.
double evenness(const std::vector<std::pair<std::string, std::size_t>>& values, std::size_t subjects) {
  double entropy = 0;
  for (const auto& [text, count] : values) {
    const double share = static_cast<double>(count) / static_cast<double>(subjects);
    entropy -= share * std::log2(share);
  }
  return entropy / std::log2(static_cast<double>(values.size()));
}

}  // namespace

std::uint64_t Common::most() const {
  std::uint64_t out = 0;
  std::size_t count = 0;
  for (const auto& [hash, had] : values) {
    if (had.subjects <= count) continue;
    count = had.subjects;
    out = hash;
  }
  return out;
}

std::string place_key(std::string_view item, std::string_view path) {
  std::string out(item);
  out += '\0';
  return out += path;
}

std::pair<std::string, std::string> place_of_key(std::string_view key) {
  const std::size_t end = key.find('\0');
  return {std::string(key.substr(0, end)), std::string(key.substr(std::min(end + 1, key.size())))};
}

std::string level_of(std::string_view layer, std::string_view file) {
  if (layer == file) return std::string(layer);
  for (std::size_t slash = layer.find('/'); slash != std::string_view::npos; slash = layer.find('/', slash + 1)) {
    const std::string_view path = layer.substr(slash + 1);
    const bool ends = !path.empty() && file.ends_with(path) && (file.size() == path.size() || file[file.size() - path.size() - 1] == '/');
    if (ends && slash != 0) return std::string(layer.substr(0, slash));
  }
  return std::string(layer);
}

std::vector<std::string> layers_of(const Table& table, analysis::SubjectFiles& files, const std::string& folder) {
  Levels levels;
  for (const Row& row : table.rows) {
    if (row.is_leaf && row.origin.line && !row.layer.empty()) levels.try_emplace(row.origin.file, level_of(row.layer, row.origin.file));
  }
  std::vector<std::string> out = in_order(levels, files, folder);
  for (const auto& [file, level] : levels) {
    if (std::ranges::find(out, level) == out.end()) out.push_back(level);
  }
  return out;
}

Survey make_survey(const analysis::Question& question, const analysis::State& state, const std::string& folder) {
  Survey out;
  Surveyor surveyor(out, folder);
  const auto asked = question.in(state, analysis::Question::History::yes);
  while (const auto subject = asked->next()) {
    const analysis::Subject::Answer answer = subject->ask(std::nullopt);
    surveyor.add(subject->name().empty() ? std::string(sites::kOnly) : subject->name(), *subject, answer);
  }
  surveyor.finish();
  return out;
}

Facets make_facets(const analysis::Question& question, const analysis::State& state) {
  constexpr std::size_t kMostFacets = 8;
  constexpr std::size_t kMostValues = 50;
  struct Candidate {
    std::map<std::string, std::uint32_t> numbers;
    std::vector<std::size_t> counts;
    std::size_t subjects = 0;
    bool is_out = false;
  };
  std::map<std::string, Candidate> candidates;
  using Had = std::vector<std::pair<Candidate*, std::uint32_t>>;
  std::vector<std::pair<std::string, Had>> subjects;
  const auto asked = question.in(state, analysis::Question::History::no);
  while (const auto subject = asked->next()) {
    auto& [name, had] = subjects.emplace_back(subject->name().empty() ? std::string(sites::kOnly) : subject->name(), Had());
    for (const std::string& fact : subject->files()->fact_names()) {
      Candidate& candidate = candidates[fact];
      if (candidate.is_out) continue;
      const std::optional<std::string> value = subject->fact(fact);
      if (!value) continue;
      const auto [found, is_new] = candidate.numbers.try_emplace(*value, static_cast<std::uint32_t>(candidate.counts.size()));
      if (is_new) candidate.counts.push_back(0);
      if (candidate.counts.size() > kMostValues) {
        candidate.is_out = true;
        continue;
      }
      ++candidate.counts[found->second];
      ++candidate.subjects;
      had.emplace_back(&candidate, found->second);
    }
  }
  struct Chosen {
    Facets::Facet facet;
    const Candidate* candidate;
    double evenness;
  };
  std::vector<Chosen> chosen;
  for (const auto& [fact, candidate] : candidates) {
    const std::size_t distinct = candidate.counts.size();
    // What names each subject alone splits nothing.
    if (candidate.is_out || distinct < 2 || (distinct == candidate.subjects && distinct > 2)) continue;
    Facets::Facet facet{.fact = fact, .values = {}};
    for (const auto& [text, number] : candidate.numbers) facet.values.emplace_back(text, candidate.counts[number]);
    std::ranges::stable_sort(facet.values, [](const auto& left, const auto& right) { return left.second > right.second; });
    const double even = evenness(facet.values, candidate.subjects) * static_cast<double>(candidate.subjects) / static_cast<double>(subjects.size());
    chosen.push_back({.facet = std::move(facet), .candidate = &candidate, .evenness = even});
  }
  std::ranges::stable_sort(chosen, std::greater(), &Chosen::evenness);
  if (chosen.size() > kMostFacets) chosen.erase(chosen.begin() + kMostFacets, chosen.end());
  Facets out;
  for (const auto& [name, had] : subjects) {
    std::vector<std::uint16_t> numbers(chosen.size(), Facets::kNone);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      for (const auto& [candidate, number] : had) {
        if (candidate != chosen[i].candidate) continue;
        for (const auto& [text, known] : candidate->numbers) {
          if (known != number) continue;
          const auto& values = chosen[i].facet.values;
          const auto at = std::ranges::find(values, text, &std::pair<std::string, std::size_t>::first);
          numbers[i] = static_cast<std::uint16_t>(at - values.begin());
        }
      }
    }
    out.of.emplace(name, std::move(numbers));
  }
  for (Chosen& one : chosen) out.facets.push_back(std::move(one.facet));
  return out;
}

}  // namespace strata::service::explore
