// SPDX-License-Identifier: Apache-2.0
// A service with one face over a store in a temporary folder, asked in process.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/core.hpp"
#include "service/face.hpp"
#include "service/identity/identity.hpp"
#include "service/policy.hpp"
#include "service/service.hpp"
#include "store/encoding.hpp"
#include "store/store.hpp"
#include "strata/engine.hpp"
#include "strata/stop.hpp"
#include "support/temporary_folder.hpp"

namespace strata::service {

class FaceWorld {
 public:
  using MakeFace = std::unique_ptr<Face> (*)(Core&);
  explicit FaceWorld(MakeFace make, const std::string& policy = "")
      : policy_(policy.empty() ? std::make_shared<const Policy>()
                               : std::make_shared<const Policy>(policy, "policy.yaml", Limits())) {
    std::vector<std::unique_ptr<Face>> faces;
    faces.push_back(make(core_));
    service_ = std::make_unique<Service>(core_, std::move(faces), std::size_t{32} << 20U);
  }

  /// Sends a request as an admin, with YAML.
  Response ask(std::string method, const std::string& target, std::string body = "", Headers headers = {},
               const std::string& roles = "admin") {
    Request request;
    request.method = std::move(method);
    request.headers = {{"X-Identity-Status", "Confirmed"},
                       {"X-User-Id", "u1"},
                       {"X-Roles", roles},
                       {"X-Project-Id", "p"},
                       {"Content-Type", "application/x-yaml"}};
    for (const Field& field : headers.fields()) request.headers.set(field.name, field.value);
    request.body = std::move(body);
    return ask(std::move(request), target);
  }
  Response ask(Request request, const std::string& target) { return ask(std::move(request), target, Stop()); }
  /// `stop` ends the work.
  Response ask(Request request, const std::string& target, const Stop& stop) {
    static const auto recogniser = recognise_by_headers();
    request.id = store::new_uuid();
    Service::read_target(target, request);
    if (const auto known = recogniser->recognise(request)) {
      request.principal = *known;
      request.principal.project.clear();
    } else {
      request.unknown = Refusal{.status = 401,
                                .code = "service.unauthorized",
                                .message = "nobody is known",
                                .hint = "",
                                .type = "",
                                .headers = {}};
    }
    return service_->answer(request, stop);
  }

  [[nodiscard]] std::string file(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] store::Store& store() noexcept { return store_; }

 private:
  strata::testing::TemporaryFolder folder_;
  store::Store store_{{.address = "sqlite:" + (folder_ / "store.db")}};
  std::shared_ptr<const Policy> policy_;
  Core core_{store_, Engine::make(), [this] { return policy_; }, {}};
  std::unique_ptr<Service> service_;
};

}  // namespace strata::service
