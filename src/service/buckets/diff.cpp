#include "service/buckets/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "service/buckets/answers.hpp"
#include "service/buckets/deep_diff.hpp"
#include "service/buckets/revisions.hpp"
#include "strata/builder.hpp"

namespace strata::service::buckets {
namespace {

/// Refuses what is no number of a revision.
void check_numbers(const Call& call) {
  for (const std::string& text : call.captures) {
    const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
      throw refused(400, "InvalidInputException", fmt::format("Failed to process request due to invalid input: {}", text));
    }
  }
}

/// Whether the first of the two revisions is the older one.
bool is_in_order(const Call& call) { return revision_number(call[0]).value_or(0) <= revision_number(call[1]).value_or(0); }

/// What happened to each bucket, if `is_same(bucket)` tells whether its documents are the same in both.
std::map<std::string, std::string> states(const std::set<std::string>& older, const std::set<std::string>& newer,
                                          const std::function<bool(const std::string&)>& is_same) {
  std::map<std::string, std::string> out;
  for (const std::string& bucket : newer) {
    out[bucket] = !older.contains(bucket) ? "created" : is_same(bucket) ? "unmodified" : "modified";
  }
  for (const std::string& bucket : older) {
    if (!newer.contains(bucket)) out[bucket] = "deleted";
  }
  return out;
}

using Digests = std::map<std::string, std::multiset<std::string>>;

Digests digests_of(const Call& call, const std::string& number) {
  Digests out;
  for (const store::Document& one : read_documents_of(call, number, false, false).stored) out[one.head.bucket].insert(one.head.digest);
  return out;
}

template <class Map>
std::set<std::string> names_of(const Map& buckets) {
  std::set<std::string> out;
  for (const auto& [name, content] : buckets) out.insert(name);
  return out;
}

/// The rendered documents of a bucket by schema and name.
using Named = std::map<std::pair<std::string, std::string>, const RenderedDocuments::One*>;
using Buckets = std::map<std::string, Named>;

Buckets buckets_of(const RenderedDocuments& rendered) {
  Buckets out;
  for (const RenderedDocuments::One& one : rendered.all) {
    const store::DocumentHead& head = rendered.kept->all()[one.source].head;
    out[head.bucket].emplace(std::pair(head.schema, head.name), &one);
  }
  return out;
}

bool same_document(const RenderedDocuments::One& one, const RenderedDocuments::One& other) {
  return equal(one.data, other.data) && equal(one.metadata, other.metadata);
}

bool same_documents(const Named& before, const Named& after) {
  return std::ranges::equal(before, after,
                            [](const auto& one, const auto& other) { return one.first == other.first && same_document(*one.second, *other.second); });
}

Value counted(Arena& arena, std::size_t count, const Value& details) {
  MappingBuilder out(arena);
  out.insert("count", Value::integer(static_cast<std::int64_t>(count)));
  out.insert("details", details);
  return out.finish();
}

/// The documents that only `these` has, as pairs of schema and name.
Value only_in(Arena& arena, const Named& these, const Named& others, std::size_t& count) {
  SequenceBuilder details(arena);
  for (const auto& [name, one] : these) {
    if (others.contains(name)) continue;
    SequenceBuilder pair(arena);
    pair.append(arena.text(name.first));
    pair.append(arena.text(name.second));
    details.append(pair.finish());
    ++count;
  }
  return details.finish();
}

Value changed_document(Arena& arena, const RenderedDocuments::One& before, const RenderedDocuments::One& after) {
  MappingBuilder out(arena);
  if (before.has_secrets || after.has_secrets) {
    MappingBuilder encrypted(arena);
    encrypted.insert("encrypted", Value::boolean(true));
    out.insert("data_changed", encrypted.finish());
  } else {
    out.insert("data_changed", deep_diff(arena, before.data, after.data));
  }
  out.insert("metadata_changed", deep_diff(arena, before.metadata, after.metadata));
  return out.finish();
}

Value bucket_diff(Arena& arena, const Named& before, const Named& after) {
  MappingBuilder out(arena);
  std::size_t count = 0;
  const Value added = only_in(arena, after, before, count);
  if (count != 0) out.insert("document_added", counted(arena, count, added));
  count = 0;
  const Value deleted = only_in(arena, before, after, count);
  if (count != 0) out.insert("document_deleted", counted(arena, count, deleted));
  MappingBuilder changed(arena);
  for (const auto& [name, one] : before) {
    const auto other = after.find(name);
    if (other == after.end() || same_document(*one, *other->second)) continue;
    changed.insert(fmt::format("('{}', '{}')", name.first, name.second), changed_document(arena, *one, *other->second));
  }
  if (const std::size_t changes = changed.size(); changes != 0) out.insert("document_changed", counted(arena, changes, changed.finish()));
  return out.finish();
}

}  // namespace

Response diff_revisions(const Call& call) {
  check_numbers(call);
  const Digests first = digests_of(call, call[0]);
  const Digests second = digests_of(call, call[1]);
  const Digests& older = is_in_order(call) ? first : second;
  const Digests& newer = is_in_order(call) ? second : first;
  const auto is_same = [&](const std::string& bucket) { return older.at(bucket) == newer.at(bucket); };
  Arena arena;
  MappingBuilder out(arena);
  for (const auto& [bucket, state] : states(names_of(older), names_of(newer), is_same)) out.insert(bucket, arena.text(state));
  return yaml_response(out.finish());
}

Response deep_diff_revisions(const Call& call, Renderings& renderings) {
  check_numbers(call);
  const auto rendered_of = [&](const std::string& number) {
    RevisionDocuments documents = read_documents_of(call, number, true);
    if (revision_number(number) == 0) return std::make_shared<const RenderedDocuments>();
    return renderings.render(call, std::move(documents), true);
  };
  const auto first = rendered_of(call[0]);
  const auto second = rendered_of(call[1]);
  const Buckets before = buckets_of(*first);
  const Buckets after = buckets_of(*second);
  const Buckets& older = is_in_order(call) ? before : after;
  const Buckets& newer = is_in_order(call) ? after : before;
  const auto is_same = [&](const std::string& bucket) { return same_documents(older.at(bucket), newer.at(bucket)); };
  Arena arena;
  MappingBuilder out(arena);
  for (const auto& [bucket, state] : states(names_of(older), names_of(newer), is_same)) {
    out.insert(bucket, arena.text(state));
    if (state == "modified") out.insert(bucket + " diff", bucket_diff(arena, before.at(bucket), after.at(bucket)));
  }
  return yaml_response(out.finish());
}

}  // namespace strata::service::buckets
