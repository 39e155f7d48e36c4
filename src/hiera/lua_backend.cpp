// SPDX-License-Identifier: Apache-2.0
#include "lua_backend.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

#include "faults.hpp"
#include "lua/sandbox.hpp"
#include "lua_context.hpp"
#include "lua_scripts.hpp"
#include "strata/builder.hpp"
#include "value/seeded_hash.hpp"
#include "view.hpp"

namespace strata::hiera {
namespace {

constexpr std::string_view kPrefix = "lua::";
/// Functions inside of functions, by way of lookups: more than any data needs, less than the stack holds.
constexpr std::size_t kDeepestCall = 50;

/// One script in its sandbox.
struct Script {
  Script(const Sources& sources, SourceId id, SourceId context, const Limits& limits,
         std::shared_ptr<std::size_t> calls)
      : source(id),
        running(std::move(calls)),
        sandbox(sources, limits),
        enter(sandbox.load(context, true)),
        functions(sandbox.load(id)) {}

  /// The function of a kind; null where there is none.
  [[nodiscard]] const lua::Reference* function(FunctionKind kind) {
    if (functions.is_function()) return &functions;
    lua::Reference& found = by_kind.at(static_cast<std::size_t>(kind));
    if (!found) found = functions.field(to_string(kind));
    return found.is_function() ? &found : nullptr;
  }

  SourceId source;
  std::shared_ptr<std::size_t> running;  ///< Calls of all scripts of the view that have not ended.
  lua::Sandbox sandbox;
  lua::Reference enter;      ///< What context_script returns.
  lua::Reference functions;  ///< What the script returns.
  std::array<lua::Reference, 3> by_kind;
  KeptFiles files;
};

/// What a function is called for, for messages.
struct Caller {
  const Sources& sources;
  std::string name;  ///< Of the hierarchy entry.
  std::string function;
  FunctionKind kind;
  Origin at;

  explicit Caller(const Sources& all, const FunctionCall& call)
      : sources(all),
        name(call.entry.name),
        function(call.entry.function),
        kind(call.entry.kind),
        at(call.entry.function_at) {}

  [[noreturn]] void fail(std::string_view why, std::string hint) const {
    throw LookupError(Error("hiera.lua", message(why)).at(sources, at).hint(std::move(hint)));
  }

  /// An error of a script says what called it. Errors of what the script has asked for stay as they are.
  [[noreturn]] void tell(const Error& error) const {
    const bool is_limit = error.category() == Category::limit;
    if (error.ends_request() || (!is_limit && error.category() != Category::script)) throw Error(error);
    Diagnostic told = error.diagnostic();
    told.message = message(told.message);
    const Error whole = Error(std::move(told)).note(sources, at, "the function is named here");
    if (is_limit) throw Error(whole);
    throw LookupError(whole);
  }

 private:
  [[nodiscard]] std::string message(std::string_view why) const {
    return fmt::format("{} function '{}' of hierarchy entry '{}': {}", to_string(kind), function, name, why);
  }
};

/// A call, as long as it lives.
class Running {
 public:
  explicit Running(std::size_t& count) : count_(count) { ++count_; }
  ~Running() { --count_; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  std::size_t& count_;
};

/// One function at one location.
class LuaSource : public DataSource {
 public:
  LuaSource(std::shared_ptr<Script> script, const lua::Reference& function, const FunctionCall& call, Session& session,
            const Settings& settings, std::shared_ptr<Arena> made)
      : script_(std::move(script)),
        function_(function),
        caller_(session.sources(), call),
        environment_(made->text(settings.environment)),
        module_(call.module.empty() ? Value() : made->text(call.module)),
        options_(options_of(call, *made)),
        context_(session.tree(), made, script_->files, call.config.folder),
        made_(std::move(made)) {}

  Answer find(const Key& key, FunctionContext& context) override {
    const std::string& name = digs() ? key.text() : key.root();
    if (const auto known = answers_.find(name); known != answers_.end()) return known->second;
    return answers_.emplace(name, ask(key, context)).first->second;
  }

  [[nodiscard]] bool digs() const override { return caller_.kind == FunctionKind::data_dig; }

  void list(std::vector<std::string_view>& keys, FunctionContext& context) override {
    if (caller_.kind != FunctionKind::data_hash) return;
    for (const Entry& entry : hash(context).entries()) {
      if (entry.key.is_text()) keys.push_back(entry.key.text());
    }
  }

 private:
  /// The options as functions see them: with the location.
  static Value options_of(const FunctionCall& call, Arena& arena) {
    MappingBuilder out(arena);
    if (call.options) {
      for (const Entry& entry : arena.deep_copy(call.options).entries()) out.insert(entry.key, entry.value);
    }
    if (!call.path.empty()) out.insert("path", arena.text(call.path).with_origin(call.entry.function_at));
    if (!call.uri.empty()) out.insert("uri", arena.text(call.uri).with_origin(call.entry.function_at));
    return out.finish().with_origin(call.entry.function_at);
  }

  Answer ask(const Key& key, FunctionContext& context) {
    if (caller_.kind == FunctionKind::data_hash) {
      const Value* value = hash(context).find(key.root());
      return value == nullptr ? Answer() : Answer{*value, content_of(*value)};
    }
    const Value value = call(digs() ? path_of(key, context.arena()) : context.arena().text(key.root()), context);
    // Functions interpolate what they want interpolated.
    return {value, content_of(value) == Content::invalid ? Content::invalid : Content::plain};
  }

  static Value path_of(const Key& key, Arena& arena) {
    SequenceBuilder out(arena, key.segments().size() + 1);
    out.append(arena.text(key.root()));
    for (const Segment& segment : key.segments()) {
      const auto* index = std::get_if<std::int64_t>(&segment);
      out.append(index != nullptr ? Value::integer(*index) : arena.text(std::get<std::string>(segment)));
    }
    return out.finish();
  }

  const Value& hash(FunctionContext& context) {
    if (hash_) return *hash_;
    bool nothing = false;
    Value made = call({}, context, &nothing);
    // In Lua an empty table is both.
    if (nothing || (made.is_sequence() && made.size() == 0)) made = made_->mapping();
    if (!made.is_mapping()) {
      caller_.fail(fmt::format("it returns {} instead of a mapping", made ? describe(made.kind()) : "nil"),
                   "return a table of root keys and their values");
    }
    return hash_.emplace(made);
  }

  /// What the function returns; the absent value where it has found nothing, which `nothing` tells from nil.
  Value call(const Value& key, FunctionContext& context, bool* nothing = nullptr) {
    const Running running(*script_->running);
    bool left = false;
    const lua::HostFunction host = [&](std::span<const Value> question) {
      if (question.front().text() == "not_found") left = true;
      return context_.answer(question, context, script_->sandbox.has_seen_secrets());
    };
    const lua::Origins origins{.incoming = {}, .old = {}, .otherwise = caller_.at, .equality = KeyEquality::exact};
    const std::array<lua::Argument, 7> arguments{
        &function_, &host, environment_, module_, Value::boolean(context.explains()), options_, key};
    Value made;
    try {
      if (*script_->running > kDeepestCall)
        throw Error("limit.depth", fmt::format("lookups call functions inside {} others", kDeepestCall));
      made = script_->sandbox.call(script_->enter, arguments, context.arena(), origins);
    } catch (const LookupError&) {
      throw;
    } catch (const NothingFound&) {
      left = true;
    } catch (const FaultError& error) {
      if (!left) throw FaultError(placed(error));
    } catch (const WordedError& error) {
      if (!left) throw WordedError(placed(error), error.words());
    } catch (const Error& error) {
      if (!left || error.gives_up()) caller_.tell(placed(error));
    }
    // Who has caught not_found with pcall has found nothing all the same.
    if (left) made = {};
    if (nothing != nullptr) *nothing = left;
    // The lookup's arena may go before the view does.
    return made ? made_->deep_copy(made) : made;
  }

  /// An error of the user's function.
  [[nodiscard]] Error placed(const Error& error) const {
    Diagnostic told = error.diagnostic();
    // What it returned was seen when it was over, by the script that called it.
    if (told.where.place.file == kScriptContext) told.where = {};
    if (told.code == "lua.runtime" && script_->sandbox.has_seen_secrets())
      told.message = "the script failed; its message is not shown because it has seen secrets";
    return script_->sandbox.in_function(Error(std::move(told)), function_);
  }

  std::shared_ptr<Script> script_;
  const lua::Reference& function_;  ///< In the script.
  Caller caller_;
  Value environment_;
  Value module_;
  Value options_;
  LuaContext context_;
  std::shared_ptr<Arena> made_;
  std::optional<Value> hash_;
  TextMap<Answer> answers_;
};

/// The functions of one view.
class LuaFunctions {
 public:
  LuaFunctions(detail::DirectoryState& directory, Session& session, std::shared_ptr<Arena> made)
      : directory_(directory), session_(session), made_(std::move(made)) {}

  std::unique_ptr<DataSource> open(const FunctionCall& call) {
    const std::string_view function = call.entry.function;
    if (!function.starts_with(kPrefix)) return nullptr;
    const Caller caller(session_.sources(), call);
    const auto text = find_script(directory_, function.substr(kPrefix.size()), call.module, session_.limits().stop);
    if (!text) return nullptr;
    session_.keep(text->texts);
    try {
      auto script = load(text->source);
      const lua::Reference* found = script->function(caller.kind);
      if (found == nullptr) refuse(*script, caller);
      return std::make_unique<LuaSource>(std::move(script), *found, call, session_, directory_.settings, made_);
    } catch (const LookupError&) {
      throw;
    } catch (const Error& error) {
      caller.tell(error);
    }
  }

 private:
  std::shared_ptr<Script> load(SourceId source) {
    auto& script = scripts_[source];
    if (!script)
      script =
          std::make_shared<Script>(session_.sources(), source, directory_.script_context, session_.limits(), running_);
    return script;
  }

  [[noreturn]] static void refuse(const Script& script, const Caller& caller) {
    const std::string_view kind = to_string(caller.kind);
    const std::string_view returned =
        script.functions.is_table() ? "a table without a function" : "neither a function nor a table with";
    const std::string_view first = caller.kind == FunctionKind::data_hash  ? ""
                                   : caller.kind == FunctionKind::data_dig ? "segments, "
                                                                           : "key, ";
    caller.fail(fmt::format("{} returns {} '{}'", caller.sources.file(script.source), returned, kind),
                fmt::format("end the file with: return {{ {} = function({}options, context) … end }}", kind, first));
  }

  detail::DirectoryState& directory_;
  Session& session_;
  std::shared_ptr<Arena> made_;
  std::shared_ptr<std::size_t> running_ = std::make_shared<std::size_t>(0);
  std::map<SourceId, std::shared_ptr<Script>> scripts_;
};

}  // namespace

FunctionLoader lua_functions(detail::DirectoryState& directory, Session& session, std::shared_ptr<Arena> made) {
  auto functions = std::make_shared<LuaFunctions>(directory, session, std::move(made));
  return [functions](const FunctionCall& call) { return functions->open(call); };
}

}  // namespace strata::hiera
