// What extensions add: producers, providers of schemes, combinators, functions, runtime types, query services.
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

/// What an extension works for: shown to it, and named in its errors.
struct Binding {
  std::string name;  ///< Of the key; empty for anonymous ones and where there is none.
  std::string type;
  Origin origin;
};

/// What an extension may ask while it is called. The injector implements it.
class Context {
 public:
  virtual ~Context() = default;
  /// `inject(Type, name)`; an empty `type`: Data. Errors as those of inject.
  [[nodiscard]] virtual Value inject(std::string_view type, std::string_view name) = 0;
  [[nodiscard]] virtual Value facts() = 0;  ///< A mapping.
  [[nodiscard]] virtual std::string environment() = 0;
  [[nodiscard]] virtual Binding binding() = 0;
  /// A warning at the binding.
  virtual void warn(const std::string& message) = 0;
  /// Where results are made.
  [[nodiscard]] virtual Arena& arena() = 0;
};

/// A lambda that was given to a function.
using Callable = std::function<Value(std::span<const Value> arguments)>;

/// Where an extension was declared, for messages.
struct Declared {
  std::string name;
  std::string file;
};

// Errors of all calls: what the extension fails with as `extension.failed` (position of the binding, name and file of the extension, its message),
// `extension.result`, `extension.process`, `limit.*`, and what it asked for and did not get.

class Producer {
 public:
  virtual ~Producer() = default;
  [[nodiscard]] virtual const Declared& declared() const = 0;
  /// The type of what it produces, as written; empty: any.
  [[nodiscard]] virtual const std::string& type() const = 0;
  [[nodiscard]] virtual bool is_singleton() const = 0;
  /// Absent: it produced nothing. `arguments`: the `producer_args`, or those of `inject`; may be absent.
  [[nodiscard]] virtual Value produce(Context& context, const Value& arguments) = 0;
};

class Combinator {
 public:
  virtual ~Combinator() = default;
  [[nodiscard]] virtual const Declared& declared() const = 0;
  /// Arrays: (memo, item). Hashes: (key, current, value); `current` is absent for the first.
  [[nodiscard]] virtual Value combine(Context& context, std::span<const Value> arguments) = 0;
};

class Function {
 public:
  virtual ~Function() = default;
  [[nodiscard]] virtual const Declared& declared() const = 0;
  /// `lambda`: null where none was given.
  [[nodiscard]] virtual Value call(Context& context, std::span<const Value> arguments, const Callable* lambda) = 0;
};

class RuntimeType {
 public:
  virtual ~RuntimeType() = default;
  [[nodiscard]] virtual const Declared& declared() const = 0;
  /// Empty: none.
  [[nodiscard]] virtual const std::string& parent() const = 0;
  /// What `inject(Type)` gives where nothing is bound: the class's `inject` hook, else its constructor. An Instance.
  [[nodiscard]] virtual Value create(Context& context, const Value& arguments) = 0;
};

/// An instance of a runtime type: no Data; its text is `Type[Name]`'s reference.
class Instance final : public Object {
 public:
  Instance(std::string type, const Value& value);
  [[nodiscard]] const std::string& type() const noexcept { return type_; }
  /// What its constructor gave.
  [[nodiscard]] const Value& value() const noexcept { return value_; }
  [[nodiscard]] std::string to_string() const override { return type_; }
  [[nodiscard]] bool equals(const Object& other) const override;
  [[nodiscard]] std::size_t hash() const override;

 private:
  std::string type_;
  std::shared_ptr<Arena> arena_;
  Value value_;
};
/// Null where the value is none.
[[nodiscard]] const Instance* as_instance(const Value& value) noexcept;

/// The provider of a scheme. `context.inject` is not available to it.
class Provider : public SchemeProvider {
 public:
  /// Its name is the scheme.
  [[nodiscard]] virtual const Declared& declared() const = 0;
};

}  // namespace extensions

/// What one request may use of extensions, by name. Names are found as they are written; those of types with or without a leading `::`, in
/// letters of any case.
class Registry {
 public:
  Registry() = default;
  Registry(Registry&&) = default;
  Registry& operator=(Registry&&) = default;
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;
  ~Registry() = default;

  // Null where there is none of the name.
  [[nodiscard]] extensions::Producer* producer(std::string_view name) const { return find(producers_, name); }
  [[nodiscard]] extensions::Provider* provider(std::string_view scheme) const { return find(providers_, scheme); }
  [[nodiscard]] extensions::Combinator* combinator(std::string_view name) const { return find(combinators_, name); }
  [[nodiscard]] extensions::Function* function(std::string_view name) const { return find(functions_, name); }
  [[nodiscard]] extensions::RuntimeType* type(std::string_view name) const { return find(types_, name); }
  [[nodiscard]] QueryService* query_service(std::string_view name) const { return find(services_, name); }
  /// Whether `name` is `ancestor` or below it.
  [[nodiscard]] bool is_subtype(std::string_view name, std::string_view ancestor) const;
  /// Whether an instance belongs to a runtime type.
  [[nodiscard]] bool is_instance(const Value& value, std::string_view type) const;

  // Names, sorted, for near names and lists.
  [[nodiscard]] std::vector<std::string_view> producers() const { return names(producers_); }
  [[nodiscard]] std::vector<std::string_view> schemes() const { return names(providers_); }
  [[nodiscard]] std::vector<std::string_view> combinators() const { return names(combinators_); }
  [[nodiscard]] std::vector<std::string_view> functions() const { return names(functions_); }
  [[nodiscard]] std::vector<std::string_view> types() const { return names(types_); }
  [[nodiscard]] std::vector<std::string_view> query_services() const { return names(services_); }

  // Two of a kind with one name: Error `extension.duplicate`, which names both files.
  void add(std::unique_ptr<extensions::Producer> producer);
  void add(std::unique_ptr<extensions::Provider> provider);
  void add(std::unique_ptr<extensions::Combinator> combinator);
  void add(std::unique_ptr<extensions::Function> function);
  void add(std::unique_ptr<extensions::RuntimeType> type);
  void add_query_service(const extensions::Declared& declared, std::unique_ptr<QueryService> service);
  /// While it lives, query services, which are asked without a context, may ask this one. Without any they know no facts and inject nothing.
  class Attached {
   public:
    /// `registry` may be null.
    Attached(const Registry* registry, extensions::Context& context) noexcept : slot_(registry == nullptr ? nullptr : registry->context_) {
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
  /// Where Attached puts it; for who registers.
  void context_slot(extensions::Context** slot) noexcept { context_ = slot; }
  /// Kept until the registry goes, and gone after all of it.
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
  void add_to(Named<Kind, Less>& all, std::string_view what, const extensions::Declared& declared, std::unique_ptr<Kind> added);

  extensions::Context** context_ = nullptr;
  std::vector<std::shared_ptr<void>> kept_;                ///< First, so that it goes last.
  std::map<std::string, std::string, std::less<>> files_;  ///< By `kind name`: where it was declared.
  Named<extensions::Producer> producers_;
  Named<extensions::Provider> providers_;
  Named<extensions::Combinator> combinators_;
  Named<extensions::Function> functions_;
  Named<extensions::RuntimeType, puppet::LessByLetters> types_;
  Named<QueryService> services_;
};

}  // namespace strata::bindings
