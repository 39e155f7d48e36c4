// SPDX-License-Identifier: Apache-2.0
#include "service/watch/results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "service/api/answers.hpp"
#include "service/api/values.hpp"
#include "service/json.hpp"
#include "service/names.hpp"
#include "strata/error.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"

namespace strata::service::watch {
namespace {

/// JSON without a line break.
std::string one_line(const Value& value) {
  std::string out;
  text::append_json(out, value, {.indent = -1});
  return out;
}

std::string quoted_json(std::string_view text) {
  std::string out;
  text::append_json_text(out, text);
  return out;
}

/// The items that all keys of a query can be of.
analysis::Wanted wanted_items(const Query& query, const analysis::Question& question) {
  if (query.keys.empty() || !question.traits().is_keyed) return std::nullopt;
  std::vector<std::string> out;
  for (const std::string& key : query.keys) {
    const analysis::Wanted names = api::wanted_for(question, key);
    out.insert(out.end(), names->begin(), names->end());
  }
  return out;
}

/// Events that are sent together. Each waits until it is known whether it is the last one.
class Together {
 public:
  Together(const Source::Ids& ids, const Source::Sink& sink) : ids_(ids), sink_(sink) {}
  void add(std::string_view name, std::string data) {
    tell(ids_.before);
    waiting_.emplace(name, std::move(data));
  }
  void end() { tell(ids_.now); }

 private:
  void tell(const std::string& id) {
    if (waiting_) sink_(event_text(id, waiting_->first, waiting_->second));
    waiting_.reset();
  }

  const Source::Ids& ids_;
  const Source::Sink& sink_;
  std::optional<std::pair<std::string, std::string>> waiting_;
};

}  // namespace

std::string Query::text() const {
  std::string out = fmt::format("{}\n{}\n", project, site);
  if (nodes) {
    for (const std::string& node : *nodes) out += fmt::format("n{}:{}", node.size(), node);
  } else {
    out += '*';
  }
  for (const std::string& key : keys) out += fmt::format("k{}:{}", key.size(), key);
  return out;
}

std::string event_text(std::string_view id, std::string_view name, std::string_view data) {
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", id, name, data);
}

std::vector<std::string> Source::nodes(const Query& query) const {
  if (query.nodes) return *query.nodes;
  std::vector<std::string> out = state_->nodes();
  for (const auto& [name, facts] : stored_) out.push_back(name);
  sort_once(out);
  return out;
}

void Source::ask(const Query& query, const std::string& node, const Stop& stop, const Use& use) const {
  Arena arena;
  const auto failed = [&](const std::string& key, const Error& error) {
    const Value failure =
        json_object(arena, {{"code", arena.text(error.code())}, {"detail", arena.text(error.what())}});
    const std::string members = fmt::format("\"error\": {}", one_line(failure));
    use(key, entity_tag(members), members, true);
  };
  const auto found = [&](const std::string& key, const Value& value) {
    use(key, api::result_tag(arena, *state_, key, value),
        fmt::format("\"value\": {}", one_line(api::redacted(arena, value))), false);
  };
  const auto all_failed = [&](const Error& error) {
    if (error.ends_request()) throw Error(error.diagnostic());
    if (query.keys.empty()) return failed("", error);
    for (const std::string& key : query.keys) failed(key, error);
  };
  const auto ask_key = [&](const analysis::Outcome& outcome, const std::string& key) {
    try {
      const std::optional<api::Result> result = api::part(state_->question(), outcome, key);
      if (!result) throw api::missing_key(state_->question(), query.site, key, node);
      found(key, result->value);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      failed(key, error);
    }
  };
  // What fails is caught here, so that the subject can be used again.
  const auto ask_subject = [&](analysis::Subject& subject) {
    try {
      const analysis::Subject::Answer answer = subject.ask(wanted_items(query, state_->question()));
      if (query.keys.empty()) return found("", api::whole(arena, answer.outcome).value);
      for (const std::string& key : query.keys) ask_key(answer.outcome, key);
    } catch (const Error& error) {
      all_failed(error);
    }
  };
  try {
    if (state_->with_subject(node, analysis::Question::History::no, stop, ask_subject)) return;
    const auto stored = stored_.find(node);
    if (stored == stored_.end()) return all_failed(Error("site.node", fmt::format("unknown node '{}'", node)));
    state_->with_facts(stored->second, analysis::Question::History::no, stop, ask_subject);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    all_failed(error);
  }
}

Tags Source::tags(const Query& query, const Stop& stop) const {
  Tags out;
  const std::vector<std::string> all = nodes(query);
  if (all.size() * std::max<std::size_t>(1, query.keys.size()) > kMostResults) {
    throw Error("site.watch", fmt::format("at most {} results are watched at once", kMostResults))
        .hint("fewer nodes or keys");
  }
  for (const std::string& node : all) {
    stop.check();
    ask(query, node, stop, [&](const std::string& key, const std::string& tag, const std::string&, bool) {
      out.insert_or_assign({node, key}, tag);
    });
  }
  return out;
}

void Source::tell(const Query& query, const Tags* from, const Tags& to, const Ids& ids, bool with_values,
                  const Stop& stop, const Sink& sink) const {
  const std::string_view name = from == nullptr ? "snapshot" : "changed";
  Together together(ids, sink);
  const auto begin_of = [](const std::string& node, const std::string& key) {
    return key.empty() ? fmt::format(R"({{"node": {})", quoted_json(node))
                       : fmt::format(R"({{"node": {}, "key": {})", quoted_json(node), quoted_json(key));
  };
  const auto differs = [&](const Tags::value_type& one) {
    if (from == nullptr) return true;
    const auto before = from->find(one.first);
    return before == from->end() || before->second != one.second;
  };
  for (auto at = to.begin(); at != to.end();) {
    const std::string& node = at->first.first;
    auto end = at;
    bool is_new = false;
    for (; end != to.end() && end->first.first == node; ++end) is_new = is_new || differs(*end);
    at = end;
    if (!is_new) continue;
    stop.check();
    std::vector<std::pair<std::string_view, std::string>>
        events;  // Sent when the node is free again: the receiver may be slow.
    ask(query, node, stop,
        [&](const std::string& key, const std::string& tag, const std::string& members, bool is_error) {
          const auto now = to.find({node, key});
          if (now == to.end() || !differs(*now)) return;
          std::string data =
              fmt::format("{}, \"etag\": {}{}{}}}", begin_of(node, key), quoted_json(bare_tag(tag)),
                          with_values || is_error ? ", " : "", with_values || is_error ? members : std::string());
          events.emplace_back(is_error ? "error" : name, std::move(data));
        });
    for (auto& [called, data] : events) together.add(called, std::move(data));
  }
  static const Tags nothing;
  for (const auto& [place, tag] : from == nullptr ? nothing : *from) {
    if (to.contains(place)) continue;
    together.add("error", begin_of(place.first, place.second) +
                              R"(, "error": {"code": "site.node", "detail": "the node is gone"}})");
  }
  together.end();
}

}  // namespace strata::service::watch
