// SPDX-License-Identifier: Apache-2.0
// Scans the YAML that people write, several times faster than libyaml, with libyaml's events.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/yaml/event.hpp"
#include "text/yaml/tape.hpp"

namespace strata::text {

/// A text to events on a tape, a document at a time.
///
/// It gives exactly the events of libyaml 0.2.5, or none: what it does not know for certain (directives, complex keys,
/// errors, …) it leaves to libyaml. It has no errors of its own and knows no profile. Time is linear in the text,
/// memory in the largest document; nothing recurses. Rules: libyaml 0.2.5, scanner.c and parser.c, as
/// tests/text/yaml_scanner_test.cpp lists them.
class YamlScanner {
 public:
  /// `base` is added to the offsets of `text` in the events. The byte behind the text must be readable and zero. The
  /// text and the tape must outlive this; the tape is its own from the first document on.
  YamlScanner(std::string_view text, YamlTape& tape, std::size_t base = 0);

  /// Puts the next document on the tape, once it and the token behind it are scanned. The first call adds the start of
  /// the stream; behind the last document there is the end of the stream alone, again and again. Returns false, with no
  /// events, if libyaml must read this document and all behind it. Then all further calls do.
  bool next_document();

 private:
  using Kind = YamlEvent::Kind;
  using Style = YamlEvent::Style;
  using Text = YamlTape::Text;

  /// Where the properties of a node stand, which are on the tape.
  struct Properties {
    const char* begin = nullptr;  ///< Null: there are none.
    const char* end = nullptr;

    explicit operator bool() const { return begin != nullptr; }
  };
  /// A scalar or an alias, read up to where a `:` would make it a key.
  struct Leaf {
    const char* begin = nullptr;  ///< Of the scalar or alias, without properties.
    const char* end = nullptr;
    Text text;  ///< The name of an alias.
    Style style = Style::plain;
    bool is_own = false;  ///< The text is one of the tape's own.
    bool is_alias = false;
    bool has_breaks = false;  ///< It extends over several lines, so that it is no key.
  };
  enum class Collection : std::uint8_t {
    mapping,
    sequence,
    bare_sequence,  ///< A sequence at the column of the key that it belongs to.
    flow_sequence,
    flow_mapping,
    flow_pair,  ///< `a: b` in a flow sequence.
  };
  struct Level {
    Collection collection;
    std::ptrdiff_t column;  ///< Of block collections.
  };
  /// What comes next in block context.
  enum class State : std::uint8_t {
    node,   ///< A node, if a token stands deeper than the collection that expects it, or else an empty one.
    value,  ///< At the end of the `:` of a key.
    entry,  ///< At a `-`.
    after   ///< Behind a node, at a token in a new line or at the end.
  };

  // The functions that return bool return false if the text is not for this scanner.
  bool document();
  bool content(bool fresh);
  [[gnu::always_inline]] inline bool expected_node(Properties& outer, const char* empty, bool& fresh, State& state);
  [[gnu::always_inline]] inline bool block_node(Properties& outer, bool& fresh, State& state);
  [[gnu::always_inline]] inline bool after_node(State& state);
  [[gnu::always_inline]] inline bool block_key(const Leaf& leaf, const Properties& properties);
  bool flow_collection(const Properties& properties);
  bool open_flow(const Properties& properties);
  [[gnu::always_inline]] inline bool flow_entry(bool& has_opened);
  [[gnu::always_inline]] inline bool flow_value(bool& has_opened);
  [[gnu::always_inline]] inline bool node_properties(Properties& properties);
  bool read_properties(Properties& properties);
  bool tag(Text& tag, bool& is_own);
  template <bool in_flow>
  [[gnu::always_inline]] inline bool leaf(Leaf& leaf, const Properties& properties);
  bool alias(Leaf& leaf, bool in_flow);
  bool quoted(Leaf& leaf);
  bool quoted_lines(Leaf& leaf, char quote);
  bool quoted_run(char quote, bool& is_line_escaped);
  void quoted_breaks(bool is_line_escaped);
  void append_folded(std::size_t breaks);
  bool escape();
  template <bool in_flow>
  [[gnu::always_inline]] inline bool plain(Leaf& leaf);
  template <bool in_flow>
  bool plain_lines(Leaf& leaf);
  template <bool in_flow>
  [[nodiscard]] [[gnu::always_inline]] inline const char* plain_end(const char* from) const;
  bool block_scalar(Leaf& leaf);
  bool block_header(std::ptrdiff_t& indent, char& chomping);
  bool block_breaks(std::ptrdiff_t& indent, std::size_t& breaks, const char*& end);
  bool open(Collection collection, std::ptrdiff_t column);
  [[gnu::always_inline]] inline bool skip_in_flow();
  bool take_own(Leaf& leaf, std::size_t from);

  [[gnu::always_inline]] inline void skip(bool& fresh);
  void skip_blanks() {
    while (*at_ == ' ' || *at_ == '\t') ++at_;
  }
  void close();
  /// `---` or `...` in the first column.
  [[nodiscard]] static bool is_indicator(const char* at, char c);
  [[nodiscard]] static bool is_document_edge(const char* at) { return is_indicator(at, '-') || is_indicator(at, '.'); }
  /// At the end of the text or of the document.
  [[nodiscard]] bool is_at_end() const { return at_ == end_ || (at_ == line_ && is_document_edge(at_)); }
  [[nodiscard]] [[gnu::always_inline]] inline bool is_at_entry() const;
  [[nodiscard]] bool is_in(Collection collection) const { return levels_[depth_ - 1].collection == collection; }
  [[nodiscard]] char closing() const { return is_in(Collection::flow_mapping) ? '}' : ']'; }
  [[nodiscard]] std::ptrdiff_t column() const { return at_ - line_; }
  /// Of the innermost block collection; -1 outside of all.
  [[nodiscard]] std::ptrdiff_t indent() const { return depth_ == 0 ? -1 : levels_[depth_ - 1].column; }
  [[nodiscard]] std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - start_); }
  [[nodiscard]] Text source_text(const char* from, const char* to) const {
    return {offset(from), static_cast<std::uint32_t>(to - from)};
  }

  void add(Kind kind, const char* begin, const char* end, bool implicit = false);
  void add_start(Collection collection, const Properties& properties, const char* begin, const char* end);
  void add_empty(const char* at, const Properties& properties);
  [[gnu::always_inline]] inline void add_leaf(const Leaf& leaf, const Properties& properties);

  static constexpr std::size_t kMostLevels = 200;
  static constexpr std::ptrdiff_t kLongestKey = 1000;  ///< Bytes. libyaml's limit is 1,024 characters.

  YamlTape& tape_;
  const char* start_;
  const char* at_;
  const char* end_;
  const char* line_;  ///< The line of `at_` begins here.
  // Found while looking for a further line of a plain scalar: what comes behind its end.
  const char* known_end_ = nullptr;
  const char* known_line_ = nullptr;
  const char* known_token_ = nullptr;
  bool fresh_ = true;  ///< Between documents: a key may begin at `at_`.
  bool has_begun_ = false;
  bool has_document_ = false;
  bool has_bailed_ = false;
  std::size_t depth_ = 0;
  std::array<Level, kMostLevels> levels_;
};

}  // namespace strata::text
