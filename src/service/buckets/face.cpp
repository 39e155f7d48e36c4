// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/face.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "service/buckets/failure.hpp"
#include "service/buckets/render_cache.hpp"
#include "service/buckets/routes.hpp"
#include "service/buckets/yaml.hpp"
#include "service/core.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::array<std::string_view, 2> kPrefixes{"/api/v1.0", "/versions"};
constexpr std::size_t kRenderedBytes = std::size_t{512} << 20U;  ///< Of rendered revisions in memory.
constexpr std::string_view kHealth = "/api/v1.0/health";

Response versions(const Call& /*call*/) {
  Arena arena;
  const Value version = json_object(arena, {{"path", arena.text("/api/v1.0")}, {"status", arena.text("stable")}});
  return yaml_response(json_object(arena, {{"v1.0", version}}));
}

Response health(const Call& call) {
  call.core.read(call, [](store::Transaction&, const store::Project*) {});
  return {.status = 204};
}

class DeckhandFace final : public Face {
 public:
  explicit DeckhandFace(std::string project) : project_(std::move(project)), cache_(kRenderedBytes) {
    add("GET", "/versions", "", versions, Route::Work::brief);
    add("GET", kHealth, "", health);
    add("PUT", "/api/v1.0/buckets/{bucket}/documents", "create_cleartext_documents", put_documents);
    add("GET", "/api/v1.0/revisions", "list_revisions", list_revisions);
    add("DELETE", "/api/v1.0/revisions", "delete_revisions",
        [this](const Call& call) { return delete_revisions(call, cache_); });
    add("GET", "/api/v1.0/revisions/{id}", "show_revision", show_revision);
    add("GET", "/api/v1.0/revisions/{id}/documents", "list_cleartext_documents", list_documents);
    add("GET", "/api/v1.0/revisions/{id}/rendered-documents", "list_cleartext_documents",
        [this](const Call& call) { return list_rendered(call, cache_); });
    add("GET", "/api/v1.0/revisions/{id}/diff/{other}", "show_revision_diff", diff_revisions);
    add("GET", "/api/v1.0/revisions/{id}/deepdiff/{other}", "show_revision_deepdiff",
        [this](const Call& call) { return deepdiff_revisions(call, cache_); });
    add("POST", "/api/v1.0/rollback/{id}", "create_cleartext_documents", roll_back);
    add("GET", "/api/v1.0/revisions/{id}/tags", "list_tags", list_tags);
    add("DELETE", "/api/v1.0/revisions/{id}/tags", "delete_tags", delete_tags);
    add("POST", "/api/v1.0/revisions/{id}/tags/{tag}", "create_tag", create_tag);
    add("GET", "/api/v1.0/revisions/{id}/tags/{tag}", "show_tag", show_tag);
    add("DELETE", "/api/v1.0/revisions/{id}/tags/{tag}", "delete_tag", delete_tag);
    add("GET", "/api/v1.0/revisions/{id}/validations", "list_validations", list_validations);
    add("GET", "/api/v1.0/revisions/{id}/validations/detail", "list_validations", list_validation_details);
    add("POST", "/api/v1.0/revisions/{id}/validations/{name}", "create_validation", create_validation);
    add("GET", "/api/v1.0/revisions/{id}/validations/{name}", "list_validations", list_validation_entries);
    add("GET", "/api/v1.0/revisions/{id}/validations/{name}/entries/{entry}", "show_validation", show_validation_entry);
  }

  [[nodiscard]] std::string_view name() const noexcept override { return "deckhand"; }
  [[nodiscard]] std::span<const std::string_view> prefixes() const noexcept override { return kPrefixes; }
  [[nodiscard]] std::span<const Route> routes() const noexcept override { return routes_; }
  [[nodiscard]] std::string_view project() const noexcept override { return project_; }
  [[nodiscard]] bool knows_head() const noexcept override { return false; }
  [[nodiscard]] Response refused(const Request& request, const Refusal& refusal) const override {
    return answer_of(request, refusal);
  }

  /// As the reference's middleware, which comes before its routes and its policy.
  void check_head(const Request& request) const override {
    if (request.method != "GET" && request.method != "DELETE") require_yaml(request);
  }

  void finish(const Request& request, Response& response) const override {
    if (request.path == kHealth || request.path.ends_with(kHealth)) return;
    response.headers.set("X-Deckhand-Req", "req-" + request.id);
    if (!request.unknown && !request.principal.name.empty())
      response.headers.set("X-User-Name", request.principal.name);
    for (const std::string_view name : {"X-Context-Marker", "X-End-User"}) {
      if (const std::string* value = request.headers.find(name)) response.headers.set(std::string(name), *value);
    }
  }

  [[nodiscard]] Response other_method(const Request& request, const std::string& allowed) const override {
    const std::string sorted = sorted_methods(allowed);
    if (request.method == "OPTIONS") return {.status = 200, .headers = {{"Allow", sorted}}};
    Response out = answer_of(request, Failure(405, "HTTPMethodNotAllowed", std::nullopt));
    out.headers.set("Allow", sorted + ", OPTIONS");
    return out;
  }

 private:
  /// `action`: without `deckhand:`. Empty: for everybody.
  void add(std::string_view method, std::string_view pattern, std::string_view action,
           std::function<Response(const Call&)> answer, Route::Work work = Route::Work::long_) {
    actions_[routes_.size()] = action.empty() ? std::string() : "deckhand:" + std::string(action);
    routes_.push_back({.method = method,
                       .pattern = pattern,
                       .action = actions_[routes_.size()],
                       .work = work,
                       .answer = [answer = std::move(answer)](const Call& call) {
                         try {
                           return answer(call);
                         } catch (const Failure& failure) {
                           return answer_of(call.request, failure);
                         }
                       }});
  }

  static std::string sorted_methods(std::string_view allowed) {
    std::vector<std::string_view> methods;
    while (!allowed.empty()) {
      const std::string_view one = allowed.substr(0, allowed.find(','));
      allowed.remove_prefix(std::min(allowed.size(), one.size() + 2));
      methods.push_back(one);
    }
    std::ranges::sort(methods);
    std::string out;
    for (const std::string_view one : methods) out.append(out.empty() ? "" : ", ").append(one);
    return out;
  }

  std::string project_;
  RenderCache cache_;
  std::array<std::string, 32> actions_;  ///< The routes refer to them.
  std::vector<Route> routes_;
};

}  // namespace

std::unique_ptr<Face> make_deckhand_face(Core& /*core*/, std::string project) {
  return std::make_unique<DeckhandFace>(std::move(project));
}

std::unique_ptr<Face> make_deckhand_face(Core& core) { return make_deckhand_face(core, "default"); }

}  // namespace strata::service::buckets
