// SPDX-License-Identifier: Apache-2.0
// Revisions of a project's documents, their tags and validations (docs: the Deckhand face).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/projects.hpp"

namespace strata::store {

struct Revision {
  std::int64_t number = 0;
  std::string kind = {};  ///< `put`, `rollback`, `upload`
  std::string author = {};
  std::int64_t created_at = 0;
  std::optional<std::string> request = {};
  std::vector<std::string> buckets = {};  ///< In which it wrote, by name.
  friend bool operator==(const Revision&, const Revision&) = default;
};

/// Stores the next revision of a locked project. The number and the time of `revision` are set.
void add_revision(Transaction& transaction, Project& project, Revision& revision);
[[nodiscard]] std::optional<Revision> find_revision(Transaction& transaction, const Project& project,
                                                    std::int64_t number);
/// All revisions, the oldest first.
[[nodiscard]] std::vector<Revision> revisions(Transaction& transaction, const Project& project);
/// Removes all revisions of a locked project, with their documents, secrets, tags and validations. The next revision
/// has the number 1.
void remove_all_revisions(Transaction& transaction, Project& project);

struct Tag {
  std::int64_t revision = 0;
  std::string name = {};
  std::optional<std::string> data = {};
  friend bool operator==(const Tag&, const Tag&) = default;
};
/// Adds a tag, or replaces its data.
void put_tag(Transaction& transaction, const Project& project, const Tag& tag);
[[nodiscard]] std::optional<Tag> find_tag(Transaction& transaction, const Project& project, std::int64_t revision,
                                          std::string_view name);
/// The tags of a revision, by name.
[[nodiscard]] std::vector<Tag> tags(Transaction& transaction, const Project& project, std::int64_t revision);
/// The tags of all revisions, by revision and name, without their data.
[[nodiscard]] std::vector<Tag> tag_names(Transaction& transaction, const Project& project);
/// False if there was none.
[[nodiscard]] bool remove_tag(Transaction& transaction, const Project& project, std::int64_t revision,
                              std::string_view name);
void remove_tags(Transaction& transaction, const Project& project, std::int64_t revision);

struct Validation {
  std::int64_t revision = 0;
  std::int64_t number = 0;  ///< 0, 1, … within the revision.
  std::string name = {};
  std::string status = {};
  std::string body = {};  ///< As it was posted.
  std::int64_t created_at = 0;
  friend bool operator==(const Validation&, const Validation&) = default;
};
/// Adds a validation of a locked project. Its number and time are set.
void add_validation(Transaction& transaction, const Project& project, Validation& validation);
/// The validations of a revision, in the order in which they were posted.
[[nodiscard]] std::vector<Validation> validations(Transaction& transaction, const Project& project,
                                                  std::int64_t revision);

}  // namespace strata::store
