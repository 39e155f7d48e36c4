// SPDX-License-Identifier: Apache-2.0
// The list of everything that a node's lookups search.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data_source.hpp"
#include "view.hpp"

namespace strata::hiera {

class Evaluation;

struct SearchedSource {
  DataSource* source;
  std::shared_ptr<Evaluation> asked_by;  ///< Provides the services of the caller.
  /// The position in the hierarchies, and whether other sources share it. It decides how values are merged with those
  /// of others.
  std::uint64_t place;
  std::string prefix;     ///< For a module's sources: only names with this prefix are looked up in it.
  std::string_view path;  ///< Of its location: absolute, or an URI. Empty if it has none. The view's.
};

/// Whether the layer of a module is wanted. Null: all are.
using WantedModules = std::function<bool(std::string_view module)>;

/// One location of the hierarchies, there or not.
struct SearchedLocation {
  Layer& layer;
  ResolvedEntry& entry;
  Location& location;
  std::uint64_t place;  ///< As SearchedSource::place.
  const std::shared_ptr<Evaluation>& asked_by;

  /// The source of a location that exists. Null if it does not, or has disappeared. Errors: those of data files.
  [[nodiscard]] DataSource* open() const;
};
/// Calls `use` with each location of all existing layers, weakest first, until it says no; whether it never did.
/// Errors: those of configurations, and those of `use`.
bool each_location(detail::ViewState& view, const WantedModules& modules,
                   const std::function<bool(const SearchedLocation&)>& use);

/// Calls `use` with each source of all existing layers, weakest first, once it is opened. `modules`: the layers wanted;
/// null: all. Errors: those of configurations, of data files, and those of `use`.
void each_source(detail::ViewState& view, const WantedModules& modules,
                 const std::function<void(SearchedSource source)>& use);

/// The opened sources of all existing layers, weakest first. `modules`: the layers wanted; null: all.
/// Errors: those of configurations and of data files.
[[nodiscard]] std::vector<SearchedSource> searched_sources(detail::ViewState& view, const WantedModules& modules);

/// Adds the root keys that can be found in a source.
void list_keys(const SearchedSource& searched, std::vector<std::string_view>& keys);

}  // namespace strata::hiera
