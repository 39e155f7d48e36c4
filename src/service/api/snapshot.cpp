// SPDX-License-Identifier: Apache-2.0
#include "service/api/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "service/api/answers.hpp"
#include "service/api/stored_nodes.hpp"
#include "service/api/values.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "service/names.hpp"
#include "service/packing.hpp"
#include "service/sites/site_settings.hpp"
#include "service/streaming.hpp"
#include "store/encoding.hpp"
#include "strata/error.hpp"
#include "strata/stop.hpp"
#include "tree/sha256.hpp"

namespace strata::service::api {
namespace {

/// The nodes that are asked for, in byte order.
std::vector<std::string> snapshot_nodes(const Call& call, const sites::SiteState& state) {
  std::vector<std::string> out;
  if (const std::string* wanted = call.request.query.find("nodes")) {
    for (std::size_t begin = 0; begin <= wanted->size();) {
      const std::size_t end = std::min(wanted->find(',', begin), wanted->size());
      out.push_back(wanted->substr(begin, end - begin));
      (void)find_node(call, state, out.back());
      begin = end + 1;
    }
  } else {
    out = all_nodes(call, call[0], state);
  }
  sort_once(out);
  if (const std::string* after = call.request.query.find("after")) {
    out.erase(out.begin(), std::ranges::upper_bound(out, *after));
  }
  return out;
}

/// Names the generation of a state for a client that continues later. The store counts the generations of uploads. Each
/// process counts those of other sites from the start: the commit, or the process, distinguishes them.
std::string mark_of(const sites::Site& site, const sites::SiteState& state) {
  constexpr std::size_t kLength = 12;
  if (site.kind == sites::kUpload) return std::to_string(state.generation());
  static const std::string process = sha256_text(store::new_uuid());
  return fmt::format("{}-{}", state.generation(),
                     (state.commit().empty() ? process : state.commit()).substr(0, kLength));
}

/// The number alone, as descriptions have it, distinguishes the states of one process.
void check_mark(const Call& call, const std::string& present) {
  const std::string* wanted = call.request.query.find("generation");
  if (wanted == nullptr || *wanted == present || *wanted == present.substr(0, present.find('-'))) return;
  throw Error("site.generation", fmt::format("the site has generation {} now, not {}", present, *wanted))
      .hint("begin again, without 'after' and 'generation'");
}

std::string node_line(const sites::SiteState& state, const NodeSource& node, const Form& form, const Stop& stop) {
  Arena arena;
  const auto begun = [&] {
    MappingBuilder out(arena);
    out.insert("node", arena.text(node.name));
    return out;
  };
  try {
    analysis::Subject::Answer answer;  // Its values are written when the subject is gone.
    MappingBuilder line = begun();
    with_subject(state, node, analysis::Question::History::no, stop, [&](analysis::Subject& subject) {
      answer = subject.ask(std::nullopt);
      const Result result = whole(arena, answer.outcome);
      add_result(line, arena, answer.outcome, result, form);
      line.insert("etag", arena.text(bare_tag(result_tag(arena, state, {}, result.value))));
    });
    return text::write_json(line.finish(), {.indent = -1});
  } catch (const Error& error) {  // Also of a value that JSON cannot write.
    if (error.ends_request()) throw;
    MappingBuilder line = begun();
    line.insert("error",
                json_object(arena, {{"code", arena.text(error.code())}, {"detail", arena.text(error.what())}}));
    return text::write_json(line.finish(), {.indent = -1});
  }
}

}  // namespace

Response snapshot_site(const Call& call, sites::Sites& sites) {
  const sites::Site site = sites.find(call, call[0]);
  const auto state = sites::state_of(site);
  const std::string mark = mark_of(site, *state);
  check_mark(call, mark);
  Form form = form_of(call);
  form.explain.reset();
  if (form.cleartext) call.core.audit(call, "secrets in clear text");
  Response out = streamed(
      "application/jsonl",
      [state, form, &store = call.core.store(), project = call.project, name_of_site = call[0],
       nodes = snapshot_nodes(call, *state)](Pieces& pieces, const Stop& stop) {
        for (const std::string& name : nodes) {
          stop.check();
          NodeSource node{.name = name};
          if (!state->has_node(name))
            node.stored = stored_node(store, project, name_of_site, name, stop);  // One by one: facts may be many.
          pieces.push(node_line(*state, node, form, stop));
        }
      },
      error_line, takes_gzip(call.request) && !form.cleartext);
  out.headers.set("Strata-Generation", mark);
  if (form.cleartext) out.headers.set("Cache-Control", "no-store");
  return out;
}

}  // namespace strata::service::api
