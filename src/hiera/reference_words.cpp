// SPDX-License-Identifier: Apache-2.0
#include "reference_words.hpp"

#include <fmt/format.h>

#include "pathname.hpp"

namespace strata::hiera {
namespace {

/// What Ruby calls the class that a tag asks for.
std::string class_of(std::string_view tag) {
  constexpr std::string_view kObject = "!ruby/object:";
  constexpr std::string_view kRuby = "!ruby/";
  if (tag.starts_with(kObject)) return std::string(tag.substr(kObject.size()));
  if (tag == "tag:yaml.org,2002:set") return "Psych::Set";
  if (!tag.starts_with(kRuby) || tag.size() == kRuby.size()) return std::string(tag);
  std::string out(tag.substr(kRuby.size()));
  out.front() = static_cast<char>(out.front() - ('a' - 'A'));
  return out;
}

}  // namespace

ReferenceWords in_config(std::string_view text, std::optional<unsigned> line) {
  constexpr std::string_view kFile = " (file: ";
  return {.text = fmt::format("{}{}{})", text, kFile, line ? fmt::format(", line: {}", *line) : ""),
          .file_at = text.size() + kFile.size()};
}

std::optional<unsigned> line_with(const Sources& sources, Origin origin, std::string_view key) {
  if (sources.line_of(origin).find(key) == std::string::npos) return std::nullopt;
  return sources.place(origin).line;
}

ReferenceWords in_yaml(const text::YamlError& error, bool is_config) {
  using Fault = text::YamlError::Fault;
  const text::YamlError::Parts& parts = error.parts();
  const std::string head = is_config ? "" : "Unable to parse ";
  const auto with_file = [&](const std::string& text) {
    return ReferenceWords{.text = fmt::format("{}(): {}", head, text), .file_at = head.size() + 1};
  };
  const auto at = [](const Place& place) {
    return fmt::format("at line {} column {}", place.line.value_or(1), place.column.value_or(1));
  };
  switch (parts.fault) {
    case Fault::alias:
      return {.text = fmt::format("{}Unknown alias: {}", head, parts.subject)};
    case Fault::forbidden_tag:
      return with_file(fmt::format("Tried to load unspecified class: {}", class_of(parts.subject)));
    case Fault::forbidden_symbol:
      return with_file("Tried to load unspecified class: Symbol");
    case Fault::forbidden_date:
      return with_file("Tried to load unspecified class: Date");
    case Fault::forbidden_time:
      return with_file("Tried to load unspecified class: Time");
    case Fault::encoding:
      return with_file(fmt::format("{} at line 1 column 1", parts.subject));
    case Fault::syntax:
      break;
  }
  const Diagnostic& told = error.diagnostic();
  if (parts.context.empty()) return with_file(fmt::format("{} {}", parts.subject, at(told.where.place)));
  // With its context, and that one's place.
  const Place& context = told.notes.empty() ? told.where.place : told.notes.front().place;
  return with_file(fmt::format("{} {} {}", parts.subject, parts.context, at(context)));
}

ReferenceWords behind(std::string_view head, const WordedError& error) {
  ReferenceWords out = error.words();
  if (out.text.empty()) return out;
  out.text.insert(0, head);
  if (out.file_at) *out.file_at += head.size();
  return out;
}

std::string worded(const WordedError& error, const std::string& working_folder) {
  const ReferenceWords& words = error.words();
  if (words.text.empty()) return error.what();
  std::string out = words.text;
  if (words.file_at) out.insert(*words.file_at, join_path(working_folder, error.diagnostic().where.place.file));
  return out;
}

}  // namespace strata::hiera
