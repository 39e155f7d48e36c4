-- A number for each name, the same on every run: what a register of ports would give.
strata.producer("PortProducer", {
  type = "Integer",
  produce = function(ctx, args)
    local sum = 0
    for byte in (args.service or ctx.fail("which service?")):gmatch(".") do sum = (sum * 31 + byte:byte()) % 1000 end
    return ctx.inject("Integer", "first port") + sum
  end,
})

-- `net::host($name)`, `net::hosts($list) |$name, $address| { … }`: a lambda of the bindings language is a function here.
strata.func("net::host", function(ctx, name) return name .. "." .. ctx.environment .. ".example.com" end)
strata.func("net::hosts", function(ctx, names, each)
  local result = sequence()
  for index, name in ipairs(names) do result[index] = each(name, "10.0.0." .. index) end
  return result
end)
