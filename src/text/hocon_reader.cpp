#include <fmt/format.h>

#include <utility>

#include "hocon_number.hpp"
#include "hocon_parser.hpp"
#include "hocon_resolver.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::text {
namespace {

using Kind = HoconNode::Kind;

/// Turns definitions without references into values.
class HoconBuilder {
 public:
  HoconBuilder(const Sources& sources, SourceId source, const Limits& limits, Arena& arena)
      : sources_(sources), source_(source), limits_(limits), arena_(arena) {}

  // Recursion: bounded by Limits::depth.
  Value build(const HoconNode* node, std::size_t depth) {
    ++nodes_;
    if (depth > limits_.depth)
      fail(node, "limit.depth", fmt::format("nested deeper than {} levels", limits_.depth), "raise the limit with --limit depth=LEVELS");
    if (nodes_ > limits_.aliases) {
      fail(node, "limit.aliases", fmt::format("with its substitutions written out, the text has more than {} nodes", limits_.aliases),
           "raise the limit with --limit aliases=NODES");
    }
    return build_bare(node, depth).with_origin(at(node->offset));
  }

  [[nodiscard]] std::size_t nodes() const noexcept { return nodes_; }

 private:
  [[nodiscard]] Origin at(std::size_t offset) const { return sources_.at(source_, offset); }

  [[noreturn]] void fail(const HoconNode* node, const char* code, std::string message, const char* hint) const {
    throw Error(code, std::move(message)).at(sources_, at(node->offset)).hint(hint);
  }

  Value build_bare(const HoconNode* node, std::size_t depth) {
    switch (node->kind) {
      case Kind::boolean:
        return Value::boolean(node->text == "true");
      case Kind::number:
        return build_number(node);
      case Kind::text:
        // A long text that is used often takes as much as many nodes.
        nodes_ += node->text.size() / 16;
        return arena_.text(node->text);
      case Kind::list: {
        const Value sequence = arena_.sequence(node->items.size());
        for (const HoconNode* item : node->items) arena_.append(sequence, build(item, depth + 1));
        return sequence;
      }
      case Kind::object: {
        const Value mapping = arena_.mapping(KeyEquality::exact, node->fields.size());
        for (const HoconField& field : node->fields)
          arena_.insert(mapping, arena_.key(field.key).with_origin(at(field.offset)), build(field.value, depth + 1));
        return mapping;
      }
      default:
        return Value::null();
    }
  }

  Value build_number(const HoconNode* node) {
    const std::optional<Value> number = read_hocon_number(node->text, arena_);
    if (!number) fail(node, "hocon.number", "a number beyond all floating-point numbers", "quote it if it is text");
    return *number;
  }

  const Sources& sources_;
  SourceId source_;
  const Limits& limits_;
  Arena& arena_;
  std::size_t nodes_ = 0;
};

}  // namespace

Document read_hocon(Sources& sources, SourceId source, const Limits& limits, std::shared_ptr<Arena> arena, const HoconVariables& variables) {
  const std::string_view text = sources.text(source);
  const Origin start = sources.at(source, 0);
  if (text.size() > limits.input) {
    throw Error("limit.input", fmt::format("the text has {} bytes, more than the limit of {}", text.size(), limits.input))
        .at(sources, start)
        .hint("raise it with --limit input=BYTES");
  }
  if (const std::size_t bad = find_invalid_utf8(text); bad != std::string_view::npos)
    throw Error("hocon.encoding", fmt::format("bytes that are not UTF-8 (byte {} of the text)", bad)).at(sources, sources.at(source, bad));
  if (arena == nullptr) arena = std::make_shared<Arena>(text.size() * 2);
  HoconGraph graph;
  HoconNode* const root = HoconParser(sources, source, limits, graph).parse();
  HoconBuilder builder(sources, source, limits, *arena);
  const Value value = builder.build(HoconResolver(sources, source, limits, graph, root, variables).resolve(), 1);
  return {.arena = arena, .root = value, .source = source, .origin = start, .nodes = builder.nodes()};
}

}  // namespace strata::text
