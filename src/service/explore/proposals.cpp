// SPDX-License-Identifier: Apache-2.0
// Where a value may be written so that some subjects get it.
#include "strata/proposals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/json.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kProposals = 3;
constexpr std::size_t kMostListedProposals = 20;

/// How the files that can state an item read a value. Error `set.verb` where there are none.
const text::Profile& profile_for(const View& view, const analysis::State& state, const std::string& item) {
  const auto asked = view.question().in(state);
  while (const auto subject = asked->next()) {
    const std::vector<analysis::ConfigurationFile> files = subject->files()->editable(item);
    if (files.empty()) continue;
    const auto has_profile = [](const analysis::ConfigurationFile& file) { return file.form.profile != nullptr; };
    const auto found = std::ranges::find_if(files, has_profile);
    return found == files.end() ? text::pyyaml() : *found->form.profile;
  }
  throw analysis::no_files_to_set();
}

std::vector<std::string> selectors_of(const Value& body) {
  std::vector<std::string> out;
  const Value* list = body.find("for");
  if (list == nullptr || list->is_null()) return out;
  const bool is_right =
      list->is_sequence() && std::ranges::all_of(list->items(), [](const Value& one) { return one.is_text(); });
  if (!is_right) throw Error("request.body", "'for' is a list of names or facts, as texts");
  for (const Value& one : list->items()) out.emplace_back(one.text());
  return out;
}

std::size_t count_of(const Value& body) {
  const Value* count = body.find("proposals");
  if (count == nullptr || count->is_null()) return kProposals;
  const bool is_right = count->kind() == Kind::integer && count->as_integer() > 0 &&
                        count->as_integer() <= static_cast<std::int64_t>(kMostListedProposals);
  if (!is_right) throw Error("request.body", fmt::format("'proposals' is a number from 1 to {}", kMostListedProposals));
  return static_cast<std::size_t>(count->as_integer());
}

}  // namespace

Response propose_edits(const Call& call, Source& source) {
  const JsonBody json = read_json_body(call);
  const Value& body = json.root();
  if (!body.is_mapping() || body.find("item") == nullptr)
    throw Error("request.body", "the body is an object with 'item', and 'value' as YAML");
  const auto view = source.view(call, call[0], text_member(body, "at"));
  const Value* files = body.find("files");
  source.check_draft(call, call[0]);  // Whether a node has the value already says what it has.
  const Edits draft = files == nullptr || files->is_null() ? Edits() : read_draft(*view, *files);
  analysis::State state = analysis::edited(view->state(), draft, view->form().folder);
  state.stop = &call.stop;

  analysis::Wish wish{
      .item = text_member(body, "item"), .path = text_member(body, "path"), .spelling = text_member(body, "value")};
  const text::Profile& profile = profile_for(*view, state, wish.item);
  Sources sources;
  text::Document document;
  // Without a value, there is to be nothing.
  if (const Value* value = body.find("value"); value != nullptr && !value->is_null()) {
    document = text::read_yaml(sources, sources.add("<value>", wish.spelling), profile, view->form().limits);
    wish.value = document.root ? document.root : Value::null();
  }
  const analysis::ProposalSettings settings{
      .selectors = selectors_of(body),
      .folder = view->form().folder,
      .how = {.sort_keys = view->question().wording().sort_keys, .stop = &call.stop},
      .limits = view->form().limits,
      .most = count_of(body)};
  const analysis::ProposalReport report = analysis::propose(view->question(), state, wish, settings);

  Arena arena;
  const Value data = analysis::proposals_data(arena, report);
  SequenceBuilder proposals(arena, report.proposals.size());
  const std::span<const Value> told = data.find("proposals")->items();
  for (std::size_t i = 0; i < report.proposals.size(); ++i) {
    MappingBuilder one = MappingBuilder::copy_of(arena, told[i]);
    MappingBuilder texts(arena);
    bool is_shown = true;
    for (const analysis::ProposedEdit& edit : report.proposals[i].edits) {
      is_shown = is_shown && !edit.has_secret_name &&
                 (!edit.before || draft.contains(edit.path) || is_open(*view, edit.path, call.stop));
      texts.insert(edit.file, arena.text(edit.after));
    }
    // Texts with secrets do not leave the service: the names of the files must do.
    one.insert("files", is_shown ? texts.finish() : Value::null());
    if (!is_shown) one.insert("diff", Value::null());
    proposals.append(one.finish());
  }
  MappingBuilder out(arena);
  for (const std::string_view member : {"item", "path", "value", "selected", "already"})
    out.insert(member, shown_value(arena, *data.find(member)));
  out.insert("of", number(report.total));
  out.insert("proposals", proposals.finish());
  out.insert("rejected", *data.find("rejected"));
  return answer(call, out, view->form().generation);
}

}  // namespace strata::service::explore
