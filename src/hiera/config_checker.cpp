// SPDX-License-Identifier: Apache-2.0
#include "config_checker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reference_words.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "value/problems.hpp"

namespace strata::hiera {
namespace {

std::string expects(std::string_view what, const Value& value) {
  return fmt::format("expects {}, got {}", what, describe(value.kind()));
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_letter_or_digit(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

bool is_option_name(const Value& key) {
  if (!key.is_text()) return false;
  const std::string_view name = key.text();
  return !name.empty() && is_letter(name.front()) && is_letter_or_digit(name.back()) &&
         std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; });
}

/// The first part that is not plain data; the absent value where all is.
// Recursion: bounded by Limits::depth.
Value not_data(const Value& value) {
  if (value.is_sequence()) {
    for (const Value& item : value.items()) {
      if (const Value bad = not_data(item)) return bad;
    }
    return {};
  }
  if (value.is_mapping()) {
    for (const Entry& entry : value.entries()) {
      if (!entry.key.is_text()) return entry.key;
      if (const Value bad = not_data(entry.value)) return bad;
    }
    return {};
  }
  return value.kind() == Kind::object || value.kind() == Kind::set ? value : Value();
}

}  // namespace

bool ConfigChecker::mapping(const Value& value, std::string_view path) {
  if (value.is_mapping()) return true;
  fail(path, expects("a mapping", value), value.origin());
  return false;
}

bool ConfigChecker::sequence(const Value& value, std::string_view path, std::size_t least, std::size_t most) {
  if (!value.is_sequence()) {
    fail(path, expects("a sequence", value), value.origin());
    return false;
  }
  if (value.size() >= least && value.size() <= most) return true;
  const std::string size = least == most ? std::to_string(least) : fmt::format("at least {}", least);
  fail(path, fmt::format("expects size to be {}, got {}", size, value.size()), value.origin());
  return false;
}

std::string ConfigChecker::text(const Value& value, std::string_view path) {
  if (!value.is_text()) {
    fail(path, expects("a text", value), value.origin());
    return {};
  }
  if (value.text().empty()) fail(path, "expects a text that is not empty", value.origin());
  return std::string(value.text());
}

void ConfigChecker::keys(const Value& mapping, std::string_view path, std::initializer_list<std::string_view> known) {
  for (const Entry& entry : mapping.entries()) {
    const std::string name = key_text(entry.key);
    if (entry.key.is_text() && std::ranges::find(known, name) != known.end()) continue;
    const std::string message = fmt::format("unrecognized key '{}'", name);
    add_shape(WordedError(
        Error("hiera.config", fmt::format("{}: {}", path.empty() ? "the top" : std::string(path), message))
            .at(sources_, entry.key.origin())
            .hint(name_hint({known.begin(), known.size()}, name, fmt::format("known are {}", fmt::join(known, ", ")))),
        in_config(message)));
  }
}

Value ConfigChecker::options(const Value& value, std::string_view path, std::string_view user) {
  if (!mapping(value, path)) return {};
  for (const Entry& entry : value.entries()) {
    const std::string name = key_text(entry.key);
    if (!is_option_name(entry.key)) {
      fail(path,
           fmt::format("'{}' is not an option name: write a letter, then letters, digits, '_' and '-', a letter or "
                       "digit at the end",
                       name),
           entry.key.origin());
    }
    if (name == "path" || name == "uri") {
      refuse(path, fmt::format("Option key '{}' used in {} is reserved by Puppet", name, user), entry.key.origin());
    }
    if (const Value bad = not_data(entry.value)) {
      fail(fmt::format("{}.{}", path, name), expects("plain data", bad),
           bad.origin() ? bad.origin() : entry.value.origin());
    }
  }
  return value;
}

WordedError ConfigChecker::located(std::string_view path, const std::string& message, Origin at,
                                   std::optional<unsigned> line) const {
  Error error("hiera.config", path.empty() ? message : fmt::format("{}: {}", path, message));
  if (at) {
    error.at(sources_, at);
  } else {
    error.in(file_);
  }
  return WordedError(std::move(error), in_config(message, line));
}

void ConfigChecker::add_shape(const WordedError& error) {
  if (shapes_.size() < Problems::kMost) shapes_.push_back(error);
}

void ConfigChecker::fail(std::string_view path, const std::string& message, Origin at) {
  add_shape(located(path, message, at));
}

void ConfigChecker::refuse(std::string_view path, const std::string& message, Origin at, std::string_view key) {
  if (refused_.size() == Problems::kMost) return;
  refused_.push_back(located(path, message, at, key.empty() ? std::nullopt : line_with(sources_, at, key)));
}

void ConfigChecker::expect_failure(const Error& error) {
  if (expected_.size() < Problems::kMost) expected_.push_back(error.diagnostic());
}

void ConfigChecker::settle() const {
  if (shapes_.empty() && refused_.empty()) return;
  std::vector<Diagnostic> all;
  // A mistake may have consequences at its own place: they are not reported.
  const auto add = [&all](const Diagnostic& one) {
    const auto is_there = [&one](const Diagnostic& other) { return other.where.place == one.where.place; };
    if (std::ranges::none_of(all, is_there)) all.push_back(one);
  };
  for (const auto* group : {&shapes_, &refused_})
    for (const WordedError& error : *group) add(error.diagnostic());
  for (const Diagnostic& one : expected_) add(one);
  WordedError first = shapes_.empty() ? refused_.front() : shapes_.front();
  first.with_further({all.begin() + 1, all.end()});
  if (shapes_.empty()) throw LookupError(first, LookupError::Issue::yes);
  throw ConfigError(first);
}

void ConfigChecker::refuse_version(const std::string& message, Origin at) const {
  throw LookupError(
      WordedError(Error("hiera.version", message).at(sources_, at).hint("write version: 5"), in_config(message)),
      LookupError::Issue::yes);
}

}  // namespace strata::hiera
