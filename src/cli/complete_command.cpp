// SPDX-License-Identifier: Apache-2.0
// strata complete -- WORD…: the completions of a command line, for shells. Hidden: `strata completions` prints the
// scripts that call it.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <unordered_set>
#include <utility>

#include "command.hpp"
#include "completion.hpp"
#include "output.hpp"

namespace strata::cli {
namespace {

/// How long a user waits at a key. The variable raises it for slow disks.
constexpr unsigned kPatience = 300;
constexpr unsigned kMostPatience = 600'000;
constexpr const char* kPatienceVariable = "STRATA_COMPLETION_MILLISECONDS";

std::chrono::milliseconds patience() {
  const char* text = std::getenv(kPatienceVariable);  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  if (text == nullptr) return std::chrono::milliseconds(kPatience);
  unsigned number = 0;
  const std::string_view digits = text;
  const auto [end, status] = std::from_chars(digits.begin(), digits.end(), number);
  const bool is_number = status == std::errc{} && end == digits.end();
  return std::chrono::milliseconds(is_number ? std::min(number, kMostPatience) : kPatience);
}

bool is_printable(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

/// What was found so far.
struct FoundSuggestions {
  std::mutex mutex;
  std::condition_variable ended;
  std::vector<Suggestion> suggestions;
  std::unordered_set<std::string> words;
  bool is_all = false;
};

void search(const std::vector<std::string>& words, FoundSuggestions& found) {
  const auto add = [&found](Suggestion one) {
    if (!is_printable(one.word)) return;
    if (!is_printable(one.about)) one.about.clear();
    const std::lock_guard lock(found.mutex);
    if (found.words.insert(one.word).second) found.suggestions.push_back(std::move(one));
  };
  try {
    complete(words, add);
  } catch (const std::exception&) {  // A half typed command line is not an error: what was found counts.
  }
  const std::lock_guard lock(found.mutex);
  found.is_all = true;
  found.ended.notify_all();
}

class CompleteCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("complete", "print what the last argument of a command line can be");
    command_.add_option("WORD", words_, "the arguments of the command line after the name of the program, after --");
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int error_status() override { return 1; }

  int execute(const std::vector<std::string>& words) override {
    const auto dashes = std::ranges::find(words, "--");
    if (dashes == words.end())
      throw UsageError(Usage::value, "complete: give the arguments of the command line after --");
    // The terminal shows a half typed line: print nothing there.
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);  // NOLINT(cppcoreguidelines-pro-type-vararg): POSIX
    if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
    const auto found = std::make_shared<FoundSuggestions>();
    std::thread([found, typed = std::vector<std::string>(std::next(dashes), words.end())] {
      search(typed, *found);
    }).detach();
    std::vector<Suggestion> suggestions;
    {
      std::unique_lock lock(found->mutex);
      found->ended.wait_for(lock, patience(), [&found] { return found->is_all; });
      suggestions = found->suggestions;
    }
    for (const Suggestion& one : suggestions)
      print(one.about.empty() ? one.word + "\n" : one.word + "\t" + one.about + "\n");
    flush_output();
    ::_exit(0);  // The search may still be waiting for a disk.
  }

 private:
  Arguments command_;
  SharedOptions options_;
  std::vector<std::string> words_;
};

const Registration complete_registration({.name = "complete",
                                          .place = 930,
                                          .make = []() -> std::unique_ptr<Command> {
                                            return std::make_unique<CompleteCommand>();
                                          },
                                          .examples = {"strata complete -- lookup --code", "strata complete -- lo"},
                                          .page = "manuals.md",
                                          .is_hidden = true});

}  // namespace

}  // namespace strata::cli
