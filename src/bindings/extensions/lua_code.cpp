// SPDX-License-Identifier: Apache-2.0
#include "lua_code.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "lua/sandbox.hpp"
#include "strata/builder.hpp"

namespace strata::bindings::extensions {
namespace {

class LuaCode final : public Code {
 public:
  LuaCode(const Sources& sources, SourceId script, SourceId prelude, const Limits& limits)
      : sources_(sources),
        file_(sources.file(script)),
        sandbox_(sources, limits),
        entry_(sandbox_.load(prelude, true)),
        invoke_(entry_.field("invoke")) {
    (void)sandbox_.load(script);
    const lua::Reference bodies = entry_.field("bodies");
    const Value all = sandbox_.call(entry_.field("list"), {}, arena_, {});
    for (const Value& item : all.items()) {
      Registration registration{.kind = text(item, "kind"),
                                .name = text(item, "name"),
                                .type = text(item, "type"),
                                .parent = text(item, "parent")};
      const Value* singleton = item.find("singleton");
      registration.is_singleton = singleton == nullptr || singleton->as_boolean();
      const std::string key = fmt::format("{} {}", registration.kind, registration.name);
      bodies_.emplace(key, bodies.field(key));
      registrations_.push_back(std::move(registration));
    }
  }

  [[nodiscard]] const std::string& file() const override { return file_; }
  [[nodiscard]] const std::vector<Registration>& registrations() const override { return registrations_; }

  Value call(const Registration& what, Context& context, std::span<const Value> arguments,
             const Callable* lambda) override {
    const lua::Reference& body = bodies_.at(fmt::format("{} {}", what.kind, what.name));
    const lua::HostFunction host = [&](std::span<const Value> question) { return answer(question, context); };
    const lua::HostFunction block = [&](std::span<const Value> given) { return unwrapped((*lambda)(given)); };
    const bool takes_context = what.kind != "combinator";
    std::vector<lua::Argument> all{&body, Value::boolean(takes_context), &host};
    all.emplace_back(lambda != nullptr ? lua::Argument(&block) : lua::Argument(Value()));
    const Binding binding = takes_context ? context.binding() : Binding();
    Arena& arena = context.arena();
    all.emplace_back(takes_context ? arena.text(context.environment()) : Value());
    all.emplace_back(takes_context ? describe_binding(arena, binding) : Value());
    all.insert(all.end(), arguments.begin(), arguments.end());
    const lua::Origins origins{
        .incoming = {}, .old = {}, .otherwise = context.binding().origin, .equality = KeyEquality::exact};
    try {
      return sandbox_.call(invoke_, all, arena, origins);
    } catch (const Error& error) {
      throw placed(error, body);
    }
  }

 private:
  static std::string text(const Value& item, std::string_view name) {
    const Value* found = item.find(name);
    return found == nullptr ? std::string() : std::string(found->text());
  }

  [[nodiscard]] Value describe_binding(Arena& arena, const Binding& binding) const {
    const Place place = sources_.place(binding.origin);
    MappingBuilder out(arena);
    out.insert("name", arena.text(binding.name));
    out.insert("type", arena.text(binding.type));
    out.insert("file", arena.text(place.file));
    out.insert("line", place.line ? Value::integer(*place.line) : Value::null());
    return out.finish();
  }

  /// A question of a context: its name and its arguments.
  static Value answer(std::span<const Value> question, Context& context) {
    const auto argument = [&](std::size_t index) -> std::string_view {
      if (index >= question.size() || !question[index].is_text())
        throw Error("lua.runtime", "inject takes texts: a type and a name");
      return question[index].text();
    };
    const std::string_view what = question.front().text();
    if (what == "facts") return context.facts();
    if (what == "inject") return unwrapped(context.inject(argument(1), argument(2)));
    if (what == "warn") {
      context.warn(std::string(argument(1)));
      return {};
    }
    throw Error("lua.fail", std::string(argument(1)));
  }

  /// An error with the place of the function that failed, unless it has one; what it returned was seen by the prelude.
  [[nodiscard]] Error placed(const Error& error, const lua::Reference& body) const {
    if (error.ends_request() || (!error.code().starts_with("lua.") && error.category() != strata::Category::limit))
      return error;
    Diagnostic told = error.diagnostic();
    if (told.where.place.file == kPreludeName) told.where = {};
    const bool may_tell_secrets = told.code == "lua.runtime" || told.code == "lua.fail";
    if (may_tell_secrets && sandbox_.has_seen_secrets())
      told.message = "it failed; its message is not shown because it has seen secrets";
    return sandbox_.in_function(Error(std::move(told)), body);
  }

  const Sources& sources_;
  std::string file_;
  Arena arena_;
  lua::Sandbox sandbox_;
  lua::Reference entry_;  ///< What the prelude returns.
  lua::Reference invoke_;
  std::map<std::string, lua::Reference> bodies_;
  std::vector<Registration> registrations_;
};

}  // namespace

std::shared_ptr<Code> run_script(const Sources& sources, SourceId script, SourceId prelude, const Limits& limits) {
  return std::make_shared<LuaCode>(sources, script, prelude, limits);
}

}  // namespace strata::bindings::extensions
