// SPDX-License-Identifier: Apache-2.0
#include "environment_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "glob.hpp"
#include "pathname.hpp"
#include "strata/near_names.hpp"
#include "strata/paths.hpp"

namespace strata::hiera {
namespace {

constexpr std::string_view kLineSpaces = " \t\r\n\f\v";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Settings of Puppet that name folders which only the machine of a server knows.
constexpr std::array<std::string_view, 8> kFoldersOfServers{"confdir", "vardir",   "ssldir", "logdir",
                                                            "rundir",  "statedir", "libdir", "cachedir"};

std::string_view without_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(kLineSpaces);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::string_view without_ends(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kLineSpaces), text.size()));
  return without_end(text);
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_word_character(c); });
}
bool is_ascii_word(std::string_view text) {
  return is_word(text) &&
         std::ranges::all_of(text, [](char c) { return (static_cast<unsigned char>(c) & 0x80U) == 0; });
}

/// The file, read line by line as Puppet does: nothing of it may be wrong, whatever is asked.
class EnvironmentConf {
 public:
  EnvironmentConf(const Sources& sources, SourceId source)
      : sources_(sources), source_(source), text_(sources.text(source)) {
    constexpr std::string_view kMain = "main";
    std::string_view section = kMain;
    for (std::size_t from = 0; from < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', from), text_.size());
      const std::string_view line = text_.substr(from, end - from);
      const std::string_view stripped = without_ends(line);
      const std::size_t equals = line.find('=');
      const std::string_view name =
          equals == std::string_view::npos ? std::string_view() : without_ends(line.substr(0, equals));
      if (stripped.size() > 2 && stripped.front() == '[' && stripped.back() == ']' &&
          is_word(stripped.substr(1, stripped.size() - 2))) {
        section = stripped.substr(1, stripped.size() - 2);
      } else if (is_word(name) && !name.starts_with(kByteOrderMark)) {
        std::string value = value_of(without_ends(line.substr(equals + 1)), from);
        if (section == kMain && name == "modulepath" && !module_path_) {
          module_path_.emplace(std::move(value), from);
        } else if (section == kMain && name == "environment_data_provider" && !data_provider_) {
          data_provider_.emplace(std::move(value), from);
        }
      } else if (!stripped.empty() && stripped.front() != '#') {
        fail(from, fmt::format("Could not match line {}", without_end(line)),
             "write NAME = VALUE, or # in front of a comment");
      }
      from = end + 1;
    }
  }

  /// The value of `modulepath`, as written. No value: it is not set.
  [[nodiscard]] std::optional<std::string_view> module_path() const {
    return module_path_ ? std::optional<std::string_view>(module_path_->first) : std::nullopt;
  }

  [[nodiscard]] std::optional<DataProvider> data_provider() const {
    if (!data_provider_) return std::nullopt;
    const auto& [name, offset] = *data_provider_;
    const Error told = Error("hiera.data-provider", fmt::format("environment_data_provider = {}", name))
                           .at(sources_, sources_.at(source_, offset));
    return DataProvider{.name = name, .told = told.diagnostic()};
  }

  [[nodiscard]] Error error(std::string message, std::string hint) const {
    return error(module_path_->second, std::move(message), std::move(hint));
  }

 private:
  [[nodiscard]] Error error(std::size_t offset, std::string message, std::string hint) const {
    return Error("hiera.environment-conf", std::move(message))
        .at(sources_, sources_.at(source_, offset))
        .hint(std::move(hint));
  }
  [[noreturn]] void fail(std::size_t offset, std::string message, std::string hint) const {
    throw error(offset, std::move(message), std::move(hint));
  }

  /// A value without its quotes, and without what says who has a file: `{owner = …, mode = …}`.
  [[nodiscard]] std::string value_of(std::string_view written, std::size_t offset) const {
    const auto is_quote = [](char c) { return c == '"' || c == '\''; };
    if (!written.empty() && is_quote(written.front())) written.remove_prefix(1);
    if (!written.empty() && is_quote(written.back())) written.remove_suffix(1);
    std::string value(without_end(written));
    const std::size_t open = value.find('{');
    const std::size_t close = open == std::string::npos ? open : value.find('}', open + 1);
    if (close == std::string::npos || close == open + 1) return value;
    for (std::string_view rest = std::string_view(value).substr(open + 1, close - open - 1); !rest.empty();) {
      const std::string_view one = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      const std::size_t equals = one.find('=');
      const std::string_view name = without_ends(one.substr(0, equals));
      const std::string_view wanted =
          equals == std::string_view::npos ? std::string_view() : without_ends(one.substr(equals + 1));
      constexpr std::string_view kHint =
          "braces say who has a file, as in {owner = puppet, mode = 0644}; settings are interpolated without them: "
          "$codedir";
      if (!is_ascii_word(name) || !is_ascii_word(wanted))
        fail(offset, fmt::format("Could not parse '{}'", one), std::string(kHint));
      if (name != "owner" && name != "mode" && name != "group")
        fail(offset, fmt::format("Invalid file option '{}'", name), std::string(kHint));
      if (name == "mode" && !std::ranges::all_of(wanted, [](char c) { return c >= '0' && c <= '9'; })) {
        fail(offset, "File modes must be numbers", std::string(kHint));
      }
    }
    value.erase(open, close + 1 - open);
    value.resize(without_end(value).size());
    return value;
  }

  const Sources& sources_;
  SourceId source_;
  std::string_view text_;
  std::optional<std::pair<std::string, std::size_t>> module_path_;  ///< With the offset of its line.
  std::optional<std::pair<std::string, std::size_t>> data_provider_;
};

/// The parts of a path, as Ruby splits them: empty ones count, but at the end.
std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t colon = path.find(':');
    out.emplace_back(path.substr(0, colon));
    if (colon == std::string_view::npos) break;
    path.remove_prefix(colon + 1);
  }
  while (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

/// Makes folders of the value of `modulepath`.
class Expansion {
 public:
  Expansion(const FileTree& tree, const EnvironmentConf& conf, const std::string& codedir,
            const std::string& environment_folder, std::span<const MappedFolder> maps)
      : tree_(tree), conf_(conf), codedir_(codedir), environment_folder_(environment_folder), maps_(maps) {}

  ModulePath run(std::string_view written) {
    if (written == "true" || written == "false")
      throw conf_.error(fmt::format("modulepath is {}, and no path", written), "write folders with ':' between");
    for (const std::string& part : parts_of(written)) {
      // What begins with a setting is not known to be absolute or not before it is interpolated: neither made absolute
      // nor searched.
      const std::string path = part.starts_with('$') ? part : absolute_path(environment_folder_, part);
      if (path.find_first_of("*?[{") == std::string::npos) {
        add(path);
        continue;
      }
      out_.has_globs = true;
      if (part.starts_with('$')) continue;
      const std::string pattern = mapped_path(maps_, path);
      for (const std::string& folder : glob_folders(tree_, pattern)) add(folder, pattern == path);
    }
    return std::move(out_);
  }

 private:
  void add(const std::string& path, bool maps = true) {
    const std::optional<std::string> whole = interpolated(path);
    if (!whole) return;
    for (const std::string& folder : parts_of(*whole))
      out_.folders.push_back(
          mapped_path(maps ? maps_ : std::span<const MappedFolder>(), absolute_path(environment_folder_, folder)));
  }

  /// No value: it needs what is not known here.
  std::optional<std::string> interpolated(std::string_view path) {
    std::string out;
    for (std::size_t i = 0; i < path.size();) {
      std::size_t end = i + 1;
      while (path[i] == '$' && end < path.size() && is_word_character(path[end]) &&
             (static_cast<unsigned char>(path[end]) & 0x80U) == 0)
        ++end;
      if (end == i + 1) {
        out += path[i++];
        continue;
      }
      const std::string_view name = path.substr(i + 1, end - i - 1);
      i = end;
      if (name == "environment") {  // Only the version of a configuration may have it.
        out.append("$").append(name);
      } else if (name == "run_mode") {
        out += "server";
      } else if (name == "codedir" || name == "basemodulepath" || name == "environmentpath") {
        if (codedir_.empty()) return std::nullopt;
        out +=
            name == "codedir" ? codedir_ : join_path(codedir_, name == "basemodulepath" ? "modules" : "environments");
      } else if (std::ranges::find(kFoldersOfServers, name) != kFoldersOfServers.end()) {
        out_.warnings.push_back(
            conf_
                .error(
                    fmt::format("modulepath names ${}, a folder of a Puppet server: this part of it is left out", name),
                    "write the folder in full")
                .diagnostic());
        return std::nullopt;
      } else {
        constexpr std::array<std::string_view, 3> kKnown{"basemodulepath", "codedir", "environmentpath"};
        throw conf_.error(fmt::format("Could not find value for ${}", name),
                          name_hint(kKnown, name, "$codedir, $basemodulepath and $environmentpath are known"));
      }
    }
    return out;
  }

  const FileTree& tree_;
  const EnvironmentConf& conf_;
  const std::string& codedir_;
  const std::string& environment_folder_;
  std::span<const MappedFolder> maps_;
  ModulePath out_;
};

/// As Puppet leaves out those that do not exist.
void leave_out_folders_outside(ModulePath& path, const FileTree& tree, const EnvironmentConf& conf) {
  std::erase_if(path.folders, [&](const std::string& folder) {
    try {
      (void)tree.kind(folder);
      return false;
    } catch (const Error& error) {
      if (error.code() != "tree.outside") throw;
      path.warnings.push_back(
          conf.error(fmt::format("modulepath names '{}', which is outside of what may be read here: it is left out",
                                 folder),
                     error.diagnostic().hint)
              .diagnostic());
      return true;
    }
  });
}

}  // namespace

ModulePath read_module_path(const FileTree& tree, Sources& sources, const std::string& codedir,
                            const std::string& environment_folder, std::span<const MappedFolder> maps) {
  ModulePath out{.folders = {join_path(environment_folder, "modules")}, .has_globs = false, .warnings = {}};
  if (!codedir.empty()) out.folders.push_back(join_path(codedir, "modules"));
  const std::string file = join_path(environment_folder, "environment.conf");
  if (tree.kind(file) != FileKind::file) return out;
  if (auto text = tree.read(file)) {
    const EnvironmentConf conf(sources, sources.add(file, std::move(*text)));
    if (const auto written = conf.module_path())
      out = Expansion(tree, conf, codedir, environment_folder, maps).run(*written);
    leave_out_folders_outside(out, tree, conf);
    out.data_provider = conf.data_provider();
  }
  return out;
}

}  // namespace strata::hiera
