// SPDX-License-Identifier: Apache-2.0
// Plugins for strata in C++: classes over the C interface of strata/plugin.h. C++17; needs no other header of strata.
// docs/bindings/extensions.md.
//
//     struct Uuid : strata::plugin::Producer {
//       Value produce(Context& context, Value arguments) override { return
//       context.text(make_uuid(arguments["seed"].as_integer())); }
//     };
//     STRATA_PLUGIN(plugin) { plugin.add_producer("MyUUIDProducer", std::make_unique<Uuid>(), "String"); }
//
// If a function throws, its binding fails; what() is the message.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/plugin.h"

namespace strata::plugin {

namespace detail {
inline const strata_host_v1* host = nullptr;  ///< Set once, when the plugin is loaded.
inline strata_text text(std::string_view characters) { return {characters.data(), characters.size()}; }
inline std::string_view view(strata_text text) { return {text.data, text.size}; }
}  // namespace detail

/// A failure with a place in a file that the plugin reads: a script, a table.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message, std::string file = {}, std::uint32_t line = 0)
      : std::runtime_error(message), file_(std::move(file)), line_(line) {}
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] std::uint32_t line() const noexcept { return line_; }

 private:
  std::string file_;
  std::uint32_t line_;
};

/// An immutable value. Cheap to copy. Valid until the call in which it was made or received returns.
class Value {
 public:
  Value() = default;  ///< The absent value.
  explicit Value(const strata_value* handle) noexcept : handle_(handle) {}
  [[nodiscard]] const strata_value* handle() const noexcept { return handle_; }

  /// STRATA_TEXT, ….
  [[nodiscard]] std::int32_t kind() const { return detail::host->kind(handle_); }
  explicit operator bool() const noexcept { return handle_ != nullptr; }
  [[nodiscard]] bool is_null() const { return kind() == STRATA_NULL; }
  [[nodiscard]] bool is_text() const { return kind() == STRATA_TEXT; }
  [[nodiscard]] bool is_sequence() const { return kind() == STRATA_SEQUENCE; }
  [[nodiscard]] bool is_mapping() const { return kind() == STRATA_MAPPING; }
  // For values of other kinds: false, 0, an empty text.
  [[nodiscard]] bool as_boolean() const { return detail::host->as_boolean(handle_) != 0; }
  [[nodiscard]] std::int64_t as_integer() const { return detail::host->as_integer(handle_); }
  [[nodiscard]] double as_double() const { return detail::host->as_double(handle_); }
  [[nodiscard]] std::string_view as_text() const { return detail::view(detail::host->as_text(handle_)); }
  /// Number of items or entries.
  [[nodiscard]] std::size_t size() const { return detail::host->count(handle_); }
  /// An item of a sequence, or the value of a mapping's entry. Absent beyond the end.
  [[nodiscard]] Value at(std::size_t index) const { return Value(detail::host->item(handle_, index)); }
  [[nodiscard]] Value key_at(std::size_t index) const { return Value(detail::host->key(handle_, index)); }
  /// A member of a mapping. Absent if there is none.
  [[nodiscard]] Value operator[](std::string_view key) const {
    return Value(detail::host->member(handle_, detail::text(key)));
  }

 private:
  const strata_value* handle_ = nullptr;
};

/// The context of a call. Values are made here.
class Context {
 public:
  explicit Context(strata_context* handle) noexcept : handle_(handle) {}

  /// `inject(Type, name)`. An empty type means Data. Throws Failure if nothing is bound.
  [[nodiscard]] Value inject(std::string_view type, std::string_view name) {
    const strata_value* result = nullptr;
    check(detail::host->inject(handle_, detail::text(type), detail::text(name), &result));
    return Value(result);
  }
  [[nodiscard]] Value inject(std::string_view name) { return inject({}, name); }
  [[nodiscard]] Value facts() { return Value(detail::host->facts(handle_)); }
  [[nodiscard]] std::string_view environment() { return detail::view(detail::host->environment(handle_)); }
  /// `{name, type, file, line}`.
  [[nodiscard]] Value binding() { return Value(detail::host->binding(handle_)); }
  void warn(std::string_view message) { detail::host->warn(handle_, detail::text(message)); }
  /// For a function: whether it was called with a lambda.
  [[nodiscard]] bool has_lambda() const { return detail::host->has_lambda(handle_) != 0; }
  /// Calls the lambda. Throws Failure if it fails or there is none.
  Value call_lambda(std::initializer_list<Value> arguments) { return call_lambda(std::vector<Value>(arguments)); }
  Value call_lambda(const std::vector<Value>& arguments) {
    const auto all = handles(arguments);
    const strata_value* result = nullptr;
    check(detail::host->call_lambda(handle_, all.data(), all.size(), &result));
    return Value(result);
  }

  // Values. Each function throws Failure if the value cannot be made: a text is not UTF-8, an item is absent.
  [[nodiscard]] Value null() { return made(detail::host->make_null(handle_)); }
  [[nodiscard]] Value boolean(bool value) { return made(detail::host->make_boolean(handle_, value ? 1 : 0)); }
  [[nodiscard]] Value integer(std::int64_t value) { return made(detail::host->make_integer(handle_, value)); }
  [[nodiscard]] Value number(double value) { return made(detail::host->make_double(handle_, value)); }
  [[nodiscard]] Value text(std::string_view characters) {
    return made(detail::host->make_text(handle_, detail::text(characters)));
  }
  [[nodiscard]] Value binary(std::string_view bytes) {
    return made(detail::host->make_binary(handle_, detail::text(bytes)));
  }
  [[nodiscard]] Value sequence(const std::vector<Value>& items) {
    const auto all = handles(items);
    return made(detail::host->make_sequence(handle_, all.data(), all.size()));
  }
  [[nodiscard]] Value mapping(const std::vector<std::pair<std::string, Value>>& entries) {
    std::vector<const strata_value*> keys;
    std::vector<const strata_value*> values;
    for (const auto& entry : entries) {
      keys.push_back(text(entry.first).handle());
      values.push_back(entry.second.handle());
    }
    return made(detail::host->make_mapping(handle_, keys.data(), values.data(), keys.size()));
  }
  [[nodiscard]] strata_context* handle() const noexcept { return handle_; }

 private:
  static std::vector<const strata_value*> handles(const std::vector<Value>& values) {
    std::vector<const strata_value*> out;
    out.reserve(values.size());
    for (const Value& value : values) out.push_back(value.handle());
    return out;
  }
  void check(strata_status status) const {
    if (status != STRATA_OK) throw Failure(std::string(detail::view(detail::host->last_error(handle_))));
  }
  static Value made(const strata_value* handle) {
    if (handle == nullptr) throw Failure("a value cannot be made");
    return Value(handle);
  }

  strata_context* handle_;
};

class Producer {
 public:
  virtual ~Producer() = default;
  /// Returns the absent value if it produces nothing.
  virtual Value produce(Context& context, Value arguments) = 0;
};

/// The URIs of one layer that have the provider's scheme.
struct LayerRequest {
  std::string layer;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
};

/// `bindings` is a sequence of mappings, each a binding as data (docs/bindings/extensions.md).
struct Document {
  std::string name;
  Value bindings;
};

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::vector<Document> bindings(Context& context, const LayerRequest& request) = 0;
};

class Combinator {
 public:
  virtual ~Combinator() = default;
  /// For arrays: (memo, item). For hashes: (key, current, value); `current` is absent in the first call.
  virtual Value combine(Context& context, const std::vector<Value>& arguments) = 0;
};

class Function {
 public:
  virtual ~Function() = default;
  virtual Value call(Context& context, const std::vector<Value>& arguments) = 0;
};

class RuntimeType {
 public:
  virtual ~RuntimeType() = default;
  /// Returns the contents of an instance.
  virtual Value create(Context& context, Value arguments) = 0;
};

class QueryService {
 public:
  virtual ~QueryService() = default;
  /// `query` is `{type, where}`. Returns a sequence of resources: at least all that match.
  virtual Value resources(Context& context, Value query) = 0;
};

/// Registers what a plugin offers. Each function throws std::invalid_argument if the name is empty or already
/// registered.
class Plugin {
 public:
  void add_producer(std::string_view name, std::unique_ptr<Producer> producer, std::string_view type = {},
                    bool is_singleton = true) {
    add(
        STRATA_PRODUCER, name, share(std::move(producer)),
        [](Producer& self, Context& context, const std::vector<Value>& arguments) {
          return self.produce(context, first(arguments));
        },
        type, {}, is_singleton);
  }
  void add_provider(std::string_view scheme, std::unique_ptr<Provider> provider) {
    add(STRATA_PROVIDER, scheme, share(std::move(provider)),
        [](Provider& self, Context& context, const std::vector<Value>& arguments) {
          const Value uris = first(arguments);
          const LayerRequest request{std::string(uris["layer"].as_text()), texts(uris["include"]),
                                     texts(uris["exclude"])};
          std::vector<Value> documents;
          for (const Document& document : self.bindings(context, request)) {
            documents.push_back(
                context.mapping({{"document", context.text(document.name)}, {"bindings", document.bindings}}));
          }
          return context.sequence(documents);
        });
  }
  void add_combinator(std::string_view name, std::unique_ptr<Combinator> combinator) {
    add(STRATA_COMBINATOR, name, share(std::move(combinator)),
        [](Combinator& self, Context& context, const std::vector<Value>& arguments) {
          return self.combine(context, arguments);
        });
  }
  void add_function(std::string_view name, std::unique_ptr<Function> function) {
    add(STRATA_FUNCTION, name, share(std::move(function)),
        [](Function& self, Context& context, const std::vector<Value>& arguments) {
          return self.call(context, arguments);
        });
  }
  void add_type(std::string_view name, std::unique_ptr<RuntimeType> type, std::string_view parent = {}) {
    add(
        STRATA_TYPE, name, share(std::move(type)),
        [](RuntimeType& self, Context& context, const std::vector<Value>& arguments) {
          return self.create(context, first(arguments));
        },
        {}, parent);
  }
  void add_query_service(std::string_view name, std::unique_ptr<QueryService> service) {
    add(STRATA_QUERY_SERVICE, name, share(std::move(service)),
        [](QueryService& self, Context& context, const std::vector<Value>& arguments) {
          return self.resources(context, first(arguments));
        });
  }

 private:
  using Body = std::function<Value(Context&, const std::vector<Value>&)>;

  template <class Kind>
  static std::shared_ptr<Kind> share(std::unique_ptr<Kind> owned) {
    return std::shared_ptr<Kind>(std::move(owned));
  }
  static Value first(const std::vector<Value>& arguments) { return arguments.empty() ? Value() : arguments.front(); }
  static std::vector<std::string> texts(const Value& list) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < list.size(); ++i) out.emplace_back(list.at(i).as_text());
    return out;
  }

  template <class Kind, class Call>
  void add(std::uint32_t kind, std::string_view name, std::shared_ptr<Kind> object, Call call,
           std::string_view type = {}, std::string_view parent = {}, bool is_singleton = true) {
    // Lives until the process ends, which runs no destructors.
    auto* body = new Body([object, call](Context& context, const std::vector<Value>& arguments) {
      return call(*object, context, arguments);
    });
    strata_extension_v1 extension{};
    extension.size = sizeof extension;
    extension.kind = kind;
    extension.name = detail::text(name);
    extension.type = detail::text(type);
    extension.parent = detail::text(parent);
    extension.is_singleton = is_singleton ? 1 : 0;
    extension.self = body;
    extension.call = enter;
    if (detail::host->add(detail::host->registrar, &extension) != STRATA_OK) {
      throw std::invalid_argument("'" + std::string(name) + "' cannot be registered");
    }
  }

  static strata_status enter(void* self, strata_context* handle, const strata_value* const* arguments,
                             std::size_t count, const strata_value** result) {
    try {
      Context context(handle);
      std::vector<Value> all;
      for (std::size_t i = 0; i < count; ++i) all.emplace_back(arguments[i]);
      *result = (*static_cast<Body*>(self))(context, all).handle();
      return STRATA_OK;
    } catch (const Failure& failure) {
      detail::host->fail(handle, detail::text(failure.what()), detail::text(failure.file()), failure.line());
    } catch (const std::exception& exception) {
      detail::host->fail(handle, detail::text(exception.what()), {"", 0}, 0);
    } catch (...) {
      detail::host->fail(handle, detail::text("an exception was thrown that is not a std::exception"), {"", 0}, 0);
    }
    return STRATA_FAILED;
  }
};

/// Used by STRATA_PLUGIN.
inline strata_status enter(const strata_host_v1* host, void (*body)(Plugin&)) {
  if (host->size < sizeof(strata_host_v1)) {
    host->refuse(host->registrar, detail::text("it needs a newer strata"));
    return STRATA_FAILED;
  }
  detail::host = host;
  try {
    Plugin plugin;
    body(plugin);
    return STRATA_OK;
  } catch (const std::exception& exception) {
    host->refuse(host->registrar, detail::text(exception.what()));
  } catch (...) {
    host->refuse(host->registrar, detail::text("an exception was thrown that is not a std::exception"));
  }
  return STRATA_FAILED;
}

}  // namespace strata::plugin

/// Defines the plugin's entry function: `STRATA_PLUGIN(plugin) { plugin.add_producer(…); }`. Use it once per library.
#define STRATA_PLUGIN(name)                                               \
  static void strata_plugin_register(strata::plugin::Plugin& name);       \
  extern "C" strata_status strata_plugin_v1(const strata_host_v1* host) { \
    return strata::plugin::enter(host, strata_plugin_register);           \
  }                                                                       \
  static void strata_plugin_register(strata::plugin::Plugin& name)
