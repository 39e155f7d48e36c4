// The process of a plugin: plugin.h on one side, messages on the other.
#include <dlfcn.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <exception>
#include <map>
#include <thread>
#include <vector>

#include "plugin/wire.hpp"
#include "plugin_process.hpp"
#include "strata/error.hpp"
#include "strata/plugin.h"
#include "strata/text.hpp"

// The types that plugin.h leaves open.
struct strata_value {
  strata::Value value;
};

struct strata_registrar {
  struct Registered {
    strata_extension_v1 extension;
    std::string kind, name, type, parent;
  };
  std::map<std::string, Registered> all;  ///< By kind and name.
  std::string refusal;
  bool is_open = true;
};

namespace strata {
namespace {

class Server;

}  // namespace
}  // namespace strata

struct strata_context {
  strata::Server* server;
  std::string environment;
  strata::Value binding;
  bool has_lambda = false;
  const strata_value* facts = nullptr;
  std::string last_error = {};
  std::string failure = {};
  std::string failure_file = {};
  std::uint32_t failure_line = 0;
};

namespace strata {
namespace {

std::string_view view(strata_text text) { return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size); }
strata_text text_of(std::string_view text) { return {text.data(), text.size()}; }

std::string_view kind_word(std::uint32_t kind) {
  switch (kind) {
    case STRATA_PRODUCER:
      return "producer";
    case STRATA_PROVIDER:
      return "provider";
    case STRATA_COMBINATOR:
      return "combinator";
    case STRATA_FUNCTION:
      return "function";
    case STRATA_TYPE:
      return "type";
    case STRATA_QUERY_SERVICE:
      return "query_service";
    default:
      return {};
  }
}

/// Ends this process and what it has started: strata is gone, or wants no more. Destructors of the plugin's own are not worth a hang.
[[noreturn]] void leave() {
  if (getsid(0) == getpid()) kill(0, SIGKILL);
  std::_Exit(0);
}

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(plugin::kSocket, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool read_all(std::string& bytes, std::size_t size) {
  bytes.resize(size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = read(plugin::kSocket, bytes.data() + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

/// Values and calls of this process.
class Server {
 public:
  explicit Server(strata_registrar& registrar) : registrar_(registrar) {}

  /// Until strata closes the socket.
  void serve() {
    while (true) {
      // Values live as long as the outermost call.
      values_.clear();
      arena_.clear();
      std::vector<Value> message;
      if (!receive(message)) return;
      if (word(message) == "call") run(message);
    }
  }

  Arena& arena() { return arena_; }
  const strata_value* keep(const Value& value) { return value ? &values_.emplace_back(strata_value{value}) : nullptr; }

  /// Asks strata; false with the context's last error where it fails.
  bool ask(strata_context& context, std::vector<Value> question, Value& answer) {
    question.insert(question.begin(), arena_.text("ask"));
    send(question);
    while (true) {
      std::vector<Value> message;
      if (!receive(message)) leave();
      if (word(message) == "call") {
        run(message);
        continue;
      }
      answer = message.size() > 1 ? message[1] : Value();
      if (word(message) == "answer") return true;
      context.last_error = answer.is_text() ? std::string(answer.text()) : std::string();
      return false;
    }
  }

 private:
  static std::string_view word(const std::vector<Value>& message) {
    return message.empty() || !message.front().is_text() ? std::string_view() : message.front().text();
  }

  bool receive(std::vector<Value>& message) {
    std::string bytes;
    if (!read_all(bytes, plugin::kHead) || !read_all(bytes, plugin::size_of(bytes))) return false;
    message = plugin::decode(bytes, arena_, limits_);
    return true;
  }

  static void send(std::span<const Value> message) {
    if (!write_all(plugin::encode(message))) leave();
  }

  void run(const std::vector<Value>& message) {
    constexpr std::size_t kArguments = 6;
    if (message.size() < kArguments) std::_Exit(1);
    const auto found = registrar_.all.find(fmt::format("{} {}", message[1].text(), message[2].text()));
    strata_context context{
        .server = this, .environment = std::string(message[4].text()), .binding = message[5], .has_lambda = message[3].as_boolean()};
    std::vector<const strata_value*> arguments;
    for (std::size_t i = kArguments; i < message.size(); ++i) arguments.push_back(keep(message[i]));
    const strata_value* result = nullptr;
    strata_status status = STRATA_FAILED;
    if (found == registrar_.all.end()) {
      context.failure = "it is not registered any more";
    } else {
      const strata_extension_v1& extension = found->second.extension;
      status = extension.call(extension.self, &context, arguments.data(), arguments.size(), &result);
    }
    if (status == STRATA_OK) {
      const std::vector<Value> reply{arena_.text("return"), result == nullptr ? Value() : result->value};
      send(reply);
    } else {
      const std::vector<Value> reply{arena_.text("fail"), arena_.text(valid(context.failure)), arena_.text(valid(context.failure_file)),
                                     Value::integer(context.failure_line)};
      send(reply);
    }
  }

  static std::string valid(std::string text) {
    if (const std::size_t invalid = text::find_invalid_utf8(text); invalid != std::string_view::npos) text.resize(invalid);
    return text;
  }

  strata_registrar& registrar_;
  Limits limits_;
  Arena arena_;
  std::deque<strata_value> values_;
};

// The functions of strata_host_v1. No exception leaves them: what fails gives nothing.

strata_status add(strata_registrar* registrar, const strata_extension_v1* extension) {
  if (!registrar->is_open || extension == nullptr || extension->size < sizeof(strata_extension_v1) || extension->call == nullptr)
    return STRATA_FAILED;
  const std::string_view kind = kind_word(extension->kind);
  const std::string_view name = view(extension->name);
  if (kind.empty() || name.empty()) return STRATA_FAILED;
  for (const strata_text text : {extension->name, extension->type, extension->parent}) {
    if (text::find_invalid_utf8(view(text)) != std::string_view::npos) return STRATA_FAILED;
  }
  const strata_registrar::Registered registered{.extension = *extension,
                                                .kind = std::string(kind),
                                                .name = std::string(name),
                                                .type = std::string(view(extension->type)),
                                                .parent = std::string(view(extension->parent))};
  return registrar->all.emplace(fmt::format("{} {}", kind, name), registered).second ? STRATA_OK : STRATA_FAILED;
}

void refuse(strata_registrar* registrar, strata_text reason) { registrar->refusal = view(reason); }

std::int32_t kind(const strata_value* value) {
  if (value == nullptr) return STRATA_ABSENT;
  switch (value->value.kind()) {
    case Kind::absent:
      return STRATA_ABSENT;
    case Kind::null:
      return STRATA_NULL;
    case Kind::boolean:
      return STRATA_BOOLEAN;
    case Kind::integer:
      return STRATA_INTEGER;
    case Kind::floating:
      return STRATA_DOUBLE;
    case Kind::binary:
      return STRATA_BINARY;
    case Kind::big_integer:
      return STRATA_BIG_INTEGER;
    case Kind::sequence:
      return STRATA_SEQUENCE;
    case Kind::mapping:
      return STRATA_MAPPING;
    default:
      return STRATA_TEXT;
  }
}

std::int32_t as_boolean(const strata_value* value) { return kind(value) == STRATA_BOOLEAN && value->value.as_boolean() ? 1 : 0; }
std::int64_t as_integer(const strata_value* value) { return kind(value) == STRATA_INTEGER ? value->value.as_integer() : 0; }
double as_double(const strata_value* value) {
  if (kind(value) == STRATA_INTEGER) return static_cast<double>(value->value.as_integer());
  return kind(value) == STRATA_DOUBLE ? value->value.as_floating() : 0;
}
strata_text as_text(const strata_value* value) {
  const std::int32_t is = kind(value);
  const bool has_text = is == STRATA_TEXT || is == STRATA_BINARY || is == STRATA_BIG_INTEGER;
  return has_text ? text_of(value->value.text()) : strata_text{"", 0};
}
std::size_t count(const strata_value* value) { return value == nullptr ? 0 : value->value.size(); }

/// Members are made on the way: values that were given have no address of their own.
thread_local Server* current = nullptr;

const strata_value* item(const strata_value* value, std::size_t index) {
  if (index >= count(value)) return nullptr;
  return current->keep(value->value.is_sequence() ? value->value.items()[index] : value->value.entries()[index].value);
}
const strata_value* key(const strata_value* value, std::size_t index) {
  return kind(value) != STRATA_MAPPING || index >= count(value) ? nullptr : current->keep(value->value.entries()[index].key);
}
const strata_value* member(const strata_value* value, strata_text name) {
  if (kind(value) != STRATA_MAPPING) return nullptr;
  const Value* found = value->value.find(view(name));
  return found == nullptr ? nullptr : current->keep(*found);
}

template <class Make>
const strata_value* made(strata_context* context, const Make& make) {
  try {
    return context->server->keep(make(context->server->arena()));
  } catch (const std::exception&) {
    return nullptr;
  }
}

const strata_value* make_null(strata_context* context) {
  return made(context, [](Arena&) { return Value::null(); });
}
const strata_value* make_boolean(strata_context* context, std::int32_t value) {
  return made(context, [&](Arena&) { return Value::boolean(value != 0); });
}
const strata_value* make_integer(strata_context* context, std::int64_t value) {
  return made(context, [&](Arena&) { return Value::integer(value); });
}
const strata_value* make_double(strata_context* context, double value) {
  return made(context, [&](Arena&) { return Value::floating(value); });
}
const strata_value* make_text(strata_context* context, strata_text text) {
  return made(context,
              [&](Arena& arena) { return text::find_invalid_utf8(view(text)) == std::string_view::npos ? arena.text(view(text)) : Value(); });
}
const strata_value* make_binary(strata_context* context, strata_text bytes) {
  return made(context, [&](Arena& arena) { return arena.binary(view(bytes)); });
}
const strata_value* make_sequence(strata_context* context, const strata_value* const* items, std::size_t size) {
  return made(context, [&](Arena& arena) {
    const Value out = arena.sequence(size);
    for (std::size_t i = 0; i < size; ++i) {
      if (items[i] == nullptr) return Value();
      arena.append(out, items[i]->value);
    }
    return out;
  });
}
const strata_value* make_mapping(strata_context* context, const strata_value* const* keys, const strata_value* const* values, std::size_t size) {
  return made(context, [&](Arena& arena) {
    const Value out = arena.mapping(KeyEquality::exact, size);
    for (std::size_t i = 0; i < size; ++i) {
      if (keys[i] == nullptr || values[i] == nullptr || keys[i]->value.is_container()) return Value();
      arena.insert(out, arena.key(keys[i]->value), values[i]->value);
    }
    return out;
  });
}

/// A question. What is thrown on the way is what strata has sent: nothing to go on with.
strata_status ask(strata_context* context, std::vector<Value> question, const strata_value** result) {
  Value answer;
  if (!context->server->ask(*context, std::move(question), answer)) return STRATA_FAILED;
  if (result != nullptr) *result = context->server->keep(answer);
  return STRATA_OK;
}

strata_status inject(strata_context* context, strata_text type, strata_text name, const strata_value** result) {
  Arena& arena = context->server->arena();
  for (const strata_text text : {type, name}) {
    if (text::find_invalid_utf8(view(text)) == std::string_view::npos) continue;
    context->last_error = "inject takes texts of UTF-8";
    return STRATA_FAILED;
  }
  return ask(context, {arena.text("inject"), arena.text(view(type)), arena.text(view(name))}, result);
}

strata_status call_lambda(strata_context* context, const strata_value* const* arguments, std::size_t size, const strata_value** result) {
  if (!context->has_lambda) {
    context->last_error = "there is no lambda";
    return STRATA_FAILED;
  }
  std::vector<Value> question{context->server->arena().text("lambda")};
  for (std::size_t i = 0; i < size; ++i) question.push_back(arguments[i] == nullptr ? Value() : arguments[i]->value);
  return ask(context, std::move(question), result);
}

std::int32_t has_lambda(strata_context* context) { return context->has_lambda ? 1 : 0; }

const strata_value* facts(strata_context* context) {
  if (context->facts == nullptr) (void)ask(context, {context->server->arena().text("facts")}, &context->facts);
  return context->facts;
}

strata_text environment(strata_context* context) { return text_of(context->environment); }
const strata_value* binding(strata_context* context) { return context->server->keep(context->binding); }

void warn(strata_context* context, strata_text message) {
  if (text::find_invalid_utf8(view(message)) != std::string_view::npos) return;
  Arena& arena = context->server->arena();
  (void)ask(context, {arena.text("warn"), arena.text(view(message))}, nullptr);
}

strata_text last_error(strata_context* context) { return text_of(context->last_error); }

void fail(strata_context* context, strata_text message, strata_text file, std::uint32_t line) {
  context->failure = view(message);
  context->failure_file = view(file);
  context->failure_line = line;
}

/// Ends the process when strata closes its end of the socket, or is gone, whatever the plugin does at that time. (The signal that the kernel sends at
/// a parent's death goes by the parent's thread, which may well end before.)
void watch_strata() {
  std::thread([] {
    pollfd waiting{.fd = plugin::kSocket, .events = 0, .revents = 0};
    while (poll(&waiting, 1, -1) <= 0) {
    }
    leave();
  }).detach();
}

/// No more than so much memory, and no core dumps.
void bound_process(std::size_t memory) {
  const rlimit data{.rlim_cur = memory, .rlim_max = memory};
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  constexpr bool kHasShadow = true;  // The sanitizer's shadow counts as data: there would be nothing left.
#else
  constexpr bool kHasShadow = false;
#endif
#else
  constexpr bool kHasShadow = false;
#endif
  if (!kHasShadow) (void)setrlimit(RLIMIT_DATA, &data);
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)close_range(plugin::kSocket + 1, ~0U, 0);
}

void send_refusal(Arena& arena, const std::string& why) {
  const std::vector<Value> message{arena.text("refuse"), arena.text(why)};
  (void)write_all(plugin::encode(message));
}

}  // namespace

int run_plugin_host(const char* file, const char* memory) {
  watch_strata();
  bound_process(std::strtoull(memory, nullptr, 10));
  Arena arena;
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    send_refusal(arena, dlerror());  // NOLINT(concurrency-mt-unsafe): one thread
    return 1;
  }
  const auto enter = reinterpret_cast<strata_plugin_v1_function>(dlsym(library, "strata_plugin_v1"));
  if (enter == nullptr) {
    send_refusal(arena, "it has no function strata_plugin_v1");
    return 1;
  }
  strata_registrar registrar;
  Server server(registrar);
  current = &server;
  const strata_host_v1 host{.size = sizeof(strata_host_v1),
                            .registrar = &registrar,
                            .add = add,
                            .refuse = refuse,
                            .kind = kind,
                            .as_boolean = as_boolean,
                            .as_integer = as_integer,
                            .as_double = as_double,
                            .as_text = as_text,
                            .count = count,
                            .item = item,
                            .key = key,
                            .member = member,
                            .make_null = make_null,
                            .make_boolean = make_boolean,
                            .make_integer = make_integer,
                            .make_double = make_double,
                            .make_text = make_text,
                            .make_binary = make_binary,
                            .make_sequence = make_sequence,
                            .make_mapping = make_mapping,
                            .inject = inject,
                            .call_lambda = call_lambda,
                            .has_lambda = has_lambda,
                            .facts = facts,
                            .environment = environment,
                            .binding = binding,
                            .warn = warn,
                            .last_error = last_error,
                            .fail = fail};
  if (enter(&host) != STRATA_OK) {
    send_refusal(arena, registrar.refusal.empty() ? "its strata_plugin_v1 fails" : registrar.refusal);
    return 1;
  }
  registrar.is_open = false;
  const Value all = arena.sequence();
  for (const auto& [name, registered] : registrar.all) {
    const Value one = arena.mapping();
    arena.insert(one, "kind", arena.text(registered.kind));
    arena.insert(one, "name", arena.text(registered.name));
    arena.insert(one, "type", arena.text(registered.type));
    arena.insert(one, "parent", arena.text(registered.parent));
    arena.insert(one, "singleton", Value::boolean(registered.extension.is_singleton != 0));
    arena.append(all, one);
  }
  const std::vector<Value> greeting{arena.text("hello"), Value::integer(plugin::kVersion), all};
  if (write_all(plugin::encode(greeting))) server.serve();
  leave();
}

}  // namespace strata
