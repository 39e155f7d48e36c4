// SPDX-License-Identifier: Apache-2.0
#include "service/api/trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

#include "analysis/secret_texts.hpp"
#include "service/api/answers.hpp"
#include "service/api/archive.hpp"
#include "service/api/form_data.hpp"
#include "service/api/pages.hpp"
#include "service/api/stored_nodes.hpp"
#include "service/api/values.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "service/names.hpp"
#include "service/sites/site_settings.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kFilesOfPage = 1000;

Value site_of(Arena& arena, const sites::Site& site) {
  MappingBuilder out(arena);
  out.insert("name", arena.text(site.form.name));
  out.insert("dialect", arena.text(site.form.dialect));
  out.insert("kind", arena.text(site.kind));
  out.insert("generation", Value::integer(site.generation));
  if (site.state && !site.state->commit().empty()) out.insert("commit", arena.text(site.state->commit()));
  if (site.failure) {
    MappingBuilder failure(arena);
    failure.insert("code", arena.text(site.failure->code));
    failure.insert("detail", arena.text(site.failure->message));
    const Place& place = site.failure->where.place;
    if (!place.file.empty()) failure.insert("file", arena.text(place.file));
    if (place.line) failure.insert("line", Value::integer(static_cast<std::int64_t>(*place.line)));
    out.insert("error", failure.finish());
  }
  return out.finish();
}

/// Error `request.body` for members that are not in `known`.
void check_members(const Value& body, std::string_view owner, std::initializer_list<std::string_view> known) {
  Fields(body, owner, {.code = "request.body"}).only(known);
}

std::string string_member(const Value& body, std::string_view name) {
  const Value* value = body.find(name);
  if (value == nullptr) return {};
  if (!value->is_text()) throw Error("request.body", fmt::format("'{}' is a text", name));
  return std::string(value->text());
}

/// Base64 as RFC 4648 has it, on one line or on several. No value: it is something else.
std::optional<std::string> from_base64(std::string text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::erase_if(text, [](char one) { return one == '\r' || one == '\n'; });
  const std::size_t end = std::min(text.find_first_not_of(kDigits), text.size());
  const std::string_view padding = std::string_view(text).substr(end);
  if (text.size() % 4 != 0 || padding.size() > 2 || padding.find_first_not_of('=') != std::string_view::npos)
    return std::nullopt;
  return text::decode_base64(text);
}

std::optional<std::string> changed_text(const Value& change) {
  const Value* gone = change.find("delete");
  const bool is_deleted = gone != nullptr && gone->kind() == Kind::boolean && gone->as_boolean();
  const int kinds =
      (is_deleted ? 1 : 0) + (change.find("text") != nullptr ? 1 : 0) + (change.find("base64") != nullptr ? 1 : 0);
  if (kinds > 1)
    throw Error("request.body",
                fmt::format("the change of '{}' says more than one thing to do", string_member(change, "path")));
  if (is_deleted) return std::nullopt;
  if (change.find("text") != nullptr) return string_member(change, "text");
  if (change.find("base64") == nullptr)
    throw Error("request.body", "a change has a 'text', a 'base64', or 'delete: true'");
  std::optional<std::string> bytes = from_base64(string_member(change, "base64"));
  if (!bytes)
    throw Error("request.body", fmt::format("the 'base64' of '{}' is not base64", string_member(change, "path")))
        .hint("RFC 4648, 4: with padding");
  return bytes;
}

/// Whether the body is data, and not an archive.
bool is_data(std::string_view content_type) {
  return same_name(media_type(content_type), "application/json") || is_yaml(content_type);
}

/// The bytes decide which archive it is: types have many names. Error (415) for a type that no archive has.
void check_archive_type(std::string_view content_type) {
  constexpr std::array<std::string_view, 13> kTypes{
      "",
      "application/gzip",
      "application/octet-stream",
      "application/tar",
      "application/tar+gzip",
      "application/x-compressed-tar",
      "application/x-gtar",
      "application/x-gzip",
      "application/x-tar",
      "application/x-www-form-urlencoded",  // What curl --data-binary says of all bodies.
      "application/x-zip",
      "application/x-zip-compressed",
      "application/zip"};
  const std::string_view type = media_type(content_type);
  if (std::ranges::any_of(kTypes, [type](std::string_view one) { return same_name(type, one); })) return;
  throw Error("request.type", fmt::format("a tree does not come as '{}'", type))
      .hint("application/x-tar, application/gzip, application/zip, multipart/form-data, application/json");
}

}  // namespace

sites::Files read_files(const Value& list) {
  if (!list.is_mapping()) throw Error("request.body", "'files' is an object of texts by path");
  sites::Files out;
  for (const Entry& entry : list.entries()) {
    if (!entry.value.is_text()) throw Error("request.body", "'files' is an object of texts by path");
    const std::string path(entry.key.text());
    sites::check_path(path);
    out.emplace(path, entry.value.text());
  }
  sites::check_folders(out);
  return out;
}

sites::Changes read_changes(const Value& list) {
  if (!list.is_sequence()) throw Error("request.body", "'changes' is a list");
  sites::Changes out;
  for (const Value& change : list.items()) {
    if (!change.is_mapping()) throw Error("request.body", "a change is an object");
    check_members(change, "a change", {"path", "text", "base64", "delete"});
    const std::string path = string_member(change, "path");
    sites::check_path(path);
    if (!out.emplace(path, changed_text(change)).second)
      throw Error("request.body", fmt::format("'{}' is changed twice", path));
  }
  return out;
}

Response list_projects(const Call& call) {
  Arena arena;
  std::vector<std::string> all;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* /*own*/) {
    all.clear();
    for (const store::Project& one : store::projects(transaction)) all.push_back(one.name);
  });
  std::erase_if(all, [&call](const std::string& one) { return !call.request.principal.reaches(one); });
  sort_once(all);
  const Page page = page_of(call);
  const bool has_more = cut(page, all);
  Response response = json_response(json_object(arena, {{"projects", json_list(arena, all)}}));
  if (has_more && !all.empty()) add_next(call, page, all.back(), response);
  return response;
}

Response list_sites(const Call& call, sites::Sites& sites) {
  Arena arena;
  SequenceBuilder list(arena);
  const std::vector<sites::Site> found = sites.list(call);  // By name.
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const sites::Site& one : found) names.push_back(one.form.name);
  const Page page = page_of(call);
  const bool has_more = cut(page, names);
  for (const sites::Site& one : found) {
    if (std::ranges::binary_search(names, one.form.name)) list.append(site_of(arena, one));
  }
  Response response = json_response(json_object(arena, {{"sites", list.finish()}}));
  if (has_more && !names.empty()) add_next(call, page, names.back(), response);
  return response;
}

Response show_site(const Call& call, sites::Sites& sites) {
  const sites::Site site = sites.find(call, call[0]);
  Arena arena;
  MappingBuilder out = MappingBuilder::copy_of(arena, site_of(arena, site));
  if (site.state) {
    out.insert("files", Value::integer(static_cast<std::int64_t>(sites::paths_of(site.state->tree()).size())));
    out.insert("nodes", Value::integer(static_cast<std::int64_t>(all_nodes(call, call[0], *site.state).size())));
    out.insert("subject", arena.text(site.state->question().wording().subject));
  }
  Response response = json_response(out.finish());
  response.headers.set("ETag", description_tag(site.tag(), response.body));
  return response;
}

Response put_site(const Call& call, sites::Sites& sites) {
  sites::check_site_name(call[0]);
  const JsonBody json = read_data_body(call);
  const FieldErrors errors{.code = "request.body", .sources = json.sources.get()};
  return sites.put(call, sites::read_requested(call[0], json.root(), errors));
}

Response refresh_site(const Call& call, sites::Sites& sites) {
  sites.refresh(call, call[0]);
  return show_site(call, sites);
}

namespace {

/// A body with nothing in it is a mistake of who made it, and would delete all files.
Error no_files(std::string_view what) {
  return Error("request.archive", fmt::format("the {} has no files", what))
      .hint("{\"files\": {}} as application/json deletes all files of a site");
}

}  // namespace

Response put_tree(const Call& call, sites::Sites& sites) {
  sites::check_site_name(call[0]);
  sites::Files files;
  std::string message =
      call.request.query.find("message") == nullptr ? std::string() : *call.request.query.find("message");
  const std::string_view type = call.request.headers.get("Content-Type");
  if (is_data(type)) {
    const JsonBody json = read_data_body(call);
    const Value* list = json.root().is_mapping() ? json.root().find("files") : nullptr;
    if (list == nullptr) throw Error("request.body", "the body is an object with 'files', an object of texts by path");
    check_members(json.root(), "the body", {"files", "message"});
    files = read_files(*list);
    if (json.root().find("message") != nullptr) message = string_member(json.root(), "message");
  } else if (is_form_data(type)) {
    for (const FormPart& part : read_form_data(type, call.request.body)) {
      if (!part.is_file && part.name == "message") {
        message = part.content;
        continue;
      }
      if (part.is_file && part.file.empty() && part.content.empty()) continue;  // In a browser no file was chosen.
      // A client that knows no folders in names of files sends them as the names of fields.
      const std::string& path = part.file.empty() || part.name.ends_with('/' + part.file) ? part.name : part.file;
      sites::check_path(path);
      if (!files.emplace(path, part.content).second)
        throw Error("request.body", fmt::format("the form has '{}' twice", path));
    }
    if (files.empty()) throw no_files("form");
  } else {
    check_archive_type(type);
    files = read_archive(call.request.body);
    if (files.empty()) throw no_files("archive");
  }
  return sites.put_files(call, call[0], std::move(files), message);
}

Response patch_tree(const Call& call, sites::Sites& sites) {
  sites::check_site_name(call[0]);
  const JsonBody json = read_data_body(call);
  const Value* list = json.root().is_mapping() ? json.root().find("changes") : nullptr;
  if (list == nullptr) throw Error("request.body", "the body is an object with 'changes'");
  check_members(json.root(), "the body", {"changes", "message"});
  return sites.change_files(call, call[0], read_changes(*list), string_member(json.root(), "message"));
}

namespace {

/// The files of which the pages before were a part, if they are still kept; else the present ones.
sites::Tree tree_of_page(const Call& call, sites::Sites& sites, const Page& page) {
  const std::string* generation = call.request.query.find("generation");
  if (generation != nullptr || page.snapshot == 0)
    return sites.tree(call, call[0], generation == nullptr ? std::string() : *generation);
  try {
    return sites.tree(call, call[0], std::to_string(page.snapshot));
  } catch (const Error& error) {
    if (std::string_view(error.code()) != "site.no-generation") throw;
    return sites.tree(call, call[0], {});
  }
}

}  // namespace

Response list_files(const Call& call, sites::Sites& sites) {
  Page page = page_of(call, kFilesOfPage);
  const sites::Tree tree = tree_of_page(call, sites, page);
  page.snapshot = tree.generation;
  const std::string* prefix = call.request.query.find("prefix");
  std::vector<std::string> paths = sites::paths_of(*tree.files);
  if (prefix != nullptr) std::erase_if(paths, [prefix](const std::string& path) { return !path.starts_with(*prefix); });
  std::ranges::sort(paths);
  const bool has_more = cut(page, paths);
  Arena arena;
  MappingBuilder out(arena);
  out.insert("files", json_list(arena, paths));
  out.insert("site", site_value(arena, call[0], tree));
  Response response = json_response(out.finish());
  if (has_more && !paths.empty()) add_next(call, page, paths.back(), response);
  return response;
}

Response show_file(const Call& call, sites::Sites& sites) {
  sites::check_path(call[1]);
  const bool is_clear = form_of(call).cleartext;
  const std::string* generation = call.request.query.find("generation");
  const sites::Tree tree = sites.tree(call, call[0], generation == nullptr ? std::string() : *generation);
  const auto no_file = [&call] {
    return Error("site.file", fmt::format("the file '{}' does not exist in '{}'", call[1], call[0]));
  };
  if (tree.files->kind("/" + call[1]) != FileKind::file) throw no_file();
  std::optional<std::string> text = tree.files->read("/" + call[1]);
  if (!text) throw no_file();
  const std::string shown = sites.secret_texts(call, call[0], tree)->shown("/" + call[1], *text);
  if (is_clear && shown != *text) {
    Response out = secret_response(call, *std::move(text));
    out.headers.set("Content-Type", "text/plain; charset=utf-8");
    return out;
  }
  Response out = tagged(call, entity_tag(shown), shown);
  if (out.status == 200) out.headers.set("Content-Type", "text/plain; charset=utf-8");
  return out;
}

namespace {

/// The files of a subject's levels, there or not, and then what else it reads, the strongest first. It was asked.
std::vector<analysis::ConfigurationFile> layers_of(analysis::SubjectFiles& files) {
  std::vector<analysis::ConfigurationFile> out = files.levels();
  std::set<std::string> known;
  for (const analysis::ConfigurationFile& file : out) known.insert(file.path);
  for (analysis::ConfigurationFile& file : files.read()) {
    if (!known.contains(file.path)) out.push_back(std::move(file));
  }
  return out;
}

}  // namespace

Response list_layers(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  const std::string* node = call.request.query.find("node");
  Arena arena;
  SequenceBuilder layers(arena);
  const std::string name =
      node == nullptr ? state->nodes().empty() ? std::string(sites::kOnly) : state->nodes().front() : *node;
  with_subject(*state, find_node(call, *state, name), analysis::Question::History::no, call.stop,
               [&](analysis::Subject& subject) {
                 (void)subject.ask(std::nullopt);
                 for (const analysis::ConfigurationFile& file : layers_of(*subject.files())) {
                   const std::string_view path = file.path;
                   const bool is_present = state->tree().kind(path) == FileKind::file;
                   MappingBuilder layer(arena);
                   // Who sees the files knows the names of those that are there.
                   layer.insert("file", arena.text(file.has_secret_name && !is_present
                                                       ? report::kMask
                                                       : path.substr(path.starts_with('/') ? 1 : 0)));
                   layer.insert("present", Value::boolean(is_present));
                   layers.append(layer.finish());
                 }
               });
  MappingBuilder out(arena);
  out.insert("node", arena.text(name));
  out.insert("layers", layers.finish());
  out.insert("site", site_value(arena, call[0], *state));
  return json_response(out.finish());
}

}  // namespace strata::service::api
