// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <utility>

#include "strata/error.hpp"
#include "strata/path.hpp"
#include "strata/stack.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

struct NamedLimit {
  std::string_view name;
  std::size_t Limits::*member;
};

constexpr std::array<NamedLimit, 9> kLimits{{{"depth", &Limits::depth},
                                             {"input", &Limits::input},
                                             {"aliases", &Limits::aliases},
                                             {"result", &Limits::result},
                                             {"include-depth", &Limits::include_depth},
                                             {"includes", &Limits::includes},
                                             {"steps", &Limits::steps},
                                             {"processor-seconds", &Limits::processor_seconds},
                                             {"memory", &Limits::memory}}};

constexpr std::string_view kSeconds = "seconds";

/// Limits that are the program's own.
struct NamedOption {
  std::string_view name;
  std::size_t SharedOptions::*member;
};
constexpr std::array<NamedOption, 7> kOptionLimits{{{"output", &SharedOptions::most_output},
                                                    {"causes", &SharedOptions::most_causes},
                                                    {"caused", &SharedOptions::most_caused},
                                                    {"effects", &SharedOptions::most_effects},
                                                    {"alignment", &SharedOptions::most_alignment},
                                                    {"proposals", &SharedOptions::most_proposals},
                                                    {"findings", &SharedOptions::most_findings}}};
/// The time that a request may take counts from here: before main.
const Stop::Clock::time_point start_of_program = Stop::Clock::now();

void check_depth(const std::string& text, std::size_t depth) {
  if (depth > SharedOptions::kDeepest)
    throw UsageError(Usage::value, fmt::format("--limit {}: at most depth={}", text, SharedOptions::kDeepest));
  const std::size_t most = deepest_on_stack();
  if (depth <= most) return;
  // Where the stack begins differs from run to run: what is named is taken by each.
  throw UsageError(
      Usage::value,
      fmt::format("--limit {}: the stack holds at most depth={}; give a smaller depth, or run with a larger stack "
                  "(ulimit -s KIBIBYTES)",
                  text, most - most / 16));
}

/// So many seconds after the start; the end of time where that is later.
Stop::Clock::time_point deadline_after(std::size_t seconds) {
  const Console* console = OnConsole::current();
  const Stop::Clock::time_point start = console == nullptr ? start_of_program : console->start;
  const auto left = std::chrono::duration_cast<std::chrono::seconds>(Stop::Clock::time_point::max() - start);
  return std::cmp_less(seconds, left.count()) ? start + std::chrono::seconds(seconds) : Stop::Clock::time_point::max();
}

void set_limit(SharedOptions& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = std::string_view(text).substr(0, equals);
  const auto known = std::ranges::find(kLimits, name, &NamedLimit::name);
  const auto own = std::ranges::find(kOptionLimits, name, &NamedOption::name);
  if (equals == std::string::npos || (known == kLimits.end() && own == kOptionLimits.end() && name != kSeconds)) {
    throw UsageError(Usage::value, fmt::format("--limit {}: expected NAME=NUMBER with one of {}", text,
                                               fmt::join(SharedOptions::limit_names(), ", ")));
  }
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data() + equals + 1, end, number);
  if (status != std::errc{} || rest != end)
    throw UsageError(Usage::value, fmt::format("--limit {}: expected a number after '='", text));
  if (name == kSeconds) {
    options.deadline = deadline_after(number);
    return;
  }
  if (own != kOptionLimits.end()) {
    options.*own->member = number;
    return;
  }
  if (known->member == &Limits::depth) check_depth(text, number);
  options.limits.*known->member = number;
}

}  // namespace

std::string_view UsageError::code() const noexcept {
  static constexpr std::array<std::string_view, 6> kCodes{
      "usage.unknown-command", "usage.unknown-option", "usage.missing", "usage.extra", "usage.value", "usage.conflict"};
  return kCodes.at(static_cast<std::size_t>(usage_));
}

UsageError UsageError::in(std::string_view command) const {
  const std::string name = fmt::format("{}: ", command);
  const std::string_view message = what();
  return message.starts_with(name) ? *this : UsageError(usage_, name + std::string(message), hint_);
}

void SharedOptions::check_explanation(std::size_t bytes) const {
  if (bytes <= most_output) return;
  throw Error("limit.output", fmt::format("the explanation has more than {} bytes", most_output))
      .hint("--explain=PATH explains a part; or raise the limit with --limit output=BYTES");
}

void SharedOptions::add_to(Arguments& command, Output default_output, bool lines) {
  output_name = default_output == Output::yaml ? "yaml" : "json";
  const std::string group = "Shared options";
  std::vector<std::string> formats{"yaml", "json"};
  if (lines) formats.emplace_back("jsonl");
  output_option = command.add_option("--output", output_name, "")
                      .type_name("FORMAT")
                      .one_of(formats)
                      .capture_default_str()
                      .group(group);
  command
      .add_flag("--blame", blame_flag,
                "show the file and line that supplied each line of the result; short shortens file names (the default "
                "on a terminal), wide does not")
      .type_name("[=short|wide]")
      .group(group);
  command
      .add_flag("--explain", explain_flag,
                "show the history of every leaf; with PATH (a JSON Pointer), only at or below PATH")
      .type_name("[=PATH]")
      .group(group);
  command.add_flag("--wide", wide, "show whole names and values in --blame, --explain, --lists and --against")
      .group(group);
  command.add_option("--at", at, "read files from a git revision").type_name("REV").group(group);
  command.add_option("--against", against, "show the differences from a git revision; exit status 1 if there are any")
      .type_name("REV")
      .group(group);
  command.add_flag("--sort-keys,!--no-sort-keys", sort_keys, "sort the keys of mappings, or keep their order")
      .group(group);
  add_common_to(command);
}

void SharedOptions::add_common_to(Arguments& command) {
  const std::string group = "Shared options";
  command.add_flag("--strict", strict, "warnings become errors").group(group);
  command.add_flag("--quiet", quiet, "hide warnings").group(group);
  command.add_option("--color", color_name, "colors of messages")
      .type_name("WHEN")
      .one_of({"auto", "always", "never"})
      .capture_default_str()
      .group(group);
  command
      .add_option("--yaml", yaml_name,
                  "the reader of YAML: fast, or libyaml, which is slower and gives the same results")
      .type_name("READER")
      .one_of({"fast", "libyaml"})
      .capture_default_str()
      .group(group);
  command.add_option("--threads", threads, "the most threads that work at once; 0: one per core")
      .type_name("NUMBER")
      .within(0, 1024)
      .group(group);
  command
      .add_option("--allow-files", allowed_folders,
                  "files may name files in this folder, too, besides those of the repository and of named folders")
      .type_name("DIR")
      .one_word()
      .group(group);
  command.add_option("--limit", limit_texts, "raise a limit on the work of an input; docs/limits.md lists them")
      .type_name("NAME=NUMBER")
      .one_word()
      .group(group);
}

void SharedOptions::add_permissions_to(Arguments& command) {
  const std::string group = "Shared options";
  command
      .add_flag("--allow-programs", permissions.programs,
                "run the programs that files name: an ENC (enc_command of strata.yaml) and plugins")
      .group(group);
  command
      .add_flag("--allow-network", permissions.network,
                "contact the servers that files name: PuppetDB, and includes over http and https")
      .group(group);
}

void SharedOptions::add_source_map_to(Arguments& command) {
  const std::string group = "Shared options";
  source_map_option = command
                          .add_option("--source-map", source_map,
                                      "write the source map of the result; - prints it instead of the result")
                          .type_name("FILE")
                          .group(group);
  command
      .add_flag("--source-map-content", source_map_content,
                "put the texts of the sources into the source map, except those that hold secrets")
      .group(group);
}

void SharedOptions::add_lists_to(Arguments& command) {
  command
      .add_flag("--lists", lists,
                "show how every list of the result was merged, where each item comes from, and what was dropped")
      .group("Shared options");
}

std::vector<std::string_view> SharedOptions::limit_names() {
  std::vector<std::string_view> out;
  out.reserve(std::size(kLimits) + 1 + std::size(kOptionLimits));
  for (const NamedLimit& limit : kLimits) out.push_back(limit.name);
  out.push_back(kSeconds);
  for (const NamedOption& limit : kOptionLimits) out.push_back(limit.name);
  return out;
}

void SharedOptions::join(const SharedOptions& other) {
  strict = strict || other.strict;
  quiet = quiet || other.quiet;
  permissions = permissions | other.permissions;
  if (threads == 0) threads = other.threads;
  if (color_name == "auto") color_name = other.color_name;
  if (yaml_name == "fast") yaml_name = other.yaml_name;
  allowed_folders.insert(allowed_folders.end(), other.allowed_folders.begin(), other.allowed_folders.end());
  limit_texts.insert(limit_texts.begin(), other.limit_texts.begin(), other.limit_texts.end());
}

void SharedOptions::cap(const Limits& most) {
  for (std::size_t Limits::*const member :
       {&Limits::depth, &Limits::input, &Limits::aliases, &Limits::result, &Limits::include_depth, &Limits::includes,
        &Limits::steps, &Limits::processor_seconds, &Limits::memory}) {
    limits.*member = std::min(limits.*member, most.*member);
  }
  limits.secret_keys = most.secret_keys;
}

Color SharedOptions::typed_color() const noexcept {
  return color_name == "always" ? Color::always : color_name == "never" ? Color::never : Color::automatic;
}

bool SharedOptions::explains_name() const { return explain && !explain->empty() && !explain->starts_with('/'); }

void SharedOptions::throw_no_such_path(const Value& result) const {
  const std::string near = near_pointer(result, *explain);
  if (explains_name()) {
    throw UsageError(Usage::value,
                     fmt::format("--explain: '{}' is not a JSON Pointer: it must be empty or begin with '/'", *explain),
                     near.empty() ? "--explain alone lists all paths" : fmt::format("write --explain={}", near));
  }
  throw Error("explain.path", fmt::format("nothing was ever at the path '{}'", *explain))
      .hint(near.empty() ? "--explain alone lists all paths" : fmt::format("did you mean '{}'?", near));
}

void SharedOptions::finish() {
  output = output_name == "json" ? Output::json : output_name == "jsonl" ? Output::jsonl : Output::yaml;
  output_given = output_option.is_given();
  color = typed_color();
  // A flag without a value reads as "true"; a JSON Pointer is empty or begins with a slash.
  if (!blame_flag.empty() && blame_flag != "true" && blame_flag != "short" && blame_flag != "wide") {
    throw UsageError(Usage::value, fmt::format("--blame={}: expected short or wide", blame_flag));
  }
  blame = !blame_flag.empty();
  if (!explain_flag.empty())
    explain = explain_flag == "true" || explain_flag == kRootPath ? std::string() : explain_flag;
  explains_path = explain && explain_flag != "true";
  // Other words may be names: once the result is known, `throw_no_such_path` reports their paths.
  if (explain && explain->starts_with('/')) {
    try {
      (void)parse_pointer(*explain);
    } catch (const Error& error) {
      throw UsageError(Usage::value, fmt::format("--explain: {}", error.what()));
    }
  }
  const std::size_t columns = terminal_width();
  layout = {.short_names = blame_flag == "short" || (columns != 0 && blame_flag != "wide" && !wide),
            .whole_values = wide || blame_flag == "wide",
            .width = columns};
  // People who ask where something comes from read text.
  if (!output_given && (reports() || !against.empty())) output = Output::yaml;
  const int given = (blame ? 1 : 0) + (explain ? 1 : 0) + (against.empty() ? 0 : 1);
  if (given > 1) throw UsageError(Usage::conflict, "give only one of --blame, --explain and --against");
  if (lists && given > 0)
    throw UsageError(Usage::conflict, "--lists cannot be used with --blame, --explain and --against");
  if (maps() && (reports() || !against.empty()))
    throw UsageError(Usage::conflict, fmt::format("--source-map is for the result: it cannot be used with {}",
                                                  lists ? "--lists" : "--blame, --explain and --against"));
  if (maps() && output == Output::jsonl) throw UsageError(Usage::conflict, "--source-map needs --output yaml or json");
  if (maps() && source_map.empty())
    throw UsageError(Usage::missing, "--source-map: name a file, or - for standard output");
  if (source_map_content && !maps()) throw UsageError(Usage::conflict, "--source-map-content needs --source-map");
  compares = compares || !against.empty();
  limits.libyaml_alone = yaml_name == "libyaml";
  limits.depth = std::min(limits.depth, deepest_on_stack());
  for (const std::string& text : limit_texts) set_limit(*this, text);
  if (deadline) stop.end_at(*deadline);
  if (deadline || OnConsole::stop() != nullptr) limits.stop = &stop;
}

}  // namespace strata::cli
