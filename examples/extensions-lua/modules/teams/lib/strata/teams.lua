-- Found because it is a module's lib/strata/*.lua: a provider of the scheme `teams:`, and a combinator.
strata.provider("teams", function(ctx, uris)
  local documents = {}
  for _, uri in ipairs(uris.include) do
    local team = uri:match("^teams:/(.+)$")
    documents[#documents + 1] = {
      document = "teams:" .. team,
      bindings = {
        { op = "contribution", multibind = "all_contacts", name = team, value = { team .. "@example.com" } },
        { op = "contribution", multibind = "all_contacts", name = "on_call", value = { team }, when = { any = { { "rack", 7 }, { "rack", 8 } } } },
        { op = "include", name = "team::" .. team },
      },
    }
  end
  return documents
end)

strata.combinator("Together", function(key, current, value)
  if current == nil then return value end
  for _, item in ipairs(value) do table.insert(current, item) end
  return current
end)
