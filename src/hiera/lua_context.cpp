// SPDX-License-Identifier: Apache-2.0
#include "lua_context.hpp"

#include <fmt/format.h>

#include "pathname.hpp"
#include "strata/file_tree.hpp"

namespace strata::hiera {

std::string_view context_script() noexcept {
  return R"lua(
local pairs, tostring, type = pairs, tostring, type
return function(call, host, environment, module, explains, options, key)
  local context = {environment_name = environment, module_name = module, options = options}
  -- Both context.f(x) and context:f(x) are understood.
  local function method(name, body)
    context[name] = function(first, ...)
      if first == context then return body(...) end
      return body(first, ...)
    end
  end
  method("not_found", function() return host("not_found") end)
  method("interpolate", function(value) return host("interpolate", value) end)
  method("cache", function(name, value) return host("cache", name, value) end)
  method("cache_all", function(values) return host("cache_all", values) end)
  method("cache_has_key", function(name) return host("cache_has_key", name) end)
  method("cached_value", function(name) return host("cached_value", name) end)
  method("cached_entries", function(visit)
    local entries = host("cached_entries")
    if visit == nil then return pairs(entries) end
    for name, value in pairs(entries) do visit(name, value) end
  end)
  method("cached_file_data", function(path, convert)
    if convert == nil then return host("file", path) end
    local known = host("converted", path)
    if known ~= nil then return known end
    return host("convert", path, convert(host("file", path)))
  end)
  method("explain", function(what)
    if not explains then return end
    if type(what) == "function" then what = what() end
    if what ~= nil then return host("explain", tostring(what)) end
  end)
  -- Without the parentheses a function that ends without return would be an error.
  if key == nil then return (call(options, context)) end
  return (call(key, options, context))
end
)lua";
}

namespace {

Value argument_at(std::span<const Value> question, std::size_t index) {
  return index < question.size() ? question[index] : Value();
}

/// Keys of the cache are scalars.
const Value& checked_key(const Value& key) {
  if (key && !key.is_container() && key.kind() != Kind::object) return key;
  throw Error("lua.context", fmt::format("a key of the cache must be a text, a number, a boolean or null, not {}",
                                         key ? describe(key.kind()) : "nil"));
}

}  // namespace

Value LuaContext::answer(std::span<const Value> question, FunctionContext& context, bool has_seen_secrets) {
  const std::string_view what = question.front().text();
  const Value first = argument_at(question, 1);
  const Value second = argument_at(question, 2);
  if (what == "interpolate") return first ? context.interpolate(first) : first;
  if (what == "cached_value") {
    const Value* known = cache_.find(context.arena().key(checked_key(first)));
    return known == nullptr ? Value() : *known;
  }
  if (what == "cache_has_key") return Value::boolean(cache_.find(context.arena().key(checked_key(first))) != nullptr);
  if (what == "cache") {
    keep(checked_key(first), second);
    return second;
  }
  if (what == "cache_all") {
    if (first.is_sequence() && first.size() == 0) return {};
    if (!first.is_mapping())
      throw Error("lua.context",
                  fmt::format("cache_all takes a mapping, not {}", first ? describe(first.kind()) : "nil"));
    for (const Entry& entry : first.entries()) keep(checked_key(entry.key), entry.value);
    return {};
  }
  // A copy, because the cache goes on changing.
  if (what == "cached_entries") return context.arena().mapping(cache_.entries(), KeyEquality::exact);
  if (what == "file") return file(first);
  if (what == "converted") {
    const auto known = files_.converted.find(path(first));
    return known == files_.converted.end() ? Value() : known->second;
  }
  if (what == "convert") {
    if (second) files_.converted.insert_or_assign(path(first), arena_->deep_copy(second));
    return second;
  }
  if (what == "explain") {
    context.explain(has_seen_secrets ? "******" : std::string(first.text()));
    return {};
  }
  throw NothingFound();
}

/// A value nil takes the key out.
void LuaContext::keep(const Value& key, const Value& value) {
  // It may have been made in a lookup's arena, which goes first.
  const Value own_key = arena_->key(arena_->deep_copy(key));
  if (value) {
    cache_.insert(own_key, arena_->deep_copy(value));
  } else {
    cache_.erase(own_key);
  }
}

std::string LuaContext::path(const Value& path) const {
  if (path.is_text() && !path.text().empty()) return join_path(folder_, path.text());
  throw Error("lua.context",
              fmt::format("cached_file_data takes the path of a file, not {}", path ? describe(path.kind()) : "nil"));
}

Value LuaContext::file(const Value& given) {
  if (!given.is_secret()) return text_of(given);
  try {
    return text_of(given);
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    throw Error("lua.file", "the file cannot be read; its name comes from a secret and is not shown");
  }
}

Value LuaContext::text_of(const Value& given) {
  const std::string name = path(given);
  const auto known = files_.texts.find(name);
  if (known != files_.texts.end()) return known->second;
  const auto bytes = tree_.read(name);
  if (!bytes)
    throw Error("lua.file", fmt::format("the file {} does not exist", name))
        .hint("relative paths are relative to the folder of hiera.yaml");
  return files_.texts.emplace(name, arena_->text(*bytes)).first->second;
}

}  // namespace strata::hiera
