// SPDX-License-Identifier: Apache-2.0
// Custom mergers written in Lua.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "lua/sandbox.hpp"
#include "strata/cloudinit.hpp"
#include "strata/traced.hpp"

namespace strata::cloudinit {
namespace {

/// The state of one merger. Strategies that use it share it.
class LuaMerger : public std::enable_shared_from_this<LuaMerger> {
 public:
  LuaMerger(std::string name, SourceId source, Session& session)
      : name_(std::move(name)),
        sources_(session.sources()),
        source_(source),
        sandbox_(sources_, session.limits()),
        module_(sandbox_.load(source)) {
    if (!module_.is_table() && !module_.is_function())
      fail(fmt::format("the merger '{}' returns neither a table nor a function", name_));
    if (module_.is_table()) check(module_);
  }

  CustomHandlers build(const Value& options) {
    std::vector<std::string> words;
    for (const Value& word : options.items()) words.emplace_back(word.text());
    auto built = std::make_shared<Built>();
    built->merger = shared_from_this();
    built->options = sandbox_.word_set(words);
    lua::Reference made;
    if (module_.is_function()) {
      made = sandbox_.call_for_reference(module_, std::array<lua::Argument, 1>{&built->options});
      if (!made.is_table()) fail(fmt::format("the function of the merger '{}' does not return a table", name_));
      check(made);
    }
    const lua::Reference& handlers = module_.is_function() ? made : module_;
    for (std::size_t i = 0; i < kHandlers.size(); ++i) built->functions.at(i) = handlers.field(kHandlers.at(i));
    return {.on_mapping = call_of(built, 0), .on_sequence = call_of(built, 1), .on_string = call_of(built, 2)};
  }

 private:
  static constexpr std::array<std::string_view, 3> kHandlers{"on_mapping", "on_sequence", "on_string"};

  /// What one strategy has of a merger.
  struct Built {
    std::shared_ptr<LuaMerger> merger;  ///< First, so that it goes last: the references point into it.
    lua::Reference options;
    std::array<lua::Reference, 3> functions;
  };

  [[noreturn]] void fail(const std::string& message) const {
    throw Error("merger.lua", message)
        .in(sources_.file(source_))
        .hint("end the file with: return { on_sequence = function(old, new, options, merge) … end }");
  }

  void check(const lua::Reference& handlers) const {
    bool has_one = false;
    for (const std::string_view name : kHandlers) {
      const lua::Reference handler = handlers.field(name);
      if (handler && !handler.is_function())
        fail(fmt::format("'{}' of the merger '{}' is not a function", name, name_));
      has_one = has_one || handler;
    }
    if (!has_one) fail(fmt::format("the merger '{}' has none of on_mapping, on_sequence and on_string", name_));
  }

  static merge::Call call_of(const std::shared_ptr<Built>& built, std::size_t handler) {
    if (!built->functions.at(handler)) return {};
    return [built, handler](const merge::Builder& make, const merge::Traced& old, const merge::Traced& incoming,
                            const merge::Recurse& recurse) {
      return merge::Traced{built->merger->call(*built, handler, make.arena(), old.value, incoming.value, recurse), {}};
    };
  }

  Value call(const Built& built, std::size_t handler, Arena& arena, const Value& old, const Value& incoming,
             const merge::Recurse& recurse) {
    const lua::HostFunction merge = [&](std::span<const Value> arguments) {
      const Value left = arguments.empty() ? Value() : arguments[0];
      const Value right = arguments.size() < 2 ? Value() : arguments[1];
      // One side alone is the result, as a member that only one side has.
      if (!left) return right;
      return right ? recurse({left, {}}, {right, {}}).value : left;
    };
    const lua::Origins origins{
        .incoming = incoming, .old = old, .otherwise = incoming.origin(), .equality = KeyEquality::python};
    const std::array<lua::Argument, 4> arguments{old, incoming, &built.options, &merge};
    try {
      return sandbox_.call(built.functions.at(handler), arguments, arena, origins);
    } catch (const Error& error) {
      if (error.category() != Category::script || !error.diagnostic().notes.empty()) throw;
      throw Error(error).note(sources_, incoming.origin(), "the new value that was merged");
    }
  }

  std::string name_;
  const Sources& sources_;
  SourceId source_;
  lua::Sandbox sandbox_;
  lua::Reference module_;
};

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

std::string merger_name(std::string_view name) {
  const std::string_view bare = name.starts_with("m_") ? name.substr(2) : name;
  if (bare.empty() || !std::ranges::all_of(bare, is_word) || (bare.front() >= '0' && bare.front() <= '9')) {
    throw Error("merger.name", fmt::format("'{}' cannot be the name of a merger", name))
        .hint("use letters, digits and underscores");
  }
  if (bare == "list" || bare == "dict" || bare == "str")
    throw Error("merger.name", fmt::format("there is a built-in merger '{}'", bare));
  return std::string(bare);
}

CustomMerger lua_merger(std::string name, SourceId source, Session& session) {
  auto merger = std::make_shared<LuaMerger>(name, source, session);
  return {.name = std::move(name), .build = [merger](const Value& options) { return merger->build(options); }};
}

}  // namespace strata::cloudinit
