// What a plugin may call: strata_host_v1 of plugin.h.
#pragma once

#include "plugin_server.hpp"

namespace strata::plugin {

/// The functions of this process's one plugin. Both must outlive it. No exception leaves them.
[[nodiscard]] strata_host_v1 host_functions(strata_registrar& registrar, Server& server);

}  // namespace strata::plugin
