// SPDX-License-Identifier: Apache-2.0
// An explorer over files in memory: one question, whose only subject is the YAML of one file; asked in process.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "service/channel.hpp"
#include "service/core.hpp"
#include "service/explore/face.hpp"
#include "service/explore/source.hpp"
#include "service/identity/origin.hpp"
#include "service/policy.hpp"
#include "service/service.hpp"
#include "strata/engine.hpp"
#include "strata/git_history.hpp"
#include "strata/session.hpp"
#include "strata/snapshot.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"

namespace strata::service::explore {

/// What stands in `/data.yaml`: its root keys are the items.
class FileQuestion final : public analysis::Question {
 public:
  explicit FileQuestion(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}
  [[nodiscard]] std::unique_ptr<analysis::Asked> in(const analysis::State& state, History /*history*/,
                                                    Telling /*telling*/) const override {
    return std::make_unique<OfState>(engine_, state);
  }
  [[nodiscard]] analysis::Wording wording() const override { return {}; }

 private:
  class File final : public analysis::Subject {
   public:
    File(std::shared_ptr<Engine> engine, analysis::State state)
        : engine_(std::move(engine)), state_(std::move(state)) {}
    [[nodiscard]] const std::string& name() const noexcept override { return name_; }
    Answer ask(const analysis::Wanted& /*wanted*/) override {
      struct Memory {
        std::unique_ptr<Session> session;
        text::Document document;
      };
      const auto memory = std::make_shared<Memory>();
      auto log = std::make_shared<analysis::ReadLog>();
      memory->session = std::make_unique<Session>(
          Snapshot::make(engine_, analysis::logged_tree(state_.files, "/", log), {.folder = "/"}),
          SessionSettings{.keeps_history = true});
      Answer out{.outcome = {.failure = {},
                             .sources = &memory->session->sources(),
                             .history = memory->session->recorder().history()},
                 .reads = {}};
      try {
        Sources& sources = memory->session->sources();
        const auto text = memory->session->snapshot().tree().read("/data.yaml");
        memory->document =
            text::read_yaml(sources, sources.add("data.yaml", text.value_or("")), text::pyyaml(), Limits());
        const merge::Slot slot = memory->session->recorder().add_layer("data.yaml");
        const Value& root = memory->document.root;
        if (root.is_mapping()) {
          for (const Entry& entry : root.entries()) {
            out.outcome.items.push_back(
                {.name = key_text(entry.key), .value = entry.value, .failure = {}, .slot = slot});
          }
        } else {
          out.outcome.items.push_back({.name = {}, .value = root, .failure = {}, .slot = slot});
        }
      } catch (const Error& error) {
        if (!analysis::is_failure(error)) throw;
        analysis::set_failure(out.outcome, error);
      }
      out.outcome.memory = memory;
      out.reads = std::make_shared<const analysis::Reads>(log->reads());
      return out;
    }

   private:
    std::string name_;
    std::shared_ptr<Engine> engine_;
    analysis::State state_;
  };
  class OfState final : public analysis::Asked {
   public:
    OfState(std::shared_ptr<Engine> engine, analysis::State state)
        : engine_(std::move(engine)), state_(std::move(state)) {}
    std::unique_ptr<analysis::Subject> next() override {
      return std::exchange(is_taken_, true) ? nullptr : std::make_unique<File>(engine_, state_);
    }
    void restart() override { is_taken_ = false; }

   private:
    std::shared_ptr<Engine> engine_;
    analysis::State state_;
    bool is_taken_ = false;
  };

  std::shared_ptr<Engine> engine_;
};

/// One project, `files`.
class MemorySource final : public Source {
 public:
  explicit MemorySource(const std::string& text) {
    tree_ = std::shared_ptr<const FileTree>(memory_tree({{"data.yaml", text}}));
    auto host = std::make_shared<MemoryHost>(tree_);
    const analysis::State state{.files = tree_, .inputs = std::make_shared<analysis::Inputs>(*host, "/")};
    view_ = std::make_shared<const View>(ViewForm{.name = "files",
                                                  .verb = "merge",
                                                  .question = std::make_shared<const FileQuestion>(engine_),
                                                  .state = analysis::kept(state, engine_, {.folder = "/"}),
                                                  .generation = 7,
                                                  .words = {"merge", "data.yaml"},
                                                  .keeper = host});
  }

  [[nodiscard]] std::vector<std::string> names(const Call& /*call*/) override { return {"files"}; }
  [[nodiscard]] std::shared_ptr<const View> view(const Call& /*call*/, const std::string& name,
                                                 const std::string& revision) override {
    if (name != "files") throw unknown_project({"files"}, name);
    if (!revision.empty()) throw Error("git.no-repository", "files in memory have no revisions");
    return view_;
  }
  [[nodiscard]] std::string verb_of(const Call& /*call*/, const std::string& /*name*/) override { return "merge"; }
  [[nodiscard]] std::int64_t generation(const Call& /*call*/) override { return 7; }
  [[nodiscard]] std::string commit_of(const Call& /*call*/, const std::string& /*name*/,
                                      const std::string& /*revision*/) override {
    return {};
  }
  [[nodiscard]] std::unique_ptr<GitHistory> history(const Call& /*call*/, const std::string& /*name*/,
                                                    const std::string& /*revision*/) override {
    return nullptr;
  }
  [[nodiscard]] std::vector<std::string> references(const Call& /*call*/, const std::string& /*name*/) override {
    return {};
  }
  [[nodiscard]] bool is_writable(const Call& /*call*/, const std::string& /*name*/) override { return false; }
  void write(const Call& /*call*/, const View& /*view*/, const std::string& /*path*/,
             const std::optional<std::string>& /*before*/, const std::string& /*text*/) override {}
  [[nodiscard]] Response events(const Call& /*call*/) override {
    return {.status = 200, .headers = {{"Content-Type", "text/event-stream"}}};
  }

 private:
  class MemoryHost final : public Host {
   public:
    explicit MemoryHost(std::shared_ptr<const FileTree> tree) : tree_(std::move(tree)) {}
    [[nodiscard]] std::optional<std::string> find(const std::string& name) override { return tree_->read(name); }
    [[nodiscard]] Fetcher* network() override { return nullptr; }

   private:
    std::shared_ptr<const FileTree> tree_;
  };

  std::shared_ptr<Engine> engine_ = Engine::make();
  std::shared_ptr<const FileTree> tree_;
  std::shared_ptr<const View> view_;
};

class ExplorerWorld {
 public:
  explicit ExplorerWorld(const std::string& text,
                         Gate gate = {.takes_host = [](std::string_view host) { return is_own_host(host, {}); }})
      : source_(text) {
    std::vector<std::unique_ptr<Face>> faces;
    faces.push_back(make_explorer_face(source_, std::move(gate)));
    service_ = std::make_unique<Service>(core_, std::move(faces), 0);
  }

  /// Asks as somebody who may read. A stream is made before this returns, and is the body.
  Response ask(std::string method, const std::string& target, std::string body = "", Headers headers = {}) {
    Request request;
    request.method = std::move(method);
    request.headers = std::move(headers);
    request.body = std::move(body);
    const std::string* host = request.headers.find("Host");
    request.base = "http://" + (host == nullptr ? std::string("127.0.0.1:8787") : *host);
    request.principal = {.name = "somebody", .method = "test", .roles = {"reader"}};
    if (request.headers.find("Nobody") != nullptr) {
      request.unknown = Refusal{.status = 401,
                                .code = "service.unauthorized",
                                .message = "nobody is known",
                                .hint = "",
                                .type = "",
                                .headers = {}};
    }
    try {
      Service::read_target(target, request);
    } catch (const Refused& refused) {
      return {.status = refused.refusal().status};
    } catch (const Error& error) {
      return {.status = refusal_of(error).status};
    }
    const Stop stop;
    Response out = service_->answer(request, stop);
    if (!out.stream || !out.make) return out;
    std::string bytes;
    out.stream->on_ready([&] { bytes += out.stream->take().bytes; });
    out.make();
    bytes += out.stream->take().bytes;
    out.body = std::move(bytes);
    return out;
  }

 private:
  Core core_{Engine::make(), [policy = std::make_shared<const Policy>()] { return policy; }, {}};
  MemorySource source_;
  std::unique_ptr<Service> service_;
};

}  // namespace strata::service::explore
