// SPDX-License-Identifier: Apache-2.0
#include "text/hocon/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "strata/error.hpp"
#include "strata/stack.hpp"

namespace strata::text {
namespace {

std::string describe_token(const HoconToken& token) {
  switch (token.kind) {
    case HoconTokenKind::end:
      return "the end of the text";
    case HoconTokenKind::newline:
      return "the end of the line";
    case HoconTokenKind::comma:
      return "','";
    case HoconTokenKind::colon:
      return "':'";
    case HoconTokenKind::equals:
      return "'='";
    case HoconTokenKind::plus_equals:
      return "'+='";
    case HoconTokenKind::open_curly:
      return "'{'";
    case HoconTokenKind::close_curly:
      return "'}'";
    case HoconTokenKind::open_square:
      return "'['";
    case HoconTokenKind::close_square:
      return "']'";
    case HoconTokenKind::substitution:
      return "a substitution";
    default:
      return "a key or text";
  }
}

HoconNodeKind node_kind(const HoconToken& token) noexcept {
  if (token.kind == HoconTokenKind::number) return HoconNodeKind::number;
  if (token.kind != HoconTokenKind::word) return HoconNodeKind::text;
  return token.text == "null" ? HoconNodeKind::null : HoconNodeKind::boolean;
}

}  // namespace

HoconParser::HoconParser(const Sources& sources, SourceId source, const Limits& limits, HoconGraph& graph)
    : sources_(sources), source_(source), limits_(limits), graph_(graph), scanner_(sources, source) {}

HoconNode* HoconParser::parse() {
  HoconToken first = take_beyond_lines();
  if (first.kind == HoconTokenKind::open_square)
    throw Error("hocon.root", "the text is a list, not a mapping").at(sources_, sources_.at(source_, first.offset));
  if (first.kind != HoconTokenKind::open_curly) {
    put_back(std::move(first));
    return parse_object(false, 0, 1);
  }
  HoconNode* const root = parse_object(true, first.offset, 1);
  if (const HoconToken rest = take_beyond_lines(); rest.kind != HoconTokenKind::end)
    unexpected(rest, "the end of the text after the closing '}'");
  return root;
}

HoconToken HoconParser::take() {
  if (waiting_.empty()) return scanner_.next();
  HoconToken token = std::move(waiting_.back());
  waiting_.pop_back();
  return token;
}

HoconToken HoconParser::take_beyond_lines() {
  for (;;) {
    HoconToken token = take();
    if (token.kind != HoconTokenKind::newline) return token;
  }
}

void HoconParser::check(std::size_t depth, std::size_t offset) const {
  const auto fail = [&](const char* code, std::string message, const char* hint) {
    throw Error(code, std::move(message)).at(sources_, sources_.at(source_, offset)).hint(hint);
  };
  if (depth > limits_.depth)
    fail("limit.depth", fmt::format("nested deeper than {} levels", limits_.depth),
         "raise the limit with --limit depth=LEVELS");
  check_stack(limits_);
  if (graph_.work > limits_.steps)
    fail("limit.steps", fmt::format("the text takes more than {} steps", limits_.steps),
         "raise the limit with --limit steps=NUMBER");
}

void HoconParser::unexpected(const HoconToken& token, const char* expected) const {
  scanner_.fail(token.offset, fmt::format("expected {}, not {}", expected, describe_token(token)));
}

void HoconParser::refuse_include(std::size_t offset) {
  const HoconToken what = take_beyond_lines();
  if (what.kind != HoconTokenKind::quoted && what.kind != HoconTokenKind::unquoted)
    unexpected(what, "a quoted file name after 'include'");
  throw Error("hocon.include", "a HOCON file of configuration data cannot include others")
      .at(sources_, sources_.at(source_, offset))
      .hint("name the other file in the hierarchy; a key of this name is written in quotes");
}

HoconParser::Separator HoconParser::skip_separator() {
  Separator seen = Separator::none;
  for (;;) {
    HoconToken token = take();
    if (token.kind == HoconTokenKind::comma) return Separator::found;
    if (token.kind != HoconTokenKind::newline) {
      put_back(std::move(token));
      return seen;
    }
    seen = Separator::found;
  }
}

HoconNode* HoconParser::parse_object(bool braces, std::size_t offset, std::size_t depth) {
  check(depth, offset);
  HoconNode* const object = graph_.make(HoconNodeKind::object, offset);
  const HoconTokenKind closing = braces ? HoconTokenKind::close_curly : HoconTokenKind::end;
  for (;;) {
    HoconToken token = take_beyond_lines();
    if (token.kind == closing) return object;
    if (token.kind == HoconTokenKind::unquoted && token.text == "include") refuse_include(token.offset);
    parse_field(object, std::move(token), depth);
    if (skip_separator() == Separator::found) continue;
    token = take_beyond_lines();
    if (token.kind == closing) return object;
    if (token.kind == HoconTokenKind::colon || token.kind == HoconTokenKind::equals)
      scanner_.fail(token.offset, fmt::format("expected a comma or the end of the line, not {}", describe_token(token)),
                    "put texts with such characters in double quotes");
    unexpected(token, braces ? "a comma, a line end or '}'" : "a comma or a line end");
  }
}

void HoconParser::parse_field(HoconNode* object, HoconToken first, std::size_t depth) {
  const std::size_t offset = first.offset;
  const Path path = parse_key(std::move(first));
  const std::size_t outer = position_.size();
  position_.insert(position_.end(), path.begin(), path.end());
  HoconToken separator = take_beyond_lines();
  HoconNode* value = nullptr;
  bool adds = false;
  const std::size_t inner = depth + path.size() - 1;
  check(inner, offset);
  if (separator.kind == HoconTokenKind::open_curly) {
    value = parse_value(separator, inner);
  } else {
    adds = separator.kind == HoconTokenKind::plus_equals;
    if (!adds && separator.kind != HoconTokenKind::colon && separator.kind != HoconTokenKind::equals)
      unexpected(separator, "'=', ':', '+=' or '{' after a key");
    if (adds && lists_ != 0) scanner_.fail(separator.offset, "'+=' does not work inside of a list");
    if (adds) ++lists_;
    HoconToken begin = take_beyond_lines();
    value = parse_values(begin, inner);
    if (value == nullptr) unexpected(begin, "a value");
    if (adds) {
      --lists_;
      value = appended(object, path, value);
    }
  }
  const auto is_secret = [this](std::string_view name) { return graph_.secret_keys->has(name); };
  graph_.secret_levels =
      graph_.secret_keys != nullptr && std::any_of(position_.begin(), position_.end() - 1, is_secret) ? 1 : 0;
  graph_.notes_repeated = !adds;
  position_.resize(outer);
  // For a.b the value is { b: value }.
  for (std::size_t i = path.size() - 1; i > 0; --i) {
    HoconNode* const under = graph_.make(HoconNodeKind::object, value->offset);
    graph_.set_field(under, path[i], offset, value);
    value = under;
  }
  graph_.set_field(object, path.front(), offset, value);
  graph_.notes_repeated = false;
}

/// `+=`: the list that was there, if any, and the value behind it. Where it is known, it grows at once, as a long row
/// of `+=` would be a deep stack.
HoconNode* HoconParser::appended(HoconNode* object, const Path& path, HoconNode* value) {
  HoconNode* const list = graph_.make(HoconNodeKind::list, value->offset);
  list->items.push_back(value);
  list->open = value->open;
  HoconNode* existing = value->open ? nullptr : object;
  for (std::size_t i = 0; existing != nullptr && i < path.size(); ++i) {
    const HoconField* const field = existing->kind == HoconNodeKind::object ? graph_.find(existing, path[i]) : nullptr;
    existing = field != nullptr ? field->value : nullptr;
  }
  if (existing != nullptr) {
    if (HoconNode* const grown = graph_.append(existing, list, position_)) return grown;
  }
  HoconNode* const before = graph_.make(HoconNodeKind::reference, value->offset);
  before->optional = true;
  before->path = position_;
  const HoconNode* misfit = nullptr;
  return graph_.concatenate({before, list}, misfit);
}

HoconNode* HoconParser::parse_list(std::size_t offset, std::size_t depth) {
  check(depth, offset);
  ++lists_;
  HoconNode* const list = graph_.make(HoconNodeKind::list, offset);
  for (bool first = true;; first = false) {
    HoconToken token = take_beyond_lines();
    // One comma may follow the last item.
    if (token.kind == HoconTokenKind::close_square) break;
    HoconNode* const item = parse_values(token, depth);
    if (item == nullptr) unexpected(token, first ? "']' or an item" : "an item after the comma");
    list->items.push_back(item);
    list->open = list->open || item->open;
    if (skip_separator() == Separator::found) continue;
    token = take_beyond_lines();
    if (token.kind == HoconTokenKind::close_square) break;
    unexpected(token, "']' or a comma");
  }
  --lists_;
  return list;
}

HoconNode* HoconParser::parse_values(HoconToken first, std::size_t depth) {
  std::vector<HoconNode*> pieces;
  HoconToken token = std::move(first);
  while (token.is_simple() || token.kind == HoconTokenKind::open_curly || token.kind == HoconTokenKind::open_square) {
    pieces.push_back(parse_value(token, depth));
    token = take();
  }
  if (pieces.empty()) return nullptr;
  put_back(std::move(token));
  const HoconNode* misfit = nullptr;
  HoconNode* const value = graph_.concatenate(pieces, misfit);
  if (misfit != nullptr) scanner_.fail(misfit->offset, "a list or mapping next to a value of another kind");
  return value;
}

HoconNode* HoconParser::parse_value(const HoconToken& token, std::size_t depth) {
  if (token.kind == HoconTokenKind::open_curly) return parse_object(true, token.offset, depth + 1);
  if (token.kind == HoconTokenKind::open_square) return parse_list(token.offset, depth + 1);
  check(depth, token.offset);
  if (token.kind == HoconTokenKind::substitution) {
    HoconNode* const reference = graph_.make(HoconNodeKind::reference, token.offset);
    reference->optional = token.optional;
    reference->path = parse_path(token.inner, token.offset);
    return reference;
  }
  HoconNode* const scalar = graph_.make(node_kind(token), token.offset);
  scalar->text = token.text;
  scalar->quoted = token.kind == HoconTokenKind::quoted;
  return scalar;
}

HoconParser::Path HoconParser::parse_key(HoconToken first) {
  if (!first.is_simple() || first.kind == HoconTokenKind::substitution) unexpected(first, "a key");
  const std::size_t offset = first.offset;
  std::vector<HoconToken> tokens;
  for (HoconToken token = std::move(first);; token = take()) {
    if (!token.is_simple() || token.kind == HoconTokenKind::substitution) {
      put_back(std::move(token));
      return parse_path(tokens, offset);
    }
    tokens.push_back(std::move(token));
  }
}

HoconParser::Path HoconParser::parse_path(const std::vector<HoconToken>& tokens, std::size_t offset) {
  Path path;
  std::string element;
  bool may_be_empty = false;
  const auto end_element = [&] {
    if (element.empty() && !may_be_empty)
      scanner_.fail(offset, "a path has an empty element", "write \"\" for a key that is empty");
    path.push_back(graph_.intern(std::exchange(element, {})));
    may_be_empty = false;
    ++graph_.work;
  };
  for (const HoconToken& token : tokens) {
    if (token.kind == HoconTokenKind::quoted) {
      may_be_empty = may_be_empty || element.empty();
      element += token.text;
      continue;
    }
    std::string_view text = token.text;
    for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
      element += text.substr(0, dot);
      end_element();
      text.remove_prefix(dot + 1);
    }
    element += text;
  }
  end_element();
  return path;
}

}  // namespace strata::text
