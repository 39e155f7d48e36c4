// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/secret_keys.hpp"
#include "strata/stack.hpp"
#include "strata/text.hpp"
#include "text/hocon/number.hpp"
#include "text/hocon/parser.hpp"
#include "text/hocon/resolver.hpp"
#include "text/repeated_keys.hpp"
#include "value/metered.hpp"

namespace strata::text {
namespace {

/// Marks scalars by the names of what holds them, before substitutions use them.
class SecretMarker {
 public:
  explicit SecretMarker(const SecretKeys& keys) : keys_(keys) {}

  // Recursion: bounded by Limits::depth, which the parser keeps.
  void mark(HoconNode* node, bool is_secret) {
    if (!seen_.emplace(node, is_secret).second) return;
    if (!node->is_container() && !node->is_pending()) node->is_secret = node->is_secret || is_secret;
    for (HoconNode* item : node->items) mark(item, is_secret);
    for (const HoconField& field : node->fields) mark(field.value, is_secret || keys_.has(field.key));
  }

 private:
  const SecretKeys& keys_;
  std::set<std::pair<const HoconNode*, bool>> seen_;
};

/// Turns definitions without references into values.
class HoconBuilder {
 public:
  HoconBuilder(const Sources& sources, SourceId source, const Limits& limits, Arena& arena)
      : sources_(sources), source_(source), limits_(limits), arena_(arena) {}

  /// What a definition came to. What is used in several places is built once.
  struct Built {
    Value value;
    std::size_t nodes = 1;   ///< Written out.
    std::size_t height = 1;  ///< Levels of containers.
  };

  // Recursion: bounded by Limits::depth.
  Built build(const HoconNode* node, std::size_t depth) {
    const auto known = built_.find(node);
    Built made = known != built_.end() ? known->second : build_anew(node, depth);
    if (depth + made.height - 1 > limits_.depth)
      fail(node, "limit.depth", fmt::format("nested deeper than {} levels", limits_.depth),
           "raise the limit with --limit depth=LEVELS");
    if (made.nodes > limits_.aliases) {
      fail(node, "limit.aliases",
           fmt::format("with its substitutions written out, the text has more than {} nodes", limits_.aliases),
           "raise the limit with --limit aliases=NODES");
    }
    if (known == built_.end()) {
      made.value = made.value.with_origin(at(node->offset)).with_secret(made.value.is_secret() || node->is_secret);
      if (node->is_container()) built_.emplace(node, made);
    }
    return made;
  }

 private:
  [[nodiscard]] Origin at(std::size_t offset) const { return sources_.at(source_, offset); }

  [[noreturn]] void fail(const HoconNode* node, const char* code, std::string message, const char* hint) const {
    throw Error(code, std::move(message)).at(sources_, at(node->offset)).hint(hint);
  }

  Built build_anew(const HoconNode* node, std::size_t depth) {
    if (depth > limits_.depth) return {.value = {}, .nodes = 1, .height = 1};  // `build` refuses it.
    check_stack(limits_);
    switch (node->kind) {
      case HoconNodeKind::boolean:
        return {.value = Value::boolean(node->text == "true"), .nodes = 1, .height = 1};
      case HoconNodeKind::number:
        return {.value = build_number(node), .nodes = 1, .height = 1};
      case HoconNodeKind::text:
        return {.value = arena_.text(node->text), .nodes = 1, .height = 1};
      case HoconNodeKind::list:
      case HoconNodeKind::object:
        return build_container(node, depth);
      default:
        return {.value = Value::null(), .nodes = 1, .height = 1};
    }
  }

  Built build_container(const HoconNode* node, std::size_t depth) {
    Built made;
    const auto count = [this, &made, depth](const HoconNode* member) {
      const Built built = build(member, depth + 1);
      made.nodes += built.nodes;
      made.height = std::max(made.height, built.height + 1);
      return built.value;
    };
    if (node->kind == HoconNodeKind::list) {
      SequenceBuilder items(arena_, node->items.size());
      for (const HoconNode* item : node->items) items.append(count(item));
      made.value = items.finish();
      return made;
    }
    MappingBuilder fields(arena_, KeyEquality::exact, node->fields.size());
    for (const HoconField& field : node->fields) {
      const Value value = count(field.value);
      const bool is_secret = limits_.secret_keys != nullptr && limits_.secret_keys->has(field.key);
      fields.insert(arena_.key(field.key).with_origin(at(field.offset)),
                    is_secret ? with_secrets(arena_, value) : value);
    }
    made.value = fields.finish();
    return made;
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
  std::unordered_map<const HoconNode*, Built> built_;
};

}  // namespace

Document read_hocon(Sources& sources, SourceId source, const Limits& limits, std::shared_ptr<Arena> arena,
                    const HoconVariables& variables) {
  const std::string_view text = sources.text(source);
  const Origin start = sources.at(source, 0);
  if (text.size() > limits.input) {
    throw Error("limit.input",
                fmt::format("the text has {} bytes, more than the limit of {}", text.size(), limits.input))
        .at(sources, start)
        .hint("raise it with --limit input=BYTES");
  }
  if (const std::size_t bad = find_invalid_utf8(text); bad != std::string_view::npos)
    throw Error("hocon.encoding", fmt::format("bytes that are not UTF-8 (byte {} of the text)", bad))
        .at(sources, sources.at(source, bad));
  if (arena == nullptr) arena = std::make_shared<Arena>(text.size() * 2);
  const Metered metered(*arena, limits.stop);
  HoconGraph graph;
  graph.secret_keys = limits.secret_keys.get();
  HoconNode* const root = HoconParser(sources, source, limits, graph).parse();
  if (limits.secret_keys != nullptr) SecretMarker(*limits.secret_keys).mark(root, false);
  HoconBuilder builder(sources, source, limits, *arena);
  const HoconBuilder::Built built =
      builder.build(HoconResolver(sources, source, limits, graph, root, variables).resolve(), 1);
  std::vector<RepeatedKey> repeated_keys;
  for (const HoconGraph::Repeated& key : graph.repeated) {
    const bool is_shown = !key.is_secret && !sources.is_secret(source);
    repeated_keys.push_back({.name = is_shown ? shown_key(key.key) : std::string(),
                             .earlier = sources.at(source, key.earlier),
                             .later = sources.at(source, key.later)});
  }
  return {.arena = arena,
          .root = built.value,
          .source = source,
          .origin = start,
          .nodes = built.nodes,
          .repeated_keys = std::move(repeated_keys)};
}

}  // namespace strata::text
