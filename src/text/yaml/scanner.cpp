// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/scanner.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "strata/text.hpp"
#include "text/yaml/scanning.hpp"

namespace strata::text {
namespace {

using namespace scanning;
using yaml_characters::find_first;
using yaml_characters::find_other;

constexpr std::size_t kLongestText = std::size_t{1} << 31U;
constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";

/// Whether the token at `at` is a plain scalar.
bool begins_plain(const char* at, bool in_flow) {
  if (!is(*at, kNotPlain | kPlainIfJoined)) return true;
  if (is(*at, kNotPlain) || is_blank_or_end(at[1])) return false;
  return !in_flow || *at == '-';
}

}  // namespace

YamlScanner::YamlScanner(std::string_view text, YamlTape& tape, std::size_t base)
    : tape_(tape), start_(text.data()), at_(start_), end_(start_ + text.size()), line_(start_) {
  tape_.begin(start_, base);
}

bool YamlScanner::next_document() {
  tape_.clear();
  depth_ = 0;
  if (has_bailed_) return false;
  if (!has_begun_) {
    has_begun_ = true;
    const std::string_view text(start_, static_cast<std::size_t>(end_ - start_));
    has_bailed_ = text.size() >= kLongestText || !yaml_characters::are_usual(text);
    if (!has_bailed_) add(Kind::stream_start, at_, at_);
  }
  if (!has_bailed_) has_bailed_ = !document();
  if (has_bailed_) tape_.clear();
  return !has_bailed_;
}

// ---- Events

void YamlScanner::add(Kind kind, const char* begin, const char* end, bool implicit) {
  tape_.add(kind, Style::none, offset(begin), offset(end), implicit, false);
}

void YamlScanner::add_start(Collection collection, const Properties& properties, const char* begin, const char* end) {
  const bool is_mapping = collection == Collection::mapping || collection == Collection::flow_mapping ||
                          collection == Collection::flow_pair;
  const Style style = collection >= Collection::flow_sequence ? Style::flow : Style::block;
  const bool has_properties = static_cast<bool>(properties);
  tape_.add(is_mapping ? Kind::mapping_start : Kind::sequence_start, style,
            offset(has_properties ? properties.begin : begin), offset(end), false, has_properties);
}

/// Properties alone are a node from the first to the end of the last one.
void YamlScanner::add_empty(const char* at, const Properties& properties) {
  const bool has_properties = static_cast<bool>(properties);
  if (has_properties) {
    tape_.add_scalar(Style::plain, offset(properties.begin), source_text(at, at), false, offset(properties.end), true);
  } else {
    tape_.add_scalar(Style::plain, offset(at), source_text(at, at), false);
  }
}

void YamlScanner::add_leaf(const Leaf& leaf, const Properties& properties) {
  if (leaf.is_alias) return tape_.add_alias(offset(leaf.begin), leaf.text);
  const bool has_properties = static_cast<bool>(properties);
  const std::uint32_t begin = offset(has_properties ? properties.begin : leaf.begin);
  if (leaf.is_own) {
    tape_.add_scalar(leaf.style, begin, leaf.text, true, offset(leaf.end), has_properties);
  } else {
    tape_.add_scalar(leaf.style, begin, leaf.text, has_properties);
  }
}

bool YamlScanner::open(Collection collection, std::ptrdiff_t column) {
  if (depth_ == kMostLevels) return false;
  levels_[depth_++] = {collection, column};
  return true;
}

/// Closes the innermost block collection, at the next token.
void YamlScanner::close() {
  add(is_in(Collection::mapping) ? Kind::mapping_end : Kind::sequence_end, at_, at_);
  --depth_;
}

// ---- Between tokens

/// To the next token in block context. `fresh`: a key or an entry may begin here, and a tab may not separate. A new
/// line is fresh.
void YamlScanner::skip(bool& fresh) {
  if (at_ == known_end_) {
    at_ = known_token_;
    line_ = known_line_;
    fresh = true;
  }
  for (;;) {
    at_ = find_other<' '>(at_, end_);
    if (!fresh) skip_blanks();
    // Whatever stands before it.
    if (*at_ == '#') at_ = find_first<'\n'>(at_, end_);
    if (*at_ != '\n') return;
    line_ = ++at_;
    fresh = true;
  }
}

bool YamlScanner::skip_in_flow() {
  for (;;) {
    skip_blanks();
    if (*at_ == '#') at_ = find_first<'\n'>(at_, end_);
    if (*at_ != '\n') break;
    line_ = ++at_;
  }
  return !(at_ == line_ && is_document_edge(at_));
}

bool YamlScanner::is_indicator(const char* at, char c) {
  return at[0] == c && at[1] == c && at[2] == c && is_blank_or_end(at[3]);
}

bool YamlScanner::is_at_entry() const { return *at_ == '-' && is_blank_or_end(at_[1]); }

// ---- Documents and block collections

bool YamlScanner::document() {
  bool fresh = fresh_;
  skip(fresh);
  while (has_document_ && at_ == line_ && is_indicator(at_, '.')) {
    at_ += 3;
    fresh = false;
    skip(fresh);
  }
  if (at_ == end_) {
    add(Kind::stream_end, at_, at_);
    return true;
  }
  if (at_ == line_ && is_indicator(at_, '-')) {
    add(Kind::document_start, at_, at_ + 3);
    at_ += 3;
    fresh = false;
    skip(fresh);
  } else if (has_document_ || (at_ == line_ && is_indicator(at_, '.'))) {
    return false;
  } else {
    add(Kind::document_start, at_, at_, true);
  }
  has_document_ = true;
  if (!content(fresh)) return false;
  const bool is_explicit = at_ != end_ && *at_ == '.';
  add(Kind::document_end, at_, is_explicit ? at_ + 3 : at_, !is_explicit);
  if (is_explicit) at_ += 3;
  fresh_ = !is_explicit;
  return true;
}

/// The root node, up to the end of its document.
bool YamlScanner::content(bool fresh) {
  Properties outer;         // Of lines above the node.
  const char* empty = at_;  // Where the node stands if it is empty.
  State state = State::node;
  while (!tape_.is_full()) {
    switch (state) {
      case State::node:
        if (!expected_node(outer, empty, fresh, state)) return false;
        break;
      case State::value:
        outer = {};
        empty = at_;
        fresh = false;
        skip(fresh);
        state = State::node;
        break;
      case State::entry:
        outer = {};
        empty = ++at_;
        fresh = true;
        skip(fresh);
        state = State::node;
        break;
      case State::after:
        if (!after_node(state)) return false;
        if (depth_ == 0) return true;
        break;
    }
  }
  return false;
}

bool YamlScanner::expected_node(Properties& outer, const char* empty, bool& fresh, State& state) {
  if (!is_at_end()) {
    if (column() > indent()) return block_node(outer, fresh, state);
    if (column() == indent() && is_in(Collection::mapping) && is_at_entry()) {
      const char* const begin = at_;
      if (!open(Collection::bare_sequence, column())) return false;
      add_start(Collection::bare_sequence, outer, begin, begin + 1);
      state = State::entry;
      return true;
    }
  }
  add_empty(empty, outer);
  state = State::after;
  return true;
}

/// A node at a token deeper than the collection that it belongs to.
bool YamlScanner::block_node(Properties& outer, bool& fresh, State& state) {
  if (fresh && is_at_entry()) {
    if (!open(Collection::sequence, column())) return false;
    add_start(Collection::sequence, outer, at_, at_);
    state = State::entry;
    return true;
  }
  Properties own;
  if (!node_properties(own)) return false;
  if (own && (is(*at_, kLineEnd) || *at_ == '#')) {
    // They belong to what stands below.
    if (outer) return false;
    outer = own;
    fresh = false;
    skip(fresh);
    state = State::node;
    return true;
  }
  state = State::after;
  const bool has_two = outer && own;
  const Properties& properties = outer ? outer : own;
  Leaf node;
  if (*at_ == '[' || *at_ == '{') {
    if (has_two || !flow_collection(properties)) return false;
  } else if (*at_ == '|' || *at_ == '>') {
    if (has_two || !block_scalar(node)) return false;
    add_leaf(node, properties);
    fresh = true;
    skip(fresh);
    return true;
  } else {
    if (!leaf<false>(node, own)) return false;
    if (*at_ == ':') {
      const char* const begin = own ? own.begin : node.begin;
      if (!fresh || !open(Collection::mapping, begin - line_)) return false;
      add_start(Collection::mapping, outer, begin, begin);
      state = State::value;
      return block_key(node, own);
    }
    if (has_two || (node.is_alias && properties)) return false;
    add_leaf(node, properties);
  }
  // Nothing may follow in the line.
  fresh = false;
  skip(fresh);
  return fresh || at_ == end_;
}

/// A key that was read, at its `:`.
bool YamlScanner::block_key(const Leaf& leaf, const Properties& properties) {
  const char* const begin = properties ? properties.begin : leaf.begin;
  if (leaf.has_breaks || *at_ != ':' || !is_blank_or_end(at_[1]) || at_ - begin > kLongestKey) return false;
  add_leaf(leaf, properties);
  ++at_;
  return true;
}

/// Closes what ends before the token, and goes on with the innermost collection that does not. `depth_` is 0 at the end
/// of the document.
bool YamlScanner::after_node(State& state) {
  const bool is_end = is_at_end();
  const std::ptrdiff_t token = is_end ? -1 : column();
  while (depth_ != 0 && indent() > token) close();
  if (depth_ == 0) return is_end;
  if (indent() != token) return false;
  if (is_at_entry()) {
    state = State::entry;
    return !is_in(Collection::mapping);
  }
  if (is_in(Collection::sequence)) return false;
  if (is_in(Collection::bare_sequence)) close();
  Properties properties;
  Leaf key;
  state = State::value;
  return node_properties(properties) && leaf<false>(key, properties) && block_key(key, properties);
}

// ---- Flow collections

bool YamlScanner::open_flow(const Properties& properties) {
  const Collection collection = *at_ == '{' ? Collection::flow_mapping : Collection::flow_sequence;
  if (!open(collection, indent())) return false;
  add_start(collection, properties, at_, at_ + 1);
  ++at_;
  return true;
}

bool YamlScanner::flow_collection(const Properties& properties) {
  const std::size_t base = depth_;
  if (!open_flow(properties)) return false;
  while (!tape_.is_full()) {
    // Behind `[`, `{` or `,`.
    if (!skip_in_flow()) return false;
    if (*at_ != closing()) {
      bool has_opened = false;
      if (!flow_entry(has_opened)) return false;
      if (has_opened) continue;
    }
    // Behind a node.
    for (;;) {
      if (!skip_in_flow()) return false;
      if (is_in(Collection::flow_pair)) {
        add(Kind::mapping_end, at_, at_);
        --depth_;
      }
      if (*at_ == ',') {
        ++at_;
        break;
      }
      if (*at_ != closing()) return false;
      add(is_in(Collection::flow_mapping) ? Kind::mapping_end : Kind::sequence_end, at_, at_ + 1);
      ++at_;
      if (--depth_ == base) return true;
    }
  }
  return false;
}

bool YamlScanner::flow_entry(bool& has_opened) {
  Properties properties;
  if (!node_properties(properties)) return false;
  if (*at_ == '[' || *at_ == '{') {
    has_opened = true;
    return !is_in(Collection::flow_mapping) && open_flow(properties);
  }
  Leaf entry;
  if (!leaf<true>(entry, properties)) return false;
  if (*at_ == ':') {
    const char* const begin = properties ? properties.begin : entry.begin;
    if (entry.has_breaks || at_ - begin > kLongestKey) return false;
    if (is_in(Collection::flow_sequence)) {
      if (!open(Collection::flow_pair, indent())) return false;
      add_start(Collection::flow_pair, {}, begin, begin);
    }
    add_leaf(entry, properties);
    ++at_;
    return flow_value(has_opened);
  }
  add_leaf(entry, properties);
  if (!is_in(Collection::flow_mapping)) return true;
  if (!skip_in_flow()) return false;
  add_empty(at_, {});
  return true;
}

bool YamlScanner::flow_value(bool& has_opened) {
  if (!skip_in_flow()) return false;
  if (*at_ == ',' || *at_ == closing()) {
    add_empty(at_, {});
    return true;
  }
  Properties properties;
  if (!node_properties(properties)) return false;
  if (*at_ == '[' || *at_ == '{') {
    has_opened = true;
    return open_flow(properties);
  }
  Leaf value;
  if (!leaf<true>(value, properties)) return false;
  add_leaf(value, properties);
  return true;
}

// ---- Properties and leaves

/// The properties at `at_`, if there are any, and the blanks behind them.
bool YamlScanner::node_properties(Properties& properties) {
  return (*at_ != '&' && *at_ != '!') || read_properties(properties);
}

bool YamlScanner::read_properties(Properties& properties) {
  Text anchor;
  Text tag;
  bool tag_is_own = false;
  properties.begin = at_;
  while (*at_ == '&' || *at_ == '!') {
    if (*at_ == '!') {
      if (tag.length != 0 || !this->tag(tag, tag_is_own)) return false;
    } else {
      if (anchor.length != 0) return false;
      const char* const name = ++at_;
      while (is(*at_, kWord)) ++at_;
      anchor = source_text(name, at_);
      if (at_ == name || !is_blank_or_end(*at_)) return false;
    }
    properties.end = at_;
    skip_blanks();
  }
  tape_.add_properties(anchor, tag, tag_is_own);
  return true;
}

bool YamlScanner::tag(Text& tag, bool& is_own) {
  const char* const begin = at_++;
  is_own = *at_ == '!';
  if (is_own) ++at_;
  const char* const suffix = at_;
  while (is(*at_, kWord | kTagOnly)) ++at_;
  if (at_ == suffix || !is_blank_or_end(*at_)) return false;
  tag = source_text(begin, at_);
  if (!is_own) return true;
  std::string& own = tape_.own();
  const std::size_t from = own.size();
  own.append(kCoreTag).append(suffix, at_);
  tag = {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(own.size() - from)};
  return own.size() <= std::numeric_limits<std::uint32_t>::max();
}

/// The scalar or alias at `at_`, behind its properties, and the blanks behind it in its last line.
template <bool in_flow>
bool YamlScanner::leaf(Leaf& leaf, const Properties& properties) {
  leaf.begin = at_;
  if (begins_plain(at_, in_flow)) {
    if (!plain<in_flow>(leaf)) return false;
  } else if (*at_ == '"' || *at_ == '\'') {
    if (!quoted(leaf)) return false;
  } else {
    return *at_ == '*' && !properties && alias(leaf, in_flow);
  }
  skip_blanks();
  return true;
}

bool YamlScanner::alias(Leaf& leaf, bool in_flow) {
  leaf.is_alias = true;
  const char* const name = ++at_;
  while (is(*at_, kWord)) ++at_;
  leaf.end = at_;
  leaf.text = source_text(name, at_);
  if (at_ == name || !(is_blank_or_end(*at_) || (in_flow && (*at_ == ',' || *at_ == ']' || *at_ == '}')))) return false;
  skip_blanks();
  return true;
}

// ---- Quoted scalars

bool YamlScanner::quoted(Leaf& leaf) {
  const char quote = *at_;
  leaf.style = quote == '"' ? Style::double_quoted : Style::single_quoted;
  const char* const first = ++at_;
  const char* const stop =
      quote == '"' ? find_first<'"', '\\', '\n'>(first, end_) : find_first<'\'', '\n'>(first, end_);
  if (stop == end_) return false;
  if (*stop != quote || (quote == '\'' && stop[1] == quote)) return quoted_lines(leaf, quote);
  leaf.text = source_text(first, stop);
  at_ = stop + 1;
  leaf.end = at_;
  return true;
}

// ---- Plain scalars

template <bool in_flow>
bool YamlScanner::plain(Leaf& leaf) {
  const char* const end = plain_end<in_flow>(at_);
  if (end == nullptr) return false;
  leaf.style = Style::plain;
  leaf.end = without_blanks(at_, end);
  leaf.text = source_text(at_, leaf.end);
  at_ = end;
  return *end != '\n' || plain_lines<in_flow>(leaf);
}

}  // namespace strata::text
