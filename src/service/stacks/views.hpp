// SPDX-License-Identifier: Apache-2.0
// Stacks and events as answers show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/face.hpp"
#include "service/stacks/body.hpp"
#include "store/stacks.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::service::stacks {

/// What is kept of a stack beside its environment.
struct StackSettings {
  std::string owner = {};
  bool disable_rollback = true;
  std::int64_t timeout_mins = 0;  ///< 0: none.
  std::vector<std::string> tags = {};
};
[[nodiscard]] std::string settings_text(const StackSettings& settings);
[[nodiscard]] StackSettings read_settings(const std::string& text);
/// The settings after a request: what it does not say stays, except that PUT forgets tags.
[[nodiscard]] StackSettings with_sent(StackSettings settings, const SentSettings& sent, Purpose purpose);

/// `http://HOST:PORT/v1/PROJECT`
[[nodiscard]] std::string root_of(const Call& call, std::string_view project);
/// The place of a stack: `{root}/stacks/{name}/{id}`.
[[nodiscard]] std::string place_of(const std::string& root, std::string_view name, std::string_view id);
/// A list of one link to itself.
[[nodiscard]] Value self_links(Arena& arena, const std::string& place);
/// The ETag of a stack: its generation.
[[nodiscard]] std::string etag_of(const store::Stack& stack);

/// What lists show. `root`: of the stack's project.
[[nodiscard]] Value list_item(Arena& arena, const std::string& root, const store::Stack& stack);

/// What `show` adds to it.
struct Details {
  Value state;  ///< As evaluated or kept.
  bool shows_outputs = true;
  bool is_preview = false;  ///< There is no such stack yet: it has no status.
};
[[nodiscard]] Value stack_view(Arena& arena, const std::string& root, std::string_view project,
                               const store::Stack& stack, const Details& details);

[[nodiscard]] Value event_view(Arena& arena, const std::string& root, const store::Stack& stack,
                               const store::StackEvent& event);

}  // namespace strata::service::stacks
