// SPDX-License-Identifier: Apache-2.0
// Builds containers from YAML nodes: pairs, sets, ordered mappings, merge keys. Header-only because each node of a text
// goes through it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"
#include "strata/value.hpp"
#include "text/repeated_keys.hpp"
#include "text/yaml/events.hpp"
#include "text/yaml/input.hpp"
#include "text/yaml/profile.hpp"
#include "text/yaml/scalars.hpp"
#include "text/yaml/workspace.hpp"
#include "value/charge.hpp"

namespace strata::text {

/// The nodes of a document during parsing, innermost first. A finished node is added to the open container.
/// Errors: `yaml.tag`, `yaml.key`, `yaml.duplicate-key`, `yaml.merge-key`, `limit.aliases`, `limit.depth`.
class YamlBuilder {
 protected:
  using Frame = YamlFrame;

  YamlBuilder(Sources& sources, SourceId source, const Stretch& stretch, const Profile& profile, const Limits& limits,
              YamlEvents::By by)
      : sources_(sources),
        profile_(profile),
        limits_(limits),
        input_(sources, source, stretch),
        events_(input_, profile.scanner != Scanner::libyaml, by, (*workspace_).tape),
        frames_((*workspace_).frames),
        items_((*workspace_).items),
        entries_((*workspace_).entries),
        merged_((*workspace_).merged),
        merged_in_place_((*workspace_).merged_in_place) {
    (*workspace_).tape.stop_with(limits.stop);
  }

  /// Begins a new document, whose nodes live in `arena`.
  void begin(Arena& arena) {
    arena_ = &arena;
    has_other_keys_ = false;
    repeated_keys_.clear();
    nodes_ = 0;
    root_ = Value();
  }

  /// Adds to a list of what is in open containers. A small text can hold a hundred million nodes: what the list grows
  /// by is counted before it is taken.
  template <class Item>
  [[gnu::always_inline]] void keep(std::vector<Item>& list, const Item& item) {
    if (list.size() == list.capacity()) [[unlikely]]
      detail::charge_growth(limits_.stop, list);
    list.push_back(item);
  }

  [[nodiscard]] Error error(std::string_view code, std::string message, std::size_t offset) const {
    return Error(code, std::move(message)).at(sources_, input_.origin(offset));
  }

  void count(std::size_t offset, std::size_t nodes, bool through_alias) {
    nodes_ += nodes;
    if (!through_alias) return;
    aliased_ += nodes;
    if (aliased_ > limits_.aliases) {
      throw error("limit.aliases", fmt::format("aliases add more than {} nodes to this document", limits_.aliases),
                  offset)
          .hint("raise the limit with --limit aliases=NODES if the document is meant to be so large");
    }
  }

  void check_depth(std::size_t depth, std::size_t offset) const {
    if (depth > limits_.depth) {
      throw error("limit.depth", fmt::format("nested deeper than {} levels", limits_.depth), offset)
          .hint("raise the limit with --limit depth=LEVELS");
    }
  }

  void close_pair() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    Entry pair;
    if (frame.is_mapping) {
      if (entries_.size() == frame.first) throw no_pair(frame.offset);
      pair = {entries_[frame.first].key, entries_.back().value};
      entries_.resize(frame.first);
    } else {
      if (items_.size() == frame.first) throw no_pair(frame.offset);
      pair = {items_[frame.first], items_.back()};
      items_.resize(frame.first);
    }
    frames_.back().height = std::max(frames_.back().height, frame.height + 1);
    note_other_key(pair.key);
    keep(entries_, pair);
  }

  [[nodiscard]] Error no_pair(std::size_t offset) const {
    return error("yaml.tag", "an item of an ordered mapping must have a key and a value", offset)
        .hint("write '- key: value'");
  }

  Value close_sequence(const Frame& frame) {
    if (frame.tag == Tag::ordered_mapping) return close_mapping(frame);
    const auto items = std::span(items_).subspan(frame.first);
    if (frame.tag == Tag::ordered_map || frame.tag == Tag::pairs) {
      for (Value& item : items) {
        if (!item.is_mapping() || item.size() != 1) {
          throw Error("yaml.tag", "an item of !!omap and !!pairs must be a mapping with one key")
              .at(sources_, item.origin());
        }
        const Entry& pair = item.entries().front();
        item = arena_->sequence(std::array{pair.key, pair.value}).with_origin(item.origin());
      }
    }
    const Value value = arena_->sequence(items);
    items_.resize(frame.first);
    return value;
  }

  Value close_mapping(const Frame& frame) {
    const auto own = std::span<const Entry>(entries_).subspan(frame.first);
    const auto merged = std::span<const Entry>(merged_).subspan(frame.first_merged);
    Value value;
    if (frame.has_plain_keys && merged.empty() && frame.tag == Tag::mapping)
      value = arena_->mapping_of_distinct(own, profile_.keys);
    if (!value) value = merge_entries(frame, merged, own);
    entries_.resize(frame.first);
    merged_.resize(frame.first_merged);
    merged_in_place_.resize(frame.first_in_place);
    return value;
  }

  /// A mapping or set. Merged entries come first and own entries overwrite them in place, as if the mapping were
  /// written like that.
  Value merge_entries(const YamlFrame& frame, std::span<const Entry> merged, std::span<const Entry> own) {
    const Tag tag = frame.tag;
    const std::size_t capacity = merged.size() + own.size();
    MappingBuilder value = tag == Tag::set ? MappingBuilder::set(*arena_, profile_.keys, capacity)
                                           : MappingBuilder(*arena_, profile_.keys, capacity);
    const auto member = [tag](const Entry& entry) {
      return tag == Tag::set ? Value::null().with_origin(entry.key.origin()) : entry.value;
    };
    for (const Entry& entry : merged) value.insert(entry.key, member(entry));
    auto in_place = std::span<const YamlStretch>(merged_in_place_).subspan(frame.first_in_place);
    const bool has_merges = !merged.empty() || !in_place.empty();
    // Of each member: the key that is written here, or nowhere.
    std::vector<Value> own_keys(has_merges ? value.entries().size() : 0);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const Entry& entry = own[i];
      const bool fresh = value.insert(entry.key, member(entry));
      Value earlier = fresh ? Value() : value.entries()[value.index_of(entry.key)].key;
      if (!fresh && profile_.duplicate_keys == DuplicateKeys::error) {
        const std::string name = spelled(frame, entry.key);
        throw Error("yaml.duplicate-key", name.empty() ? "a key occurs twice in one mapping"
                                                       : fmt::format("the key '{}' occurs twice in one mapping", name))
            .at(sources_, entry.key.origin())
            .note(sources_, earlier.origin(), "the earlier one")
            .hint("keep one of the two");
      }
      if (has_merges) {
        while (!in_place.empty() && frame.first + i >= in_place.front().end) in_place = in_place.subspan(1);
        const bool is_written = in_place.empty() || frame.first + i < in_place.front().begin;
        if (fresh) own_keys.emplace_back();
        const std::size_t index = fresh ? own_keys.size() - 1 : value.index_of(entry.key);
        // A member in place of one from `<<` is what that is for.
        earlier = own_keys[index];
        own_keys[index] = is_written ? entry.key : Value();
      }
      if (earlier && repeated_keys_.size() < kMostRepeatedKeys) note_repeated(frame, earlier, entry.key);
    }
    return value.finish();
  }

  void note_repeated(const YamlFrame& frame, const Value& earlier, const Value& later) {
    RepeatedKey& out = repeated_keys_.emplace_back();
    out.earlier = earlier.origin();
    out.later = later.origin();
    out.name = spelled(frame, later);
    if (std::string before = spelled(frame, earlier); before != out.name) out.earlier_name = std::move(before);
  }

  /// A key as it is written: `yes` rather than the `true` that it is. Empty for containers, and where it may be secret.
  [[nodiscard]] std::string spelled(const YamlFrame& frame, const Value& key) const {
    if (frame.is_secret || key.is_secret() || input_.is_secret() || key.is_container()) return {};
    if (key.is_text()) return shown_key(key.text());
    const std::size_t offset = key.origin().location - input_.origin(0).location;
    const std::string_view text = input_.text();
    if (key.origin().through_alias() || offset >= text.size() || text[offset] == '"' || text[offset] == '\'')
      return shown_key(key_text(key));
    const std::string_view rest = text.substr(offset, text.find_first_of("\r\n", offset) - offset);
    std::size_t end = 0;
    while (end < rest.size() && !ends_plain_key(rest.substr(end))) ++end;
    const std::string_view plain = rest.substr(0, end);
    return shown_key(plain.substr(0, plain.find_last_not_of(" \t") + 1));
  }

  static bool ends_plain_key(std::string_view rest) {
    if (rest.front() == ',' || rest.front() == '}') return true;
    return rest.front() == ':' && (rest.size() == 1 || rest[1] == ' ' || rest[1] == '\t');
  }

  /// Adds a finished node to its container.
  [[gnu::always_inline]] void add(Value value, std::size_t height, std::size_t offset, bool is_mapping_node) {
    if (frames_.empty()) {
      root_ = value;
      return;
    }
    Frame& frame = frames_.back();
    frame.height = std::max(frame.height, height + 1);
    if (frame.tag == Tag::ordered_mapping) throw no_pair(offset);
    if (!frame.is_mapping) {
      keep(items_, value);
    } else if (!frame.has_key) {
      add_key(frame, value, offset);
    } else {
      frame.has_key = false;
      if (frame.key_is_merge && !frame.is_pair) {
        merge_into(frame, value, offset, is_mapping_node);
      } else {
        keep(entries_, Entry{frame.key, value});
      }
    }
  }

  [[gnu::always_inline]] void add_key(Frame& frame, Value key, std::size_t offset) {
    if (key.is_container() && !profile_.container_keys) {
      throw error("yaml.key", fmt::format("{} cannot be a mapping key", describe(key.kind())), offset)
          .hint(begins_expression(offset) ? "quote the value: otherwise '{{' begins a mapping in YAML"
                                          : "quote it, if it is meant as text");
    }
    if (!key.is_text() || detail::Mapping::tag(key) == 0) {
      frame.has_plain_keys = false;
      note_other_key(key);
    }
    frame.key = key;
    frame.key_is_merge = pending_merge_;
    pending_merge_ = false;
    frame.has_key = true;
  }

  /// Whether `{{` is around a place: a value that is an expression of a template.
  [[nodiscard]] bool begins_expression(std::size_t offset) const {
    return offset > 0 && input_.text().substr(offset - 1).starts_with("{{");
  }

  void note_other_key(const Value& key) {
    if (key.is_text() || profile_.text_keys == TextKeys::none) return;
    has_other_keys_ = has_other_keys_ || profile_.text_keys == TextKeys::json || key.kind() == Kind::object;
  }

  /// With MergeKey::pyyaml, a plain `<<` merges. With MergeKey::psych, any `<<` does, unless it has the tag for text.
  void note_merge_key(const Value& key, std::string_view tag, bool as_plain) {
    if (profile_.merge_key == MergeKey::none || !key.is_text() || key.text() != "<<") return;
    pending_merge_ = profile_.merge_key == MergeKey::pyyaml ? as_plain : tag != "tag:yaml.org,2002:str";
  }

  void merge_into(Frame& frame, const Value& value, std::size_t offset, bool is_mapping_node) {
    frame.has_plain_keys = false;
    if (profile_.merge_key == MergeKey::psych) return psych_merge(frame, value, offset, is_mapping_node);
    if (is_mapping_node && (value.is_mapping() || value.kind() == Kind::set)) return take(merged_, value, offset);
    if (!is_mappings(value)) {
      throw error("yaml.merge-key",
                  fmt::format("'<<' needs a mapping or a sequence of mappings, not {}", describe(value.kind())), offset)
          .hint("quote the key, if it is meant as text");
    }
    take_reversed(merged_, value, offset);
  }

  /// The reference distinguishes nodes, not values: an alias merges only a mapping; a sequence merges only if it is
  /// written out.
  void psych_merge(const Frame& frame, const Value& value, std::size_t offset, bool is_mapping_node) {
    const bool is_alias = static_cast<bool>(current_alias_);
    const std::size_t begin = entries_.size();
    if (value.is_mapping() && (is_alias || is_mapping_node)) {
      take(entries_, value, offset);
      merged_in_place_.push_back({begin, entries_.size()});
    } else if (!is_alias && is_mappings(value)) {
      take_reversed(entries_, value, offset);
      merged_in_place_.push_back({begin, entries_.size()});
    } else if (is_alias || !value.is_mapping() || value.size() != 0) {
      keep(entries_, Entry{frame.key, value});
    }  // Else an empty ordered mapping, which is a sequence: nothing to merge.
  }

  static bool is_mappings(const Value& value) {
    return value.is_sequence() &&
           std::ranges::all_of(value.items(), [](const Value& item) { return item.is_mapping(); });
  }

  void take(std::vector<Entry>& into, const Value& mapping, std::size_t offset) {
    count(offset, mapping.size(), true);
    for (const Entry& entry : mapping.entries()) {
      const Value& value = entry.value;
      keep(into, Entry{entry.key,
                       current_alias_ ? value.with_origin(sources_.add_via(value.origin(), current_alias_)) : value});
    }
  }

  /// From last to first, so that the first of the sequence wins.
  void take_reversed(std::vector<Entry>& into, const Value& mappings, std::size_t offset) {
    const auto items = mappings.items();
    for (std::size_t i = items.size(); i-- > 0;) take(into, items[i], offset);
  }

  Sources& sources_;
  const Profile& profile_;
  const Limits& limits_;
  YamlWorkspace::Lease workspace_;
  YamlInput input_;
  YamlEvents events_;

  Arena* arena_ = nullptr;
  Value root_;
  std::vector<Frame>& frames_;
  std::vector<Value>& items_;
  std::vector<Entry>& entries_;
  std::vector<Entry>& merged_;
  std::vector<YamlStretch>& merged_in_place_;
  std::vector<RepeatedKey> repeated_keys_;
  std::size_t nodes_ = 0;
  std::size_t aliased_ = 0;
  Origin current_alias_;
  bool pending_merge_ = false;   ///< The last key read is `<<`.
  bool has_other_keys_ = false;  ///< The document has keys that must become text.
};

}  // namespace strata::text
