// SPDX-License-Identifier: Apache-2.0
// The services of an injector for extensions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bindings/extensions/registry.hpp"
#include "bindings/injector/production.hpp"
#include "strata/session.hpp"

namespace strata::bindings {

class Expressions;
class Lookup;
class Provenance;

/// The injector for extensions. They work for the binding that is being produced.
class ExtensionContext final : public extensions::Context {
 public:
  ExtensionContext(const Request& request, Session& session, Arena& arena, Expressions& expressions, Lookup& lookup,
                   Provenance& provenance)
      : request_(request),
        session_(session),
        arena_(arena),
        expressions_(expressions),
        lookup_(lookup),
        provenance_(provenance) {}

  [[nodiscard]] Value inject(std::string_view type, std::string_view name) override;
  [[nodiscard]] Value facts() override { return request_.facts; }
  [[nodiscard]] std::string environment() override { return request_.environment.name; }
  [[nodiscard]] extensions::Binding binding() override;
  void warn(const std::string& message) override;
  [[nodiscard]] Arena& arena() override { return arena_; }

  /// While it exists, extensions work for this production.
  class Producing {
   public:
    Producing(ExtensionContext& context, const Production& work) : producing_(context.producing_) {
      producing_.push_back(&work);
    }
    ~Producing() { producing_.pop_back(); }
    Producing(const Producing&) = delete;
    Producing& operator=(const Producing&) = delete;

   private:
    std::vector<const Production*>& producing_;
  };

 private:
  const Request& request_;
  Session& session_;
  Arena& arena_;
  Expressions& expressions_;
  Lookup& lookup_;
  Provenance& provenance_;
  std::vector<const Production*> producing_;
};

}  // namespace strata::bindings
