// SPDX-License-Identifier: Apache-2.0
// Edits of YAML and JSON texts: one member or item changes, and every byte around it stays. Rules:
// docs/analysis/edits.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "strata/limits.hpp"
#include "strata/text.hpp"
#include "strata/value.hpp"

namespace strata::edit {

/// What a text is written in.
enum class Syntax : std::uint8_t {
  yaml,
  json,
  hocon,  ///< It can be read, and no edit of it can be written.
  other,  ///< A template, an archive, an encoded part: every edit is refused.
};

/// How a text is read, before the edit and after it.
struct Form {
  Syntax syntax = Syntax::yaml;
  const text::Profile* profile = nullptr;      ///< Of YAML. Null: `text::pyyaml`.
  text::JsonDialect json = text::kPythonJson;  ///< Of JSON.
};

enum class Operation : std::uint8_t {
  set,  ///< Replaces the value. If the last token is a missing member, inserts it; if it is `-` or the number of items,
        ///< appends an item.
  remove,  ///< Removes a member or an item.
};

/// One edit of one document.
struct Change {
  Operation operation = Operation::set;
  std::string pointer =
      {};  ///< JSON Pointer (RFC 6901) to the member or item. Empty: the whole document, which can only be set.
  std::optional<std::size_t> document = {};  ///< From 0. May be left out for texts with one document.
  Value value = {};                          ///< For `set`.
  /// How `value` was written by the user, in one line; empty if it was not. It is used where it fits.
  std::string spelling = {};
  /// Mappings on the way to the last token that are missing, or null, are made too.
  bool make_parents = false;
};

/// What happened to the text.
enum class Outcome : std::uint8_t { replaced, inserted, removed };

struct Edited {
  std::string text;
  Outcome outcome = Outcome::replaced;
  std::size_t line = 1;  ///< Of the member or item, from 1: in the new text, or for `removed` in the old one.
};

/// Does `change` to `text`, which errors call `file`. An empty text, as of a missing file, and one that holds only
/// comments have no document: a member at the root can be set there.
///
/// Before it returns, the new text is read: all documents must be identical (strata::identical) to the old ones with
/// the operation done to one. Bytes of lines that the edit does not touch stay. Errors: `edit.unsupported` (a place
/// that cannot be edited), `edit.unsafe` (the new text would mean something else), `edit.which-document`,
/// `edit.not-found` (no such place), `pointer.syntax`, `limit.stack`; and the readers' for a text that cannot be read.
/// All have a file, and those about a place in the text a line and a column. Cost: linear in the text and the value,
/// with a few readings of the whole text. Thread-safe.
[[nodiscard]] Edited apply(std::string_view file, std::string_view text, const Form& form, const Change& change,
                           const Limits& limits = {});

/// A member or an item of one of the documents of a text.
struct Spot {
  std::size_t document = 0;  ///< From 0.
  std::string pointer;       ///< JSON Pointer. Not empty.
};

/// The text without these members and items, none of which is inside another one; for texts that are read and thrown
/// away. What stays has the lines and columns that it had, if the text allows it: members that come from merge keys, or
/// hold anchors that are used elsewhere, are taken out of the values, and everything is written anew; HOCON always is,
/// as JSON. The documents that are read are identical to the old ones without the spots. Errors: `edit.unsupported`
/// (Syntax::other), `edit.not-found`, `edit.unsafe`, `limit.stack`, and the readers'. Cost: linear in the text for each
/// container that loses something. Thread-safe.
[[nodiscard]] std::string without(std::string_view file, std::string_view text, const Form& form,
                                  std::span<const Spot> spots, const Limits& limits = {});

}  // namespace strata::edit
