// SPDX-License-Identifier: Apache-2.0
#include "registry.hpp"

#include <fmt/format.h>

#include "value/seeded_hash.hpp"

namespace strata::bindings {

namespace extensions {

Instance::Instance(std::string type, const Value& value)
    : type_(std::move(type)), arena_(std::make_shared<Arena>()), value_(arena_->deep_copy(value)) {}

bool Instance::equals(const Object& other) const {
  const auto* instance = dynamic_cast<const Instance*>(&other);
  return instance != nullptr && instance->type_ == type_ && equal(instance->value_, value_);
}

std::size_t Instance::hash() const { return seeded_hash(type_); }

const Instance* as_instance(const Value& value) noexcept {
  return value.kind() == Kind::object ? dynamic_cast<const Instance*>(&value.as_object()) : nullptr;
}

}  // namespace extensions

template <class Kind, class Less>
void Registry::add_to(Named<Kind, Less>& all, std::string_view what, const extensions::Declared& declared,
                      std::unique_ptr<Kind> added) {
  std::string name = declared.name.starts_with("::") ? declared.name.substr(2) : declared.name;
  const auto before = all.find(name);
  if (before != all.end()) {
    throw Error("extension.duplicate",
                fmt::format("the {} '{}' is registered by {} and by {}", what, name,
                            files_.find(fmt::format("{} {}", what, before->first))->second, declared.file))
        .in(declared.file)
        .hint("names of extensions are unique: rename one of them");
  }
  files_.emplace(fmt::format("{} {}", what, name), declared.file);
  all.emplace(std::move(name), std::move(added));
}

void Registry::add(std::unique_ptr<extensions::Producer> producer) {
  const extensions::Declared declared = producer->declared();
  add_to(producers_, "producer", declared, std::move(producer));
}

void Registry::add(std::unique_ptr<extensions::Provider> provider) {
  const extensions::Declared declared = provider->declared();
  add_to(providers_, "provider", declared, std::move(provider));
}

void Registry::add(std::unique_ptr<extensions::Combinator> combinator) {
  const extensions::Declared declared = combinator->declared();
  add_to(combinators_, "combinator", declared, std::move(combinator));
}

void Registry::add(std::unique_ptr<extensions::Function> function) {
  const extensions::Declared declared = function->declared();
  add_to(functions_, "function", declared, std::move(function));
}

void Registry::add(std::unique_ptr<extensions::RuntimeType> type) {
  const extensions::Declared declared = type->declared();
  add_to(types_, "type", declared, std::move(type));
}

void Registry::add_query_service(const extensions::Declared& declared, std::unique_ptr<QueryService> service) {
  add_to(services_, "query service", declared, std::move(service));
}

bool Registry::is_subtype(std::string_view name, std::string_view ancestor) const {
  if (ancestor.starts_with("::")) ancestor.remove_prefix(2);
  std::string_view at = name.starts_with("::") ? name.substr(2) : name;
  // A chain of parents that comes back to itself is no longer than there are types.
  for (std::size_t steps = 0; steps <= types_.size(); ++steps) {
    if (puppet::same_letters(at, ancestor)) return true;
    const extensions::RuntimeType* here = type(at);
    if (here == nullptr || here->parent().empty()) return false;
    at = here->parent();
    if (at.starts_with("::")) at.remove_prefix(2);
  }
  return false;
}

bool Registry::is_instance(const Value& value, std::string_view type) const {
  const extensions::Instance* instance = extensions::as_instance(value);
  return instance != nullptr && is_subtype(instance->type(), type);
}

}  // namespace strata::bindings
