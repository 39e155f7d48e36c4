// SPDX-License-Identifier: Apache-2.0
#include "service/explore/session.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "service/identity/origin.hpp"
#include "service/json.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kLongestToken = 8192;
/// Marks a request whose credential was a cookie. A client that sends it itself only gets more checks.
constexpr std::string_view kByCookie = "Strata-By-Cookie";

bool has_cookie(const Request& request) { return request.headers.find(kByCookie) != nullptr; }

/// Cookies know no ports: each service of a machine has its own.
std::string cookie_name(const Request& request) {
  const std::string_view port = host_parts(host_of(request)).second;
  const bool is_number = !port.empty() && std::ranges::all_of(port, [](char one) { return one >= '0' && one <= '9'; });
  return is_number ? fmt::format("strata_explore_{}", port) : std::string("strata_explore");
}

bool is_explorers(const Request& request) {
  if (request.segments.empty()) return false;
  if (request.segments.front() == "explore") return true;
  return request.segments.size() >= 3 && request.segments[0] == "strata" && request.segments[1] == "v1" &&
         request.segments[2] == "explore";
}

/// Visible ASCII that a cookie can hold.
bool is_cookie_text(std::string_view text) {
  return !text.empty() && text.size() <= kLongestToken && std::ranges::all_of(text, [](char one) {
    return one > 0x20 && one < 0x7f && one != ';' && one != ',' && one != '"' && one != '\\';
  });
}

Principal recognised(const Call& call, const Gate& gate, const std::string& token) {
  if (!gate.recognise || !is_cookie_text(token)) {
    throw Refused(refusal(401, "service.unauthorized", "the token is not one of this service", ""));
  }
  Request asking = call.request;
  asking.headers.set("Authorization", "Bearer " + token);
  asking.unknown.reset();
  return gate.recognise(asking);
}

}  // namespace

void take_cookie(Request& request) {
  if (!is_explorers(request) || request.headers.find("Authorization") != nullptr) return;
  const std::string name = cookie_name(request) + '=';
  for (const Field& one : request.headers.fields()) {
    if (!same_name(one.name, "Cookie")) continue;
    std::string_view rest = one.value;
    while (!rest.empty()) {
      std::string_view pair = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
      pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
      if (!pair.starts_with(name) || !is_cookie_text(pair.substr(name.size()))) continue;
      const std::string credential(pair.substr(name.size()));
      request.headers.set(std::string(kByCookie), "1");
      request.headers.set("Authorization", "Bearer " + credential);
      return;
    }
  }
}

std::string cookie_header(const Request& request, std::string_view credential) {
  const bool is_tls = request.base.starts_with("https:");
  return fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/{}{}", cookie_name(request), credential,
                     is_tls ? "; Secure" : "", credential.empty() ? "; Max-Age=0" : "");
}

void check_origin(const Request& request, const Gate& gate) {
  const std::string_view host = host_of(request);
  if (!gate.takes_host(host)) {
    throw Refused(refusal(421, "service.host", fmt::format("this service is not '{}'", host),
                          "public_hosts of the configuration names its hosts"));
  }
  if (request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS") return;
  const std::string* origin = request.headers.find("Origin");
  const bool is_own = origin != nullptr && same_name(*origin, request.base);
  if (!is_own && (origin != nullptr || has_cookie(request))) {
    throw Refused(refusal(403, "service.origin", "the request comes from another page", ""));
  }
  if (has_cookie(request) && !request.headers.get("Content-Type").starts_with("application/json")) {
    throw Refused(refusal(403, "service.origin", "a request with a cookie has the content type application/json", ""));
  }
}

Response open_session(const Call& call, const Gate& gate) {
  const JsonBody json = read_json_body(call);
  const Value* token = json.root().is_mapping() ? json.root().find("token") : nullptr;
  if (token == nullptr || !token->is_text()) throw Error("request.body", "the body is an object with 'token'");
  const std::string text(token->text());
  const Principal who = recognised(call, gate, text);
  Arena arena;
  Response out = json_response(json_object(arena, {{"name", arena.text(who.name)}}));
  out.headers.add("Set-Cookie", cookie_header(call.request, text));
  return out;
}

Response close_session(const Call& call) {
  return {.status = 204, .headers = {{"Set-Cookie", cookie_header(call.request, {})}}};
}

Response take_token(const Call& call, const Gate& gate, const std::string& token) {
  (void)recognised(call, gate, token);
  std::string target = call.request.path;
  std::string query;
  for (const Field& one : call.request.query.fields()) {
    if (one.name == "token") continue;
    query += fmt::format("{}{}={}", query.empty() ? "?" : "&", percent_encoded(one.name), percent_encoded(one.value));
  }
  return {.status = 303,
          .headers = {{"Location", target + query},
                      {"Set-Cookie", cookie_header(call.request, token)},
                      {"Cache-Control", "no-store"}}};
}

std::string random_token() {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::array<std::uint8_t, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error("service.internal", "the system gives no random bytes");
  }
  std::string out;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const std::uint8_t byte : bytes) {
    bits = (bits << 8U) | byte;
    for (count += 8; count >= 6;) out += kDigits[(bits >> (count -= 6)) & 0x3FU];
  }
  if (count != 0) out += kDigits[(bits << (6 - count)) & 0x3FU];
  return out;
}

bool same_secret(std::string_view left, std::string_view right) noexcept {
  if (left.size() != right.size()) return false;
  unsigned differs = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    differs |= static_cast<unsigned char>(left[i]) ^ static_cast<unsigned char>(right[i]);
  return differs == 0;
}

}  // namespace strata::service::explore
