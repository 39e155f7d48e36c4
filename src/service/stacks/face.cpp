// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/face.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "heat/template_functions.hpp"
#include "heat/template_version.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "service/stacks/arguments.hpp"
#include "service/stacks/handlers.hpp"
#include "service/stacks/refusals.hpp"
#include "strata/builder.hpp"

namespace strata::service::stacks {
namespace {

constexpr std::size_t kLongestStackBody = std::size_t{1} << 20U;  // As the reference: max_json_body_size.

Response empty_list(const Call& /*call*/, std::string_view member) {
  Arena arena;
  return json_response(json_object(arena, {{member, arena.sequence()}}));
}

Response build_info(const Call& /*call*/) {
  Arena arena;
  // As the reference, whose builds tell no revision either.
  const Value revision = json_object(arena, {{"revision", arena.text("unknown")}});
  return json_response(json_object(arena, {{"api", revision}, {"engine", revision}}));
}

Response template_versions(const Call& /*call*/) {
  using Alias = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Alias, 6> kAliases{{{"2016-10-14", "newton"},
                                           {"2017-02-24", "ocata"},
                                           {"2017-09-01", "pike"},
                                           {"2018-03-02", "queens"},
                                           {"2018-08-31", "rocky"},
                                           {"2021-04-16", "wallaby"}}};
  Arena arena;
  SequenceBuilder out(arena);
  const std::span<const heat::TemplateVersion> known = heat::template_versions();
  std::vector<heat::TemplateVersion> versions(known.begin(), known.end());
  std::ranges::sort(versions, {}, [](const heat::TemplateVersion& one) { return std::pair(one.key, one.version); });
  for (const heat::TemplateVersion& version : versions) {
    const auto is_alias = [&version](const Alias& one) { return one.second == version.version; };
    if (std::ranges::any_of(kAliases, is_alias)) continue;
    const auto name = [&](std::string_view of) { return arena.text(std::string(version.key).append(".").append(of)); };
    SequenceBuilder aliases(arena);
    for (const auto& [date, alias] : kAliases) {
      if (date == version.version) aliases.append(name(alias));
    }
    out.append(json_object(arena, {{"version", name(version.version)},
                                   {"type", arena.text(version.is_hot ? "hot" : "cfn")},
                                   {"aliases", aliases.finish()}}));
  }
  return json_response(json_object(arena, {{"template_versions", out.finish()}}));
}

/// The functions of one version, as `openstack orchestration template function list` shows them.
Response template_functions(const Call& call) {
  const std::string& wanted = call.captures.back();
  const std::span<const heat::TemplateVersion> known = heat::template_versions();
  const auto version = std::ranges::find_if(known, [&wanted](const heat::TemplateVersion& one) {
    return std::string(one.key).append(".").append(one.version) == wanted;
  });
  if (version == known.end()) refuse(404, "NotFound", fmt::format("Template with version {} not found", wanted));
  const bool with_conditions = flag_of(call.request.query, "with_condition_func").value_or(false);
  Arena arena;
  SequenceBuilder out(arena);
  for (const heat::TemplateFunction& one : heat::template_functions(*version, with_conditions))
    out.append(json_object(arena, {{"functions", arena.text(one.name)}, {"description", arena.text(one.about)}}));
  return json_response(json_object(arena, {{"template_functions", out.finish()}}));
}

class HeatFace final : public Face {
 public:
  HeatFace() {
    add_project();
    add_stacks();
    add_one_stack();
    add_parts();
  }

  [[nodiscard]] std::string_view name() const noexcept override { return "heat"; }
  [[nodiscard]] std::span<const std::string_view> prefixes() const noexcept override { return kPrefixes; }
  [[nodiscard]] std::span<const Route> routes() const noexcept override { return routes_; }
  [[nodiscard]] Response refused(const Request& /*request*/, const Refusal& refusal) const override {
    return refusal_response(refusal);
  }
  [[nodiscard]] Response other_method(const Request& request, const std::string& allowed) const override {
    if (request.method != "OPTIONS") refuse_method(request, allowed);
    std::string methods = allowed;
    std::erase(methods, ' ');
    return {.status = 204, .headers = {{"Allow", methods}}};
  }
  [[nodiscard]] bool knows_head() const noexcept override { return false; }  // As the reference.
  [[nodiscard]] std::size_t longest_body() const noexcept override { return kLongestStackBody; }

 private:
  static constexpr std::array<std::string_view, 1> kPrefixes{"/v1"};

  void add(std::string_view method, std::string_view pattern, std::string_view action,
           std::function<Response(const Call&)> answer, Route::Work work = Route::Work::long_) {
    routes_.push_back(
        {.method = method, .pattern = pattern, .action = action, .work = work, .answer = std::move(answer)});
  }
  void add_list(std::string_view pattern, std::string_view action, std::string_view member) {
    add(
        "GET", pattern, action, [member](const Call& call) { return empty_list(call, member); }, Route::Work::brief);
  }
  void add_not_run(std::string_view method, std::string_view pattern, std::string_view action, std::string_view what) {
    add(method, pattern, action, [what](const Call& call) { return not_run(call, what); });
  }
  void add_unknown(std::string_view pattern, std::string_view action, std::string_view what) {
    add(
        "GET", pattern, action,
        [what](const Call& call) -> Response {
          refuse(404, "EntityNotFound",
                 std::string("The ")
                     .append(what)
                     .append(" (")
                     .append(call.captures.back())
                     .append(") could not be found."));
        },
        Route::Work::brief);
  }

  /// What belongs to a project alone.
  void add_project() {
    add("GET", "/v1/{project}/build_info", "build_info:build_info", build_info, Route::Work::brief);
    add("GET", "/v1/{project}/template_versions", "stacks:list_template_versions", template_versions,
        Route::Work::brief);
    add("GET", "/v1/{project}/template_versions/{version}/functions", "stacks:list_template_functions",
        template_functions, Route::Work::brief);
    add("POST", "/v1/{project}/validate", "stacks:validate_template", validate_template);
    add_list("/v1/{project}/services", "service:index", "services");
    add_list("/v1/{project}/resource_types", "stacks:list_resource_types", "resource_types");
    add_unknown("/v1/{project}/resource_types/{type}", "stacks:resource_schema", "Resource Type");
    add_list("/v1/{project}/software_configs", "software_configs:index", "software_configs");
    add_unknown("/v1/{project}/software_configs/{config}", "software_configs:show", "Software Config");
    add_list("/v1/{project}/software_deployments", "software_deployments:index", "software_deployments");
    add_unknown("/v1/{project}/software_deployments/{deployment}", "software_deployments:show", "Software Deployment");
  }

  // Paths of words stand before those that take any word.
  void add_stacks() {
    add("GET", "/v1/{project}/stacks", "stacks:index", list_stacks);
    add("POST", "/v1/{project}/stacks", "stacks:create", create_stack);
    add("GET", "/v1/{project}/stacks/detail", "stacks:detail", list_details);
    add("POST", "/v1/{project}/stacks/preview", "stacks:preview", preview_stack);
    // Stacks may be called so, too.
    for (const std::string_view method : {"POST", "PUT", "PATCH", "DELETE"})
      add(method, "/v1/{project}/stacks/detail", "stacks:lookup", redirect);
    for (const std::string_view method : {"GET", "PUT", "PATCH", "DELETE"})
      add(method, "/v1/{project}/stacks/preview", "stacks:lookup", redirect);
    for (const std::string_view method : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
      add(method, "/v1/{project}/stacks/{name}", "stacks:lookup", redirect);
    }
    for (const std::string_view part :
         {"/v1/{project}/stacks/{name}/resources", "/v1/{project}/stacks/{name}/events",
          "/v1/{project}/stacks/{name}/template", "/v1/{project}/stacks/{name}/actions",
          "/v1/{project}/stacks/{name}/environment", "/v1/{project}/stacks/{name}/files"}) {
      add("GET", part, "stacks:lookup", redirect);
    }
    for (const std::string_view part :
         {"/v1/{project}/stacks/{name}/resources", "/v1/{project}/stacks/{name}/events",
          "/v1/{project}/stacks/{name}/template", "/v1/{project}/stacks/{name}/actions"}) {
      add("POST", part, "stacks:lookup", redirect);
    }
  }

  void add_one_stack() {
    constexpr std::string_view kStack = "/v1/{project}/stacks/{name}/{id}";
    add("GET", kStack, "stacks:show", show_stack);
    add("PUT", kStack, "stacks:update", replace_stack);
    add("PATCH", kStack, "stacks:update_patch", patch_stack);
    add("DELETE", kStack, "stacks:delete", stacks::delete_stack);
    add("PUT", "/v1/{project}/stacks/{name}/{id}/preview", "stacks:preview_update", preview_replace);
    add("PATCH", "/v1/{project}/stacks/{name}/{id}/preview", "stacks:preview_update_patch", preview_patch);
    add("GET", "/v1/{project}/stacks/{name}/{id}/environment", "stacks:environment", show_environment);
    add("GET", "/v1/{project}/stacks/{name}/{id}/files", "stacks:files", show_files);
    add("GET", "/v1/{project}/stacks/{name}/{id}/template", "stacks:template", show_template);
    add("GET", "/v1/{project}/stacks/{name}/{id}/outputs", "stacks:list_outputs", list_outputs);
    add("GET", "/v1/{project}/stacks/{name}/{id}/outputs/{output}", "stacks:show_output", show_output);
    add("GET", "/v1/{project}/stacks/{name}/{id}/export", "stacks:export", export_stack);
    add("DELETE", "/v1/{project}/stacks/{name}/{id}/abandon", "stacks:abandon", [](const Call& call) -> Response {
      (void)empty_list_of_stack(call, "stacks");
      refuse(400, "NotSupported", "Stack Abandon is not supported.");
    });
  }

  /// What a service that deploys has below a stack.
  void add_parts() {
    add("GET", "/v1/{project}/stacks/{name}/{id}/events", "events:index", list_events);
    add("GET", "/v1/{project}/stacks/{name}/{id}/resources", "resource:index", [](const Call& call) {
      (void)number_of(call.request.query, "nested_depth");
      (void)flag_of(call.request.query, "with_detail");
      return empty_list_of_stack(call, "resources");
    });
    add("GET", "/v1/{project}/stacks/{name}/{id}/resources/{resource}", "resource:show", unknown_resource);
    add_not_run("PATCH", "/v1/{project}/stacks/{name}/{id}/resources/{resource}", "resource:mark_unhealthy",
                "resources");
    add("GET", "/v1/{project}/stacks/{name}/{id}/resources/{resource}/metadata", "resource:metadata", unknown_resource);
    add_not_run("POST", "/v1/{project}/stacks/{name}/{id}/resources/{resource}/signal", "resource:signal", "signals");
    add("GET", "/v1/{project}/stacks/{name}/{id}/resources/{resource}/events", "events:index", list_resource_events);
    add("GET", "/v1/{project}/stacks/{name}/{id}/resources/{resource}/events/{event}", "events:show", show_event);
    add_not_run("POST", "/v1/{project}/stacks/{name}/{id}/actions", "actions:action", "actions");
    add("GET", "/v1/{project}/stacks/{name}/{id}/snapshots", "stacks:list_snapshots",
        [](const Call& call) { return empty_list_of_stack(call, "snapshots"); });
    add_not_run("POST", "/v1/{project}/stacks/{name}/{id}/snapshots", "stacks:snapshot", "snapshots");
    add_not_run("GET", "/v1/{project}/stacks/{name}/{id}/snapshots/{snapshot}", "stacks:show_snapshot", "snapshots");
    add_not_run("DELETE", "/v1/{project}/stacks/{name}/{id}/snapshots/{snapshot}", "stacks:delete_snapshot",
                "snapshots");
    add_not_run("POST", "/v1/{project}/stacks/{name}/{id}/snapshots/{snapshot}/restore", "stacks:restore_snapshot",
                "snapshots");
  }

  std::vector<Route> routes_;
};

}  // namespace

std::unique_ptr<Face> make_heat_face(Core& /*core*/) { return std::make_unique<HeatFace>(); }

}  // namespace strata::service::stacks
