// SPDX-License-Identifier: Apache-2.0
#include "actions.hpp"

#include <fmt/format.h>

#include "deckhand/path/write.hpp"

namespace strata::deckhand {
namespace {

using merge::Traced;

class Actions {
 public:
  Actions(const Document& document, const Traced& child, merge::Accumulator& data, Expressions& expressions,
          Rendering& rendering, Compat compat)
      : document_(document),
        child_(child),
        data_(data),
        expressions_(expressions),
        rendering_(rendering),
        compat_(compat) {}

  void run(const Value& action) {
    const std::string_view method = action.find("method")->text();
    const merge::Following following(rendering_.session.recorder(), [&] {
      return merge::Rule{.text = std::string(method), .option = action.origin()};
    });
    const Value& written = *action.find("path");
    const PathExpression& path = expressions_.get(action_path(written.text(), compat_));
    if (method == "delete") {
      const std::optional<Erased> erased = erase(data_, path, {written, child_.slot}, compat_, rendering_);
      if (!erased) throw missing(method, written, "the parent has nothing there");
      if (erased->shipped) warn_of_equal(*erased, written);
      return;
    }
    const auto value = path.read(child_, rendering_);
    if (!value || value->value.is_null()) throw missing(method, written, "its own data have nothing there");
    if (method == "merge" && merges_in_place(path, *value)) return;
    write(data_, path, method == "merge" ? merged(path, *value) : *value, rendering_);
  }

 private:
  static Error missing(std::string_view method, const Value& path, std::string_view why) {
    constexpr std::size_t kShown = 200;  // Paths are ASCII as far as they make sense; the place shows the rest.
    return Error("deckhand.missing",
                 fmt::format("the action '{}' at the path '{}{}' fails: {}", method, path.text().substr(0, kShown),
                             path.text().size() > kShown ? "…" : "", why));
  }

  void warn_of_equal(const Erased& erased, const Value& path) {
    const Sources& sources = rendering_.session.sources();
    const std::string here = erased.match.path.pointer();
    const std::string there = erased.shipped->path.pointer();
    Diagnostic warning = diagnostic(
        sources, "deckhand.delete-equal",
        fmt::format("{}: the action 'delete' removes {}; Deckhand itself removes {}, the first value that is equal",
                    document_.identity().to_string(), here, there),
        path.origin(), "--compat shipped does what Deckhand does", document_.lines());
    // The lines are those of other documents, whose data may be secret.
    warning.notes.push_back(note(sources, erased.match.value.origin(), "what is removed", Lines::hidden));
    warning.notes.push_back(note(sources, erased.shipped->value.origin(), "what Deckhand removes", Lines::hidden));
    rendering_.session.diagnostics().warn(std::move(warning));
  }

  /// Where one mapping meets another: it stays, and so does all in it that is not replaced.
  bool merges_in_place(const PathExpression& path, const Traced& value) {
    if (!value.value.is_mapping()) return false;
    const auto matches = path.find(data_.current().value, rendering_);
    if (matches.empty() || matches.front().is_part || !matches.front().value.is_mapping()) return false;
    if (matches.size() > 1 && !data_.shares()) return false;
    const auto& steps = matches.front().path.steps();
    data_.merge_at(steps, value, merge::deep_replace());
    if (!data_.shares()) return true;
    // The reference merges into what others may hold, and leaves a copy of it, one level deep, in its place.
    const Traced merged = data_.copy(*data_.at(steps));
    if (matches.size() == 1) {
      if (!steps.empty()) data_.revise(steps, merged);
    } else {
      write(data_, path, merged, rendering_);
    }
    return true;
  }

  /// What is written to all places of a path that leads to several: the first of them, merged.
  Traced merged(const PathExpression& path, const Traced& value) {
    const auto old = path.read(data_.current(), rendering_);
    if (!old || !old->value.is_mapping() || !value.value.is_mapping()) return value;
    data_.checkpoint();
    return merge::merge(*old, value, merge::deep_replace(), rendering_.arena, rendering_.session.limits(),
                        rendering_.session.recorder());
  }

  const Document& document_;
  const Traced& child_;
  merge::Accumulator& data_;
  Expressions& expressions_;
  Rendering& rendering_;
  Compat compat_;
};

}  // namespace

void run_actions(const Document& document, const Document& base, const Traced& child, merge::Accumulator& data,
                 Expressions& expressions, Rendering& rendering, Compat compat) {
  Actions actions(document, child, data, expressions, rendering, compat);
  for (const Value& action : document.actions.items()) {
    try {
      actions.run(action);
    } catch (const Error& error) {
      if (!error.diagnostic().where.place.file.empty()) throw;
      Diagnostic told = error.diagnostic();
      told.message += fmt::format(" (layered on {})", base.identity().to_string());
      told.where = note(rendering.session.sources(), action.find("path")->origin(), {}, document.lines());
      throw Error(std::move(told));
    }
  }
}

}  // namespace strata::deckhand
