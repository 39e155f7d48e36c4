// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/scalars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "text/yaml/plain_scalars.hpp"
#include "text/yaml/psych_scalars.hpp"

namespace strata::text {
namespace {

/// A scalar as messages quote it.
std::string shown_scalar(std::string_view text) {
  constexpr std::size_t kShown = 60;
  return std::string(text.substr(0, kShown)) + (text.size() > kShown ? "…" : "");
}

/// The decimal integers that every profile reads alike, and nearly all that people write: no sign but `-`, no zeros in
/// front.
std::optional<std::int64_t> common_integer(std::string_view text) {
  constexpr std::size_t kMostDigits = 18;
  const bool is_negative = text.starts_with('-');
  const std::string_view digits = text.substr(is_negative ? 1 : 0);
  if (digits.empty() || digits.size() > kMostDigits || (digits.front() == '0' && text.size() != 1)) return std::nullopt;
  std::int64_t number = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return is_negative ? -number : number;
}

std::optional<Value> make_float(std::optional<double> number) {
  return number ? std::optional(Value::floating(*number)) : std::nullopt;
}

}  // namespace

void YamlScalars::begin(DocumentPool& pool) {
  pool_ = &pool;
  arena_ = pool.arena().get();
}

Error YamlScalars::error(std::string_view code, std::string message, std::size_t offset) const {
  return Error(code, std::move(message)).at(input_.sources(), input_.origin(offset));
}

Tag YamlScalars::tag_of(std::string_view tag, Nodes node, Tag otherwise, std::size_t offset) const {
  if (tag.empty() || tag == "!") return otherwise;
  const auto rule =
      std::ranges::find_if(profile_.tags, [tag, node](const TagRule& row) { return row.matches(tag, node); });
  if (rule == profile_.tags.end()) {
    if (profile_.unknown_tags == UnknownTags::ignored) return otherwise;
    throw error("yaml.tag", fmt::format("unknown tag '{}'", input_.quoted(tag)), offset)
        .hint("remove the tag, or use one of the standard ones such as !!str");
  }
  if (rule->meaning != Tag::forbidden) return rule->meaning;
  // A name that a rule has in full does not depend on the text.
  const std::string name(rule->longer ? input_.quoted(tag) : tag);
  throw YamlError(
      error("yaml.forbidden", fmt::format("the tag '{}' asks for something that is not allowed here", name), offset)
          .hint("remove the tag"),
      {.fault = YamlError::Fault::forbidden_tag, .subject = name});
}

Value YamlScalars::plain(std::string_view text, const Place& place) {
  if (const auto number = common_integer(text)) return Value::integer(*number);
  if (text == "true") return Value::boolean(true);
  if (text == "false") return Value::boolean(false);
  switch (profile_.resolve(text)) {
    case Scalar::text:
      return make_text(text, place.is_key);
    case Scalar::null:
      return Value::null();
    case Scalar::boolean:
      return Value::boolean(*profile_.conversions.boolean(text));
    case Scalar::integer:
      return require(profile_.conversions.integer(*arena_, text), "integer", text, place.offset);
    case Scalar::floating:
      return require(make_float(profile_.conversions.floating(text)), "float", text, place.offset);
    case Scalar::symbol:
      return make_symbol(psych_symbol_name(text));
    case Scalar::forbidden: {
      const bool is_symbol = text.starts_with(':');
      const bool has_time = text.find(':') != std::string_view::npos;
      throw YamlError(error("yaml.forbidden",
                            fmt::format("'{}' is a {}, which is not allowed here", shown_scalar(input_.quoted(text)),
                                        is_symbol ? "symbol" : "date or time"),
                            place.offset)
                          .hint("quote it, so that it is text"),
                      {.fault = is_symbol  ? YamlError::Fault::forbidden_symbol
                                : has_time ? YamlError::Fault::forbidden_time
                                           : YamlError::Fault::forbidden_date,
                       .subject = std::string(input_.quoted(text))});
    }
    case Scalar::timestamp:
      return require(timestamp_value(*arena_, text), "timestamp", text, place.offset);
    case Scalar::merge:
      if (place.is_key) return make_text(text, true);
      throw error("yaml.merge-key", "'<<' is only allowed as a key", place.offset)
          .hint("quote it, if it is meant as text");
    case Scalar::value:
      if (place.is_key) return make_text(text, true);
      throw error("yaml.tag", "a plain '=' has no value", place.offset).hint("quote it");
    case Scalar::binary:
      break;
  }
  return make_text(text, place.is_key);
}

Value YamlScalars::tagged(std::string_view tag, std::string_view text, const Place& place) {
  switch (tag_of(tag, kScalars, Tag::plain, place.offset)) {
    case Tag::text:
      return make_text(text, place.is_key);
    case Tag::plain:
      return plain(text, place);
    case Tag::symbol:
      return make_symbol(text);
    case Tag::null:
      return Value::null();
    case Tag::boolean: {
      std::string lower(text);
      std::ranges::transform(lower, lower.begin(),
                             [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
      const auto truth = profile_.conversions.boolean(lower);
      return require(truth ? std::optional(Value::boolean(*truth)) : std::nullopt, "boolean", text, place.offset);
    }
    case Tag::integer:
      return require(profile_.conversions.integer(*arena_, text), "integer", text, place.offset);
    case Tag::floating:
      return require(make_float(profile_.conversions.tagged_floating(text)), "float", text, place.offset);
    case Tag::timestamp:
      return require(timestamp_value(*arena_, text), "timestamp", text, place.offset);
    case Tag::binary:
      return require(make_bytes(profile_.conversions.base64(text), place.is_key), "base64 text", text, place.offset);
    default:
      throw error("yaml.tag", fmt::format("the tag '{}' does not fit a scalar", input_.quoted(tag)), place.offset);
  }
}

std::optional<Value> YamlScalars::make_bytes(const std::optional<std::string>& bytes, bool is_key) {
  if (!bytes) return std::nullopt;
  const bool is_text = profile_.conversions.binary_is_text && find_invalid_utf8(*bytes) == std::string_view::npos;
  return is_text ? make_text(*bytes, is_key) : arena_->binary(*bytes);
}

Value YamlScalars::make_symbol(std::string_view name) {
  return arena_->object(std::make_shared<Symbol>(std::string(name)));
}

Value YamlScalars::require(std::optional<Value> value, std::string_view what, std::string_view text,
                           std::size_t offset) const {
  if (value) return *value;
  throw error("yaml.scalar", fmt::format("'{}' is not a possible {}", shown_scalar(input_.quoted(text)), what), offset)
      .hint("quote it, if it is meant as text");
}

Value YamlScalars::make_text(std::string_view text, bool is_key) {
  return is_key ? pool_->key(text) : arena_->text(text);
}

}  // namespace strata::text
