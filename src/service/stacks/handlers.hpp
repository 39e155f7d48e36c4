// SPDX-License-Identifier: Apache-2.0
// What the routes of the face do. Each may throw Refused, and Errors of the store.
#pragma once

#include <string>
#include <string_view>

#include "service/face.hpp"

namespace strata::service::stacks {

// Of stacks. The routes capture `{project}`, `{name}` and `{id}`.
[[nodiscard]] Response list_stacks(const Call& call);
[[nodiscard]] Response list_details(const Call& call);
/// Requests on a name or an id are sent to the place of the stack.
[[nodiscard]] Response redirect(const Call& call);
[[nodiscard]] Response show_stack(const Call& call);
[[nodiscard]] Response show_environment(const Call& call);
[[nodiscard]] Response show_files(const Call& call);
[[nodiscard]] Response show_template(const Call& call);
[[nodiscard]] Response list_outputs(const Call& call);
[[nodiscard]] Response show_output(const Call& call);
[[nodiscard]] Response export_stack(const Call& call);

// Of events and resources, of which there are none.
[[nodiscard]] Response list_events(const Call& call);
[[nodiscard]] Response list_resource_events(const Call& call);
[[nodiscard]] Response show_event(const Call& call);
/// A route below a stack whose answer is an empty list called `member`.
[[nodiscard]] Response empty_list_of_stack(const Call& call, std::string_view member);
/// A route of one resource: no stack has one.
[[nodiscard]] Response unknown_resource(const Call& call);

// Writes, and what would be written.
[[nodiscard]] Response create_stack(const Call& call);
[[nodiscard]] Response preview_stack(const Call& call);
[[nodiscard]] Response replace_stack(const Call& call);
[[nodiscard]] Response patch_stack(const Call& call);
[[nodiscard]] Response preview_replace(const Call& call);
[[nodiscard]] Response preview_patch(const Call& call);
[[nodiscard]] Response delete_stack(const Call& call);
[[nodiscard]] Response validate_template(const Call& call);

/// Something that only a service which deploys can do: 501 if the stack is there.
[[nodiscard]] Response not_run(const Call& call, std::string_view what);

}  // namespace strata::service::stacks
