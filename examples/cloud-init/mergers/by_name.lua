-- Merges lists of named things, such as `users`: an item of the new list meets the item of the old list that has the same name.
--
--   strata merge --merger by_name=by_name.lua --strategy 'by_name()+dict(recurse_list)+str()' base.yaml site.yaml
--
-- Options: `key_KEY` names the member that identifies an item (`by_name(key_path)` for write_files), `replace` takes the new item whole.

local function key_of(options)
  for _, word in ipairs(options) do
    local key = word:match("^key_(.+)$")
    if key then return key end
  end
  return "name"
end

-- What identifies an item: its name, or the item itself where it is a plain text ("default").
local function identity(item, key)
  if kind(item) == "text" then return item end
  if kind(item) == "mapping" then return item[key] end
  return nil
end

local function merge_by_name(old, new, options, merge)
  if kind(new) ~= "sequence" then return new end
  local key = key_of(options)
  local result = sequence(old)
  local place = {}
  for index, item in ipairs(result) do
    local name = identity(item, key)
    if name ~= nil then place[name] = index end
  end
  for _, item in ipairs(new) do
    local name = identity(item, key)
    local index = name ~= nil and place[name]
    if not index then
      table.insert(result, item)
      if name ~= nil then place[name] = #result end
    elseif options.replace or kind(item) ~= "mapping" then
      result[index] = item
    else
      result[index] = merge(result[index], item)
    end
  end
  return result
end

return { on_sequence = merge_by_name }
