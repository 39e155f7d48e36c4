// SPDX-License-Identifier: Apache-2.0
// Queries of the exports of all nodes.
//
// A query needs the exports of every node, and a node's exports refer to its parameters. The index evaluates them once:
// for each node the classes are merged as usual, and then its exports alone are followed into its parameters, which
// stay unfollowed otherwise. An export that fails becomes an object in its place, because a query fails only for the
// exports that it names. Exports cannot depend on queries, so evaluating them needs no further query.
//
// All requests of a Snapshot share one index, if it is small; the first request makes it while the others wait. Its
// cost is that of all nodes, of a query afterwards one step for each node. Tested by tests/reclass/query_test.cpp.
#include "exports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <mutex>
#include <unordered_set>

#include "python/data.hpp"
#include "query.hpp"
#include "strata/builder.hpp"
#include "strata/stack.hpp"
#include "strata/stop.hpp"
#include "text/reference_text.hpp"
#include "text/regex/regex.hpp"
#include "value/lock_while_running.hpp"
#include "value/metered.hpp"

namespace strata::reclass {
namespace {

constexpr std::size_t kMostKept = std::size_t{16} << 20U;  ///< Bytes of an index that the Snapshot keeps.

/// The index of a Snapshot.
struct KeptIndex {
  std::timed_mutex making;
  std::shared_ptr<const ExportIndex> made;
};

/// All that exports depend on besides the files.
std::string name_of(const Settings& settings) {
  std::string out = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", settings.nodes, settings.classes,
                                static_cast<int>(settings.compat), settings.composes_node_names, settings.matches_paths,
                                settings.default_environment, settings.adds_automatic_parameters,
                                settings.optional_classes ? settings.optional_classes->pattern() : "");
  const Replacing& replacing = settings.replacing;
  out += fmt::format("\n{}{}{}{}{}{}{}", settings.groups_errors, replacing.null_over_any, replacing.scalar_over_mapping,
                     replacing.scalar_over_list, replacing.mapping_over_scalar, replacing.list_over_scalar,
                     replacing.constants_stay);
  for (const ClassMapping& one : settings.class_mappings)
    out += fmt::format("\n{}{} {}", one.is_glob ? '*' : '/', one.pattern->pattern(), fmt::join(one.classes, " "));
  return out;
}

/// A step in mappings.
const Value* member_of(const Value& value, std::string_view step) {
  return value.is_mapping() ? value.find(step) : nullptr;
}

/// The value of an export; null if the node has none. Sets `failure` to what failed on the way or below.
const Value* export_at(const NodeExports& node, std::string_view path, const Limits& limits, bool ignores_errors,
                       const FailedExport*& failure) {
  const Value* now = &node.exports;
  for (const std::string_view step : text::steps_of(path, {})) {
    now = member_of(*now, step);
    if (now == nullptr) return nullptr;
    if (node.has_failures && now->kind() == Kind::object) {
      const FailedExport* found = failure_in(*now, limits);
      if (found == nullptr || (ignores_errors && found->is_missing())) return nullptr;
      failure = found;
      return nullptr;
    }
  }
  if (node.has_failures) failure = failure_in(*now, limits, ignores_errors);
  return now;
}

/// The value without what failed.
// Recursion: bounded by the stack (check_stack).
Value without_failures(Arena& arena, const Value& value, const Limits& limits) {
  if (failure_in(value, limits) == nullptr) return value;
  check_stack(limits);
  if (value.is_sequence()) {
    SequenceBuilder out(arena);
    for (const Value& item : value.items()) {
      if (item.kind() != Kind::object || failure_in(item, limits) == nullptr)
        out.append(without_failures(arena, item, limits));
    }
    return out.finish();
  }
  MappingBuilder out(arena, KeyEquality::python);
  for (const Entry& entry : value.entries()) {
    if (entry.value.kind() != Kind::object || failure_in(entry.value, limits) == nullptr)
      out.insert(entry.key, without_failures(arena, entry.value, limits));
  }
  return out.finish();
}

/// The memory of all failures in a value.
// Recursion: bounded by the stack (check_stack).
std::size_t failure_bytes(const Value& value, const Limits& limits) {
  if (value.kind() == Kind::object) {
    const auto* found = dynamic_cast<const FailedExport*>(&value.as_object());
    return found == nullptr ? 0 : found->bytes();
  }
  std::size_t out = 0;
  if (!value.is_container()) return out;
  check_stack(limits);
  if (value.is_sequence()) {
    for (const Value& item : value.items()) out += failure_bytes(item, limits);
  } else {
    for (const Entry& entry : value.entries()) out += failure_bytes(entry.value, limits);
  }
  return out;
}

/// A query over an index.
class QueryRun {
 public:
  QueryRun(const Query& query, Arena& arena, const Sources& sources, const Limits& limits, Origin place)
      : query_(query), arena_(arena), sources_(sources), limits_(limits), place_(place) {}

  Value run(QueryScope& scope, const std::function<Value(const std::string&)>& own_value) {
    const bool has_all = query_.all_environments || scope.has_all_environments();
    if (!query_.lists_nodes && query_.path.empty()) throw error("its path names no export");
    std::vector<Value> wanted;
    for (const QueryTest& test : query_.tests) {
      Value value = test.is_of_self ? own_value(test.own_path) : test.value;
      if (!value || value.is_null()) throw error("a test compares an export with nothing");
      is_secret_ = is_secret_ || value.is_secret();
      wanted.push_back(value);
    }
    SequenceBuilder names(arena_);
    MappingBuilder values(arena_, KeyEquality::python);
    for (const ExportIndex::Node& node : scope.index().nodes()) {
      check_stop(limits_.stop);
      if (node.of.environment && !has_all && !python::equal(node.of.environment, scope.environment())) continue;
      if (node.of.failure) {
        if (!node.of.environment && scope.settings().ignores_failed_nodes && is_unreadable(*node.of.failure)) continue;
        throw failed(node, *node.of.failure);
      }
      if (!holds(node, wanted)) {
        if (!query_.lists_nodes) (void)value_of(node, query_.path);  // It is evaluated all the same.
      } else if (query_.lists_nodes) {
        names.append(arena_.text(node.name));
      } else if (const Value* value = value_of(node, query_.path)) {
        is_secret_ = is_secret_ || value->is_secret();
        values.insert(arena_.key(node.name), whole(node, *value));
      }
    }
    return (query_.lists_nodes ? names.finish() : values.finish()).with_origin(place_).with_secret(is_secret_);
  }

 private:
  [[nodiscard]] Error error(const std::string& why) const {
    return Error("reclass.query", fmt::format("the inventory query has no result: {}", why)).at(sources_, place_);
  }
  [[nodiscard]] Error failed(const ExportIndex::Node& node, const Error& why) const {
    return error(fmt::format("node '{}' fails: {}", node.name, why.diagnostic().message))
        .hint("+IgnoreErrors leaves out exports that refer to nothing");
  }
  static bool is_unreadable(const Error& error) { return error.diagnostic().code.starts_with("yaml."); }

  const Value* value_of(const ExportIndex::Node& node, std::string_view path) {
    const FailedExport* failure = nullptr;
    const Value* value = export_at(node.of, path, limits_, query_.ignores_errors, failure);
    if (failure != nullptr) throw failed(node, failure->error());
    return value;
  }

  /// An export without what is left out of it.
  Value whole(const ExportIndex::Node& node, const Value& value) {
    return node.of.has_failures ? without_failures(arena_, value, limits_) : value;
  }

  /// Whether the tests hold. All of them are evaluated, from left to right.
  bool holds(const ExportIndex::Node& node, const std::vector<Value>& wanted) {
    bool out = true;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const QueryTest& test = query_.tests[i];
      const Value* value = value_of(node, test.path);
      const bool is_met = value != nullptr && python::equal(whole(node, *value), wanted[i]) == test.is_equal;
      is_secret_ = is_secret_ || (value != nullptr && value->is_secret());
      out = i == 0 ? is_met : test.is_and ? out && is_met : out || is_met;
    }
    return out;
  }

  const Query& query_;
  Arena& arena_;
  const Sources& sources_;
  const Limits& limits_;
  Origin place_;
  bool is_secret_ = false;
};

}  // namespace

// Recursion: bounded by the stack (check_stack).
const FailedExport* failure_in(const Value& value, const Limits& limits, bool ignores_missing) {
  if (value.kind() == Kind::object) {
    const auto* found = dynamic_cast<const FailedExport*>(&value.as_object());
    return found != nullptr && ignores_missing && found->is_missing() ? nullptr : found;
  }
  if (!value.is_container()) return nullptr;
  check_stack(limits);
  check_stop(limits.stop);
  if (value.is_sequence()) {
    for (const Value& item : value.items()) {
      if (const FailedExport* found = failure_in(item, limits, ignores_missing)) return found;
    }
    return nullptr;
  }
  for (const Entry& entry : value.entries()) {
    if (const FailedExport* found = failure_in(entry.value, limits, ignores_missing)) return found;
  }
  return nullptr;
}

ExportIndex::ExportIndex(const Settings& settings, Session& session) {
  const Metered metered(arena_, session.limits().stop);
  Settings own = settings;
  own.share_nodes = true;  // Places in a file must live as long as the index.
  std::unordered_set<std::string> read;
  for (std::string& name : node_names(own, session)) {
    Session of_node(session, false);
    Node& node = nodes_.emplace_back(Node{.name = std::move(name), .of = {}});
    NodeExports found;
    std::vector<Origin> files;
    try {
      evaluate_exports(own, node.name, of_node, found, files);
      node.of.exports = arena_.deep_copy(found.exports);
      const std::size_t bytes = failure_bytes(node.of.exports, session.limits());
      session.limits().stop->take_memory(bytes);
      failure_bytes_ += bytes;
      node.of.has_failures = bytes > 0;
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      node.of.failure = error;
    }
    if (found.environment) node.of.environment = arena_.deep_copy(found.environment);
    for (const Origin file : files) {
      const auto source = session.sources().source_of(file);
      if (source && read.insert(std::string(session.sources().file(*source))).second) files_.push_back(file);
    }
  }
}

std::shared_ptr<const ExportIndex> ExportIndex::of(const Settings& settings, Session& session) {
  auto& kept = session.snapshot().part<KeptIndex>(name_of(settings), [] { return std::make_shared<KeptIndex>(); });
  const auto lock = detail::lock_while_running(kept.making, session.limits().stop);
  if (kept.made) return kept.made;
  std::shared_ptr<const ExportIndex> made(new ExportIndex(settings, session));
  if (made->arena_.bytes() + made->failure_bytes_ <= kMostKept) kept.made = made;
  return made;
}

Value queried(const std::string& query, QueryScope& scope, Arena& arena, const Sources& sources, const Limits& limits,
              Origin place, const std::function<Value(const std::string&)>& own_value) {
  const Query parsed = parse_query(arena, query, sources, place);
  return QueryRun(parsed, arena, sources, limits, place).run(scope, own_value);
}

}  // namespace strata::reclass
