// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "puppet/characters.hpp"
#include "resource_names.hpp"
#include "service.hpp"
#include "strata/builder.hpp"
#include "value/fields.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings::queries {
namespace {

/// Reads one resource; what is wrong with it is thrown.
class ResourceReader {
 public:
  ResourceReader(const Sources& sources, Arena& arena, std::string_view what)
      : arena_(arena), errors_{.code = "query.resource", .sources = &sources, .prefix = fmt::format("{}: ", what)} {}

  Resource read(const Value& given) {
    const Fields fields(given, "a resource", errors_);
    Resource out;
    const Value& type = fields.needed_word("type");
    const Value& title = fields.needed_word("title");
    const Value* certname = fields.word("certname");
    const Value normal_type = arena_.text(type_name(type.text())).with_origin(type.origin());
    out.type = normal_type.text();
    out.title = title.text();
    if (certname != nullptr) out.certname = certname->text();
    out.exported = fields.flag("exported");
    const Value* exported = fields.find("exported");
    const Value* tags = fields.texts("tags");
    const Value* parameters = fields.mapping("parameters", "a mapping from names to values");
    out.tags = tags != nullptr ? *tags : arena_.sequence().with_origin(given.origin());
    out.parameters = parameters != nullptr ? *parameters : arena_.mapping().with_origin(given.origin());
    if (const Value* file = fields.find("file"); file != nullptr && file->is_text()) out.file = *file;
    if (const Value* line = fields.find("line"); line != nullptr && line->kind() == Kind::integer) out.line = *line;
    const Origin origin = given.origin();
    MappingBuilder printed(arena_, KeyEquality::exact, 6);
    printed.insert("type", normal_type);
    printed.insert("title", title);
    printed.insert("certname", certname != nullptr ? *certname : Value::null().with_origin(origin));
    printed.insert("exported", exported != nullptr ? *exported : Value::boolean(false).with_origin(origin));
    printed.insert("tags", out.tags);
    printed.insert("parameters", out.parameters);
    out.printed = printed.finish().with_origin(origin);
    return out;
  }

 private:
  Arena& arena_;
  FieldErrors errors_;
};

/// What tells resources apart. A type has no line ends.
std::string identity(const Resource& resource) {
  return fmt::format("{}\n{}\n{}", puppet::lower(resource.type), puppet::lower(resource.certname), resource.title);
}

/// Notes for each origin below a value which resource and parameter contains it. Recursion: bounded by Limits::depth of
/// the reader.
template <class Note>
void visit_values(const Value& value, const Note& note) {
  note(value);
  if (value.is_sequence()) {
    for (const Value& item : value.items()) visit_values(item, note);
  } else if (value.is_container()) {
    for (const Entry& entry : value.entries()) visit_values(entry.value, note);
  }
}

}  // namespace

ResourceSet::ResourceSet(const Sources& sources, std::shared_ptr<Arena> arena, const Value& resources,
                         std::string_view what)
    : arena_(std::move(arena)) {
  ResourceReader reader(sources, *arena_, what);
  TextMap<std::size_t> known;
  resources_.reserve(resources.size());
  for (const Value& given : resources.items()) {
    resources_.push_back(reader.read(given));
    const Resource& resource = resources_.back();
    const auto [other, is_new] = known.emplace(identity(resource), resources_.size() - 1);
    if (is_new) continue;
    throw Error("query.duplicate", fmt::format("{}: {} occurs twice", what, name_of(resource)))
        .at(sources, given.origin())
        .note(sources, resources_[other->second].printed.origin(), "it also occurs here");
  }
  index();
}

void ResourceSet::index() {
  by_type_.clear();
  for (std::size_t i = 0; i < resources_.size(); ++i) by_type_[puppet::lower(resources_[i].type)].push_back(i);
}

const std::vector<std::size_t>* ResourceSet::of_type(const std::string& type) const {
  const auto found = by_type_.find(type);
  return found == by_type_.end() ? nullptr : &found->second;
}

const std::vector<std::size_t>* ResourceSet::of_title(const std::string& title) const {
  Tables& tables = *tables_;
  tables.titles_made.call([&] {
    for (std::size_t i = 0; i < resources_.size(); ++i)
      tables.by_title[puppet::lower(resources_[i].title)].push_back(i);
  });
  const auto found = tables.by_title.find(title);
  return found == tables.by_title.end() ? nullptr : &found->second;
}

void ResourceSet::sort() {
  std::ranges::sort(resources_, [](const Resource& left, const Resource& right) {
    return std::tie(left.type, left.title, left.certname) < std::tie(right.type, right.title, right.certname);
  });
  tables_ = std::make_unique<Tables>();
  index();
}

std::optional<ResourceOrigin> ResourceSet::origin_of(Origin origin) const {
  if (!origin) return std::nullopt;
  Tables& tables = *tables_;
  tables.spots_made.call([&] {
    // Parameters come first: an empty list that was not written has the origin of its resource.
    for (std::size_t i = 0; i < resources_.size(); ++i) {
      for (const Entry& entry : resources_[i].parameters.entries()) {
        visit_values(entry.value, [&](const Value& value) {
          tables.spots.emplace(value.origin().location, Spot{.resource = i, .parameter = entry.key.text()});
        });
      }
      visit_values(resources_[i].printed, [&](const Value& value) {
        tables.spots.emplace(value.origin().location, Spot{.resource = i, .parameter = {}});
      });
    }
  });
  const auto found = tables.spots.find(origin.location);
  if (found == tables.spots.end()) return std::nullopt;
  ResourceOrigin out = origin_of_resource(resources_[found->second.resource]);
  out.parameter = found->second.parameter;
  return out;
}

std::string type_name(std::string_view written) {
  if (written.starts_with("::")) written.remove_prefix(2);
  std::string out(written);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i == 0 || (i >= 2 && out[i - 1] == ':' && out[i - 2] == ':')) out[i] = puppet::upper(out[i]);
  }
  return out;
}

std::string name_of(const Resource& resource) {
  const std::string name = fmt::format("{}[{}]", resource.type, resource.title);
  return resource.certname.empty() ? name : fmt::format("{} of {}", name, resource.certname);
}

ResourceOrigin origin_of_resource(const Resource& resource) {
  return {.certname = std::string(resource.certname),
          .type = std::string(resource.type),
          .title = std::string(resource.title),
          .parameter = {}};
}

}  // namespace strata::bindings::queries
