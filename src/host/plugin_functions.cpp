// SPDX-License-Identifier: Apache-2.0
#include "plugin_functions.hpp"

#include <fmt/format.h>

#include <exception>

#include "plugin/wire.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::plugin {
namespace {

static_assert(STRATA_PRODUCER == 1 && STRATA_QUERY_SERVICE == kKinds.size());

std::string_view view_of(strata_text text) {
  return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size);
}
strata_text text_of(std::string_view text) { return {text.data(), text.size()}; }

/// Code of the plugin calls these, and C knows no exceptions: what fails gives `otherwise`.
template <class Result, class Work>
Result shielded(Result otherwise, const Work& work) noexcept {
  try {
    return work();
  } catch (const std::exception&) {
    return otherwise;
  }
}

strata_status add(strata_registrar* registrar, const strata_extension_v1* extension) {
  if (!registrar->is_open || extension == nullptr || extension->size < sizeof(strata_extension_v1) ||
      extension->call == nullptr)
    return STRATA_FAILED;
  return shielded(STRATA_FAILED, [&] {
    // Their numbers begin with 1.
    const std::size_t number = std::size_t{extension->kind} - 1;
    const std::string_view name = view_of(extension->name);
    if (number >= kKinds.size() || name.empty()) return STRATA_FAILED;
    for (const strata_text text : {extension->name, extension->type, extension->parent}) {
      if (text::find_invalid_utf8(view_of(text)) != std::string_view::npos) return STRATA_FAILED;
    }
    const strata_registrar::Registered registered{.extension = *extension,
                                                  .kind = std::string(kKinds.at(number)),
                                                  .name = std::string(name),
                                                  .type = std::string(view_of(extension->type)),
                                                  .parent = std::string(view_of(extension->parent))};
    return registrar->all.emplace(fmt::format("{} {}", registered.kind, name), registered).second ? STRATA_OK
                                                                                                  : STRATA_FAILED;
  });
}

void refuse(strata_registrar* registrar, strata_text reason) {
  (void)shielded(STRATA_FAILED, [&] {
    registrar->refusal = view_of(reason);
    return STRATA_OK;
  });
}

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

std::int32_t as_boolean(const strata_value* value) {
  return kind(value) == STRATA_BOOLEAN && value->value.as_boolean() ? 1 : 0;
}
std::int64_t as_integer(const strata_value* value) {
  return kind(value) == STRATA_INTEGER ? value->value.as_integer() : 0;
}
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

const strata_value* part(const Value& value) {
  return shielded<const strata_value*>(nullptr, [&] { return current->keep(value); });
}

const strata_value* item(const strata_value* value, std::size_t index) {
  if (index >= count(value)) return nullptr;
  return part(value->value.is_sequence() ? value->value.items()[index] : value->value.entries()[index].value);
}
const strata_value* key(const strata_value* value, std::size_t index) {
  return kind(value) != STRATA_MAPPING || index >= count(value) ? nullptr : part(value->value.entries()[index].key);
}
const strata_value* member(const strata_value* value, strata_text name) {
  if (kind(value) != STRATA_MAPPING) return nullptr;
  const Value* found = value->value.find(view_of(name));
  return found == nullptr ? nullptr : part(*found);
}

template <class Make>
const strata_value* made(strata_context* context, const Make& make) {
  return shielded<const strata_value*>(nullptr, [&] { return context->server->keep(make(context->server->arena())); });
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
  return made(context, [&](Arena& arena) {
    return text::find_invalid_utf8(view_of(text)) == std::string_view::npos ? arena.text(view_of(text)) : Value();
  });
}
const strata_value* make_binary(strata_context* context, strata_text bytes) {
  return made(context, [&](Arena& arena) { return arena.binary(view_of(bytes)); });
}
const strata_value* make_sequence(strata_context* context, const strata_value* const* items, std::size_t size) {
  return made(context, [&](Arena& arena) {
    SequenceBuilder out(arena, size);
    for (std::size_t i = 0; i < size; ++i) {
      if (items[i] == nullptr) return Value();
      out.append(items[i]->value);
    }
    return out.finish();
  });
}
const strata_value* make_mapping(strata_context* context, const strata_value* const* keys,
                                 const strata_value* const* values, std::size_t size) {
  return made(context, [&](Arena& arena) {
    MappingBuilder out(arena, KeyEquality::exact, size);
    for (std::size_t i = 0; i < size; ++i) {
      if (keys[i] == nullptr || values[i] == nullptr || keys[i]->value.is_container()) return Value();
      out.insert(arena.key(keys[i]->value), values[i]->value);
    }
    return out.finish();
  });
}

/// A question, which `make` makes. What is thrown on the way is why it fails.
template <class Make>
strata_status ask(strata_context* context, const strata_value** result, const Make& make) {
  return shielded(STRATA_FAILED, [&] {
    try {
      Value answer;
      if (!context->server->ask(*context, make(context->server->arena()), answer)) return STRATA_FAILED;
      if (result != nullptr) *result = context->server->keep(answer);
      return STRATA_OK;
    } catch (const std::exception& error) {
      context->last_error = error.what();
      return STRATA_FAILED;
    }
  });
}

strata_status inject(strata_context* context, strata_text type, strata_text name, const strata_value** result) {
  return ask(context, result, [&](Arena& arena) {
    for (const strata_text text : {type, name}) {
      if (text::find_invalid_utf8(view_of(text)) != std::string_view::npos)
        throw Error("extension.failed", "inject takes texts of UTF-8");
    }
    return std::vector<Value>{arena.text("inject"), arena.text(view_of(type)), arena.text(view_of(name))};
  });
}

strata_status call_lambda(strata_context* context, const strata_value* const* arguments, std::size_t size,
                          const strata_value** result) {
  return ask(context, result, [&](Arena& arena) {
    if (!context->has_lambda) throw Error("extension.failed", "there is no lambda");
    std::vector<Value> question{arena.text("lambda")};
    for (std::size_t i = 0; i < size; ++i) question.push_back(arguments[i] == nullptr ? Value() : arguments[i]->value);
    return question;
  });
}

std::int32_t has_lambda(strata_context* context) { return context->has_lambda ? 1 : 0; }

const strata_value* facts(strata_context* context) {
  if (context->facts == nullptr)
    (void)ask(context, &context->facts, [](Arena& arena) { return std::vector<Value>{arena.text("facts")}; });
  return context->facts;
}

strata_text environment(strata_context* context) { return text_of(context->environment); }
const strata_value* binding(strata_context* context) {
  return made(context, [&](Arena&) { return context->binding; });
}

void warn(strata_context* context, strata_text message) {
  if (text::find_invalid_utf8(view_of(message)) != std::string_view::npos) return;
  (void)ask(context, nullptr, [&](Arena& arena) {
    return std::vector<Value>{arena.text("warn"), arena.text(view_of(message))};
  });
}

strata_text last_error(strata_context* context) { return text_of(context->last_error); }

void fail(strata_context* context, strata_text message, strata_text file, std::uint32_t line) {
  (void)shielded(STRATA_FAILED, [&] {
    context->failure = view_of(message);
    context->failure_file = view_of(file);
    context->failure_line = line;
    return STRATA_OK;
  });
}

}  // namespace

strata_host_v1 host_functions(strata_registrar& registrar, Server& server) {
  current = &server;
  return {.size = sizeof(strata_host_v1),
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
}

}  // namespace strata::plugin
