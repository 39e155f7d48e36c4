// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/secret_texts.hpp"
#include "service/core.hpp"
#include "service/entity_tags.hpp"
#include "service/json.hpp"
#include "service/sites/site_settings.hpp"
#include "service/sites/sites.hpp"
#include "store/records.hpp"
#include "store/secret_blobs.hpp"
#include "store/store.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/git_place.hpp"

namespace strata::service::sites {
namespace {

constexpr std::int64_t kFileMode = 0644;

Error unknown_site(const std::string& name) { return Error("site.unknown", fmt::format("unknown site '{}'", name)); }

Response site_response(const Site& site, unsigned status) {
  Arena arena;
  MappingBuilder out(arena);
  out.insert("name", arena.text(site.form.name));
  out.insert("dialect", arena.text(site.form.dialect));
  out.insert("kind", arena.text(site.kind));
  out.insert("generation", Value::integer(site.generation));
  Response response = json_response(out.finish(), status);
  response.headers.set("ETag", site.tag());
  return response;
}

/// A site of the store as its writer sees it.
Site shown(const store::Site& row, const std::shared_ptr<const SiteState>& present) {
  Site out{.form = {.name = row.name, .dialect = row.dialect, .options = row.options},
           .kind = row.kind,
           .generation = row.generation};
  out.settings_tag = settings_tag(row);
  if (present != nullptr && row.kind == "git") {
    out.state = present;
    out.generation = present->generation();
  }
  return out;
}

/// Members that no question of the dialect has are refused before they are stored. Other errors depend on the
/// files.
void check_question(const SiteForm& form, const SiteState::Ground& ground) {
  if (form.options.empty()) return;
  try {
    (void)SiteState(form, 0, {}, std::shared_ptr<const FileTree>(memory_tree({})), ground);
  } catch (const Error& error) {
    const std::string_view code = error.code();
    if (code == "workspace.key" || code == "workspace.value" || code == "regex.syntax") throw;
  }
}

}  // namespace

/// A repository must be one that the service may read for the project, and have the reference.
void Sites::check_repository(const Call& call, const SiteSettings& settings) const {
  const auto forbidden = [&settings](std::string_view why) {
    return Error("service.forbidden",
                 fmt::format("the service reads no repository at '{}' for clients{}", settings.path, why))
        .hint("'repositories' of its configuration names the folders where they may be");
  };
  const bool is_of_machine = call.request.principal.project.empty() || call.request.principal.is_everywhere;
  if (repositories_.empty() && !is_of_machine) throw forbidden("");
  try {
    (void)revision_id(settings.ref, GitPlace::closed(settings.path, repositories_));
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    if (error.code() == "git.outside") throw forbidden(fmt::format(": {}", error.what()));
    throw Error("site.repository",
                fmt::format("'{}' at '{}' cannot be read: {}", settings.ref, settings.path, error.what()));
  }
}

Response Sites::put(const Call& call, const SiteSettings& settings) {
  if (is_configured(call.project, settings.name)) {
    throw Error("site.fixed", fmt::format("the site '{}' is one of the configuration", settings.name));
  }
  const store::Site row = row_of(settings);
  const SiteForm form{.name = row.name, .dialect = row.dialect, .options = row.options, .project = call.project};
  check_question(form, ground_);
  if (row.source) check_repository(call, settings);
  // The present state of the repository is known once a request reads it.
  std::shared_ptr<const SiteState> present;
  {
    const std::scoped_lock lock(mutex_);
    if (const Kept kept = watched(call.project, row.name)) present = kept->site.state;
  }
  return core_.write(call, [&](Writing& writing) {
    const auto before = store::find_site(writing.transaction, writing.project, row.name);
    // Other rows are of a configuration, and keep nodes.
    const bool is_there = before && is_of_store(*before);
    if (before) present = before->kind == "git" ? present : nullptr;
    std::vector<std::string> tags;
    if (is_there) tags.push_back(shown(*before, present).tag());
    check_preconditions(call, tags, call.core.settings().requires_if_match);
    store::Site site = row;
    if (before) site.generation = before->generation;
    if (before == site) return site_response(shown(site, present), 200);
    store::put_site(writing.transaction, writing.project, site);
    writing.note("site", site.name, store::without_files(site.generation));
    return site_response(shown(site, nullptr), before ? 200 : 201);
  });
}

Response Sites::write_tree(
    const Call& call, const std::string& name, const std::string& message, unsigned status,
    const std::function<std::map<std::string, store::TreeFile>(
        store::Transaction&, const store::Project&, const std::map<std::string, store::TreeFile>&)>& change) {
  if (is_configured(call.project, name)) {
    throw Error("site.fixed", fmt::format("the files of the site '{}' are those of the configuration", name))
        .hint("change them where they are");
  }
  return core_.write(call, [&](Writing& writing) {
    const auto site = store::find_site(writing.transaction, writing.project, name);
    if (!site || !is_of_store(*site)) throw unknown_site(name);
    if (site->kind == "git") {
      throw Error("site.fixed", fmt::format("the files of the site '{}' are those of a repository", name))
          .hint("commit them there");
    }
    // Whoever changes files may be content that the files are as they were, whatever the settings are.
    const std::array<std::string, 2> tags{shown(*site, nullptr).tag(), fmt::format("\"{}\"", site->generation)};
    check_preconditions(call, tags, call.core.settings().requires_if_match, site->generation != 0);
    std::map<std::string, store::TreeFile> before;
    if (const auto tree = store::find_tree(writing.transaction, writing.project, name, site->generation)) {
      for (const store::TreeFile& file : tree->files) before.emplace(file.path, file);
    }
    const std::map<std::string, store::TreeFile> after = change(writing.transaction, writing.project, before);
    Site out = shown(*site, nullptr);
    if (after == before && site->generation != 0) return site_response(out, 200);
    check_folders(after);
    if (after.size() > kMostFiles) throw Error("site.large", fmt::format("a site has at most {} files", kMostFiles));
    store::SiteTree tree{.generation = site->generation, .author = call.request.principal.name, .message = message};
    for (const auto& [path, file] : after) tree.files.push_back(file);
    if (!store::add_tree(writing.transaction, writing.project, name, tree)) throw unknown_site(name);
    writing.note("site", name, tree.generation);
    out.generation = tree.generation;
    return site_response(out, status);
  });
}

std::shared_ptr<const store::Keyring> Sites::keys_for(const Call& call, const std::string& name,
                                                      const std::function<Files()>& written) {
  auto keys = core_.store().keys(false);
  if (!keys->empty()) return keys;
  const Site site = find(call, name);
  if (site.kind != kUpload) return keys;
  const Files files = written();
  // What these files say is secret, and what the site says already.
  const auto own = secret_texts_of(site.form, *memory_tree(files), ground_.limits);
  const auto hides = [&files](const analysis::SecretTexts& texts) {
    return texts.may_have_some() && std::ranges::any_of(files, [&texts](const auto& file) {
             return texts.shown('/' + file.first, file.second) != file.second;
           });
  };
  const bool is_needed = hides(*own) || (site.state != nullptr && hides(site.state->secret_texts()));
  return is_needed ? core_.store().keys(true) : keys;
}

Response Sites::put_files(const Call& call, const std::string& name, Files files, const std::string& message) {
  std::vector<std::string_view> texts;
  for (const auto& [path, text] : files) texts.push_back(text);
  const auto keys = keys_for(call, name, [&files] { return files; });
  return write_tree(call, name, message, 201,
                    [&](store::Transaction& transaction, const store::Project& project, const auto& /*before*/) {
                      const std::vector<store::BlobId> ids =
                          store::put_secret_blobs(transaction, *keys, project, texts);
                      std::map<std::string, store::TreeFile> out;
                      std::size_t at = 0;
                      for (const auto& [path, text] : files)
                        out.emplace(path, store::TreeFile{.path = path, .mode = kFileMode, .text = ids[at++]});
                      return out;
                    });
}

Response Sites::change_files(const Call& call, const std::string& name, const Changes& changes,
                             const std::string& message) {
  std::vector<std::string_view> texts;
  for (const auto& [path, text] : changes) {
    if (text) texts.push_back(*text);
  }
  const auto keys = keys_for(call, name, [&changes] {
    Files out;
    for (const auto& [path, text] : changes) {
      if (text) out.emplace(path, *text);
    }
    return out;
  });
  return write_tree(
      call, name, message, 200,
      [&](store::Transaction& transaction, const store::Project& project, const auto& before) {
        const std::vector<store::BlobId> ids = store::put_secret_blobs(transaction, *keys, project, texts);
        std::map<std::string, store::TreeFile> out = before;
        std::size_t at = 0;
        for (const auto& [path, text] : changes) {
          if (text) {
            out.insert_or_assign(path, store::TreeFile{.path = path, .mode = kFileMode, .text = ids[at++]});
          } else {
            out.erase(path);
          }
        }
        return out;
      });
}

}  // namespace strata::service::sites
