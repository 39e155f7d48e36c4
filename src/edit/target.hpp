// SPDX-License-Identifier: Apache-2.0
// The place of a change: in the values of a document, and in its text.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/text_edit.hpp"
#include "text/outline.hpp"

namespace strata::edit {

/// A text that was read.
struct Reading {
  std::unique_ptr<Sources> sources;
  SourceId source{};
  std::vector<text::Document> documents;

  /// Errors: those of the readers. A JSON text of blanks alone has no documents.
  Reading(std::string_view file, std::string_view text, const Form& form, const Limits& limits);
  [[nodiscard]] std::string_view text() const { return sources->text(source); }
  [[nodiscard]] Error error(std::string_view code, std::string message, std::size_t offset) const {
    return Error(code, std::move(message)).at(*sources, sources->at(source, offset));
  }
  /// The byte of an origin in this text.
  [[nodiscard]] std::size_t offset(Origin origin) const { return origin.location - sources->at(source, 0).location; }
};

[[nodiscard]] const text::Profile& profile_of(const Form& form) noexcept;

/// What is to be done at the place.
enum class Action : std::uint8_t {
  replace,
  insert,
  append,
  remove,
  begin,  ///< The document is empty, or the text has none: the value becomes the document.
};

/// The place of a change. The containers of the way to it are those of `outline`.
struct Target {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  Action action = Action::replace;
  std::size_t document = 0;
  /// From the root to the container of the place, each with the index of the next one, or of the place, among its
  /// entries or items (kNone: new).
  struct Step {
    Value container;
    std::size_t index;
  };
  std::vector<Step> steps;  ///< Empty: the place is the root.
  std::string key;          ///< Of a member to insert.
  Value value;              ///< What to set, with the mappings that are to be made around it.
  bool is_wrapped = false;  ///< There are such.
  text::Outline outline;
  std::size_t member = kNone;  ///< The place among the members of the last container of the outline.

  [[nodiscard]] const text::ContainerRange& container() const { return outline.containers.back(); }
  [[nodiscard]] const text::MemberRange& place() const { return container().members[member]; }
  /// What is replaced or removed, or the container of what is added.
  [[nodiscard]] const text::NodeRange& node() const;
  /// For errors.
  [[nodiscard]] std::size_t offset() const;
};

/// Finds the place. New values are made in `arena`. `document` is the number of one that is there, or 0 where there is
/// none. Errors: `edit.not-found`, `edit.unsupported`.
[[nodiscard]] Target find_target(const Reading& reading, const Form& form, const Change& change, std::size_t document,
                                 const Limits& limits, Arena& arena);

}  // namespace strata::edit
