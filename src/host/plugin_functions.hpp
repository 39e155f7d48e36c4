// SPDX-License-Identifier: Apache-2.0
// The functions that a plugin may call: strata_host_v1 of plugin.h.
#pragma once

#include "plugin_server.hpp"

namespace strata::plugin {

/// The functions of the only plugin in this process. Both must outlive it. They throw no exceptions.
[[nodiscard]] strata_host_v1 host_functions(strata_registrar& registrar, Server& server);

}  // namespace strata::plugin
