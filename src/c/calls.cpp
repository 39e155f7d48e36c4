// SPDX-License-Identifier: Apache-2.0
// The functions of strata.h that have no other place.
#include <array>
#include <map>
#include <optional>
#include <string>

#include "files.hpp"
#include "guarded.hpp"
#include "options.hpp"
#include "project.hpp"
#include "results.hpp"
#include "state.hpp"
#include "strata/analysis.hpp"
#include "strata/file_tree.hpp"
#include "strata/version.hpp"
#include "value/in_order.hpp"

namespace {

using strata::Stop;
using strata::c::guarded;
using strata::c::JsonObject;
using strata::c::misuse;
using strata::c::on_deep_stack;
using strata::c::on_deepest_stack;
using strata::c::ResultHandle;
using strata::c::shielded;
using strata::c::State;
using strata::c::Stopped;
using strata::c::text_of;
using strata::c::view;

void need(const void* pointer, const char* name) {
  if (pointer == nullptr) misuse("call.null", std::string("'") + name + "' is NULL");
}
void need_text(strata_text text, const char* name) {
  if (text.data == nullptr && text.size != 0)
    misuse("call.null", std::string("'") + name + "' has NULL data and a size");
}

/// Work on a project. A bug in it leaves the project broken.
template <class Work>
strata_status on_project(strata_project* project, strata_error** error, const Work& work) noexcept {
  const strata_status status = guarded(error, [&] {
    need(project, "project");
    if (project->is_broken.load(std::memory_order_relaxed))
      throw std::runtime_error("an earlier call with this project met one");
    work();
  });
  if (status == STRATA_BUG && project != nullptr) project->is_broken.store(true, std::memory_order_relaxed);
  return status;
}

/// Work on a project that makes a result.
template <class Work>
strata_status give(strata_project* project, strata_cancel* cancel, strata_result** result, strata_error** error,
                   const Work& work) noexcept {
  if (result != nullptr) *result = nullptr;
  return on_project(project, error, [&] {
    need(result, "result");
    project->ask(cancel, [&](const Stop* stop) { *result = work(*project->state(), stop).release(); });
  });
}

/// A text of a result; no text where it cannot be made.
template <class Make>
strata_text made(const strata_result* result, const Make& make) noexcept {
  if (result == nullptr) return strata::c::kNoText;
  return shielded(strata::c::kNoText, [&] {
    std::string_view text;
    on_deep_stack(result->levels(), [&] { text = make(); });
    return text_of(text);
  });
}

struct ErrorFree {
  void operator()(strata_error* error) const noexcept { strata_error_free(error); }
};

/// The result or the error of a node.
struct NodeResult {
  std::string subject;
  ResultHandle result = {};
  std::unique_ptr<strata_error, ErrorFree> error = {};
};

/// The answer about texts in memory.
ResultHandle merged(std::string_view request, strata_cancel* cancel) {
  const JsonObject object("the request", "call.options", request);
  constexpr std::array<std::string_view, 3> kMore{"files", "subject", "query"};
  const auto options = strata::c::read_project_options(object, kMore);
  std::map<std::string, std::string> texts;
  for (auto& [path, text] : object.edits("files")) {
    if (text) texts.emplace(path, *text);
  }
  const strata::Value* subject = object.fields().text("subject");
  const strata::Value* query = object.fields().mapping("query");
  const std::string asked = query == nullptr ? std::string() : strata::text::write_json(*query, {.indent = -1});
  ResultHandle out;
  const strata_project project(options, strata::memory_tree(std::move(texts)), false);
  project.ask(cancel, [&](const Stop* stop) {
    out = project.state()->get(subject == nullptr ? std::string_view() : subject->text(), asked, stop);
  });
  return out;
}

}  // namespace

uint32_t strata_abi_version(void) { return STRATA_ABI_VERSION; }
strata_text strata_version(void) { return text_of(strata::version()); }

strata_status strata_project_open(strata_text options, const strata_files* files, strata_project** project,
                                  strata_error** error) {
  if (project != nullptr) *project = nullptr;
  return guarded(error, [&] {
    need(project, "project");
    need_text(options, "options");
    auto tree = files == nullptr ? nullptr : strata::c::caller_tree(*files);
    on_deepest_stack([&] {
      const JsonObject object("the options", "call.options", view(options));
      *project = new strata_project(strata::c::read_project_options(object), std::move(tree), true);
    });
  });
}

void strata_project_free(strata_project* project) { delete project; }

strata_status strata_project_refresh(strata_project* project, strata_error** error) {
  return on_project(project, error, [&] { project->refresh(); });
}

strata_status strata_project_copy(strata_project* project, strata_project** copy, strata_error** error) {
  if (copy != nullptr) *copy = nullptr;
  return on_project(project, error, [&] {
    need(copy, "copy");
    *copy = project->copy().release();
  });
}

strata_status strata_project_subjects(strata_project* project, int32_t (*each)(void* self, strata_text name),
                                      void* self, strata_error** error) {
  return strata_project_subjects_with_cancel(project, each, self, nullptr, error);
}

strata_status strata_project_subjects_with_cancel(strata_project* project,
                                                  int32_t (*each)(void* self, strata_text name), void* self,
                                                  strata_cancel* cancel, strata_error** error) {
  return on_project(project, error, [&] {
    if (each == nullptr) misuse("call.null", "'each' is NULL");
    const auto state = project->state();
    const std::vector<std::string>* names = nullptr;
    project->ask(cancel, [&](const Stop* stop) { names = &state->subjects(stop); });
    for (const std::string& name : *names) {
      if (cancel != nullptr) cancel->stop.check();
      if (each(self, text_of(name)) != 0) throw Stopped();
    }
  });
}

strata_status strata_project_get(strata_project* project, strata_text subject, strata_text query, strata_cancel* cancel,
                                 strata_result** result, strata_error** error) {
  if (result != nullptr) *result = nullptr;
  return on_project(project, error, [&] {
    need(result, "result");
    need_text(subject, "subject");
    need_text(query, "query");
    if (cancel != nullptr) cancel->stop.check();
    const auto state = project->state();
    ResultHandle known = state->kept(view(subject), view(query));
    if (!known) project->ask(cancel, [&](const Stop* stop) { known = state->get(view(subject), view(query), stop); });
    *result = known.release();
  });
}

strata_status strata_project_known(strata_project* project, strata_text subject, strata_text query,
                                   strata_result** result, strata_error** error) {
  if (result != nullptr) *result = nullptr;
  return on_project(project, error, [&] {
    need(result, "result");
    need_text(subject, "subject");
    need_text(query, "query");
    *result = project->state()->kept(view(subject), view(query)).release();
  });
}

strata_status strata_project_all(strata_project* project, strata_text query,
                                 int32_t (*each)(void* self, strata_text subject, const strata_result* result,
                                                 const strata_error* error),
                                 void* self, strata_cancel* cancel, strata_error** error) {
  return on_project(project, error, [&] {
    if (each == nullptr) misuse("call.null", "'each' is NULL");
    need_text(query, "query");
    project->deep([&] { (void)strata::c::read_query(view(query)); });
    const auto state = project->state();
    project->ask_here(cancel, [&](const Stop* stop) {
      const std::vector<std::string>* listed = nullptr;
      project->deep([&] { listed = &state->subjects(stop); });
      const std::vector<std::string>& names = *listed;
      const auto work = [&](const std::string* name) {
        NodeResult out{.subject = *name};
        try {
          project->deep([&] { out.result = state->get(*name, view(query), stop); });
        } catch (const strata::Error& failure) {
          if (!strata::analysis::is_failure(failure)) throw;
          out.error.reset(strata::c::make_error(std::current_exception(), strata::c::status_of(failure)));
          if (!out.error) throw std::bad_alloc();
        }
        return out;
      };
      strata::detail::InOrder<const std::string*, NodeResult> answers(
          project->site().executor, project->site().limits.depth,
          [&, next = std::size_t{0}]() mutable {
            return next == names.size() ? std::nullopt : std::optional(&names[next++]);
          },
          work);
      while (auto answer = answers.next()) {
        stop->check();
        if (each(self, text_of(answer->subject), answer->result.get(), answer->error.get()) != 0) throw Stopped();
      }
    });
  });
}

strata_status strata_project_check(strata_project* project, strata_text options, strata_result** findings,
                                   strata_error** error) {
  return strata_project_check_with_cancel(project, options, nullptr, findings, error);
}

strata_status strata_project_check_with_cancel(strata_project* project, strata_text options, strata_cancel* cancel,
                                               strata_result** findings, strata_error** error) {
  return give(project, cancel, findings, error, [&](State& state, const Stop* stop) {
    need_text(options, "options");
    return state.check(view(options), stop);
  });
}

strata_status strata_project_impact(strata_project* project, strata_text edits, strata_cancel* cancel,
                                    strata_result** effects, strata_error** error) {
  return give(project, cancel, effects, error, [&](State& state, const Stop* stop) {
    need_text(edits, "edits");
    return state.impact(view(edits), stop);
  });
}

strata_status strata_project_diff(strata_project* project, strata_text options, strata_cancel* cancel,
                                  strata_result** changes, strata_error** error) {
  return give(project, cancel, changes, error, [&](State& state, const Stop* stop) {
    need_text(options, "options");
    return state.diff(view(options), stop);
  });
}

strata_status strata_merge(strata_text request, strata_result** result, strata_error** error) {
  return strata_merge_with_cancel(request, nullptr, result, error);
}

strata_status strata_merge_with_cancel(strata_text request, strata_cancel* cancel, strata_result** result,
                                       strata_error** error) {
  if (result != nullptr) *result = nullptr;
  return guarded(error, [&] {
    need(result, "result");
    need_text(request, "request");
    if (cancel != nullptr) cancel->stop.check();
    on_deepest_stack([&] { *result = merged(view(request), cancel).release(); });
  });
}

const strata_value* strata_result_value(const strata_result* result) {
  if (result == nullptr) return nullptr;
  return shielded<const strata_value*>(nullptr, [&] {
    const strata::Value* value = nullptr;
    on_deep_stack(result->levels(), [&] { value = result->value(); });
    return reinterpret_cast<const strata_value*>(value);
  });
}

strata_text strata_result_json(const strata_result* result) {
  return made(result, [&]() -> const std::string& { return result->json(); });
}
strata_text strata_result_yaml(const strata_result* result) {
  return made(result, [&]() -> const std::string& { return result->yaml(); });
}
strata_text strata_result_text(const strata_result* result) {
  return made(result, [&]() -> const std::string& { return result->text(); });
}
strata_text strata_result_blame(const strata_result* result) {
  return made(result, [&]() -> const std::string& { return result->blame(); });
}
strata_text strata_result_warnings(const strata_result* result) {
  return made(result, [&]() -> const std::string& { return result->warnings(); });
}

strata_status strata_result_explain(const strata_result* result, strata_text pointer, strata_text* json,
                                    strata_error** error) {
  if (json != nullptr) *json = strata::c::kNoText;
  return guarded(error, [&] {
    need(result, "result");
    need(json, "json");
    need_text(pointer, "pointer");
    on_deep_stack(result->levels(), [&] { *json = text_of(result->explain(view(pointer))); });
  });
}

int32_t strata_result_is_secret(const strata_result* result, strata_text pointer) {
  if (result == nullptr || (pointer.data == nullptr && pointer.size != 0)) return 0;
  return shielded(0, [&] {
    bool is_secret = false;
    on_deep_stack(result->levels(), [&] { is_secret = result->is_secret(view(pointer)); });
    return is_secret ? 1 : 0;
  });
}

strata_result* strata_result_hold(const strata_result* result) {
  // What is handed out changes nothing but the number of its holders.
  auto* held = const_cast<strata_result*>(result);  // NOLINT(cppcoreguidelines-pro-type-const-cast): see above
  if (held != nullptr) held->hold();
  return held;
}

void strata_result_free(strata_result* result) {
  if (result != nullptr) result->let_go();
}

strata_cancel* strata_cancel_new(void) {
  return shielded<strata_cancel*>(nullptr, [] { return new strata_cancel(); });
}
void strata_cancel_trigger(strata_cancel* cancel) {
  if (cancel != nullptr) cancel->stop.cancel();
}
void strata_cancel_free(strata_cancel* cancel) { delete cancel; }
