// SPDX-License-Identifier: Apache-2.0
#include "stacks.hpp"

#include <algorithm>
#include <array>

#include "store/blobs.hpp"
#include "store/encoding.hpp"

namespace strata::store {
namespace {

constexpr std::string_view kFind =
    R"(SELECT s.id, s.name, s.ordinal, s.generation, s.sealed, s.action, s.status, s.created_at, s.updated_at, s.deleted_at, g.bytes, g.size, b.bytes, b.size
       FROM stack s LEFT JOIN blob g ON g.hash = s.settings LEFT JOIN blob b ON b.hash = s.state WHERE s.project = $1 AND s.id = $2)";
constexpr std::string_view kFindLiving =
    R"(SELECT s.id, s.name, s.ordinal, s.generation, s.sealed, s.action, s.status, s.created_at, s.updated_at, s.deleted_at, g.bytes, g.size, b.bytes, b.size
       FROM stack s LEFT JOIN blob g ON g.hash = s.settings LEFT JOIN blob b ON b.hash = s.state
       WHERE s.project = $1 AND s.name = $2 AND s.deleted_at IS NULL)";
constexpr std::string_view kList =
    R"(SELECT s.id, s.name, s.ordinal, s.generation, s.sealed, s.action, s.status, s.created_at, s.updated_at, s.deleted_at, g.bytes, g.size
       FROM stack s LEFT JOIN blob g ON g.hash = s.settings WHERE s.project = $1 AND (s.deleted_at IS NULL OR $2 = 1)
       ORDER BY s.ordinal DESC, s.id)";

Stack stack_of(const Row& row) {
  return {.id = row.text(0),
          .name = row.text(1),
          .ordinal = row.integer(2),
          .generation = row.integer(3),
          .state = {},
          .sealed = row.maybe_text(4),
          .settings = unpacked(row.bytes(10), row.integer(11)),
          .action = row.text(5),
          .status = row.text(6),
          .created_at = row.integer(7),
          .updated_at = row.maybe_integer(8),
          .deleted_at = row.maybe_integer(9)};
}

std::optional<Stack> found_stack(const Rows& rows) {
  if (rows.empty()) return std::nullopt;
  Stack stack = stack_of(rows.front());
  stack.state = unpacked(rows.front().bytes(12), rows.front().integer(13));
  return stack;
}

}  // namespace

void add_stack(Transaction& transaction, const Project& project, Stack& stack) {
  if (stack.id.empty()) stack.id = new_uuid();
  stack.ordinal = project.last_change;
  stack.generation = 1;
  stack.created_at = now();
  const std::vector<BlobId> texts =
      put_blobs(transaction, std::array<std::string_view, 2>{stack.state, stack.settings});
  transaction.send(
      R"(INSERT INTO stack (project, id, name, ordinal, generation, state, sealed, settings, action, status, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11))",
      {project.id, stack.id, stack.name, stack.ordinal, stack.generation, Bytes{texts[0]}, stack.sealed,
       Bytes{texts[1]}, stack.action, stack.status, stack.created_at});
}

bool update_stack(Transaction& transaction, const Project& project, Stack& stack) {
  // Not before its creation, whatever the clock did.
  const std::int64_t time = std::max(now(), stack.created_at);
  const std::vector<BlobId> texts =
      put_blobs(transaction, std::array<std::string_view, 2>{stack.state, stack.settings});
  const Rows done = transaction.run(
      R"(UPDATE stack SET generation = generation + 1, state = $4, sealed = $5, settings = $6, action = $7, status = $8, updated_at = $9
         WHERE project = $1 AND id = $2 AND generation = $3 AND deleted_at IS NULL)",
      {project.id, stack.id, stack.generation, Bytes{texts[0]}, stack.sealed, Bytes{texts[1]}, stack.action,
       stack.status, time});
  if (done.changed() == 0) return false;
  ++stack.generation;
  stack.updated_at = time;
  return true;
}

bool delete_stack(Transaction& transaction, const Project& project, std::string_view id) {
  transaction.send("DELETE FROM sealed WHERE id IN (SELECT sealed FROM stack WHERE project = $1 AND id = $2)",
                   {project.id, id});
  return transaction
             .run(R"(UPDATE stack SET generation = generation + 1, sealed = NULL, action = 'DELETE', deleted_at = $3
                     WHERE project = $1 AND id = $2 AND deleted_at IS NULL)",
                  {project.id, id, now()})
             .changed() != 0;
}

std::optional<Stack> find_stack(Transaction& transaction, const Project& project, std::string_view id) {
  return found_stack(transaction.run(kFind, {project.id, id}));
}

std::optional<Stack> find_living_stack(Transaction& transaction, const Project& project, std::string_view name) {
  return found_stack(transaction.run(kFindLiving, {project.id, name}));
}

std::vector<Stack> stacks(Transaction& transaction, const Project& project, bool with_deleted) {
  std::vector<Stack> found;
  for (const Row row : transaction.run(kList, {project.id, with_deleted ? 1 : 0})) found.push_back(stack_of(row));
  return found;
}

void add_event(Transaction& transaction, const Project& project, std::string_view stack, StackEvent& event) {
  const Rows last =
      transaction.run("SELECT max(number) FROM stack_event WHERE project = $1 AND stack = $2", {project.id, stack});
  event.number = last.front().maybe_integer(0).value_or(0) + 1;
  event.id = new_uuid();
  event.created_at = now();
  transaction.send(
      "INSERT INTO stack_event (project, stack, number, id, action, status, reason, created_at) VALUES ($1, $2, $3, "
      "$4, $5, $6, $7, $8)",
      {project.id, stack, event.number, event.id, event.action, event.status, event.reason, event.created_at});
  transaction.send("DELETE FROM stack_event WHERE project = $1 AND stack = $2 AND number <= $3",
                   {project.id, stack, event.number - kKeptEvents});
}

std::vector<StackEvent> events(Transaction& transaction, const Project& project, std::string_view stack) {
  std::vector<StackEvent> found;
  const Rows rows = transaction.run(
      "SELECT number, id, action, status, reason, created_at FROM stack_event WHERE project = $1 AND stack = $2 ORDER "
      "BY number",
      {project.id, stack});
  for (const Row row : rows) {
    found.push_back({.number = row.integer(0),
                     .id = row.text(1),
                     .action = row.text(2),
                     .status = row.text(3),
                     .reason = row.text(4),
                     .created_at = row.integer(5)});
  }
  return found;
}

}  // namespace strata::store
