// SPDX-License-Identifier: Apache-2.0
// Finds places by what is written there, and what is written at places.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "rule.hpp"

namespace strata::analysis {

/// Reads files when a place in them is asked for, each once.
class Locator {
 public:
  /// `evidence` must outlive the object.
  explicit Locator(const Evidence& evidence) : evidence_(evidence) {}

  /// The place: of a member its key, of a document its first key. A file that cannot be read: the file as a whole.
  [[nodiscard]] Excerpt find(const FilePlace& place);
  /// The number of its document, of a file with several.
  [[nodiscard]] std::optional<std::size_t> document(const FilePlace& place);

 private:
  const edit::Reading* read(const ConfigurationFile& file);

  const Evidence& evidence_;
  std::map<std::string, std::unique_ptr<edit::Reading>> readings_;
};

/// Finds statements by the places of their values, for what is found in results.
class StatementPlaces {
 public:
  explicit StatementPlaces(const Ledger& ledger);

  /// The innermost one around a scalar or an empty container that begins there; else that whose value begins there.
  /// Null: the place is in no file that is looked at.
  [[nodiscard]] const Statement* of_leaf(const Spot& spot) const { return find(leaves_, spot); }
  /// That whose key begins there.
  [[nodiscard]] const Statement* of_member(const Spot& spot) const { return find(members_, spot); }
  /// The item of a list that begins there.
  [[nodiscard]] const Statement* of_item(const Spot& spot) const { return find(items_, spot); }

 private:
  using Index = std::map<Spot, const Statement*>;
  [[nodiscard]] static const Statement* find(const Index& in, const Spot& spot);

  Index leaves_;
  Index members_;
  Index items_;
};

}  // namespace strata::analysis
