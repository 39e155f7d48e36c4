// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/kept.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "python/data.hpp"
#include "service/stacks/hidden.hpp"
#include "service/stacks/refusals.hpp"
#include "store/sealed.hpp"
#include "store/store.hpp"
#include "strata/builder.hpp"
#include "strata/engine.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace strata::service::stacks {
namespace {

constexpr std::size_t kLargestState = std::size_t{32} << 20U;
constexpr std::string_view kStackTable = "stack";

Value read_stored_json(Session& session, std::string_view text) {
  const SourceId source = session.sources().add(kStateText, std::string(text));
  session.sources().mark_secret(source);
  const text::Document document = text::read_json(session.sources(), source, session.limits());
  session.keep(document.arena);
  return document.root;
}

/// The member of a mapping of mappings, or null.
const Value* optional_member(const Value* of, std::string_view name) {
  return of != nullptr && of->is_mapping() ? of->find(name) : nullptr;
}

/// Puts stored values into what was sent.
class KeptValues {
 public:
  KeptValues(Session& session, const Kept& kept) : session_(session), kept_(kept) {}

  /// A section of parameters, of which the store has `clear`, shown as `masked`.
  [[nodiscard]] Value section(const Value& sent, std::string_view name, const Value* clear, const Value* masked) const {
    return with_entries(sent, [&](std::string_view parameter, const Value& value) {
      if (!is_masked(value)) return value;
      if (const Value* found = stored(parameter, clear, masked)) return *found;
      const Value* of_all = stored(parameter, optional_member(kept_.clear.find("environment"), name),
                                   optional_member(kept_.masked.find("environment"), name));
      return of_all == nullptr ? value : *of_all;
    });
  }

  [[nodiscard]] Value environment(const Value& sent, const Value* clear, const Value* masked) const {
    return with_entries(sent, [&](std::string_view name, const Value& value) {
      if (!value.is_mapping() || (name != "parameters" && name != "parameter_defaults")) return value;
      return section(value, name, optional_member(clear, name), optional_member(masked, name));
    });
  }

  [[nodiscard]] Value file(std::string_view name, const Value& sent) const {
    if (sent.text().find(report::kMask) == std::string_view::npos) return sent;
    const Value* clear = optional_member(kept_.clear.find("files"), name);
    const Value* masked = optional_member(kept_.masked.find("files"), name);
    if (masked != nullptr && equal(*masked, sent)) return *clear;
    const Value read = environment_of(session_, sent);
    if (!read) return sent;
    const Value stored_clear = clear == nullptr ? Value() : environment_of(session_, *clear);
    const Value stored_masked = masked == nullptr ? Value() : environment_of(session_, *masked);
    const Value whole =
        environment(read, stored_clear ? &stored_clear : nullptr, stored_masked ? &stored_masked : nullptr);
    return is_same_node(whole, read) ? sent : session_.arena().text(python::json(whole));
  }

  [[nodiscard]] Value files(const Value& sent) const {
    return with_entries(sent, [&](std::string_view name, const Value& text) { return file(name, text); });
  }

 private:
  /// The stored value of a hidden parameter: what is shown is masked.
  static const Value* stored(std::string_view parameter, const Value* clear, const Value* masked) {
    const Value* shown = optional_member(masked, parameter);
    return shown != nullptr && is_masked(*shown) ? optional_member(clear, parameter) : nullptr;
  }

  template <class Change>
  [[nodiscard]] Value with_entries(const Value& mapping, const Change& change) const {
    if (!mapping || !mapping.is_mapping()) return mapping;
    std::size_t at = 0;
    return with_members(session_.arena(), mapping, [&](const Value& value) {
      const Value& key = mapping.entries()[at++].key;
      return key.is_text() ? change(key.text(), value) : value;
    });
  }

  Session& session_;
  const Kept& kept_;
};

}  // namespace

std::unique_ptr<Session> session_of(const Call& call) {
  const Limits limits = call.core.limits(call);
  return std::make_unique<Session>(Snapshot::make(call.core.engine(), memory_tree({}), {.limits = limits}),
                                   SessionSettings{.limits = limits});
}

store::Stack find_stack(store::Transaction& transaction, const store::Project* project, std::string_view name,
                        std::string_view id) {
  std::optional<store::Stack> found;
  if (project != nullptr) found = store::find_stack(transaction, *project, id);
  if (!found || found->deleted_at || found->name != name) refuse_unknown_stack(name);
  return *std::move(found);
}

store::Stack find_stack(store::Transaction& transaction, const store::Project* project, std::string_view name_or_id) {
  std::optional<store::Stack> found;
  if (project != nullptr) {
    found = store::find_living_stack(transaction, *project, name_or_id);
    if (!found) found = store::find_stack(transaction, *project, name_or_id);
  }
  if (!found || found->deleted_at) refuse_unknown_stack(name_or_id);
  return *std::move(found);
}

Value read_state(Session& session, const store::Stack& stack) { return read_stored_json(session, stack.state); }

Kept read_kept(const Call& call, Session& session, Secrets secrets) {
  Kept out;
  store::SecretBytes hidden;
  const auto keys = secrets == Secrets::clear ? call.core.store().keys(false) : nullptr;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    out.stack = find_stack(transaction, project, call[kNameCapture], call[kIdCapture]);
    if (keys == nullptr || !out.stack.sealed) return;
    hidden = store::open_sealed(transaction, *keys,
                                {.project = project->name, .table = kStackTable, .id = *out.stack.sealed});
  });
  out.masked = read_state(session, out.stack);
  out.stack.state.clear();
  if (secrets == Secrets::masked) return out;
  out.clear = hidden.size() == 0
                  ? out.masked
                  : with_differences(session.arena(), out.masked, read_stored_json(session, hidden.view()));
  return out;
}

Sealing sealing_of(Session& session, const Value& clear, const Value& masked) {
  constexpr text::JsonStyle kStyle{.sort_keys = false, .indent = -1};
  Sealing out{.state = text::write_json(masked, kStyle), .hidden = {}};
  if (const Value hidden = differences(session.arena(), clear, masked)) out.hidden = text::write_json(hidden, kStyle);
  if (out.state.size() + out.hidden.size() > kLargestState) {
    refuse(400, "RequestLimitExceeded",
           fmt::format("A stack, with all its files, has at most {} bytes.", kLargestState));
  }
  return out;
}

std::optional<std::string> seal_hidden(const store::Keyring& keys, Writing& writing, const Sealing& sealing) {
  if (sealing.hidden.empty()) return std::nullopt;
  return store::add_sealed(writing.transaction, keys, writing.project.name, kStackTable, sealing.hidden);
}

Sent with_kept_values(Session& session, Sent sent, const Kept& kept) {
  const KeptValues values(session, kept);
  const auto replace = [&sent](Value& part, const Value& whole) {
    sent.has_kept_values = sent.has_kept_values || (part && !is_same_node(part, whole));
    part = whole;
  };
  sent.as_sent = {.environment = sent.environment, .parameters = sent.parameters, .files = sent.files};
  replace(sent.parameters,
          values.section(sent.parameters, "parameters", kept.clear.find("parameters"), kept.masked.find("parameters")));
  if (sent.environment.is_text()) {
    const Value text = sent.environment;
    if (text.text().find(report::kMask) != std::string_view::npos) {
      if (const Value read = environment_of(session, text)) sent.environment = read;
    }
  }
  if (sent.environment.is_mapping())
    replace(sent.environment, values.environment(sent.environment, kept.clear.find("base_environment"),
                                                 kept.masked.find("base_environment")));
  replace(sent.files, values.files(sent.files));
  return sent;
}

}  // namespace strata::service::stacks
