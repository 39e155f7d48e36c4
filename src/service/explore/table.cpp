// SPDX-License-Identifier: Apache-2.0
#include "service/explore/table.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "merge/contributions.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"
#include "text/keyed_entries.hpp"
#include "text/yaml/node_lines.hpp"

namespace strata::service::explore {
namespace {

constexpr std::string_view kParameters = "parameters";
constexpr std::size_t kNoItem = SIZE_MAX;

/// The other members of an inventory, next to the parameters.
bool is_beside(std::string_view name) { return name == "applications" || name == "classes" || name == "environment"; }
/// The key of an item of the parameters, and back.
std::string_view parameter_key(std::string_view name) {
  constexpr std::string_view kPrefix = "parameters/";
  return name.starts_with(kPrefix) &&
                 (is_beside(name.substr(kPrefix.size())) || name.substr(kPrefix.size()) == kParameters)
             ? name.substr(kPrefix.size())
             : name;
}
std::string item_name(const std::string& key, const Value& whole) {
  return whole.find(key) == nullptr ? key : "parameters/" + key;
}

/// A part of a value that a line can be about.
struct ValuePart {
  const Value* value;
  std::size_t item;
  std::string path;
  std::size_t depth;
  std::size_t end = 0;  ///< The first node behind it that is not in it.
};

/// The parts of a value in the order in which they are written.
class Nodes {
 public:
  explicit Nodes(bool sort_keys) : sort_keys_(sort_keys) {}

  // Recursion: bounded by Limits::depth.
  void add(const Value& value, std::size_t item, const std::string& path, std::size_t depth) {
    const std::size_t at = list_.size();
    list_.push_back({.value = &value, .item = item, .path = path, .depth = depth});
    add_members(value, item, path, depth + 1);
    list_[at].end = list_.size();
  }
  /// Those of the root, which has no line of its own.
  void add_members(const Value& value, std::size_t item, const std::string& path, std::size_t depth) {
    each_member(value, [&](const std::string& token, const Value& member) {
      std::string below = path;
      append_token(below, token);
      add(member, item, below, depth);
    });
  }
  /// A part without a path, until `close`.
  std::size_t open(const Value& value, std::size_t item) {
    list_.push_back({.value = &value, .item = item, .path = {}, .depth = 0});
    return list_.size() - 1;
  }
  void close(std::size_t opened) { list_[opened].end = list_.size(); }
  [[nodiscard]] const std::vector<ValuePart>& list() const noexcept { return list_; }

 private:
  template <class Visit>
  void each_member(const Value& value, const Visit& visit) const {
    if (value.is_sequence()) {
      for (std::size_t i = 0; i < value.size(); ++i) visit(std::to_string(i), value.items()[i]);
    } else if (value.is_container() && !sort_keys_) {
      for (const Entry& entry : value.entries()) visit(key_text(entry.key), entry.value);
    } else if (value.is_container()) {
      std::vector<const Entry*> sorted;
      text::append_sorted_by_key_text(value, sorted);
      for (const Entry* entry : sorted) visit(key_text(entry->key), entry->value);
    }
  }

  bool sort_keys_;
  std::vector<ValuePart> list_;
};

/// What the histories say of a leaf.
struct Past {
  std::size_t losers = 0;
  bool is_computed = false;
  std::string layer = {};
};

Past past_of(const merge::History& history, const merge::PathHistory& path) {
  Past out;
  std::size_t merged = 0;
  const merge::Contribution* source = nullptr;
  for (const merge::Contribution& one : path.contributions) {
    if (!merge::counts(one)) {
      ++out.losers;
      continue;
    }
    merged += one.fate == merge::Fate::merged ? 1 : 0;
    // The place of a value made of several is that of its last contribution.
    if (source == nullptr || one.value.origin() == path.value.origin() || source->value.origin() != path.value.origin())
      source = &one;
  }
  out.is_computed = merged > 1;
  if (source != nullptr && source->layer != merge::kNoLayer) out.layer = history.layer_name(source->layer);
  return out;
}

class TableMaker {
 public:
  TableMaker(const analysis::Outcome& outcome, bool sort_keys, Table& table)
      : outcome_(outcome), sort_keys_(sort_keys), table_(table) {}

  void add_document(std::size_t item) {
    const std::size_t head = table_.rows.size();
    table_.rows.push_back({.item = outcome_.items[item].name, .text = "---", .kind = "document"});
    const Value shown = report::masked(arena_, outcome_.items[item].value);
    Nodes nodes(sort_keys_);
    nodes.add_members(shown, item, {}, 1);
    write(shown, nodes.list(), {item});
    table_.rows[head].below = table_.rows.size() - head - 1;
  }

  void add_only() {
    const Value shown = report::masked(arena_, outcome_.items.front().value);
    Nodes nodes(sort_keys_);
    if (shown.is_leaf()) {
      nodes.add(shown, 0, {}, 0);
    } else {
      nodes.add_members(shown, 0, {}, 0);
    }
    write(shown, nodes.list(), {0});
  }

  void add_items(Layout layout) {
    const Value whole = report::masked(arena_, whole_value(arena_, outcome_, layout));
    std::unordered_map<std::string_view, std::size_t> numbers;
    for (std::size_t i = 0; i < outcome_.items.size(); ++i) numbers.emplace(outcome_.items[i].name, i);
    Nodes nodes(sort_keys_);
    std::vector<std::size_t> items;
    const auto add = [&](const std::string& name, const Value& value, std::size_t depth) {
      nodes.add(value, items.size(), {}, depth);
      items.push_back(numbers.at(name));
    };
    for (const Entry* entry : in_order(whole)) {
      const std::string name = key_text(entry->key);
      if (layout != Layout::parameters || name != kParameters) {
        add(name, entry->value, 0);
        continue;
      }
      const std::size_t head = nodes.open(entry->value, items.size());
      items.push_back(kNoItem);
      for (const Entry* one : in_order(entry->value)) add(item_name(key_text(one->key), whole), one->value, 1);
      nodes.close(head);
    }
    if (whole.size() != 0) write(whole, nodes.list(), items);
    for (const analysis::Item& item : outcome_.items) {
      if (item.failure) table_.rows.push_back({.item = item.name, .failure = item.failure});
    }
  }

 private:
  const std::unordered_map<std::string, Past>& pasts_of(std::size_t item) {
    auto [known, is_new] = pasts_.try_emplace(item);
    if (is_new && outcome_.history != nullptr) {
      const analysis::Item& one = outcome_.items[item];
      for (const merge::PathHistory& path : outcome_.history->explain({.value = one.value, .slot = one.slot})) {
        if (path.value) known->second.emplace(path.path.pointer(), past_of(*outcome_.history, path));
      }
    }
    return known->second;
  }

  [[nodiscard]] std::vector<const Entry*> in_order(const Value& mapping) const {
    std::vector<const Entry*> out;
    if (!mapping.is_container() || mapping.is_sequence()) return out;
    if (sort_keys_) {
      text::append_sorted_by_key_text(mapping, out);
    } else {
      for (const Entry& entry : mapping.entries()) out.push_back(&entry);
    }
    return out;
  }

  /// `items`: the numbers of the items that the nodes name.
  void write(const Value& value, const std::vector<ValuePart>& nodes, const std::vector<std::size_t>& items) {
    std::size_t at = 0;
    bool has_begun = false;
    struct Open {
      std::size_t row;
      std::size_t end;
    };
    std::vector<Open> open;
    const auto close_until = [&](std::size_t node) {
      while (!open.empty() && open.back().end <= node) {
        table_.rows[open.back().row].below = table_.rows.size() - open.back().row - 1;
        open.pop_back();
      }
    };
    text::write_node_lines(value, {.profile = nullptr, .sort_keys = sort_keys_, .indent = 2},
                           [&](const text::YamlLine& line, const Value* about) {
                             bool is_same = false;
                             if (about != nullptr && !nodes.empty()) {
                               is_same = has_begun && nodes[at].value == about;
                               std::size_t next = at;
                               while (next < nodes.size() && nodes[next].value != about) ++next;
                               if (next < nodes.size()) at = next;
                               has_begun = true;
                             }
                             Row row{.text = std::string(line.text)};
                             if (nodes.empty()) {
                               row.item = outcome_.items[items.front()].name;
                               row.kind = kind_name(value);
                               table_.rows.push_back(std::move(row));
                               return;
                             }
                             const ValuePart& node = nodes[at];
                             const std::size_t item = items[node.item < items.size() ? node.item : 0];
                             if (!is_same) close_until(at);
                             if (item != kNoItem) row.item = outcome_.items[item].name;
                             row.path = node.path;
                             row.depth = node.depth;
                             row.kind = kind_name(*node.value);
                             if (line.leaf != nullptr && item != kNoItem) fill_leaf(row, *line.leaf, item, node.path);
                             table_.rows.push_back(std::move(row));
                             if (!is_same && line.leaf == nullptr)
                               open.push_back({.row = table_.rows.size() - 1, .end = node.end});
                           });
    close_until(SIZE_MAX);
  }

  void fill_leaf(Row& row, const Value& leaf, std::size_t item, const std::string& path) {
    row.is_leaf = true;
    row.is_secret = leaf.is_secret();
    row.value = hash_of(leaf);
    row.exact = row.is_secret ? exact_hash_of(value_at(outcome_.items[item].value, parse_pointer(path))) : row.value;
    row.origin = outcome_.sources->place(leaf.origin());
    const auto& pasts = pasts_of(item);
    if (const auto past = pasts.find(path); past != pasts.end()) {
      row.losers = past->second.losers;
      row.is_computed = past->second.is_computed;
      row.layer = past->second.layer;
    }
  }

  const analysis::Outcome& outcome_;
  bool sort_keys_;
  Table& table_;
  Arena arena_;
  std::unordered_map<std::size_t, std::unordered_map<std::string, Past>> pasts_;  ///< By item and path.
};

}  // namespace

std::vector<std::string> keys_of_item(Layout layout, const std::string& item) {
  if (item.empty()) return {};
  if (layout != Layout::parameters || is_beside(item)) return {item};
  return {std::string(kParameters), std::string(parameter_key(item))};
}

std::string_view kind_name(const Value& value) noexcept {
  switch (value.kind()) {
    case Kind::mapping:
      return "mapping";
    case Kind::sequence:
      return "sequence";
    case Kind::set:
      return "set";
    case Kind::text:
      return "text";
    case Kind::integer:
    case Kind::big_integer:
      return "integer";
    case Kind::floating:
      return "float";
    case Kind::boolean:
      return "boolean";
    case Kind::binary:
      return "binary";
    case Kind::date:
      return "date";
    case Kind::timestamp:
      return "timestamp";
    case Kind::object:
      return "object";
    case Kind::absent:
    case Kind::null:
      return "null";
  }
  return "null";
}

namespace {

/// `hides`: all secrets have the same.
// Recursion: bounded by Limits::depth.
std::uint64_t hash_with(const Value& value, bool hides) {
  const auto mix = [](std::uint64_t seed, std::uint64_t more) {
    return (seed ^ more) * 0x9E3779B97F4A7C15U + (seed >> 29U);
  };
  if (hides && value.is_secret()) return 1;
  // The text of an object that is secret tells nothing.
  if (!hides && value.kind() == Kind::object) return mix(3, value.as_object().hash());
  std::uint64_t out = mix(2, static_cast<std::uint64_t>(value.kind()));
  if (value.is_sequence()) {
    for (const Value& item : value.items()) out = mix(out, hash_with(item, hides));
  } else if (value.is_container()) {
    std::uint64_t members = 0;  // Their order does not count.
    for (const Entry& entry : value.entries())
      members += mix(hash_with(entry.key, hides), hash_with(entry.value, hides));
    out = mix(out, members);
  } else {
    out = mix(out, std::hash<std::string>()(key_text(value)));
  }
  return out;
}

}  // namespace

std::uint64_t hash_of(const Value& value) { return hash_with(value, true); }
std::uint64_t exact_hash_of(const Value& value) { return hash_with(value, false); }

Value whole_value(Arena& arena, const analysis::Outcome& outcome, Layout layout) {
  if (layout == Layout::documents) {
    SequenceBuilder out(arena, outcome.items.size());
    for (const analysis::Item& item : outcome.items) {
      if (!item.failure) out.append(item.value);
    }
    return out.finish();
  }
  if (outcome.items.size() == 1 && outcome.items.front().name.empty()) return outcome.items.front().value;
  MappingBuilder out(arena, KeyEquality::exact, outcome.items.size());
  MappingBuilder parameters(arena);
  for (const analysis::Item& item : outcome.items) {
    if (item.failure) continue;
    if (layout == Layout::parameters && !is_beside(item.name)) {
      parameters.insert(parameter_key(item.name), item.value);
    } else {
      out.insert(item.name, item.value);
    }
  }
  if (layout == Layout::parameters) out.insert(kParameters, parameters.finish());  // They come last.
  return out.finish();
}

Table make_table(const analysis::Outcome& outcome, Layout layout, bool sort_keys) {
  Table out;
  out.failure = outcome.failure;
  if (outcome.failure || outcome.sources == nullptr) return out;
  TableMaker maker(outcome, sort_keys, out);
  const bool is_only = layout == Layout::members && outcome.items.size() == 1 && outcome.items.front().name.empty();
  if (layout == Layout::documents) {
    for (std::size_t i = 0; i < outcome.items.size(); ++i) maker.add_document(i);
  } else if (!is_only) {
    maker.add_items(layout);
  } else if (outcome.items.front().failure) {
    out.rows.push_back({.item = "", .failure = outcome.items.front().failure});
  } else {
    maker.add_only();
  }
  return out;
}

}  // namespace strata::service::explore
