#include "environment_conf.hpp"

#include <array>
#include <optional>
#include <utility>

#include "pathname.hpp"

namespace strata::hiera {
namespace {

std::string_view strip(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The value of a setting outside sections, `name = value`; the last one counts.
std::optional<std::string> setting(std::string_view text, std::string_view name) {
  std::optional<std::string> out;
  bool in_section = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = strip(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[')) in_section = true;
    const std::size_t equals = line.find('=');
    if (in_section || equals == std::string_view::npos || strip(line.substr(0, equals)) != name) continue;
    std::string_view value = strip(line.substr(equals + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
      value = value.substr(1, value.size() - 2);
    out = std::string(value);
  }
  return out;
}

/// `$name` and `${name}` of what Puppet knows; other names stay.
std::string expand(std::string_view text, const std::array<std::pair<std::string_view, std::string>, 3>& known) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool replaced = false;
    for (const auto& [name, value] : known) {
      for (const bool braced : {true, false}) {
        const std::string written = braced ? "${" + std::string(name) + "}" : "$" + std::string(name);
        if (replaced || !text.substr(i).starts_with(written)) continue;
        out += value;
        i += written.size() - 1;
        replaced = true;
      }
    }
    if (!replaced) out += text[i];
  }
  return out;
}

/// A module path without the parts that need a code directory.
std::string without_codedir(std::string_view path) {
  std::string out;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t colon = std::min(path.find(':', from), path.size());
    const std::string_view part = path.substr(from, colon - from);
    const auto names = [part](std::string_view name) { return part.find(name) != std::string_view::npos; };
    if (!names("$codedir") && !names("${codedir}") && !names("$basemodulepath") && !names("${basemodulepath}")) {
      out += out.empty() ? "" : ":";
      out += part;
    }
    from = colon + 1;
  }
  return out;
}

}  // namespace

std::vector<std::string> read_module_path(const FileTree& tree, Sources& sources, const std::string& codedir, const std::string& environment_folder,
                                          const std::string& environment) {
  // An environment may stand alone, without a code directory around it.
  const std::string base = codedir.empty() ? std::string() : join_path(codedir, "modules");
  const std::string file = join_path(environment_folder, "environment.conf");
  std::optional<std::string> given;
  if (tree.kind(file) == FileKind::file) {
    if (auto text = tree.read(file)) {
      const SourceId source = sources.add(file, std::move(*text));
      given = setting(sources.text(source), "modulepath");
    }
  }
  const std::string own = join_path(environment_folder, "modules");
  if (!given) return base.empty() ? std::vector{own} : std::vector{own, base};
  if (codedir.empty()) given = without_codedir(*given);
  const std::string path = expand(*given, {{{"basemodulepath", base}, {"codedir", codedir}, {"environment", environment}}});
  std::vector<std::string> out;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t colon = std::min(path.find(':', from), path.size());
    if (colon > from) out.push_back(join_path(environment_folder, path.substr(from, colon - from)));
    from = colon + 1;
  }
  return out;
}

}  // namespace strata::hiera
