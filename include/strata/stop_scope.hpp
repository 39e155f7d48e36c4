// SPDX-License-Identifier: Apache-2.0
// The piece of work that a thread does.
#pragma once

namespace strata {

class Stop;

/// While it lives, its thread works for `stop`. Trees and writers are shared by many pieces of work and are given none:
/// they check and charge this one. So a wait for a pipe, the listing of a large folder and a long report end when the
/// work must end. `stop`: null leaves what holds already. It must outlive the scope.
class StopScope {
 public:
  explicit StopScope(const Stop* stop) noexcept;
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// Null: nothing ends the work.
  [[nodiscard]] static const Stop* stop() noexcept;

 private:
  const Stop* before_;
};

}  // namespace strata
