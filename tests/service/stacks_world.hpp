// SPDX-License-Identifier: Apache-2.0
// A service with the Heat face over a store in a folder of its own, asked in process.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/core.hpp"
#include "service/policy.hpp"
#include "service/service.hpp"
#include "service/stacks/face.hpp"
#include "store/store.hpp"
#include "strata/engine.hpp"
#include "strata/stop.hpp"
#include "support/temporary_folder.hpp"

namespace strata::service::stacks {

inline constexpr std::string_view kBase = "http://127.0.0.1:8004";

class StacksWorld {
 public:
  StacksWorld() {
    std::vector<std::unique_ptr<Face>> faces;
    faces.push_back(make_heat_face(core_));
    service_ = std::make_unique<Service>(core_, std::move(faces), std::size_t{32} << 20U);
  }

  /// Who asks from now on.
  Principal principal = {.name = "op", .method = "none", .roles = {"admin"}};

  /// `target`: below the base, as clients send it. Content type and the like are JSON, unless `headers` say something
  /// else.
  [[nodiscard]] Response ask(std::string_view method, std::string_view target, std::string body = {},
                             Headers headers = {}) const {
    Request request;
    request.method = method;
    request.body = std::move(body);
    request.id = "test";
    request.base = kBase;
    request.headers = std::move(headers);
    if (request.headers.find("Content-Type") == nullptr) request.headers.add("Content-Type", "application/json");
    request.principal = principal;
    Service::read_target(target, request);
    return service_->answer(request, Stop());
  }

  [[nodiscard]] store::Store& store() { return store_; }
  [[nodiscard]] const strata::testing::TemporaryFolder& folder() const { return folder_; }

 private:
  strata::testing::TemporaryFolder folder_;
  store::Store store_{{.address = "sqlite:" + (folder_ / "store.db")}};
  std::shared_ptr<const Policy> policy_ = std::make_shared<const Policy>();
  Core core_{store_, Engine::make(), [this] { return policy_; }, {}};
  std::unique_ptr<Service> service_;
};

}  // namespace strata::service::stacks
