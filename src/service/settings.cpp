// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>

#include "service/identity/settings.hpp"
#include "service/sites/site_settings.hpp"
#include "service/sites/state.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/service.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::service {
namespace {

constexpr std::int64_t kMostSeconds = 86'400;
constexpr std::int64_t kLargestSize = std::int64_t{1} << 40U;

struct Unit {
  std::string_view name;
  std::int64_t size;
};
constexpr std::array kSizes{Unit{"MiB", std::int64_t{1} << 20U}, Unit{"KiB", std::int64_t{1} << 10U},
                            Unit{"GiB", std::int64_t{1} << 30U}, Unit{"B", 1}};
constexpr std::array kTimes{Unit{"s", 1}, Unit{"min", 60}, Unit{"h", 3600}};
constexpr std::array<std::string_view, 15> kLimits{
    "body",        "queue",       "connections", "per-principal", "request", "request-line", "headers", "fields",
    "body-memory", "per-address", "rate",        "streams",       "head",    "idle",         "write"};

class SettingsReader {
 public:
  SettingsReader(const Value& root, const FieldErrors& errors, Settings under)
      : errors_(errors), fields_(root, "the configuration", errors), out_(std::move(under)) {}

  Settings read() {
    constexpr std::array<std::string_view, 27> kKeys{"site",
                                                     "tls",
                                                     "listen",
                                                     "store",
                                                     "key",
                                                     "auth",
                                                     "anonymous-roles",
                                                     "policy",
                                                     "log",
                                                     "io",
                                                     "workers",
                                                     "body",
                                                     "queue",
                                                     "connections",
                                                     "per-principal",
                                                     "drain-delay",
                                                     "drain",
                                                     "request",
                                                     "sites",
                                                     "repositories",
                                                     "cache",
                                                     "compat",
                                                     "deckhand-project",
                                                     "limits",
                                                     "trusted-proxy",
                                                     "require-if-match",
                                                     "public-hosts"};
    fields_.only(kKeys);
    words("listen", out_.listen);
    text("store", out_.store);
    words("key", out_.keys);
    if (const Value* auth = fields_.find("auth")) out_.auth = read_auth(*auth, errors_);
    words("anonymous-roles", out_.anonymous_roles);
    std::vector<std::string> sites;
    words("site", sites);
    for (const std::string& one : sites) out_.sites.push_back(read_site(one));
    if (const Value* named = fields_.mapping("sites", "a mapping of sites by name")) read_sites(*named);
    words("repositories", out_.repositories);
    bytes("cache", out_.cache, fields_);
    text("policy", out_.policy);
    text("compat", out_.compat);
    text("deckhand-project", out_.deckhand_project);
    words("public-hosts", out_.public_hosts);
    if (const Value* tls = fields_.mapping("tls", "a mapping of files")) read_tls(Fields(*tls, "'tls'", errors_));
    text("log", out_.log);
    number("io", 1024, out_.loops);
    number("workers", 1024, out_.workers);
    read_limits(fields_);
    if (const Value* limits = fields_.mapping("limits", "a mapping of numbers")) {
      const Fields fields(*limits, "'limits'", errors_);
      fields.only(kLimits);
      read_limits(fields);
    }
    words("trusted-proxy", out_.trusted_proxies);
    out_.requires_if_match = fields_.flag("require-if-match");
    seconds("drain-delay", out_.drain_delay, fields_);
    seconds("drain", out_.drain, fields_);
    return std::move(out_);
  }

 private:
  void text(std::string_view name, std::string& out) const {
    if (const Value* value = fields_.word(name)) out = value->text();
  }
  /// A list, or its one item.
  void words(std::string_view name, std::vector<std::string>& out) const { words(name, out, fields_); }
  static void words(std::string_view name, std::vector<std::string>& out, const Fields& fields) {
    const Value* value = fields.find(name);
    if (value == nullptr) return;
    out.clear();
    if (value->is_text()) {
      out.emplace_back(value->text());
      return;
    }
    for (const Value& item : fields.texts(name, "a text, or a list of texts")->items()) out.emplace_back(item.text());
  }
  void number(std::string_view name, std::int64_t most, std::size_t& out) const { number(name, most, out, fields_); }
  static void number(std::string_view name, std::int64_t most, std::size_t& out, const Fields& fields,
                     std::int64_t least = 0) {
    if (const auto value = fields.number(name, least, most)) out = static_cast<std::size_t>(*value);
  }
  /// A number, or a text with a unit.
  static std::optional<std::int64_t> with_unit(std::string_view name, std::int64_t most, std::span<const Unit> units,
                                               std::string_view expected, const Fields& fields) {
    const Value* value = fields.find(name);
    if (value == nullptr || !value->is_text()) return fields.number(name, 0, most, expected);
    std::int64_t out = 0;
    const std::string_view text = value->text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    const auto found = std::ranges::find(units, unit, &Unit::name);
    if (error != std::errc() || out < 0 || found == units.end() || out > most / found->size) {
      fields.refuse_value(name, fmt::format("a number of {}, or with a unit: 32{}", expected, units.front().name),
                          *value);
    }
    return out * found->size;
  }
  static void bytes(std::string_view name, std::size_t& out, const Fields& fields) {
    if (const auto value = with_unit(name, kLargestSize, kSizes, "bytes", fields))
      out = static_cast<std::size_t>(*value);
  }
  /// The same where 0 would leave no request an answer.
  static void some_bytes(std::string_view name, std::size_t& out, const Fields& fields) {
    bytes(name, out, fields);
    const Value* value = fields.find(name);
    if (value != nullptr && out == 0) fields.refuse_value(name, "a byte at least", *value);
  }
  template <class Duration>
  static void seconds(std::string_view name, Duration& out, const Fields& fields) {
    if (const auto value = with_unit(name, kMostSeconds, kTimes, "seconds", fields)) out = std::chrono::seconds(*value);
  }
  /// The same where a time of 0 would leave no request an answer.
  template <class Duration>
  static void some_seconds(std::string_view name, Duration& out, const Fields& fields) {
    seconds(name, out, fields);
    const Value* value = fields.find(name);
    if (value != nullptr && out == Duration(0)) fields.refuse_value(name, "a second at least", *value);
  }

  void read_limits(const Fields& fields) {
    ServerLimits& out = out_.server;
    bytes("body", out.body, fields);
    bytes("body-memory", out.body_memory, fields);
    some_bytes("request-line", out.request_line, fields);
    some_bytes("headers", out.headers, fields);
    constexpr std::int64_t kMost = 1'000'000;
    // Nobody would be answered with 0 of these.
    for (const auto& [name, into] :
         std::array<std::pair<std::string_view, std::size_t*>, 5>{{{"queue", &out.queue},
                                                                   {"connections", &out.connections},
                                                                   {"per-principal", &out.per_principal},
                                                                   {"per-address", &out.per_address},
                                                                   {"fields", &out.fields}}}) {
      number(name, kMost, *into, fields, 1);
    }
    number("rate", kMost, out.rate, fields);
    number("streams", kMost, out.streams, fields);
    some_seconds("request", out.request_time, fields);
    some_seconds("head", out.head_time, fields);
    some_seconds("idle", out.idle_time, fields);
    some_seconds("write", out.write_time, fields);
  }

  void read_sites(const Value& named) {
    for (const Entry& entry : named.entries()) {
      SiteSettings site = sites::read_configured(std::string(entry.key.text()), entry.value, errors_);
      std::erase_if(out_.sites, [&site](const SiteSettings& one) { return one.name == site.name; });
      out_.sites.push_back(std::move(site));
    }
  }

  void read_tls(const Fields& tls) {
    constexpr std::array<std::string_view, 5> kKeys{"certificate", "key", "client-ca", "client-auth", "ticket-time"};
    tls.only(kKeys);
    words("certificate", out_.tls_certificates, tls);
    words("key", out_.tls_keys, tls);
    if (const Value* value = tls.word("client-ca")) out_.client_ca = value->text();
    if (const Value* value = tls.word("client-auth")) out_.client_auth = value->text();
    seconds("ticket-time", out_.ticket_time, tls);
  }

  const FieldErrors& errors_;
  Fields fields_;
  Settings out_;
};

}  // namespace

SiteSettings read_site(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t colon = equals == std::string::npos ? equals : text.find(':', equals);
  if (equals == 0 || colon == std::string::npos || colon + 1 == text.size()) {
    throw Error("service.config", fmt::format("invalid site '{}'", text))
        .hint("--site NAME=DIALECT:PATH, or NAME=DIALECT:PATH@REF for a repository");
  }
  SiteSettings out{.name = text.substr(0, equals),
                   .dialect = text.substr(equals + 1, colon - equals - 1),
                   .path = text.substr(colon + 1)};
  if (!sites::is_site_name(out.name))
    throw Error("service.config", fmt::format("invalid name of a site: '{}'", out.name));
  (void)sites::find_dialect(out.dialect);
  if (const std::size_t at = out.path.rfind('@'); at != std::string::npos && !std::filesystem::exists(out.path)) {
    out.ref = out.path.substr(at + 1);
    out.path.resize(at);
  }
  return out;
}

Settings read_settings(const std::string& file, std::string text, Settings under) {
  Sources sources;
  const SourceId source = sources.add(file, std::move(text));
  const text::Document document = text::read_yaml(sources, source, text::core12(), under.limits);
  const FieldErrors errors{.code = "service.config",
                           .key_code = {},
                           .sources = &sources,
                           .place = sources.at(source, 0),
                           .prefix = {},
                           .hint = "docs/service/run.md has all members"};
  if (!document.root || document.root.is_null()) return under;
  Arena arena;
  MappingBuilder root(arena);
  if (!document.root.is_mapping()) return SettingsReader(document.root, errors, std::move(under)).read();
  for (const Entry& entry : sites::dashed(arena, document.root, errors).entries()) {
    const bool has_own = entry.key.is_text() && (entry.key.text() == "tls" || entry.key.text() == "limits");
    root.insert(entry.key, has_own ? sites::dashed(arena, entry.value, errors) : entry.value);
  }
  return SettingsReader(root.finish().with_origin(document.root.origin()), errors, std::move(under)).read();
}

}  // namespace strata::service
