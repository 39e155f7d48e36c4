// SPDX-License-Identifier: Apache-2.0
// Parses HOCON into definitions. Rule: the behaviour of the hocon gem 1.3.1, even if HOCON's specification differs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "strata/limits.hpp"
#include "text/hocon/node.hpp"
#include "text/hocon/scanner.hpp"

namespace strata::text {

/// One text's parser. Recursion: bounded by Limits::depth.
class HoconParser {
 public:
  HoconParser(const Sources& sources, SourceId source, const Limits& limits, HoconGraph& graph);

  /// The root object of the text. Errors: `hocon.*`, `limit.depth`, `limit.steps`.
  HoconNode* parse();

 private:
  using Path = std::vector<std::string_view>;
  enum class Separator : bool { none, found };

  HoconToken take();
  /// The next token that is not a line break.
  HoconToken take_beyond_lines();
  void put_back(HoconToken token) { waiting_.push_back(std::move(token)); }

  HoconNode* parse_object(bool braces, std::size_t offset, std::size_t depth);
  HoconNode* parse_list(std::size_t offset, std::size_t depth);
  void parse_field(HoconNode* object, HoconToken first, std::size_t depth);
  /// The adjacent values that begin with `first`. Null if no value begins there.
  HoconNode* parse_values(HoconToken first, std::size_t depth);
  HoconNode* parse_value(const HoconToken& token, std::size_t depth);
  Path parse_key(HoconToken first);
  Path parse_path(const std::vector<HoconToken>& tokens, std::size_t offset);
  HoconNode* appended(HoconNode* object, const Path& path, HoconNode* value);
  /// Consumes a comma, or the line breaks that replace one.
  Separator skip_separator();

  void check(std::size_t depth, std::size_t offset) const;
  [[noreturn]] void refuse_include(std::size_t offset);
  [[noreturn]] void unexpected(const HoconToken& token, const char* expected) const;

  const Sources& sources_;
  SourceId source_;
  const Limits& limits_;
  HoconGraph& graph_;
  HoconScanner scanner_;
  std::vector<HoconToken> waiting_;
  Path position_;          ///< The path of the current field from the root.
  std::size_t lists_ = 0;  ///< The number of open lists.
};

}  // namespace strata::text
