// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "deckhand/path/lexer.hpp"
#include "deckhand/path/plan.hpp"

namespace strata::deckhand::detail {
namespace {

/// How tightly an operator binds; all of them group from the left. A bracket binds less than all: it takes what is
/// before it as a whole.
enum class Binding : std::uint8_t { bracket, deep, child, either, intersect, where, where_not, atom };

Binding next_tighter(Binding binding) noexcept { return static_cast<Binding>(static_cast<std::uint8_t>(binding) + 1); }

Binding binding_of(const Token& token) noexcept {
  switch (token.type) {
    case Token::Type::double_dot:
      return Binding::deep;
    case Token::Type::where:
      return Binding::where;
    case Token::Type::where_not:
      return Binding::where_not;
    case Token::Type::symbol:
      return token.symbol == '.'   ? Binding::child
             : token.symbol == '|' ? Binding::either
             : token.symbol == '&' ? Binding::intersect
             : token.symbol == '[' ? Binding::bracket
                                   : Binding::atom;
    default:
      return Binding::atom;
  }
}

std::int64_t saturated(const std::string& digits) noexcept {
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (status == std::errc::result_out_of_range)
    return digits.front() == '-' ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  return number;
}

/// Recursive descent over the operators; what a path can ask of the stack is bounded here.
class Parser {
 public:
  Parser(std::string text, std::size_t implied) : lexer_(std::move(text), implied) { advance(); }

  Node parse() {
    Node node = expression(Binding::bracket);
    if (token_.type != Token::Type::end) unexpected();
    return node;
  }

 private:
  static constexpr std::size_t kDeepest = 100;
  static constexpr std::size_t kMostNodes = 2000;

  void advance() { token_ = lexer_.next(); }

  [[noreturn]] void unexpected() const {
    lexer_.fail(token_.at, token_.type == Token::Type::end ? "it is incomplete" : "this is not allowed here");
  }

  void take(char symbol) {
    if (!token_.is(symbol)) unexpected();
    advance();
  }

  Node make(NodeType type) {
    if (++nodes_ > kMostNodes) lexer_.fail(token_.at, fmt::format("it has more than {} steps", kMostNodes));
    return Node{.type = type};
  }

  // Recursion: bounded by kDeepest.
  Node expression(Binding least) {
    if (++depth_ > kDeepest) lexer_.fail(token_.at, fmt::format("it is nested deeper than {} levels", kDeepest));
    Node left = atom();
    for (;;) {
      const Binding binding = binding_of(token_);
      if (binding == Binding::atom || binding < least) break;
      if (binding == Binding::bracket) {
        left = append(std::move(left), brackets());
        continue;
      }
      advance();
      left = join(binding, std::move(left), expression(next_tighter(binding)));
    }
    --depth_;
    return left;
  }

  Node join(Binding binding, Node left, Node right) {
    if (binding == Binding::child) return append(std::move(left), std::move(right));
    if (binding == Binding::deep) {
      Node below = make(NodeType::deep);
      below.operands.push_back(std::move(right));
      return append(std::move(left), std::move(below));
    }
    Node node = make(binding == Binding::either      ? NodeType::either
                     : binding == Binding::intersect ? NodeType::intersect
                     : binding == Binding::where     ? NodeType::where
                                                     : NodeType::where_not);
    // A long row of the same operator is a deep tree.
    node.height = std::max(left.height, right.height) + 1;
    if (node.height > kDeepest) lexer_.fail(token_.at, fmt::format("it is nested deeper than {} levels", kDeepest));
    node.operands.push_back(std::move(left));
    node.operands.push_back(std::move(right));
    return node;
  }

  /// Rows of steps become one sequence, so that long paths are flat.
  Node append(Node left, Node right) {
    if (left.type != NodeType::sequence) {
      Node sequence = make(NodeType::sequence);
      sequence.height = left.height;
      sequence.operands.push_back(std::move(left));
      left = std::move(sequence);
    }
    left.height = std::max(left.height, right.height + 1);
    if (left.height > kDeepest) lexer_.fail(token_.at, fmt::format("it is nested deeper than {} levels", kDeepest));
    left.operands.push_back(std::move(right));
    return left;
  }

  Node atom() {
    switch (token_.type) {
      case Token::Type::name:
        return names();
      case Token::Type::number: {
        Node node = make(NodeType::fields);
        node.names.push_back(std::move(token_.text));
        advance();
        return node;
      }
      case Token::Type::named_operator: {
        const bool is_self = token_.text == "this";
        if (!is_self && token_.text != "parent")
          lexer_.fail(token_.at, fmt::format("there is no operator `{}`, only `this` and `parent`", token_.text));
        advance();
        return make(is_self ? NodeType::self : NodeType::parent);
      }
      case Token::Type::symbol:
        return symbol();
      default:
        unexpected();
    }
  }

  Node symbol() {
    switch (token_.symbol) {
      case '$':
        advance();
        return make(NodeType::root);
      case '*': {
        advance();
        Node node = make(NodeType::fields);
        node.all = true;
        return node;
      }
      case '(': {
        advance();
        Node node = expression(Binding::bracket);
        take(')');
        return node;
      }
      case '[':
        return brackets();
      default:
        unexpected();
    }
  }

  Node names() {
    Node node = make(NodeType::fields);
    for (;;) {
      if (token_.type != Token::Type::name) unexpected();
      // The reference cannot tell a quoted star from a bare one.
      node.all = node.all || token_.text == "*";
      node.names.push_back(std::move(token_.text));
      advance();
      if (!token_.is(',')) return node;
      advance();
    }
  }

  Node brackets() {
    take('[');
    Node node;
    if (token_.type == Token::Type::name) {
      node = names();
    } else if (token_.is('*')) {
      advance();
      node = make(NodeType::slice);
    } else {
      node = make(NodeType::indexes);
      std::optional<std::int64_t> first = number();
      if (token_.is(':')) {
        node.type = NodeType::slice;
        node.start = first;
        advance();
        node.stop = number();
        if (token_.is(':')) {
          advance();
          node.step = number();
        }
      } else {
        if (!first) unexpected();
        node.numbers.push_back(*first);
        while (token_.is(',')) {
          advance();
          if (!(first = number())) unexpected();
          node.numbers.push_back(*first);
        }
      }
    }
    take(']');
    return node;
  }

  std::optional<std::int64_t> number() {
    if (token_.type != Token::Type::number) return std::nullopt;
    const std::int64_t value = saturated(token_.text);
    advance();
    return value;
  }

  Lexer lexer_;
  Token token_;
  std::size_t depth_ = 0;
  std::size_t nodes_ = 0;
};

struct PathTraits {
  bool branches = false;
  bool fails = false;
  bool nests = false;
};

// Recursion: bounded by the parser.
void look_at(const Node& node, PathTraits& traits) {
  switch (node.type) {
    case NodeType::fields:
      traits.branches = traits.branches || node.all || node.names.size() > 1;
      break;
    case NodeType::indexes:
      traits.branches = traits.branches || node.numbers.size() > 1;
      traits.fails = true;
      break;
    case NodeType::slice:
      traits.branches = true;
      traits.fails = traits.fails || node.step == 0;
      break;
    case NodeType::parent:
    case NodeType::intersect:
      traits.fails = true;
      traits.nests = true;
      break;
    case NodeType::deep:
      traits.branches = true;
      traits.nests = true;
      break;
    case NodeType::where:
    case NodeType::where_not:
    case NodeType::either:
      traits.branches = true;
      break;
    case NodeType::root:
    case NodeType::self:
    case NodeType::sequence:
      break;
  }
  for (const Node& operand : node.operands) look_at(operand, traits);
}

bool begins_key(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@'; }
bool continues_key(char c) noexcept { return begins_key(c) || (c >= '0' && c <= '9') || c == '-'; }

/// Nearly all paths are `.a.b.c`: those are read without a tree. False where it is another one.
bool read_keys(std::string_view text, std::vector<std::string>& keys) {
  if (text.starts_with('$')) text.remove_prefix(1);
  while (text.size() > 1 && text.front() == '.' && begins_key(text[1])) {
    const auto end = std::find_if_not(text.begin() + 1, text.end(), continues_key);
    keys.emplace_back(text.begin() + 1, end);
    if (keys.back() == "where" || keys.back() == "wherenot") return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  }
  return text.empty() && !keys.empty();
}

bool is_key(const Node& node) noexcept { return node.type == NodeType::fields && !node.all && node.names.size() == 1; }

}  // namespace

Plan parse_path(std::string_view text) {
  Plan plan{.text = std::string(text)};
  plan.is_simple = read_keys(text, plan.keys);
  if (plan.is_simple) return plan;
  plan.keys.clear();
  // A leading dot stands for the root, too.
  if (text.starts_with('.')) {
    plan.root = text == "." ? Node{.type = NodeType::root} : Parser("$" + plan.text, 1).parse();
  } else {
    plan.root = Parser(plan.text, 0).parse();
  }
  PathTraits traits;
  look_at(plan.root, traits);
  plan.may_fail_late = traits.branches && traits.fails;
  plan.may_nest = traits.nests;
  const std::vector<Node>& steps = plan.root.operands;
  if (plan.root.type == NodeType::root) {
    plan.is_simple = true;
  } else if (is_key(plan.root)) {
    plan.is_simple = true;
    plan.keys = plan.root.names;
  } else if (plan.root.type == NodeType::sequence && std::ranges::all_of(steps.begin() + 1, steps.end(), is_key) &&
             (steps.front().type == NodeType::root || is_key(steps.front()))) {
    plan.is_simple = true;
    for (const Node& step : steps) plan.keys.insert(plan.keys.end(), step.names.begin(), step.names.end());
  }
  return plan;
}

}  // namespace strata::deckhand::detail
