// SPDX-License-Identifier: Apache-2.0
// strata where: from a position of a result to the place that it comes from, with nothing but the source map.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "command.hpp"
#include "command_host.hpp"
#include "output.hpp"
#include "strata/process_host.hpp"
#include "strata/source_map.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

class WhereCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("where", "find the source of a position of a result, with a source map");
    command_.add_option("MAP", map_, "a source map, as --source-map writes it; - is standard input").required();
    command_.add_option("POSITION", position_, "LINE or LINE:COLUMN of the result, from 1; with --rewrite, the NAME");
    command_
        .add_flag("--rewrite", rewrite_,
                  "copy standard input, and in each line rewrite the first NAME:LINE[:COLUMN]; NAME is the file that "
                  "the map names, unless --rewrite NAME "
                  "gives another")
        .type_name("[NAME]");
    command_.add_option("--color", options_.color_name, "colors of messages")
        .type_name("WHEN")
        .one_of({"auto", "always", "never"})
        .capture_default_str();
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int error_status() override { return has_map_ ? 1 : kNoAnswer; }

  int execute(const std::vector<std::string>& /*words*/) override {
    check_usage();
    Sources sources(working_folder());
    const SourceId source = sources.add(map_ == kStdin ? "<stdin>" : map_, read());
    const report::SourceMap map = report::SourceMap::read(sources, source, options_.limits);
    has_map_ = true;
    if (!rewrite_.empty()) {
      const std::string name = rewrite_ != kFlag ? rewrite_ : !position_.empty() ? position_ : map.file();
      if (name.empty()) throw UsageError(Usage::missing, "where: the map does not name its file: give --rewrite NAME");
      rewrite(map, name);
      return 0;
    }
    const auto target = map.find(line_, column_);
    if (!target)
      throw Error("map.place", fmt::format("the map has no place for {}:{}", line_, column_)).in(sources.file(source));
    std::string shown = target->to_string();
    if (!target->name.empty()) shown += ' ' + target->name;
    print(shown);
    print("\n");
    flush_output();
    return 0;
  }

 private:
  static constexpr std::string_view kFlag = "true";  ///< What a flag without a value reads as.

  void check_usage() {
    if (rewrite_.empty()) {
      if (position_.empty())
        throw UsageError(Usage::missing, "where: give a POSITION of the result, LINE or LINE:COLUMN, or --rewrite");
      read_position();
    } else if (map_ == kStdin) {
      throw UsageError(Usage::conflict, "where: with --rewrite standard input is the text: name the file of the map");
    } else if (rewrite_ != kFlag && !position_.empty()) {
      throw UsageError(Usage::extra, "where: --rewrite takes one NAME");
    }
  }

  [[nodiscard]] std::string read() const {
    try {
      return process_host(options_.limits, {})->read(map_);
    } catch (const Error& error) {
      if (error.ends_request() || error.category() == Category::limit) throw;
      throw Error("map.read", fmt::format("the source map cannot be read: {}", error.what())).in(map_);
    }
  }

  /// `LINE` or `LINE:COLUMN`.
  void read_position() {
    const auto refuse = [this] {
      throw UsageError(Usage::value, fmt::format("where: '{}' is not LINE or LINE:COLUMN, counted from 1", position_));
    };
    const auto number = [&refuse](std::string_view digits) {
      std::uint64_t out = 0;
      const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
      if (status != std::errc{} || end != digits.data() + digits.size() || out == 0) refuse();
      return out;
    };
    const std::string_view typed = position_;
    const std::size_t colon = typed.find(':');
    line_ = number(typed.substr(0, colon));
    if (colon != std::string_view::npos) column_ = number(typed.substr(colon + 1));
  }

  /// Copies standard input as it comes: who writes it may wait for what is done with it.
  static void rewrite(const report::SourceMap& map, const std::string& name) {
    report::PlaceRewriter rewriter(map, name);
    std::array<char, std::size_t{1} << 16U> bytes{};
    while (true) {
      const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
        throw Error("tree.unreadable", fmt::format("standard input cannot be read: {}", std::strerror(errno)))
            .in("<stdin>");
      }
      if (got == 0) break;
      rewriter.add({bytes.data(), static_cast<std::size_t>(got)}, print);
      flush_output();
    }
    rewriter.finish(print);
    flush_output();
  }

  Arguments command_;
  SharedOptions options_;
  std::string map_;
  std::string position_;
  std::string rewrite_;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;
  bool has_map_ = false;
};

const Registration where_registration({.name = "where",
                                       .place = 780,
                                       .make = []() -> std::unique_ptr<Command> {
                                         return std::make_unique<WhereCommand>();
                                       },
                                       .examples = {"strata where examples/source-map/web.yaml.map 3:12",
                                                    "strata where examples/source-map/web.yaml.map 5"},
                                       .page = "analysis/source-maps.md"});

}  // namespace

}  // namespace strata::cli
