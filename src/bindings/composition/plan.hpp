// SPDX-License-Identifier: Apache-2.0
// The documents of a list of layers, put together: what the nodes that have these layers share.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "bindings/composition/key_index.hpp"
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

/// A document with its place among all. Immutable; the plans that have it there share it.
struct PlannedDocument {
  std::shared_ptr<const Prepared> prepared;
  std::shared_ptr<const Document> document;
  std::uint32_t layer = 0;
  std::uint32_t position = 0;     ///< In the order of layers and of their items.
  std::uint32_t first_block = 0;  ///< The number, among the guards of all, of the guard of its first `when` block.

  // Of a document of a plan:
  std::vector<Candidate> candidates;   ///< One for each binding.
  std::vector<std::uint32_t> flagged;  ///< Those of them that have flags.
  bool has_others = false;             ///< It has statements that bind no key, or that are open.
  bool is_conditional = false;         ///< It has `when` blocks.
  bool has_findings = false;           ///< Something is said of it, or asked of extensions, for each node.

  /// A guard of the document among those of all: what stands in no `when` block is under the same one in all documents.
  [[nodiscard]] std::uint32_t guard(std::uint32_t own) const noexcept {
    return own <= Guards::kNode ? own : first_block + own - (Guards::kNode + 1);
  }
  [[nodiscard]] std::uint32_t own_guard(std::uint32_t guard) const noexcept {
    return guard <= Guards::kNode ? guard : guard - first_block + Guards::kNode + 1;
  }
  [[nodiscard]] std::uint32_t blocks() const noexcept {
    return static_cast<std::uint32_t>(prepared->guards.size()) - (Guards::kNode + 1);
  }
};

/// A list of documents with its place among all.
struct PlannedList {
  std::shared_ptr<const DocumentList> documents;
  std::uint32_t layer = 0;
  std::uint32_t position = 0;  ///< Of the first one.
};

/// Immutable. Documents of one node alone (the ENC's) are not in it.
///
/// Keys are numbered as they first occur in the documents. Each binding has a number, so that a document can be
/// replaced without looking at the others: the number of a key is that of its first binding, and those of the further
/// ones stand for no key.
struct Plan {
  std::vector<PlannedList> lists;  ///< The documents as the request has them.
  PlannedDocuments documents;
  std::uint32_t guards = 0;              ///< One behind the last number. Some may belong to no document.
  std::vector<std::uint32_t> first_key;  ///< By document; one more at the end.
  KeyIndex index;

  /// A binding whose key has others.
  struct Repeated {
    BindingNumber binding;
    std::uint32_t first = 0;  ///< Of all bindings of the key, among `repeated_candidates`.
    std::uint32_t count = 0;
    bool is_key = false;      ///< It is the first one.
    bool is_notable = false;  ///< Whether the key is.
  };
  std::vector<Repeated> repeated;              ///< By binding.
  std::vector<std::uint32_t> first_repeated;   ///< By document, among those; one more at the end.
  std::vector<Candidate> repeated_candidates;  ///< By key, then by layer, document and statement.
  /// Keys of which a node may have to be told something, rising: all others have at most one binding in effect, which
  /// is plain.
  std::vector<std::uint32_t> notable;

  std::vector<std::uint32_t> conditional;    ///< Documents that have `when` blocks.
  std::vector<std::uint32_t> with_findings;  ///< Documents of which something is said for each node.
  std::shared_ptr<const std::vector<Contributed>> contributions;  ///< By id, then by layer, document and statement.
  std::vector<Placed> classes;
  std::vector<Placed> edges;
  std::vector<Placed> open;
  bool has_other_names = false;  ///< Some statement is an alias, or renames.

  [[nodiscard]] std::uint32_t key_count() const noexcept { return first_key.back(); }
  /// KeyTable::kNone where nothing binds it.
  [[nodiscard]] std::uint32_t find(const KeyText& key, std::uint32_t hash) const noexcept;
  [[nodiscard]] KeyText text(std::uint32_t key) const noexcept;
  /// The candidates of a key; none where the number stands for no key.
  [[nodiscard]] std::span<const Candidate> of(std::uint32_t key) const noexcept;
  /// Those of an id.
  [[nodiscard]] std::span<const Contributed> contributions_of(std::string_view id) const noexcept;

 private:
  [[nodiscard]] BindingNumber binding_number(std::uint32_t key) const noexcept;
  [[nodiscard]] const Repeated* find_repeated(BindingNumber binding) const noexcept;
};

/// The plan of documents, in their order. Cost: linear in their statements.
[[nodiscard]] std::shared_ptr<const Plan> make_plan(std::vector<PlannedDocument> documents,
                                                    std::vector<PlannedList> lists = {});
/// That of the documents of `before` with some replaced: each by its number, sorted, with the place that it has. Cost:
/// linear in the statements of the replaced documents, and a few bytes copied for each other document and for each
/// binding whose key has several.
[[nodiscard]] std::shared_ptr<const Plan> make_plan(const Plan& before,
                                                    std::vector<std::pair<std::uint32_t, PlannedDocument>> replaced,
                                                    std::vector<PlannedList> lists = {});

/// Prepared documents and plans, by the identity of documents: those of this cache, and those of others that the
/// documents know. Thread-safe.
class PlanCache {
 public:
  [[nodiscard]] std::shared_ptr<const Plan> plan(const Request& request, const Sources& sources, const Limits& limits);

 private:
  using Lists = std::vector<PlannedList>;
  /// Where a document stands.
  struct Position {
    std::uint32_t number;
    std::size_t list;
    std::size_t place;
  };
  /// The documents that a plan has others for, rising. No value if there are more than `most`, or the lists have other
  /// places or sizes.
  [[nodiscard]] static std::optional<std::vector<Position>> differences(const Plan& plan, const Lists& lists,
                                                                        std::size_t most);
  [[nodiscard]] static std::shared_ptr<const Plan> make(const Lists& lists, const Sources& sources,
                                                        const Limits& limits);

  std::timed_mutex mutex_;                          ///< Of all below, for as long as documents are prepared.
  std::vector<std::shared_ptr<const Plan>> plans_;  ///< The last used first.
};

}  // namespace strata::bindings
