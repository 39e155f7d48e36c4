#include "text/yaml/scanner.hpp"

#include <algorithm>
#include <limits>

#include "strata/text.hpp"
#include "text/yaml/characters.hpp"

namespace strata::text {
namespace {

using yaml_characters::find_first;

constexpr std::size_t kLongestText = std::size_t{1} << 31U;
constexpr std::size_t kReservedEvents = std::size_t{1} << 16U;
constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// A blank, a line break, or the zero byte behind the text.
bool is_blank_or_end(char c) { return is_blank(c) || c == '\n' || c == '\0'; }

bool is_line_end(char c) { return c == '\n' || c == '\0'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A character of anchors and of the handles of tags.
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; }

/// A character of tags, without `!` and `%`.
bool is_tag(char c) {
  constexpr std::string_view kOthers = ";/?:@&=+$.~*'()";
  return is_word(c) || kOthers.find(c) != std::string_view::npos;
}

bool is_flow_indicator(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Whether the token at `at` is a plain scalar.
bool begins_plain(const char* at, bool in_flow) {
  switch (*at) {
    case '-':
      return !is_blank_or_end(at[1]);
    case '?':
    case ':':
      return !in_flow && !is_blank_or_end(at[1]);
    case '\0':
    case '\t':
    case '\n':
    case ' ':
    case ',':
    case '[':
    case ']':
    case '{':
    case '}':
    case '#':
    case '&':
    case '*':
    case '!':
    case '|':
    case '>':
    case '\'':
    case '"':
    case '%':
    case '@':
    case '`':
      return false;
    default:
      return true;
  }
}

/// The end of the text in [begin, end), whose last characters may be blanks.
const char* without_blanks(const char* begin, const char* end) {
  while (end != begin && is_blank(end[-1])) --end;
  return end;
}

}  // namespace

YamlScanner::YamlScanner(std::string_view text, std::size_t base)
    : base_(base), start_(text.data()), at_(start_), end_(start_ + text.size()), line_(start_) {}

bool YamlScanner::next_document() {
  tape_.clear();
  properties_.clear();
  scratch_.clear();
  depth_ = 0;
  if (has_bailed_) return false;
  if (!has_begun_) {
    has_begun_ = true;
    const std::string_view text(start_, static_cast<std::size_t>(end_ - start_));
    has_bailed_ = text.size() >= kLongestText || !yaml_characters::are_usual(text);
    // Measured: an event for each 9 bytes. What a larger document needs is found out on the way.
    tape_.reserve(std::min(text.size() / 8, kReservedEvents));
    if (!has_bailed_) add(Kind::stream_start, at_, at_);
  }
  if (!has_bailed_) has_bailed_ = !document();
  if (has_bailed_) tape_.clear();
  return !has_bailed_;
}

YamlEvent YamlScanner::event(std::size_t index) const {
  const auto view = [this](const Text& text, bool is_scratch) {
    return std::string_view((is_scratch ? scratch_.data() : start_) + text.offset, text.length);
  };
  const Entry& entry = tape_[index];
  YamlEvent event;
  event.kind = entry.kind;
  event.style = entry.style;
  event.implicit = entry.implicit;
  event.begin = base_ + entry.begin;
  event.end = base_ + entry.end;
  if (entry.properties != 0) {
    const Properties& properties = properties_[entry.properties - 1];
    event.has_properties = true;
    event.anchor = view(properties.anchor, false);
    event.tag = view(properties.tag, properties.tag_is_scratch);
  }
  if (entry.kind == Kind::scalar) {
    event.text = view(entry.text, entry.is_scratch);
    event.implicit = event.tag.empty() && entry.style == Style::plain;
    event.quoted_implicit = event.tag.empty() && entry.style != Style::plain;
  } else if (entry.kind == Kind::alias) {
    event.anchor = view(entry.text, false);
  } else if (entry.kind == Kind::sequence_start || entry.kind == Kind::mapping_start) {
    event.implicit = event.tag.empty();
  }
  return event;
}

// ---- Events

void YamlScanner::add(Kind kind, const char* begin, const char* end, bool implicit) {
  tape_.push_back({.kind = kind,
                   .style = Style::none,
                   .implicit = implicit,
                   .is_scratch = false,
                   .begin = offset(begin),
                   .end = offset(end),
                   .text = {},
                   .properties = 0});
}

void YamlScanner::add_start(Collection collection, const Properties& properties, const char* begin, const char* end) {
  const bool is_mapping = collection == Collection::mapping || collection == Collection::flow_mapping || collection == Collection::flow_pair;
  add(is_mapping ? Kind::mapping_start : Kind::sequence_start, properties ? properties.begin : begin, end);
  tape_.back().style = collection >= Collection::flow_sequence ? Style::flow : Style::block;
  if (!properties) return;
  properties_.push_back(properties);
  tape_.back().properties = static_cast<std::uint32_t>(properties_.size());
}

void YamlScanner::add_scalar(const Scalar& scalar, const Properties& properties) {
  add(Kind::scalar, properties ? properties.begin : scalar.begin, scalar.end);
  Entry& entry = tape_.back();
  entry.style = scalar.style;
  entry.is_scratch = scalar.is_scratch;
  entry.text = scalar.text;
  if (!properties) return;
  properties_.push_back(properties);
  entry.properties = static_cast<std::uint32_t>(properties_.size());
}

/// Properties alone are a node from the first to the end of the last one.
void YamlScanner::add_empty(const char* at, const Properties& properties) {
  Scalar empty;
  empty.begin = at;
  empty.end = properties ? properties.end : at;
  add_scalar(empty, properties);
}

void YamlScanner::add_leaf(const Leaf& leaf, const Properties& properties) {
  if (!leaf.is_alias) return add_scalar(leaf.scalar, properties);
  add(Kind::alias, leaf.scalar.begin, leaf.scalar.end);
  tape_.back().text = leaf.scalar.text;
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

void YamlScanner::skip_blanks() {
  while (is_blank(*at_)) ++at_;
}

/// To the next token in block context. `fresh`: a key or an entry may begin here, and a tab may not separate. A new line is fresh.
void YamlScanner::skip(bool& fresh) {
  for (;;) {
    while (*at_ == ' ' || (!fresh && *at_ == '\t')) ++at_;
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

bool YamlScanner::is_indicator(const char* at, char c) { return at[0] == c && at[1] == c && at[2] == c && is_blank_or_end(at[3]); }

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
  for (;;) {
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
  Leaf node;
  if (!node_properties(node.properties)) return false;
  if (node.properties && (is_line_end(*at_) || *at_ == '#')) {
    // They belong to what stands below.
    if (outer) return false;
    outer = node.properties;
    fresh = false;
    skip(fresh);
    state = State::node;
    return true;
  }
  state = State::after;
  const bool has_two = outer && node.properties;
  const Properties& properties = outer ? outer : node.properties;
  if (*at_ == '[' || *at_ == '{') {
    if (has_two || !flow_collection(properties)) return false;
  } else if (*at_ == '|' || *at_ == '>') {
    if (has_two || !block_scalar(node.scalar)) return false;
    add_scalar(node.scalar, properties);
    fresh = true;
    skip(fresh);
    return true;
  } else {
    if (!leaf(node, false)) return false;
    if (*at_ == ':') {
      if (!fresh || !open(Collection::mapping, node.begin - line_)) return false;
      add_start(Collection::mapping, outer, node.begin, node.begin);
      state = State::value;
      return block_key(node);
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
bool YamlScanner::block_key(const Leaf& leaf) {
  if (leaf.scalar.has_breaks || *at_ != ':' || !is_blank_or_end(at_[1]) || at_ - leaf.begin > kLongestKey) return false;
  add_leaf(leaf, leaf.properties);
  ++at_;
  return true;
}

/// Closes what ends before the token, and goes on with the innermost collection that does not. `depth_` is 0 at the end of the document.
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
  Leaf key;
  state = State::value;
  return node_properties(key.properties) && leaf(key, false) && block_key(key);
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
  for (;;) {
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
}

bool YamlScanner::flow_entry(bool& has_opened) {
  Leaf entry;
  if (!node_properties(entry.properties)) return false;
  if (*at_ == '[' || *at_ == '{') {
    has_opened = true;
    return !is_in(Collection::flow_mapping) && open_flow(entry.properties);
  }
  if (!leaf(entry, true)) return false;
  if (*at_ == ':') {
    if (entry.scalar.has_breaks || at_ - entry.begin > kLongestKey) return false;
    if (is_in(Collection::flow_sequence)) {
      if (!open(Collection::flow_pair, indent())) return false;
      add_start(Collection::flow_pair, {}, entry.begin, entry.begin);
    }
    add_leaf(entry, entry.properties);
    ++at_;
    return flow_value(has_opened);
  }
  add_leaf(entry, entry.properties);
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
  Leaf value;
  if (!node_properties(value.properties)) return false;
  if (*at_ == '[' || *at_ == '{') {
    has_opened = true;
    return open_flow(value.properties);
  }
  if (!leaf(value, true)) return false;
  add_leaf(value, value.properties);
  return true;
}

// ---- Properties and leaves

/// The properties at `at_`, if there are any, and the blanks behind them.
bool YamlScanner::node_properties(Properties& properties) {
  while (*at_ == '&' || *at_ == '!') {
    if (!properties) properties.begin = at_;
    if (*at_ == '!') {
      if (properties.tag.length != 0 || !tag(properties)) return false;
    } else {
      if (properties.anchor.length != 0) return false;
      const char* const name = ++at_;
      while (is_word(*at_)) ++at_;
      properties.anchor = source_text(name, at_);
      if (at_ == name || !is_blank_or_end(*at_)) return false;
    }
    properties.end = at_;
    skip_blanks();
  }
  return true;
}

bool YamlScanner::tag(Properties& properties) {
  const char* const begin = at_++;
  const bool is_core = *at_ == '!';
  if (is_core) ++at_;
  const char* const suffix = at_;
  while (is_tag(*at_)) ++at_;
  if (at_ == suffix || !is_blank_or_end(*at_)) return false;
  properties.tag = source_text(begin, at_);
  if (!is_core) return true;
  properties.tag_is_scratch = true;
  const std::size_t from = scratch_.size();
  scratch_.append(kCoreTag).append(suffix, at_);
  properties.tag = {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(scratch_.size() - from)};
  return scratch_.size() <= std::numeric_limits<std::uint32_t>::max();
}

/// The scalar or alias at `at_`, behind its properties, and the blanks behind it in its last line.
bool YamlScanner::leaf(Leaf& leaf, bool in_flow) {
  leaf.begin = leaf.properties ? leaf.properties.begin : at_;
  if (*at_ == '*') return alias(leaf, in_flow);
  if (*at_ == '"' || *at_ == '\'') {
    if (!quoted(leaf.scalar)) return false;
  } else if (!begins_plain(at_, in_flow) || !plain(leaf.scalar, in_flow)) {
    return false;
  }
  skip_blanks();
  return true;
}

bool YamlScanner::alias(Leaf& leaf, bool in_flow) {
  if (leaf.properties) return false;
  leaf.is_alias = true;
  leaf.scalar.begin = at_;
  const char* const name = ++at_;
  while (is_word(*at_)) ++at_;
  leaf.scalar.end = at_;
  leaf.scalar.text = source_text(name, at_);
  if (at_ == name || !(is_blank_or_end(*at_) || (in_flow && (*at_ == ',' || *at_ == ']' || *at_ == '}')))) return false;
  skip_blanks();
  return true;
}

/// The text of a scalar is what was added to the scratch.
bool YamlScanner::take_scratch(Scalar& scalar, std::size_t from) const {
  scalar.is_scratch = true;
  scalar.text = {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(scratch_.size() - from)};
  return scratch_.size() <= std::numeric_limits<std::uint32_t>::max();
}

// ---- Quoted scalars

bool YamlScanner::quoted(Scalar& scalar) {
  const char quote = *at_;
  scalar.style = quote == '"' ? Style::double_quoted : Style::single_quoted;
  scalar.begin = at_;
  const char* const first = ++at_;
  const char* const stop = quote == '"' ? find_first<'"', '\\', '\n'>(first, end_) : find_first<'\'', '\n'>(first, end_);
  if (stop == end_) return false;
  if (*stop != quote || (quote == '\'' && stop[1] == quote)) return quoted_lines(scalar, quote);
  scalar.text = source_text(first, stop);
  at_ = stop + 1;
  scalar.end = at_;
  return true;
}

/// With escapes or over several lines.
bool YamlScanner::quoted_lines(Scalar& scalar, char quote) {
  const std::size_t from = scratch_.size();
  const char* const first_line = line_;
  for (;;) {
    if (at_ == end_ || (at_ == line_ && is_document_edge(at_))) return false;
    bool is_line_escaped = false;
    if (!quoted_run(quote, is_line_escaped)) return false;
    if (*at_ == quote) break;
    quoted_breaks(is_line_escaped);
  }
  scalar.end = ++at_;
  scalar.has_breaks = line_ != first_line;
  return take_scratch(scalar, from);
}

/// Up to the quote or a line break. Blanks before a line break do not count, unless it is escaped.
bool YamlScanner::quoted_run(char quote, bool& is_line_escaped) {
  for (;;) {
    const char* const stop = quote == '"' ? find_first<'"', '\\', '\n'>(at_, end_) : find_first<'\'', '\n'>(at_, end_);
    if (stop == end_) return false;
    scratch_.append(at_, *stop == '\n' ? without_blanks(at_, stop) : stop);
    at_ = stop;
    if (*at_ == '\n') return true;
    if (*at_ == '\\') {
      if (at_[1] == '\n') {
        at_ += 2;
        line_ = at_;
        is_line_escaped = true;
        return true;
      }
      if (!escape()) return false;
    } else {
      if (quote == '"' || at_[1] != quote) return true;
      scratch_ += quote;
      at_ += 2;
    }
  }
}

/// Blanks and line breaks. Behind an escaped line break, all further ones are kept.
void YamlScanner::quoted_breaks(bool is_line_escaped) {
  std::size_t breaks = 0;
  for (skip_blanks(); *at_ == '\n'; skip_blanks()) {
    ++breaks;
    line_ = ++at_;
  }
  if (is_line_escaped) {
    scratch_.append(breaks, '\n');
  } else {
    append_folded(breaks);
  }
}

/// Line breaks between two lines: one is a blank.
void YamlScanner::append_folded(std::size_t breaks) {
  if (breaks == 1) {
    scratch_ += ' ';
  } else {
    scratch_.append(breaks - 1, '\n');
  }
}

bool YamlScanner::escape() {
  std::size_t digits = 0;
  switch (at_[1]) {
    case '0':
      scratch_ += '\0';
      break;
    case 'a':
      scratch_ += '\a';
      break;
    case 'b':
      scratch_ += '\b';
      break;
    case 't':
    case '\t':
      scratch_ += '\t';
      break;
    case 'n':
      scratch_ += '\n';
      break;
    case 'v':
      scratch_ += '\v';
      break;
    case 'f':
      scratch_ += '\f';
      break;
    case 'r':
      scratch_ += '\r';
      break;
    case 'e':
      scratch_ += '\x1B';
      break;
    case ' ':
    case '"':
    case '/':
    case '\\':
      scratch_ += at_[1];
      break;
    case 'N':
      append_utf8(scratch_, U'\u0085');
      break;
    case '_':
      append_utf8(scratch_, U'\u00A0');
      break;
    case 'L':
      append_utf8(scratch_, U'\u2028');
      break;
    case 'P':
      append_utf8(scratch_, U'\u2029');
      break;
    case 'x':
      digits = 2;
      break;
    case 'u':
      digits = 4;
      break;
    case 'U':
      digits = 8;
      break;
    default:
      return false;
  }
  at_ += 2;
  if (digits == 0) return true;
  std::uint32_t code = 0;
  for (std::size_t i = 0; i < digits; ++i, ++at_) {
    const int digit = hex_digit(*at_);
    if (digit < 0) return false;
    code = code << 4U | static_cast<std::uint32_t>(digit);
  }
  if ((code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return false;
  append_utf8(scratch_, code);
  return true;
}

// ---- Plain scalars

/// Where a plain scalar ends in its line: at the line's end, at `: `, at ` #`, in flow at an indicator. Null: a `:` that is not allowed.
const char* YamlScanner::plain_end(const char* from, bool in_flow) const {
  for (const char* at = from;; ++at) {
    at = in_flow ? find_first<'\n', ':', '#', ',', '[', ']', '{', '}'>(at, end_) : find_first<'\n', ':', '#'>(at, end_);
    if (at == end_) return at;
    if (*at == ':') {
      if (in_flow && (at[1] == '?' || is_flow_indicator(at[1]))) return nullptr;
      if (is_blank_or_end(at[1])) return at;
    } else if (*at != '#' || is_blank(at[-1])) {
      return at;
    }
  }
}

bool YamlScanner::plain(Scalar& scalar, bool in_flow) {
  const char* const begin = at_;
  const char* end = plain_end(begin, in_flow);
  if (end == nullptr) return false;
  scalar.style = Style::plain;
  scalar.begin = begin;
  scalar.end = without_blanks(begin, end);
  scalar.text = source_text(begin, scalar.end);
  at_ = end;
  const std::size_t from = scratch_.size();
  while (*end == '\n') {
    // The next line that is not empty.
    std::size_t breaks = 0;
    const char* line = end;
    const char* next = end;
    while (*next == '\n') {
      ++breaks;
      line = ++next;
      while (*next == ' ') ++next;
    }
    if (*next == '\t') return false;
    if (*next == '\0' || *next == '#' || (!in_flow && next - line <= indent())) break;
    if (next == line && is_document_edge(next)) break;
    end = plain_end(next, in_flow);
    if (end == nullptr) return false;
    if (end == next) break;
    if (!scalar.has_breaks) scratch_.append(begin, scalar.end);
    scalar.has_breaks = true;
    append_folded(breaks);
    scalar.end = without_blanks(next, end);
    scratch_.append(next, scalar.end);
    at_ = end;
    line_ = line;
  }
  return !scalar.has_breaks || take_scratch(scalar, from);
}

// ---- Block scalars

/// Behind `|` or `>`. `indent`: what a digit says; 0 for no digit.
bool YamlScanner::block_header(std::ptrdiff_t& indent, char& chomping) {
  const auto is_chomping = [](char c) { return c == '+' || c == '-'; };
  if (is_chomping(*at_)) chomping = *at_++;
  if (is_digit(*at_)) {
    if (*at_ == '0') return false;
    indent = std::max(this->indent(), std::ptrdiff_t{0}) + (*at_++ - '0');
    if (chomping == 0 && is_chomping(*at_)) chomping = *at_++;
  }
  skip_blanks();
  if (*at_ == '#') at_ = find_first<'\n'>(at_, end_);
  if (!is_line_end(*at_)) return false;
  if (*at_ == '\n') line_ = ++at_;
  return true;
}

bool YamlScanner::block_scalar(Scalar& scalar) {
  const bool is_folded = *at_ == '>';
  scalar.style = is_folded ? Style::folded : Style::literal;
  scalar.begin = at_++;
  std::ptrdiff_t indent = 0;
  char chomping = 0;
  if (!block_header(indent, chomping)) return false;
  const std::size_t from = scratch_.size();
  std::size_t breaks = 0;     // Of empty lines.
  bool has_break = false;     // The last line of text ends with one.
  bool begins_blank = false;  // The last line of text.
  if (!block_breaks(indent, breaks, scalar.end)) return false;
  while (column() == indent && at_ != end_) {
    const bool is_spaced = is_blank(*at_);
    if (is_folded && has_break && !begins_blank && !is_spaced) {
      if (breaks == 0) scratch_ += ' ';
    } else if (has_break) {
      scratch_ += '\n';
    }
    scratch_.append(breaks, '\n');
    breaks = 0;
    begins_blank = is_spaced;
    const char* const end = find_first<'\n'>(at_, end_);
    scratch_.append(at_, end);
    at_ = end;
    has_break = at_ != end_;
    if (has_break) line_ = ++at_;
    if (!block_breaks(indent, breaks, scalar.end)) return false;
  }
  if (chomping != '-' && has_break) scratch_ += '\n';
  if (chomping == '+') scratch_.append(breaks, '\n');
  return take_scratch(scalar, from);
}

/// Empty lines, and the indentation of the next one. Without an indentation yet: the widest of these lines. `end`: behind the last line break.
bool YamlScanner::block_breaks(std::ptrdiff_t& indent, std::size_t& breaks, const char*& end) {
  std::ptrdiff_t widest = 0;
  end = at_;
  for (;;) {
    while (*at_ == ' ' && (indent == 0 || column() < indent)) ++at_;
    widest = std::max(widest, column());
    if (*at_ == '\t' && (indent == 0 || column() < indent)) return false;
    if (*at_ != '\n') break;
    ++breaks;
    line_ = ++at_;
    end = at_;
  }
  if (indent == 0) indent = std::max({widest, this->indent() + 1, std::ptrdiff_t{1}});
  return true;
}

}  // namespace strata::text
