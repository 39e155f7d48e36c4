#include "service/buckets/revisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "service/buckets/answers.hpp"
#include "service/buckets/listing.hpp"
#include "service/core.hpp"
#include "service/operation/log.hpp"
#include "store/documents.hpp"
#include "strata/builder.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::string_view kValidationPolicy = "deckhand/ValidationPolicy/";
constexpr std::string_view kUrl = "https://deckhand/api/v1.0/revisions/";

/// Without a zone, as the reference.
Value time_value(Arena& arena, std::int64_t microseconds) {
  std::string text = utc_text(microseconds);
  text.pop_back();
  return arena.text(text);
}

Value texts(Arena& arena, const std::vector<std::string>& all) {
  SequenceBuilder out(arena, all.size());
  for (const std::string& one : all) out.append(arena.text(one));
  return out.finish();
}

/// The policies of validations that a revision itself has stored.
std::vector<store::Document> policies_of(store::Transaction& transaction, const store::Project& project, std::int64_t revision) {
  std::vector<store::Document> out = store::documents_at(transaction, project, revision);
  std::erase_if(out,
                [revision](const store::Document& one) { return one.head.revision != revision || !one.head.schema.starts_with(kValidationPolicy); });
  return out;
}

}  // namespace

std::optional<std::int64_t> revision_number(std::string_view text) {
  std::int64_t out = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stopped != end || out < 0) return std::nullopt;
  return out;
}

store::Revision revision_of(store::Transaction& transaction, const store::Project* project, std::string_view number, bool in_listing) {
  const std::optional<std::int64_t> wanted = revision_number(number);
  if (!wanted || project == nullptr) throw no_revision(number, in_listing);
  std::optional<store::Revision> found = store::find_revision(transaction, *project, *wanted);
  if (!found) throw no_revision(number, in_listing);
  return *std::move(found);
}

Value revision_value(Arena& arena, store::Transaction& transaction, const store::Project& project, const store::Revision& revision) {
  MappingBuilder tags(arena);
  for (const store::Tag& tag : store::tags(transaction, project, revision.number)) tags.insert(tag.name, tag_value(arena, tag));
  SequenceBuilder policies(arena);
  for (const store::Document& one : policies_of(transaction, project, revision.number)) {
    MappingBuilder policy(arena);
    policy.insert("name", arena.text(one.head.name));
    policy.insert("url", arena.text(fmt::format("{}{}", kUrl, one.head.number)));
    policy.insert("status", arena.text("unknown"));
    policies.append(policy.finish());
  }
  const bool has_policies = policies.size() != 0;
  MappingBuilder out(arena);
  out.insert("id", Value::integer(revision.number));
  out.insert("createdAt", time_value(arena, revision.created_at));
  out.insert("url", arena.text(fmt::format("{}{}", kUrl, revision.number)));
  out.insert("buckets", texts(arena, revision.buckets));
  out.insert("tags", tags.finish());
  out.insert("status", arena.text(has_policies ? "failed" : "success"));
  out.insert("validationPolicies", policies.finish());
  return out.finish();
}

Response list_revisions(const Call& call) {
  std::vector<store::Revision> revisions;
  std::map<std::int64_t, std::vector<std::string>> tags;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    revisions.clear();
    tags.clear();
    if (project == nullptr) return;
    revisions = store::revisions(transaction, *project);
    for (store::Tag& tag : store::tag_names(transaction, *project)) tags[tag.revision].push_back(std::move(tag.name));
  });
  const std::vector<std::string> wanted = call.request.query.all("tag");
  Arena arena;
  std::vector<Value> results;
  for (const store::Revision& one : revisions) {
    const std::vector<std::string>& own = tags[one.number];
    const auto has = [&own](const std::string& tag) { return std::ranges::find(own, tag) != own.end(); };
    if (!wanted.empty() && std::ranges::none_of(wanted, has)) continue;
    MappingBuilder out(arena);
    out.insert("id", Value::integer(one.number));
    out.insert("createdAt", time_value(arena, one.created_at));
    out.insert("buckets", texts(arena, one.buckets));
    out.insert("tags", texts(arena, own));
    results.push_back(out.finish());
  }
  sort_by_query(call.request.query, results);
  return list_response(arena, results);
}

Response show_revision(const Call& call) {
  Arena arena;
  Value out;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    const store::Revision revision = revision_of(transaction, project, call[0]);
    out = revision_value(arena, transaction, *project, revision);
  });
  return yaml_response(out);
}

Response list_response(Arena& arena, std::span<const Value> results) {
  SequenceBuilder list(arena, results.size());
  list.append(results);
  MappingBuilder out(arena);
  out.insert("count", Value::integer(static_cast<std::int64_t>(results.size())));
  out.insert("results", list.finish());
  return yaml_response(out.finish());
}

}  // namespace strata::service::buckets
