// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/extension_context.hpp"

#include "bindings/injector/expressions.hpp"
#include "bindings/injector/lookup.hpp"
#include "bindings/injector/provenance.hpp"
#include "bindings/types/names.hpp"

namespace strata::bindings {

Value ExtensionContext::inject(std::string_view type, std::string_view name) {
  if (!expressions_.allows_injection()) throw Error("bindings.not-available", "injection is not available here");
  const TypeRef wanted = type.empty() ? nullptr : expressions_.read_type_text(type);
  const merge::Traced found = wanted == nullptr ? lookup_.find_data(name) : lookup_.find_typed(wanted, name);
  if (!found.value)
    lookup_.not_bound(wanted == nullptr || (!name.empty() && is_data(*wanted)) ? "" : type_text(*wanted), name);
  return provenance_.used(found);
}

extensions::Binding ExtensionContext::binding() {
  if (producing_.empty()) return {};
  const Production& work = *producing_.back();
  return {std::string(work.key.name), work.declared == 0 ? "Data" : type_text(declared_type(work)),
          work.statement->origin};
}

void ExtensionContext::warn(const std::string& message) {
  Error warning("extension.warning", message);
  if (!producing_.empty()) place_at(warning, session_.sources(), producing_.back()->statement->origin);
  session_.diagnostics().warn(warning.diagnostic());
}

}  // namespace strata::bindings
