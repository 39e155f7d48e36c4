// SPDX-License-Identifier: Apache-2.0
#include "files_ahead.hpp"

#include <utility>

#include "strata/error.hpp"

namespace strata::hiera {

FilesAhead::FilesAhead(const DataFiles& files)
    : files_(files),
      threads_(files.session().snapshot().engine().settings().executor, files.session().limits().depth,
               [this] { read(); }) {}

FilesAhead::~FilesAhead() {
  const std::lock_guard lock(mutex_);
  waiting_.clear();
}

void FilesAhead::expect(std::vector<File> files) {
  if (threads_.width() == 0 || files.size() < 2 || !files_.shares_files()) return;
  std::size_t bytes = 0;
  try {
    for (const File& file : files) bytes += files_.size(file.path);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return;  // Whoever opens the file tells of it.
  }
  if (bytes < kLeast) return;
  const std::size_t count = files.size() - 1;
  {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(files);
  }
  for (std::size_t i = 0; i < count; ++i) threads_.call();
}

/// What a thread does: from the last file on, since the caller begins with the first.
void FilesAhead::read() noexcept {
  for (;;) {
    File file;
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.empty()) return;
      file = std::move(waiting_.back());
      waiting_.pop_back();
    }
    try {
      auto parsed = files_.parse(file.path, file.reader);
      const std::lock_guard lock(mutex_);
      parsed_.push_back(std::move(parsed));
    } catch (...) {
      // Whoever opens the file gets the same error, at its time.
    }
  }
}

}  // namespace strata::hiera
