// SPDX-License-Identifier: Apache-2.0
#include "service/identity/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "strata/error.hpp"

namespace strata::service {
namespace {

class AuthReader {
 public:
  explicit AuthReader(const FieldErrors& errors) : errors_(errors) {}

  [[nodiscard]] AuthWay way(const Value& value) const {
    if (value.is_text()) return named(value);
    if (!value.is_mapping() || value.size() != 1 || !value.entries().front().key.is_text()) {
      fail(value, "a way of 'auth' is a word, or a mapping of one word to its options");
    }
    const Entry& entry = value.entries().front();
    AuthWay out = named(entry.key);
    if (out.kind == "oidc") {
      read_oidc(Fields(entry.value, "'oidc'", errors_), out.oidc);
    } else if (out.kind == "keystone") {
      read_keystone(Fields(entry.value, "'keystone'", errors_), out.keystone);
    } else if (out.kind == "tokens") {
      const Fields fields(entry.value, "'tokens'", errors_);
      constexpr std::array<std::string_view, 1> kKeys{"file"};
      fields.only(kKeys);
      out.file = fields.needed_word("file").text();
    } else if (out.kind == "mtls") {
      if (!entry.value.is_sequence()) fail(entry.value, "'mtls' is a list of certificates and whom they stand for");
      for (const Value& item : entry.value.items())
        out.certificates.push_back(certificate(Fields(item, "a rule of 'mtls'", errors_)));
    } else {
      fail(entry.key, fmt::format("'{}' has no options", out.kind));
    }
    return out;
  }

 private:
  [[noreturn]] void fail(const Value& at, std::string why) const {
    Error error(errors_.code, std::move(why));
    if (errors_.sources != nullptr) error.at(*errors_.sources, at.origin());
    throw std::move(error).hint(errors_.hint);
  }

  AuthWay named(const Value& word) const {
    try {
      return read_auth_way(word.text());
    } catch (Error& error) {
      if (errors_.sources != nullptr) error.at(*errors_.sources, word.origin());
      throw;
    }
  }

  static void take(const Fields& fields, std::string_view name, std::string& out) {
    if (const Value* value = fields.word(name)) out = value->text();
  }
  /// The same for a name of two words, which others write with an underscore.
  static void take_named(const Fields& fields, std::string_view name, std::string& out) {
    std::string other(name);
    std::ranges::replace(other, '-', '_');
    take(fields, other, out);
    take(fields, name, out);
  }
  /// A text, or a list of them.
  static void take(const Fields& fields, std::string_view name, std::vector<std::string>& out) {
    const Value* value = fields.find(name);
    if (value == nullptr) return;
    out.clear();
    if (value->is_text()) {
      out.emplace_back(value->text());
    } else {
      for (const Value& item : fields.texts(name, "a text, or a list of texts")->items()) out.emplace_back(item.text());
    }
  }

  static void read_oidc(const Fields& fields, OidcOptions& out) {
    constexpr std::array<std::string_view, 8> kKeys{
        "audience", "ca", "issuer", "jwks", "project-claim", "project_claim", "roles-claim", "roles_claim"};
    fields.only(kKeys);
    take(fields, "issuer", out.issuer);
    take(fields, "audience", out.audiences);
    take(fields, "jwks", out.jwks);
    take_named(fields, "roles-claim", out.roles_claim);
    take_named(fields, "project-claim", out.project_claim);
    take(fields, "ca", out.ca);
  }

  static void read_keystone(const Fields& fields, KeystoneOptions& out) {
    constexpr std::array<std::string_view, 9> kKeys{
        "ca",  "password",    "project",     "project-domain", "project_domain",
        "url", "user-domain", "user_domain", "username"};
    fields.only(kKeys);
    out.url = fields.needed_word("url").text();
    take(fields, "username", out.username);
    take(fields, "password", out.password);
    take_named(fields, "user-domain", out.user_domain);
    take(fields, "project", out.project);
    take_named(fields, "project-domain", out.project_domain);
    take(fields, "ca", out.ca);
  }

  static CertificateRule certificate(const Fields& fields) {
    constexpr std::array<std::string_view, 4> kKeys{"name", "node", "project", "roles"};
    fields.only(kKeys);
    CertificateRule out{.name = std::string(fields.needed_word("name").text())};
    take(fields, "roles", out.roles);
    take(fields, "project", out.project);
    take(fields, "node", out.node);
    return out;
  }

  const FieldErrors& errors_;
};

}  // namespace

std::vector<AuthWay> read_auth(const Value& value, const FieldErrors& errors) {
  const AuthReader reader(errors);
  std::vector<AuthWay> out;
  if (!value.is_sequence()) {
    out.push_back(reader.way(value));
  } else {
    for (const Value& item : value.items()) out.push_back(reader.way(item));
  }
  return out;
}

}  // namespace strata::service
