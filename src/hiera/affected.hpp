// SPDX-License-Identifier: Apache-2.0
// Which root keys of a node can come to another value because some files differ: known from the files, without looking
// anything up.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data_file.hpp"
#include "value/seeded_hash.hpp"

namespace strata::hiera {

namespace detail {
struct ViewState;
}  // namespace detail

/// What the texts of a data file name.
struct FileIndex {
  struct Names {
    std::set<std::string, std::less<>> keys;       ///< Root keys that are looked up.
    std::set<std::string, std::less<>> variables;  ///< As expressions name them.
  };
  /// By root key: those whose texts have expressions.
  TextMap<Names> names;
  /// The root keys whose texts look up a root key, by that key.
  TextMap<std::vector<std::string>> named_by;
  /// Root keys whose texts can make expressions out of parts: what they look up is known only then.
  std::vector<std::string> dynamic;
};
/// Errors: none; texts that cannot be understood are dynamic.
[[nodiscard]] FileIndex index_of(const DataFile& file);

/// How two versions of a data file differ.
struct FileDelta {
  std::vector<std::string> keys;  ///< Root keys that only one has, or whose values are not identical.
  bool is_any = false;            ///< More than that: patterns of lookup_options.
};
/// Null: the file does not exist.
[[nodiscard]] FileDelta delta_of(const DataFile* before, const DataFile* after);

/// The modules whose data lookups of `names` can come to, also through what the texts that they find look up. No value:
/// any. Errors: those of configurations and of data files.
[[nodiscard]] std::optional<std::set<std::string, std::less<>>> modules_of(detail::ViewState& view,
                                                                           std::span<const std::string> names);

/// Whether the variables of a node are data without expressions: values of variables are interpolated, too.
[[nodiscard]] bool are_variables_plain(const Facts& facts);

}  // namespace strata::hiera
