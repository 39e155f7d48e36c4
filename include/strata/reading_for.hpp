// SPDX-License-Identifier: Apache-2.0
// For whom a thread reads files.
#pragma once

namespace strata {

class Stop;

/// Names the work for which this thread reads: trees are shared by many pieces of work and know none, but a pipe may be
/// silent for ever. While the object lives, waiting for a pipe ends when the work must end. `stop`: null leaves what
/// holds already.
class ReadingFor {
 public:
  explicit ReadingFor(const Stop* stop) noexcept;
  ~ReadingFor();
  ReadingFor(const ReadingFor&) = delete;
  ReadingFor& operator=(const ReadingFor&) = delete;

  /// Null: nothing ends it.
  [[nodiscard]] static const Stop* stop() noexcept;

 private:
  const Stop* before_;
};

}  // namespace strata
