// SPDX-License-Identifier: Apache-2.0
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

/// Documents that an URI of a file scheme stands for.
struct Expansion {
  std::string name;  ///< Among the sets. Empty: it is not one of them.
  std::shared_ptr<const DocumentSet> set;
};

/// Names of documents that a layer has, or excludes. Most layers have one list of them, which is looked at as it is.
class TakenNames {
 public:
  void add(const std::string& scheme, const Expansion& taken) {
    constexpr std::size_t kMostLists = 4;
    if (lists_.size() < kMostLists) {
      lists_.push_back({scheme, taken.name, taken.set->found});
      return;
    }
    for (const FoundDocument& one : taken.set->found->all) others_.insert(scheme + one.name);
  }

  /// Documents of `all` that are not taken.
  [[nodiscard]] Expansion remove_from(const Expansion& all, const std::string& scheme, DocumentSets& sets) const {
    if (others_.empty() && std::ranges::none_of(lists_, [&](const List& list) { return list.scheme == scheme; }))
      return all;
    Expansion out;
    if (others_.empty()) {
      out.name = all.name;
      for (const List& list : lists_) {
        if (list.scheme == scheme) out.name.append("\nwithout ").append(list.name);
      }
      out.set = sets.find(out.name);
      if (out.set != nullptr) return out;
    }
    std::vector<std::size_t> places;
    const std::vector<FoundDocument>& found = all.set->found->all;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!contains(scheme, found[i].name)) places.push_back(i);
    }
    out.set = std::make_shared<const DocumentSet>(*all.set, places);
    if (!out.name.empty()) sets.set(out.name, out.set);
    return out;
  }

 private:
  struct List {
    std::string scheme;
    std::string name;
    std::shared_ptr<const FoundDocuments> found;
  };
  [[nodiscard]] bool contains(const std::string& scheme, const std::string& name) const {
    const auto has = [&](const List& list) {
      return list.scheme == scheme && std::ranges::binary_search(list.found->all, name, {}, &FoundDocument::name);
    };
    return std::ranges::any_of(lists_, has) || (!others_.empty() && others_.contains(scheme + name));
  }

  std::vector<List> lists_;
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
    Layer layer{.name = declared.name, .origin = declared.origin, .parts = {}};
    TakenNames taken;
    EncPart no_enc = EncPart::none;
    for (const Uri& uri : declared.exclude) {
      problems_.guard([&] {
        if (uri.scheme == "enc") {
          no_enc = no_enc | enc_part_of(phase_.session.sources(), declared.name, uri);
        } else if (is_file_scheme(uri)) {
          taken.add(uri.scheme, expand(declared.name, uri));
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
          if (enc == EncPart::none) enc_place = layer.parts.size();
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
      layer.parts.insert(layer.parts.begin() + static_cast<std::ptrdiff_t>(enc_place),
                         LayerPart::of({enc_document(*phase_.enc, wanted)}));
    }
    return layer;
  }

  [[nodiscard]] static bool is_file_scheme(const Uri& uri) { return uri.scheme == "confdir" || uri.scheme == "module"; }

  void add_documents(const std::string& layer_name, const Uri& uri, TakenNames& taken, Layer& layer) {
    const Expansion all = expand(layer_name, uri);
    Expansion wanted = taken.remove_from(all, uri.scheme, *sets_);
    DocumentSet::Changes read;
    for (const std::size_t place : wanted.set->missing) {
      problems_.guard([&] { read.emplace_back(place, load_document(wanted.set->found->all[place], phase_.session)); });
    }
    if (!read.empty()) {
      wanted.set = std::make_shared<const DocumentSet>(*wanted.set, std::move(read));
      if (!wanted.name.empty()) sets_->set(wanted.name, wanted.set);
    }
    phase_.session.keep(wanted.set);
    if (wanted.set->documents->size() != 0)
      layer.parts.push_back({.documents = wanted.set->documents, .source = nullptr});
    taken.add(uri.scheme, all);
    if (!all.set->found->all.empty() || uri.is_optional) return;
    const NamePattern pattern = pattern_of(phase_.session.sources(), layer_name, uri);
    if (pattern.has_wildcard()) return;
    throw Error("layer.missing",
                fmt::format("layer {}: cannot load bindings {}: expected the {}", puppet::quote(layer_name),
                            puppet::quote(uri.text), looked_for(uri, pattern)))
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
      return fmt::format("file {}", fmt::join(paths, " or "));
    }
    const std::string& module = pattern.segments.front();
    const std::string folder = finder_.module_folder(request_.environment.modulepath, module);
    if (folder.empty())
      return fmt::format("module {} in {}", puppet::quote(module), fmt::join(request_.environment.modulepath, ":"));
    return "file " + file(folder + "/bindings", 1);
  }

  [[nodiscard]] std::vector<std::string> confdir_folders() const {
    std::vector<std::string> folders{request_.environment.bindingsdir};
    std::string shared = joined(request_.environment.confdir, "bindings");
    if (shared != folders.front()) folders.push_back(std::move(shared));
    return folders;
  }

  /// The documents that an URI of a file scheme stands for.
  Expansion expand(const std::string& layer, const Uri& uri) {
    const NamePattern pattern = pattern_of(phase_.session.sources(), layer, uri);
    const bool of_modules = uri.scheme != "confdir";
    const std::vector<std::string> folders = of_modules ? request_.environment.modulepath : confdir_folders();
    Expansion out{.name = fmt::format("{}\n{}\n{}", uri.scheme, pattern.text(), fmt::join(folders, "\n")),
                  .set = nullptr};
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
      // `**` stands for the module and any number of names behind it, or for nothing: then the module is what comes
      // next.
      find_in(module, 0);
      const bool fits =
          pattern.segments.size() > 2 && (pattern.segments[1].starts_with('*') || pattern.segments[1] == module);
      if (fits) find_in(module, 2);
    }
  }

  SchemeProvider* provider(const std::string& layer, const Uri& uri) const {
    SchemeProvider* found = providers_ ? providers_(uri.scheme) : nullptr;
    if (found != nullptr) return found;
    throw Error("layer.scheme", fmt::format("layer {}: unknown scheme '{}' of the URI {}", puppet::quote(layer),
                                            uri.scheme, puppet::quote(uri.written)))
        .at(phase_.session.sources(), uri.origin)
        .hint("the schemes are confdir:, module:, enc:, hiera: and those that extensions provide");
  }

  void ask(const LayerDeclaration& declared, const Uri& first, Layer& layer) {
    SchemeProvider* asked = provider(declared.name, first);
    LayerRequest wanted{
        .layer = declared.name, .include = {}, .exclude = {}, .origin = first.origin, .request = request_};
    for (const Uri& uri : declared.include) {
      if (uri.scheme == first.scheme) wanted.include.push_back(uri);
    }
    for (const Uri& uri : declared.exclude) {
      if (uri.scheme == first.scheme) wanted.exclude.push_back(uri);
    }
    std::vector<std::shared_ptr<const Document>> documents;
    const auto end_list = [&] {
      if (!documents.empty()) layer.parts.push_back(LayerPart::of(std::exchange(documents, {})));
    };
    for (LayerItem& item : asked->items(wanted)) {
      if (item.document != nullptr) {
        documents.push_back(std::move(item.document));
      } else {
        end_list();
        layer.parts.push_back({.documents = nullptr, .source = std::move(item.source)});
      }
    }
    end_list();
  }

  const Phase& phase_;
  const Request& request_;
  const SchemeProviders& providers_;
  DocumentFinder finder_;
  std::shared_ptr<DocumentSets> sets_;
  Problems problems_;
};

}  // namespace

std::vector<Layer> load_layers(const Phase& phase, const std::vector<LayerDeclaration>& declared,
                               const Request& request, const SchemeProviders& providers) {
  return Loading(phase, request, providers).load(declared);
}

}  // namespace strata::bindings
