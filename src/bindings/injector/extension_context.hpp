// What extensions may ask of an injector.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bindings/extensions/registry.hpp"
#include "bindings/injector/production.hpp"
#include "strata/error.hpp"

namespace strata::bindings {

class Expressions;
class Lookup;
class Provenance;

/// The injector as extensions see it. What is being produced is the binding that they work for.
class ExtensionContext final : public extensions::Context {
 public:
  ExtensionContext(const Request& request, const Sources& sources, Diagnostics& diagnostics, Arena& arena, Expressions& expressions, Lookup& lookup,
                   Provenance& provenance)
      : request_(request),
        sources_(sources),
        diagnostics_(diagnostics),
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

  /// As long as it lives, extensions work for this production.
  class Producing {
   public:
    Producing(ExtensionContext& context, const Production& work) : producing_(context.producing_) { producing_.push_back(&work); }
    ~Producing() { producing_.pop_back(); }
    Producing(const Producing&) = delete;
    Producing& operator=(const Producing&) = delete;

   private:
    std::vector<const Production*>& producing_;
  };

 private:
  const Request& request_;
  const Sources& sources_;
  Diagnostics& diagnostics_;
  Arena& arena_;
  Expressions& expressions_;
  Lookup& lookup_;
  Provenance& provenance_;
  std::vector<const Production*> producing_;
};

}  // namespace strata::bindings
