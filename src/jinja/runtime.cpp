// SPDX-License-Identifier: Apache-2.0
#include "jinja/runtime.hpp"

#include <algorithm>

#include "jinja/operations.hpp"
#include "text/unicode/characters.hpp"

namespace strata::jinja {
namespace {

// Everything that a template makes is kept until it ends; this is how much that may be.
constexpr std::size_t kMaxBytes = std::size_t{512} << 20;

}  // namespace

std::optional<Datum> Arguments::take(std::string_view name) {
  const auto found = std::find_if(named.begin(), named.end(), [&](const auto& entry) { return entry.first == name; });
  if (found == named.end()) return std::nullopt;
  const Datum value = found->second;
  named.erase(found);
  return value;
}

std::string_view type_name(const Datum& datum) noexcept {
  switch (datum.type) {
    case Type::none:
      return "NoneType";
    case Type::boolean:
      return "bool";
    case Type::integer:
    case Type::big_integer:
      return "int";
    case Type::floating:
      return "float";
    case Type::text:
      return datum.text().markup ? "Markup" : "str";
    case Type::list:
      return "list";
    case Type::tuple:
      return "tuple";
    case Type::dict:
      return "dict";
    case Type::view:
      return datum.view().part == View::Part::keys     ? "dict_keys"
             : datum.view().part == View::Part::values ? "dict_values"
                                                       : "dict_items";
    case Type::range:
      return "range";
    case Type::iterator:
      return "iterator";
    case Type::function:
      return "function";
    case Type::name_space:
      return "Namespace";
    case Type::loop:
      return "LoopContext";
    case Type::cycler:
      return "Cycler";
    case Type::undefined:
      return "Undefined";
  }
  return "object";
}

Datum Runtime::text(std::string bytes, bool markup) {
  if (bytes.size() > kMaxText) fail_limit("limit.result", "a text of the template is larger than 64 MiB");
  charge(bytes.size());
  Text* made = make<Text>();
  made->length = text::unicode::length(bytes);
  made->bytes = std::move(bytes);
  made->markup = markup;
  return {Type::text, made};
}

Datum Runtime::list(std::vector<Datum> items) {
  charge(items.size() * sizeof(Datum));
  List* made = make<List>();
  made->items = std::move(items);
  return {Type::list, made};
}

Datum Runtime::tuple(std::vector<Datum> items) {
  Datum made = list(std::move(items));
  made.type = Type::tuple;
  return made;
}

Datum Runtime::dict() { return {Type::dict, make<Dict>()}; }

Datum Runtime::function(std::string name, std::function<Datum(Arguments&)> call) {
  Function* made = make<Function>();
  made->name = std::move(name);
  made->call = std::move(call);
  return {Type::function, made};
}

Datum Runtime::generator(std::string_view kind, std::function<std::optional<Datum>()> next) {
  Iterator* made = make<Iterator>();
  made->kind = kind;
  made->next = std::move(next);
  return {Type::iterator, made};
}

Datum Runtime::undefined(Datum name, std::string hint) {
  Undefined* made = make<Undefined>();
  made->name = name;
  made->hint = std::move(hint);
  made->at = at_;
  return {Type::undefined, made};
}

void Runtime::charge(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ > kMaxBytes) fail_limit("limit.result", "the template makes more than 512 MiB of values");
}

void Runtime::note_missing(const std::string& name, std::uint32_t at) {
  if (std::ranges::find(missing_, name, &Missing::name) == missing_.end()) missing_.push_back({.name = name, .at = at});
}

void Runtime::fail(std::string message) const {
  throw Error("jinja.runtime", std::move(message)).at(source_.sources(), source_.origin(at_));
}

void Runtime::fail_unsupported(const std::string& construct) const {
  throw Error("jinja.unsupported", construct + " is not supported in templates")
      .at(source_.sources(), source_.origin(at_));
}

void Runtime::fail_undefined(const Undefined& undefined) const {
  std::string message = undefined.hint;
  if (message.empty())
    message =
        "'" + (undefined.name.is(Type::text) ? undefined.name.text().bytes : std::string("a value")) + "' is undefined";
  throw Error("jinja.undefined", std::move(message))
      .at(source_.sources(), source_.origin(at_))
      .hint("give it a value with the filter 'default', or ask 'is defined' first");
}

void Runtime::fail_limit(std::string_view code, std::string message) const {
  throw Error(code, std::move(message)).at(source_.sources(), source_.origin(at_));
}

void Runtime::too_many_steps() const {
  throw Error("limit.steps", "the template takes more than " + std::to_string(limits_.steps) + " steps")
      .at(source_.sources(), source_.origin(at_));
}

}  // namespace strata::jinja
