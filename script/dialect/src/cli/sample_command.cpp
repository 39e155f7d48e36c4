// SPDX-License-Identifier: Apache-2.0
// strata sample: files to one result.
#include "command.hpp"
#include "strata/sample.hpp"

namespace strata::cli {
namespace {

class SampleCommand final : public Verb {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("sample", "Sample: merge files");
    command_.add_option("FILE", request_.files, "a file; later ones override earlier ones");
    options_.add_to(command_, Output::yaml);
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] std::string place_of_files() const override {
    return request_.files.empty() ? std::string() : request_.files.front();
  }

  void prepare(Host& /*host*/) override {
    if (request_.files.empty()) throw UsageError(Usage::missing, "sample: give at least one FILE");
  }

  Outcome run(Session& session) override {
    const sample::Result result = sample::resolve(request_, session);
    return {.result = result.merged, .yaml_head = {}, .printed = {}, .keepalive = result.memory};
  }

 private:
  Arguments command_;
  SharedOptions options_;
  sample::Request request_;
};

const Registration sample_registration(
    {.name = "sample",
     .place = 9999,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<SampleCommand>(); },
     .examples = {"strata sample examples/sample/common.yaml examples/sample/web.yaml",
                  "strata sample examples/sample/common.yaml examples/sample/web.yaml --explain"},
     .page = "sample/sample.md",
     .dialect = "Sample",
     .fidelity = "has no reference yet"});

}  // namespace

}  // namespace strata::cli
