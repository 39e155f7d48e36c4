// Scans the YAML that people write, several times faster than libyaml, with libyaml's events.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/yaml/event.hpp"

namespace strata::text {

/// A text to events, a document at a time.
///
/// It gives exactly the events of libyaml 0.2.5, or none: what it does not know for certain (directives, complex keys, errors, …) it leaves to
/// libyaml. It has no errors of its own and knows no profile. Time is linear in the text, memory in the largest document; nothing recurses. Rules:
/// libyaml 0.2.5, scanner.c and parser.c, as tests/text/yaml_scanner_test.cpp lists them.
class YamlScanner {
 public:
  /// `base` is added to the offsets of `text` in the events. The byte behind the text must be readable and zero. The text must outlive this.
  explicit YamlScanner(std::string_view text, std::size_t base = 0);

  /// Scans the next document and the token behind it. The first call adds the start of the stream; behind the last document there is the end of the
  /// stream alone, again and again. Returns false, with no events, if libyaml must read this document and all behind it. Then all further calls do.
  bool next_document();
  /// The number of events of the last document.
  [[nodiscard]] std::size_t size() const noexcept { return tape_.size(); }
  /// An event of the last document. Its texts are valid until the next document.
  [[nodiscard]] YamlEvent event(std::size_t index) const;

 private:
  using Kind = YamlEvent::Kind;
  using Style = YamlEvent::Style;

  /// Bytes of the source, or of `scratch_`.
  struct Text {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
  };
  /// What stands before a node.
  struct Properties {
    const char* begin = nullptr;  ///< Null: there are none.
    const char* end = nullptr;
    Text anchor;
    Text tag;
    bool tag_is_scratch = false;

    explicit operator bool() const { return begin != nullptr; }
  };
  struct Scalar {
    Style style = Style::plain;
    bool is_scratch = false;
    bool has_breaks = false;  ///< It extends over several lines, so that it is no key.
    const char* begin = nullptr;
    const char* end = nullptr;
    Text text;
  };
  /// An event as it is kept.
  struct Entry {
    Kind kind;
    Style style;
    bool implicit;
    bool is_scratch;
    std::uint32_t begin;
    std::uint32_t end;
    Text text;                 ///< Of scalars; the name of an alias.
    std::uint32_t properties;  ///< 1 + the index in `properties_`; 0: none.
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
  /// A scalar or an alias, read up to where a `:` would make it a key.
  struct Leaf {
    Properties properties;
    Scalar scalar;
    bool is_alias = false;
    const char* begin = nullptr;  ///< Of the properties, or of the scalar.
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
  bool expected_node(Properties& outer, const char* empty, bool& fresh, State& state);
  bool block_node(Properties& outer, bool& fresh, State& state);
  bool after_node(State& state);
  bool block_key(const Leaf& leaf);
  bool flow_collection(const Properties& properties);
  bool open_flow(const Properties& properties);
  bool flow_entry(bool& has_opened);
  bool flow_value(bool& has_opened);
  bool node_properties(Properties& properties);
  bool tag(Properties& properties);
  bool leaf(Leaf& leaf, bool in_flow);
  bool alias(Leaf& leaf, bool in_flow);
  bool quoted(Scalar& scalar);
  bool quoted_lines(Scalar& scalar, char quote);
  bool quoted_run(char quote, bool& is_line_escaped);
  void quoted_breaks(bool is_line_escaped);
  void append_folded(std::size_t breaks);
  bool escape();
  bool plain(Scalar& scalar, bool in_flow);
  [[nodiscard]] const char* plain_end(const char* from, bool in_flow) const;
  bool block_scalar(Scalar& scalar);
  bool block_header(std::ptrdiff_t& indent, char& chomping);
  bool block_breaks(std::ptrdiff_t& indent, std::size_t& breaks, const char*& end);
  bool open(Collection collection, std::ptrdiff_t column);
  bool skip_in_flow();
  bool take_scratch(Scalar& scalar, std::size_t from) const;

  void skip(bool& fresh);
  void skip_blanks();
  void close();
  /// `---` or `...` in the first column.
  [[nodiscard]] static bool is_indicator(const char* at, char c);
  [[nodiscard]] static bool is_document_edge(const char* at) { return is_indicator(at, '-') || is_indicator(at, '.'); }
  /// At the end of the text or of the document.
  [[nodiscard]] bool is_at_end() const { return at_ == end_ || (at_ == line_ && is_document_edge(at_)); }
  [[nodiscard]] bool is_at_entry() const;
  [[nodiscard]] bool is_in(Collection collection) const { return levels_[depth_ - 1].collection == collection; }
  [[nodiscard]] char closing() const { return is_in(Collection::flow_mapping) ? '}' : ']'; }
  [[nodiscard]] std::ptrdiff_t column() const { return at_ - line_; }
  /// Of the innermost block collection; -1 outside of all.
  [[nodiscard]] std::ptrdiff_t indent() const { return depth_ == 0 ? -1 : levels_[depth_ - 1].column; }
  [[nodiscard]] std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - start_); }
  [[nodiscard]] Text source_text(const char* from, const char* to) const { return {offset(from), static_cast<std::uint32_t>(to - from)}; }

  void add(Kind kind, const char* begin, const char* end, bool implicit = false);
  void add_start(Collection collection, const Properties& properties, const char* begin, const char* end);
  void add_scalar(const Scalar& scalar, const Properties& properties);
  void add_empty(const char* at, const Properties& properties);
  void add_leaf(const Leaf& leaf, const Properties& properties);

  static constexpr std::size_t kMostLevels = 200;
  static constexpr std::ptrdiff_t kLongestKey = 1000;  ///< Bytes. libyaml's limit is 1,024 characters.

  std::size_t base_;
  const char* start_;
  const char* at_;
  const char* end_;
  const char* line_;   ///< The line of `at_` begins here.
  bool fresh_ = true;  ///< Between documents: a key may begin at `at_`.
  bool has_begun_ = false;
  bool has_document_ = false;
  bool has_bailed_ = false;
  std::size_t depth_ = 0;
  std::array<Level, kMostLevels> levels_;
  std::vector<Entry> tape_;
  std::vector<Properties> properties_;
  std::string scratch_;
};

}  // namespace strata::text
