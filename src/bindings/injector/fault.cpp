// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/fault.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace strata::bindings {

Fault fault_of(const Error& error) noexcept {
  static constexpr std::array<std::pair<std::string_view, Fault>, 5> kFaults{{{"bindings.abstract", Fault::composition},
                                                                              {"bindings.conflict", Fault::composition},
                                                                              {"bindings.loop", Fault::loop},
                                                                              {"bindings.no-value", Fault::absent},
                                                                              {"bindings.not-bound", Fault::absent}}};
  for (const auto& [code, fault] : kFaults) {
    if (error.code() == code) return fault;
  }
  return Fault::other;
}

}  // namespace strata::bindings
