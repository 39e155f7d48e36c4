// SPDX-License-Identifier: Apache-2.0
#include "service/operation/face.hpp"

#include <array>

#include "service/entity_tags.hpp"
#include "service/json.hpp"
#include "service/operation/health.hpp"
#include "service/operation/metrics.hpp"
#include "service/operation/openapi.hpp"
#include "strata/builder.hpp"

namespace strata::service {
namespace {

class OperationFace final : public Face {
 public:
  OperationFace(const Health& health, const Metrics& metrics, bool echoes)
      : routes_{Route{.method = "GET",
                      .pattern = "/healthz",
                      .action = "",
                      .work = Route::Work::brief,
                      .answer = [](const Call& /*call*/) { return text_response("ok\n"); }},
                Route{.method = "GET",
                      .pattern = "/readyz",
                      .action = "",
                      .work = Route::Work::brief,
                      .answer = [&health](const Call& call) { return ready(health, call); }},
                Route{.method = "GET", .pattern = "/openapi.json", .action = "", .answer = describe},
                Route{.method = "GET",
                      .pattern = "/metrics",
                      .action = "",
                      .work = Route::Work::brief,
                      .answer = [&metrics](const Call& /*call*/) {
                        return text_response(metrics.text(), "text/plain; version=0.0.4; charset=utf-8");
                      }}} {
    if (!echoes) return;
    constexpr std::size_t kSize = 822;
    routes_.push_back(
        {.method = "GET",
         .pattern = "/echo",
         .action = "",
         .work = Route::Work::brief,
         .answer = [](const Call& /*call*/) {
           static const std::string text = R"({"echo": ")" + std::string(kSize - 13, 'x') + "\"}\n";
           return Response{.status = 200, .headers = {{"Content-Type", "application/json"}}, .body = text};
         }});
  }

  [[nodiscard]] std::string_view name() const noexcept override { return "operation"; }
  [[nodiscard]] std::span<const std::string_view> prefixes() const noexcept override { return kPrefixes; }
  [[nodiscard]] std::span<const Route> routes() const noexcept override { return routes_; }
  [[nodiscard]] Response refused(const Request& request, const Refusal& refusal) const override {
    return problem_response(request, refusal);
  }

 private:
  static constexpr std::array<std::string_view, 5> kPrefixes{"/healthz", "/readyz", "/metrics", "/openapi.json",
                                                             "/echo"};

  static Response text_response(std::string text, std::string type = "text/plain; charset=utf-8") {
    return {.status = 200,
            .headers = {{"Content-Type", std::move(type)}, {"Cache-Control", "no-store"}},
            .body = std::move(text)};
  }

  static Response describe(const Call& call) {
    static const std::string tag = entity_tag(openapi_json());
    return tagged(call, tag, openapi_json());
  }

  static Response ready(const Health& health, const Call& call) {
    const auto wrong = health.wrong();
    Arena arena;
    MappingBuilder out(arena);
    out.insert("ready", Value::boolean(wrong.empty()));
    // Strangers need not know what is wrong, only that something is.
    const bool is_told = call.request.address == "127.0.0.1" || call.request.address == "::1" ||
                         call.request.address == "local" ||
                         (!call.request.unknown && call.request.principal.has_role("admin"));
    if (is_told) {
      MappingBuilder details(arena);
      for (const auto& [name, what] : wrong) details.insert(name, arena.text(what));
      out.insert("wrong", details.finish());
    }
    Response response = json_response(out.finish(), wrong.empty() ? 200 : 503);
    response.headers.set("Cache-Control", "no-store");
    if (!wrong.empty()) response.headers.set("Retry-After", "1");
    return response;
  }

  std::vector<Route> routes_;
};

}  // namespace

std::unique_ptr<Face> make_operation_face(const Health& health, const Metrics& metrics, bool echoes) {
  return std::make_unique<OperationFace>(health, metrics, echoes);
}

}  // namespace strata::service
