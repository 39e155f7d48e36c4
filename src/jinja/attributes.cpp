// SPDX-License-Identifier: Apache-2.0
// `object.name`, `object[key]` and calls.
#include <algorithm>
#include <array>

#include "jinja/operations.hpp"

namespace strata::jinja {
namespace {

/// The item that comes after the current one, looked at once.
std::optional<Datum> peek(Loop& loop) {
  if (!loop.after) loop.after = loop.iterator->next();
  return loop.after;
}

std::int64_t loop_length(Runtime& runtime, Loop& loop) {
  if (loop.length) return *loop.length;
  const std::optional<std::int64_t> known = loop.iterable.is(Type::iterator) ? std::nullopt : size_of(loop.iterable);
  if (known) {
    loop.length = known;
    return *known;
  }
  // A generator tells its length only by being walked.
  const Datum rest = runtime.list(collect(runtime, {Type::iterator, loop.iterator}));
  loop.length = static_cast<std::int64_t>(rest.list().items.size()) + loop.index0 + 1 + (loop.after ? 1 : 0);
  loop.iterator = iterate(runtime, rest);
  return *loop.length;
}

Datum loop_cycle(Runtime& runtime, Loop& loop) {
  return runtime.function("<bound method LoopContext.cycle>", [&runtime, &loop](Arguments& arguments) {
    if (!arguments.named.empty()) runtime.fail("'cycle' takes no named arguments");
    if (arguments.positional.empty()) runtime.fail("'cycle' needs values");
    return arguments.positional[static_cast<std::size_t>(loop.index0) % arguments.positional.size()];
  });
}

Datum loop_changed(Runtime& runtime, Loop& loop) {
  return runtime.function("<bound method LoopContext.changed>", [&runtime, &loop](Arguments& arguments) {
    bool same = loop.changed && loop.changed->size() == arguments.positional.size();
    for (std::size_t index = 0; same && index < arguments.positional.size(); ++index) {
      same = equal(runtime, (*loop.changed)[index], arguments.positional[index]);
    }
    if (!same) loop.changed = arguments.positional;
    return Datum::of_boolean(!same);
  });
}

std::optional<Datum> loop_attribute(Runtime& runtime, Loop& loop, std::string_view name) {
  if (name == "index") return Datum::of_integer(loop.index0 + 1);
  if (name == "index0") return Datum::of_integer(loop.index0);
  if (name == "first") return Datum::of_boolean(loop.index0 == 0);
  if (name == "last") return Datum::of_boolean(!peek(loop).has_value());
  if (name == "length") return Datum::of_integer(loop_length(runtime, loop));
  if (name == "revindex") return Datum::of_integer(loop_length(runtime, loop) - loop.index0);
  if (name == "revindex0") return Datum::of_integer(loop_length(runtime, loop) - loop.index0 - 1);
  if (name == "depth") return Datum::of_integer(static_cast<std::int64_t>(loop.depth0) + 1);
  if (name == "depth0") return Datum::of_integer(static_cast<std::int64_t>(loop.depth0));
  if (name == "previtem") return loop.index0 == 0 ? runtime.undefined({}, "there is no previous item") : loop.before;
  if (name == "nextitem") {
    const std::optional<Datum> next = peek(loop);
    return next ? *next : runtime.undefined({}, "there is no next item");
  }
  if (name == "cycle") return loop_cycle(runtime, loop);
  if (name == "changed") return loop_changed(runtime, loop);
  return std::nullopt;
}

std::optional<Datum> cycler_attribute(Runtime& runtime, Cycler& cycler, std::string_view name) {
  if (name == "current") return cycler.items[cycler.at];
  if (name == "next") {
    return runtime.function("<bound method Cycler.next>", [&cycler](Arguments&) {
      const Datum current = cycler.items[cycler.at];
      cycler.at = (cycler.at + 1) % cycler.items.size();
      return current;
    });
  }
  if (name == "reset") {
    return runtime.function("<bound method Cycler.reset>", [&cycler](Arguments&) {
      cycler.at = 0;
      return Datum();
    });
  }
  return std::nullopt;
}

/// What Python's types have and strata does not: better to say so than to call it undefined.
bool is_known_method(Type type, std::string_view name) {
  static constexpr std::array kText = {"encode",    "format_map", "isdecimal", "isnumeric", "maketrans",
                                       "translate", "unescape",   "striptags", "escape"};
  static constexpr std::array kDict = {"fromkeys"};
  static constexpr std::array kNumber = {"as_integer_ratio", "bit_count", "bit_length", "conjugate", "denominator",
                                         "from_bytes",       "fromhex",   "hex",        "imag",      "is_integer",
                                         "numerator",        "real",      "to_bytes"};
  const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (type == Type::text) return among(kText);
  if (type == Type::dict) return among(kDict);
  if (type == Type::integer || type == Type::boolean || type == Type::floating) return among(kNumber);
  return false;
}

}  // namespace

std::optional<Datum> attribute(Runtime& runtime, const Datum& object, std::string_view name) {
  if (object.is_undefined()) runtime.fail_undefined(object.undefined());
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__")) {
    if (object.is(Type::name_space)) {
      if (const Datum* found = find(runtime, object.dict(), name)) return *found;
    }
    runtime.fail("access to the attribute '" + std::string(name) + "' is refused");
  }
  if (object.is(Type::name_space)) {
    const Datum* found = find(runtime, object.dict(), name);
    return found == nullptr ? std::nullopt : std::optional<Datum>(*found);
  }
  if (object.is(Type::loop)) return loop_attribute(runtime, object.loop(), name);
  if (object.is(Type::cycler)) return cycler_attribute(runtime, object.cycler(), name);
  if (object.is(Type::tuple) && object.list().is_group) {
    if (name == "grouper") return object.list().items[0];
    if (name == "list") return object.list().items[1];
  }
  if (object.is(Type::range)) {
    if (name == "start") return Datum::of_integer(object.range().start);
    if (name == "stop") return Datum::of_integer(object.range().stop);
    if (name == "step") return Datum::of_integer(object.range().step);
  }
  const Method method = object.is(Type::text) ? text_method(name) : container_method(object.type, name);
  if (method != nullptr) {
    return runtime.function(
        "<built-in method " + std::string(name) + ">",
        [&runtime, object, method](Arguments& arguments) { return method(runtime, object, arguments); });
  }
  if (is_known_method(object.type, name))
    runtime.fail_unsupported("the method '" + std::string(name) + "' of " + std::string(type_name(object)));
  return std::nullopt;
}

Datum get_attribute(Runtime& runtime, const Datum& object, std::string_view name) {
  if (const std::optional<Datum> found = attribute(runtime, object, name)) return *found;
  const Datum key = runtime.text(std::string(name));
  if (const std::optional<Datum> found = subscript(runtime, object, key)) return *found;
  return runtime.undefined(key, std::string(type_name(object)) + " has no attribute '" + std::string(name) + "'");
}

Datum get_item(Runtime& runtime, const Datum& object, const Datum& key) {
  if (const std::optional<Datum> found = subscript(runtime, object, key)) return *found;
  if (key.is(Type::text)) {
    if (const std::optional<Datum> found = attribute(runtime, object, key.text().bytes)) return *found;
  }
  return runtime.undefined(key, std::string(type_name(object)) + " has no element " + to_repr(runtime, key));
}

Datum call(Runtime& runtime, const Datum& callee, Arguments& arguments) {
  runtime.step();
  runtime.need_defined(callee);
  if (callee.is(Type::loop)) {
    if (!callee.loop().recurse) runtime.fail("the loop is not marked 'recursive'");
    return callee.loop().recurse(*bind(runtime, arguments, {"iterable"}, 1)[0]);
  }
  if (!callee.is(Type::function))
    runtime.fail("a value of type " + std::string(type_name(callee)) + " cannot be called");
  return callee.function().call(arguments);
}

}  // namespace strata::jinja
