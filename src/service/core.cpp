// SPDX-License-Identifier: Apache-2.0
#include "service/core.hpp"

#include <fmt/format.h>

#include "service/changes.hpp"
#include "service/json.hpp"
#include "service/request_id.hpp"
#include "service/signer.hpp"
#include "service/workers.hpp"
#include "store/store.hpp"
#include "strata/builder.hpp"
#include "strata/engine.hpp"
#include "strata/stop.hpp"
#include "tree/sha256.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kLongestKey = 200;

/// The SHA-256 of a list of texts: no two lists give the same bytes to it.
std::string digest_of(std::initializer_list<std::string_view> parts) {
  std::string bytes;
  for (const std::string_view part : parts) bytes.append(std::to_string(part.size())).append(":").append(part);
  const auto digest = sha256(bytes);
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// Headers as JSON: a list of pairs.
std::string headers_text(const Headers& headers) {
  Arena arena;
  SequenceBuilder out(arena);
  for (const Field& one : headers.fields()) {
    SequenceBuilder pair(arena, 2);
    pair.append(arena.text(one.name));
    pair.append(arena.text(one.value));
    out.append(pair.finish());
  }
  return text::write_json(out.finish(), {.indent = -1});
}

Response stored_answer(const store::Request& request) {
  Response out{.status = static_cast<unsigned>(request.status), .headers = {}, .body = request.body.value_or("")};
  const JsonBody headers = read_json_text(request.headers, "<headers>", Limits());
  for (const Value& pair : headers.root().items())
    out.headers.add(std::string(pair.items()[0].text()), std::string(pair.items()[1].text()));
  return out;
}

Refusal key_reused() {
  return {.status = 422,
          .code = "request.key-reused",
          .message = "this Idempotency-Key belongs to another request",
          .hint = "take a new one for each request",
          .type = "",
          .headers = {}};
}

/// The row by which a request is found again, without its answer. Error `request.key`.
store::Request request_row(const Request& request) {
  const std::string* key = request.headers.find("Idempotency-Key");
  if (key != nullptr && (key->empty() || key->size() > kLongestKey)) {
    throw Error("request.key", fmt::format("an Idempotency-Key has 1 to {} bytes", kLongestKey));
  }
  store::Request row{.id = new_request_id()};  // Not the one that is shown: clients may give that, and repeat it.
  if (key == nullptr) return row;
  row.key_hash = digest_of({request.principal.name, *key});
  // With the key, which is not stored: a reader of the store cannot guess short bodies.
  row.digest = digest_of({*key, request.method, request.path, request.query_text, request.body});
  return row;
}

/// The answer to an earlier request with the same key. Error (Refused, 422) if that was another one.
std::optional<Response> earlier_answer(store::Transaction& transaction, const store::Project& project,
                                       const store::Request& row) {
  const auto known = store::find_request_by_key(transaction, project, *row.key_hash);
  if (!known) return std::nullopt;
  if (known->digest != row.digest) throw Refused(key_reused());
  Response out = stored_answer(*known);
  out.headers.set("Idempotency-Replayed", "true");
  return out;
}

store::AuditEntry audit_entry(const Call& call, std::string_view outcome) {
  return {.who = call.request.principal.name,
          .project = call.project,
          .action = std::string(call.route.action.empty() ? call.route.pattern : call.route.action),
          .target = call.request.method + ' ' + call.request.path,
          .outcome = std::string(outcome),
          .request = call.request.id,
          .address = call.request.address};
}

}  // namespace

store::Deadline deadline_of(const Stop& stop) {
  const Stop::Clock::time_point end = stop.deadline();
  return end == Stop::Clock::time_point::max() ? store::Deadline() : store::Deadline(end);
}

Core::Core(store::Store& store, std::shared_ptr<Engine> engine, std::function<std::shared_ptr<const Policy>()> policy,
           Settings settings)
    : store_(&store),
      engine_(std::move(engine)),
      policy_(std::move(policy)),
      settings_(std::move(settings)),
      signer_(std::make_unique<const Signer>(store.signing_secret(), kCursors)),
      changes_(std::make_unique<ChangeFeed>(store)) {}

Core::Core(std::shared_ptr<Engine> engine, std::function<std::shared_ptr<const Policy>()> policy, Settings settings)
    : store_(nullptr),
      engine_(std::move(engine)),
      policy_(std::move(policy)),
      settings_(std::move(settings)),
      signer_(std::make_unique<const Signer>(kCursors)) {}

Core::~Core() = default;

Limits Core::limits(const Call& call) const {
  Limits out = settings_.limits;
  out.stop = &call.stop;
  return out;
}

void Writing::note(std::string kind, std::string target, std::int64_t generation) {
  store::Change change{.kind = std::move(kind), .target = std::move(target), .generation = generation};
  store::add_change(transaction, project, change);
  has_changes = true;
}

Response Core::write(const Call& call, const std::function<Response(Writing&)>& work) {
  store::Request row = request_row(call.request);

  Response out;
  bool has_changes = false;
  store::AuditEntry entry;
  const auto write = [&](store::Transaction& transaction, store::Project& project) {
    has_changes = false;
    entry = {};
    if (row.key_hash) {
      if (auto known = earlier_answer(transaction, project, row)) {
        out = *std::move(known);
        return;
      }
    }
    Writing writing{.transaction = transaction, .project = project};
    out = work(writing);
    has_changes = writing.has_changes;
    out.headers.set("Strata-At", fmt::format("{}:{}", project.name, project.last_change));
    entry = audit_entry(call, std::to_string(out.status));
    if (!writing.created.empty()) entry.target += '/' + writing.created;
    store::add_audit(transaction, entry);
    row.status = out.status;
    if (row.key_hash) {
      row.headers = headers_text(out.headers);
      row.body = out.body;
    }
    store::add_request(transaction, project, row);
  };
  const auto was_done = [&](store::Transaction& transaction) {
    return store::find_request(transaction, row.id).has_value();
  };
  const Workers::Waits waits;  // For the commit, which others share.
  store_->write(call.project, write, {.deadline = deadline_of(call.stop), .was_done = was_done});
  if (settings_.on_audit && !entry.action.empty()) settings_.on_audit(entry);
  if (has_changes) changes_->wrote(call.project);
  return out;
}

std::optional<Response> Core::replayed(const Call& call) {
  std::optional<Response> out;
  const store::Request row = request_row(call.request);
  if (!row.key_hash) return out;
  read(call, [&](store::Transaction& transaction, const store::Project* project) {
    if (project != nullptr) out = earlier_answer(transaction, *project, row);
  });
  return out;
}

void Core::read(const Call& call, const std::function<void(store::Transaction&, const store::Project*)>& work) {
  store_->read(
      [&](store::Transaction& transaction) {
        const auto project = store::find_project(transaction, call.project);
        work(transaction, project ? &*project : nullptr);
      },
      {.deadline = deadline_of(call.stop)});
}

void Core::audit(const Call& call, std::string_view outcome) {
  if (store_ == nullptr) return;
  store::AuditEntry entry;
  const Workers::Waits waits;
  store_->database().write(
      [&](store::Transaction& transaction) {
        entry = audit_entry(call, outcome);
        store::add_audit(transaction, entry);
      },
      {.deadline = deadline_of(call.stop)});
  if (settings_.on_audit) settings_.on_audit(entry);
}

}  // namespace strata::service
