// SPDX-License-Identifier: Apache-2.0
// strata manual: the pages of the manual, for man and for packages.
#include "command.hpp"
#include "manual.hpp"
#include "output.hpp"

namespace strata::cli {
namespace {

class ManualCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("manual", "print a page of the manual, for man");
    command_.add_option("COMMAND", words_, "the command, or the name of a page; without it, the page of the program");
    command_.add_flag("--list", lists_, "the names of all pages instead");
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int error_status() override { return 1; }

  void suggest(std::string_view /*kind*/, Host& /*host*/, Session& /*session*/, const AddSuggestion& add) override {
    for (const ManualPage& page : manual_pages()) add({.word = page.file()});
  }

  int execute(const std::vector<std::string>& /*words*/) override {
    if (lists_ && !words_.empty())
      throw UsageError(Usage::conflict, "manual: --list shows the names of all pages: remove the COMMAND");
    if (lists_) {
      for (const ManualPage& page : manual_pages()) print(page.file() + "\n");
    } else {
      print(manual_text(manual_page(words_)));
    }
    flush_output();
    return 0;
  }

 private:
  Arguments command_;
  SharedOptions options_;
  std::vector<std::string> words_;
  bool lists_ = false;
};

const Registration manual_registration({.name = "manual",
                                        .place = 910,
                                        .make = []() -> std::unique_ptr<Command> {
                                          return std::make_unique<ManualCommand>();
                                        },
                                        .examples = {"strata manual lookup", "strata manual --list"},
                                        .page = "manuals.md"});

}  // namespace

}  // namespace strata::cli
