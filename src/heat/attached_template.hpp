// SPDX-License-Identifier: Apache-2.0
// A template that another file names, read once for all requests of a Snapshot.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heat/file_references.hpp"
#include "heat/schema.hpp"
#include "strata/session.hpp"
#include "strata/text.hpp"

namespace strata::heat {

/// The parts of a template that requests need. Values point into `arena`.
struct AttachedTemplate {
  std::vector<FileReference> references;
  Schemata parameters;
  std::vector<text::RepeatedKey> repeated_keys;  ///< Duplicate keys.
  std::shared_ptr<Arena> arena;
};

/// The template at an absolute path, through the Snapshot. Null: the file is not a template, does not exist, or has
/// declarations that are refused: the reader of its text reports them. Errors: `limit.*`, and those of the tree. Cost:
/// linear in the text, once for equal contents.
[[nodiscard]] std::shared_ptr<const AttachedTemplate> attached_template(const std::string& path, Session& session);

}  // namespace strata::heat
