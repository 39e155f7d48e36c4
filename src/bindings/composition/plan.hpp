// The documents of a list of layers, put together: what the nodes that have these layers share.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bindings/composition/key_table.hpp"
#include "bindings/composition/prepared.hpp"
#include "bindings/request.hpp"

namespace strata::bindings {

/// Something that binds a key, in one of the layers.
struct Candidate {
  // What most statements are not, here so that looking through all keys does not look at all statements.
  static constexpr std::uint32_t kAbstract = 1;
  static constexpr std::uint32_t kOverride = 2;
  static constexpr std::uint32_t kOtherName = 4;  ///< alias, renamed, rebind.
  static constexpr std::uint32_t kMultibind = 8;
  static constexpr std::uint32_t kOptional = 16;
  static constexpr std::uint32_t kNamed = 32;  ///< `producer "x"`, `producer Type[X]`.

  const Binding* binding = nullptr;
  std::uint32_t guard = 0;  ///< Among those of all documents.
  std::uint32_t document = 0;
  std::uint32_t layer = 0;
  std::uint32_t flags = 0;

  Candidate() = default;
  Candidate(const Binding& of, std::uint32_t in_guard, std::uint32_t in_document, std::uint32_t in_layer) noexcept
      : binding(&of), guard(in_guard), document(in_document), layer(in_layer), flags(flags_of(of)) {}

 private:
  [[nodiscard]] static std::uint32_t flags_of(const Binding& binding) noexcept;
};

/// A contribution, in one of the layers.
struct Contributed {
  const ContributionStatement* statement = nullptr;
  std::uint32_t guard = 0;
  std::uint32_t document = 0;
  std::uint32_t layer = 0;
};

/// A statement that binds no key.
struct Placed {
  const Statement* statement = nullptr;
  std::uint32_t guard = 0;
  std::uint32_t document = 0;
  std::uint32_t layer = 0;
};

/// A document with its place among all.
struct PlannedDocument {
  std::shared_ptr<const Prepared> prepared;
  std::shared_ptr<const Document> document;
  std::uint32_t layer = 0;
  std::uint32_t position = 0;  ///< In the order of layers and of their items.
  std::uint32_t first_guard = 0;
};

/// Immutable. Numbers of guards are those of the documents, one document after the other. Documents of one node alone (the ENC's) are not in it.
struct Plan {
  std::vector<PlannedDocument> documents;
  std::uint32_t guards = 0;
  KeyTable keys;
  std::vector<std::uint32_t> first;                                              ///< Of the candidates of each key; one more at the end.
  std::vector<Candidate> candidates;                                             ///< By key, then by layer, document and statement.
  std::unordered_map<std::string_view, std::vector<Contributed>> contributions;  ///< By id, in the order of 11.2.
  std::vector<Placed> classes;
  std::vector<Placed> edges;
  std::vector<Placed> open;
  bool has_other_names = false;  ///< Some statement is an alias, or renames.

  [[nodiscard]] std::span<const Candidate> of(std::uint32_t key) const noexcept {
    return std::span(candidates).subspan(first[key], first[key + 1] - first[key]);
  }
};

/// The plan of the documents of layers. Cost: linear in their statements.
[[nodiscard]] std::shared_ptr<const Plan> make_plan(std::vector<PlannedDocument> documents);

/// Prepared documents and plans, by the identity of documents. What nobody has any more is dropped now and then. Thread-safe.
class PlanCache {
 public:
  [[nodiscard]] std::shared_ptr<const Plan> plan(const Request& request, const Sources& sources, const Limits& limits);

 private:
  struct KnownDocument {
    std::weak_ptr<const Document> document;
    std::shared_ptr<const Prepared> prepared;
  };
  /// Where a document stands.
  struct Position {
    const Document* document;
    std::uint32_t layer;
    std::uint32_t position;
    friend bool operator==(const Position&, const Position&) = default;
  };
  struct KnownPlan {
    std::vector<Position> documents;
    std::shared_ptr<const Plan> plan;
  };
  std::shared_ptr<const Prepared> prepared(const std::shared_ptr<const Document>& document, const Sources& sources, const Limits& limits);

  std::timed_mutex mutex_;  ///< Of all below, for as long as documents are prepared.
  std::unordered_map<const Document*, KnownDocument> documents_;
  std::vector<KnownPlan> plans_;  ///< The last used first.
  std::size_t next_sweep_ = 1024;
};

}  // namespace strata::bindings
