// SPDX-License-Identifier: Apache-2.0
// Where a node's lookups of all keys search: what its hierarchies come to, without its variables.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data_file.hpp"
#include "searched_sources.hpp"
#include "view.hpp"

namespace strata::hiera {

/// The data files of all hierarchies of a node, weakest first. Immutable; it keeps the Snapshot that they belong to.
class NodeFiles {
 public:
  struct File {
    std::string_view path;  ///< Absolute.
    std::uint64_t place;    ///< As SearchedSource::place.
    const DataFile* data;   ///< Null: it does not exist.
  };

  using Paths = std::deque<std::string>;

  /// `paths`: what owns those of the files. `modules`: of the code directory, in the order of their numbers in places.
  NodeFiles(std::shared_ptr<Snapshot> snapshot, std::shared_ptr<const Paths> paths, std::vector<std::string> modules,
            std::vector<File> files)
      : snapshot_(std::move(snapshot)),
        paths_(std::move(paths)),
        modules_(std::move(modules)),
        files_(std::move(files)) {}
  /// The same files in another state, where they hold something else.
  NodeFiles(std::shared_ptr<Snapshot> snapshot, const NodeFiles& of, std::vector<File> files)
      : snapshot_(std::move(snapshot)), paths_(of.paths_), modules_(of.modules_), files_(std::move(files)) {}

  [[nodiscard]] const std::vector<File>& files() const noexcept { return files_; }
  [[nodiscard]] const std::vector<std::string>& modules() const noexcept { return modules_; }
  [[nodiscard]] const std::shared_ptr<Snapshot>& snapshot() const noexcept { return snapshot_; }

 private:
  std::shared_ptr<Snapshot> snapshot_;
  std::shared_ptr<const Paths> paths_;
  std::vector<std::string> modules_;
  std::vector<File> files_;
};

/// Null: a source reads something else than a shared file, or something else than these files decides (older versions
/// of hiera.yaml, expressions in `lookup_options`). `modules`: as for searched_sources. Errors: those of configurations
/// and of data files.
[[nodiscard]] std::shared_ptr<const NodeFiles> node_files(detail::ViewState& view, const WantedModules& modules = {});

}  // namespace strata::hiera
