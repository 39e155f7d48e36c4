// SPDX-License-Identifier: Apache-2.0
// Work on a stack that is large enough, whichever thread asks.
#pragma once

#include <cstddef>
#include <functional>

namespace strata::c {

/// Does `work` here if the stack of this thread holds values that nest `levels` deep, else on a thread of its own, and
/// waits for it. So an answer does not depend on the stack of who asks. Throws what `work` throws, and Error
/// `limit.stack` where there can be no such thread.
void on_deep_stack(std::size_t levels, const std::function<void()>& work);
/// The same for work that reads options, and knows then only how deep values may nest: as deep as options can say.
void on_deepest_stack(const std::function<void()>& work);

}  // namespace strata::c
