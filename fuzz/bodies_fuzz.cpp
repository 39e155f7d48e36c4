// SPDX-License-Identifier: Apache-2.0
// Bodies of requests, for each face that takes some. The first line of the input is a method, a target and a type of
// content; the rest is the body. Answers are made without a crash and without an error of the service, and what should
// be JSON is.
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is not in <cstdlib>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../tests/service/explorer_world.hpp"
#include "service/api/face.hpp"
#include "service/buckets/face.hpp"
#include "service/changes.hpp"
#include "service/operation/log.hpp"
#include "service/sites/sites.hpp"
#include "service/stacks/face.hpp"
#include "service/watch/watches.hpp"
#include "store/store.hpp"
#include "strata/error.hpp"

namespace {

using namespace strata;
using namespace strata::service;

/// All faces over a store in a folder of its own. Questions are about the file `/data.yaml`, whatever the dialect.
class World {
 public:
  World() {
    core_.changes().start();
    std::vector<std::unique_ptr<Face>> faces;
    faces.push_back(buckets::make_deckhand_face(core_));
    faces.push_back(stacks::make_heat_face(core_));
    faces.push_back(api::make_api_face(sites_, watches_));
    service_ = std::make_unique<Service>(core_, std::move(faces), std::size_t{1} << 20U);
  }
  ~World() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] Response ask(std::string method, std::string_view target, std::string type, std::string body) const {
    Request request;
    request.method = std::move(method);
    request.base = "http://127.0.0.1";
    request.id = "fuzz";
    request.headers.add("Content-Type", std::move(type));
    request.body = std::move(body);
    request.principal = {.name = "somebody", .method = "test", .roles = {"admin", "secret-reader"}};
    try {
      Service::read_target(target, request);
    } catch (const Refused& refused) {
      return {.status = refused.refusal().status};
    } catch (const Error& error) {
      return {.status = refusal_of(error).status};
    }
    const Stop stop(Stop::Clock::now() + std::chrono::seconds(8));
    Response out = service_->answer(request, stop);
    if (out.stream && out.make) {
      std::string bytes;
      out.stream->on_ready([&] { bytes += out.stream->take().bytes; });
      out.make();
      bytes += out.stream->take().bytes;
      out.body = std::move(bytes);
    } else if (out.stream) {
      out.stream->leave();
    }
    return out;
  }

 private:
  static std::string new_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "strata-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    return name;
  }
  static SiteQuestion question(const workspace::Project& /*project*/, const QuestionGround& ground) {
    SiteQuestion out;
    out.question = std::make_unique<explore::FileQuestion>(ground.engine);
    return out;
  }

  std::string folder_ = new_folder();
  Log log_{"/dev/null"};
  store::Store store_{{.address = "sqlite:" + folder_ + "/store.db"}};
  std::shared_ptr<Engine> engine_ = Engine::make();
  Core core_{store_, engine_, [policy = std::make_shared<const Policy>()] { return policy; }, {}};
  sites::Sites sites_{core_, log_, {.engine = engine_, .questions = question, .limits = {}}, {}};
  watch::Watches watches_{core_, sites_};
  std::unique_ptr<Service> service_;
};

void check(const Response& response) {
  if (response.status < 100 || response.status == 500) std::abort();
  const std::string_view type = response.headers.get("Content-Type");
  if (!type.starts_with("application/json") && !type.starts_with("application/problem+json")) return;
  Sources sources;
  (void)text::read_json(sources, sources.add("<answer>", response.body), Limits());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto world = std::make_unique<World>();
  static std::size_t asked = 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find('\n');
  const std::size_t first = text.find(' ');
  const std::size_t second = first >= end ? first : text.find(' ', first + 1);
  if (end == std::string_view::npos || second >= end) return 0;
  const std::string_view target = text.substr(first + 1, second - first - 1);
  // These wait for events, or read the whole store.
  if (target.find("watch") != std::string_view::npos || target.find("export") != std::string_view::npos) return 0;
  check(world->ask(std::string(text.substr(0, first)), target, std::string(text.substr(second + 1, end - second - 1)),
                   std::string(text.substr(end + 1))));
  constexpr std::size_t kMost = 5000;
  if (++asked % kMost == 0) world = std::make_unique<World>();  // A store that grows is a slow one.
  return 0;
}
