// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/loaded.hpp"

#include <array>

#include "service/buckets/incoming.hpp"
#include "session/parse_time.hpp"
#include "store/sealed.hpp"
#include "store/store.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::service::buckets {

std::size_t Stored::bytes() const {
  std::size_t out = 0;
  for (const store::Document& row : rows) out += row.metadata.size() + (row.data ? row.data->size() : 0);
  for (const store::SecretBytes& secret : secrets) out += secret.size();
  return out;
}

void open_secrets(const Call& call, store::Transaction& transaction, const store::Project& project, Stored& stored) {
  stored.secrets.clear();
  stored.secrets.resize(stored.rows.size());
  stored.broken.clear();
  std::shared_ptr<const store::Keyring> keys;
  for (std::size_t i = 0; i < stored.rows.size(); ++i) {
    const auto& sealed = stored.rows[i].head.sealed;
    if (!sealed) continue;
    if (keys == nullptr) keys = call.core.store().keys(false);
    try {
      stored.secrets[i] =
          store::open_sealed(transaction, *keys, {.project = project.name, .table = "document", .id = *sealed});
    } catch (const Error& error) {
      if (!store::is_unreadable(error)) throw;
      stored.broken.emplace(i, error.diagnostic());
    }
  }
}

std::vector<LoadedDocument> read_stored(Stored& stored, Session& session) {
  // One text for all: reading many small ones costs more.
  std::string all;
  all.reserve(stored.bytes() + 64 * stored.rows.size() + 2);
  all += '[';
  for (std::size_t i = 0; i < stored.rows.size(); ++i) {
    const store::Document& row = stored.rows[i];
    all += i == 0 ? R"({"schema":)" : R"(,{"schema":)";
    text::append_json_text(all, row.head.schema);
    all.append(R"(,"metadata":)").append(row.metadata).append(R"(,"data":)");
    if (row.data) {
      all += *row.data;
    } else if (!stored.secrets.empty() && !stored.broken.contains(i)) {
      all += stored.secrets[i].view();
    } else {
      text::append_json_text(all, secret_reference(row.head.sealed.value_or("")));
    }
    all += '}';
  }
  all += ']';
  stored.secrets.clear();

  Limits limits = session.limits();
  limits.depth += 3;  // The list and the documents.
  const SourceId source = session.sources().add("<store>", std::move(all));
  session.sources().mark_secret(source);
  const text::Document document = [&] {
    const ParseTimer timer;
    return text::read_json(session.sources(), source, limits);
  }();
  session.keep(document.arena);
  const std::span<const Value> roots = document.root.items();
  if (roots.size() != stored.rows.size())
    throw Error("store.damaged", "a document of the store is not one value").hint("strata store check");
  std::vector<LoadedDocument> out;
  out.reserve(roots.size());
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (!roots[i].is_mapping() || roots[i].size() != 3) {
      throw Error("store.damaged", "a document of the store is not one value").hint("strata store check");
    }
    LoadedDocument one{.head = &stored.rows[i].head, .root = roots[i], .is_encrypted = false};
    const Value* policy = one.metadata().is_mapping() ? one.metadata().find("storagePolicy") : nullptr;
    one.is_encrypted = policy != nullptr && policy->is_text() && policy->text() == "encrypted";
    out.push_back(one);
  }
  return out;
}

Views::Views(Arena& arena)
    : arena_(arena),
      data_(arena.key("data")),
      id_(arena.key("id")),
      metadata_(arena.key("metadata")),
      schema_(arena.key("schema")),
      status_(arena.key("status")),
      bucket_(arena.key("bucket")),
      revision_(arena.key("revision")) {}

Value Views::view(const store::DocumentHead& head, std::int64_t revision, const Value& schema, const Value& metadata,
                  const Value& data) {
  const std::array<Entry, 2> place{Entry{bucket_, arena_.text(head.bucket)},
                                   Entry{revision_, Value::integer(revision)}};
  const std::array<Entry, 5> entries{Entry{data_, data}, Entry{id_, Value::integer(head.number)},
                                     Entry{metadata_, metadata}, Entry{schema_, schema},
                                     Entry{status_, arena_.mapping(place, KeyEquality::exact)}};
  return arena_.mapping(entries, KeyEquality::exact);
}

}  // namespace strata::service::buckets
