// SPDX-License-Identifier: Apache-2.0
// A node as analyses look at it: what its lookups read, which keys an edit can change, and the files behind them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "strata/hiera.hpp"
#include "strata/question.hpp"
#include "strata/session.hpp"

namespace strata::cli {

/// What the nodes of a run share.
struct LookupMemory {
  hiera::Settings settings;
  std::vector<std::string> keys = {};                    ///< That are looked up. Empty: all.
  bool is_strict = false;                                ///< Whether warnings are failures.
  std::optional<hiera::NodeView::Merging> merging = {};  ///< Of the command line, instead of that of the data.
  /// Nodes whose paths resolve alike.
  struct Class {
    std::shared_ptr<const analysis::Reads> reads;
    std::shared_ptr<const hiera::NodeFiles> files = {};  ///< With all keys. Null: not known yet.
  };
  static constexpr std::size_t kMostClasses = 512;  ///< Then they are found anew: memory does not grow with the nodes.
  std::unordered_map<std::string, std::shared_ptr<Class>> classes = {};  ///< By all their paths.
  hiera::StateDifferences differences = {};
  hiera::NodeNumbers numbers = {};
};

/// A node. Its view is made when it is needed.
class LookupNode {
 public:
  /// `session` must outlive the object.
  LookupNode(std::shared_ptr<LookupMemory> memory, std::shared_ptr<const hiera::Facts> facts, Session& session)
      : memory_(std::move(memory)), facts_(std::move(facts)), session_(session) {}

  [[nodiscard]] hiera::NodeView& view();
  [[nodiscard]] const std::shared_ptr<const hiera::Facts>& facts() const noexcept { return facts_; }
  /// A fact as text. Dots lead into mappings. No value: there is none.
  [[nodiscard]] std::optional<std::string> fact(std::string_view name) const;
  /// What its lookups ask for: one object for all nodes whose paths resolve alike. Null: only asking tells.
  [[nodiscard]] std::shared_ptr<const analysis::Reads> reads();
  /// As analysis::Subject.
  [[nodiscard]] analysis::Touched touched(LookupNode& other);
  [[nodiscard]] std::shared_ptr<const analysis::Basis> basis();
  [[nodiscard]] std::optional<std::uint64_t> alike();
  /// As analysis::Asked::touched.
  [[nodiscard]] static std::optional<analysis::Touched> touched(LookupMemory& memory, const analysis::Basis& basis,
                                                                const std::vector<std::string>& files);

  [[nodiscard]] static std::shared_ptr<analysis::SubjectFiles> files(std::shared_ptr<LookupNode> node);

 private:
  class Files;
  class KnownBasis;

  /// Null: not known. Errors: as NodeView::files.
  [[nodiscard]] std::shared_ptr<const hiera::NodeFiles> node_files();
  [[nodiscard]] std::shared_ptr<const KnownBasis> known_basis();
  std::shared_ptr<LookupMemory> memory_;
  std::shared_ptr<const hiera::Facts> facts_;
  Session& session_;
  std::optional<hiera::NodeView> view_;
  std::shared_ptr<LookupMemory::Class> class_;  ///< Null: not known.
  bool knows_reads_ = false;
  std::shared_ptr<const KnownBasis> basis_;
};

}  // namespace strata::cli
