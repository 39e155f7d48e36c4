// SPDX-License-Identifier: Apache-2.0
#include "lookup_options.hpp"

#include <fmt/format.h>

#include "strata/hiera.hpp"

namespace strata::hiera {

Value check_lookup_options(const Sources& sources, const Value& options, std::string_view module) {
  if (!options || options.is_null()) return {};
  if (!options.is_mapping()) {
    throw LookupError(
        Error("hiera.lookup-options", "value of lookup_options must be a hash").at(sources, options.origin()));
  }
  for (const Entry& entry : options.entries()) {
    const auto refuse = [&](std::string message) {
      throw LookupError(Error("hiera.lookup-options", std::move(message)).at(sources, entry.key.origin()));
    };
    if (entry.key.is_secret() && !module.empty()) refuse("a key of the lookup_options of a module is made of a secret");
    if (!entry.key.is_text())
      refuse(fmt::format("all lookup_options keys must be text, got {}", describe(entry.key.kind())));
    if (module.empty()) continue;
    const std::string prefix = fmt::format("{}::", module);
    const std::string_view name = entry.key.text();
    if (name.starts_with('^')) {
      if (!name.substr(1).starts_with(prefix))
        refuse(fmt::format("all lookup_options patterns must match a key starting with module name '{}'", module));
    } else if (!name.starts_with(prefix)) {
      refuse(fmt::format("all lookup_options keys must start with module name '{}'", module));
    }
  }
  return options;
}

LookupOptions::LookupOptions(const Sources& sources, const Value& options) : named_(options) {
  if (!options) return;
  for (const Entry& entry : options.entries()) {
    if (!entry.key.is_text() || !entry.key.text().starts_with('^')) continue;
    try {
      patterns_.push_back({text::Regex(entry.key.text()), entry.value});
    } catch (Error& error) {
      if (entry.key.is_secret())
        error = Error(error.code(), "a pattern of lookup_options is made of a secret, and is wrong");
      error.at(sources, entry.key.origin());
      if (entry.key.is_secret()) error.without_lines();
      throw;
    }
  }
}

Value LookupOptions::find(std::string_view root_key) const {
  if (!named_) return {};
  if (const Value* named = named_.find(root_key); named != nullptr && !named->is_null() && !root_key.starts_with('^'))
    return *named;
  for (const Pattern& pattern : patterns_) {
    if (pattern.regex.search(root_key)) return pattern.options;
  }
  return {};
}

}  // namespace strata::hiera
