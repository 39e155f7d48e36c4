#include <array>
#include <limits>

#include "service/identity/settings.hpp"
#include "strata/service.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::service {
namespace {

constexpr std::int64_t kMostSeconds = 86'400;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 40U;

class SettingsReader {
 public:
  SettingsReader(const Value& root, const FieldErrors& errors, Settings under)
      : errors_(errors), fields_(root, "the configuration", errors), out_(std::move(under)) {}

  Settings read() {
    constexpr std::array<std::string_view, 17> kKeys{"tls",         "listen",        "store",       "key",     "auth",   "anonymous-roles",
                                                     "policy",      "log",           "io",          "workers", "body",   "queue",
                                                     "connections", "per-principal", "drain-delay", "drain",   "request"};
    fields_.only(kKeys);
    words("listen", out_.listen);
    text("store", out_.store);
    words("key", out_.keys);
    if (const Value* auth = fields_.find("auth")) out_.auth = read_auth(*auth, errors_);
    words("anonymous-roles", out_.anonymous_roles);
    text("policy", out_.policy);
    if (const Value* tls = fields_.mapping("tls", "a mapping of files")) read_tls(Fields(*tls, "'tls'", errors_));
    text("log", out_.log);
    number("io", 1024, out_.loops);
    number("workers", 1024, out_.workers);
    number("body", kMostBytes, out_.body);
    number("queue", 1'000'000, out_.queue);
    number("connections", 1'000'000, out_.connections);
    number("per-principal", 1'000'000, out_.per_principal);
    seconds("request", out_.request);
    seconds("drain-delay", out_.drain_delay);
    seconds("drain", out_.drain);
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
  void number(std::string_view name, std::int64_t most, std::size_t& out) const {
    if (const auto value = fields_.number(name, 0, most)) out = static_cast<std::size_t>(*value);
  }
  template <class Duration>
  void seconds(std::string_view name, Duration& out) const {
    if (const auto value = fields_.number(name, 0, kMostSeconds, "seconds")) out = std::chrono::seconds(*value);
  }

  void read_tls(const Fields& tls) {
    constexpr std::array<std::string_view, 4> kKeys{"certificate", "key", "client-ca", "client-auth"};
    tls.only(kKeys);
    words("certificate", out_.tls_certificates, tls);
    words("key", out_.tls_keys, tls);
    if (const Value* value = tls.word("client-ca")) out_.client_ca = value->text();
    if (const Value* value = tls.word("client-auth")) out_.client_auth = value->text();
  }

  const FieldErrors& errors_;
  Fields fields_;
  Settings out_;
};

}  // namespace

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
  return SettingsReader(document.root, errors, std::move(under)).read();
}

}  // namespace strata::service
