// SPDX-License-Identifier: Apache-2.0
#include "service/sites/site_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <span>

#include "service/sites/state.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/secret_keys.hpp"
#include "strata/text.hpp"
#include "tree/sha256.hpp"

namespace strata::service::sites {
namespace {

constexpr std::string_view kEyamlKeys = "eyaml-keys";

SiteKeys read_keys(const Fields& fields) {
  constexpr std::array<std::string_view, 2> kKeys{"private", "public"};
  fields.only(kKeys);
  const auto path = [](const Value& value) {
    return std::filesystem::absolute(value.text()).lexically_normal().string();
  };
  SiteKeys out{.private_key = path(fields.needed_word("private"))};
  if (const Value* value = fields.word("public")) out.public_key = path(*value);
  return out;
}

/// Reports errors in options for the service with their place.
void check_options(const Fields& fields) {
  (void)fields.flag(kNodeSecrets);
  const Value* patterns = fields.texts(kSecretKeys, "a list of patterns");
  if (patterns == nullptr) return;
  for (const Value& one : patterns->items()) {
    try {
      (void)SecretKeys({std::string(one.text())});
    } catch (const Error& error) {
      fields.fail(fmt::format("'{}': {}", kSecretKeys, error.what()), one);
    }
  }
}

/// The members of a mapping that are not among these, as the text of options. Empty: there are none.
std::string others(Arena& arena, const Value& members, std::span<const std::string_view> own) {
  MappingBuilder out(arena);
  for (const Entry& one : members.entries()) {
    if (!one.key.is_text() || std::ranges::find(own, one.key.text()) == own.end()) out.insert(one.key, one.value);
  }
  return out.size() == 0 ? std::string() : text::write_json(out.finish(), {.indent = -1});
}

void read_dialect(const Fields& fields, SiteSettings& out) {
  out.dialect = fields.needed_word("dialect").text();
  (void)find_dialect(out.dialect);
}

void read_repository(const Fields& fields, const Value& git, SiteSettings& out) {
  out.path = git.text();
  const Value* ref = fields.word("ref");
  out.ref = ref == nullptr ? "HEAD" : std::string(ref->text());
}

}  // namespace

Value dashed(Arena& arena, const Value& mapping, const FieldErrors& errors) {
  if (!mapping.is_mapping()) return mapping;
  MappingBuilder out(arena);
  std::map<std::string, std::string_view> known;  // As they are written.
  for (const Entry& entry : mapping.entries()) {
    if (!entry.key.is_text()) {
      out.insert(entry.key, entry.value);
      continue;
    }
    std::string key(entry.key.text());
    std::ranges::replace(key, '_', '-');
    const auto [found, is_new] = known.emplace(key, entry.key.text());
    if (!is_new && found->second != entry.key.text()) {
      Fields(mapping, "a mapping", errors)
          .fail(fmt::format("'{}' and '{}' are the same member", found->second, entry.key.text()), entry.key);
    }
    out.insert(arena.text(key).with_origin(entry.key.origin()), entry.value);
  }
  return out.finish().with_origin(mapping.origin());
}

bool is_site_name(std::string_view name) noexcept {
  constexpr std::size_t kLongest = 100;
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
         name.find_first_not_of(kPlain) == std::string_view::npos;
}

void check_site_name(std::string_view name) {
  if (!is_site_name(name)) throw Error("request.path", fmt::format("invalid name of a site: '{}'", name));
}

SiteSettings read_configured(const std::string& name, const Value& given, const FieldErrors& errors) {
  const std::string owner = fmt::format("the site '{}'", name);
  Arena arena;
  const Value members = dashed(arena, given, errors);
  const Fields fields(members, owner, errors);
  if (!is_site_name(name)) fields.fail(fmt::format("invalid name of a site: '{}'", name), given);
  SiteSettings out{.name = name, .dialect = {}, .path = {}};
  read_dialect(fields, out);
  const Value* path = fields.word("path");
  const Value* git = fields.word("git");
  if ((path == nullptr) == (git == nullptr)) fields.fail(fmt::format("{} needs either 'path' or 'git'", owner), given);
  if (git != nullptr) read_repository(fields, *git, out);
  if (path != nullptr) out.path = path->text();
  if (path != nullptr && fields.word("ref") != nullptr)
    fields.fail(fmt::format("{}: 'ref' is for 'git'", owner), given);
  out.keep_last_good = fields.flag(kKeepLastGood);
  if (const Value* keys = fields.mapping(kEyamlKeys, "a mapping of files"))
    out.eyaml_keys = read_keys(Fields(*keys, "'eyaml-keys'", errors));
  check_options(fields);
  constexpr std::array<std::string_view, 6> kOwn{"dialect", "path", "git", "ref", kKeepLastGood, kEyamlKeys};
  out.options = others(arena, members, kOwn);
  return out;
}

SiteSettings read_requested(const std::string& name, const Value& given, const FieldErrors& errors) {
  Arena arena;
  const Value members = dashed(arena, given, errors);
  const Fields fields(members, "a site", errors);
  for (const std::string_view configured : {std::string_view("path"), kEyamlKeys}) {
    if (const Value* value = fields.find(configured)) {
      fields.fail(
          fmt::format("'{}' names files of the service's machine: only the configuration of the service may have it",
                      configured),
          *value);
    }
  }
  constexpr std::array<std::string_view, 7> kKnown{"dialect",   "git",        "ref",    kKeepLastGood,
                                                   kSecretKeys, kNodeSecrets, "options"};
  fields.only(kKnown);
  SiteSettings out{.name = name, .dialect = {}, .path = {}};
  read_dialect(fields, out);
  if (const Value* git = fields.word("git")) {
    if (!git->text().starts_with('/')) fields.refuse_value("git", "the absolute path of a repository", *git);
    read_repository(fields, *git, out);
  } else if (const Value* ref = fields.find("ref")) {
    fields.fail("'ref' is for 'git'", *ref);
  }
  out.keep_last_good = fields.flag(kKeepLastGood);
  check_options(fields);
  MappingBuilder options(arena);
  if (const Value* more = fields.mapping("options", "the members of a project of .strata.yaml")) {
    const Value known = dashed(arena, *more, errors);
    const Fields inner(known, "'options'", errors);
    check_options(inner);
    constexpr std::array<std::string_view, 6> kOutside{"dialect", "git", "ref", "path", kKeepLastGood, kEyamlKeys};
    for (const std::string_view one : kOutside) {
      if (const Value* value = inner.find(one)) inner.fail(fmt::format("invalid option of a query: '{}'", one), *value);
    }
    for (const Entry& one : known.entries()) options.insert(one.key, one.value);
  }
  for (const std::string_view one : {kSecretKeys, kNodeSecrets}) {
    if (const Value* value = fields.find(one)) options.insert(one, *value);
  }
  if (options.size() != 0) out.options = text::write_json(options.finish(), {.indent = -1});
  return out;
}

store::Site row_of(const SiteSettings& settings) {
  const bool is_git = !settings.path.empty();
  store::Site out{.name = settings.name,
                  .dialect = settings.dialect,
                  .kind = is_git ? "git" : std::string(kUpload),
                  .options = settings.options};
  if (is_git) {
    out.source = settings.path;
    out.ref = settings.ref;
  }
  if (!settings.keep_last_good) return out;
  Sources sources;
  Arena arena;
  const text::Document options = text::read_yaml(
      sources, sources.add("options", settings.options.empty() ? "{}" : settings.options), text::core12(), {});
  MappingBuilder all = MappingBuilder::copy_of(arena, options.root);
  all.insert(kKeepLastGood, Value::boolean(true));
  out.options = text::write_json(all.finish(), {.indent = -1});
  return out;
}

SiteSettings settings_of(const store::Site& row) {
  SiteSettings out{.name = row.name,
                   .dialect = row.dialect,
                   .path = row.source.value_or(std::string()),
                   .ref = row.ref.value_or(std::string())};
  out.options = row.options;
  if (row.options.empty()) return out;
  Sources sources;
  const text::Document options = text::read_yaml(sources, sources.add("options", row.options), text::core12(), {});
  const Value* keeps = options.root.is_mapping() ? options.root.find(kKeepLastGood) : nullptr;
  out.keep_last_good = keeps != nullptr && keeps->kind() == Kind::boolean && keeps->as_boolean();
  return out;
}

std::string settings_tag(const store::Site& row) {
  constexpr std::size_t kLength = 22;
  return sha256_text(
             fmt::format("{}\n{}\n{}\n{}", row.dialect, row.source.value_or(""), row.ref.value_or(""), row.options))
      .substr(0, kLength);
}

}  // namespace strata::service::sites
