// SPDX-License-Identifier: Apache-2.0
#include "tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "store/encoding.hpp"
#include "store/projects.hpp"
#include "store/seal.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"
#include "tree/sha256.hpp"

namespace strata::store {
namespace {

constexpr std::string_view kTokenPrefix = "strata_";
constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kSecretText = 43;
constexpr std::size_t kLongestTokenId = 32;
constexpr std::size_t kRandomIdBytes = 5;
constexpr std::int64_t kMostDays = 36'500;
constexpr std::int64_t kMicrosecondsOfDay = std::int64_t{86'400} * 1'000'000;

bool is_lower_or_digit(char one) noexcept { return (one >= 'a' && one <= 'z') || (one >= '0' && one <= '9'); }
bool is_name_letter(char one) noexcept {
  return is_lower_or_digit(one) || (one >= 'A' && one <= 'Z') || one == '.' || one == '-' || one == '_';
}

bool is_token_id(std::string_view id) noexcept {
  return !id.empty() && id.size() <= kLongestTokenId &&
         std::ranges::all_of(id, [](char one) { return is_lower_or_digit(one) || one == '-'; });
}

bool is_token_name(std::string_view name, std::size_t most) noexcept {
  return !name.empty() && name.size() <= most && std::ranges::all_of(name, is_name_letter) && !name.starts_with('.') &&
         !name.starts_with('-');
}

/// base64url without padding.
std::string url_text(std::string_view bytes) {
  std::string out = base64(bytes);
  std::ranges::replace(out, '+', '-');
  std::ranges::replace(out, '/', '_');
  out.resize(out.find_last_not_of('=') + 1);
  return out;
}

}  // namespace

void check_new_token(const NewToken& wanted) {
  const auto refuse = [](std::string why) { return Error("token.value", std::move(why)); };
  if (!wanted.id.empty() && !is_token_id(wanted.id)) {
    throw refuse(fmt::format("'{}' is not the id of a token: it has up to {} small letters, digits and '-'", wanted.id,
                             kLongestTokenId));
  }
  if (!is_project_name(wanted.project)) {
    throw refuse("the name of a project has 1 to 255 bytes of UTF-8 without slashes and control characters");
  }
  if (wanted.roles.empty()) throw refuse("a token needs a role").hint("reader, editor, admin, secret-reader or node");
  for (const std::string& role : wanted.roles) {
    if (!is_token_name(role, 64))
      throw refuse(fmt::format("'{}' is not a role: roles have letters, digits, '.', '-' and '_'", role));
  }
  const bool is_for_node = std::ranges::find(wanted.roles, "node") != wanted.roles.end();
  if (is_for_node != !wanted.node.empty()) {
    throw refuse(is_for_node ? "a token of the role node needs the name of its node"
                             : "only a token of the role node has a node");
  }
  if (!wanted.node.empty() && !is_token_name(wanted.node, 253))
    throw refuse(fmt::format("'{}' is not the name of a node", wanted.node));
  if (wanted.days < 0 || wanted.days > kMostDays)
    throw refuse(fmt::format("a token is valid for 1 to {} days, or always: 0", kMostDays));
}

std::optional<PresentedToken> read_token(std::string_view text) noexcept {
  if (!text.starts_with(kTokenPrefix)) return std::nullopt;
  text.remove_prefix(kTokenPrefix.size());
  // A secret may have underscores, an id has none.
  const std::size_t end = text.find('_');
  if (end == std::string_view::npos) return std::nullopt;
  const PresentedToken out{.id = text.substr(0, end), .secret = text.substr(end + 1)};
  const auto is_url_letter = [](char one) { return is_name_letter(one) && one != '.'; };
  if (!is_token_id(out.id) || out.secret.size() != kSecretText || !std::ranges::all_of(out.secret, is_url_letter))
    return std::nullopt;
  return out;
}

std::string token_hash(std::string_view secret) {
  const auto digest = sha256(secret);
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

bool same_secret(std::string_view left, std::string_view right) noexcept {
  if (left.size() != right.size()) return false;
  volatile unsigned char difference = 0;
  for (std::size_t at = 0; at < left.size(); ++at) {
    difference = static_cast<unsigned char>(difference | static_cast<unsigned char>(left[at] ^ right[at]));
  }
  return difference == 0;
}

MadeToken make_token(const NewToken& wanted) {
  check_new_token(wanted);
  const SecretBytes random = random_bytes(kSecretBytes);
  const std::string secret = url_text(random.view());
  std::string roles;
  for (const std::string& role : wanted.roles) roles.append(roles.empty() ? "" : ",").append(role);
  MadeToken out{.row = {.id = wanted.id.empty() ? hex(random_bytes(kRandomIdBytes).view()) : wanted.id,
                        .hash = token_hash(secret),
                        .project = wanted.project,
                        .roles = std::move(roles)},
                .token = {}};
  if (!wanted.node.empty()) out.row.node = wanted.node;
  if (wanted.days > 0) out.row.expires_at = now() + wanted.days * kMicrosecondsOfDay;
  out.token = fmt::format("{}{}_{}", kTokenPrefix, out.row.id, secret);
  return out;
}

std::string add_new_token(Transaction& transaction, const NewToken& wanted) {
  MadeToken made = make_token(wanted);
  if (find_token(transaction, made.row.id)) {
    throw Error("token.exists", fmt::format("there is a token '{}' already", made.row.id))
        .hint("take another id, or revoke it");
  }
  add_token(transaction, made.row);
  return made.token;
}

FileToken create_file_token(const NewToken& wanted) {
  const MadeToken made = make_token(wanted);
  std::string entry = fmt::format(R"("{}": {{sha256: "{}", project: )", made.row.id, hex(made.row.hash));
  text::append_json_text(entry, made.row.project);
  entry += ", roles: [";
  for (const std::string& role : wanted.roles) {
    if (&role != &wanted.roles.front()) entry += ", ";
    text::append_json_text(entry, role);
  }
  entry += ']';
  if (made.row.node) {
    entry += ", node: ";
    text::append_json_text(entry, *made.row.node);
  }
  if (made.row.expires_at) {
    // It is valid until a day begins.
    const std::chrono::year_month_day end{
        std::chrono::sys_days(std::chrono::days(*made.row.expires_at / kMicrosecondsOfDay + 1))};
    entry += fmt::format(R"(, expires: "{:04}-{:02}-{:02}")", static_cast<int>(end.year()),
                         static_cast<unsigned>(end.month()), static_cast<unsigned>(end.day()));
  }
  return {.token = made.token, .entry = entry + "}"};
}

std::vector<std::string> roles_of(const Token& token) {
  std::vector<std::string> out;
  for (std::string_view rest = token.roles; !rest.empty();) {
    const std::string_view role = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), role.size() + 1));
    if (!role.empty()) out.emplace_back(role);
  }
  return out;
}

bool is_expired(const Token& token, std::int64_t time) noexcept {
  return token.expires_at && *token.expires_at <= time;
}

}  // namespace strata::store
