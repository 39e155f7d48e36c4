#include "bindings/request/layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bindings/problems.hpp"
#include "bindings/request/document_sets.hpp"
#include "bindings/request/paths.hpp"
#include "puppet/quote.hpp"

namespace strata::bindings {
namespace {

/// Names of documents that a layer has, or excludes. Most layers have one list of them, which is looked at as it is.
class TakenNames {
 public:
  using Found = std::shared_ptr<const std::vector<FoundDocument>>;  ///< Sorted by name.

  [[nodiscard]] bool contains(const std::string& scheme, const std::string& name) const {
    const auto has = [&](const std::pair<std::string, Found>& list) {
      return list.first == scheme && std::ranges::binary_search(*list.second, name, {}, &FoundDocument::name);
    };
    return std::ranges::any_of(lists_, has) || (!others_.empty() && others_.contains(scheme + name));
  }
  void add(const std::string& scheme, const Found& found) {
    constexpr std::size_t kMostLists = 4;
    if (lists_.size() < kMostLists) {
      lists_.emplace_back(scheme, found);
      return;
    }
    for (const FoundDocument& one : *found) others_.insert(scheme + one.name);
  }

 private:
  std::vector<std::pair<std::string, Found>> lists_;
  std::set<std::string> others_;
};

class Loading {
 public:
  Loading(const Phase& phase, const Request& request, const SchemeProviders& providers)
      : phase_(phase),
        request_(request),
        providers_(providers),
        finder_(phase.session.tree(), phase.session.limits().includes),
        sets_(DocumentSets::of(phase.session)) {}

  std::vector<Layer> load(const std::vector<LayerDeclaration>& declared) {
    std::vector<Layer> out;
    out.reserve(declared.size());
    for (const LayerDeclaration& each : declared) out.push_back(load(each));
    problems_.raise();
    return out;
  }

 private:
  Layer load(const LayerDeclaration& declared) {
    Layer layer{.name = declared.name, .origin = declared.origin, .items = {}};
    TakenNames taken;
    EncPart no_enc = EncPart::none;
    for (const Uri& uri : declared.exclude) {
      problems_.guard([&] {
        if (uri.scheme == "enc") {
          no_enc = no_enc | enc_part_of(phase_.session.sources(), declared.name, uri);
        } else if (is_file_scheme(uri)) {
          taken.add(uri.scheme, expand(declared.name, uri).set->found);
        } else {
          (void)provider(declared.name, uri);
        }
      });
    }
    EncPart enc = EncPart::none;
    std::size_t enc_place = 0;
    std::set<std::string> asked;
    for (const Uri& uri : declared.include) {
      problems_.guard([&] {
        if (uri.scheme == "enc") {
          if (enc == EncPart::none) enc_place = layer.items.size();
          enc = enc | enc_part_of(phase_.session.sources(), declared.name, uri);
        } else if (is_file_scheme(uri)) {
          add_documents(declared.name, uri, taken, layer);
        } else if (asked.insert(uri.scheme).second) {
          ask(declared, uri, layer);
        }
      });
    }
    const EncPart wanted = enc - no_enc;
    if (wanted != EncPart::none && phase_.enc != nullptr) {
      layer.items.insert(layer.items.begin() + static_cast<std::ptrdiff_t>(enc_place),
                         {.document = enc_document(*phase_.enc, wanted), .source = nullptr});
    }
    return layer;
  }

  [[nodiscard]] static bool is_file_scheme(const Uri& uri) { return uri.scheme == "confdir" || uri.scheme == "module"; }

  void add_documents(const std::string& layer_name, const Uri& uri, TakenNames& taken, Layer& layer) {
    const Expansion all = expand(layer_name, uri);
    const std::vector<FoundDocument>& found = *all.set->found;
    std::vector<std::pair<std::size_t, std::shared_ptr<const Document>>> read;  // What nobody had read before.
    layer.items.reserve(layer.items.size() + found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (taken.contains(uri.scheme, found[i].name)) continue;
      problems_.guard([&] {
        std::shared_ptr<const Document> document = all.set->documents[i];
        if (document == nullptr) {
          document = load_document(found[i], phase_.session);
          read.emplace_back(i, document);
        }
        layer.items.push_back({.document = std::move(document), .source = nullptr});
      });
    }
    taken.add(uri.scheme, all.set->found);
    // What was read for this request, it keeps already.
    phase_.session.keep(all.set);
    if (!read.empty()) sets_->set(all.name, std::make_shared<const DocumentSet>(*all.set, std::move(read)));
    if (!found.empty() || uri.is_optional) return;
    const NamePattern pattern = pattern_of(phase_.session.sources(), layer_name, uri);
    if (pattern.has_wildcard()) return;
    throw Error("layer.missing", fmt::format("layer {}: cannot load bindings {}: there is no {}", puppet::quote(layer_name), puppet::quote(uri.text),
                                             looked_for(uri, pattern)))
        .at(phase_.session.sources(), uri.origin)
        .hint("add '?optional' if it may be missing");
  }

  /// Where a document without wildcards would be.
  [[nodiscard]] std::string looked_for(const Uri& uri, const NamePattern& pattern) const {
    const auto file = [&](const std::string& folder, std::size_t from) {
      std::string path = folder;
      for (std::size_t i = from; i < pattern.segments.size(); ++i) path.append("/").append(pattern.segments[i]);
      return path + ".pp";
    };
    if (uri.scheme == "confdir") {
      std::vector<std::string> paths;
      for (const std::string& folder : confdir_folders()) paths.push_back(file(folder, 0));
      return fmt::format("file {}", fmt::join(paths, " and no file "));
    }
    const std::string& module = pattern.segments.front();
    const std::string folder = finder_.module_folder(request_.environment.modulepath, module);
    if (folder.empty()) return fmt::format("module {} in {}", puppet::quote(module), fmt::join(request_.environment.modulepath, ":"));
    return "file " + file(folder + "/bindings", 1);
  }

  [[nodiscard]] std::vector<std::string> confdir_folders() const {
    std::vector<std::string> folders{request_.environment.bindingsdir};
    std::string shared = joined(request_.environment.confdir, "bindings");
    if (shared != folders.front()) folders.push_back(std::move(shared));
    return folders;
  }

  struct Expansion {
    std::string name;  ///< Among the sets.
    std::shared_ptr<const DocumentSet> set;
  };

  /// The documents that an URI of a file scheme stands for.
  Expansion expand(const std::string& layer, const Uri& uri) {
    const NamePattern pattern = pattern_of(phase_.session.sources(), layer, uri);
    const bool of_modules = uri.scheme != "confdir";
    const std::vector<std::string> folders = of_modules ? request_.environment.modulepath : confdir_folders();
    Expansion out{.name = fmt::format("{}\n{}\n{}", uri.scheme, pattern.text(), fmt::join(folders, "\n")), .set = nullptr};
    out.set = sets_->find(out.name);
    if (out.set) {
      finder_.count(out.set->seen);
      return out;
    }
    const std::size_t seen = finder_.seen();
    std::vector<FoundDocument> found;
    if (of_modules) {
      expand_modules(pattern, found);
    } else {
      for (const std::string& folder : folders) finder_.find(folder, pattern, 0, {}, found);
    }
    // The files of the environment come first: they win.
    std::ranges::stable_sort(found, {}, &FoundDocument::name);
    const auto same = [](const FoundDocument& left, const FoundDocument& right) { return left.name == right.name; };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    out.set = std::make_shared<const DocumentSet>(std::move(found), finder_.seen() - seen);
    sets_->set(out.name, out.set);
    return out;
  }

  void expand_modules(const NamePattern& pattern, std::vector<FoundDocument>& found) {
    const std::vector<std::string>& modulepath = request_.environment.modulepath;
    const std::string& first = pattern.segments.front();
    const auto find_in = [&](const std::string& module, std::size_t from) {
      const std::string folder = finder_.module_folder(modulepath, module);
      if (!folder.empty()) finder_.find(folder + "/bindings", pattern, from, module + "::", found);
    };
    if (!first.starts_with('*')) return find_in(first, 1);
    for (const std::string& module : finder_.modules(modulepath)) {
      if (first == "*") {
        find_in(module, 1);
        continue;
      }
      // `**` stands for the module and any number of names behind it, or for nothing: then the module is what comes next.
      find_in(module, 0);
      const bool fits = pattern.segments.size() > 2 && (pattern.segments[1].starts_with('*') || pattern.segments[1] == module);
      if (fits) find_in(module, 2);
    }
  }

  SchemeProvider* provider(const std::string& layer, const Uri& uri) const {
    SchemeProvider* found = providers_ ? providers_(uri.scheme) : nullptr;
    if (found != nullptr) return found;
    throw Error("layer.scheme", fmt::format("layer {}: unknown scheme '{}' of the URI {}", puppet::quote(layer), uri.scheme, puppet::quote(uri.text)))
        .at(phase_.session.sources(), uri.origin)
        .hint("the schemes are confdir:, module:, enc:, hiera: and those that extensions provide");
  }

  void ask(const LayerDeclaration& declared, const Uri& first, Layer& layer) {
    SchemeProvider* asked = provider(declared.name, first);
    LayerRequest wanted{.layer = declared.name, .include = {}, .exclude = {}, .origin = first.origin, .request = request_};
    for (const Uri& uri : declared.include) {
      if (uri.scheme == first.scheme) wanted.include.push_back(uri);
    }
    for (const Uri& uri : declared.exclude) {
      if (uri.scheme == first.scheme) wanted.exclude.push_back(uri);
    }
    for (LayerItem& item : asked->items(wanted)) layer.items.push_back(std::move(item));
  }

  const Phase& phase_;
  const Request& request_;
  const SchemeProviders& providers_;
  DocumentFinder finder_;
  std::shared_ptr<DocumentSets> sets_;
  Problems problems_;
};

}  // namespace

std::vector<Layer> load_layers(const Phase& phase, const std::vector<LayerDeclaration>& declared, const Request& request,
                               const SchemeProviders& providers) {
  return Loading(phase, request, providers).load(declared);
}

}  // namespace strata::bindings
