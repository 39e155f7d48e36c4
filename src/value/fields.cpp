// SPDX-License-Identifier: Apache-2.0
#include "value/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/near_names.hpp"
#include "value/problems.hpp"

namespace strata {

std::string wrong_kind(std::string_view what, std::string_view expected, const Value& value) {
  return fmt::format("{} must be {}, not {}", what, expected, describe(value.kind()));
}

std::string wrong_item(std::string_view what, std::string_view expected, const Value& item) {
  return fmt::format("{} must be {}; this item is {}", what, expected, describe(item.kind()));
}

Fields::Fields(const Value& value, std::string_view owner, const FieldErrors& errors)
    : value_(value), owner_(owner), errors_(errors) {
  if (!value.is_mapping()) fail(wrong_kind(owner, "a mapping", value), value);
}

void Fields::only(std::span<const std::string_view> known, std::string_view owner) const {
  if (owner.empty()) owner = owner_;
  const std::string& code = errors_.key_code.empty() ? errors_.code : errors_.key_code;
  Problems problems;
  for (const Entry& entry : value_.entries()) {
    if (!entry.key.is_text()) {
      problems.add(error(code, fmt::format("the keys of {} must be texts, not {}", owner, describe(entry.key.kind())),
                         entry.key));
    } else if (std::ranges::find(known, entry.key.text()) == known.end()) {
      problems.add(
          error(code, fmt::format("{} has an unknown key '{}'", owner, entry.key.text()), entry.key)
              .hint(name_hint(known, entry.key.text(), fmt::format("it may have {}", fmt::join(known, ", ")))));
    }
    if (problems.is_full()) break;
  }
  problems.raise();
}

const Value* Fields::find(std::string_view name) const {
  const Value* found = value_.find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

const Value* Fields::text(std::string_view name) const {
  const Value* found = find(name);
  if (found != nullptr && !found->is_text()) refuse_kind(name, "a text", *found);
  return found;
}

const Value* Fields::word(std::string_view name) const {
  constexpr std::string_view kExpected = "a text that is not empty";
  const Value* found = find(name);
  if (found != nullptr && !found->is_text()) refuse_kind(name, kExpected, *found);
  if (found != nullptr && found->text().empty()) refuse_value(name, kExpected, *found);
  return found;
}

const Value& Fields::needed_word(std::string_view name) const {
  const Value* found = word(name);
  if (found == nullptr) fail(fmt::format("{} has no '{}'", owner_, name), value_);
  return *found;
}

bool Fields::flag(std::string_view name) const {
  const Value* found = find(name);
  if (found != nullptr && found->kind() != Kind::boolean) refuse_kind(name, "true or false", *found);
  return found != nullptr && found->as_boolean();
}

std::optional<std::int64_t> Fields::number(std::string_view name, std::int64_t least, std::int64_t most,
                                           std::string_view unit) const {
  const Value* found = find(name);
  if (found == nullptr) return std::nullopt;
  const std::string expected = fmt::format("a number {}{}from {} to {}", unit.empty() ? "" : "of ",
                                           unit.empty() ? "" : std::string(unit) + ' ', least, most);
  if (found->kind() != Kind::integer && found->kind() != Kind::big_integer) refuse_kind(name, expected, *found);
  if (found->kind() == Kind::big_integer || found->as_integer() < least || found->as_integer() > most)
    refuse_value(name, expected, *found);
  return found->as_integer();
}

const Value* Fields::mapping(std::string_view name, std::string_view expected) const {
  const Value* found = find(name);
  if (found == nullptr) return nullptr;
  if (!found->is_mapping()) refuse_kind(name, expected, *found);
  for (const Entry& entry : found->entries()) {
    if (!entry.key.is_text())
      fail(fmt::format("the keys of {} must be texts, not {}", subject(name), describe(entry.key.kind())), entry.key);
  }
  return found;
}

const Value* Fields::list(std::string_view name, std::string_view expected) const {
  const Value* found = find(name);
  if (found != nullptr && !found->is_sequence()) refuse_kind(name, expected, *found);
  return found;
}

const Value* Fields::texts(std::string_view name, std::string_view expected) const {
  const Value* found = list(name, expected);
  if (found == nullptr) return nullptr;
  for (const Value& item : found->items()) {
    if (!item.is_text()) refuse_item(name, expected, item);
  }
  return found;
}

void Fields::refuse_kind(std::string_view name, std::string_view expected, const Value& value) const {
  fail(wrong_kind(subject(name), expected, value), value);
}

void Fields::refuse_value(std::string_view name, std::string_view expected, const Value& value) const {
  fail(fmt::format("{} must be {}", subject(name), expected), value);
}

void Fields::refuse_item(std::string_view name, std::string_view expected, const Value& item) const {
  fail(wrong_item(subject(name), expected, item), item);
}

void Fields::fail(const std::string& message, const Value& at) const { throw error(errors_.code, message, at); }

std::string Fields::subject(std::string_view name) const { return fmt::format("'{}' of {}", name, owner_); }

Error Fields::error(const std::string& code, const std::string& message, const Value& at) const {
  Error out(code, errors_.prefix + message);
  if (errors_.sources != nullptr) out.at(*errors_.sources, at.origin() ? at.origin() : errors_.place);
  if (!errors_.hint.empty()) out.hint(errors_.hint);
  return out;
}

}  // namespace strata
