// SPDX-License-Identifier: Apache-2.0
// What reading one YAML text needs and the next one can use again.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "strata/value.hpp"
#include "text/yaml/profile.hpp"
#include "text/yaml/tape.hpp"

namespace strata::text {

/// A container that is being parsed.
struct YamlFrame {
  Value key;  ///< For a mapping: the key that waits for its value.
  std::size_t offset = 0;
  std::size_t first = 0;           ///< Its children begin here among the items, or the entries.
  std::size_t first_merged = 0;    ///< Its entries from `<<` begin here.
  std::size_t first_in_place = 0;  ///< The stretches of its entries that `<<` put among them.
  std::size_t nodes_before = 0;    ///< Of the whole document, before it began.
  std::size_t height = 1;
  std::size_t anchor = 0;  ///< The number of its anchor, from 1. 0: none.
  Tag tag{};
  bool is_mapping = false;
  bool flow = false;
  bool is_pair = false;  ///< An item of Tag::ordered_mapping: its first and last nodes are a key and its value.
  bool has_key = false;
  bool key_is_merge = false;
  bool is_secret = false;      ///< What it holds is secret, by its name or that of a container around it.
  bool has_plain_keys = true;  ///< All keys are texts that were made as keys.
};

/// Entries of a mapping, by their numbers among those of all open mappings.
struct YamlStretch {
  std::size_t begin;
  std::size_t end;
};

/// Memory of one reader at a time. Empty between texts.
struct YamlWorkspace {
  YamlTape tape;
  std::vector<YamlFrame> frames;             ///< Innermost last, as all that follow.
  std::vector<Value> items;                  ///< Of all open sequences.
  std::vector<Entry> entries;                ///< Of all open mappings.
  std::vector<Entry> merged;                 ///< From `<<`, in the order of the rule.
  std::vector<YamlStretch> merged_in_place;  ///< With MergeKey::psych: those among `entries` that are from `<<`.

  /// Lends a workspace of the calling thread: a reader may begin while another one is under way.
  class Lease {
   public:
    Lease();
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    [[nodiscard]] YamlWorkspace& operator*() const noexcept { return *workspace_; }

   private:
    std::unique_ptr<YamlWorkspace> workspace_;
  };
};

}  // namespace strata::text
