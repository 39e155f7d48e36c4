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

/// What stands between commas, without blanks around.
std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string> out;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    word.remove_prefix(std::min(word.find_first_not_of(kBlanks), word.size()));
    word = word.substr(0, word.find_last_not_of(kBlanks) + 1);
    if (!word.empty()) out.emplace_back(word);
  }
  return out;
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
  [[nodiscard]] std::optional<Principal> recognise(const Request& request) const override {
    if (request.headers.get("X-Identity-Status") != "Confirmed") return std::nullopt;
    const std::string* user = request.headers.find("X-User-Id");
    Principal out{.name = user == nullptr ? std::string() : *user,
                  .method = "headers",
                  .roles = words_of(request.headers.get("X-Roles")),
                  .project = std::string(request.headers.get("X-Project-Id"))};
    // As the systems behind Keystone do it.
    out.is_everywhere = out.has_role("admin");
    for (const auto& [header, name] : kAttributes) {
      if (const std::string* value = request.headers.find(header)) out.attributes.push_back({std::string(name), *value});
    }
    return out;
  }
  [[nodiscard]] bool is_brief(const Request& /*request*/) const override { return true; }
};

}  // namespace

std::unique_ptr<Recogniser> recognise_anybody(std::vector<std::string> roles) { return std::make_unique<Anybody>(std::move(roles)); }
std::unique_ptr<Recogniser> recognise_by_headers() { return std::make_unique<ByHeaders>(); }

}  // namespace strata::service
