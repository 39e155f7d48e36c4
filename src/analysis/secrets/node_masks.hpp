// SPDX-License-Identifier: Apache-2.0
// Masks in place of nodes of a text.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analysis/secrets/line_masks.hpp"
#include "edit/target.hpp"
#include "strata/text_edit.hpp"

namespace strata::analysis {

/// Hides values in a text that was read: from where they begin up to where the next node does.
class NodeMasks {
 public:
  /// `form`: as the text was read. The reading must outlive the object.
  NodeMasks(const edit::Reading& reading, const edit::Form& form);

  /// Hides a value, if the text contains it.
  void hide(const Value& value);
  /// Hides scalars, and the values of members, that begin at places.
  void hide(std::span<const TextPlace> places);
  /// The text with masks. `shows_comments`: those on lines of their own after a hidden value.
  [[nodiscard]] std::string masked(bool shows_comments);

 private:
  void add_start(Origin origin);
  [[nodiscard]] std::optional<std::size_t> own_offset(Origin origin) const;
  [[nodiscard]] std::optional<std::size_t> offset(Origin origin) const;
  void find_last(const Value& value, std::size_t& last) const;
  void hide_from(std::size_t first, const Value& value);
  void find_repeated(const text::Document& document);
  [[nodiscard]] bool is_repeated(std::size_t key, std::size_t value) const;
  void hide_repeated(const Value& value);
  void list(const Value& value);

  const edit::Reading& reading_;
  const Sources& sources_;
  bool tells_all_;
  std::vector<std::size_t> starts_;             ///< Of nodes.
  std::vector<std::size_t> repeated_;           ///< Where keys stand that their mappings have already; of one document.
  bool tells_repeated_ = true;                  ///< These are all.
  std::set<std::size_t> given_;                 ///< The places that the caller knows to be secret.
  std::map<std::size_t, std::size_t> secrets_;  ///< Where they begin, and where the last node in them does.
};

}  // namespace strata::analysis
