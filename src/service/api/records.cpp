// SPDX-License-Identifier: Apache-2.0
#include "service/api/records.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "service/api/pages.hpp"
#include "service/core.hpp"
#include "service/entity_tags.hpp"
#include "service/json.hpp"
#include "service/streaming.hpp"
#include "store/records.hpp"
#include "store/tokens.hpp"
#include "store/transfer.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kRecordsPerPage = 100;

std::int64_t page_limit(const Call& call) {
  return static_cast<std::int64_t>(call.request.query.number("limit", kLongestPage).value_or(kRecordsPerPage));
}
std::int64_t after_of(const Call& call) {
  return static_cast<std::int64_t>(call.request.query.number("after", INT64_MAX).value_or(0));
}

/// An answer with a list, and where the next page is if this one is full.
Response page(const Call& call, Arena& arena, std::string_view name, SequenceBuilder& list, std::int64_t last) {
  const bool is_full = static_cast<std::int64_t>(list.size()) == page_limit(call);
  Response out = json_response(json_object(arena, {{name, list.finish()}}));
  if (is_full && last != 0) {
    out.headers.add("Link",
                    fmt::format("<{}{}?after={}&limit={}{}>; rel=\"next\"", call.request.base, call.request.path, last,
                                page_limit(call), call.request.query.flag("all") ? "&all=1" : ""));
  }
  return out;
}

Value token_value(Arena& arena, const store::Token& token) {
  SequenceBuilder roles(arena);
  for (const std::string& role : store::roles_of(token)) roles.append(arena.text(role));
  return json_object(arena, {{"id", arena.text(token.id)},
                             {"project", arena.text(token.project)},
                             {"roles", roles.finish()},
                             {"node", json_string(arena, token.node)},
                             {"created_at", json_time(arena, token.created_at)},
                             {"expires_at", json_time(arena, token.expires_at)}});
}

/// A token is never changed.
std::string tag_of(const store::Token& token) {
  Arena arena;
  return entity_tag(text::write_json(token_value(arena, token), {.indent = -1}));
}

std::string required_string(const Value& value, std::string_view name) {
  if (!value.is_text()) throw Error("request.body", fmt::format("'{}' is a text", name));
  return std::string(value.text());
}

store::NewToken new_token(const Call& call) {
  const JsonBody json = read_data_body(call);
  if (!json.root().is_mapping()) throw Error("request.body", "the body is an object with 'roles'");
  store::NewToken out{.project = call.project};
  for (const Entry& entry : json.root().entries()) {
    const std::string_view name = entry.key.text();
    if (name == "id") {
      out.id = required_string(entry.value, name);
    } else if (name == "project") {
      out.project = required_string(entry.value, name);
    } else if (name == "node") {
      out.node = required_string(entry.value, name);
    } else if (name == "days") {
      if (entry.value.kind() != Kind::integer) throw Error("request.body", "'days' is a number");
      out.days = entry.value.as_integer();
    } else if (name == "roles") {
      if (!entry.value.is_sequence()) throw Error("request.body", "'roles' is a list of texts");
      for (const Value& role : entry.value.items()) out.roles.push_back(required_string(role, name));
    } else {
      throw Error("request.body", fmt::format("a token has no '{}'", name)).hint("id, project, roles, node, days");
    }
  }
  return out;
}

}  // namespace

Response list_changes(const Call& call) {
  Arena arena;
  SequenceBuilder list(arena);
  std::vector<store::Change> found;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    found.clear();
    if (project != nullptr) found = store::changes_after(transaction, *project, after_of(call), page_limit(call));
  });
  for (const store::Change& one : found) {
    list.append(json_object(arena, {{"number", Value::integer(one.number)},
                                    {"kind", arena.text(one.kind)},
                                    {"target", arena.text(one.target)},
                                    {"generation", Value::integer(store::shown_generation(one))},
                                    {"at", json_time(arena, one.at)}}));
  }
  return page(call, arena, "changes", list, found.empty() ? 0 : found.back().number);
}

Response list_audit(const Call& call) {
  const bool is_all = call.request.query.flag("all");
  if (is_all) call.demand_everywhere("strata:audit");
  Arena arena;
  SequenceBuilder list(arena);
  std::vector<store::AuditEntry> found;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project*) {
    found = store::audit_after(transaction, is_all ? std::optional<std::string_view>() : call.project, after_of(call),
                               page_limit(call));
  });
  for (const store::AuditEntry& one : found) {
    list.append(json_object(arena, {{"id", Value::integer(one.id)},
                                    {"at", json_time(arena, one.at)},
                                    {"who", arena.text(one.who)},
                                    {"project", json_string(arena, one.project)},
                                    {"action", arena.text(one.action)},
                                    {"target", arena.text(one.target)},
                                    {"outcome", arena.text(one.outcome)},
                                    {"request", json_string(arena, one.request)},
                                    {"address", json_string(arena, one.address)}}));
  }
  return page(call, arena, "audit", list, found.empty() ? 0 : found.back().id);
}

Response list_tokens(const Call& call) {
  const bool is_all = call.request.query.flag("all");
  if (is_all) call.demand_everywhere("strata:token");
  Arena arena;
  SequenceBuilder list(arena);
  std::vector<store::Token> found;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project*) {
    found = store::tokens(transaction, is_all ? std::optional<std::string_view>() : call.project);
  });
  for (const store::Token& one : found) list.append(token_value(arena, one));
  return json_response(json_object(arena, {{"tokens", list.finish()}}));
}

Response create_token(const Call& call) {
  if (call.request.headers.find("Idempotency-Key") != nullptr) {
    throw Error("request.key", "a token is told once, so this answer cannot be repeated")
        .hint("leave Idempotency-Key out, and list the tokens");
  }
  const store::NewToken wanted = new_token(call);
  if (wanted.project != call.project) call.demand_everywhere("strata:token");
  Response out = call.core.write(call, [&](Writing& writing) {
    const store::MadeToken made = store::make_token(wanted);
    Arena arena;
    store::Token row = made.row;
    if (store::find_token(writing.transaction, row.id)) {
      throw Error("token.exists", fmt::format("there is a token '{}' already", row.id))
          .hint("take another id, or revoke it");
    }
    store::add_token(writing.transaction, row);
    writing.created = row.id;
    MappingBuilder answer = MappingBuilder::copy_of(arena, token_value(arena, row));
    answer.insert("token", arena.text(made.token));
    Response told = json_response(answer.finish(), 201);
    told.headers.set("ETag", tag_of(row));
    return told;
  });
  out.headers.set("Cache-Control", "no-store");
  return out;
}

Response delete_token(const Call& call) {
  return call.core.write(call, [&](Writing& writing) {
    const auto found = store::find_token(writing.transaction, call[0]);
    const bool is_own = found && found->project == call.project;
    // A caller without access to the project does not learn whose token it is.
    const bool is_seen = found && (is_own || call.request.principal.reaches(found->project));
    check_preconditions(call, is_seen ? std::vector{tag_of(*found)} : std::vector<std::string>());
    if (!is_seen || !store::remove_token(writing.transaction, call[0])) {
      throw Error("token.unknown", fmt::format("there is no token '{}'", call[0]));
    }
    return Response{.status = 204, .headers = {}};
  });
}

Response export_store(const Call& call) {
  call.demand_everywhere("strata:store.export");
  call.core.audit(call, "the whole store");
  Response out = streamed(
      "application/zstd",
      [&core = call.core](Pieces& pieces, const Stop&) {
        store::export_store(core.store(), nullptr, [&pieces](std::string_view bytes) { pieces.push(bytes); });
      },
      // What is cut off lacks its last line, and cannot be imported.
      [](const Error&) { return std::string(); });
  out.headers.set("Cache-Control", "no-store");
  out.headers.set("Content-Disposition", "attachment; filename=\"strata.zst\"");
  return out;
}

}  // namespace strata::service::api
