-- SERVICE::url is the option `base`, the domain and the name of the service. `pattern` says which keys are meant.
return function(key, options, context)
  local service = key:match("^([%w_]+)::")
  if not service or not key:find(options.pattern) then context.not_found() end
  context.explain("made by convention")
  return context.interpolate(options.base .. ".%{lookup('domain')}/" .. service)
end
