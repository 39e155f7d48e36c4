// SPDX-License-Identifier: Apache-2.0
// strata key …: the keys of sealed values. Rules: docs/service/store.md.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "command.hpp"
#include "output.hpp"
#include "strata/file_writer.hpp"
#include "strata/store.hpp"

namespace strata::cli {
namespace {

class KeyGenerateCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.subcommand("key", "generate keys for encrypted secrets")
                   .add_subcommand("generate", "make a new random key, for --key of serve and store");
    command_.add_option("FILE", file_, "a new file, which only its owner can read; without it, the key is printed");
    options_.add_common_to(command_);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int error_status() override { return 1; }

  int execute(const std::vector<std::string>& /*words*/) override {
    const std::string key = store::new_key_text();
    if (file_.empty() || file_ == "-") {
      print(key);
      flush_output();
    } else {
      write_new_file(key);
    }
    return 0;
  }

 private:
  /// A file that is there is never replaced: with its key, all that is sealed under it would be lost.
  void write_new_file(const std::string& key) const {
    const int file = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    const bool is_written =
        file >= 0 && ::write(file, key.data(), key.size()) == static_cast<ssize_t>(key.size()) && ::fsync(file) == 0;
    const int code = errno;
    if (file >= 0) ::close(file);
    if (is_written) return;
    if (file >= 0) ::unlink(file_.c_str());
    throw Error("output.key", fmt::format("the key cannot be written: {}", std::generic_category().message(code)))
        .in(file_);
  }

  Arguments command_;
  SharedOptions options_;
  std::string file_;
};

const Registration key_generate_registration(
    {.name = "key generate",
     .place = 810,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<KeyGenerateCommand>(); },
     .examples = {"strata key generate old.key", "strata key generate new.key"},
     .page = "service/store.md"});

}  // namespace

}  // namespace strata::cli
