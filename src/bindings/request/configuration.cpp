#include "bindings/request/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "bindings/problems.hpp"
#include "bindings/request/paths.hpp"
#include "plugin/wire.hpp"
#include "strata/near_names.hpp"
#include "strata/text.hpp"

namespace strata::bindings {
namespace {

constexpr unsigned kLongest = 86'400;

/// Reads a mapping member by member; what nobody asked for is an error.
class Members {
 public:
  Members(const Sources& sources, const Value& mapping, std::string what, std::span<const std::string_view> known)
      : sources_(sources), mapping_(mapping) {
    if (!mapping.is_mapping()) {
      throw Error("config.value", fmt::format("{} must be a mapping, not {}", what, describe(mapping.kind()))).at(sources, mapping.origin());
    }
    Problems problems;
    for (const Entry& entry : mapping.entries()) {
      const std::string_view name = entry.key.is_text() ? entry.key.text() : std::string_view();
      if (std::ranges::find(known, name) != known.end()) continue;
      Error error("config.key", entry.key.is_text() ? fmt::format("{} has no key '{}'", what, name) : fmt::format("keys of {} are texts", what));
      const std::string_view near = nearest_name(known, name);
      problems.add(std::move(error)
                       .at(sources, entry.key.origin())
                       .hint(near.empty() ? fmt::format("it may have {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near)));
    }
    problems.raise();
  }

  [[nodiscard]] const Value* find(std::string_view name) const {
    const Value* value = mapping_.find(name);
    return value == nullptr || value->is_null() ? nullptr : value;
  }

  [[nodiscard]] std::string text(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr) return {};
    if (!value->is_text() || value->text().empty() || value->text().find('\0') != std::string_view::npos)
      fail(name, *value, "a text that is not empty");
    return std::string(value->text());
  }

  [[nodiscard]] bool flag(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr) return false;
    if (value->kind() != Kind::boolean) fail(name, *value, "true or false");
    return value->as_boolean();
  }

  [[nodiscard]] unsigned seconds(std::string_view name, unsigned otherwise) const {
    const Value* value = find(name);
    if (value == nullptr) return otherwise;
    if (value->kind() != Kind::integer || value->as_integer() < 1 || value->as_integer() > kLongest) {
      fail(name, *value, "a number of seconds from 1 to 86400");
    }
    return static_cast<unsigned>(value->as_integer());
  }

  [[noreturn]] void fail(std::string_view name, const Value& value, std::string_view expected) const {
    throw Error("config.value", fmt::format("'{}' must be {}", name, expected)).at(sources_, value.origin());
  }

 private:
  const Sources& sources_;
  const Value& mapping_;
};

std::vector<std::string> words_of(const Members& members, const Value& value) {
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
      if (!item.is_text()) members.fail("enc_command", item, "a text, or a list of texts");
      words.emplace_back(item.text());
    }
  }
  const bool has_zero = std::ranges::any_of(words, [](const std::string& word) { return word.find('\0') != std::string::npos; });
  if (words.empty() || words.front().empty() || has_zero) members.fail("enc_command", value, "the program to run: a text, or a list of texts");
  return words;
}

EncCommand enc_command_of(const Members& members, const Value& value, const std::string& confdir) {
  EncCommand command{.words = words_of(members, value), .takes_facts = members.flag("enc_facts"), .origin = value.origin()};
  command.timeout = members.seconds("enc_timeout", command.timeout);
  if (command.words.front().find('/') != std::string::npos) command.words.front() = joined(confdir, command.words.front());
  return command;
}

std::string path_of(const Members& members, std::string_view name, const std::string& confdir) {
  const std::string path = members.text(name);
  return path.empty() ? path : joined(confdir, path);
}

std::vector<ExtensionDeclaration> extensions_of(const Sources& sources, const Members& members, const std::string& confdir) {
  static constexpr std::array<std::string_view, 4> kKeys{"kind", "name", "lua", "plugin"};
  using plugin::kKinds;
  std::vector<ExtensionDeclaration> out;
  const Value* list = members.find("extensions");
  if (list == nullptr) return out;
  if (!list->is_sequence()) members.fail("extensions", *list, "a list of {kind, name, lua | plugin}");
  Problems problems;
  for (const Value& item : list->items()) {
    problems.guard([&] {
      const Members one(sources, item, "an extension", kKeys);
      ExtensionDeclaration extension{.kind = one.text("kind"),
                                     .name = one.text("name"),
                                     .lua = path_of(one, "lua", confdir),
                                     .plugin = path_of(one, "plugin", confdir),
                                     .origin = item.origin()};
      if (!extension.kind.empty() && std::ranges::find(kKinds, extension.kind) == kKinds.end()) {
        one.fail("kind", *one.find("kind"), fmt::format("one of {}", fmt::join(kKinds, ", ")));
      }
      if (extension.lua.empty() == extension.plugin.empty()) {
        throw Error("config.value", "an extension has one of 'lua' and 'plugin'").at(sources, item.origin());
      }
      out.push_back(std::move(extension));
    });
  }
  problems.raise();
  return out;
}

PuppetDbSettings puppetdb_of(const Sources& sources, const Value& value, const std::string& confdir) {
  static constexpr std::array<std::string_view, 5> kKeys{"url", "ssl_ca", "ssl_cert", "ssl_key", "timeout"};
  const Members members(sources, value, "'puppetdb'", kKeys);
  PuppetDbSettings settings{.url = members.text("url"),
                            .ssl_ca = path_of(members, "ssl_ca", confdir),
                            .ssl_cert = path_of(members, "ssl_cert", confdir),
                            .ssl_key = path_of(members, "ssl_key", confdir),
                            .origin = value.origin()};
  settings.timeout = members.seconds("timeout", settings.timeout);
  if (!settings.url.starts_with("http://") && !settings.url.starts_with("https://")) {
    throw Error("config.value", "'puppetdb' needs a 'url' that begins with http:// or https://").at(sources, value.origin());
  }
  if (settings.ssl_cert.empty() != settings.ssl_key.empty()) {
    throw Error("config.value", "'ssl_cert' and 'ssl_key' must be given together").at(sources, value.origin());
  }
  return settings;
}

Configuration configuration_of(Sources& sources, SourceId source, const std::string& confdir, const Limits& limits) {
  static constexpr std::array<std::string_view, 7> kKeys{"enc_command", "enc_facts",     "enc_timeout", "facts_dir",
                                                         "extensions",  "query_service", "puppetdb"};
  Configuration out;
  const text::Document document = text::read_yaml(sources, source, text::core12(), limits);
  if (!document.root || document.root.is_null()) return out;
  const Members members(sources, document.root, "strata.yaml", kKeys);
  if (const Value* command = members.find("enc_command")) {
    out.enc_command = enc_command_of(members, *command, confdir);
  } else {
    for (const std::string_view name : {std::string_view("enc_facts"), std::string_view("enc_timeout")}) {
      if (const Value* value = members.find(name)) {
        throw Error("config.value", fmt::format("'{}' has no effect without 'enc_command'", name)).at(sources, value->origin());
      }
    }
  }
  out.facts_dir = path_of(members, "facts_dir", confdir);
  out.extensions = extensions_of(sources, members, confdir);
  if (const Value* service = members.find("puppetdb")) out.puppetdb = puppetdb_of(sources, *service, confdir);
  out.query_service = members.text("query_service");
  return out;
}

}  // namespace

std::shared_ptr<const Configuration> read_configuration(const std::string& confdir, Session& session) {
  auto read = session.read<Configuration>(joined(confdir, "strata.yaml"), confdir, [&](Sources& texts, SourceId source, const Limits& limits) {
    return Reading<Configuration>{.parsed = std::make_shared<const Configuration>(configuration_of(texts, source, confdir, limits))};
  });
  return read ? read : std::make_shared<const Configuration>();
}

}  // namespace strata::bindings
