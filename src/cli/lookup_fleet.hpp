// strata lookup --nodes: reading lists of nodes, and writing what they come to.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "command.hpp"
#include "strata/fleet.hpp"
#include "strata/text.hpp"

namespace strata::cli {

/// The nodes of `--nodes PATH`: a folder, a file, or `-` for standard input. `sources` must outlive them. Errors: `host.missing`, and those of
/// hiera::node_folder and hiera::node_list.
[[nodiscard]] std::unique_ptr<hiera::NodeSource> open_nodes(const std::string& path, Sources& sources, const Limits& limits);

/// What reading and printing one more node may cost the whole, as bytes of input (Budget).
inline constexpr std::size_t kInputOfNode = 4096;

/// A warning: `--nodes PATH` names no node.
[[nodiscard]] Diagnostic no_nodes(const std::string& path);

/// Asks for one node: sets items or failure of an outcome, and what owns the values beside `session`.
using AskNode = std::function<void(hiera::Facts&& facts, Session& session, analysis::Outcome& out)>;
/// The nodes of `--nodes PATH` for a comparison: each has a Session of its own below `session`, and is forgotten with its outcome.
[[nodiscard]] std::unique_ptr<analysis::Subjects> compared_nodes(const std::string& path, Session& session, const SharedOptions& options,
                                                                 AskNode ask);

/// How results are written one after the other.
struct FleetText {
  std::string head = {};
  std::string separator = {};  ///< Between two nodes.
  std::string tail = {};
  std::string empty = {};    ///< Instead of all that where there is no node.
  bool is_streamed = false;  ///< Each node's text is complete in itself; else the whole is, and is written at the end.
  bool sort_nodes = false;
};

/// Takes a fleet's results and writes them. Tells warnings once each.
class FleetWriter {
 public:
  FleetWriter(FleetText style, const Stream& stream, bool strict) : style_(std::move(style)), stream_(stream), strict_(strict) {}

  /// Errors: `fleet.duplicate-node` where the output is one mapping.
  void add(hiera::FleetResult&& result);
  /// Writes what is left. False where the run counts as failed.
  bool finish();

 private:
  struct FailedKey {
    std::size_t place;
    std::string message;
    std::string code;
    std::size_t more = 0;  ///< Nodes after the first.
  };

  void write(std::string_view text);
  void tell_failed_key(const std::string& node, const Diagnostic& failed);
  void count_failed_keys() const;

  FleetText style_;
  const Stream& stream_;
  bool strict_;
  bool failed_ = false;
  bool warned_ = false;
  std::vector<std::pair<std::string, std::string>> kept_;  ///< Names and texts.
  std::unordered_set<std::string> names_;
  std::unordered_set<std::size_t> told_;                    ///< Hashes of the warnings.
  std::unordered_map<std::size_t, FailedKey> failed_keys_;  ///< By a hash of what is told.
  std::size_t untold_keys_ = 0;
  std::string piece_;
};

}  // namespace strata::cli
