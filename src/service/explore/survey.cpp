// SPDX-License-Identifier: Apache-2.0
#include "service/explore/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "analysis/secret_texts.hpp"
#include "analysis/secrets/secret_values.hpp"
#include "merge/contributions.hpp"
#include "report/lines.hpp"
#include "service/explore/table.hpp"
#include "service/sites/askers.hpp"
#include "strata/merge.hpp"
#include "strata/paths.hpp"
#include "workspace/quiet_tree.hpp"

namespace strata::service::explore {
namespace {

Spot spot_of(const Place& place) {
  return {.file = place.file, .line = place.line.value_or(0), .column = place.column.value_or(0)};
}

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

/// The levels of the files that a subject reads, each once. `strays`: files without a level get their own names as
/// such, and are noted.
std::vector<std::string> in_order(const Levels& levels, analysis::SubjectFiles& files, const std::string& folder,
                                  std::set<std::string>* strays) {
  constexpr std::size_t kMostStrays = 1000;
  std::vector<std::string> out;
  for (const analysis::ConfigurationFile& file : files.read()) {
    std::string name = shown_path(file.path, folder);
    if (const auto level = levels.find(name); level != levels.end()) {
      name = level->second;
    } else if (strays == nullptr || (strays->size() >= kMostStrays && !strays->contains(name))) {
      continue;
    } else {
      strays->insert(name);
    }
    if (std::ranges::find(out, name) == out.end()) out.push_back(std::move(name));
  }
  return out;
}

std::string folder_of(std::string_view file) {
  return std::string(file.substr(0, file.rfind('/') == std::string_view::npos ? 0 : file.rfind('/')));
}

class Surveyor {
 public:
  Surveyor(Survey& out, const FileTree& tree, const std::string& folder, const query::Traits& traits)
      : out_(out), tree_(tree), folder_(folder), traits_(traits), traces_(!traits.has_statements) {}

  void add(const std::string& name, analysis::Subject& subject, const analysis::Subject::Answer& answer) {
    ++out_.subjects;
    subjects_.insert(name);
    const bool is_own = subject.reads() != nullptr;
    if (is_own) {
      count_readers(answer.reads);
    } else {
      shared_reads_ = answer.reads;  // Those of the subjects before it, too.
    }
    const analysis::Outcome& outcome = answer.outcome;
    if (outcome.failure || outcome.history == nullptr || outcome.sources == nullptr) return;
    named_.clear();
    met_.clear();
    for (const analysis::Item& item : outcome.items) {
      if (item.failure) continue;
      for (const merge::PathHistory& path : outcome.history->explain({.value = item.value, .slot = item.slot}))
        add(name, item.name, path, outcome);
    }
    if (!is_own) {
      for (const std::string& file : named_) ++named_by_[absolute_path(folder_, file)];
    }
    names_.add(met_);
    add_order(order_, in_order(levels_, *subject.files(), folder_, &strays_));
  }

  void finish() {
    // What results and names show anyway is not hidden in other texts.
    for (const auto& [place, common] : out_.places) {
      for (const auto& [hash, had] : common.values) out_.secrets.texts.erase(had.text);
    }
    for (const std::string& name : subjects_) out_.secrets.texts.erase(name);
    tell_readers();
    find_files();
    std::map<std::string, std::set<std::string>> files;
    std::map<std::string, std::string> keys;
    for (auto& [file, level] : levels_) {
      std::string& key = keys[names_.name(level)];
      if (key.empty()) key = level;
      level = names_.name(level);
      files[level].insert(file);
    }
    // Levels of several results can be one.
    std::vector<std::string> order;
    for (const std::string& key : order_) {
      std::string name = names_.name(key);
      if (std::ranges::find(order, name) == order.end()) order.push_back(std::move(name));
    }
    order_ = std::move(order);
    out_.folders = level_folders(levels_);
    // What has no value in any result belongs to the level that has the others of its folder.
    for (const std::string& stray : strays_) {
      if (levels_.contains(stray)) continue;
      const auto level = out_.folders.find(folder_of(stray));
      files[level == out_.folders.end() ? stray : level->second].insert(stray);
    }
    std::erase_if(order_, [&files](const std::string& name) { return !files.contains(name); });
    const auto add = [&](const std::string& name, std::set<std::string> of) {
      const auto key = keys.find(name);
      out_.layers.push_back(
          {.name = name, .colour = level_colour(key == keys.end() ? name : key->second), .files = std::move(of)});
    };
    for (const std::string& name : order_) {
      add(name, std::move(files[name]));
      files.erase(name);
    }
    for (auto& [name, of] : files) add(name, std::move(of));
  }

 private:
  void add(const std::string& subject, const std::string& item, const merge::PathHistory& path,
           const analysis::Outcome& outcome) {
    const bool is_secret = path.value.is_secret();
    if (is_secret) note_secret(item, path.value, outcome.sources->place(path.value.origin()));
    std::vector<Spot> winners;
    std::size_t losers = 0;
    for (const merge::Contribution& one : path.contributions) {
      const Place place = outcome.sources->place(one.value.origin());
      const bool shows = analysis::shows_secret(path, one, traits_);
      if (shows) note_secret(item, one.value, place);
      if (place.line && place.part.empty()) {
        if (one.layer != merge::kNoLayer) note_level(outcome.history->layer_name(one.layer), place.file);
        trace(place, one, shows);
      }
      if (merge::counts(one)) {
        winners.push_back(spot_of(place));
      } else {
        ++losers;
      }
    }
    // A value made of several has their losers in its history, too: it wins over none of them.
    if (losers != 0 && winners.size() == 1) {
      for (const merge::Contribution& one : path.contributions) {
        if (merge::counts(one)) continue;
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
        had.text = report::first_points(
            path.value.is_text() ? std::string(path.value.text()) : report::one_line(path.value), kSearched);
    }
    ++common.origins[spot_of(outcome.sources->place(path.value.origin()))];
  }

  void note_level(const std::string& layer, const std::string& file) {
    auto known = levels_.find(file);
    if (known == levels_.end()) known = levels_.emplace(file, LevelNames::key(layer, file)).first;
    met_.insert(known->second);
  }

  void note_secret(const std::string& item, const Value& value, const Place& place) {
    out_.secrets.items.insert(item);
    if (place.line) out_.secrets.lines.emplace(place.file, *place.line);
    out_.secrets.add(value);
  }

  /// What became of a value for the present subject.
  void trace(const Place& place, const merge::Contribution& one, bool shows_secret) {
    named_.insert(place.file);
    if (!traces_) return;
    Traced& known = traced_[place.file][{*place.line, place.column.value_or(1)}];
    known.is_secret = known.is_secret || shows_secret;
    const auto fate = static_cast<std::size_t>(one.fate);
    if (known.last.at(fate) == out_.subjects) return;
    known.last.at(fate) = out_.subjects;
    ++known.counts.at(fate);
  }

  /// Of what was asked for, what is there.
  void find_files() {
    std::erase_if(out_.readers, [this](const auto& one) { return tree_.kind(one.first) != FileKind::file; });
    for (const auto& [path, count] : named_by_) {
      if (tree_.kind(path) == FileKind::file) out_.readers[path] = out_.readers[path].value_or(0) + count;
    }
    if (shared_reads_ != nullptr) {
      for (const std::string& path : shared_reads_->files) {
        if (tree_.kind(path) == FileKind::file) out_.readers.try_emplace(path, std::nullopt);
      }
    }
    for (const auto& [file, places] : traced_) {
      const std::string path = absolute_path(folder_, file);
      const auto text = tree_.kind(path) == FileKind::file ? tree_.read(path) : std::nullopt;
      if (!text) continue;
      const auto readers = out_.readers.find(path);
      analysis::CoveredFile made{
          .file = file, .text = {}, .read_by = readers == out_.readers.end() ? 0 : readers->second.value_or(0)};
      std::vector<analysis::TextPlace> secrets;
      for (const auto& [place, known] : places) {
        const auto count = [&counts = known.counts](merge::Fate fate) {
          return counts.at(static_cast<std::size_t>(fate));
        };
        made.leaves.push_back({.path = {},
                               .line = place.first,
                               .column = place.second,
                               .won = count(merge::Fate::won),
                               .merged = count(merge::Fate::merged),
                               .shadowed = count(merge::Fate::shadowed),
                               .removed = count(merge::Fate::removed)});
        if (known.is_secret) secrets.push_back({.line = place.first, .column = place.second});
      }
      made.text = analysis::without_values(*text, secrets);
      out_.traced.push_back(std::move(made));
    }
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
      for (const std::string& file : reads->files) {
        std::optional<std::size_t>& known = out_.readers[file];
        known = known.value_or(0) + count;
      }
    }
    reads_.clear();
  }

  /// A value of a file: in how many subjects it had a fate, by merge::Fate.
  struct Traced {
    std::array<std::size_t, 4> counts = {};
    std::array<std::size_t, 4> last = {};  ///< The last subject that was counted, from 1.
    bool is_secret = false;                ///< In some result.
  };

  /// The folders whose files are all of one level.
  static std::map<std::string, std::string> level_folders(const Levels& levels) {
    std::map<std::string, std::string> out;
    std::set<std::string> mixed;
    for (const auto& [file, level] : levels) {
      const std::string folder = folder_of(file);
      if (file == level || out.try_emplace(folder, level).first->second != level) mixed.insert(folder);
    }
    for (const std::string& folder : mixed) out.erase(folder);
    return out;
  }

  Survey& out_;
  const workspace::QuietTree tree_;  ///< Of what a question asks for, some leads out of the repository of a revision.
  const std::string& folder_;
  const query::Traits& traits_;
  std::set<std::string> subjects_;  ///< Their names.
  bool traces_;                     ///< Coverage does not look at the files.
  std::map<std::shared_ptr<const analysis::Reads>, std::size_t>
      reads_;  ///< Subjects that are not in Survey::readers yet.
  std::shared_ptr<const analysis::Reads>
      shared_reads_;                             ///< Of subjects for which it is unknown what each of them reads.
  std::map<std::string, std::size_t> named_by_;  ///< How many of these have values of a file, by absolute path.
  std::set<std::string> named_;                  ///< Files that the present subject has values of.
  std::map<std::string, std::map<std::pair<std::uint32_t, std::uint32_t>, Traced>>
      traced_;                 ///< By file, line and column.
  Levels levels_;              ///< By their keys until all subjects have been asked.
  std::set<std::string> met_;  ///< The keys of those of the present subject.
  LevelNames names_;
  std::set<std::string> strays_;  ///< Files without a level when they were read.
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

void find_layers(Table& table, analysis::SubjectFiles& files, const std::string& folder) {
  Levels levels;  // The first one of each file.
  std::set<std::string> keys;
  const auto key_of = [&levels](const Row& row) {
    if (!row.layer.empty()) return LevelNames::key(row.layer, row.origin.file);
    const auto known = levels.find(row.origin.file);
    return known == levels.end() ? std::string() : known->second;
  };
  for (const Row& row : table.rows) {
    if (!row.is_leaf || !row.origin.line || row.layer.empty()) continue;
    std::string key = key_of(row);
    levels.try_emplace(row.origin.file, key);
    keys.insert(std::move(key));
  }
  table.names.add(keys);
  for (Row& row : table.rows) {
    if (!row.is_leaf) continue;
    const std::string key = key_of(row);
    row.level = table.names.name(key);
    row.colour = level_colour(key);
  }
  for (auto& level : levels) level.second = table.names.name(level.second);
  table.layers = in_order(levels, files, folder, nullptr);
  std::set<std::string> told(table.layers.begin(), table.layers.end());
  for (const Row& row : table.rows) {
    if (!row.is_leaf || !row.origin.line || row.layer.empty() || !told.insert(row.level).second) continue;
    // A file can hold several layers: they stand together.
    const auto first = std::ranges::find(table.layers, levels.at(row.origin.file));
    table.layers.insert(first == table.layers.end() ? first : first + 1, row.level);
  }
}

Survey make_survey(const analysis::Question& question, const analysis::State& state, const std::string& folder) {
  Survey out;
  Surveyor surveyor(out, *state.files, folder, question.traits());
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
    auto& [name, had] =
        subjects.emplace_back(subject->name().empty() ? std::string(sites::kOnly) : subject->name(), Had());
    for (const std::string& fact : subject->files()->fact_names()) {
      Candidate& candidate = candidates[fact];
      if (candidate.is_out) continue;
      const std::optional<std::string> value = subject->fact(fact);
      if (!value) continue;
      const auto [found, is_new] =
          candidate.numbers.try_emplace(*value, static_cast<std::uint32_t>(candidate.counts.size()));
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
    std::ranges::stable_sort(facet.values,
                             [](const auto& left, const auto& right) { return left.second > right.second; });
    const double even = evenness(facet.values, candidate.subjects) * static_cast<double>(candidate.subjects) /
                        static_cast<double>(subjects.size());
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
