// SPDX-License-Identifier: Apache-2.0
#include "heat/template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "heat/attached_template.hpp"
#include "heat/schema_reader.hpp"
#include "heat/template_version.hpp"
#include "strata/stop.hpp"

namespace strata::heat {
namespace {

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// The mapping that a text is as JSON; none where it is none.
std::optional<text::Document> read_as_json(Sources& sources, SourceId source, const Limits& limits) {
  if (!looks_like_json(sources.text(source))) return std::nullopt;
  try {
    return text::read_json(sources, source, limits);
  } catch (const Error& error) {
    if (error.category() != Category::input) throw;
    return std::nullopt;
  }
}

text::Document read_document(Sources& sources, SourceId source, const Limits& limits) {
  if (auto document = read_as_json(sources, source, limits)) return *std::move(document);
  return read_template_text(sources, source, [&] { return text::read_yaml(sources, source, text::heat(), limits); });
}

}  // namespace

bool looks_like_json(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text[begin] == '{';
}

void check_template_size(const Sources& sources, SourceId source) {
  const std::string_view text = sources.text(source);
  if (text.size() <= kMaxTemplateSize) return;
  const std::size_t size = count_characters(text);
  if (size <= kMaxTemplateSize) return;
  throw Error("heat.template-size",
              fmt::format("this text has {} characters, and no more than {} are allowed", size, kMaxTemplateSize))
      .in(sources.file(source))
      .hint("the limit is that of templates, and the service holds every attached file to it");
}

text::Document read_template_text(Sources& sources, SourceId source, const std::function<text::Document()>& read) {
  try {
    return read();
  } catch (const Error& error) {
    const std::string_view text = sources.text(source);
    const bool may_hide =
        text.find("hidden") != std::string_view::npos || text.find("NoEcho") != std::string_view::npos;
    if (error.gives_up() || !may_hide) throw;
  }
  sources.mark_secret(source);
  return read();
}

bool may_be_template(std::string_view text) noexcept {
  return text.find("heat_template_version") != std::string_view::npos ||
         text.find("TemplateFormatVersion") != std::string_view::npos;
}

bool is_template(const Value& root) {
  return root.is_mapping() &&
         std::ranges::any_of(version_keys(), [&](std::string_view key) { return root.find(key) != nullptr; });
}

std::optional<text::Document> find_template(Sources& sources, const AttachedText& attached, const Limits& limits) {
  if (attached.document != nullptr) {
    if (!is_template(attached.document->root)) return std::nullopt;
    if (auto document = read_as_json(sources, attached.source, limits)) return document;
    return *attached.document;
  }
  try {
    auto document = read_document(sources, attached.source, limits);
    if (!is_template(document.root)) return std::nullopt;
    return document;
  } catch (const Error& error) {
    if (error.category() != Category::input) throw;
    return std::nullopt;
  }
}

Template read_template(Sources& sources, SourceId source, const Limits& limits) {
  check_template_size(sources, source);
  auto document = read_document(sources, source, limits);
  if (!document.root.origin()) document.root = document.root.with_origin(sources.at(source, 0));
  Template result = template_of(sources, document.root, std::move(document.arena));
  result.repeated_keys = std::move(document.repeated_keys);
  return result;
}

Template template_of(const Sources& sources, const Value& root, std::shared_ptr<Arena> arena) {
  if (root && !root.is_null() && !root.is_mapping()) {
    throw Error("heat.template", fmt::format("a template is a mapping, not {}", describe(root.kind())))
        .at(sources, root.origin());
  }
  if (!is_template(root)) {
    throw Error("heat.template", "the template does not give its version")
        .at(sources, root.origin())
        .hint("begin it with `heat_template_version: 2018-08-31`");
  }
  Template result{.root = root, .parameters = {}, .arena = std::move(arena)};
  result.parameters = read_schemata(sources, root, *result.arena);
  return result;
}

Schemata schemata_of(Sources& sources, const Template* root, std::span<const AttachedText> attached,
                     const Limits& limits, std::vector<std::shared_ptr<Arena>>& arenas,
                     std::vector<text::RepeatedKey>* repeated_keys) {
  Schemata schemata;
  for (const AttachedText& text : attached) {
    check_stop(limits.stop);
    check_template_size(sources, text.source);
    if (text.read != nullptr) {
      for (const ParameterSchema& schema : text.read->parameters.all()) schemata.add(schema);
      arenas.push_back(text.read->arena);
      if (repeated_keys != nullptr) std::ranges::copy(text.read->repeated_keys, std::back_inserter(*repeated_keys));
      continue;
    }
    auto document = find_template(sources, text, limits);
    if (!document) continue;
    const Schemata declared = read_schemata(sources, document->root, *document->arena);
    for (const ParameterSchema& schema : declared.all()) schemata.add(schema);
    arenas.push_back(document->arena);
    if (repeated_keys != nullptr) std::ranges::copy(document->repeated_keys, std::back_inserter(*repeated_keys));
  }
  if (root != nullptr) {
    for (const ParameterSchema& schema : root->parameters.all()) schemata.add(schema);
  }
  return schemata;
}

}  // namespace strata::heat
