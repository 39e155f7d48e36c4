// SPDX-License-Identifier: Apache-2.0
#include "service/api/face.hpp"

#include <array>

#include "service/api/analyses.hpp"
#include "service/api/evaluation.hpp"
#include "service/api/records.hpp"
#include "service/api/search.hpp"
#include "service/api/snapshot.hpp"
#include "service/api/stored_nodes.hpp"
#include "service/api/trees.hpp"
#include "service/api/values.hpp"
#include "service/api/watching.hpp"
#include "service/json.hpp"
#include "service/sites/sites.hpp"

namespace strata::service::api {
namespace {

class ApiFace final : public Face {
 public:
  ApiFace(sites::Sites& sites, watch::Watches& watches) : sites_(sites) {
    add("GET", "/strata/v1/projects", "strata:site.read", list_projects);
    add("GET", "/strata/v1/sites", "strata:site.read", list_sites);
    add("GET", "/strata/v1/sites/{site}", "strata:site.read", show_site);
    add("PUT", "/strata/v1/sites/{site}", "strata:site.write", put_site);
    add("POST", "/strata/v1/sites/{site}/refresh", "strata:site.read", refresh_site);
    add("PUT", "/strata/v1/sites/{site}/tree", "strata:tree.write", put_tree);
    routes_.back().longest_body = kLongestUpload;
    add("PATCH", "/strata/v1/sites/{site}/tree", "strata:tree.write", patch_tree);
    add("GET", "/strata/v1/sites/{site}/files", "strata:site.read", list_files);
    add("GET", "/strata/v1/sites/{site}/files/{path*}", "strata:site.read", show_file);
    add("GET", "/strata/v1/sites/{site}/layers", "strata:site.read", list_layers);
    add("GET", "/strata/v1/sites/{site}/nodes", "strata:site.read", list_nodes);
    add("GET", "/strata/v1/sites/{site}/nodes/{node}", "strata:site.read", show_node);
    add("PUT", "/strata/v1/sites/{site}/nodes/{node}", "strata:node.write", put_node);
    add("DELETE", "/strata/v1/sites/{site}/nodes/{node}", "strata:node.write", delete_node);
    add("GET", "/strata/v1/sites/{site}/nodes/{node}/keys", "strata:evaluate", list_keys);
    add("GET", "/strata/v1/sites/{site}/nodes/{node}/values", "strata:evaluate", list_values);
    add("GET", "/strata/v1/sites/{site}/nodes/{node}/values/{key*}", "strata:evaluate", show_value);
    for (std::size_t i = routes_.size() - 3; i < routes_.size(); ++i) {
      routes_[i].quick = [this](const Call& call) {
        std::optional<Response> out = known_answer(call, sites_);
        if (out) note_stale(call, *out);
        return out;
      };
    }
    add("POST", "/strata/v1/sites/{site}/evaluate", "strata:evaluate", evaluate);
    add("POST", "/strata/v1/sites/{site}/diff", "strata:evaluate", diff_site);
    add("POST", "/strata/v1/sites/{site}/impact", "strata:evaluate", impact_of);
    add("POST", "/strata/v1/sites/{site}/check", "strata:evaluate", check_site);
    add("POST", "/strata/v1/sites/{site}/set", "strata:evaluate", propose_edits);
    add("GET", "/strata/v1/sites/{site}/search", "strata:site.read", search_site);
    add("GET", "/strata/v1/sites/{site}/snapshot", "strata:evaluate", snapshot_site);
    routes_.push_back({.method = "GET",
                       .pattern = "/strata/v1/sites/{site}/watch",
                       .action = "strata:evaluate",
                       .answer = [&sites, &watches](const Call& call) { return watch_site(call, sites, watches); }});
    add("POST", "/strata/v1/evaluate/{dialect}", "strata:evaluate", evaluate_files);
    add("GET", "/strata/v1/changes", "strata:site.read", list_changes);
    add("GET", "/strata/v1/audit", "strata:audit", list_audit);
    add("GET", "/strata/v1/tokens", "strata:token", list_tokens);
    add("POST", "/strata/v1/tokens", "strata:token", create_token);
    add("DELETE", "/strata/v1/tokens/{id}", "strata:token", delete_token);
    add("GET", "/strata/v1/store/export", "strata:store.export", export_store);
  }

  [[nodiscard]] std::string_view name() const noexcept override { return "strata"; }
  [[nodiscard]] std::span<const std::string_view> prefixes() const noexcept override { return kPrefixes; }
  [[nodiscard]] std::span<const Route> routes() const noexcept override { return routes_; }
  [[nodiscard]] Response refused(const Request& request, const Refusal& refusal) const override {
    return problem_response(request, refusal);
  }
  void finish(const Request& request, Response& response) const override { answer_as_wanted(request, response); }

 private:
  static constexpr std::size_t kLongestUpload = std::size_t{256} << 20U;
  static constexpr std::array<std::string_view, 1> kPrefixes{"/strata/v1"};

  void add(std::string_view method, std::string_view pattern, std::string_view action,
           Response (*answer)(const Call&, sites::Sites&)) {
    routes_.push_back(
        {.method = method, .pattern = pattern, .action = action, .answer = [this, answer](const Call& call) {
           Response out = answer(call, sites_);
           note_stale(call, out);
           return out;
         }});
  }

  /// Says that a site answers as it was before it broke.
  void note_stale(const Call& call, Response& response) const {
    if (!call.captures.empty()) sites_.note_stale(call.project, call[0], response);
  }

  void add(std::string_view method, std::string_view pattern, std::string_view action,
           Response (*answer)(const Call&)) {
    routes_.push_back({.method = method, .pattern = pattern, .action = action, .answer = answer});
  }

  sites::Sites& sites_;
  std::vector<Route> routes_;
};

}  // namespace

std::unique_ptr<Face> make_api_face(sites::Sites& sites, watch::Watches& watches) {
  return std::make_unique<ApiFace>(sites, watches);
}

}  // namespace strata::service::api
