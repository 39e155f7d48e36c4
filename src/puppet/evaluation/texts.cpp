// SPDX-License-Identifier: Apache-2.0
// Values as texts.
#include <algorithm>
#include <array>
#include <cmath>

#include "puppet/convert/format.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/kinds.hpp"
#include "puppet/quote.hpp"
#include "strata/scalar_text.hpp"
#include "text/unicode/characters.hpp"

namespace strata::puppet {
namespace {

/// Throws where a text is already longer than it may be.
void check_text_size(const std::string& out, const Evaluator& evaluator) {
  const std::size_t most = evaluator.context().limits.input;
  if (out.size() > most)
    throw Error("limit.result", "a text of more than " + std::to_string(most) + " bytes")
        .hint("raise it with --limit input=NUMBER");
}

std::string_view article(std::string_view name) noexcept {
  return !name.empty() && std::string_view("AEIOU").find(name.front()) != std::string_view::npos ? "an " : "a ";
}

}  // namespace

// Recursion: values nest as deep as Limits::depth.
void append_text(std::string& out, const Value& value, Evaluator& evaluator) {
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      return;
    case Kind::text:
    case Kind::binary:
      out += value.text();
      break;
    case Kind::boolean:
      out += value.as_boolean() ? "true" : "false";
      return;
    case Kind::integer:
      out += std::to_string(value.as_integer());
      return;
    case Kind::floating:
      out += float_inspect(value.as_floating());
      return;
    case Kind::object:
      out += value.as_object().to_string();
      break;
    case Kind::sequence: {
      std::string_view separator = "[";
      for (const Value& item : value.items()) {
        out += separator;
        separator = ", ";
        append_text(out, item, evaluator);
      }
      out += value.size() == 0 ? "[]" : "]";
      break;
    }
    case Kind::mapping:
    case Kind::set: {
      std::string_view separator = "{";
      for (const Entry& entry : value.entries()) {
        out += separator;
        separator = ", ";
        append_text(out, entry.key, evaluator);
        out += " => ";
        append_text(out, entry.value, evaluator);
      }
      out += value.size() == 0 ? "{}" : "}";
      break;
    }
    default:
      out += scalar_text(value);
      break;
  }
  check_text_size(out, evaluator);
}

std::string text_of(const Value& value, Evaluator& evaluator) {
  std::string out;
  evaluator.charge_value(value);
  append_text(out, value, evaluator);
  evaluator.charge_text(out.size());
  return out;
}

void hide_pattern(Error& error, std::span<const Value> from) {
  constexpr std::array<std::string_view, 4> kQuoting{"limit.regex", "puppet.type", "puppet.unknown-type",
                                                     "regex.syntax"};
  const bool quotes = std::ranges::find(kQuoting, error.code()) != kQuoting.end();
  if (quotes && std::ranges::any_of(from, shows_secret))
    error = Error(error.code(), "a regular expression or type is wrong; it comes from a secret and is not shown");
}

bool shows_secret(const Value& value) {
  if (value.is_secret()) return as_sensitive(value) == nullptr;
  if (value.is_sequence()) {
    for (const Value& item : value.items()) {
      if (shows_secret(item)) return true;
    }
  } else if (value.is_container()) {
    for (const Entry& entry : value.entries()) {
      if (shows_secret(entry.key) || shows_secret(entry.value)) return true;
    }
  }
  return false;
}

Value make_text(Evaluator& evaluator, std::string_view text, Origin origin) {
  evaluator.charge_text(text.size());
  return evaluator.arena().text(text).with_origin(origin);
}

std::optional<std::int64_t> small_integer(const Value& value) noexcept {
  return value.kind() == Kind::integer ? std::optional(value.as_integer()) : std::nullopt;
}

std::string kind_of(const Value& value) {
  if (value.is_null()) return "Undef";
  return to_string(*generalize(infer(value)));
}

std::string a_kind_of(const Value& value) {
  if (value.is_null()) return "undef";
  if (as_type(value) != nullptr) return "a type";
  std::string name;
  if (value.is_sequence()) {
    name = "Array";
  } else if (is_hash(value)) {
    name = "Hash";
  } else {
    name = to_string(*generalize(infer(value)));
  }
  return std::string(article(name)) + name;
}

std::string shown(const Value& value) {
  constexpr std::size_t kMost = 40;
  if (value.is_secret()) return "******";
  if (value.is_null()) return "undef";
  if (value.is_text()) {
    const std::string_view text = value.text();
    const std::size_t end = text::unicode::offset(text.substr(0, std::min(text.size(), kMost * 4)), kMost);
    return end < text.size() ? quote(text.substr(0, end)) + "…" : quote(text);
  }
  if (value.is_container())
    return "the " + std::string(value.is_sequence() ? "array" : "hash") + " of " + std::to_string(value.size());
  switch (value.kind()) {
    case Kind::boolean:
      return value.as_boolean() ? "true" : "false";
    case Kind::floating:
      return float_inspect(value.as_floating());
    case Kind::object:
      return value.as_object().to_string();
    default:
      return scalar_text(value);
  }
}

Error failed(const FunctionCall& call, const Evaluator& evaluator, std::string_view code, std::string_view message) {
  return evaluator.error(call.origin, std::string(code), std::string(call.name) + "(): " + std::string(message));
}

Error wrong_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index,
                     std::string_view expected) {
  const std::string given = index < call.arguments.size() ? ", not " + a_kind_of(call.arguments[index]) : "";
  return failed(call, evaluator, "puppet.arguments",
                "argument " + std::to_string(index + 1) + " must be " + std::string(expected) + given);
}

}  // namespace strata::puppet
