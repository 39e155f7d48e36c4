// SPDX-License-Identifier: Apache-2.0
// What is read from modules beside bindings: headers of manifests, files.
#include <map>
#include <memory>

#include "bindings/request/names.hpp"
#include "bindings/request/prepare.hpp"
#include "bindings/syntax/site.hpp"
#include "puppet/characters.hpp"

namespace strata::bindings {
namespace {

/// Reads the manifests of a module once somebody asks for a class or type of it.
class Manifests {
 public:
  Manifests(Session& session, std::vector<std::string> modulepath)
      : session_(session), modulepath_(std::move(modulepath)) {}

  std::optional<std::vector<std::string>> parameters(const std::string& type_name) {
    std::string name = puppet::lower(type_name);
    if (name.starts_with("::")) name.erase(0, 2);
    // `Class[ntp]` may be written as such.
    if (name.starts_with("class[") && name.ends_with("]")) name = name.substr(6, name.size() - 7);
    if (!is_document_name(name)) return std::nullopt;
    const auto known = known_.find(name);
    if (known != known_.end()) return known->second;
    std::optional<std::vector<std::string>>& found = known_[name];
    const std::string path = path_of(name);
    if (path.empty() || session_.tree().kind(path) != FileKind::file) return found;
    using Headers = std::vector<Header>;
    const auto headers =
        session_.read<Headers>(path, "headers", [](Sources& texts, SourceId source, const Limits& limits) {
          return Reading<Headers>{.parsed = std::make_shared<const Headers>(read_headers(texts, source, limits))};
        });
    if (!headers) return found;
    for (const Header& header : *headers) {
      if (header.name == name) found = header.parameters;
    }
    return found;
  }

 private:
  /// Where Puppet's autoloader looks: `a` in a/manifests/init.pp, `a::b::c` in a/manifests/b/c.pp.
  [[nodiscard]] std::string path_of(const std::string& name) const {
    const std::size_t end = name.find("::");
    const std::string folder =
        DocumentFinder(session_.tree(), session_.limits().includes).module_folder(modulepath_, name.substr(0, end));
    if (folder.empty() || end == std::string::npos) return folder.empty() ? folder : folder + "/manifests/init.pp";
    std::string rest = name.substr(end + 2);
    for (std::size_t at = rest.find("::"); at != std::string::npos; at = rest.find("::", at)) rest.replace(at, 2, "/");
    return folder + "/manifests/" + rest + ".pp";
  }

  Session& session_;
  std::vector<std::string> modulepath_;
  std::map<std::string, std::optional<std::vector<std::string>>> known_;
};

}  // namespace

ParameterNames manifest_parameters(Session& session, const Environment& environment) {
  auto manifests = std::make_shared<Manifests>(session, environment.modulepath);
  return [manifests](const std::string& type_name) { return manifests->parameters(type_name); };
}

std::function<std::optional<std::string>(std::string_view)> module_files(const FileTree& tree,
                                                                         const Environment& environment) {
  return [&tree, modulepath = environment.modulepath](std::string_view name) -> std::optional<std::string> {
    const std::size_t slash = name.find('/');
    const std::string_view module = name.substr(0, slash);
    if (slash == std::string_view::npos || !is_name_segment(module)) return std::nullopt;
    std::string_view rest = name.substr(slash);
    for (std::string_view left = rest; !left.empty();) {
      const std::size_t end = std::min(left.find('/', 1), left.size());
      if (left.substr(0, end) == "/..") return std::nullopt;  // Nothing outside of the module's files is read.
      left.remove_prefix(end);
    }
    const std::string folder = DocumentFinder(tree, 1).module_folder(modulepath, module);
    if (folder.empty()) return std::nullopt;
    const std::string path = folder + "/files" + std::string(rest);
    return tree.kind(path) == FileKind::file ? tree.read(path) : std::nullopt;
  };
}

}  // namespace strata::bindings
