// SPDX-License-Identifier: Apache-2.0
#include "service/http/forwarded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <optional>

#include "service/fields.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

namespace ip = boost::asio::ip;
using Bytes = std::array<unsigned char, 16>;

constexpr std::string_view kSockets = "unix";
constexpr std::string_view kLocal = "local";  ///< The address of those who come by a socket.
constexpr unsigned kMappedBits = 96;

std::optional<ip::address> address_of(std::string_view text) {
  boost::system::error_code error;
  const ip::address out = ip::make_address(std::string(text), error);
  return error ? std::nullopt : std::optional(out);
}

Bytes address_bytes(const ip::address& address) {
  return address.is_v4() ? ip::make_address_v6(ip::v4_mapped, address.to_v4()).to_bytes() : address.to_v6().to_bytes();
}

bool is_in_network(const Bytes& address, const Bytes& network, unsigned bits) {
  for (unsigned at = 0; at < bits; at += 8) {
    const unsigned left = std::min(8U, bits - at);
    const auto mask = static_cast<unsigned char>(0xFFU << (8U - left));
    if (((address[at / 8] ^ network[at / 8]) & mask) != 0) return false;
  }
  return true;
}

/// The address of `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`. No value: it says who, and not
/// where.
std::optional<std::string> node_address(std::string_view text) {
  if (text.starts_with('[')) {
    text = text.substr(1, text.find(']') - 1);
  } else if (std::ranges::count(text, ':') == 1) {
    text = text.substr(0, text.find(':'));
  }
  const auto found = address_of(text);
  return found ? std::optional(found->to_string()) : std::nullopt;
}

/// One step of a request on its way here.
struct Hop {
  std::string from = {};
  std::string proto = {};
  std::string host = {};
};

std::vector<Hop> hops_of(const Request& request) {
  std::vector<Hop> out;
  for (const std::string_view element : request.headers.members("Forwarded")) {
    Hop hop;
    for (const std::string_view pair : members_of(element, ';')) {
      const std::size_t equals = pair.find('=');
      if (equals == std::string_view::npos) continue;
      std::string value = unquoted(trimmed(pair.substr(equals + 1)));
      const std::string_view name = trimmed(pair.substr(0, equals));
      if (same_name(name, "for")) {
        hop.from = std::move(value);
      } else if (same_name(name, "proto")) {
        hop.proto = std::move(value);
      } else if (same_name(name, "host")) {
        hop.host = std::move(value);
      }
    }
    out.push_back(std::move(hop));
  }
  if (!out.empty()) return out;
  for (const std::string_view from : request.headers.members("X-Forwarded-For"))
    out.push_back({.from = std::string(from)});
  const auto protos = request.headers.members("X-Forwarded-Proto");
  const auto hosts = request.headers.members("X-Forwarded-Host");
  if (out.empty() && (!protos.empty() || !hosts.empty())) out.emplace_back();
  if (!protos.empty()) out.back().proto = protos.back();
  if (!hosts.empty()) out.back().host = hosts.back();
  return out;
}

}  // namespace

bool is_host(std::string_view text) noexcept {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%";
  constexpr std::size_t kLongestPort = 5;
  if (text.size() > 255) return false;
  const bool is_v6 = text.starts_with('[');
  const std::size_t end = is_v6 ? text.find(']') : std::min(text.find(':'), text.size());
  if (end == std::string_view::npos) return false;
  const std::string_view name = text.substr(is_v6 ? 1 : 0, is_v6 ? end - 1 : end);
  const auto is_plain = [is_v6, kPlain](char one) {
    return kPlain.find(one) != std::string_view::npos || (is_v6 && one == ':');
  };
  if (name.empty() || !std::ranges::all_of(name, is_plain)) return false;
  // The port may be missing behind its colon.
  const std::string_view rest = text.substr(is_v6 ? end + 1 : end);
  if (rest.empty()) return true;
  return rest.front() == ':' && rest.size() <= kLongestPort + 1 &&
         rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

TrustedProxies::TrustedProxies(const std::vector<std::string>& networks) {
  for (const std::string& text : networks) {
    if (text == kSockets) {
      trusts_sockets_ = true;
      continue;
    }
    const std::size_t slash = text.find('/');
    const auto address = address_of(std::string_view(text).substr(0, slash));
    const unsigned most = address && address->is_v4() ? 32 : 128;
    unsigned bits = most;
    bool is_right = address.has_value();
    if (slash != std::string::npos) {
      const char* const end = text.data() + text.size();
      const auto [stopped, error] = std::from_chars(text.data() + slash + 1, end, bits);
      is_right = is_right && error == std::errc() && stopped == end && bits <= most;
    }
    if (!is_right) {
      throw Error("service.config", fmt::format("'{}' is not a network of proxies", text))
          .hint("10.0.0.0/8, 2001:db8::/32, an address, or unix");
    }
    networks_.push_back({.bytes = address_bytes(*address), .bits = address->is_v4() ? bits + kMappedBits : bits});
  }
}

bool TrustedProxies::trusts(std::string_view address) const {
  if (address == kLocal) return trusts_sockets_;
  if (networks_.empty()) return false;
  const auto found = address_of(address);
  if (!found) return false;
  const Bytes bytes = address_bytes(*found);
  return std::ranges::any_of(networks_,
                             [&bytes](const Network& one) { return is_in_network(bytes, one.bytes, one.bits); });
}

void TrustedProxies::apply(Request& request) const {
  if (!trusts(request.address)) return;
  const std::vector<Hop> hops = hops_of(request);
  if (hops.empty()) return;
  // The nearest proxy says how it was called itself; only what trusted ones say counts.
  const std::size_t scheme_end = request.base.find("://");
  std::string scheme = request.base.substr(0, scheme_end);
  std::string host = request.base.substr(scheme_end + 3);
  for (auto hop = hops.rbegin(); hop != hops.rend() && trusts(request.address); ++hop) {
    if (same_name(hop->proto, "http") || same_name(hop->proto, "https"))
      scheme = same_name(hop->proto, "https") ? "https" : "http";
    if (is_host(hop->host)) host = hop->host;
    const std::optional<std::string> from = node_address(hop->from);
    if (!from) break;
    request.address = *from;
  }
  request.base = fmt::format("{}://{}", scheme, host);
}

}  // namespace strata::service
