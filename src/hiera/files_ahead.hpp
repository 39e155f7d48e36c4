// SPDX-License-Identifier: Apache-2.0
// Parses data files on other threads before a lookup asks for them.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "data_file.hpp"
#include "value/lent_threads.hpp"

namespace strata::hiera {

/// Helps one view. What it parses is the Snapshot's; errors are left to whoever opens the file.
class FilesAhead {
 public:
  /// `files` must outlive this object.
  explicit FilesAhead(const DataFiles& files);
  /// What nobody has begun is left.
  ~FilesAhead();
  FilesAhead(const FilesAhead&) = delete;
  FilesAhead& operator=(const FilesAhead&) = delete;

  struct File {
    std::string path;
    Reader reader;
  };
  /// Files that exist and will be opened in this order. Does nothing if they are small.
  void expect(std::vector<File> files);

 private:
  void read() noexcept;

  static constexpr std::size_t kLeast = std::size_t{1} << 18U;  ///< Bytes. Fewer are not worth a thread.

  const DataFiles& files_;
  std::mutex mutex_;  ///< Of all below.
  std::vector<File> waiting_;
  std::vector<std::shared_ptr<const DataFile>> parsed_;
  strata::detail::LentThreads threads_;  ///< Ends before all others.
};

}  // namespace strata::hiera
