// SPDX-License-Identifier: Apache-2.0
#include "service/identity/jwt.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "store/encoding.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

constexpr std::int64_t kLeeway = 60;  ///< Seconds that clocks may differ.
constexpr std::size_t kMostRoles = 1000;

struct NamedAlgorithm {
  std::string_view name;
  JwtAlgorithm algorithm;
};
constexpr std::array kAlgorithms{
    NamedAlgorithm{"RS256", JwtAlgorithm::rs256}, NamedAlgorithm{"PS256", JwtAlgorithm::ps256},
    NamedAlgorithm{"ES256", JwtAlgorithm::es256}, NamedAlgorithm{"ES384", JwtAlgorithm::es384}};

std::optional<JsonBody> json_of(std::string_view part, const std::string& name) {
  const auto text = from_base64url(part);
  if (!text) return std::nullopt;
  try {
    JsonBody out{.sources = std::make_shared<Sources>(), .document = {}};
    const SourceId source = out.sources->add(name, *text);
    out.document = text::read_json(*out.sources, source, {.depth = 32, .input = kLongestJwt}, 0, {});
    if (!out.root().is_mapping()) return std::nullopt;
    return out;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// A time as claims have it. No value: it is another kind of value.
std::optional<double> seconds_of(const Value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->kind() == Kind::integer) return static_cast<double>(value->as_integer());
  if (value->kind() == Kind::floating && std::isfinite(value->as_floating())) return value->as_floating();
  return std::nullopt;
}

bool is_for(const Value* audience, const std::vector<std::string>& wanted) {
  if (audience == nullptr) return false;
  const auto is_wanted = [&wanted](const Value& one) {
    return one.is_text() && std::ranges::find(wanted, one.text()) != wanted.end();
  };
  if (audience->is_sequence()) return std::ranges::any_of(audience->items(), is_wanted);
  return is_wanted(*audience);
}

/// A claim by its name, or by the names of nested objects.
const Value* claim(const Value& claims, std::string_view path) {
  if (const Value* whole = claims.find(path)) return whole;
  const Value* at = &claims;
  while (at != nullptr && at->is_mapping()) {
    const std::size_t dot = path.find('.');
    at = at->find(path.substr(0, dot));
    if (dot == std::string_view::npos) return at;
    path.remove_prefix(dot + 1);
  }
  return nullptr;
}

std::vector<std::string> claimed_roles(const Value* value) {
  std::vector<std::string> out;
  if (value == nullptr) return out;
  if (value->is_sequence()) {
    for (const Value& one : value->items()) {
      if (one.is_text() && out.size() < kMostRoles) out.emplace_back(one.text());
    }
  } else if (value->is_text()) {
    std::string_view rest = value->text();
    while (!rest.empty() && out.size() < kMostRoles) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      if (!word.empty()) out.emplace_back(word);
    }
  }
  return out;
}

}  // namespace

std::optional<std::string> from_base64url(std::string_view text) {
  if (text.find_first_of("+/=") != std::string_view::npos) return std::nullopt;
  std::string plain(text);
  std::ranges::replace(plain, '-', '+');
  std::ranges::replace(plain, '_', '/');
  plain.append((4 - plain.size() % 4) % 4, '=');
  return store::from_base64(plain);
}

std::optional<JwtAlgorithm> jwt_algorithm(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(kAlgorithms, name, &NamedAlgorithm::name);
  return found == kAlgorithms.end() ? std::nullopt : std::optional(found->algorithm);
}

bool looks_like_jwt(std::string_view text) noexcept { return std::ranges::count(text, '.') == 2; }

std::optional<Jwt> read_jwt(std::string_view text) {
  if (text.size() > kLongestJwt || !looks_like_jwt(text)) return std::nullopt;
  const std::size_t first = text.find('.');
  const std::size_t second = text.find('.', first + 1);
  const auto header = json_of(text.substr(0, first), "<header>");
  if (!header || header->root().find("crit") != nullptr) return std::nullopt;
  const Value* algorithm = header->root().find("alg");
  if (algorithm == nullptr || !algorithm->is_text()) return std::nullopt;
  const auto known = jwt_algorithm(algorithm->text());
  if (!known) return std::nullopt;
  const Value* key_id = header->root().find("kid");
  if (key_id != nullptr && !key_id->is_text()) return std::nullopt;
  auto signature = from_base64url(text.substr(second + 1));
  if (!signature || signature->empty()) return std::nullopt;
  auto claims = json_of(text.substr(first + 1, second - first - 1), "<claims>");
  if (!claims) return std::nullopt;
  Jwt out{.name_of_algorithm = std::string(algorithm->text()),
          .algorithm = *known,
          .key_id = {},
          .signature = *std::move(signature),
          .claims = *std::move(claims)};
  if (key_id != nullptr) out.key_id = key_id->text();
  return out;
}

std::optional<JwtClaims> read_claims(const Value& claims, const OidcOptions& options, std::int64_t now) {
  const Value* issuer = claims.find("iss");
  const Value* subject = claims.find("sub");
  if (issuer == nullptr || !issuer->is_text() || issuer->text() != options.issuer) return std::nullopt;
  if (!is_for(claims.find("aud"), options.audiences)) return std::nullopt;
  if (subject == nullptr || !subject->is_text() || subject->text().empty()) return std::nullopt;
  const auto end = seconds_of(claims.find("exp"));
  if (!end || *end + static_cast<double>(kLeeway) <= static_cast<double>(now)) return std::nullopt;
  if (const Value* begin = claims.find("nbf"); begin != nullptr) {
    const auto time = seconds_of(begin);
    if (!time || *time - static_cast<double>(kLeeway) > static_cast<double>(now)) return std::nullopt;
  }
  constexpr double kFarthest = 1e15;
  JwtClaims out{.principal = {.name = std::string(subject->text()),
                              .method = "oidc",
                              .roles = claimed_roles(claim(claims, options.roles_claim))},
                .expires = static_cast<std::int64_t>(std::min(*end, kFarthest))};
  if (!options.project_claim.empty()) {
    const Value* project = claim(claims, options.project_claim);
    if (project == nullptr || !project->is_text() || project->text().empty()) return std::nullopt;
    out.principal.project = project->text();
  }
  return out;
}

}  // namespace strata::service
