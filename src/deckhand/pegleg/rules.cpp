// SPDX-License-Identifier: Apache-2.0
// Pegleg's lint rules. They look at files and documents as they are written, before any wrapper is taken off; only P004
// looks into wrappers. Pegleg's other rules (P003, P005, P007) are what rendering reports itself.
// Tested by tests/deckhand/pegleg_test.cpp and tests/cli/pegleg_test.py.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "deckhand/pegleg/definition.hpp"
#include "deckhand/pegleg/managed.hpp"
#include "strata/pegleg.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "value/seeded_hash.hpp"

namespace strata::deckhand {
namespace {

/// Types of documents whose data must be encrypted.
constexpr std::array<std::string_view, 4> kEncryptedTypes{"deckhand/CertificateAuthorityKey/v1",
                                                          "deckhand/CertificateKey/v1", "deckhand/Passphrase/v1",
                                                          "deckhand/PrivateKey/v1"};

const Value* linted_member(const Value* of, std::string_view name) {
  return of == nullptr || !of->is_mapping() ? nullptr : of->find(name);
}

std::string_view linted_text(const Value* value) {
  return value != nullptr && value->is_text() ? value->text() : std::string_view();
}

/// Whether a path from the repository has a folder of this name.
bool has_folder(std::string_view below, std::string_view name) {
  for (std::size_t slash = below.find('/'); slash != std::string_view::npos; slash = below.find('/')) {
    if (below.substr(0, slash) == name) return true;
    below.remove_prefix(slash + 1);
  }
  return false;
}

class Linter {
 public:
  Linter(Sources& sources, const Limits& limits) : sources_(sources), limits_(limits) {}

  void read(LintedFile file) {
    check_stop(limits_.stop);
    if (!file.below.empty()) check_head(file);
    const SourceId source = sources_.add(file.stream.name, std::move(file.stream.text));
    try {
      for (const text::Document& document : text::read_yaml_stream(sources_, source, text::pyyaml_json(), limits_)) {
        check(file, document.root);
      }
    } catch (const Error& error) {
      if (error.ends_request()) throw;
    }
  }

  std::vector<LintFinding> take() { return std::move(findings_); }

 private:
  void check_head(const LintedFile& file) {
    const std::string_view text = file.stream.text;
    if (text.starts_with("---\n") || text.starts_with("---\r\n")) return;
    findings_.push_back({.rule = "P006",
                         .file = file.stream.name,
                         .where = excerpt_of_file(file.stream.name),
                         .message = "the file does not begin with '---'",
                         .hint = "make '---' its first line"});
  }

  /// The documents that Pegleg collects.
  static bool is_collected(const Value& root) {
    if (!root.is_mapping()) return false;
    const std::string_view schema = linted_text(root.find("schema"));
    if (schema.find("SiteDefinition") != std::string_view::npos) return false;
    const std::string_view form = linted_text(linted_member(root.find("metadata"), "schema"));
    return form.starts_with("metadata/Control") || form.starts_with("metadata/Document") || is_managed(root);
  }

  void check(const LintedFile& file, const Value& root) {
    if (!is_collected(root)) return;
    const std::string_view schema = linted_text(root.find("schema"));
    const Value* metadata = root.find("metadata");
    const std::string title =
        fmt::format("{} {}", schema, linted_text(linted_member(metadata, "name"))).substr(0, kShownTitle);
    if (!file.below.empty()) check_layer(file, root, title);
    if (std::ranges::find(kEncryptedTypes, schema) != kEncryptedTypes.end()) check_secret(file, root, title);
    const Managed managed = is_managed(root) ? unwrap(root) : Managed{.document = root};
    check_schema(file, managed.document ? managed.document : root);
  }

  void check_layer(const LintedFile& file, const Value& root, const std::string& title) {
    const Value* layer = linted_member(linted_member(root.find("metadata"), "layeringDefinition"), "layer");
    if (layer == nullptr || layer->is_null()) return;
    const std::string_view folder = std::string_view(file.below).substr(0, file.below.find('/'));
    if (linted_text(layer) == folder) return;
    const std::string shown = layer->is_text() ? fmt::format("'{}'", layer->text().substr(0, kShownTitle))
                                               : std::string(describe(layer->kind()));
    add("P008", file, *layer, fmt::format("{}: its layer is {}, and its file lies in '{}'", title, shown, folder),
        "move the file, or correct the layer");
  }

  void check_secret(const LintedFile& file, const Value& root, const std::string& title) {
    const Value* policy = linted_member(root.find("metadata"), "storagePolicy");
    if (linted_text(policy) != "encrypted") {
      add("P001", file, policy != nullptr ? *policy : root,
          fmt::format("{}: it is a secret, and its storagePolicy is not 'encrypted'", title),
          "storagePolicy: encrypted");
    }
    if (!file.below.empty() && !has_folder(file.below, "secrets")) {
      add("P009", file, root, fmt::format("{}: it is a secret, and its file is in no folder 'secrets'", title),
          "move the file into a folder 'secrets'");
    }
  }

  void check_schema(const LintedFile& file, const Value& document) {
    if (linted_text(document.find("schema")) != "deckhand/DataSchema/v1") return;
    const Value* name = linted_member(document.find("metadata"), "name");
    if (name == nullptr || !name->is_text()) return;
    if (schemas_.emplace(std::string(name->text())).second) return;
    add("P004", file, *name, fmt::format("there is a DataSchema '{}' already", name->text().substr(0, kShownTitle)),
        "keep one of them");
  }

  void add(std::string_view rule, const LintedFile& file, const Value& at, std::string message, std::string hint) {
    // Other documents of the line may be secret.
    Excerpt where = excerpt_at(sources_, at.origin());
    where.line.clear();
    findings_.push_back({.rule = rule,
                         .file = file.stream.name,
                         .where = std::move(where),
                         .message = std::move(message),
                         .hint = std::move(hint)});
  }

  static constexpr std::size_t kShownTitle = 300;

  Sources& sources_;
  const Limits& limits_;
  TextSet schemas_;  ///< The names of DataSchemas.
  std::vector<LintFinding> findings_;
};

}  // namespace

std::vector<LintFinding> lint(std::vector<LintedFile> files, Sources& sources, const Limits& limits) {
  Linter linter(sources, limits);
  for (LintedFile& file : files) linter.read(std::move(file));
  return linter.take();
}

std::vector<LintFinding> lint_sites(const std::string& repository, const FileTree& tree, Sources& sources,
                                    const Limits& limits) {
  std::vector<LintFinding> out;
  for (const std::string& site : site_folders(repository, tree)) {
    check_stop(limits.stop);
    const std::string path = definition_path(repository, site);
    auto text = tree.kind(path) == FileKind::file ? tree.read(path) : std::nullopt;
    if (!text) {
      out.push_back({.rule = "P010",
                     .file = path,
                     .where = excerpt_of_file(path),
                     .message = fmt::format("the folder of the site '{}' has no site-definition.yaml", site),
                     .hint = "add the file, or move the folder out of 'site'"});
      continue;
    }
    const SourceId source = sources.add(path, std::move(*text));
    std::vector<DefinitionProblem> problems;
    try {
      (void)read_definition(sources, source, limits, problems);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      problems.push_back({.origin = sources.at(source, 0), .message = "the file is not valid YAML", .hint = {}});
    }
    for (DefinitionProblem& one : problems) {
      out.push_back({.rule = "P011",
                     .file = path,
                     .where = one.origin ? excerpt_at(sources, one.origin) : excerpt_of_file(path),
                     .message = std::move(one.message),
                     .hint = std::move(one.hint)});
    }
  }
  return out;
}

}  // namespace strata::deckhand
