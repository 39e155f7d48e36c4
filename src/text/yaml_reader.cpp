// YAML to values: libyaml's events, a Profile's tables, an origin for every node.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "profile.hpp"
#include "pyyaml_scanner.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"
#include "text_keys.hpp"
#include "yaml_events.hpp"
#include "yaml_scalars.hpp"

namespace strata::text {
namespace {

std::string_view characters(const yaml_char_t* text) { return text == nullptr ? std::string_view{} : reinterpret_cast<const char*>(text); }

/// What an anchor names, with what it costs to write it out at each alias.
struct Anchored {
  Value value;
  bool is_merge_source = false;  ///< The node is a mapping, whatever its tag made of it.
  std::size_t nodes = 0;
  std::size_t height = 0;
  bool open = true;        ///< Still being read: an alias to it would contain itself.
  std::size_t offset = 0;  ///< Of the anchor, to tell it from one of the same name inside the node.
};

/// A container that is being read.
struct Frame {
  Tag tag{};
  std::size_t offset = 0;
  std::string anchor;
  std::size_t anchor_offset = 0;
  std::size_t first = 0;         ///< Its children are the scratch from here on.
  std::size_t nodes_before = 0;  ///< Of the whole document, when it began.
  std::size_t height = 1;
  bool is_mapping = false;
  bool flow = false;
  bool is_pair = false;  ///< An item of Tag::ordered_mapping: its first and last node are a key and its value.
  Value key;             ///< Of a mapping: the key that waits for its value.
  bool key_is_merge = false;
  bool has_key = false;
  std::vector<Entry> merged;  ///< What `<<` brought, in the order of the rule.
};

/// Reads the documents of one text.
class Reader {
 public:
  Reader(Sources& sources, SourceId source, const Profile& profile, const Limits& limits, std::shared_ptr<Arena> arena = nullptr)
      : sources_(sources),
        source_(source),
        profile_(profile),
        limits_(limits),
        given_arena_(std::move(arena)),
        text_(sources.text(source)),
        events_(sources, source, text_.starts_with("\xEF\xBB\xBF") ? 3 : 0, profile.scanner == Scanner::pyyaml),
        scalars_(profile, events_),
        scanner_(text_) {
    if (text_.size() > limits.input) {
      throw Error("limit.input", fmt::format("the text has {} bytes, more than the limit of {}", text_.size(), limits.input))
          .at(sources, sources.at(source, 0))
          .hint("raise it with --limit input=BYTES");
    }
    events_.next();  // the start of the stream
  }

  std::optional<Document> next() {
    if (has_read_ && profile_.stream == Stream::first) return std::nullopt;
    has_read_ = true;
    const yaml_event_t& start = events_.next();
    if (start.type == YAML_STREAM_END_EVENT) {
      if (profile_.scanner == Scanner::pyyaml) scanner_.finish(events_);
      return std::nullopt;
    }
    // Measured on real user-data: about two and a half bytes of nodes for each byte of text.
    Document document{.arena = given_arena_ != nullptr ? given_arena_ : std::make_shared<Arena>(text_.size() * 5 / 2),
                      .root = {},
                      .source = source_,
                      .origin = events_.origin(events_.offset(start.start_mark))};
    arena_ = document.arena.get();
    anchors_.clear();
    scalars_.begin(*arena_);
    has_symbol_keys_ = false;
    nodes_ = 0;
    root_ = Value();
    while (step()) {
    }
    document.root = has_symbol_keys_ ? with_text_keys(*arena_, root_) : root_;
    document.nodes = nodes_;
    return document;
  }

 private:
  /// Handles one event; false at the end of the document.
  bool step() {
    const yaml_event_t& event = events_.next();
    switch (event.type) {
      case YAML_DOCUMENT_END_EVENT:
        return false;
      case YAML_SCALAR_EVENT:
        scalar(event);
        return true;
      case YAML_ALIAS_EVENT:
        alias(event);
        return true;
      case YAML_SEQUENCE_START_EVENT:
        open(event, event.data.sequence_start.tag, event.data.sequence_start.anchor, false,
             event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
        return true;
      case YAML_MAPPING_START_EVENT:
        open(event, event.data.mapping_start.tag, event.data.mapping_start.anchor, true, event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
        return true;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        close();
        return true;
      default:
        assert(false && "libyaml gives no other event inside a document");
        return false;
    }
  }

  [[nodiscard]] Error error(std::string code, std::string message, std::size_t offset) const {
    return Error(std::move(code), std::move(message)).at(sources_, events_.origin(offset));
  }

  /// Where the node itself begins: after its tag and anchor, and what separates them.
  [[nodiscard]] std::size_t after_properties(std::size_t offset) const {
    while (offset < text_.size()) {
      const char c = text_[offset];
      if (c == '&' || c == '!') {
        if (c == '!' && offset + 1 < text_.size() && text_[offset + 1] == '<') {
          offset = std::min(text_.find('>', offset), text_.size() - 1) + 1;
        } else {
          offset = std::min(text_.find_first_of(" \t\r\n,[]{}", offset), text_.size());
        }
        if (c == '!' && profile_.scanner == Scanner::pyyaml) PyYamlScanner::after_tag(events_, offset);
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        ++offset;
      } else if (c == '#') {
        offset = std::min(text_.find_first_of("\r\n", offset), text_.size());
      } else {
        break;
      }
    }
    return offset;
  }

  void count(std::size_t offset, std::size_t nodes, bool through_alias) {
    nodes_ += nodes;
    if (!through_alias) return;
    aliased_ += nodes;
    if (aliased_ > limits_.aliases) {
      throw error("limit.aliases", fmt::format("aliases add more than {} nodes to this document", limits_.aliases), offset)
          .hint("raise the limit with --limit aliases=NODES if the document is meant to be so large");
    }
  }

  void check_depth(std::size_t depth, std::size_t offset) const {
    if (depth > limits_.depth) {
      throw error("limit.depth", fmt::format("nested deeper than {} levels", limits_.depth), offset)
          .hint("raise the limit with --limit depth=LEVELS");
    }
  }

  void name_anchor(const yaml_char_t* anchor, std::size_t offset, Frame* frame) {
    if (anchor == nullptr) return;
    std::string name(characters(anchor));
    if (profile_.anchors == Anchors::unique && anchors_.contains(name)) {
      throw error("yaml.anchor", fmt::format("the anchor '{}' is defined twice", name), offset).hint("rename one of the two");
    }
    Anchored fresh;
    fresh.offset = offset;
    anchors_[name] = fresh;
    if (frame == nullptr) return;
    frame->anchor = std::move(name);
    frame->anchor_offset = offset;
  }

  void check_fits(Tag tag, bool is_mapping, std::string_view name, std::size_t offset) const {
    const bool fits = is_mapping ? tag == Tag::mapping || tag == Tag::set
                                 : tag == Tag::sequence || tag == Tag::ordered_map || tag == Tag::pairs || tag == Tag::ordered_mapping;
    if (!fits) throw error("yaml.tag", fmt::format("the tag '{}' does not fit {}", name, is_mapping ? "a mapping" : "a sequence"), offset);
  }

  void open(const yaml_event_t& event, const yaml_char_t* tag, const yaml_char_t* anchor, bool is_mapping, bool flow) {
    const std::size_t mark = events_.offset(event.start_mark);
    check_depth(frames_.size() + 1, mark);
    Frame frame;
    frame.is_mapping = is_mapping;
    // The reference looks into the pairs of an ordered mapping without reading them as nodes: their tags and anchors do not count.
    frame.is_pair = !frames_.empty() && frames_.back().tag == Tag::ordered_mapping;
    frame.tag = is_mapping ? Tag::mapping : Tag::sequence;
    if (!frame.is_pair) {
      frame.tag = scalars_.tag_of(characters(tag), is_mapping ? kMappings : kSequences, frame.tag, mark);
      check_fits(frame.tag, is_mapping, characters(tag), mark);
      name_anchor(anchor, mark, &frame);
    }
    frame.offset = anchor != nullptr || tag != nullptr ? after_properties(mark) : mark;
    frame.first = is_mapping || frame.tag == Tag::ordered_mapping ? entries_.size() : items_.size();
    count(mark, 1, false);
    frame.nodes_before = nodes_ - 1;
    frame.flow = flow || (!frames_.empty() && frames_.back().flow);
    frames_.push_back(std::move(frame));
  }

  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (frame.is_pair) return close_pair(frame);
    Value value = frame.is_mapping ? close_mapping(frame) : close_sequence(frame);
    value = value.with_origin(events_.origin(frame.offset));
    if (!frame.anchor.empty()) close_anchor(frame, value);
    add(value, frame.height, frame.offset, frame.is_mapping);
  }

  /// An anchor of the same name inside the node is the later one, and stays.
  void close_anchor(const Frame& frame, const Value& value) {
    Anchored& anchored = anchors_[frame.anchor];
    if (anchored.offset != frame.anchor_offset) return;
    anchored.value = value;
    anchored.is_merge_source = frame.is_mapping;
    anchored.nodes = nodes_ - frame.nodes_before;
    anchored.height = frame.height;
    anchored.open = false;
  }

  void close_pair(const Frame& frame) {
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
    note_symbol_key(pair.key);
    entries_.push_back(pair);
  }

  [[nodiscard]] Error no_pair(std::size_t offset) const {
    return error("yaml.tag", "an item of an ordered mapping must have a key and a value", offset).hint("write '- key: value'");
  }

  Value close_sequence(Frame& frame) {
    if (frame.tag == Tag::ordered_mapping) return close_mapping(frame);
    const auto items = std::span(items_).subspan(frame.first);
    if (frame.tag == Tag::ordered_map || frame.tag == Tag::pairs) {
      for (Value& item : items) {
        if (!item.is_mapping() || item.size() != 1) {
          throw Error("yaml.tag", "an item of !!omap and !!pairs must be a mapping with one key").at(sources_, item.origin());
        }
        const Entry& pair = item.entries().front();
        item = arena_->sequence(std::array{pair.key, pair.value}).with_origin(item.origin());
      }
    }
    const Value value = arena_->sequence(items);
    items_.resize(frame.first);
    return value;
  }

  Value close_mapping(Frame& frame) {
    const auto own = std::span(entries_).subspan(frame.first);
    const std::size_t capacity = frame.merged.size() + own.size();
    const Value value = frame.tag == Tag::set ? arena_->set(profile_.keys, capacity) : arena_->mapping(profile_.keys, capacity);
    // Merged entries come first and own ones overwrite them in place, as if the mapping had been written so.
    const auto member = [&frame](const Entry& entry) { return frame.tag == Tag::set ? Value::null().with_origin(entry.key.origin()) : entry.value; };
    for (const Entry& entry : frame.merged) arena_->insert(value, entry.key, member(entry));
    for (const Entry& entry : own) {
      const bool fresh = arena_->insert(value, entry.key, member(entry));
      if (!fresh && profile_.duplicate_keys == DuplicateKeys::error) {
        throw Error("yaml.duplicate-key", "this key stands twice in one mapping").at(sources_, entry.key.origin());
      }
    }
    entries_.resize(frame.first);
    return value;
  }

  /// Gives a finished node to its container.
  void add(const Value& value, std::size_t height, std::size_t offset, bool is_mapping_node) {
    if (frames_.empty()) {
      root_ = value;
      return;
    }
    Frame& frame = frames_.back();
    frame.height = std::max(frame.height, height + 1);
    if (frame.tag == Tag::ordered_mapping) throw no_pair(offset);
    if (!frame.is_mapping) {
      items_.push_back(value);
    } else if (!frame.has_key) {
      add_key(frame, value, offset);
    } else {
      frame.has_key = false;
      if (frame.key_is_merge && !frame.is_pair) {
        merge_into(frame, value, offset, is_mapping_node);
      } else {
        entries_.push_back({frame.key, value});
      }
    }
  }

  void add_key(Frame& frame, const Value& key, std::size_t offset) {
    if (key.is_container() && !profile_.container_keys) {
      throw error("yaml.key", fmt::format("{} cannot be a mapping key", describe(key.kind())), offset).hint("quote it, if it is meant as text");
    }
    note_symbol_key(key);
    frame.key = key;
    frame.key_is_merge = pending_merge_;
    pending_merge_ = false;
    frame.has_key = true;
  }

  void note_symbol_key(const Value& key) {
    if (key.kind() == Kind::object && profile_.symbol_keys == SymbolKeys::text) has_symbol_keys_ = true;
  }

  /// Under MergeKey::pyyaml a plain `<<` merges; under MergeKey::psych any, however it was written, unless it has the tag for text.
  void note_merge_key(const Value& key, std::string_view tag, bool as_plain) {
    if (profile_.merge_key == MergeKey::none || frames_.empty() || !key.is_text() || key.text() != "<<") return;
    const Frame& frame = frames_.back();
    const bool merges = profile_.merge_key == MergeKey::pyyaml ? as_plain : tag != "tag:yaml.org,2002:str";
    if (frame.is_mapping && !frame.has_key) pending_merge_ = merges;
  }

  void merge_into(Frame& frame, const Value& value, std::size_t offset, bool is_mapping_node) {
    if (profile_.merge_key == MergeKey::psych) return psych_merge(frame, value, offset, is_mapping_node);
    if (is_mapping_node && (value.is_mapping() || value.kind() == Kind::set)) return take(frame.merged, value, offset);
    if (!is_mappings(value)) {
      throw error("yaml.merge-key", fmt::format("'<<' needs a mapping or a sequence of mappings, not {}", describe(value.kind())), offset)
          .hint("quote the key, if it is meant as text");
    }
    take_reversed(frame.merged, value, offset);
  }

  /// The reference tells nodes apart, not values: an alias merges only a mapping, a sequence only where it is written out.
  void psych_merge(const Frame& frame, const Value& value, std::size_t offset, bool is_mapping_node) {
    const bool is_alias = static_cast<bool>(current_alias_);
    if (value.is_mapping() && (is_alias || is_mapping_node)) {
      take(entries_, value, offset);
    } else if (!is_alias && is_mappings(value)) {
      take_reversed(entries_, value, offset);
    } else if (is_alias || !value.is_mapping() || value.size() != 0) {
      entries_.push_back({frame.key, value});
    }  // Else an empty ordered mapping, which is a sequence: nothing to merge.
  }

  static bool is_mappings(const Value& value) {
    return value.is_sequence() && std::ranges::all_of(value.items(), [](const Value& item) { return item.is_mapping(); });
  }

  void take(std::vector<Entry>& into, const Value& mapping, std::size_t offset) {
    count(offset, mapping.size(), true);
    for (const Entry& entry : mapping.entries()) {
      const Value& value = entry.value;
      into.push_back({entry.key, current_alias_ ? value.with_origin(sources_.add_via(value.origin(), current_alias_)) : value});
    }
  }

  /// From the last to the first, so that the first of the sequence wins.
  void take_reversed(std::vector<Entry>& into, const Value& mappings, std::size_t offset) {
    const auto items = mappings.items();
    for (std::size_t i = items.size(); i-- > 0;) take(into, items[i], offset);
  }

  void alias(const yaml_event_t& event) {
    const std::size_t offset = events_.offset(event.start_mark);
    const auto found = anchors_.find(std::string(characters(event.data.alias.anchor)));
    if (found == anchors_.end()) {
      throw error("yaml.alias", fmt::format("undefined alias '{}'", characters(event.data.alias.anchor)), offset)
          .hint("define the anchor before its first alias");
    }
    const Anchored& anchored = found->second;
    if (anchored.open) throw error("yaml.alias", fmt::format("the alias '{}' stands inside its own anchor", found->first), offset);
    check_depth(frames_.size() + anchored.height, offset);
    count(offset, anchored.nodes, true);
    const Origin here = events_.origin(offset);
    current_alias_ = here;
    note_merge_key(anchored.value, {}, false);
    add(anchored.value.with_origin(sources_.add_via(anchored.value.origin(), here)), anchored.height, offset, anchored.is_merge_source);
    current_alias_ = {};
  }

  void scalar(const yaml_event_t& event) {
    const auto& data = event.data.scalar;
    const std::size_t mark = events_.offset(event.start_mark);
    const bool has_properties = data.tag != nullptr || data.anchor != nullptr;
    std::size_t offset = has_properties ? after_properties(mark) : mark;
    const std::string_view text(reinterpret_cast<const char*>(data.value), data.length);
    const bool in_flow = !frames_.empty() && frames_.back().flow;
    if (profile_.scanner == Scanner::pyyaml && (in_flow || data.style != YAML_PLAIN_SCALAR_STYLE)) {
      scanner_.scalar(events_, data.style, offset, events_.offset(event.end_mark), in_flow);
    }
    const bool is_key = !frames_.empty() && frames_.back().is_mapping && !frames_.back().has_key;
    // libyaml drops the tag `!` and says of the scalar that it is as good as a plain one.
    const std::string_view tag = characters(data.tag);
    const bool is_plain = data.style == YAML_PLAIN_SCALAR_STYLE;
    const bool has_bang = tag == "!" || (tag.empty() && data.plain_implicit != 0 && !is_plain);
    const bool as_plain = has_bang ? profile_.bang_resolves : tag.empty() && is_plain;
    const YamlScalars::Place place{.offset = offset, .is_key = is_key};
    Value value = as_plain                  ? scalars_.plain(text, place)
                  : tag.empty() || has_bang ? scalars_.make_text(text, is_key)
                                            : scalars_.tagged(tag, text, place);
    note_merge_key(value, tag, as_plain);
    // An implicit null stands at its key.
    if (text.empty() && is_plain && !frames_.empty() && frames_.back().is_mapping && frames_.back().has_key) {
      value = value.with_origin(frames_.back().key.origin());
    } else {
      value = value.with_origin(events_.origin(offset));
    }
    count(offset, 1, false);
    if (data.anchor != nullptr) {
      name_anchor(data.anchor, mark, nullptr);
      anchors_[std::string(characters(data.anchor))] = {
          .value = value, .is_merge_source = false, .nodes = 1, .height = 0, .open = false, .offset = mark};
    }
    add(value, 0, offset, false);
  }

  Sources& sources_;
  SourceId source_;
  const Profile& profile_;
  const Limits& limits_;
  std::shared_ptr<Arena> given_arena_;
  std::string_view text_;
  YamlEvents events_;
  YamlScalars scalars_;
  PyYamlScanner scanner_;

  Arena* arena_ = nullptr;
  Value root_;
  std::vector<Frame> frames_;
  std::vector<Value> items_;    ///< Items of all open sequences, innermost last.
  std::vector<Entry> entries_;  ///< Entries of all open mappings.
  std::unordered_map<std::string, Anchored> anchors_;
  std::size_t nodes_ = 0;
  std::size_t aliased_ = 0;
  Origin current_alias_;
  bool pending_merge_ = false;    ///< The key just read is `<<`.
  bool has_symbol_keys_ = false;  ///< Of the document.
  bool has_read_ = false;         ///< A document was read.
};

}  // namespace

std::vector<Document> read_yaml_stream(Sources& sources, SourceId source, const Profile& profile, const Limits& limits) {
  std::vector<Document> documents;
  Reader reader(sources, source, profile, limits);
  while (auto document = reader.next()) documents.push_back(std::move(*document));
  return documents;
}

Document read_yaml(Sources& sources, SourceId source, const Profile& profile, const Limits& limits, std::shared_ptr<Arena> arena) {
  Reader reader(sources, source, profile, limits, std::move(arena));
  auto document = reader.next();
  if (!document) return {.arena = std::make_shared<Arena>(), .root = {}, .source = source, .origin = sources.at(source, 0)};
  if (const auto second = reader.next()) {
    throw Error("yaml.documents", "a second document begins here, and only one is allowed").at(sources, second->origin).hint("remove the '---'");
  }
  return std::move(*document);
}

}  // namespace strata::text
