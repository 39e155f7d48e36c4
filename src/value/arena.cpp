// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>

#include <sys/mman.h>

#include "nodes.hpp"
#include "pages.hpp"
#include "same_text.hpp"
#include "strata/stop.hpp"
#include "strata/value.hpp"

namespace strata {

struct Arena::Chunk {
  Chunk* previous;
  std::size_t payload;  ///< Bytes behind this.

  static void free_all(Chunk* chunk) noexcept {
    while (chunk != nullptr) {
      Chunk* previous = chunk->previous;
      std::free(chunk);
      chunk = previous;
    }
  }
  /// Takes a spare chunk that is large enough; null where there is none.
  static Chunk* reuse(Arena& arena, std::size_t payload) noexcept {
    for (Chunk** link = &arena.spare_; *link != nullptr; link = &(*link)->previous) {
      if ((*link)->payload < payload) continue;
      Chunk* found = *link;
      *link = found->previous;
      return found;
    }
    return nullptr;
  }

  /// Memory for a node for which there is no room left.
  static void* extend(Arena& arena, std::size_t size, std::size_t alignment);
};

struct Arena::ObjectList {
  std::shared_ptr<const Object> object;
  ObjectList* previous;
};

Arena::Arena(std::size_t expected) : chunk_size_(std::clamp(expected, std::size_t{256}, std::size_t{1} << 18U)) {}

Arena::~Arena() {
  for (ObjectList* entry = objects_; entry != nullptr; entry = entry->previous) entry->object.reset();
  Chunk::free_all(chunks_);
  Chunk::free_all(spare_);
}

void Arena::clear() noexcept {
  for (ObjectList* entry = objects_; entry != nullptr; entry = entry->previous) entry->object.reset();
  objects_ = nullptr;
  // The spare ones end up in the order in which they were taken, the small ones first.
  while (chunks_ != nullptr) {
    Chunk* chunk = chunks_;
    chunks_ = chunk->previous;
#ifndef NDEBUG
    std::memset(chunk + 1, 0xA5, chunk->payload);  // What still points here shall be seen.
#endif
    chunk->previous = spare_;
    spare_ = chunk;
  }
  next_ = end_ = nullptr;
}

namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21U;

/// Memory for a chunk. Large ones ask for huge pages: most of what a large document costs beyond reading it is the
/// kernel's work for its pages.
void* take_pages(std::size_t size) {
  void* memory = nullptr;
  if (size < kHugePage) {
    memory = std::malloc(size);
    if (memory != nullptr) detail::populate(memory, size);
  } else {
    memory = std::aligned_alloc(kHugePage, (size + kHugePage - 1) / kHugePage * kHugePage);
    if (memory != nullptr) madvise(memory, size, MADV_HUGEPAGE);
  }
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Small, so that it is compiled into all that makes nodes.
void* Arena::allocate(std::size_t size, std::size_t alignment) {
  const std::uintptr_t address = (reinterpret_cast<std::uintptr_t>(next_) + alignment - 1) & ~(alignment - 1);
  if (next_ == nullptr || address + size > reinterpret_cast<std::uintptr_t>(end_))
    return Chunk::extend(*this, size, alignment);
  next_ = reinterpret_cast<char*>(address + size);
  return reinterpret_cast<void*>(address);
}

[[gnu::noinline]] void* Arena::Chunk::extend(Arena& arena, std::size_t size, std::size_t alignment) {
  const auto aligned = [alignment](const char* begin) {
    return (reinterpret_cast<std::uintptr_t>(begin) + alignment - 1) & ~(alignment - 1);
  };
  Chunk* chunk = reuse(arena, size + alignment);
  if (chunk == nullptr) {
    const std::size_t fresh = std::max(arena.chunk_size_, size + alignment);
    chunk = static_cast<Chunk*>(take_pages(sizeof(Chunk) + fresh));
    chunk->payload = fresh;
    arena.bytes_ += sizeof(Chunk) + fresh;
    if (arena.meter_ != nullptr) {
      try {
        arena.meter_->take_memory(sizeof(Chunk) + fresh);
      } catch (...) {
        std::free(chunk);
        throw;
      }
    }
  }
  const std::size_t payload = chunk->payload;
  chunk->previous = arena.chunks_;
  arena.chunks_ = chunk;
  char* begin = reinterpret_cast<char*>(chunk + 1);
  const std::uintptr_t address = aligned(begin);
  // A large single node gets a chunk of its own and leaves the current one open.
  if (size > arena.chunk_size_ / 2 && arena.next_ != nullptr) return reinterpret_cast<void*>(address);
  // A quarter of what there is: little is left over at the end, and the number of chunks stays small.
  constexpr std::size_t kSmallest = std::size_t{1} << 10U;
  constexpr std::size_t kLargest = std::size_t{1} << 18U;
  constexpr std::size_t kHuge = kHugePage - sizeof(Chunk);
  arena.chunk_size_ = arena.bytes_ > 4 * kLargest ? kHuge : std::clamp(arena.bytes_ / 4, kSmallest, kLargest);
  arena.next_ = reinterpret_cast<char*>(address + size);
  arena.end_ = begin + payload;
  return reinterpret_cast<void*>(address);
}

detail::Text* Arena::new_text(std::string_view characters) {
  if (characters.size() > UINT32_MAX) throw std::bad_alloc();
  // The C interface promises a zero behind each text.
  auto* text = static_cast<detail::Text*>(allocate(sizeof(detail::Text) + characters.size() + 1, 8));
  text->size = static_cast<std::uint32_t>(characters.size());
  text->hash = 0;
  detail::copy_text(text->data(), characters);
  text->data()[characters.size()] = '\0';
  return text;
}

Value Arena::text(std::string_view characters) {
  Value value(Kind::text);
  value.payload_.text = new_text(characters);
  return value;
}

Value Arena::text_with_room(std::string_view characters, std::size_t capacity) {
  if (capacity > UINT32_MAX) throw std::bad_alloc();
  auto* node = static_cast<detail::Text*>(allocate(sizeof(detail::Text) + capacity + 1));
  node->size = static_cast<std::uint32_t>(characters.size());
  node->hash = 0;
  if (!characters.empty()) std::memcpy(node->data(), characters.data(), characters.size());
  node->data()[characters.size()] = '\0';
  Value value(Kind::text);
  value.payload_.text = node;
  return value;
}

void Arena::append_text(const Value& text, std::string_view characters) noexcept {
  auto* node = const_cast<detail::Text*>(
      text.payload_.text);  // NOLINT(cppcoreguidelines-pro-type-const-cast): the maker grows it
  std::memcpy(node->data() + node->size, characters.data(), characters.size());
  node->size += static_cast<std::uint32_t>(characters.size());
  node->data()[node->size] = '\0';
}

Value Arena::binary(std::string_view bytes) {
  Value value(Kind::binary);
  value.payload_.text = new_text(bytes);
  return value;
}

Value Arena::integer(std::string_view digits) {
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (status == std::errc{} && end == digits.data() + digits.size()) return Value::integer(number);
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  Value value(Kind::big_integer);
  std::string canonical(negative ? 1 : 0, '-');
  canonical.append(digits);
  value.payload_.text = new_text(canonical);
  return value;
}

Value Arena::date(Date date) noexcept {
  Value value(Kind::date);
  value.payload_.date = date;
  return value;
}

Value Arena::timestamp(const Timestamp& timestamp) {
  Value value(Kind::timestamp);
  value.payload_.timestamp = new (allocate(sizeof(Timestamp), alignof(Timestamp))) Timestamp(timestamp);
  return value;
}

Value Arena::object(std::shared_ptr<const Object> object) {
  Value value(Kind::object);
  auto* entry = new (allocate(sizeof(ObjectList), alignof(ObjectList))) ObjectList{std::move(object), objects_};
  objects_ = entry;
  value.payload_.object = entry->object.get();
  return value;
}

Value Arena::key(Value value) {
  detail::Mapping::set_tag(value, detail::hash_key(value));
  return value;
}

Value Arena::key(std::string_view text) {
  Value value(Kind::text);
  detail::Text* node = new_text(text);
  node->hash = detail::hash_text(text);
  value.payload_.text = node;
  detail::Mapping::set_tag(value, node->hash);
  return value;
}

Value Arena::growable_sequence(std::size_t capacity) {
  // The items lie behind the node until they grow out of their room.
  auto* node = static_cast<detail::Sequence*>(allocate(sizeof(detail::Sequence) + capacity * sizeof(Value)));
  *node = {.items = capacity == 0 ? nullptr : reinterpret_cast<Value*>(node + 1),
           .size = 0,
           .front = 0,
           .back = static_cast<std::uint32_t>(capacity),
           .owner = nullptr};
  Value value(Kind::sequence);
  value.payload_.sequence = node;
  return value;
}

Value Arena::sequence(std::span<const Value> items) {
  const Value value = growable_sequence(items.size());
  append(value, items);
  return value;
}

detail::Mapping* Arena::new_mapping(KeyEquality equality, std::size_t capacity) {
  auto* node = static_cast<detail::Mapping*>(allocate(sizeof(detail::Mapping) + capacity * sizeof(Entry)));
  *node = {.entries = capacity == 0
                          ? nullptr
                          : reinterpret_cast<Entry*>(node + 1),  // Behind the node until they grow out of their room.
           .index = nullptr,
           .size = 0,
           .capacity = static_cast<std::uint32_t>(capacity),
           .index_mask = 0,
           .equality = equality,
           .owner = nullptr};
  return node;
}

Value Arena::growable_mapping(KeyEquality equality, std::size_t capacity) {
  Value value(Kind::mapping);
  value.payload_.mapping = new_mapping(equality, capacity);
  return value;
}

Value Arena::mapping(std::span<const Entry> entries, KeyEquality equality) {
  const Value value = growable_mapping(equality, entries.size());
  detail::Mapping& node = *value.payload_.mapping;
  if (!entries.empty()) std::memcpy(static_cast<void*>(node.entries), entries.data(), entries.size_bytes());
  node.size = static_cast<std::uint32_t>(entries.size());
  if (node.size > detail::Mapping::kIndexed) reindex(node);
  return value;
}

Value Arena::mapping_of_distinct(std::span<const Entry> entries, KeyEquality equality) {
  using detail::Mapping;
  if (entries.size() <= Mapping::kIndexed) {
    // Two keys with the same bits of their hash are equal, or so rare that the long way does not matter.
    for (std::size_t i = 1; i < entries.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (Mapping::tag(entries[i].key) == Mapping::tag(entries[k].key)) return {};
      }
    }
    return mapping(entries, equality);
  }
  Value value(Kind::mapping);
  value.payload_.mapping = new_mapping(equality, entries.size());
  Mapping& node = *value.payload_.mapping;
  std::memcpy(static_cast<void*>(node.entries), entries.data(), entries.size_bytes());
  node.size = static_cast<std::uint32_t>(entries.size());
  make_index(node);
  for (std::uint32_t i = 0; i < node.size; ++i) {
    const Value& key = node.entries[i].key;
    std::uint32_t slot = Mapping::kept_hash(key) & node.index_mask;
    for (; node.index[slot] != 0; slot = (slot + 1) & node.index_mask) {
      const Value& other = node.entries[node.index[slot] - 1].key;
      if (Mapping::tag(other) == Mapping::tag(key) && detail::same_text(other.text(), key.text())) return {};
    }
    node.index[slot] = i + 1;
  }
  return value;
}

Value Arena::growable_set(KeyEquality equality, std::size_t capacity) {
  Value value(Kind::set);
  value.payload_.mapping = new_mapping(equality, capacity);
  return value;
}

Value Arena::growable_copy(const Value& container, std::size_t more) {
  assert(container.is_container());
  Value result = container;
  if (container.is_sequence()) {
    const Value made = growable_sequence(container.size() + more);
    append(made, container.items());
    result.payload_.sequence = made.payload_.sequence;
    return result;
  }
  const detail::Mapping& from = *container.payload_.mapping;
  detail::Mapping* node = new_mapping(from.equality, from.size + more);
  if (from.size != 0) std::memcpy(static_cast<void*>(node->entries), from.entries, from.size * sizeof(Entry));
  node->size = from.size;
  if (node->size > detail::Mapping::kIndexed) reindex(*node);
  result.payload_.mapping = node;
  return result;
}

// Recursion: bounded by Limits::depth, which every maker of values keeps.
Value Arena::deep_copy(const Value& value) {
  Value result = value;
  switch (value.kind()) {
    case Kind::text:
    case Kind::binary:
    case Kind::big_integer:
      result.payload_.text = new_text(value.text());
      return result;
    case Kind::timestamp:
      result.payload_.timestamp = timestamp(value.as_timestamp()).payload_.timestamp;
      return result;
    case Kind::object:
      result.payload_.object = object(value.as_object().shared_from_this()).payload_.object;
      return result;
    case Kind::sequence: {
      result.payload_.sequence = growable_sequence(value.size()).payload_.sequence;
      for (const Value& item : value.items()) append(result, deep_copy(item));
      return result;
    }
    case Kind::mapping:
    case Kind::set: {
      result.payload_.mapping = new_mapping(equality(value), value.size());
      for (const Entry& entry : value.entries()) insert(result, deep_copy(entry.key), deep_copy(entry.value));
      return result;
    }
    default:
      return result;
  }
}

void Arena::grow(detail::Sequence& sequence, std::size_t front, std::size_t back) {
  const std::size_t capacity = front + sequence.size + back;
  if (capacity > UINT32_MAX / 2) throw std::bad_alloc();
  auto* items = static_cast<Value*>(allocate(capacity * sizeof(Value)));
  if (sequence.size != 0) std::memcpy(static_cast<void*>(items + front), sequence.items, sequence.size * sizeof(Value));
  sequence.items = items + front;
  sequence.front = static_cast<std::uint32_t>(front);
  sequence.back = static_cast<std::uint32_t>(back);
}

void Arena::append(const Value& sequence, const Value& item) { append(sequence, std::span(&item, 1)); }

void Arena::append(const Value& sequence, std::span<const Value> items) {
  detail::Sequence& node = *sequence.payload_.sequence;
  if (items.empty()) return;
  if (node.back < items.size()) grow(node, node.front, std::max<std::size_t>(items.size(), node.size + 4U));
  assert(node.items != nullptr);
  std::memcpy(static_cast<void*>(node.items + node.size), items.data(), items.size_bytes());
  node.size += static_cast<std::uint32_t>(items.size());
  node.back -= static_cast<std::uint32_t>(items.size());
}

void Arena::prepend(const Value& sequence, std::span<const Value> items) {
  detail::Sequence& node = *sequence.payload_.sequence;
  if (items.empty()) return;
  if (node.front < items.size()) grow(node, std::max<std::size_t>(items.size(), node.size + 4U), node.back);
  node.items -= items.size();
  node.front -= static_cast<std::uint32_t>(items.size());
  node.size += static_cast<std::uint32_t>(items.size());
  std::memcpy(static_cast<void*>(node.items), items.data(), items.size_bytes());
}

void Arena::replace(const Value& sequence, std::size_t index, const Value& item) {
  assert(index < sequence.size());
  sequence.payload_.sequence->items[index] = item;
}

void Arena::insert_at(const Value& sequence, std::size_t index, const Value& item) {
  assert(index <= sequence.size());
  append(sequence, item);
  detail::Sequence& node = *sequence.payload_.sequence;
  std::rotate(node.items + index, node.items + node.size - 1, node.items + node.size);
}

void Arena::erase_at(const Value& sequence, std::size_t index) {
  assert(index < sequence.size());
  detail::Sequence& node = *sequence.payload_.sequence;
  std::memmove(static_cast<void*>(node.items + index), node.items + index + 1, (node.size - index - 1) * sizeof(Value));
  --node.size;
  ++node.back;
}

void Arena::grow(detail::Mapping& mapping, std::size_t capacity) {
  if (capacity > UINT32_MAX / 4) throw std::bad_alloc();
  auto* entries = static_cast<Entry*>(allocate(capacity * sizeof(Entry)));
  if (mapping.size != 0) std::memcpy(static_cast<void*>(entries), mapping.entries, mapping.size * sizeof(Entry));
  mapping.entries = entries;
  mapping.capacity = static_cast<std::uint32_t>(capacity);
}

/// An empty index that is large enough.
void Arena::make_index(detail::Mapping& mapping) {
  std::uint32_t slots = 32;
  while (slots < mapping.capacity * 2U || slots < mapping.size * 2U) slots *= 2;
  if (mapping.index == nullptr || mapping.index_mask + 1 < slots) {
    mapping.index = static_cast<std::uint32_t*>(allocate(slots * sizeof(std::uint32_t), alignof(std::uint32_t)));
    mapping.index_mask = slots - 1;
  }
  std::memset(mapping.index, 0, (mapping.index_mask + std::size_t{1}) * sizeof(std::uint32_t));
}

void Arena::reindex(detail::Mapping& mapping) {
  make_index(mapping);
  for (std::uint32_t i = 0; i < mapping.size; ++i) {
    std::uint32_t slot = detail::index_hash(mapping.entries[i].key, mapping.equality, i) & mapping.index_mask;
    while (mapping.index[slot] != 0) slot = (slot + 1) & mapping.index_mask;
    mapping.index[slot] = i + 1;
  }
}

bool Arena::insert(const Value& mapping, const Value& key, const Value& value) {
  detail::Mapping& node = *mapping.payload_.mapping;
  const std::uint32_t hash = detail::kept_or_new_hash(key);
  const std::size_t position = node.find(key, hash);
  if (position != npos) {
    assert(node.entries != nullptr);
    node.entries[position].value = value;
    return false;
  }
  if (node.size == node.capacity) grow(node, node.capacity < 4 ? 4 : node.capacity * std::size_t{2});
  Entry& entry = node.entries[node.size];
  entry.key = key;
  detail::Mapping::set_tag(entry.key, hash);
  entry.value = value;
  ++node.size;
  if (node.index != nullptr && node.size * 2U <= node.index_mask + 1U) {
    std::uint32_t slot = detail::index_hash(entry.key, node.equality, node.size - 1) & node.index_mask;
    while (node.index[slot] != 0) slot = (slot + 1) & node.index_mask;
    node.index[slot] = node.size;
  } else if (node.size > detail::Mapping::kIndexed) {
    reindex(node);
  }
  return true;
}

void Arena::replace_entry(const Value& mapping, std::size_t index, const Value& value) {
  assert(index < mapping.size());
  mapping.payload_.mapping->entries[index].value = value;
}

void Arena::keep_entries(const Value& mapping, std::span<const bool> keep) {
  detail::Mapping& node = *mapping.payload_.mapping;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < node.size; ++i) {
    if (keep[i]) node.entries[kept++] = node.entries[i];
  }
  node.size = kept;
  if (node.index != nullptr) reindex(node);
}

bool Arena::erase(const Value& mapping, const Value& key) {
  detail::Mapping& node = *mapping.payload_.mapping;
  const std::size_t position = index_of(mapping, key);
  if (position == npos) return false;
  std::memmove(static_cast<void*>(node.entries + position), node.entries + position + 1,
               (node.size - position - 1) * sizeof(Entry));
  --node.size;
  if (node.index != nullptr) reindex(node);
  return true;
}

std::size_t Arena::index_of(const Value& mapping, const Value& key) noexcept {
  return mapping.payload_.mapping->find(key, detail::kept_or_new_hash(key));
}

}  // namespace strata
