// SPDX-License-Identifier: Apache-2.0
// What the histories of all subjects say together: layers, places that win over others, and which values are common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "service/explore/hiding.hpp"
#include "strata/coverage.hpp"
#include "strata/question.hpp"

namespace strata::service::explore {

struct Table;

/// A place of a file, for counting.
struct Spot {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  auto operator<=>(const Spot&) const = default;
};

/// What subjects have at one place of their results.
struct Common {
  struct Had {
    std::size_t subjects = 0;
    std::string first = {};  ///< The first subject that has it.
    std::string text = {};   ///< Its beginning, for searches. Empty: it is secret.
  };
  std::size_t subjects = 0;
  std::size_t overridden = 0;  ///< Subjects for which something lost there.
  std::size_t losers = 0;
  std::map<std::uint64_t, Had> values = {};  ///< By hash (hash_of).
  std::map<Spot, std::size_t> origins = {};
  /// The hash that most subjects have; of several, the smallest.
  [[nodiscard]] std::uint64_t most() const;
};

struct Survey {
  struct Layer {
    std::string name;
    std::size_t colour = 0;
    std::set<std::string> files;
  };
  std::size_t subjects = 0;
  std::vector<Layer> layers =
      {};  ///< The strongest first. Also of files that are read and have no value in any result.
  std::map<std::string, std::string> folders =
      {};  ///< The layer that all files of a folder belong to, by the name of the folder.
  /// For each line whose values lose somewhere, the places that win there, with the number of subjects.
  std::map<std::pair<std::string, std::uint32_t>, std::map<Spot, std::size_t>> rivals = {};
  std::unordered_map<std::string, Common> places = {};  ///< By `place_key`.
  std::vector<std::string> order = {};                  ///< Its keys, in the order of finding.
  /// The files that subjects read, by absolute path: how many do. No value: some do, but the files are read for all,
  /// and nobody knows for whom.
  std::unordered_map<std::string, std::optional<std::size_t>> readers = {};
  /// Of questions whose files coverage does not look at: the files that values come from, with what becomes of these,
  /// in the form of coverage. By name.
  std::vector<analysis::CoveredFile> traced = {};
  Secrets secrets = {};
};

/// A place of results.
[[nodiscard]] std::string place_key(std::string_view item, std::string_view path);
/// The two parts of it.
[[nodiscard]] std::pair<std::string, std::string> place_of_key(std::string_view key);

/// Asks all subjects, with histories. Those that fail say nothing. Errors: those that end a run.
[[nodiscard]] Survey make_survey(const analysis::Question& question, const analysis::State& state,
                                 const std::string& folder);

/// Tells the layers of a result, strongest first, in the order in which its files are read; and of each leaf which one
/// it belongs to.
void find_layers(Table& table, analysis::SubjectFiles& files, const std::string& folder);

/// Facts that split the subjects.
struct Facets {
  struct Facet {
    std::string fact;
    std::vector<std::pair<std::string, std::size_t>> values;  ///< By count, then by text.
  };
  std::vector<Facet> facets = {};
  /// For each subject, the number of its value of each facet.
  std::unordered_map<std::string, std::vector<std::uint16_t>> of = {};
  static constexpr std::uint16_t kNone = UINT16_MAX;
};
[[nodiscard]] Facets make_facets(const analysis::Question& question, const analysis::State& state);

}  // namespace strata::service::explore
