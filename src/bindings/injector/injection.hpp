// SPDX-License-Identifier: Apache-2.0
// The parts of an injector, in the order in which they are made.
#pragma once

#include <memory>

#include "bindings/injector/checker.hpp"
#include "bindings/injector/computed_bindings.hpp"
#include "bindings/injector/explainer.hpp"
#include "bindings/injector/expressions.hpp"
#include "bindings/injector/extension_context.hpp"
#include "bindings/injector/extension_producers.hpp"
#include "bindings/injector/functions.hpp"
#include "bindings/injector/layer_sources.hpp"
#include "bindings/injector/listing.hpp"
#include "bindings/injector/lists.hpp"
#include "bindings/injector/lookup.hpp"
#include "bindings/injector/multibinds.hpp"
#include "bindings/injector/producers.hpp"
#include "bindings/injector/provenance.hpp"
#include "bindings/injector/references.hpp"
#include "bindings/injector/static_checks.hpp"

namespace strata::bindings {

struct Preparations::State {
  PlanCache plans;
};

/// Puts the parts of an injector together and does nothing else: no part knows it. A part may refer to one that is made
/// later, but may use it only after the bindings are composed. Parts that evaluation needs during composition
/// (functions, the context of extensions) come first.
struct Injection {
  /// Composes and checks. Errors: as the constructor of Injector.
  Injection(Preparations& shared, std::shared_ptr<const Request> of, Services given, Session& session);
  Injection(const Injection&) = delete;
  Injection& operator=(const Injection&) = delete;
  ~Injection() = default;

  std::shared_ptr<const Request> request;
  Services services;
  Arena arena;
  queries::Answers answers;
  ExtensionContext context;
  InjectorFunctions functions;
  Expressions expressions;
  Registry::Attached attached;  ///< For query services.
  Problems problems;
  Composition composition;
  Provenance provenance;
  LayerSources layers;
  References references;
  ComputedBindings computed;
  ExtensionProducers extensions;
  Multibinds multibinds;
  StatementLists lists;
  Producers producers;
  Lookup lookup;
  Explainer explainer;
  Listing listing;
  Checker checker;

 private:
  void check();
  void learn();
};

}  // namespace strata::bindings
