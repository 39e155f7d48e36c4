// SPDX-License-Identifier: Apache-2.0
// Projects: the tenants of the store, and the numbers that each of them counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/database.hpp"

namespace strata::store {

struct Project {
  std::int64_t id = 0;
  std::string name;
  // The highest numbers that were given. There are no gaps, and commits are in their order.
  std::int64_t last_revision = 0;
  std::int64_t last_document = 0;
  std::int64_t last_change = 0;
  friend bool operator==(const Project&, const Project&) = default;
};

/// Whether a project can be called so: 1 to 255 bytes of UTF-8, no control characters, no slash, no blanks at its ends.
/// The name stands in paths, headers and events.
[[nodiscard]] bool is_project_name(std::string_view name) noexcept;

/// The project, locked until the end of the transaction: writers of one project wait for each other. It is made if it
/// is not there.
[[nodiscard]] Project locked_project(Transaction& transaction, std::string_view name);
/// Stores the numbers of a locked project.
void save_numbers(Transaction& transaction, const Project& project);

[[nodiscard]] std::optional<Project> find_project(Transaction& transaction, std::string_view name);
/// All projects, by name.
[[nodiscard]] std::vector<Project> projects(Transaction& transaction);

}  // namespace strata::store
