// SPDX-License-Identifier: Apache-2.0
// The values of a running template: those of Python, as far as templates see them. Containers are shared and mutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strata::jinja {

enum class Type : std::uint8_t {
  none,
  boolean,
  integer,
  floating,
  text,
  list,
  tuple,
  dict,
  view,  ///< keys(), values(), items() of a dict.
  range,
  iterator,  ///< A generator: can be iterated once.
  function,
  name_space,
  loop,
  cycler,
  big_integer,  ///< From instance data only: can be shown, but not used in arithmetic.
  undefined,
};

/// The target of a Datum. Lives until the rendering ends, so that cycles cannot leak and freeing deep nesting cannot
/// overflow the stack.
struct Object {
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;
};

struct Text;
struct List;
struct Dict;
struct View;
struct Range;
struct Iterator;
struct Function;
struct Loop;
struct Cycler;
struct Undefined;

/// One value. Sixteen bytes; cheap to copy. Refers to objects, as Python's names do.
struct Datum {
  Type type = Type::none;
  union {
    std::int64_t integer = 0;  ///< Also 0 or 1 for a boolean.
    double floating;
    Object* object;
  };

  Datum() noexcept = default;
  Datum(Type of, Object* to) noexcept : type(of), object(to) {}
  static Datum of_boolean(bool value) noexcept {
    Datum datum;
    datum.type = Type::boolean;
    datum.integer = value ? 1 : 0;
    return datum;
  }
  static Datum of_integer(std::int64_t value) noexcept {
    Datum datum;
    datum.type = Type::integer;
    datum.integer = value;
    return datum;
  }
  static Datum of_floating(double value) noexcept {
    Datum datum;
    datum.type = Type::floating;
    datum.floating = value;
    return datum;
  }

  [[nodiscard]] bool is(Type of) const noexcept { return type == of; }
  [[nodiscard]] bool is_undefined() const noexcept { return type == Type::undefined; }
  [[nodiscard]] bool is_whole() const noexcept { return type == Type::integer || type == Type::boolean; }
  [[nodiscard]] bool is_number() const noexcept { return is_whole() || type == Type::floating; }
  [[nodiscard]] bool is_sequence() const noexcept { return type == Type::list || type == Type::tuple; }
  [[nodiscard]] double as_double() const noexcept {
    return type == Type::floating ? floating : static_cast<double>(integer);
  }

  // Each of these requires a datum of its type.
  [[nodiscard]] Text& text() const noexcept;
  [[nodiscard]] List& list() const noexcept;  ///< Also for a tuple.
  [[nodiscard]] Dict& dict() const noexcept;  ///< Also for a namespace.
  [[nodiscard]] View& view() const noexcept;
  [[nodiscard]] Range& range() const noexcept;
  [[nodiscard]] Iterator& iterator() const noexcept;
  [[nodiscard]] Function& function() const noexcept;
  [[nodiscard]] Loop& loop() const noexcept;
  [[nodiscard]] Cycler& cycler() const noexcept;
  [[nodiscard]] Undefined& undefined() const noexcept;
};
static_assert(sizeof(Datum) == 16);

class Runtime;

/// The arguments of a call.
struct Arguments {
  std::vector<Datum> positional;
  std::vector<std::pair<std::string, Datum>> named;
  /// Removes and returns a named argument.
  std::optional<Datum> take(std::string_view name);
};

struct Text : Object {
  std::string bytes;
  std::size_t length = 0;  ///< Code points.
  bool markup = false;     ///< Escaped for HTML: texts joined to it are escaped too.
  [[nodiscard]] bool is_ascii() const noexcept { return length == bytes.size(); }
};

struct List : Object {
  std::vector<Datum> items;
  bool is_group = false;  ///< A result of `groupby`: a pair with the attributes `grouper` and `list`.
};

/// Insertion order, Python's key equality.
struct Dict : Object {
  std::vector<std::pair<Datum, Datum>> entries;
  std::unordered_multimap<std::size_t, std::size_t> index;  ///< Hash of a key to its index in `entries`.
};

struct View : Object {
  enum class Part : std::uint8_t { keys, values, items };
  Dict* dict = nullptr;
  Part part = Part::keys;
};

struct Range : Object {
  std::int64_t start = 0, stop = 0, step = 1;
  std::size_t size = 0;
};

struct Iterator : Object {
  std::string_view kind;  ///< Python's name of it, for output.
  /// The next value. No value at the end and afterwards.
  std::function<std::optional<Datum>()> next;
};

struct Function : Object {
  std::string name;
  std::function<Datum(Arguments&)> call;
};

/// The `loop` of a `for`.
struct Loop : Object {
  Datum iterable;
  Iterator* iterator = nullptr;
  std::int64_t index0 = -1;
  std::size_t depth0 = 0;
  std::optional<std::int64_t> length;
  std::optional<Datum> after;  ///< The next item, read early.
  Datum before, current;
  std::optional<std::vector<Datum>> changed;
  std::function<Datum(const Datum&)>
      recurse;  ///< Renders the body for other items. Empty if the loop is not recursive.
};

struct Cycler : Object {
  std::vector<Datum> items;
  std::size_t at = 0;
};

struct Undefined : Object {
  Datum name;              ///< None if it is unknown.
  std::string hint;        ///< Why it is undefined; may be empty.
  bool is_silent = false;  ///< From an `if` without `else`: written as nothing.
  std::uint32_t at = 0;    ///< Where it was asked for: a byte of the template.
};

inline Text& Datum::text() const noexcept { return *static_cast<Text*>(object); }
inline List& Datum::list() const noexcept { return *static_cast<List*>(object); }
inline Dict& Datum::dict() const noexcept { return *static_cast<Dict*>(object); }
inline View& Datum::view() const noexcept { return *static_cast<View*>(object); }
inline Range& Datum::range() const noexcept { return *static_cast<Range*>(object); }
inline Iterator& Datum::iterator() const noexcept { return *static_cast<Iterator*>(object); }
inline Function& Datum::function() const noexcept { return *static_cast<Function*>(object); }
inline Loop& Datum::loop() const noexcept { return *static_cast<Loop*>(object); }
inline Cycler& Datum::cycler() const noexcept { return *static_cast<Cycler*>(object); }
inline Undefined& Datum::undefined() const noexcept { return *static_cast<Undefined*>(object); }

/// Python's name of the type: `int`, `NoneType`.
[[nodiscard]] std::string_view type_name(const Datum& datum) noexcept;

}  // namespace strata::jinja
