// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/workspace.hpp"

#include <utility>

namespace strata::text {
namespace {

constexpr std::size_t kMostKept = std::size_t{1}
                                  << 20U;   ///< Bytes that each part of a workspace keeps for the next text.
constexpr std::size_t kMostWorkspaces = 4;  ///< Of a thread. More are seldom needed at once.

std::vector<std::unique_ptr<YamlWorkspace>>& unused() {
  thread_local std::vector<std::unique_ptr<YamlWorkspace>> workspaces;
  return workspaces;
}

template <class Item>
void empty(std::vector<Item>& items) {
  items.clear();
  if (items.capacity() * sizeof(Item) > kMostKept) std::vector<Item>().swap(items);
}

}  // namespace

YamlWorkspace::Lease::Lease() {
  auto& workspaces = unused();
  if (workspaces.empty()) {
    workspace_ = std::make_unique<YamlWorkspace>();
  } else {
    workspace_ = std::move(workspaces.back());
    workspaces.pop_back();
  }
}

YamlWorkspace::Lease::~Lease() {
  auto& workspaces = unused();
  if (workspaces.size() == kMostWorkspaces) return;
  workspace_->tape.stop_with(nullptr);
  workspace_->tape.shrink(kMostKept);
  empty(workspace_->frames);
  empty(workspace_->items);
  empty(workspace_->entries);
  empty(workspace_->merged);
  empty(workspace_->merged_in_place);
  if (workspaces.capacity() == 0) workspaces.reserve(kMostWorkspaces);
  workspaces.push_back(std::move(workspace_));
}

}  // namespace strata::text
