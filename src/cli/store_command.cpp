// SPDX-License-Identifier: Apache-2.0
// strata store …: what is done to the store of a service without a server. Rules: docs/service/store.md.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <system_error>

#include "command.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "store_options.hpp"
#include "strata/builder.hpp"

namespace strata::cli {
namespace {

constexpr FileUse kExportFile{.code = "output.export", .name = "the export", .is_private = true};
constexpr unsigned kPlaceOfStore = 820;
constexpr std::string_view kStorePage = "service/store.md";

/// What the commands below share.
class StoreCommand : public Command {
 public:
  StoreCommand(std::string name, std::string about, bool with_keys)
      : name_(std::move(name)), about_(std::move(about)), with_keys_(with_keys) {}

  void add_to(Arguments& program) final {
    command_ = program.subcommand("store", "maintain the store of a service: migrate, check, copy, prune")
                   .add_subcommand(name_, about_);
    add_options_to(command_);
    choice_.add_to(command_, with_keys_);
    options_.add_common_to(command_);
  }
  [[nodiscard]] bool is_chosen() const final { return command_.is_given(); }
  SharedOptions& options() final { return options_; }
  [[nodiscard]] int error_status() final { return 1; }
  int execute(const std::vector<std::string>& /*words*/) final {
    const int status = run(choice_.store());
    flush_output();
    return status;
  }

 protected:
  virtual void add_options_to(Arguments& /*command*/) {}
  /// Returns the exit status.
  virtual int run(const store::StoreAddress& store) = 0;
  /// Tells of something that was done, unless that is not wanted.
  void tell(const std::string& text) const {
    if (!options_.quiet) print(text + "\n");
  }

 private:
  std::string name_;
  std::string about_;
  bool with_keys_;
  Arguments command_;
  StoreChoice choice_;
  SharedOptions options_;
};

std::string count_of(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

class StoreCheckCommand final : public StoreCommand {
 public:
  StoreCheckCommand() : StoreCommand("check", "verify all contents; list what is damaged, with exit status 1", true) {}

 private:
  void add_options_to(Arguments& command) override {
    command.add_option("--output", output_, "the form of the list")
        .type_name("FORMAT")
        .one_of({"text", "json"})
        .capture_default_str();
  }
  int run(const store::StoreAddress& store) override {
    const std::vector<std::string> problems = store::check_store(store);
    if (output_ == "json") {
      Arena arena;
      SequenceBuilder list(arena, problems.size());
      for (const std::string& problem : problems) list.append(arena.text(problem));
      MappingBuilder out(arena);
      out.insert("format", arena.text("strata-store-check/1"));
      out.insert("problems", list.finish());
      print(text::write_json(out.finish()));
    } else if (problems.empty()) {
      tell("the store is sound");
    } else {
      for (const std::string& problem : problems) print(problem + "\n");
    }
    return problems.empty() ? 0 : 1;
  }

  std::string output_ = "text";
};

class StoreExportCommand final : public StoreCommand {
 public:
  StoreExportCommand() : StoreCommand("export", "write the whole store as one file", true) {}

 private:
  void add_options_to(Arguments& command) override {
    command.add_option("FILE", file_, "the file; - is standard output").required();
    reseal_option_ = command.add_option("--reseal", reseal_, "put sealed values under this key: file:PATH or env:NAME")
                         .type_name("KEY");
  }
  int run(const store::StoreAddress& store) override {
    const std::optional<std::string> reseal = reseal_option_.is_given() ? std::optional(reseal_) : std::nullopt;
    if (file_ == "-") {
      store::export_store(store, reseal, print);
      return 0;
    }
    FileReplacement file(file_, kExportFile);
    // Each write reaches the disk: few of them.
    constexpr std::size_t kPiece = std::size_t{8} << 20U;
    std::string waiting;
    store::export_store(store, reseal, [&](std::string_view bytes) {
      waiting += bytes;
      if (waiting.size() < kPiece) return;
      file.write(waiting);
      waiting.clear();
    });
    file.write(waiting);
    file.place();
    return 0;
  }

  std::string file_;
  std::string reseal_;
  Option reseal_option_;
};

class StoreImportCommand final : public StoreCommand {
 public:
  StoreImportCommand() : StoreCommand("import", "fill an empty store from an export", false) {}

 private:
  void add_options_to(Arguments& command) override {
    command.add_option("FILE", file_, "the file; - is standard input").required();
  }
  int run(const store::StoreAddress& store) override {
    const int opened = file_ == "-" ? STDIN_FILENO : ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) throw unreadable();
    const auto close = [](const int* descriptor) {
      if (*descriptor > STDERR_FILENO) ::close(*descriptor);
    };
    const std::unique_ptr<const int, decltype(close)> file(&opened, close);
    store::import_store(store, [&](char* buffer, std::size_t size) {
      for (;;) {
        const ssize_t got = ::read(opened, buffer, size);
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR) throw unreadable();
      }
    });
    return 0;
  }
  [[nodiscard]] Error unreadable() const {
    const int code = errno;
    if (code == ENOENT) return std::move(Error("host.missing", "there is no such file").in(file_));
    return std::move(
        Error("tree.unreadable", fmt::format("the file cannot be read: {}", std::generic_category().message(code)))
            .in(file_));
  }

  std::string file_;
};

class StoreMigrateCommand final : public StoreCommand {
 public:
  StoreMigrateCommand() : StoreCommand("migrate", "create a store, or migrate its tables to this version", false) {}

 private:
  int run(const store::StoreAddress& store) override {
    const store::MigratedStore done = store::migrate_store(store);
    if (done.before == 0) {
      tell(fmt::format("made a store with tables of version {}", done.after));
    } else if (done.before == done.after) {
      tell(fmt::format("the tables have version {} already", done.after));
    } else {
      tell(fmt::format("the tables had version {} and have {} now", done.before, done.after));
    }
    return 0;
  }
};

class StoreRekeyCommand final : public StoreCommand {
 public:
  StoreRekeyCommand() : StoreCommand("rekey", "encrypt all secrets with another key", false) {}

 private:
  void add_options_to(Arguments& command) override {
    command
        .add_option("--from", from_,
                    "a key that values are under now: file:PATH or env:NAME; repeatable. Without it, the file PATH.key "
                    "of SQLite")
        .type_name("KEY")
        .one_word();
    command.add_option("--to", to_, "the new key").type_name("KEY").required();
  }
  int run(const store::StoreAddress& store) override {
    store::StoreAddress with_keys = store;
    with_keys.keys = from_;
    const std::size_t count = store::rekey_store(with_keys, to_);
    tell(fmt::format("{} under the new key; give it to the service with --key", count_of(count, "sealed value")));
    return 0;
  }

  std::vector<std::string> from_;
  std::string to_;
};

class StorePruneCommand final : public StoreCommand {
 public:
  StorePruneCommand() : StoreCommand("prune", "remove old revisions and the data that only they use", false) {}

 private:
  void add_options_to(Arguments& command) override {
    command.add_option("--keep-revisions", keep_, "how many revisions of each project stay: 1 or more")
        .type_name("NUMBER")
        .required();
  }
  int run(const store::StoreAddress& store) override {
    std::int64_t keep = 0;
    const auto [end, problem] = std::from_chars(keep_.data(), keep_.data() + keep_.size(), keep);
    if (problem != std::errc() || end != keep_.data() + keep_.size() || keep < 1)
      throw UsageError(Usage::value, "--keep-revisions: a number of 1 or more");
    const store::PrunedStore pruned = store::prune_store(store, keep);
    const auto count = [](std::int64_t number, std::string_view what) {
      return count_of(static_cast<std::size_t>(number), what);
    };
    tell(fmt::format("removed {}, {}, {}", count(pruned.revisions, "revision"), count(pruned.documents, "document"),
                     count(pruned.texts, "text")));
    return 0;
  }

  std::string keep_;
};

template <class Made>
std::unique_ptr<Command> made_store_command() {
  return std::make_unique<Made>();
}

const Registration store_migrate_registration({.name = "store migrate",
                                               .place = kPlaceOfStore,
                                               .make = made_store_command<StoreMigrateCommand>,
                                               .examples = {"strata store migrate --store sqlite:demo.db",
                                                            "strata store migrate --quiet --store sqlite:demo.db"},
                                               .page = kStorePage});
const Registration store_check_registration({.name = "store check",
                                             .place = kPlaceOfStore + 1,
                                             .make = made_store_command<StoreCheckCommand>,
                                             .examples = {"strata store check --store sqlite:demo.db",
                                                          "strata store check --output json --store sqlite:demo.db"},
                                             .page = kStorePage});
const Registration store_export_registration(
    {.name = "store export",
     .place = kPlaceOfStore + 2,
     .make = made_store_command<StoreExportCommand>,
     .examples = {"strata store export --store sqlite:demo.db demo.export",
                  "strata store export --store sqlite:demo.db --reseal file:new.key other.export"},
     .page = kStorePage});
const Registration store_import_registration({.name = "store import",
                                              .place = kPlaceOfStore + 3,
                                              .make = made_store_command<StoreImportCommand>,
                                              .examples = {"strata store import --store sqlite:copy.db demo.export",
                                                           "strata store import --store sqlite:other.db other.export"},
                                              .page = kStorePage});
const Registration store_rekey_registration(
    {.name = "store rekey",
     .place = kPlaceOfStore + 4,
     .make = made_store_command<StoreRekeyCommand>,
     .examples = {"strata store rekey --store sqlite:demo.db --to file:new.key",
                  "strata store rekey --store sqlite:copy.db --from file:old.key --to file:new.key"},
     .page = kStorePage});
const Registration store_prune_registration(
    {.name = "store prune",
     .place = kPlaceOfStore + 5,
     .make = made_store_command<StorePruneCommand>,
     .examples = {"strata store prune --keep-revisions 100 --store sqlite:demo.db",
                  "strata store prune --keep-revisions 1 --store sqlite:copy.db"},
     .page = kStorePage});

}  // namespace

}  // namespace strata::cli
