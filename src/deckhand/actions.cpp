#include "actions.hpp"

#include <fmt/format.h>

#include "deckhand/path/write.hpp"

namespace strata::deckhand {
namespace {

using merge::Traced;

class Actions {
 public:
  Actions(const Traced& child, merge::Accumulator& data, Expressions& expressions, RenderContext& context, Compat compat)
      : child_(child), data_(data), expressions_(expressions), context_(context), compat_(compat) {}

  void run(const Value& action) {
    const std::string_view method = action.find("method")->text();
    const Value& written = *action.find("path");
    const PathExpression& path = expressions_.get(action_path(written.text(), compat_));
    if (method == "delete") {
      if (!erase(data_, path, {written, child_.slot}, compat_, context_)) throw missing(method, written, "what is layered on has nothing there");
      return;
    }
    const auto value = path.read(child_, context_);
    if (!value || value->value.is_null()) throw missing(method, written, "its own data have nothing there");
    if (method == "merge" && merges_in_place(path, *value)) return;
    write(data_, path, method == "merge" ? merged(path, *value) : *value, context_);
  }

 private:
  static Error missing(std::string_view method, const Value& path, std::string_view why) {
    constexpr std::size_t kShown = 200;  // Paths are ASCII as far as they make sense; the place shows the rest.
    return Error("deckhand.missing", fmt::format("the action '{}' at the path '{}{}' fails: {}", method, path.text().substr(0, kShown),
                                                 path.text().size() > kShown ? "…" : "", why));
  }

  /// Where one mapping meets another: it stays, and so does all in it that is not replaced.
  bool merges_in_place(const PathExpression& path, const Traced& value) {
    if (!value.value.is_mapping()) return false;
    const auto matches = path.find(data_.current().value, context_);
    if (matches.size() != 1 || matches.front().is_part || !matches.front().value.is_mapping()) return false;
    data_.merge_at(matches.front().path.steps(), value, merge::deep_replace());
    return true;
  }

  /// What is written to all places of a path that leads to several: the first of them, merged.
  Traced merged(const PathExpression& path, const Traced& value) {
    const auto old = path.read(data_.current(), context_);
    if (!old || !old->value.is_mapping() || !value.value.is_mapping()) return value;
    data_.checkpoint();
    return merge::merge(*old, value, merge::deep_replace(), context_.arena, context_.limits, context_.recorder);
  }

  const Traced& child_;
  merge::Accumulator& data_;
  Expressions& expressions_;
  RenderContext& context_;
  Compat compat_;
};

}  // namespace

void run_actions(const Document& document, const Traced& child, merge::Accumulator& data, Expressions& expressions, RenderContext& context,
                 Compat compat, const Sources& sources) {
  Actions actions(child, data, expressions, context, compat);
  for (const Value& action : document.actions.items()) {
    try {
      actions.run(action);
    } catch (const Error& error) {
      if (!error.diagnostic().where.place.file.empty()) throw;
      Diagnostic told = error.diagnostic();
      told.where = note(sources, action.find("path")->origin(), {}, document.lines());
      throw Error(std::move(told));
    }
  }
}

}  // namespace strata::deckhand
