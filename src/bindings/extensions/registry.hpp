// SPDX-License-Identifier: Apache-2.0
// The contributions of extensions: producers, providers of schemes, combinators, functions, runtime types, query
// services.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/queries/service.hpp"
#include "bindings/request.hpp"
#include "puppet/characters.hpp"
#include "strata/error.hpp"
#include "strata/value.hpp"

namespace strata::bindings {

namespace extensions {

/// The binding for which an extension is called. The extension can read it, and errors name it.
struct Binding {
  std::string name;  ///< Of the key. Empty for anonymous keys and if there is none.
  std::string type;
  Origin origin;
};

/// Services for an extension during a call. The injector implements it.
class Context {
 public:
  virtual ~Context() = default;
  /// `inject(Type, name)`. An empty `type` means Data. Errors: as inject.
  [[nodiscard]] virtual Value inject(std::string_view type, std::string_view name) = 0;
  [[nodiscard]] virtual Value facts() = 0;  ///< A mapping.
  [[nodiscard]] virtual std::string environment() = 0;
  [[nodiscard]] virtual Binding binding() = 0;
  /// Warns at the binding.
  virtual void warn(const std::string& message) = 0;
  /// Results are made here.
  [[nodiscard]] virtual Arena& arena() = 0;
};

/// A lambda argument of a function.
using Callable = std::function<Value(std::span<const Value> arguments)>;

/// Where an extension was declared, for messages.
struct Declared {
  std::string name;
  std::string file;
};

// Errors of all calls: a failure of the extension as `extension.failed` (at the binding, with name and file of the
// extension and its message), `extension.result`, `extension.process`, `limit.*`, and errors of its own calls to
// strata.

class Producer {
 public:
  virtual ~Producer() = default;
  [[nodiscard]] virtual const Declared& declared() const = 0;
  /// The type of its values, as written. Empty: any.
  [[nodiscard]] virtual const std::string& type() const = 0;
  [[nodiscard]] virtual bool is_singleton() const = 0;
  /// Absent: it produced nothing. `arguments`: the `producer_args`, or the arguments of `inject`; may be absent.
  [[nodiscard]] virtual Value produce(Context& context, const Value& arguments) = 0;
};

class Combinator {
 public:
  virtual ~Combinator() = default;
  [[nodiscard]] virtual const Declared& declared() const = 0;
  /// For arrays: (memo, item). For hashes: (key, current, value); `current` is absent in the first call.
  [[nodiscard]] virtual Value combine(Context& context, std::span<const Value> arguments) = 0;
};

class Function {
 public:
  virtual ~Function() = default;
  [[nodiscard]] virtual const Declared& declared() const = 0;
  /// `lambda`: null if none is given.
  [[nodiscard]] virtual Value call(Context& context, std::span<const Value> arguments, const Callable* lambda) = 0;
};

class RuntimeType {
 public:
  virtual ~RuntimeType() = default;
  [[nodiscard]] virtual const Declared& declared() const = 0;
  /// Empty: none.
  [[nodiscard]] virtual const std::string& parent() const = 0;
  /// The value of `inject(Type)` if nothing is bound: the class's `inject` hook, or else its constructor. An Instance.
  [[nodiscard]] virtual Value create(Context& context, const Value& arguments) = 0;
};

/// An instance of a runtime type. Not Data; its text is the reference `Type[Name]`.
class Instance final : public Object {
 public:
  Instance(std::string type, const Value& value);
  [[nodiscard]] const std::string& type() const noexcept { return type_; }
  /// The result of its constructor.
  [[nodiscard]] const Value& value() const noexcept { return value_; }
  [[nodiscard]] std::string to_string() const override { return type_; }
  [[nodiscard]] bool equals(const Object& other) const override;
  [[nodiscard]] std::size_t hash() const override;

 private:
  std::string type_;
  std::shared_ptr<Arena> arena_;
  Value value_;
};
/// Null if the value is not an instance.
[[nodiscard]] const Instance* as_instance(const Value& value) noexcept;

/// The provider of a scheme. It cannot use `context.inject`.
class Provider : public SchemeProvider {
 public:
  /// Its name is the scheme.
  [[nodiscard]] virtual const Declared& declared() const = 0;
};

}  // namespace extensions

/// The extensions of one request, by name. Names are found as written; type names ignore case and a leading `::`.
class Registry {
 public:
  Registry() = default;
  Registry(Registry&&) = default;
  Registry& operator=(Registry&&) = default;
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;
  ~Registry() = default;

  // Each is null if there is none with the name.
  [[nodiscard]] extensions::Producer* producer(std::string_view name) const { return find(producers_, name); }
  [[nodiscard]] extensions::Provider* provider(std::string_view scheme) const { return find(providers_, scheme); }
  [[nodiscard]] extensions::Combinator* combinator(std::string_view name) const { return find(combinators_, name); }
  [[nodiscard]] extensions::Function* function(std::string_view name) const { return find(functions_, name); }
  [[nodiscard]] extensions::RuntimeType* type(std::string_view name) const { return find(types_, name); }
  [[nodiscard]] QueryService* query_service(std::string_view name) const { return find(services_, name); }
  /// Whether `name` is `ancestor` or a descendant of it.
  [[nodiscard]] bool is_subtype(std::string_view name, std::string_view ancestor) const;
  /// Whether an instance belongs to a runtime type.
  [[nodiscard]] bool is_instance(const Value& value, std::string_view type) const;

  // Names, sorted, for suggestions and lists.
  [[nodiscard]] std::vector<std::string_view> producers() const { return names(producers_); }
  [[nodiscard]] std::vector<std::string_view> schemes() const { return names(providers_); }
  [[nodiscard]] std::vector<std::string_view> combinators() const { return names(combinators_); }
  [[nodiscard]] std::vector<std::string_view> functions() const { return names(functions_); }
  [[nodiscard]] std::vector<std::string_view> types() const { return names(types_); }
  [[nodiscard]] std::vector<std::string_view> query_services() const { return names(services_); }

  // Two of a kind with the same name: Error `extension.duplicate`, with both files.
  void add(std::unique_ptr<extensions::Producer> producer);
  void add(std::unique_ptr<extensions::Provider> provider);
  void add(std::unique_ptr<extensions::Combinator> combinator);
  void add(std::unique_ptr<extensions::Function> function);
  void add(std::unique_ptr<extensions::RuntimeType> type);
  void add_query_service(const extensions::Declared& declared, std::unique_ptr<QueryService> service);
  /// While it exists, query services, which are called without a context, may use this one. Without a context they have
  /// no facts and cannot inject.
  class Attached {
   public:
    /// `registry` may be null.
    Attached(const Registry* registry, extensions::Context& context) noexcept
        : slot_(registry == nullptr ? nullptr : registry->context_) {
      if (slot_ != nullptr) before_ = std::exchange(*slot_, &context);
    }
    ~Attached() {
      if (slot_ != nullptr) *slot_ = before_;
    }
    Attached(const Attached&) = delete;
    Attached& operator=(const Attached&) = delete;

   private:
    extensions::Context** slot_;
    extensions::Context* before_ = nullptr;
  };
  /// Set by Attached, for registering code.
  void context_slot(extensions::Context** slot) noexcept { context_ = slot; }
  /// Kept until the registry is destroyed, and destroyed last.
  void keep(std::shared_ptr<void> owned) { kept_.push_back(std::move(owned)); }

 private:
  template <class Kind, class Less = std::less<>>
  using Named = std::map<std::string, std::unique_ptr<Kind>, Less>;
  template <class Kind, class Less>
  [[nodiscard]] static Kind* find(const Named<Kind, Less>& all, std::string_view name) {
    const auto found = all.find(name.starts_with("::") ? name.substr(2) : name);
    return found == all.end() ? nullptr : found->second.get();
  }
  template <class Kind, class Less>
  [[nodiscard]] static std::vector<std::string_view> names(const Named<Kind, Less>& all) {
    std::vector<std::string_view> out;
    for (const auto& entry : all) out.push_back(entry.first);
    return out;
  }
  template <class Kind, class Less>
  void add_to(Named<Kind, Less>& all, std::string_view what, const extensions::Declared& declared,
              std::unique_ptr<Kind> added);

  extensions::Context** context_ = nullptr;
  std::vector<std::shared_ptr<void>> kept_;                ///< First, so that it is destroyed last.
  std::map<std::string, std::string, std::less<>> files_;  ///< By `kind name`: where it was declared.
  Named<extensions::Producer> producers_;
  Named<extensions::Provider> providers_;
  Named<extensions::Combinator> combinators_;
  Named<extensions::Function> functions_;
  Named<extensions::RuntimeType, puppet::LessByLetters> types_;
  Named<QueryService> services_;
};

}  // namespace strata::bindings
