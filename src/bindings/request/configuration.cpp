// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bindings/problems.hpp"
#include "bindings/request/paths.hpp"
#include "plugin/wire.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::bindings {
namespace {

constexpr unsigned kMaxTimeout = 86'400;

/// What names a file, a program or a service.
std::string word_field(const Fields& fields, std::string_view name) {
  const Value* value = fields.word(name);
  if (value == nullptr) return {};
  if (value->text().find('\0') != std::string_view::npos)
    fields.refuse_value(name, "a text without null characters", *value);
  return std::string(value->text());
}

unsigned seconds_of(const Fields& fields, std::string_view name, unsigned otherwise) {
  return static_cast<unsigned>(fields.number(name, 1, kMaxTimeout, "seconds").value_or(otherwise));
}

std::vector<std::string> words_of(const Fields& fields, const Value& value) {
  constexpr std::string_view kExpected = "the program to run: a text, or a list of texts";
  std::vector<std::string> words;
  if (value.is_text()) {
    constexpr std::string_view kBlanks = " \t\n";
    const std::string_view text = value.text();
    for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
      words.emplace_back(text.substr(at, end - at));
      at = text.find_first_not_of(kBlanks, end);
    }
  } else if (value.is_sequence()) {
    for (const Value& item : value.items()) {
      if (!item.is_text()) fields.refuse_item("enc_command", kExpected, item);
      words.emplace_back(item.text());
    }
  } else {
    fields.refuse_kind("enc_command", kExpected, value);
  }
  const bool has_zero =
      std::ranges::any_of(words, [](const std::string& word) { return word.find('\0') != std::string::npos; });
  if (words.empty() || words.front().empty() || has_zero) fields.refuse_value("enc_command", kExpected, value);
  return words;
}

EncCommand enc_command_of(const Fields& fields, const Value& value, const std::string& confdir) {
  EncCommand command{
      .words = words_of(fields, value), .takes_facts = fields.flag("enc_facts"), .origin = value.origin()};
  command.timeout = seconds_of(fields, "enc_timeout", command.timeout);
  if (command.words.front().find('/') != std::string::npos)
    command.words.front() = joined(confdir, command.words.front());
  return command;
}

std::string path_field(const Fields& fields, std::string_view name, const std::string& confdir) {
  const std::string path = word_field(fields, name);
  return path.empty() ? path : joined(confdir, path);
}

std::vector<ExtensionDeclaration> extensions_of(const FieldErrors& errors, const Fields& fields,
                                                const std::string& confdir) {
  static constexpr std::array<std::string_view, 4> kKeys{"kind", "name", "lua", "plugin"};
  using plugin::kKinds;
  std::vector<ExtensionDeclaration> out;
  const Value* list = fields.list("extensions", "a list of {kind, name, lua | plugin}");
  if (list == nullptr) return out;
  Problems problems;
  for (const Value& item : list->items()) {
    problems.guard([&] {
      const Fields one(item, "an extension", errors);
      one.only(kKeys);
      ExtensionDeclaration extension{.kind = word_field(one, "kind"),
                                     .name = word_field(one, "name"),
                                     .lua = path_field(one, "lua", confdir),
                                     .plugin = path_field(one, "plugin", confdir),
                                     .origin = item.origin()};
      if (!extension.kind.empty() && std::ranges::find(kKinds, extension.kind) == kKinds.end()) {
        one.refuse_value("kind", fmt::format("one of {}", fmt::join(kKinds, ", ")), *one.find("kind"));
      }
      if (extension.lua.empty() == extension.plugin.empty())
        one.fail("an extension has one of 'lua' and 'plugin'", item);
      out.push_back(std::move(extension));
    });
  }
  problems.raise();
  return out;
}

PuppetDbSettings puppetdb_of(const FieldErrors& errors, const Value& value, const std::string& confdir) {
  static constexpr std::array<std::string_view, 5> kKeys{"url", "ssl_ca", "ssl_cert", "ssl_key", "timeout"};
  const Fields fields(value, "'puppetdb'", errors);
  fields.only(kKeys);
  PuppetDbSettings settings{.url = word_field(fields, "url"),
                            .ssl_ca = path_field(fields, "ssl_ca", confdir),
                            .ssl_cert = path_field(fields, "ssl_cert", confdir),
                            .ssl_key = path_field(fields, "ssl_key", confdir),
                            .origin = value.origin()};
  settings.timeout = seconds_of(fields, "timeout", settings.timeout);
  if (!settings.url.starts_with("http://") && !settings.url.starts_with("https://")) {
    fields.fail("'puppetdb' needs a 'url' that begins with http:// or https://", value);
  }
  if (settings.ssl_cert.empty() != settings.ssl_key.empty())
    fields.fail("'ssl_cert' and 'ssl_key' must be given together", value);
  return settings;
}

Configuration configuration_of(Sources& sources, SourceId source, const std::string& confdir, const Limits& limits) {
  static constexpr std::array<std::string_view, 7> kKeys{"enc_command", "enc_facts",     "enc_timeout", "facts_dir",
                                                         "extensions",  "query_service", "puppetdb"};
  Configuration out;
  const text::Document document = text::read_yaml(sources, source, text::core12(), limits);
  if (!document.root || document.root.is_null()) return out;
  const FieldErrors errors{.code = "config.value", .key_code = "config.key", .sources = &sources};
  const Fields fields(document.root, "strata.yaml", errors);
  fields.only(kKeys);
  if (const Value* command = fields.find("enc_command")) {
    out.enc_command = enc_command_of(fields, *command, confdir);
  } else {
    for (const std::string_view name : {std::string_view("enc_facts"), std::string_view("enc_timeout")}) {
      if (const Value* value = fields.find(name))
        fields.fail(fmt::format("'{}' has no effect without 'enc_command'", name), *value);
    }
  }
  out.facts_dir = path_field(fields, "facts_dir", confdir);
  out.extensions = extensions_of(errors, fields, confdir);
  if (const Value* service = fields.find("puppetdb")) out.puppetdb = puppetdb_of(errors, *service, confdir);
  out.query_service = word_field(fields, "query_service");
  return out;
}

}  // namespace

std::shared_ptr<const Configuration> read_configuration(const std::string& confdir, Session& session) {
  auto read = session.read<Configuration>(
      joined(confdir, "strata.yaml"), confdir, [&](Sources& texts, SourceId source, const Limits& limits) {
        return Reading<Configuration>{
            .parsed = std::make_shared<const Configuration>(configuration_of(texts, source, confdir, limits))};
      });
  return read ? read : std::make_shared<const Configuration>();
}

}  // namespace strata::bindings
