// SPDX-License-Identifier: Apache-2.0
#include "lua_code.hpp"

namespace strata::bindings::extensions {

std::string_view prelude() noexcept {
  return R"lua(
local error, pairs, sequence, setmetatable, tostring, type = error, pairs, sequence, setmetatable, tostring, type
local pack, unpack = table.pack, table.unpack
local registered, bodies = {}, {}

local function register(what, call, name, options, body, needed)
  if type(name) ~= "string" or name == "" then error(call .. ": the name must be a text", 3) end
  if type(body) ~= "function" then error(call .. "('" .. name .. "'): " .. needed .. " must be a function", 3) end
  if bodies[what .. " " .. name] then error(call .. "('" .. name .. "') occurs twice", 3) end
  for option, expected in pairs(options.known) do
    local given = options.given[option]
    if given ~= nil and type(given) ~= expected then error(call .. "('" .. name .. "'): '" .. option .. "' must be a " .. expected, 3) end
  end
  for option in pairs(options.given) do
    if not options.known[option] then error(call .. "('" .. name .. "') has no option '" .. tostring(option) .. "'", 3) end
  end
  bodies[what .. " " .. name] = body
  registered[#registered + 1] = {
    kind = what, name = name, type = options.given.type, parent = options.given.parent, singleton = options.given.singleton
  }
end

local function plain(what, call)
  return function(name, body)
    register(what, call, name, {known = {}, given = {}}, body, "the second argument")
  end
end

local function tabled(what, call, known, pick, needed)
  return function(name, options)
    if type(options) == "function" then options = {[needed] = options} end
    if type(options) ~= "table" then error(call .. ": the second argument must be a table", 2) end
    register(what, call, name, {known = known, given = options}, pick(options), "'" .. needed .. "'")
  end
end

strata = {
  null = null,
  provider = plain("provider", "strata.provider"),
  combinator = plain("combinator", "strata.combinator"),
  func = plain("function", "strata.func"),
  query_service = plain("query_service", "strata.query_service"),
  producer = tabled("producer", "strata.producer", {type = "string", singleton = "boolean", produce = "function"},
    function(options) return options.produce end, "produce"),
  type = tabled("type", "strata.type", {parent = "string", new = "function", inject = "function"},
    function(options) return options.inject or options.new end, "new"),
}

local function context(host, environment, binding)
  local ctx = {environment = environment, binding = binding}
  -- Both ctx.f(x) and ctx:f(x) are understood.
  local function method(name, body)
    ctx[name] = function(first, ...)
      if first == ctx then return body(...) end
      return body(first, ...)
    end
  end
  method("inject", function(a, b)
    if b == nil then return host("inject", "", a) end
    return host("inject", a, b)
  end)
  method("warn", function(message) host("warn", tostring(message)) end)
  method("fail", function(message) host("fail", tostring(message)) end)
  setmetatable(ctx, {__index = function(_, name)
    if name ~= "facts" then return nil end
    ctx.facts = host("facts")
    return ctx.facts
  end})
  return ctx
end

local function invoke(body, takes_context, host, lambda, environment, binding, ...)
  -- Without the parentheses a function that ends without return would be an error.
  if not takes_context then return (body(...)) end
  local ctx = context(host, environment, binding)
  if lambda == nil then return (body(ctx, ...)) end
  local arguments = pack(...)
  arguments[arguments.n + 1] = lambda
  return (body(ctx, unpack(arguments, 1, arguments.n + 1)))
end

return {invoke = invoke, bodies = bodies, list = function() return sequence(registered) end}
)lua";
}

}  // namespace strata::bindings::extensions
