// strata where: from a position of a result to the place that it comes from, with nothing but the source map.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "command.hpp"
#include "strata/source_map.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

constexpr std::string_view kStdin = "-";

class WhereCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("where", "source maps: the place that a position of a result comes from");
    command_.add_option("MAP", map_, "a source map, as --source-map writes it; - is standard input").required();
    command_.add_option("POSITION", position_, "LINE or LINE:COLUMN of the result, from 1; with --rewrite, the NAME");
    command_
        .add_flag(
            "--rewrite", rewrite_,
            "copy standard input, and in each line rewrite the first NAME:LINE[:COLUMN]; NAME is the file that the map names, unless --rewrite NAME "
            "gives another")
        .type_name("[NAME]");
    command_.add_option("--color", options_.color_name, "auto, always or never").one_of({"auto", "always", "never"});
  }

  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int error_status() const override { return has_map_ ? 1 : 3; }

  void prepare(Host& host) override {
    if (rewrite_.empty()) {
      if (position_.empty()) throw UsageError("where: give a POSITION of the result, LINE or LINE:COLUMN, or --rewrite");
      read_position();
    } else if (map_ == kStdin) {
      throw UsageError("where: with --rewrite standard input is the text: name the file of the map");
    } else if (rewrite_ != kFlag && !position_.empty()) {
      throw UsageError("where: --rewrite takes one NAME");
    }
    try {
      text_ = host.read(map_);
    } catch (const Error& error) {
      if (error.ends_request() || error.category() == Category::limit) throw;
      throw Error("map.read", fmt::format("the source map cannot be read: {}", error.what())).in(map_);
    }
  }

  Outcome run(Session& session) override {
    const SourceId source = session.sources().add(map_ == kStdin ? "<stdin>" : map_, std::move(text_));
    const auto map = std::make_shared<const report::SourceMap>(report::SourceMap::read(session.sources(), source, session.limits()));
    has_map_ = true;
    Outcome outcome;
    if (!rewrite_.empty()) {
      const std::string name = rewrite_ != kFlag ? rewrite_ : !position_.empty() ? position_ : map->file();
      if (name.empty()) throw UsageError("where: the map does not name its file: give --rewrite NAME");
      outcome.stream = [map, name](const Stream& stream) { return rewrite(*map, name, stream); };
      return outcome;
    }
    const auto target = map->find(line_, column_);
    if (!target) {
      throw Error("map.place", fmt::format("the map has no place for {}:{}", line_, column_)).in(session.sources().file(source));
    }
    std::string shown = target->to_string();
    if (!target->name.empty()) shown += ' ' + target->name;
    outcome.printed = (shows_on_terminal() ? escaped(shown) : shown) + '\n';
    return outcome;
  }

 private:
  static constexpr std::string_view kFlag = "true";  ///< What a flag without a value reads as.

  /// `LINE` or `LINE:COLUMN`.
  void read_position() {
    const auto refuse = [this] { throw UsageError(fmt::format("where: '{}' is not LINE or LINE:COLUMN, counted from 1", position_)); };
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
  static bool rewrite(const report::SourceMap& map, const std::string& name, const Stream& stream) {
    report::PlaceRewriter rewriter(map, name);
    const text::Sink sink = [&stream](std::string_view text) { stream.print(text); };
    std::array<char, std::size_t{1} << 16U> bytes{};
    while (true) {
      const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
        throw Error("tree.unreadable", fmt::format("standard input cannot be read: {}", std::strerror(errno))).in("<stdin>");
      }
      if (got == 0) break;
      rewriter.add({bytes.data(), static_cast<std::size_t>(got)}, sink);
      std::fflush(stdout);
    }
    rewriter.finish(sink);
    return true;
  }

  Arguments command_;
  SharedOptions options_;
  std::string map_;
  std::string position_;
  std::string rewrite_;
  std::string text_;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;
  bool has_map_ = false;
};

const Registration where_registration({.name = "where",
                                       .place = 900,
                                       .make = []() -> std::unique_ptr<Command> { return std::make_unique<WhereCommand>(); },
                                       .examples = {"strata where examples/source-map/web.yaml.map 3:12",
                                                    "strata where examples/source-map/web.yaml.map 5"},
                                       .page = "analysis/source-maps.md"});

}  // namespace

}  // namespace strata::cli
