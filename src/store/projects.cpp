// SPDX-License-Identifier: Apache-2.0
#include "projects.hpp"

#include <algorithm>

#include "strata/text.hpp"

namespace strata::store {
namespace {

Project project_of(const Row& row) {
  return {.id = row.integer(0),
          .name = row.text(1),
          .last_revision = row.integer(2),
          .last_document = row.integer(3),
          .last_change = row.integer(4)};
}

}  // namespace

bool is_project_name(std::string_view name) noexcept {
  constexpr std::size_t kLongest = 255;
  if (name.empty() || name.size() > kLongest || name.front() == ' ' || name.back() == ' ') return false;
  const auto is_wrong = [](char one) { return static_cast<unsigned char>(one) < 0x20 || one == 0x7f || one == '/'; };
  if (std::ranges::any_of(name, is_wrong) || text::find_invalid_utf8(name) != std::string_view::npos) return false;
  // U+0080 to U+009F are control characters, too.
  for (std::size_t at = name.find('\xc2'); at != std::string_view::npos; at = name.find('\xc2', at + 1)) {
    if (static_cast<unsigned char>(name[at + 1]) < 0xa0) return false;
  }
  return true;
}

Project locked_project(Transaction& transaction, std::string_view name) {
  constexpr std::string_view kFind =
      "SELECT id, name, last_revision, last_document, last_change FROM project WHERE name = $1 {for-update}";
  Rows rows = transaction.run(kFind, {name});
  if (rows.empty()) {
    transaction.send("INSERT INTO project (name) VALUES ($1) ON CONFLICT (name) DO NOTHING", {name});
    rows = transaction.run(kFind, {name});
  }
  return project_of(rows.front());
}

void save_numbers(Transaction& transaction, const Project& project) {
  transaction.send("UPDATE project SET last_revision = $2, last_document = $3, last_change = $4 WHERE id = $1",
                   {project.id, project.last_revision, project.last_document, project.last_change});
}

std::optional<Project> find_project(Transaction& transaction, std::string_view name) {
  const Rows rows = transaction.run(
      "SELECT id, name, last_revision, last_document, last_change FROM project WHERE name = $1", {name});
  return rows.empty() ? std::nullopt : std::optional(project_of(rows.front()));
}

std::vector<Project> projects(Transaction& transaction) {
  std::vector<Project> all;
  for (const Row row :
       transaction.run("SELECT id, name, last_revision, last_document, last_change FROM project ORDER BY name"))
    all.push_back(project_of(row));
  return all;
}

}  // namespace strata::store
