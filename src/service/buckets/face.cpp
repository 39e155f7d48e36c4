#include "service/buckets/face.hpp"

#include <array>

#include "service/buckets/answers.hpp"
#include "service/buckets/diff.hpp"
#include "service/buckets/documents.hpp"
#include "service/buckets/revisions.hpp"
#include "service/buckets/writing.hpp"
#include "service/core.hpp"
#include "store/store.hpp"
#include "strata/builder.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::size_t kCache = std::size_t{256} << 20U;

Response versions(const Call& /*call*/) {
  Arena arena;
  MappingBuilder version(arena);
  version.insert("path", arena.text("/api/v1.0"));
  version.insert("status", arena.text("stable"));
  MappingBuilder out(arena);
  out.insert("v1.0", version.finish());
  return yaml_response(out.finish());
}

Response health(const Call& call) {
  call.core.read(
      call, [](store::Transaction& transaction, const store::Project* /*project*/) { (void)transaction.run("SELECT version FROM strata_schema"); });
  return {.status = 204};
}

class DeckhandFace final : public Face {
 public:
  DeckhandFace() {
    add("GET", "/versions", "", versions);
    add("GET", "/api/v1.0/health", "", health);
    add("PUT", "/api/v1.0/buckets/{bucket}/documents", "deckhand:create_cleartext_documents", put_documents);
    add("GET", "/api/v1.0/revisions", "deckhand:list_revisions", list_revisions);
    add("DELETE", "/api/v1.0/revisions", "deckhand:delete_revisions", delete_revisions);
    add("GET", "/api/v1.0/revisions/{revision}", "deckhand:show_revision", show_revision);
    add("GET", "/api/v1.0/revisions/{revision}/documents", "deckhand:list_cleartext_documents", list_documents);
    add("GET", "/api/v1.0/revisions/{revision}/rendered-documents", "deckhand:list_cleartext_documents",
        [this](const Call& call) { return list_rendered_documents(call, renderings_); });
    add("GET", "/api/v1.0/revisions/{a}/diff/{b}", "deckhand:show_revision_diff", diff_revisions);
    add("GET", "/api/v1.0/revisions/{a}/deepdiff/{b}", "deckhand:show_revision_deepdiff",
        [this](const Call& call) { return deep_diff_revisions(call, renderings_); });
    add("POST", "/api/v1.0/rollback/{revision}", "deckhand:create_cleartext_documents", roll_back);
    add("GET", "/api/v1.0/revisions/{revision}/tags", "deckhand:list_tags", list_tags);
    add("DELETE", "/api/v1.0/revisions/{revision}/tags", "deckhand:delete_tags", delete_tags);
    add("GET", "/api/v1.0/revisions/{revision}/tags/{tag}", "deckhand:show_tag", show_tag);
    add("POST", "/api/v1.0/revisions/{revision}/tags/{tag}", "deckhand:create_tag", create_tag);
    add("DELETE", "/api/v1.0/revisions/{revision}/tags/{tag}", "deckhand:delete_tag", delete_tag);
    add("GET", "/api/v1.0/revisions/{revision}/validations", "deckhand:list_validations", list_validations);
    add("GET", "/api/v1.0/revisions/{revision}/validations/detail", "deckhand:list_validations", list_validation_details);
    add("GET", "/api/v1.0/revisions/{revision}/validations/{name}", "deckhand:list_validations", list_validation_entries);
    add("POST", "/api/v1.0/revisions/{revision}/validations/{name}", "deckhand:create_validation", create_validation);
    add("GET", "/api/v1.0/revisions/{revision}/validations/{name}/entries/{entry}", "deckhand:show_validation", show_validation_entry);
  }

  [[nodiscard]] std::string_view name() const noexcept override { return "deckhand"; }
  [[nodiscard]] std::span<const std::string_view> prefixes() const noexcept override { return kPrefixes; }
  [[nodiscard]] std::span<const Route> routes() const noexcept override { return routes_; }
  [[nodiscard]] bool knows_head() const noexcept override { return false; }

  [[nodiscard]] Response refused(const Request& request, const Refusal& refusal) const override {
    return failure_response(request, {.status = refusal.status, .type = type_of(refusal), .message = message_of(refusal)});
  }

  [[nodiscard]] Response other_method(const Request& request, const std::string& allowed) const override {
    if (request.method == "OPTIONS") return {.status = 200, .headers = {{"Allow", allowed}, {"Content-Type", std::string(kYaml)}}};
    return Face::other_method(request, allowed);
  }

  void finish(const Request& request, Response& response) const override {
    if (request.segments.size() == 3 && request.segments.back() == "health") return;
    response.headers.set("X-Deckhand-Req", "req-" + request.id);
    if (!request.principal.name.empty() && !request.unknown) response.headers.set("X-User-Name", request.principal.name);
    const auto take_over = [&](std::string_view from, std::string to) {
      if (const std::string* value = request.headers.find(from)) response.headers.set(std::move(to), *value);
    };
    take_over("X-CONTEXT-MARKER", "X-Context-Marker");
    take_over("X-END-USER", "X-End-User");
  }

 private:
  static constexpr std::array<std::string_view, 2> kPrefixes{"/api", "/versions"};

  template <class Answer>
  void add(std::string_view method, std::string_view pattern, std::string_view action, Answer answer) {
    routes_.push_back({.method = method, .pattern = pattern, .action = action, .work = Route::Work::long_, .answer = [answer](const Call& call) {
                         try {
                           return answer(call);
                         } catch (const deckhand::Refused& wrong) {
                           return refused_response(call.request, wrong);
                         }
                       }});
  }

  /// The name of an error in Deckhand.
  static std::string type_of(const Refusal& refusal) {
    if (!refusal.type.empty()) return refusal.type;
    switch (refusal.status) {
      case 400:
        return "HTTPBadRequest";
      case 401:
        return "HTTPUnauthorized";
      case 403:
        return "HTTPForbidden";
      case 404:
        return "HTTPRouteNotFound";
      case 405:
        return "HTTPMethodNotAllowed";
      case 409:
        return "HTTPConflict";
      case 413:
        return "HTTPPayloadTooLarge";
      case 415:
        return "HTTPUnsupportedMediaType";
      case 422:
        return "HTTPUnprocessableEntity";
      case 503:
        return "HTTPServiceUnavailable";
      default:
        return "HTTPInternalServerError";
    }
  }

  static std::string message_of(const Refusal& refusal) {
    // The reference says nothing where the framework refuses.
    if (refusal.type.empty() && (refusal.status == 401 || refusal.status == 404 || refusal.status == 405)) return {};
    return refusal.message;
  }

  Renderings renderings_{kCache};
  std::vector<Route> routes_;
};

}  // namespace

std::unique_ptr<Face> make_deckhand_face(Core& /*core*/) { return std::make_unique<DeckhandFace>(); }

}  // namespace strata::service::buckets
