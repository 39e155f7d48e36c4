-- A table of machines, one a line: name,address,role. Every machine is a member of `inventory`, and every role a list of names in `roles`.

local function read(text)
  local machines, roles = mapping(), mapping()
  for line in text:gmatch("[^\r\n]+") do
    local name, address, role = line:match("^([^#,][^,]*),([^,]+),([^,]+)$")
    if name then
      machines[name] = { address = address, role = role }
      roles[role] = roles[role] or sequence()
      table.insert(roles[role], name)
    end
  end
  return { inventory = machines, roles = roles }
end

local function data_hash(options, context)
  return context.cached_file_data(options.path, read)
end

-- The same for `data_dig: lua::inventory`, which is asked for each part by itself.
local function data_dig(segments, options, context)
  local here = data_hash(options, context)
  for _, segment in ipairs(segments) do
    if kind(here) == "sequence" then segment = math.type(segment) and segment + 1 or nil end
    if type(here) ~= "table" or segment == nil or here[segment] == nil then context.not_found() end
    here = here[segment]
  end
  return here
end

return { data_hash = data_hash, data_dig = data_dig }
