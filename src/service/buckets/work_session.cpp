// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/work_session.hpp"

#include "strata/file_tree.hpp"
#include "strata/snapshot.hpp"

namespace strata::service::buckets {

std::unique_ptr<Session> work_session(const Call& call, std::size_t input) {
  static const std::shared_ptr<const FileTree> nothing = memory_tree({});
  auto snapshot = Snapshot::make(call.core.engine(), nothing);
  snapshot->add_input(input);
  return std::make_unique<Session>(
      std::move(snapshot),
      SessionSettings{.limits = call.core.limits(call), .is_whole_process = call.core.settings().is_whole_process});
}

}  // namespace strata::service::buckets
