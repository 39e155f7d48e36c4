// SPDX-License-Identifier: Apache-2.0
// What extensions registered, as the registry's interfaces.
#include <fmt/format.h>

#include <array>

#include "code.hpp"
#include "documents.hpp"
#include "strata/builder.hpp"
#include "strata/text.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings::extensions {
namespace {

/// Calls inside of calls, by way of inject: more than any bindings need, less than the stack holds.
constexpr std::size_t kDeepestCall = 50;

/// What all adapters hold.
struct Part {
  std::shared_ptr<Code> code;
  const Registration& what;  ///< Of the code.
  std::shared_ptr<Shared> shared;
  Declared declared;

  Part(std::shared_ptr<Code> owner, const Registration& registration, std::shared_ptr<Shared> all)
      : code(std::move(owner)),
        what(registration),
        shared(std::move(all)),
        declared{.name = registration.name, .file = code->file()} {}

  /// A call of it, and `use` of what it returns; what goes wrong with either is its failure.
  template <class Use>
  auto run(Context& context, std::span<const Value> arguments, const Callable* lambda, Use&& use) const {
    struct Running {
      explicit Running(std::size_t& counter) : count(counter) { ++count; }
      ~Running() { --count; }
      Running(const Running&) = delete;
      Running& operator=(const Running&) = delete;
      std::size_t& count;
    };
    try {
      const Running running(shared->running);
      if (shared->running > kDeepestCall)
        throw Error("limit.depth", fmt::format("extensions call extensions inside {} others", kDeepestCall));
      std::vector<Value> seen;
      seen.reserve(arguments.size());
      for (const Value& argument : arguments) seen.push_back(unwrapped(argument));
      return use(code->call(what, context, seen, lambda));
    } catch (const Error& error) {
      // One that this one had called, by way of inject or a lambda, has told its failure already.
      if (!shared->failed.empty() && shared->failed == error.what()) throw;
      Error told = failure(error, what, declared.file, shared->sources, context.binding().origin);
      shared->failed = told.what();
      throw Error(std::move(told));
    }
  }
  Value run(Context& context, std::span<const Value> arguments, const Callable* lambda = nullptr) const {
    return run(context, arguments, lambda, [](const Value& value) { return value; });
  }
};

class CodeProducer final : public Producer {
 public:
  explicit CodeProducer(Part part) : part_(std::move(part)) {}
  [[nodiscard]] const Declared& declared() const override { return part_.declared; }
  [[nodiscard]] const std::string& type() const override { return part_.what.type; }
  [[nodiscard]] bool is_singleton() const override { return part_.what.is_singleton; }
  Value produce(Context& context, const Value& arguments) override {
    const Value given = arguments ? arguments : context.arena().mapping();
    return part_.run(context, std::span(&given, 1));
  }

 private:
  Part part_;
};

class CodeCombinator final : public Combinator {
 public:
  explicit CodeCombinator(Part part) : part_(std::move(part)) {}
  [[nodiscard]] const Declared& declared() const override { return part_.declared; }
  Value combine(Context& context, std::span<const Value> arguments) override { return part_.run(context, arguments); }

 private:
  Part part_;
};

class CodeFunction final : public Function {
 public:
  explicit CodeFunction(Part part) : part_(std::move(part)) {}
  [[nodiscard]] const Declared& declared() const override { return part_.declared; }
  Value call(Context& context, std::span<const Value> arguments, const Callable* lambda) override {
    const Value result = part_.run(context, arguments, lambda);
    return result ? result : Value::null();
  }

 private:
  Part part_;
};

class CodeType final : public RuntimeType {
 public:
  explicit CodeType(Part part) : part_(std::move(part)) {}
  [[nodiscard]] const Declared& declared() const override { return part_.declared; }
  [[nodiscard]] const std::string& parent() const override { return part_.what.parent; }
  Value create(Context& context, const Value& arguments) override {
    const Value given = arguments ? arguments : context.arena().mapping();
    return part_.run(context, std::span(&given, 1), nullptr, [&](const Value& made) {
      if (!made || made.is_null()) throw Error("extension.result", "it did not make an instance");
      return context.arena()
          .object(std::make_shared<Instance>(part_.what.name, made))
          .with_origin(context.binding().origin);
    });
  }

 private:
  Part part_;
};

/// What a provider may ask: bindings are not there yet.
class LayerContext final : public Context {
 public:
  LayerContext(const LayerRequest& layer, Shared& shared) : layer_(layer), shared_(shared) {}
  Value inject(std::string_view /*type*/, std::string_view name) override {
    throw Error("extension.inject", fmt::format("'{}' cannot be injected here: the bindings are being read", name));
  }
  Value facts() override { return layer_.request.facts; }
  std::string environment() override { return layer_.request.environment.name; }
  Binding binding() override { return {.name = layer_.layer, .type = "layer", .origin = layer_.origin}; }
  void warn(const std::string& message) override {
    shared_.diagnostics.warn(Error("extension.warning", message).at(shared_.sources, layer_.origin).diagnostic());
  }
  Arena& arena() override { return arena_; }

 private:
  const LayerRequest& layer_;
  Shared& shared_;
  Arena arena_;
};

class CodeProvider final : public Provider {
 public:
  explicit CodeProvider(Part part) : part_(std::move(part)) {}
  [[nodiscard]] const Declared& declared() const override { return part_.declared; }
  std::vector<LayerItem> items(const LayerRequest& request) override {
    LayerContext context(request, *part_.shared);
    Arena& arena = context.arena();
    MappingBuilder members(arena);
    members.insert("layer", arena.text(request.layer));
    members.insert("include", texts(arena, request.include, &Uri::written));
    members.insert("exclude", texts(arena, request.exclude, &Uri::text));
    const Value uris = members.finish();
    return part_.run(context, std::span(&uris, 1), nullptr, [&](const Value& list) {
      std::vector<LayerItem> items;
      for (auto& document : read_documents(list, part_.shared->sources, part_.shared->limits)) {
        items.push_back({.document = std::move(document), .source = nullptr});
      }
      return items;
    });
  }

 private:
  static Value texts(Arena& arena, const std::vector<Uri>& all, std::string Uri::*form) {
    SequenceBuilder out(arena, all.size());
    for (const Uri& uri : all) out.append(arena.text(uri.*form));
    return out.finish();
  }

  Part part_;
};

/// For services that are asked where nothing was attached, and around one that was, so that its binding is the query.
class QueryContext final : public Context {
 public:
  QueryContext(Shared& shared, Origin at) : shared_(shared), at_(at) {}
  Value inject(std::string_view type, std::string_view name) override {
    if (shared_.context != nullptr) return shared_.context->inject(type, name);
    throw Error("extension.inject", fmt::format("'{}' cannot be injected here", name));
  }
  Value facts() override { return shared_.context != nullptr ? shared_.context->facts() : arena_.mapping(); }
  std::string environment() override {
    return shared_.context != nullptr ? shared_.context->environment() : std::string();
  }
  Binding binding() override { return {.name = {}, .type = "query", .origin = at_}; }
  void warn(const std::string& message) override {
    shared_.diagnostics.warn(Error("extension.warning", message).at(shared_.sources, at_).diagnostic());
  }
  Arena& arena() override { return arena_; }

 private:
  Shared& shared_;
  Origin at_;
  Arena arena_;
};

/// A query service. Its answers become texts, so that every value of them has a place.
class CodeQueryService final : public QueryService {
 public:
  explicit CodeQueryService(Part part) : part_(std::move(part)) {}

  const queries::ResourceSet& ask(const queries::Query& query) override {
    QueryContext context(*part_.shared, query.origin);
    const Value question = describe_query(context.arena(), query);
    std::string asked = text::write_json(question, {.sort_keys = false, .indent = -1});
    const auto known = answers_.find(asked);
    if (known != answers_.end()) return *known->second;
    auto set = part_.run(context, std::span(&question, 1), nullptr, [&](const Value& answer) { return read(answer); });
    return *answers_.emplace(std::move(asked), std::move(set)).first->second;
  }

  [[nodiscard]] std::optional<std::vector<std::string>> parameter_names(std::string_view /*type*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::string title() const override { return fmt::format("the query service '{}'", part_.what.name); }

 private:
  std::unique_ptr<queries::ResourceSet> read(const Value& answer) {
    if (!answer || !answer.is_sequence()) {
      throw Error("extension.result", fmt::format("a query service must return a list of resources, not {}",
                                                  answer ? describe(answer.kind()) : "nil"));
    }
    Sources& sources = part_.shared->sources;
    const SourceId source = sources.add(fmt::format("<{}>", title()), text::write_json(answer));
    const text::Document document = text::read_json(sources, source, part_.shared->limits);
    return std::make_unique<queries::ResourceSet>(sources, document.arena, document.root, title());
  }

  Part part_;
  TextMap<std::unique_ptr<queries::ResourceSet>> answers_;
};

}  // namespace

void register_code(Registry& registry, const std::shared_ptr<Code>& code, const std::shared_ptr<Shared>& shared) {
  for (const Registration& what : code->registrations()) {
    Part part(code, what, shared);
    if (what.kind == "producer") {
      registry.add(std::make_unique<CodeProducer>(std::move(part)));
    } else if (what.kind == "provider") {
      registry.add(std::make_unique<CodeProvider>(std::move(part)));
    } else if (what.kind == "combinator") {
      registry.add(std::make_unique<CodeCombinator>(std::move(part)));
    } else if (what.kind == "function") {
      registry.add(std::make_unique<CodeFunction>(std::move(part)));
    } else if (what.kind == "type") {
      registry.add(std::make_unique<CodeType>(std::move(part)));
    } else {
      const Declared declared = part.declared;
      registry.add_query_service(declared, std::make_unique<CodeQueryService>(std::move(part)));
    }
  }
}

}  // namespace strata::bindings::extensions
