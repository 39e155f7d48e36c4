#include "service/buckets/deep_diff.hpp"

#include <fmt/format.h>

#include <array>
#include <string>

#include "strata/builder.hpp"
#include "strata/scalar_text.hpp"

namespace strata::service::buckets {
namespace {

/// The name of a value's type in Python.
std::string_view type_name(const Value& value) {
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      return "NoneType";
    case Kind::boolean:
      return "bool";
    case Kind::integer:
    case Kind::big_integer:
      return "int";
    case Kind::floating:
      return "float";
    case Kind::sequence:
      return "list";
    case Kind::mapping:
      return "dict";
    case Kind::set:
      return "set";
    case Kind::binary:
      return "bytes";
    case Kind::date:
      return "date";
    case Kind::timestamp:
      return "datetime";
    default:
      return "str";
  }
}

/// A step into a mapping, as Python's subscripts are written there.
std::string key_step(const Value& key) {
  if (!key.is_text()) return fmt::format("[{}]", scalar_text(key));
  const char quote = key.text().find('\'') == std::string_view::npos ? '\'' : '"';
  return fmt::format("[{0}{1}{0}]", quote, key.text());
}

class DeepDiff {
 public:
  explicit DeepDiff(Arena& arena)
      : arena_(arena), values_(arena), types_(arena), added_keys_(arena), removed_keys_(arena), added_items_(arena), removed_items_(arena) {}

  // Recursion: bounded by Limits::depth.
  void compare(const std::string& path, const Value& before, const Value& after) {
    if (type_name(before) != type_name(after)) {
      MappingBuilder change(arena_);
      change.insert("old_type", arena_.text(type_name(before)));
      change.insert("new_type", arena_.text(type_name(after)));
      change.insert("old_value", before);
      change.insert("new_value", after);
      types_.insert(path, change.finish());
    } else if (before.is_mapping()) {
      compare_mappings(path, before, after);
    } else if (before.is_sequence()) {
      compare_sequences(path, before, after);
    } else if (!equal(before, after)) {
      MappingBuilder change(arena_);
      change.insert("new_value", after);
      change.insert("old_value", before);
      values_.insert(path, change.finish());
    }
  }

  Value finish() {
    MappingBuilder out(arena_);
    const auto add = [&out](std::string_view name, auto& builder) {
      if (builder.size() != 0) out.insert(name, builder.finish());
    };
    add("values_changed", values_);
    add("type_changes", types_);
    add("dictionary_item_added", added_keys_);
    add("dictionary_item_removed", removed_keys_);
    add("iterable_item_added", added_items_);
    add("iterable_item_removed", removed_items_);
    return out.finish();
  }

 private:
  void compare_mappings(const std::string& path, const Value& before, const Value& after) {
    for (const Entry& entry : before.entries()) {
      const std::string step = path + key_step(entry.key);
      if (const Value* other = after.find(entry.key)) {
        compare(step, entry.value, *other);
      } else {
        removed_keys_.append(arena_.text(step));
      }
    }
    for (const Entry& entry : after.entries()) {
      if (before.find(entry.key) == nullptr) added_keys_.append(arena_.text(path + key_step(entry.key)));
    }
  }

  void compare_sequences(const std::string& path, const Value& before, const Value& after) {
    for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
      const std::string step = fmt::format("{}[{}]", path, i);
      if (i >= after.size()) {
        removed_items_.insert(step, before.items()[i]);
      } else if (i >= before.size()) {
        added_items_.insert(step, after.items()[i]);
      } else {
        compare(step, before.items()[i], after.items()[i]);
      }
    }
  }

  Arena& arena_;
  MappingBuilder values_;
  MappingBuilder types_;
  SequenceBuilder added_keys_;
  SequenceBuilder removed_keys_;
  MappingBuilder added_items_;
  MappingBuilder removed_items_;
};

}  // namespace

Value deep_diff(Arena& arena, const Value& before, const Value& after) {
  DeepDiff diff(arena);
  diff.compare("root", before, after);
  return diff.finish();
}

}  // namespace strata::service::buckets
