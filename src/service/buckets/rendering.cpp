#include "service/buckets/rendering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "service/buckets/answers.hpp"
#include "service/buckets/revisions.hpp"
#include "service/core.hpp"
#include "store/store.hpp"
#include "strata/builder.hpp"
#include "strata/deckhand.hpp"
#include "strata/file_tree.hpp"
#include "strata/session.hpp"
#include "strata/snapshot.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::string_view kLayeringPolicy = "deckhand/LayeringPolicy/";

std::string key_of(std::string_view schema, std::string_view layer, std::string_view name) { return fmt::format("{}\n{}\n{}", schema, layer, name); }

/// Whether something in a value must not be seen by everybody.
// Recursion: bounded by Limits::depth.
bool holds_secret(const Value& value) {
  if (value.is_secret()) return true;
  if (value.is_sequence()) return std::ranges::any_of(value.items(), holds_secret);
  if (value.is_container()) return std::ranges::any_of(value.entries(), [](const Entry& one) { return holds_secret(one.value); });
  return false;
}

std::string identity_text(const store::Project& project, const store::Revision& revision) {
  return fmt::format("{} {} {}", project.name, revision.number, revision.created_at);
}

bool is_encrypted(const Value& metadata) {
  const Value* policy = metadata.is_mapping() ? metadata.find("storagePolicy") : nullptr;
  return policy != nullptr && policy->is_text() && policy->text() == "encrypted";
}

}  // namespace

std::string identity_of(const Call& call, std::string_view number) {
  std::string out;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    out.clear();
    if (revision_number(number) == 0) return;
    const store::Revision revision = revision_of(transaction, project, number, true);
    out = identity_text(*project, revision);
  });
  return out;
}

RevisionDocuments read_documents_of(const Call& call, std::string_view number, bool for_rendering, bool in_listing) {
  RevisionDocuments out;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    out = {};
    if (revision_number(number) == 0) return;
    out.revision = revision_of(transaction, project, number, in_listing);
    out.stored = store::documents_at(transaction, *project, out.revision.number);
    out.identity = identity_text(*project, out.revision);
    if (!for_rendering) return;
    const auto is_policy = [](const store::Document& one) { return one.head.schema.starts_with(kLayeringPolicy); };
    if (std::ranges::none_of(out.stored, is_policy)) {
      if (auto policy = store::last_document(transaction, *project, kLayeringPolicy)) {
        out.identity += fmt::format(" {}", policy->head.number);
        policy->head.since = policy->head.revision;
        out.stored.push_back(*std::move(policy));
      }
    }
    const bool has_secrets = std::ranges::any_of(out.stored, [](const store::Document& one) { return one.head.sealed.has_value(); });
    if (has_secrets) out.secrets = opened_secrets(transaction, *call.core.store().keys(false), project->name, out.stored);
  });
  return out;
}

std::shared_ptr<const RenderedDocuments> Renderings::render(const Call& call, RevisionDocuments documents, bool cleartext) {
  const std::string key = fmt::format("{}{}", cleartext ? 'C' : 'R', documents.identity);
  if (const auto known = find(key)) return known->rendered;
  const Limits limits = call.core.limits(call);
  Session session(Snapshot::make(call.core.engine(), memory_tree({}), {.folder = "/", .limits = limits}), SessionSettings{.limits = limits});
  auto out = std::make_shared<RenderedDocuments>();
  out->has_secrets = !documents.secrets.empty();
  for (const store::Document& one : documents.stored) out->bytes += 4 * (one.metadata.size() + one.data.value_or("").size()) + 512;
  out->kept = std::make_shared<const KeptDocuments>(std::move(documents.stored), documents.secrets, session.sources(), limits);
  deckhand::Request request;
  request.cleartext_secrets = cleartext;
  std::map<std::string, std::size_t> sources;
  Arena& arena = session.arena();
  for (std::size_t i = 0; i < out->kept->all().size(); ++i) {
    const KeptDocuments::One& one = out->kept->all()[i];
    MappingBuilder root(arena, KeyEquality::exact, 3);
    root.insert("schema", arena.text(one.head.schema));
    root.insert("metadata", one.metadata);
    root.insert("data", one.data);
    request.documents.push_back(root.finish());
    sources.emplace(key_of(one.head.schema, one.head.layer.value_or(""), one.head.name), i);
  }
  const deckhand::Result result = deckhand::render(std::move(request), session);
  const std::span<const Value> rendered = result.documents.value.items();
  for (std::size_t i = 0; i < rendered.size(); ++i) {
    const deckhand::Identity& identity = result.identities[i];
    const auto found = sources.find(key_of(identity.schema, identity.layer, identity.name));
    if (found == sources.end()) continue;
    const Value metadata = *rendered[i].find("metadata");
    const Value data = *rendered[i].find("data");
    out->all.push_back({.source = found->second, .metadata = metadata, .data = data, .has_secrets = is_encrypted(metadata) || holds_secret(data)});
  }
  out->memory = session.memory();
  keep({.key = key, .rendered = out, .body = nullptr, .bytes = out->bytes});
  return out;
}

std::shared_ptr<const RenderedDocuments> Renderings::known(const std::string& identity, bool cleartext) {
  const auto found = find(fmt::format("{}{}", cleartext ? 'C' : 'R', identity));
  return found ? found->rendered : nullptr;
}

std::shared_ptr<const std::string> Renderings::answer(const std::string& key) {
  const auto known = find(key);
  return known ? known->body : nullptr;
}

void Renderings::keep_answer(const std::string& key, std::shared_ptr<const std::string> body) {
  const std::size_t bytes = body->size() + key.size();
  keep({.key = key, .rendered = nullptr, .body = std::move(body), .bytes = bytes});
}

std::optional<Renderings::Kept> Renderings::find(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return std::nullopt;
  list_.splice(list_.begin(), list_, found->second);
  return list_.front();
}

void Renderings::keep(Kept kept) {
  if (kept.bytes > most_ / 2) return;
  const std::scoped_lock lock(mutex_);
  if (by_key_.contains(kept.key)) return;
  bytes_ += kept.bytes;
  list_.push_front(std::move(kept));
  by_key_.emplace(list_.front().key, list_.begin());
  while (bytes_ > most_) {
    bytes_ -= list_.back().bytes;
    by_key_.erase(list_.back().key);
    list_.pop_back();
  }
}

}  // namespace strata::service::buckets
