// SPDX-License-Identifier: Apache-2.0
// Certificates of clients, which the listener has verified.
#include <algorithm>
#include <array>
#include <utility>

#include "service/identity/recognisers.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

/// Whether a piece of a subject lies within one of its parts: these begin behind commas and plus signs, which stand
/// behind `\` within a part.
bool is_within_part(std::string_view piece) {
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (piece[i] == ',' || piece[i] == '+') return false;
    if (piece[i] == '\\' && ++i == piece.size()) return false;
  }
  return true;
}

/// Whether a name fits a pattern, in which `*` stands for one or more characters other than dots, within one part of a
/// subject. Cost: linear.
bool fits_certificate(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  const std::string_view before = pattern.substr(0, star);
  const std::string_view after = pattern.substr(star + 1);
  if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) return false;
  const std::string_view between = name.substr(before.size(), name.size() - before.size() - after.size());
  return between.find('.') == std::string_view::npos && (!pattern.starts_with("subject:") || is_within_part(between));
}

class ByCertificate final : public Recogniser {
 public:
  explicit ByCertificate(std::vector<CertificateRule> rules) : rules_(std::move(rules)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "mtls"; }
  [[nodiscard]] std::string challenge() const override { return "Certificate realm=\"strata\""; }
  [[nodiscard]] bool is_brief(const Request& /*request*/) const override { return true; }

  [[nodiscard]] std::optional<Principal> recognise(const Request& request) const override {
    for (const CertificateRule& rule : rules_) {
      for (const std::string& name : request.certificate_names) {
        if (!fits_certificate(rule.name, name)) continue;
        Principal out{.name = name, .method = "mtls", .roles = rule.roles, .project = rule.project, .node = rule.node};
        if (rule.node == "*") out.node = name.substr(name.find(':') + 1);
        return out;
      }
    }
    return std::nullopt;
  }

 private:
  const std::vector<CertificateRule> rules_;
};

}  // namespace

std::unique_ptr<Recogniser> recognise_by_certificate(std::vector<CertificateRule> rules) {
  if (rules.empty())
    throw Error("service.auth", "mtls needs to know whom certificates stand for")
        .hint("auth: [{mtls: [{name: …, roles: […]}]}]");
  for (const CertificateRule& rule : rules) {
    constexpr std::array<std::string_view, 4> kKinds{"DNS:", "URI:", "email:", "subject:"};
    const bool has_kind =
        std::ranges::any_of(kKinds, [&rule](std::string_view kind) { return rule.name.starts_with(kind); });
    const bool is_wide = std::ranges::count(rule.name, '*') > 1;
    if (!has_kind || is_wide) {
      throw Error("service.auth", "'" + rule.name + "' is not a name of certificates")
          .hint("DNS:…, URI:…, email:… or subject:…, with one * at most");
    }
    if (rule.roles.empty()) throw Error("service.auth", "the certificates of '" + rule.name + "' have no roles");
    const bool is_for_node = std::ranges::find(rule.roles, "node") != rule.roles.end();
    if (is_for_node != !rule.node.empty() || (rule.node == "*" && !rule.name.starts_with("DNS:"))) {
      throw Error("service.auth", "the role node needs a node; others have none, and * is for DNS: only")
          .hint("{name: 'DNS:*.example.org', roles: [node], node: '*'}");
    }
  }
  return std::make_unique<ByCertificate>(std::move(rules));
}

}  // namespace strata::service
