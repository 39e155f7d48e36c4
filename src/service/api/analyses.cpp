#include "service/api/analyses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "service/api/answers.hpp"
#include "service/api/trees.hpp"
#include "service/core.hpp"
#include "service/json.hpp"
#include "strata/check.hpp"
#include "strata/proposals.hpp"
#include "strata/study.hpp"
#include "strata/text.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kNames = 5;  ///< Of each group, if nobody asks for more.
constexpr std::size_t kMostPlaces = 1000;
constexpr std::size_t kMostProposals = 100;

/// The body of an analysis: an object, or nothing.
class Question {
 public:
  explicit Question(const Call& call) {
    if (call.request.body.empty()) return;
    json_ = read_json_body(call);
    if (!json_.root().is_mapping()) throw Error("request.body", "the body is an object");
  }

  [[nodiscard]] const Value* find(std::string_view name) const { return json_.sources == nullptr ? nullptr : json_.root().find(name); }
  [[nodiscard]] std::string text(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr) return {};
    if (!value->is_text()) throw Error("request.body", fmt::format("'{}' is a text", name));
    return std::string(value->text());
  }
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const {
    std::vector<std::string> out;
    const Value* list = find(name);
    if (list == nullptr) return out;
    if (!list->is_sequence()) throw Error("request.body", fmt::format("'{}' is a list of texts", name));
    for (const Value& item : list->items()) {
      if (!item.is_text()) throw Error("request.body", fmt::format("'{}' is a list of texts", name));
      out.emplace_back(item.text());
    }
    return out;
  }
  /// Unsaved edits, by absolute path.
  [[nodiscard]] Edits changes() const {
    Edits out;
    const Value* list = find("changes");
    if (list == nullptr) return out;
    for (auto& [path, text] : read_changes(*list)) out.emplace("/" + path, std::move(text));
    return out;
  }

 private:
  JsonBody json_;
};

analysis::StudySettings settings_of(const Call& call, const Question& question, const Edits& edits) {
  analysis::StudySettings out{.how = {.stop = &call.stop}, .only = question.texts("only"), .folder = "/"};
  for (const auto& [path, text] : edits) out.edited.paths.insert(path);
  out.edited.no_others = true;
  return out;
}

Response report_response(const Value& data) { return json_response(data); }

}  // namespace

Response diff_site(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  const Question question(call);
  const Edits edits = question.changes();
  analysis::Study study(state->question(), state->state(), state->edited(edits), settings_of(call, question, edits));
  Arena arena;
  return report_response(analysis::diff_data(arena, study.diff()));
}

Response impact_of(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  const Question question(call);
  const Edits edits = question.changes();
  const std::string by = question.text("by");
  const auto group = by == "change" ? analysis::GroupBy::change : by == "path" ? analysis::GroupBy::path : analysis::GroupBy::effect;
  analysis::Study study(state->question(), state->state(), state->edited(edits), settings_of(call, question, edits));
  const std::size_t names = call.request.query.number("names", 1'000'000).value_or(kNames);
  Arena arena;
  return report_response(analysis::impact_data(arena, study.impact(group), names));
}

Response check_site(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  const Question question(call);
  analysis::CheckSettings settings{.folder = "/", .limits = call.core.limits(call), .consumers = question.texts("consumers")};
  const std::vector<std::string> wanted = question.texts("select");
  for (const std::string& one : wanted) {
    const analysis::FindingCode* code = analysis::find_code(one);
    if (code == nullptr) throw Error("request.body", fmt::format("there is no finding '{}'", one)).hint(analysis::code_hint(one, {}));
    settings.codes.emplace(code->name);
  }
  for (const analysis::FindingCode& code : analysis::finding_codes()) {
    if (wanted.empty() && !(code.needs_fleet && state->question().lacks_fleet())) settings.codes.emplace(code.name);
  }
  const Edits edits = question.changes();
  const analysis::CheckReport report = analysis::check(state->question(), edits.empty() ? state->state() : state->edited(edits), settings);
  Arena arena;
  return report_response(analysis::check_data(arena, report));
}

Response propose_edits(const Call& call, sites::Sites& sites) {
  const auto state = sites.state(call, call[0]);
  const Question question(call);
  analysis::Wish wish{.item = question.text("item"), .path = question.text("path")};
  if (wish.item.empty()) throw Error("request.body", "'item' names what is to have a value");
  if (const Value* value = question.find("value")) {
    wish.value = *value;
    wish.spelling = text::write_json(*value, {.indent = -1});
    wish.spelling.pop_back();
  }
  const analysis::ProposalSettings settings{.selectors = question.texts("for"),
                                            .folder = "/",
                                            .how = {.stop = &call.stop},
                                            .limits = call.core.limits(call),
                                            .most = std::min(kMostProposals, call.request.query.number("proposals", kMostProposals).value_or(3))};
  const Edits edits = question.changes();
  const analysis::ProposalReport report = analysis::propose(state->question(), edits.empty() ? state->state() : state->edited(edits), wish, settings);
  Arena arena;
  return report_response(analysis::proposals_data(arena, report));
}

Response search_site(const Call& call, sites::Sites& sites) {
  const std::string* wanted = call.request.query.find("q");
  if (wanted == nullptr || wanted->empty()) throw Error("request.query", "'q' is the text to look for");
  // Texts of files may hold what only evaluation shows to be secret.
  if (!call.may("strata:tree.write")) call.demand("strata:secret.read");
  const auto state = sites.state(call, call[0]);
  Arena arena;
  SequenceBuilder places(arena);
  bool is_cut = false;
  for (const std::string& path : sites::paths_of(state->tree())) {
    call.stop.check();
    const std::optional<std::string> text = state->tree().read("/" + path);
    if (!text) continue;
    std::size_t line = 1;
    std::size_t counted = 0;
    for (std::size_t at = text->find(*wanted); at != std::string::npos; at = text->find(*wanted, at + 1)) {
      if (places.size() == kMostPlaces) {
        is_cut = true;
        break;
      }
      line += static_cast<std::size_t>(
          std::count(text->begin() + static_cast<std::ptrdiff_t>(counted), text->begin() + static_cast<std::ptrdiff_t>(at), '\n'));
      counted = at;
      const std::size_t begin = at == 0 ? 0 : text->rfind('\n', at - 1) + 1;
      const std::size_t end = std::min(text->find('\n', at), text->size());
      constexpr std::size_t kShown = 200;
      MappingBuilder place(arena);
      place.insert("file", arena.text(path));
      place.insert("line", Value::integer(static_cast<std::int64_t>(line)));
      place.insert("text", arena.text(std::string_view(*text).substr(begin, std::min(end - begin, kShown))));
      places.append(place.finish());
    }
    if (is_cut) break;
  }
  MappingBuilder out(arena);
  out.insert("places", places.finish());
  out.insert("truncated", Value::boolean(is_cut));
  out.insert("site", site_value(arena, call[0], *state));
  return json_response(out.finish());
}

}  // namespace strata::service::api
