// SPDX-License-Identifier: Apache-2.0
// YAML to values: events, a Profile's tables, an origin for every node.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <vector>

#include "text/yaml/reader.hpp"

#include "strata/error.hpp"
#include "strata/secret_keys.hpp"
#include "strata/text.hpp"
#include "text/yaml/builder.hpp"
#include "text/yaml/node_properties.hpp"
#include "text/yaml/profile.hpp"
#include "text/yaml/pyyaml_scanner.hpp"
#include "text/yaml/scalars.hpp"
#include "text/yaml/text_keys.hpp"
#include "value/metered.hpp"
#include "value/seeded_hash.hpp"

namespace strata::text {
namespace {

/// What an anchor names, with what it costs to write it out at each alias.
struct Anchored {
  Value value;
  bool is_merge_source = false;  ///< The node is a mapping, whatever its tag made of it.
  std::size_t nodes = 0;
  std::size_t height = 0;
  bool open = true;  ///< Still being read: an alias to it would contain itself.
};

/// Memory for the nodes of a text. Measured on real user-data: about two and a half bytes of nodes for each byte of
/// text.
std::shared_ptr<Arena> arena_for(std::string_view text) { return std::make_shared<Arena>(text.size() * 5 / 2); }

/// Reads the documents of one text.
class Reader : YamlBuilder {
 public:
  /// `pool`: null for one of each document's own.
  Reader(Sources& sources, SourceId source, const Stretch& stretch, const Profile& profile, const Limits& limits,
         DocumentPool* pool = nullptr)
      : Reader(sources, source, stretch, profile, limits, pool,
               limits.libyaml_alone ? YamlEvents::By::libyaml : YamlEvents::By::both) {}
  Reader(Sources& sources, SourceId source, const Stretch& stretch, const Profile& profile, const Limits& limits,
         DocumentPool* pool, YamlEvents::By by)
      : YamlBuilder(sources, source, stretch, profile, limits, by),
        source_(source),
        given_pool_(pool),
        stop_check_(limits.stop),
        text_(input_.text()),
        scalars_(profile, input_),
        scanner_(text_, input_.begin(), profile.scanner == Scanner::pyyaml) {
    if (text_.size() > limits.input) {
      throw Error("limit.input",
                  fmt::format("the text has {} bytes, more than the limit of {}", text_.size(), limits.input))
          .at(sources, sources.at(source, 0))
          .hint("raise it with --limit input=BYTES");
    }
    events_.next();  // the start of the stream
  }

  std::optional<Document> next() {
    if (has_read_ && profile_.stream == Stream::first) return std::nullopt;
    has_read_ = true;
    const YamlEvent& start = events_.next();
    if (start.kind == YamlEvent::Kind::stream_end) {
      if (profile_.scanner == Scanner::pyyaml) scanner_.finish(input_);
      return std::nullopt;
    }
    if (given_pool_ == nullptr) own_pool_.emplace(arena_for(text_));
    DocumentPool& pool = given_pool_ != nullptr ? *given_pool_ : *own_pool_;
    Document document{.arena = pool.arena(), .root = {}, .source = source_, .origin = input_.origin(start.begin)};
    const Metered metered(*document.arena, limits_.stop);
    begin(*document.arena);
    anchors_.clear();
    anchored_.clear();
    scalars_.begin(pool);
    while (step()) {
    }
    document.root = has_other_keys_ ? with_text_keys(*arena_, root_, profile_.text_keys) : root_;
    document.nodes = nodes_;
    document.repeated_keys = std::move(repeated_keys_);
    return document;
  }

 private:
  /// Handles one event; false at the end of the document.
  bool step() {
    using Kind = YamlEvent::Kind;
    stop_check_.tick();
    const YamlEvent& event = events_.next();
    switch (event.kind) {
      case Kind::document_end:
        return false;
      case Kind::scalar:
        scalar(event);
        return true;
      case Kind::alias:
        alias(event);
        return true;
      case Kind::sequence_start:
      case Kind::mapping_start:
        open(event);
        return true;
      case Kind::sequence_end:
      case Kind::mapping_end:
        close();
        return true;
      default:
        assert(false && "no other event stands inside a document");
        return false;
    }
  }

  /// Where the node itself begins: after its tag and anchor, and what separates them.
  [[nodiscard]] std::size_t after_properties(std::size_t offset) const {
    const auto after_tag = [this](std::size_t end) {
      if (profile_.scanner == Scanner::pyyaml) PyYamlScanner::after_tag(input_, end);
    };
    return node_properties(text_, offset, after_tag).node;
  }

  /// The number of a new anchor, from 1. Its name means this one from now on, also behind a node around it with the
  /// same name.
  std::size_t name_anchor(std::string_view anchor, std::size_t offset) {
    const auto [known, is_fresh] = anchors_.try_emplace(std::string(anchor));
    if (!is_fresh && profile_.anchors == Anchors::unique) {
      throw error("yaml.anchor", fmt::format("the anchor '{}' is defined twice", input_.quoted(anchor)), offset)
          .hint("rename one of the two");
    }
    anchored_.emplace_back();
    return known->second = anchored_.size();
  }

  void check_fits(Tag tag, bool is_mapping, std::string_view name, std::size_t offset) const {
    const bool fits = is_mapping ? tag == Tag::mapping || tag == Tag::set
                                 : tag == Tag::sequence || tag == Tag::ordered_map || tag == Tag::pairs ||
                                       tag == Tag::ordered_mapping;
    if (!fits)
      throw error(
          "yaml.tag",
          fmt::format("the tag '{}' does not fit {}", input_.quoted(name), is_mapping ? "a mapping" : "a sequence"),
          offset);
  }

  void open(const YamlEvent& event) {
    const std::size_t mark = event.begin;
    const bool is_mapping = event.kind == YamlEvent::Kind::mapping_start;
    check_depth(frames_.size() + 1, mark);
    const Frame* const outer = frames_.empty() ? nullptr : &frames_.back();
    // The reference looks into the pairs of an ordered mapping without reading them as nodes: their tags and anchors do
    // not count.
    const bool is_pair = outer != nullptr && outer->tag == Tag::ordered_mapping;
    const bool is_flow = event.style == YamlEvent::Style::flow || (outer != nullptr && outer->flow);
    const bool is_secret = is_secret_here();
    // Filled in place: copying what was just written costs more than writing it.
    Frame& frame = frames_.emplace_back();
    frame.is_mapping = is_mapping;
    frame.is_pair = is_pair;
    frame.flow = is_flow;
    frame.tag = is_mapping ? Tag::mapping : Tag::sequence;
    frame.offset = mark;
    frame.is_secret = is_secret;
    if (event.has_properties) {
      if (!is_pair) {
        frame.tag = scalars_.tag_of(event.tag, is_mapping ? kMappings : kSequences, frame.tag, mark);
        check_fits(frame.tag, is_mapping, event.tag, mark);
        if (!event.anchor.empty()) frame.anchor = name_anchor(event.anchor, mark);
      }
      frame.offset = after_properties(mark);
    }
    frame.first = is_mapping || frame.tag == Tag::ordered_mapping ? entries_.size() : items_.size();
    frame.first_merged = merged_.size();
    frame.first_in_place = merged_in_place_.size();
    frame.nodes_before = nodes_;
    count(mark, 1, false);
  }

  void close() {
    const Frame& frame = frames_.back();
    if (frame.is_pair) return close_pair();
    const bool is_mapping = frame.is_mapping;
    const std::size_t offset = frame.offset;
    const std::size_t height = frame.height;
    const Value made = (is_mapping ? close_mapping(frame) : close_sequence(frame)).with_origin(input_.origin(offset));
    const Value value = frame.is_secret ? made.with_secret() : made;
    if (frame.anchor != 0) {
      anchored_[frame.anchor - 1] = {.value = value,
                                     .is_merge_source = is_mapping,
                                     .nodes = nodes_ - frame.nodes_before,
                                     .height = height,
                                     .open = false};
    }
    frames_.pop_back();
    add(value, height, offset, is_mapping);
  }

  void alias(const YamlEvent& event) {
    const std::size_t offset = event.begin;
    const auto found = anchors_.find(event.anchor);
    if (found == anchors_.end()) {
      const std::string name(input_.quoted(event.anchor));
      throw YamlError(error("yaml.alias", fmt::format("undefined alias '{}'", name), offset)
                          .hint("define the anchor before its first alias"),
                      {.fault = YamlError::Fault::alias, .subject = name});
    }
    const Anchored anchored = anchored_[found->second - 1];
    if (anchored.open) {
      const std::string name(input_.quoted(found->first));
      throw YamlError(error("yaml.alias", fmt::format("the alias '{}' is inside its own anchor", name), offset),
                      {.fault = YamlError::Fault::alias, .subject = name});
    }
    check_depth(frames_.size() + anchored.height, offset);
    count(offset, anchored.nodes, true);
    const Origin here = input_.origin(offset);
    current_alias_ = here;
    if (expects_key()) note_merge_key(anchored.value, {}, false);
    const Value value = is_secret_here() ? with_secrets(*arena_, anchored.value) : anchored.value;
    add(value.with_origin(sources_.add_via(value.origin(), here)), anchored.height, offset, anchored.is_merge_source);
    current_alias_ = {};
  }

  [[nodiscard]] bool expects_key() const {
    return !frames_.empty() && frames_.back().is_mapping && !frames_.back().has_key;
  }

  /// Whether the next value has a name that says that it is secret, or is in a container with such a name.
  [[nodiscard]] bool is_secret_here() const {
    if (limits_.secret_keys == nullptr || frames_.empty()) return false;
    const Frame& frame = frames_.back();
    return frame.is_secret || (frame.is_mapping && frame.has_key && limits_.secret_keys->has(frame.key));
  }

  void scalar(const YamlEvent& event) {
    const std::size_t mark = event.begin;
    const std::size_t offset = event.has_properties ? after_properties(mark) : mark;
    const std::string_view text = event.text;
    const bool is_plain = event.style == YamlEvent::Style::plain;
    const bool in_flow = !frames_.empty() && frames_.back().flow;
    if (profile_.scanner == Scanner::pyyaml && (in_flow || !is_plain)) {
      scanner_.scalar(input_, event.style, offset, event.end, in_flow);
    }
    const bool is_key = expects_key();
    // libyaml drops the tag `!` and says of the scalar that it is as good as a plain one.
    const std::string_view tag = event.tag;
    const bool has_bang = tag == "!" || (tag.empty() && event.implicit && !is_plain);
    const bool as_plain = has_bang ? profile_.bang_resolves : tag.empty() && is_plain;
    const YamlScalars::Place place{.offset = offset, .is_key = is_key};
    Value value = as_plain                  ? scalars_.plain(text, place)
                  : tag.empty() || has_bang ? scalars_.make_text(text, is_key)
                                            : scalars_.tagged(tag, text, place);
    if (is_key) note_merge_key(value, tag, as_plain);
    // The place of an implicit null is its key.
    if (text.empty() && is_plain && !is_key && !frames_.empty() && frames_.back().is_mapping) {
      value = value.with_origin(frames_.back().key.origin());
    } else {
      value = value.with_origin(input_.origin(offset));
    }
    if (!is_key && is_secret_here()) value = value.with_secret();
    count(offset, 1, false);
    if (event.has_properties && !event.anchor.empty()) {
      anchored_[name_anchor(event.anchor, mark) - 1] = {
          .value = value, .is_merge_source = false, .nodes = 1, .height = 0, .open = false};
    }
    add(value, 0, offset, false);
  }

  SourceId source_;
  DocumentPool* given_pool_;
  std::optional<DocumentPool> own_pool_;
  StopCheck stop_check_;
  std::string_view text_;
  YamlScalars scalars_;
  PyYamlScanner scanner_;
  TextMap<std::size_t> anchors_;  ///< Names to numbers from 1.
  std::vector<Anchored> anchored_;
  bool has_read_ = false;  ///< A document was read.
};

}  // namespace

namespace {

std::vector<Document> read_all(Reader reader) {
  std::vector<Document> documents;
  while (auto document = reader.next()) documents.push_back(std::move(*document));
  return documents;
}

Document read_one(Sources& sources, SourceId source, const Stretch& stretch, const Profile& profile,
                  const Limits& limits, DocumentPool* pool) {
  Reader reader(sources, source, stretch, profile, limits, pool);
  auto document = reader.next();
  if (!document)
    return {
        .arena = std::make_shared<Arena>(), .root = {}, .source = source, .origin = sources.at(source, stretch.begin)};
  if (const auto second = reader.next()) {
    throw Error("yaml.documents", "a second document begins here, and only one is allowed")
        .at(sources, second->origin)
        .hint("remove the '---'");
  }
  return std::move(*document);
}

}  // namespace

Document read_yaml(Sources& sources, SourceId source, const Profile& profile, const Limits& limits,
                   const std::shared_ptr<Arena>& arena) {
  if (arena == nullptr) return read_one(sources, source, {}, profile, limits, nullptr);
  DocumentPool pool(arena);
  return read_one(sources, source, {}, profile, limits, &pool);
}

Document read_yaml(Sources& sources, SourceId source, const Profile& profile, const Limits& limits,
                   DocumentPool& pool) {
  return read_one(sources, source, {}, profile, limits, &pool);
}

Document read_yaml_stretch(Sources& sources, SourceId source, const Stretch& stretch, const Profile& profile,
                           const Limits& limits) {
  return read_one(sources, source, stretch, profile, limits, nullptr);
}

std::vector<Document> read_scanned_part(Sources& sources, SourceId source, const Stretch& stretch,
                                        const Profile& profile, const Limits& limits, DocumentPool& pool) {
  return read_all(Reader(sources, source, stretch, profile, limits, &pool, YamlEvents::By::scanner));
}

std::vector<Document> read_yaml_stream(Sources& sources, SourceId source, const Profile& profile,
                                       const Limits& limits) {
  // One arena for all documents: one for each would reserve memory for the whole text as often as it has documents.
  DocumentPool pool(arena_for(sources.text(source)));
  return read_yaml_stream(sources, source, profile, limits, pool);
}

std::vector<Document> read_yaml_stream(Sources& sources, SourceId source, const Profile& profile, const Limits& limits,
                                       DocumentPool& pool) {
  return read_all(Reader(sources, source, {}, profile, limits, &pool));
}

}  // namespace strata::text
