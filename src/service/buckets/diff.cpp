// SPDX-License-Identifier: Apache-2.0
// What differs between two revisions: by bucket, and in depth.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "python/data.hpp"
#include "service/buckets/deepdiff.hpp"
#include "service/buckets/failure.hpp"
#include "service/buckets/rendering.hpp"
#include "service/buckets/revision_view.hpp"
#include "service/buckets/routes.hpp"
#include "service/buckets/stored_text.hpp"
#include "service/buckets/yaml.hpp"
#include "strata/builder.hpp"
#include "tree/sha256.hpp"

namespace strata::service::buckets {
namespace {

/// The two numbers in the path. Error (Failure) for what is not a number. A negative one is not there.
std::int64_t asked_number(const std::string& text) {
  const bool is_negative = text.starts_with('-');
  const auto number = revision_number(is_negative ? std::string_view(text).substr(1) : std::string_view(text));
  if (!number)
    throw Failure(400, "InvalidInputException",
                  fmt::format("Failed to process request due to invalid input: {}", text));
  return is_negative ? -*number : *number;
}

/// A bucket of two revisions.
template <class Document>
struct Sides {
  std::vector<Document> first;
  std::vector<Document> second;
};

/// What became of a bucket that only one of two revisions has.
std::string_view fate(bool is_in_first, std::int64_t first, std::int64_t second) {
  if (first == 0 || second == 0) return "created";
  return is_in_first == (first > second) ? "created" : "deleted";
}

Response fates_response(const Call& call, Arena& arena, const std::map<std::string, Value>& fates) {
  MappingBuilder out(arena);
  for (const auto& [name, value] : fates) out.insert(name, value);
  call.stop.check();
  Response response = yaml_response(out.finish());
  call.stop.check();
  return response;
}

/// A document of a rendered revision, with what tells whether it is equal to another one.
struct Compared {
  const Shown* document;
  std::string digest;
};

using DocumentNames = std::pair<std::string, std::string>;
DocumentNames names_of(const Compared& one) { return {one.document->head->schema, one.document->head->name}; }

class BucketDiff {
 public:
  BucketDiff(const Limits& limits, Arena& arena) : limits_(limits), arena_(arena) {}

  Value of(const Sides<Compared>& bucket) {
    std::map<DocumentNames, const Compared*> before;
    std::map<DocumentNames, const Compared*> after;
    for (const Compared& one : bucket.first) before.emplace(names_of(one), &one);
    for (const Compared& one : bucket.second) after.emplace(names_of(one), &one);
    SequenceBuilder added(arena_);
    SequenceBuilder deleted(arena_);
    MappingBuilder changed(arena_);
    for (const auto& [names, one] : after) {
      if (!before.contains(names)) added.append(pair(names));
    }
    for (const auto& [names, one] : before) {
      const auto other = after.find(names);
      if (other == after.end()) {
        deleted.append(pair(names));
      } else if (one->digest != other->second->digest) {
        changed.insert(fmt::format("({}, {})", python::repr(names.first), python::repr(names.second)),
                       change(*one->document, *other->second->document));
      }
    }
    MappingBuilder out(arena_);
    insert(out, "document_added", added.size(), added);
    insert(out, "document_changed", changed.size(), changed);
    insert(out, "document_deleted", deleted.size(), deleted);
    return out.finish();
  }

 private:
  Value pair(const DocumentNames& names) {
    return arena_.sequence(std::array{arena_.text(names.first), arena_.text(names.second)});
  }

  template <class Builder>
  void insert(MappingBuilder& out, std::string_view name, std::size_t count, Builder& details) {
    if (count == 0) return;
    out.insert(name, json_object(arena_, {{"count", Value::integer(static_cast<std::int64_t>(count))},
                                          {"details", details.finish()}}));
  }

  Value change(const Shown& before, const Shown& after) {
    Value data;
    if (before.is_secret || after.is_secret) {
      data = equal(before.data(), after.data()) ? arena_.mapping()
                                                : json_object(arena_, {{"encrypted", Value::boolean(true)}});
    } else {
      data = deep_diff(before.data(), after.data(), limits_, arena_);
    }
    return json_object(arena_, {{"data_changed", data},
                                {"metadata_changed", deep_diff(before.metadata(), after.metadata(), limits_, arena_)}});
  }

  const Limits& limits_;
  Arena& arena_;
};

void add_compared(const RenderedRevision& revision, const Limits& limits,
                  std::map<std::string, Sides<Compared>>& buckets, std::vector<Compared> Sides<Compared>::*side) {
  for (const std::vector<Shown>* documents : {&revision.shown, &revision.policies}) {
    for (const Shown& one : *documents) {
      std::string text;
      append_canonical(text, one.data(), limits);
      text += '\n';
      append_canonical(text, one.metadata(), limits);
      (buckets[one.head->bucket].*side).push_back({.document = &one, .digest = sha256_text(text)});
    }
  }
}

template <class Document, class Digest>
bool same_documents(const Sides<Document>& bucket, const Digest& digest) {
  std::vector<std::string> first;
  std::vector<std::string> second;
  for (const Document& one : bucket.first) first.push_back(digest(one));
  for (const Document& one : bucket.second) second.push_back(digest(one));
  std::ranges::sort(first);
  std::ranges::sort(second);
  return first == second;
}

}  // namespace

Response diff_revisions(const Call& call) {
  const std::int64_t first = asked_number(call[0]);
  const std::int64_t second = asked_number(call[1]);
  std::map<std::string, Sides<std::string>> buckets;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    buckets.clear();
    const auto add = [&](std::int64_t number, const std::string& text,
                         std::vector<std::string> Sides<std::string>::*side) {
      if (number == 0) return;
      (void)demanded_revision(transaction, project, text);
      for (const store::Document& one : store::documents_at(transaction, *project, number)) {
        (buckets[one.head.bucket].*side).push_back(one.head.digest);
      }
    };
    add(first, call[0], &Sides<std::string>::first);
    add(second, call[1], &Sides<std::string>::second);
  });
  Arena arena;
  std::map<std::string, Value> fates;
  for (const auto& [name, bucket] : buckets) {
    if (bucket.first.empty() || bucket.second.empty()) {
      fates.emplace(name, arena.text(fate(!bucket.first.empty(), first, second)));
    } else {
      fates.emplace(name, arena.text(same_documents(bucket, std::identity()) ? "unmodified" : "modified"));
    }
  }
  return fates_response(call, arena, fates);
}

Response deepdiff_revisions(const Call& call, RenderCache& cache) {
  const std::int64_t first = asked_number(call[0]);
  const std::int64_t second = asked_number(call[1]);
  const auto rendered = [&](std::int64_t number, const std::string& text) {
    if (number == 0) return std::shared_ptr<const RenderedRevision>();
    auto out = rendered_revision(call, cache, {.revision = text, .unknown = "HTTPNotFound"});
    std::vector<const Shown*> all;
    for (const Shown& one : out->shown) all.push_back(&one);
    for (const Shown& one : out->policies) all.push_back(&one);
    refuse_withheld(*out, all);
    return out;
  };
  // Each step looks at the deadline; the answer is written as one.
  const auto before = rendered(first, call[0]);
  const auto after = rendered(second, call[1]);
  const Limits limits = call.core.limits(call);
  std::map<std::string, Sides<Compared>> buckets;
  if (before != nullptr) add_compared(*before, limits, buckets, &Sides<Compared>::first);
  if (after != nullptr) add_compared(*after, limits, buckets, &Sides<Compared>::second);
  Arena arena;
  std::map<std::string, Value> fates;
  for (const auto& [name, bucket] : buckets) {
    if (bucket.first.empty() || bucket.second.empty()) {
      fates.emplace(name, arena.text(fate(!bucket.first.empty(), first, second)));
      continue;
    }
    call.stop.check();
    const bool is_same = same_documents(bucket, [](const Compared& one) { return one.digest; });
    fates.emplace(name, arena.text(is_same ? "unmodified" : "modified"));
    if (!is_same) fates.emplace(name + " diff", BucketDiff(limits, arena).of(bucket));
  }
  return fates_response(call, arena, fates);
}

}  // namespace strata::service::buckets
