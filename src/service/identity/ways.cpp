// SPDX-License-Identifier: Apache-2.0
// The ways of a service: as users write them, what they need, and where they are allowed.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "service/identity/recognisers.hpp"
#include "service/identity/reloaded_file.hpp"
#include "strata/error.hpp"
#include "strata/near_names.hpp"

namespace strata::service {
namespace {

constexpr std::array<std::string_view, 7> kWays{"headers",         "keystone", "mtls",  "none",
                                                "none-on-purpose", "oidc",     "tokens"};
constexpr std::size_t kLongestPassword = 4096;

/// The password that an option names.
std::string password_of(const std::string& source) {
  if (source.empty()) return {};
  std::string out;
  if (source.starts_with("env:")) {
    const std::string name = source.substr(4);
    char* value =
        std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): there is one thread, as the header asks for.
    if (value == nullptr)
      throw Error("service.auth", fmt::format("the environment has no variable {} with a password", name));
    out = value;
    // The kernel shows the environment to others of the same user: the value itself goes too.
    explicit_bzero(value, out.size());
    unsetenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): as above
  } else if (source.starts_with("file:")) {
    const std::string path = source.substr(5);
    struct stat about {};
    if (::stat(path.c_str(), &about) == 0 && (about.st_mode & 0077U) != 0) {
      throw Error("service.key-readable", "others can read the password")
          .in(path)
          .hint(fmt::format("chmod 600 {}", path));
    }
    out = read_whole_file(path, kLongestPassword);
  } else {
    throw Error("service.auth", "a password does not stand among the options").hint("file:PATH or env:NAME");
  }
  while (out.ends_with('\n') || out.ends_with('\r')) out.pop_back();
  if (out.empty()) throw Error("service.auth", "the password is empty");
  return out;
}

}  // namespace

AuthWay read_auth_way(std::string_view text) {
  const std::size_t colon = text.find(':');
  AuthWay out{.kind = std::string(text.substr(0, colon))};
  if (std::ranges::find(kWays, out.kind) == kWays.end()) {
    throw Error("service.auth", fmt::format("there is no way '{}' to recognise who asks", out.kind))
        .hint(name_hint(kWays, out.kind, "none, none-on-purpose, tokens, headers, oidc, keystone, mtls"));
  }
  if (colon == std::string_view::npos) return out;
  const std::string_view rest = text.substr(colon + 1);
  if (rest.empty() || (out.kind != "tokens" && out.kind != "keystone")) {
    throw Error("service.auth", fmt::format("nothing can stand behind '{}:' in '{}'", out.kind, text))
        .hint("tokens:FILE, keystone:URL");
  }
  (out.kind == "tokens" ? out.file : out.keystone.url) = rest;
  return out;
}

void check_auth_ways(const std::vector<AuthWay>& ways, const std::vector<Reach>& listeners) {
  const bool is_local = std::ranges::all_of(listeners, [](Reach one) { return one == Reach::local; });
  const bool is_guarded = std::ranges::none_of(listeners, [](Reach one) { return one == Reach::anybody; });
  const bool is_open = ways.empty() || std::ranges::any_of(ways, [](const AuthWay& way) { return way.kind == "none"; });
  if (is_open && !is_local) {
    throw Error("service.auth", "'none' lets everybody in who reaches a listener, and not all listeners are local")
        .hint(
            "listen on 127.0.0.1 or unix:PATH, or choose --auth tokens; 'none-on-purpose' is for networks that others "
            "guard");
  }
  if (std::ranges::any_of(ways, [](const AuthWay& way) { return way.kind == "headers"; }) && !is_guarded) {
    throw Error(
        "service.auth",
        "'headers' believes everybody who reaches a listener, and not all listeners are local or demand certificates")
        .hint("listen on 127.0.0.1 or unix:PATH, or with ,tls and --client-auth require");
  }
}

std::unique_ptr<Recogniser> make_recogniser(const AuthWay& way, const IdentityNeeds& needs) {
  if (way.kind == "tokens") {
    if (!way.file.empty()) return recognise_by_token_file(way.file, needs.events, needs.clocks);
    return recognise_by_stored_tokens(*needs.store, needs.events, needs.clocks);
  }
  if (way.kind == "headers") return recognise_by_headers();
  if (way.kind == "oidc") return recognise_by_jwt(way.oidc, needs.events, needs.clocks);
  if (way.kind == "keystone") {
    KeystoneOptions options = way.keystone;
    options.password = password_of(options.password);
    return recognise_by_keystone(std::move(options), needs.clocks);
  }
  if (way.kind == "mtls") return recognise_by_certificate(way.certificates);
  return recognise_anybody(needs.anonymous_roles.empty() ? std::vector<std::string>{"admin"} : needs.anonymous_roles);
}

Identity make_identity(const std::vector<AuthWay>& ways, const IdentityNeeds& needs) {
  std::vector<std::unique_ptr<Recogniser>> out;
  out.reserve(ways.size() + 1);
  for (const AuthWay& way : ways) out.push_back(make_recogniser(way, needs));
  if (out.empty()) out.push_back(make_recogniser({.kind = "none"}, needs));
  Pages pages = needs.pages;
  pages.takes_any_host |= std::ranges::any_of(ways, [](const AuthWay& way) { return way.kind == "none-on-purpose"; });
  return Identity(std::move(out), needs.clocks, std::move(pages));
}

}  // namespace strata::service
