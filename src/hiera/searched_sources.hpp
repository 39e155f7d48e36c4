// Everything that a node's lookups search, in one list.
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
  std::shared_ptr<Evaluation> asked_by;  ///< What the source may ask of its caller.
  /// Which place of the hierarchies it has, and whether it shares that place with others: what decides how its values meet those of others.
  std::uint64_t place;
  std::string prefix;  ///< Of a module's sources: nobody asks for names that do not begin so.
};

/// The sources of all layers that are there, opened, from the weakest on. `modules`: those whose layers are wanted; null: all.
/// Errors: those of configurations and of data files.
[[nodiscard]] std::vector<SearchedSource> searched_sources(detail::ViewState& view, const std::function<bool(std::string_view module)>& modules);

/// Adds the root keys that somebody could find in a source.
void list_keys(const SearchedSource& searched, std::vector<std::string_view>& keys);

}  // namespace strata::hiera
