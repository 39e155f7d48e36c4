// SPDX-License-Identifier: Apache-2.0
#include "base_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "parts/python_text.hpp"
#include "strata/found_file.hpp"
#include "strata/stop.hpp"
#include "template_header.hpp"

namespace strata::cloudinit {
namespace {

using merge::Traced;

/// Reads the files of one `--base`.
class BaseReader {
 public:
  BaseReader(Documents& documents, InstanceData& instance_data, DroppedLists& dropped)
      : documents_(documents), session_(documents.session()), instance_data_(instance_data), dropped_(dropped) {}

  Traced read_file_with_folder(const std::string& path) {
    bool is_missing = false;
    const LayerDocument file = read_layer(documents_, path, [&] {
      const Found found = find(path);
      is_missing = found.is_missing;
      return found.source ? read_text(*found.source, path) : Traced();
    });
    const std::string folder = folder_of(path + ".d", file.document.value);
    if (is_missing) warn_of_missing(path, folder);
    return with_folder(file, folder);
  }

  /// Standard input has no folder beside it.
  Traced read_input(const std::string& bytes) {
    const std::string name = "<stdin>";
    const LayerDocument file =
        read_layer(documents_, name, [&] { return read_text(session_.sources().add(name, bytes), name); });
    return with_folder(file, folder_of({}, file.document.value));
  }

  Traced read_folder(const std::string& folder) {
    std::vector<std::string> names = session_.tree().list(folder);
    std::ranges::sort(names, std::greater{});  // later names are stronger
    std::vector<LayerDocument> layers;
    for (const std::string& name : names) {
      const std::string path = path_in(folder, name);
      if (name.ends_with(".cfg") && session_.tree().kind(path) == FileKind::file)
        layers.push_back(read_layer(documents_, path, [&] { return read_fragment(path); }));
    }
    return join_layers(documents_, layers, session_.recorder(), &dropped_);
  }

 private:
  /// A file's text, where there is one that may be read.
  struct Found {
    std::optional<SourceId> source = {};
    bool is_missing = false;
  };

  /// The folder's files lie over the file. `folder`: empty if there is none.
  Traced with_folder(const LayerDocument& file, const std::string& folder) {
    std::vector<LayerDocument> layers;
    if (!folder.empty()) layers.push_back(read_layer(documents_, folder, [&] { return read_folder(folder); }));
    layers.push_back(file);
    return join_layers(documents_, layers, session_.recorder(), &dropped_);
  }

  /// The folder of fragments: what `conf_d` names, else `usual`. Empty if there is none.
  [[nodiscard]] std::string folder_of(const std::string& usual, const Value& file) const {
    const Value* named = file.is_mapping() ? file.find("conf_d") : nullptr;
    const std::string folder = named == nullptr ? usual : named_folder(*named);
    return !folder.empty() && session_.tree().kind(folder) == FileKind::folder ? folder : std::string();
  }

  [[nodiscard]] std::string named_folder(const Value& value) const {
    const bool is_falsy = value.is_null() || (value.kind() == Kind::boolean && !value.as_boolean()) ||
                          (value.is_container() && value.size() == 0) || merge::shape_of(value) == merge::Shape::zero;
    if (is_falsy) return {};
    if (!value.is_text()) {
      throw Error("base.conf-d", fmt::format("'conf_d' must name a folder, not {}", describe(value.kind())))
          .at(session_.sources(), value.origin());
    }
    return std::string(trim(value.text()));
  }

  /// A file that may not be read is left out with a warning, as the reference does.
  Found find(const std::string& path) {
    check_stop(session_.limits().stop);
    try {
      // The text goes to the session: the Snapshot need not hold it too.
      auto bytes = session_.snapshot().tree_below().read(path);
      if (!bytes) return {.is_missing = true};
      return {.source = session_.sources().add(path, std::move(*bytes))};
    } catch (const Error& error) {
      if (error.code() != "tree.unreadable") throw;
      Diagnostic diagnostic = error.diagnostic();
      diagnostic.code = "base.unreadable";
      diagnostic.message += ": the base file counts as empty";
      session_.diagnostics().warn(std::move(diagnostic));
      return {};
    }
  }

  Traced read_fragment(const std::string& path) {
    const Found found = find(path);
    return found.source ? read_text(*found.source, path) : Traced();
  }

  /// The reference takes a missing file without a word. `folder`: what is used of the base all the same; empty if
  /// nothing is.
  void warn_of_missing(const std::string& path, const std::string& folder) {
    Diagnostic diagnostic{.code = "base.missing", .message = {}, .where = {}, .notes = {}, .hint = {}};
    diagnostic.message = folder.empty() ? "there is no such file or folder: the base counts as empty"
                                        : fmt::format("there is no such file: only {} is read", folder);
    diagnostic.where.place.file = path;
    session_.diagnostics().warn(std::move(diagnostic));
  }

  /// A malformed file is empty, with a warning. Bytes that are not UTF-8 are fatal.
  Traced read_text(SourceId source, const std::string& path) {
    if (const std::size_t bad = text::find_invalid_utf8(session_.sources().text(source));
        bad != std::string_view::npos) {
      throw Error("base.encoding", fmt::format("the base file {} is not UTF-8", path))
          .at(session_.sources(), session_.sources().at(source, bad))
          .hint("save the file as UTF-8");
    }
    try {
      if (!render_if_template(source, path)) return {};
      const text::Document document = documents_.read_mapping(source);
      documents_.count(document.nodes);
      documents_.warn_of_repeated_keys(document, fmt::format("base file {}", path));
      return {document.root, session_.recorder().add_layer(path)};
    } catch (const Error& error) {
      if (error.gives_up() || error.category() == Category::configuration) throw;
      if (error.category() != Category::not_found) skip(error, path, source);
      return {};
    }
  }

  /// Replaces `source` by its rendering where it is a template; false where the rendering came to nothing.
  bool render_if_template(SourceId& source, const std::string& path) {
    if (!instance_data_.is_given()) return true;
    const auto header = template_header(session_.sources().text(source));
    if (!header || header->kind == "basic") return true;
    if (header->kind != "jinja") {
      throw Error("base.template", fmt::format("unknown template kind '{}'", header->kind))
          .at(session_.sources(), session_.sources().at(source, 0))
          .hint("write '## template: jinja'");
    }
    try {
      source = render_template(documents_, source, header->body, instance_data_);
      return !trim(session_.sources().text(source)).empty();
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      skip(error, path);
      // The reference reads a template that it cannot parse as it stands, and nothing of one that fails while it is
      // rendered.
      return error.code() == "jinja.syntax" || error.code() == "jinja.unsupported";
    }
  }

  void skip(const Error& error, const std::string& path, std::optional<SourceId> source = {}) {
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.message = fmt::format("base file {}: {}", path, diagnostic.message);
    if (source) {
      const std::string_view hint = template_hint(
          error, session_.sources().text(*source),
          instance_data_.is_given() ? "correct the template: the file is read as it is"
                                    : "give the instance data with --instance-data: without them, templates are not "
                                      "rendered here");
      if (!hint.empty()) diagnostic.hint = hint;
    }
    session_.diagnostics().warn(std::move(diagnostic));
  }

  Documents& documents_;
  Session& session_;
  InstanceData& instance_data_;
  DroppedLists& dropped_;
};

}  // namespace

Traced read_base(Documents& documents, const std::string& path, InstanceData& instance_data, DroppedLists& dropped) {
  BaseReader reader(documents, instance_data, dropped);
  if (const auto& input = documents.request().base_input; path == "-" && input) return reader.read_input(*input);
  return documents.session().tree().kind(path) == FileKind::folder ? reader.read_folder(path)
                                                                   : reader.read_file_with_folder(path);
}

}  // namespace strata::cloudinit
