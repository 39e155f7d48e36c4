// SPDX-License-Identifier: Apache-2.0
// Values: immutable trees of data with the origin of each node.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "strata/origin.hpp"

namespace strata {

class Stop;

/// The kind of a value. `absent` means "no value" and never occurs inside a container.
enum class Kind : std::uint8_t {
  absent,
  null,
  boolean,
  integer,      ///< 64 bits.
  big_integer,  ///< An integer that does not fit; kept as decimal digits.
  floating,
  text,    ///< UTF-8.
  binary,  ///< Bytes.
  date,
  timestamp,
  sequence,
  mapping,
  set,     ///< A mapping whose values are null.
  object,  ///< Values of the Puppet language that are not data.
};

/// The name of a kind, for messages: "a mapping", "text".
[[nodiscard]] std::string_view describe(Kind kind) noexcept;

/// When two mapping keys are equal.
enum class KeyEquality : std::uint8_t {
  exact,   ///< Same kind and same value (YAML 1.2, Ruby).
  python,  ///< As `exact`, but numbers and booleans compare by value: 1 = 1.0 = true. The first spelling is kept.
};

/// A calendar day. Rule: YAML 1.1 timestamp without a time.
struct Date {
  std::int32_t year = 0;
  std::uint8_t month = 1;  ///< From 1.
  std::uint8_t day = 1;    ///< From 1.
  friend bool operator==(const Date&, const Date&) = default;
};

/// A point in time, as written.
struct Timestamp {
  Date date;
  std::uint8_t hour = 0, minute = 0, second = 0;
  bool has_zone = false;
  std::uint32_t microsecond = 0;
  std::int32_t zone_seconds = 0;  ///< East of UTC. Used if `has_zone`.
  friend bool operator==(const Timestamp&, const Timestamp&) = default;
};

struct Entry;

/// A value of the Puppet language that is not data (a type, a pattern, …). Immutable; shared by the arenas that hold
/// it.
class Object : public std::enable_shared_from_this<Object> {
 public:
  virtual ~Object() = default;
  [[nodiscard]] virtual std::string to_string() const = 0;
  [[nodiscard]] virtual bool equals(const Object& other) const = 0;
  [[nodiscard]] virtual std::size_t hash() const = 0;
};

namespace detail {
struct Text;
struct Sequence;
struct Mapping;
struct Growable;
}  // namespace detail

/// An immutable tree of data. Sixteen bytes; cheap to copy.
///
/// A Value does not own its contents: containers and texts live in an Arena, which must outlive the Value. Documents
/// and Results keep their arenas alive. Thread safety: several threads may read a value at once.
class Value {
 public:
  /// The absent value.
  constexpr Value() noexcept = default;
  [[nodiscard]] static Value null() noexcept { return Value(Kind::null); }
  [[nodiscard]] static Value boolean(bool value) noexcept;
  [[nodiscard]] static Value integer(std::int64_t value) noexcept;
  [[nodiscard]] static Value floating(double value) noexcept;

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  explicit operator bool() const noexcept { return kind_ != Kind::absent; }
  [[nodiscard]] bool is_null() const noexcept { return kind_ == Kind::null; }
  [[nodiscard]] bool is_text() const noexcept { return kind_ == Kind::text; }
  [[nodiscard]] bool is_sequence() const noexcept { return kind_ == Kind::sequence; }
  [[nodiscard]] bool is_mapping() const noexcept { return kind_ == Kind::mapping; }
  /// A sequence, mapping or set.
  [[nodiscard]] bool is_container() const noexcept {
    return kind_ == Kind::sequence || kind_ == Kind::mapping || kind_ == Kind::set;
  }
  /// A scalar or an empty container: the unit of blame.
  [[nodiscard]] bool is_leaf() const noexcept { return !is_container() || size() == 0; }

  // Each of these requires a value of its kind.
  [[nodiscard]] bool as_boolean() const noexcept;
  [[nodiscard]] std::int64_t as_integer() const noexcept;
  [[nodiscard]] double as_floating() const noexcept;
  [[nodiscard]] Date as_date() const noexcept;
  [[nodiscard]] const Timestamp& as_timestamp() const noexcept;
  [[nodiscard]] const Object& as_object() const noexcept;
  /// The characters of a text, the bytes of a binary, or the digits of a big integer, perhaps with `-`.
  [[nodiscard]] std::string_view text() const noexcept;
  /// The items of a sequence.
  [[nodiscard]] std::span<const Value> items() const noexcept;
  /// The entries of a mapping or set, in order.
  [[nodiscard]] std::span<const Entry> entries() const noexcept;
  /// Number of items or entries. 0 for other kinds.
  [[nodiscard]] std::size_t size() const noexcept;

  /// The value of a key of a mapping or set. Null if the key is missing. Cost: O(1) for large mappings.
  [[nodiscard]] const Value* find(const Value& key) const noexcept;
  [[nodiscard]] const Value* find(std::string_view key) const noexcept;
  /// The same, with the key. Its index is its distance from the first of `entries`.
  [[nodiscard]] const Entry* find_entry(std::string_view key) const noexcept;

  [[nodiscard]] Origin origin() const noexcept { return origin_; }
  [[nodiscard]] Value with_origin(Origin origin) const noexcept;
  /// Decrypted, hidden or sensitive. Blame, explain and messages show `******`.
  [[nodiscard]] bool is_secret() const noexcept { return secret_; }
  [[nodiscard]] Value with_secret(bool secret = true) const noexcept;

 private:
  friend class Arena;
  friend struct detail::Mapping;
  friend struct detail::Growable;
  explicit constexpr Value(Kind kind) noexcept : kind_(kind) {}

  Kind kind_ = Kind::absent;
  bool secret_ = false;
  std::uint16_t tag_ = 0;  ///< For a key: some bits of its hash, which distinguish most unequal keys.
  Origin origin_;
  union Payload {
    std::uint64_t bits = 0;
    std::int64_t integer;
    double floating;
    Date date;
    const detail::Text* text;
    const Timestamp* timestamp;
    detail::Sequence* sequence;
    detail::Mapping* mapping;
    const Object* object;
  } payload_{};
};
static_assert(sizeof(Value) == 16 && std::is_trivially_copyable_v<Value>);

/// A member of a mapping. The origin of the key is where the key was written.
struct Entry {
  Value key;
  Value value;
};

/// The nodes behind a Value. They are public only so that reading needs no calls; use them only in src/value/.
namespace detail {

/// Characters with their length and, for keys, their hash (0: not computed).
struct Text {
  std::uint32_t size;
  std::uint32_t hash;
  [[nodiscard]] const char* data() const noexcept { return reinterpret_cast<const char*>(this + 1); }
  [[nodiscard]] char* data() noexcept { return reinterpret_cast<char*>(this + 1); }
  [[nodiscard]] std::string_view view() const noexcept { return {data(), size}; }
};

/// Items with free space on both sides: both ends grow in amortised O(1).
struct Sequence {
  Value* items;  ///< The first item.
  std::uint32_t size;
  std::uint32_t front;  ///< Free slots before `items`.
  std::uint32_t back;   ///< Free slots after the last item.
  const void* owner;
};

/// Entries in order. Large mappings also have a hash index (open addressing; a slot holds an index + 1).
struct Mapping {
  Entry* entries;
  std::uint32_t* index;
  std::uint32_t size;
  std::uint32_t capacity;
  std::uint32_t index_mask;
  KeyEquality equality;
  const void* owner;

  static constexpr std::uint32_t kIndexed = 12;  ///< The number of entries from which on there is an index.

  /// Index of a key, or npos. `hash` is the hash of `key`.
  [[nodiscard]] std::size_t find(const Value& key, std::uint32_t hash) const noexcept;
  [[nodiscard]] static std::uint16_t tag(std::uint32_t hash) noexcept {
    return static_cast<std::uint16_t>(hash >> 16U);
  }
  static void set_tag(Value& key, std::uint32_t hash) noexcept { key.tag_ = tag(hash); }
  [[nodiscard]] static std::uint16_t tag(const Value& key) noexcept { return key.tag_; }
  /// The hash of a text that was made as a key. 0 for other texts.
  [[nodiscard]] static std::uint32_t kept_hash(const Value& text) noexcept { return text.payload_.text->hash; }
};

}  // namespace detail

inline std::string_view Value::text() const noexcept {
  assert(kind_ == Kind::text || kind_ == Kind::binary || kind_ == Kind::big_integer);
  return payload_.text->view();
}

inline std::span<const Value> Value::items() const noexcept {
  assert(kind_ == Kind::sequence);
  return {payload_.sequence->items, payload_.sequence->size};
}

inline std::span<const Entry> Value::entries() const noexcept {
  assert(kind_ == Kind::mapping || kind_ == Kind::set);
  return {payload_.mapping->entries, payload_.mapping->size};
}

inline std::size_t Value::size() const noexcept {
  if (kind_ == Kind::sequence) return payload_.sequence->size;
  return is_container() ? payload_.mapping->size : 0;
}

inline Value Value::with_origin(Origin origin) const noexcept {
  Value result = *this;
  result.origin_ = origin;
  return result;
}

inline Value Value::with_secret(bool secret) const noexcept {
  Value result = *this;
  result.secret_ = secret;
  return result;
}

/// Same kind and same data: 1, 1.0 and true differ. The order of mappings does not matter, NaN equals NaN, origins and
/// secret marks are ignored.
[[nodiscard]] bool equal(const Value& left, const Value& right) noexcept;
/// As `equal`, but mappings must have the same key order.
[[nodiscard]] bool identical(const Value& left, const Value& right) noexcept;

/// Owns nodes, and frees them all at once. Not thread-safe, but any thread may read its values.
///
/// All values that it makes are finished. SequenceBuilder and MappingBuilder (strata/builder.hpp) make containers
/// member by member.
class Arena {
 public:
  /// `expected` estimates the bytes needed: small documents then take little memory, large ones few chunks.
  explicit Arena(std::size_t expected = 1024);
  ~Arena();
  /// Frees all nodes but keeps the memory for later nodes: refilling the arena to the same size takes no new memory.
  void clear() noexcept;
  /// From now on, memory counts for a piece of work (Stop::take_memory, whose Errors all members may then throw).
  /// `stop` must outlive its use. Null: memory is not counted.
  void meter(const Stop* stop) noexcept { meter_ = stop; }
  [[nodiscard]] const Stop* meter() const noexcept { return meter_; }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] Value text(std::string_view characters);
  [[nodiscard]] Value binary(std::string_view bytes);
  /// An integer from decimal digits with an optional sign: 64 bits if it fits, otherwise exact.
  [[nodiscard]] Value integer(std::string_view digits);
  [[nodiscard]] static Value date(Date date) noexcept;
  [[nodiscard]] Value timestamp(const Timestamp& timestamp);
  [[nodiscard]] Value object(std::shared_ptr<const Object> object);
  /// A value as a mapping key, with its hash. Containers are allowed only with `exact`.
  [[nodiscard]] Value key(Value value);
  [[nodiscard]] Value key(std::string_view text);

  [[nodiscard]] Value sequence(std::span<const Value> items = {});
  /// An empty mapping.
  [[nodiscard]] Value mapping(KeyEquality equality = KeyEquality::exact) { return growable_mapping(equality, 0); }
  /// A mapping of entries with distinct keys that are already keys of other mappings. Computes no hashes and looks
  /// nothing up.
  [[nodiscard]] Value mapping(std::span<const Entry> entries, KeyEquality equality);
  /// A mapping of entries whose keys are texts that `key` made. Absent if two of them are equal.
  [[nodiscard]] Value mapping_of_distinct(std::span<const Entry> entries, KeyEquality equality);
  /// A deep copy: the arenas of `value` may be destroyed. Objects are shared.
  [[nodiscard]] Value deep_copy(const Value& value);

  /// Index of a key in the entries of a mapping; `npos` if it is missing.
  [[nodiscard]] static std::size_t index_of(const Value& mapping, const Value& key) noexcept;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  [[nodiscard]] static KeyEquality equality(const Value& mapping) noexcept {
    return mapping.payload_.mapping->equality;
  }
  /// Bytes taken from the system.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  friend struct detail::Mapping;
  friend struct detail::Growable;
  friend class SequenceBuilder;
  friend class MappingBuilder;

  // Growing. The container must be made by this arena, and the caller knows everybody who holds it (builder.hpp,
  // src/value/growable.hpp).
  [[nodiscard]] Value growable_sequence(std::size_t capacity);
  [[nodiscard]] Value growable_mapping(KeyEquality equality, std::size_t capacity);
  [[nodiscard]] Value growable_set(KeyEquality equality, std::size_t capacity);
  /// With the members, origin and marks of `container`, and space for `more`.
  [[nodiscard]] Value growable_copy(const Value& container, std::size_t more);
  void append(const Value& sequence, const Value& item);
  void append(const Value& sequence, std::span<const Value> items);
  void prepend(const Value& sequence, std::span<const Value> items);
  static void replace(const Value& sequence, std::size_t index, const Value& item);
  void insert_at(const Value& sequence, std::size_t index, const Value& item);
  static void erase_at(const Value& sequence, std::size_t index);
  bool insert(const Value& mapping, const Value& key, const Value& value);
  static void replace_entry(const Value& mapping, std::size_t index, const Value& value);
  void keep_entries(const Value& mapping, std::span<const bool> keep);
  bool erase(const Value& mapping, const Value& key);
  [[nodiscard]] Value text_with_room(std::string_view characters, std::size_t capacity);
  static void append_text(const Value& text, std::string_view characters) noexcept;

  void* allocate(std::size_t size, std::size_t alignment = 8);
  detail::Text* new_text(std::string_view characters);
  detail::Mapping* new_mapping(KeyEquality equality, std::size_t capacity);
  void grow(detail::Sequence& sequence, std::size_t front, std::size_t back);
  void grow(detail::Mapping& mapping, std::size_t capacity);
  void make_index(detail::Mapping& mapping);
  void reindex(detail::Mapping& mapping);

  struct Chunk;
  struct ObjectList;
  Chunk* chunks_ = nullptr;
  Chunk* spare_ = nullptr;  ///< Kept by clear.
  ObjectList* objects_ = nullptr;
  char* next_ = nullptr;
  char* end_ = nullptr;
  std::size_t chunk_size_;
  std::size_t bytes_ = 0;
  const Stop* meter_ = nullptr;
};

}  // namespace strata
