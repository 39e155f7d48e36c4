// SPDX-License-Identifier: Apache-2.0
// Ways that need neither the store nor the network.
#include <algorithm>
#include <array>
#include <utility>

#include "service/identity/identity.hpp"

namespace strata::service {
namespace {

class Anybody final : public Recogniser {
 public:
  explicit Anybody(std::vector<std::string> roles) : roles_(std::move(roles)) {}
  [[nodiscard]] std::string_view name() const noexcept override { return "none"; }
  [[nodiscard]] std::optional<Principal> recognise(const Request& /*request*/) const override {
    return Principal{.name = "anonymous", .method = "none", .roles = roles_};
  }
  [[nodiscard]] bool is_brief(const Request& /*request*/) const override { return true; }

 private:
  std::vector<std::string> roles_;
};

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// What stands between commas, without blanks around.
std::vector<std::string> comma_list(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::string_view word = without_blanks(part);
    if (!word.empty()) out.emplace_back(word);
  }
  return out;
}

/// The value of a header that a proxy sets. Null: there is none. Error (Refused) for several: the client may have sent
/// the first, and the proxy the last.
const std::string* single_header(const Request& request, std::string_view name) {
  if (request.headers.count(name) > 1) {
    throw Refused(
        {.status = 400,
         .code = "request.header",
         .message = std::string("the header ").append(name).append(" is given several times: its client is ambiguous"),
         .hint = "the proxy must replace what clients send",
         .type = "",
         .headers = {}});
  }
  return request.headers.find(name);
}
std::string_view only_text(const Request& request, std::string_view name) {
  const std::string* value = single_header(request, name);
  return value == nullptr ? std::string_view() : *value;
}

/// Headers of Keystone's middleware, and what a policy calls them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kAttributes{{
    {"OpenStack-System-Scope", "system_scope"},
    {"X-Domain-Id", "domain_id"},
    {"X-Project-Domain-Id", "project_domain_id"},
    {"X-User-Domain-Id", "user_domain_id"},
}};

class ByHeaders final : public Recogniser {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "headers"; }
  [[nodiscard]] std::string challenge() const override { return "Headers realm=\"strata\""; }
  [[nodiscard]] std::optional<Principal> recognise(const Request& request) const override {
    if (only_text(request, "X-Identity-Status") != "Confirmed") return std::nullopt;
    // A confirmed identity has a user: without one, something is wrong with the proxy.
    const std::string_view user = without_blanks(only_text(request, "X-User-Id"));
    if (user.empty()) return std::nullopt;
    Principal out{.name = std::string(user),
                  .method = "headers",
                  .roles = comma_list(only_text(request, "X-Roles")),
                  .project = std::string(only_text(request, "X-Project-Id"))};
    // As the systems behind Keystone do it.
    out.is_everywhere = out.has_role("admin") || only_text(request, "OpenStack-System-Scope") == "all";
    // A credential without a project is not one for all of them: its roles hold nowhere here.
    if (out.project.empty() && !out.is_everywhere) out.roles.clear();
    for (const auto& [header, name] : kAttributes) {
      if (const std::string* value = single_header(request, header))
        out.attributes.push_back({std::string(name), *value});
    }
    return out;
  }
  [[nodiscard]] bool is_brief(const Request& /*request*/) const override { return true; }
};

}  // namespace

std::unique_ptr<Recogniser> recognise_anybody(std::vector<std::string> roles) {
  return std::make_unique<Anybody>(std::move(roles));
}
std::unique_ptr<Recogniser> recognise_by_headers() { return std::make_unique<ByHeaders>(); }

}  // namespace strata::service
