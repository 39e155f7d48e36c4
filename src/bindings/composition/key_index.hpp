// SPDX-License-Identifier: Apache-2.0
// Which bindings of many documents have a key.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "bindings/composition/key_table.hpp"
#include "bindings/shared_list.hpp"

namespace strata::bindings {

struct PlannedDocument;
struct Prepared;
using PlannedDocuments = SharedList<std::shared_ptr<const PlannedDocument>>;

/// A binding of one of several documents: the number of the document, and the place among the document's bindings.
struct BindingNumber {
  std::uint32_t document = 0;
  std::uint32_t binding = 0;
  friend auto operator<=>(const BindingNumber&, const BindingNumber&) = default;
};

/// All bindings of a list of documents, by key. It consists of parts that indexes share: to replace a document costs
/// what its bindings do. Immutable; copies share all of it. The documents are not kept: each call gets those that the
/// index was made of, or others with the same keys.
class KeyIndex {
 public:
  struct Entry {
    std::uint32_t hash = 0;
    BindingNumber binding;
    bool is_first = true;  ///< Of the bindings of its key.
  };

  /// Takes all bindings of a key.
  using Use = std::function<void(std::span<const Entry>)>;

  KeyIndex() = default;
  /// Calls `use_repeated` with the bindings of each key that has several: in the order of their first bindings, but
  /// where keys have one hash.
  KeyIndex(const PlannedDocuments& documents, const Use& use_repeated);
  /// That of `documents`, which have the same keys as those of `index` but for the ones of the sorted numbers
  /// `replaced`.
  KeyIndex(const KeyIndex& index, const PlannedDocuments& before, const PlannedDocuments& documents,
           std::span<const std::uint32_t> replaced);

  /// The bindings of a key in their order. Cost: O(log(bindings of a part)), whatever the keys are.
  [[nodiscard]] std::span<const Entry> find(const PlannedDocuments& documents, const KeyText& key,
                                            std::uint32_t hash) const noexcept;
  /// Whether the bindings of two documents have the same keys, one by one.
  [[nodiscard]] static bool have_same_keys(const Prepared& left, const Prepared& right) noexcept;
  /// Whether so many bindings fill its parts as they should.
  [[nodiscard]] bool suits(std::size_t bindings) const noexcept;

 private:
  using Part = std::vector<Entry>;
  [[nodiscard]] std::size_t part_of(std::uint32_t hash) const noexcept {
    return static_cast<std::size_t>(std::uint64_t{hash} >> shift_);
  }
  using Parts = std::vector<std::shared_ptr<const Part>>;
  std::shared_ptr<const Parts> parts_;  ///< A power of two, by the highest bits of hashes. Each is sorted by hash, key
                                        ///< and place. Null: of nothing.
  unsigned shift_ = 32;
};

}  // namespace strata::bindings
