// SPDX-License-Identifier: Apache-2.0
#include "service/explore/face.hpp"

#include <array>
#include <vector>

#include "service/explore/answers.hpp"
#include "service/explore/assets.hpp"
#include "service/explore/handlers.hpp"
#include "service/json.hpp"
#include "strata/text.hpp"

namespace strata::service::explore {
namespace {

constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
constexpr std::size_t kLongestExplorerBody = std::size_t{8} << 20U;

/// A refusal with all that is known of the errors behind it.
Response problem(const Request& request, const Refusal& refusal, const Value* errors, Arena& arena) {
  Response out = problem_response(request, refusal);
  std::string more = R"(, "errors": )";
  if (errors != nullptr) {
    text::append_json(more, *errors, {.indent = -1});
  } else {
    Diagnostic what{.code = refusal.code, .message = refusal.message, .where = {}, .notes = {}, .hint = refusal.hint};
    if (!refusal.places.empty()) what.where.place = refusal.places.front();
    const Value one = diagnostic_value(arena, what, "error", ErrorLines(false));
    text::append_json(more, arena.sequence(std::span(&one, 1)), {.indent = -1});
  }
  out.body.insert(out.body.rfind('}'), more);
  return out;
}

class ExplorerFace final : public Face {
 public:
  ExplorerFace(Source& source, Gate gate, std::string web_folder)
      : source_(source), gate_(std::move(gate)), web_folder_(std::move(web_folder)) {
    add_page("/explore");
    add_page("/explore/{path*}");
    const auto add_session = [this](std::string_view method, const std::function<Response(const Call&)>& answer) {
      routes_.push_back({.method = method,
                         .pattern = "/strata/v1/explore/session",
                         .action = "",
                         .answer = [this, answer](const Call& call) { return guarded(call, {}, answer); }});
    };
    add_session("POST", [this](const Call& call) { return open_session(call, gate_); });
    add_session("DELETE", [](const Call& call) { return close_session(call); });
    add("GET", "/strata/v1/explore/projects", "strata:site.read", list_projects);
    add("GET", "/strata/v1/explore/events", "strata:site.read", list_events);
    add("GET", "/strata/v1/explore/projects/{name}", "strata:evaluate", show_overview);
    add("GET", "/strata/v1/explore/projects/{name}/names", "strata:site.read", list_names);
    add("GET", "/strata/v1/explore/projects/{name}/subjects", "strata:evaluate", list_subjects);
    add("GET", "/strata/v1/explore/projects/{name}/facets", "strata:evaluate", list_facets);
    add("GET", "/strata/v1/explore/projects/{name}/subjects/{subject}/rows", "strata:evaluate", list_rows);
    add("GET", "/strata/v1/explore/projects/{name}/subjects/{subject}/leaf", "strata:evaluate", show_leaf);
    add("GET", "/strata/v1/explore/projects/{name}/files", "strata:evaluate", list_files);
    add("GET", "/strata/v1/explore/projects/{name}/files/{path*}", "strata:evaluate", show_file);
    add("PUT", "/strata/v1/explore/projects/{name}/files/{path*}", "strata:evaluate", save_file);
    add("GET", "/strata/v1/explore/projects/{name}/matrix", "strata:evaluate", show_matrix);
    add("GET", "/strata/v1/explore/projects/{name}/compare", "strata:evaluate", compare_states);
    add("POST", "/strata/v1/explore/projects/{name}/what-if", "strata:evaluate", what_if);
    add("POST", "/strata/v1/explore/projects/{name}/set", "strata:evaluate", propose_edits);
    add("GET", "/strata/v1/explore/projects/{name}/effects/{number}", "strata:evaluate", show_effect);
    add("GET", "/strata/v1/explore/projects/{name}/findings", "strata:evaluate", list_findings);
    add("GET", "/strata/v1/explore/projects/{name}/search", "strata:evaluate", search);
    add("GET", "/strata/v1/explore/projects/{name}/history", "strata:site.read", list_history);
  }

  [[nodiscard]] std::string_view name() const noexcept override { return "explorer"; }
  [[nodiscard]] std::span<const std::string_view> prefixes() const noexcept override { return kPrefixes; }
  [[nodiscard]] std::span<const Route> routes() const noexcept override { return routes_; }
  [[nodiscard]] std::size_t longest_body() const noexcept override { return kLongestExplorerBody; }

  [[nodiscard]] Response refused(const Request& request, const Refusal& refusal) const override {
    if (!request.segments.empty() && request.segments.front() == "explore") {
      return {.status = refusal.status,
              .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
              .body = refusal.message + (refusal.hint.empty() ? "" : "; " + refusal.hint) + "\n"};
    }
    Arena arena;
    return problem(request, refusal, nullptr, arena);
  }

  void finish(const Request& request, Response& response) const override {
    response.headers.set("Content-Security-Policy", std::string(kContentSecurityPolicy));
    response.headers.set("Referrer-Policy", "no-referrer");
    response.headers.set("Cross-Origin-Opener-Policy", "same-origin");
    const bool is_page = !request.segments.empty() && request.segments.front() == "explore";
    if (!is_page || response.headers.find("Cache-Control") == nullptr)
      response.headers.set("Cache-Control", "no-store");
  }

 private:
  static constexpr std::array<std::string_view, 2> kPrefixes{"/explore", "/strata/v1/explore"};

  void add(std::string_view method, std::string_view pattern, std::string_view action,
           Response (*answer)(const Call&, Source&)) {
    routes_.push_back(
        {.method = method, .pattern = pattern, .action = "", .answer = [this, action, answer](const Call& call) {
           return guarded(call, action, [this, answer](const Call& asked) { return answer(asked, source_); });
         }});
  }

  void add_page(std::string_view pattern) {
    routes_.push_back(
        {.method = "GET", .pattern = pattern, .action = "", .answer = [this](const Call& call) { return page(call); }});
  }

  Response page(const Call& call) const {
    check_origin(call.request, gate_);
    if (const std::string* token = call.request.query.find("token"); token != nullptr && gate_.recognise)
      return take_token(call, gate_, *token);
    if (gate_.closes_pages && call.request.unknown) throw Refused(*call.request.unknown);
    if (call.captures.empty() && !call.request.path.ends_with('/')) {
      return {.status = 308, .headers = {{"Location", call.request.path + "/"}, {"Cache-Control", "no-cache"}}};
    }
    return show_asset(call, call.captures.empty() ? std::string() : call[0], web_folder_);
  }

  /// Checks the permission, and reports everything known about an error.
  Response guarded(const Call& call, std::string_view action,
                   const std::function<Response(const Call&)>& answer) const {
    check_origin(call.request, gate_);
    if (!action.empty()) call.demand(action);
    try {
      return answer(call);
    } catch (const Error& error) {
      Arena arena;
      const Value errors = diagnostics_value(arena, error, ErrorLines(call, source_));
      const Refusal refusal = refusal_of(error);
      Response out = problem(call.request, refusal, &errors, arena);
      for (const Field& header : refusal.headers.fields()) out.headers.set(header.name, header.value);
      return out;
    }
  }

  Source& source_;
  Gate gate_;
  std::string web_folder_;
  std::vector<Route> routes_;
};

}  // namespace

std::unique_ptr<Face> make_explorer_face(Source& source, Gate gate, std::string web_folder) {
  return std::make_unique<ExplorerFace>(source, std::move(gate), std::move(web_folder));
}

}  // namespace strata::service::explore
