// SPDX-License-Identifier: Apache-2.0
// Adds the files to a request that the client of the service sends with it.
//
// The client reads the template first and each environment file after it. It follows every value that names a file
// (file_references.hpp), and what templates among those files name, and puts the deepest files first. The order counts:
// where two templates declare one parameter, the later file of the request decides. The walk keeps a stack of the
// templates that are open, and appends a file when all that it names is appended. Each URL is opened once, so that
// templates which name each other end the walk; the client fails on them.
//
// A file that cannot be read is not an error here, unlike in the client and in `bundle`: an environment can be composed
// without all of its tree, and tools make some files later. Each such file is a warning, and a finding of
// `check compose`. Errors in environments are left to `compose`, which knows the lines that must not be quoted.
//
// Cost: linear in the bytes of the files; analyses parse each template once (attached_template.hpp), because they
// compose hundreds of states that differ in few files. Limits::includes bounds their number, and the memory of names is
// counted. Tested by tests/heat/attachments_test.cpp and tests/cli/compose_files_test.py.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "heat/attached_files.hpp"
#include "heat/attached_template.hpp"
#include "heat/documents.hpp"
#include "heat/environment_file.hpp"
#include "heat/file_references.hpp"
#include "heat/registry.hpp"
#include "heat/template.hpp"
#include "heat/url.hpp"
#include "strata/heat.hpp"
#include "strata/kind_inside.hpp"
#include "strata/paths.hpp"
#include "strata/stop.hpp"
#include "value/charge.hpp"
#include "value/problems.hpp"
#include "value/seeded_hash.hpp"
#include "value/shown_url.hpp"

namespace strata::heat {
namespace {

using Reason = UnattachedFile::Reason;

/// No file has a longer name: a path has at most 4,096 bytes, each of which may be encoded by three.
constexpr std::size_t kLongestUrl = 16'384;

class Attacher {
 public:
  Attacher(Request& request, Session& session, std::string folder)
      : request_(request),
        session_(session),
        tree_(session.snapshot().tree_below()),
        limits_(session.limits()),
        folder_(std::move(folder)) {
    for (const NamedText& file : request.files) {
      const std::string url = url_of_path(file.name, folder_);
      known_.insert(local_path(url).value_or(url));
    }
  }

  void run() {
    if (request_.template_text) walk(named_by_template(*request_.template_text));
    const TextViewSet listed(request_.environment_files.begin(), request_.environment_files.end());
    for (const NamedText& file : request_.files) {
      if (listed.contains(file.name)) walk(named_by_environment(file.source, file.name));
    }
    if (request_.environment_files.empty() && request_.environment_body) {
      const SourceId body = *request_.environment_body;
      walk(named_by_environment(body, session_.sources().file(body)));
    }
    for (const NamedText& file : request_.files) {
      if (!listed.contains(file.name)) walk(named_by_template(file.source, file.name));
    }
    // The files that the caller gave come last: what they declare wins.
    request_.files.insert(request_.files.begin(), std::make_move_iterator(attached_.begin()),
                          std::make_move_iterator(attached_.end()));
    warn_of_missing();
    request_.unattached = std::move(unattached_);
  }

 private:
  /// A file whose own references are being followed.
  struct OpenFile {
    std::vector<FileReference> references;
    std::size_t next = 0;
    std::optional<NamedText> file;  ///< No value: it is not attached here.
  };

  void walk(std::vector<FileReference> references) {
    std::vector<OpenFile> open;
    open.push_back({.references = std::move(references), .next = 0, .file = {}});
    while (!open.empty()) {
      check_stop(limits_.stop);
      OpenFile& top = open.back();
      if (top.next == top.references.size()) {
        if (top.file) attached_.push_back(std::move(*top.file));
        open.pop_back();
        continue;
      }
      const FileReference one = std::move(top.references[top.next++]);
      std::optional<NamedText> file = opened(one);
      if (!file) continue;
      std::vector<FileReference> named =
          file->read ? file->read->references : named_by_template(file->source, file->name);
      open.push_back({.references = std::move(named), .next = 0, .file = std::move(file)});
    }
  }

  [[nodiscard]] std::vector<FileReference> named_by_template(SourceId source) {
    return named_by_template(source, session_.sources().file(source));
  }

  /// The files that a text names if it is a template. `name`: the path of its file.
  [[nodiscard]] std::vector<FileReference> named_by_template(SourceId source, const std::string& name) {
    const std::string_view text = session_.sources().text(source);
    // A character has up to four bytes. `compose` refuses what is too long.
    if (!may_be_template(text) || text.size() > 4 * kMaxTemplateSize) return {};
    return unless_wrong<std::vector<FileReference>>([&]() -> std::vector<FileReference> {
      const auto document =
          find_template(session_.sources(), {.name = name, .source = source, .document = nullptr}, limits_);
      if (!document) return {};
      return files_of_template(document->root, folder_of(url_of_path(name, folder_)), limits_.stop);
    });
  }

  [[nodiscard]] std::vector<FileReference> named_by_environment(SourceId source, const std::string& name) {
    if (!may_have_section(session_.sources().text(source), kResourceRegistry)) return {};
    return unless_wrong<std::vector<FileReference>>([&]() -> std::vector<FileReference> {
      const text::Document document = text::read_yaml(session_.sources(), source, text::heat(), limits_);
      const Value* registry = document.root.is_mapping() ? document.root.find(kResourceRegistry) : nullptr;
      if (registry == nullptr) return {};
      return files_of_registry(*registry, folder_of(url_of_path(name, folder_)), limits_.stop);
    });
  }

  template <class Result, class Work>
  static Result unless_wrong(const Work& work) {
    try {
      return work();
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return {};
    }
  }

  /// The absolute path of a URL. No value: it is not one of a local file.
  static std::optional<std::string> local_path(const std::string& url) {
    const Url parsed = parse_url(url);
    if (parsed.scheme != "file" || (!parsed.host.empty() && parsed.host != "localhost")) return std::nullopt;
    return absolute_path({}, path_of(parsed));
  }

  /// The file of a reference, unless it is attached already or cannot be.
  [[nodiscard]] std::optional<NamedText> opened(const FileReference& one) {
    const std::string url = referenced_url(one.base, one.name);
    if (url.size() > kLongestUrl) {
      add_unattached(one, {}, Reason::missing);
      return std::nullopt;
    }
    const std::optional<std::string> path = local_path(url);
    const std::string& place = path ? *path : url;
    detail::charge(limits_.stop, place.size());
    if (!known_.insert(place).second) {
      if (const auto failed = failed_.find(place); failed != failed_.end() && !one.origin.through_alias())
        add_unattached(one, url, failed->second);
      return std::nullopt;
    }
    std::string bytes;
    if (const std::optional<Reason> reason = path ? read(*path, bytes) : Reason::remote) {
      failed_.emplace(place, *reason);
      add_unattached(one, url, *reason);
      return std::nullopt;
    }
    if (++read_ > limits_.includes) {
      throw Error("limit.includes", fmt::format("templates and registries name more than {} files", limits_.includes))
          .hint("raise the limit with --limit includes=NUMBER");
    }
    std::shared_ptr<const AttachedTemplate> known;
    if (may_be_template(bytes) && bytes.size() <= 4 * kMaxTemplateSize)
      known = unless_wrong<std::shared_ptr<const AttachedTemplate>>([&] { return attached_template(*path, session_); });
    std::string name = shown_path(*path, folder_);
    const SourceId source = session_.sources().add(name, sent_text(std::move(bytes)));
    return NamedText{.name = std::move(name), .source = source, .read = std::move(known)};
  }

  /// Reads a file. No value: `bytes` has its contents. Devices, which have no end, are not read.
  [[nodiscard]] std::optional<Reason> read(const std::string& path, std::string& bytes) const {
    if (path.find('\0') != std::string::npos) return Reason::missing;
    try {
      const std::optional<FileKind> kind = kind_inside(tree_, path);
      if (!kind) return Reason::outside;
      if (*kind == FileKind::none) return is_generated(path) ? Reason::generated : Reason::missing;
      if (*kind != FileKind::file) return Reason::unreadable;
      auto text = tree_.read(path);
      if (!text) return Reason::missing;
      bytes = *std::move(text);
      return std::nullopt;
    } catch (const Error& error) {
      if (error.gives_up()) throw;
      return error.code() == "tree.outside" ? Reason::outside : Reason::unreadable;
    }
  }

  [[nodiscard]] bool is_file(const std::string& path) const { return kind_inside(tree_, path) == FileKind::file; }

  /// Whether a tool makes the file from a Jinja template beside it, as TripleO does.
  [[nodiscard]] bool is_generated(const std::string& path) const {
    const std::size_t dot = path.rfind('.');
    return is_file(path + ".j2") ||
           (dot != std::string::npos && is_file(path.substr(0, dot) + ".j2" + path.substr(dot)));
  }

  void add_unattached(const FileReference& one, const std::string& url, Reason reason) {
    detail::charge(limits_.stop, sizeof(UnattachedFile) + one.name.size() + one.pointer.size() + url.size());
    unattached_.push_back(
        {.reason = reason,
         .name = one.name,
         .url = url,
         .pointer = one.pointer,
         .origin = one.origin,
         .correction = reason == Reason::missing || reason == Reason::outside ? corrected(one) : std::string()});
  }

  /// A reference one folder higher or lower that leads to a file. Empty: neither does.
  [[nodiscard]] std::string corrected(const FileReference& one) const {
    constexpr std::string_view kUp = "../";
    if (one.name.size() > kLongestUrl || !is_template_name(one.name)) return {};
    std::vector<std::string> candidates{fmt::format("{}{}", kUp, one.name)};
    if (one.name.starts_with(kUp)) candidates.push_back(one.name.substr(kUp.size()));
    for (std::string& candidate : candidates) {
      const std::optional<std::string> path = local_path(referenced_url(one.base, candidate));
      if (path && path->find('\0') == std::string::npos && is_file(*path)) return std::move(candidate);
    }
    return {};
  }

  /// One warning for each file, however many values name it.
  void warn_of_missing() {
    TextViewSet warned;
    std::size_t more = 0;
    for (const UnattachedFile& one : unattached_) {
      if (!warned.insert(one.url.empty() ? std::string_view(one.name) : one.url).second) continue;
      if (warned.size() > Problems::kMost) {
        ++more;
        continue;
      }
      warn(session_, std::string(kCode), fmt::format("{}: the parameters that it declares do not count", problem(one)),
           one.origin, hint(one));
    }
    if (more == 0) return;
    session_.diagnostics().warn(std::string(kCode),
                                fmt::format("{} more files that templates and registries name are not attached", more));
  }

  /// Without passwords, and not longer than a message should be.
  static std::string shown_name(const UnattachedFile& one) {
    std::string name = one.reason == Reason::remote ? shown_url(one.name) : one.name;
    if (name.size() <= kLongestShown) return name;
    std::size_t size = kLongestShown;
    while (size > 0 && (static_cast<unsigned char>(name[size]) & 0xC0U) == 0x80U) --size;
    name.resize(size);
    return name + "…";
  }

  static std::string problem(const UnattachedFile& one) {
    const std::string name = shown_name(one);
    switch (one.reason) {
      case Reason::missing:
        return fmt::format("the file '{}' does not exist", name);
      case Reason::outside:
        return fmt::format("the file '{}' is outside of the folders that may be read here", name);
      case Reason::generated:
        return fmt::format("the file '{}' does not exist yet, a Jinja template beside it makes it", name);
      case Reason::remote:
        return fmt::format("'{}' is not a file of this machine, and is not fetched", name);
      case Reason::unreadable:
        break;
    }
    return fmt::format("'{}' is not a file that can be read", name);
  }

  static std::string hint(const UnattachedFile& one) {
    if (!one.correction.empty()) return fmt::format("did you mean '{}'?", one.correction);
    if (!one.pointer.empty() && !is_template_name(one.name) && one.reason != Reason::remote)
      return "in a registry, every value without '::' names a file";
    switch (one.reason) {
      case Reason::outside:
        return "--allow-files DIR lets files name what is in another folder";
      case Reason::generated:
        return "render the Jinja templates first";
      case Reason::remote:
        return "attach a copy with --file";
      case Reason::missing:
      case Reason::unreadable:
        break;
    }
    return "correct the name, or add the file";
  }

  static constexpr std::string_view kCode = "heat.unattached-file";
  static constexpr std::size_t kLongestShown = 200;

  Request& request_;
  Session& session_;
  const FileTree& tree_;
  const Limits& limits_;
  std::string folder_;
  TextSet known_;           ///< Paths, and URLs of no path, of files that are attached or were looked for.
  TextMap<Reason> failed_;  ///< Those of them that are not there.
  std::size_t read_ = 0;    ///< Files.
  std::vector<NamedText> attached_;
  std::vector<UnattachedFile> unattached_;
};

}  // namespace

void attach_files(Request& request, Session& session, const std::string& folder) {
  Attacher(request, session, folder).run();
}

std::set<std::string, std::less<>> files_without_values(const Request& request, const Sources& sources) {
  const TextViewSet environments(request.environment_files.begin(), request.environment_files.end());
  std::set<std::string, std::less<>> out;
  for (const NamedText& file : request.files) {
    if (!environments.contains(file.name) && file.read == nullptr && !may_be_template(sources.text(file.source)))
      out.insert(sources.file(file.source));
  }
  return out;
}

}  // namespace strata::heat
