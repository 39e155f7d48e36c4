// SPDX-License-Identifier: Apache-2.0
// strata lookup --nodes: reads lists of nodes and writes the results.
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
#include "strata/workspace.hpp"

namespace strata::cli {

/// The nodes of `--nodes PATH`: a folder, a file, or `-` for standard input. `host` and `sources` must outlive them.
/// Errors: `host.missing`, and those of hiera::node_folder and hiera::node_list.
[[nodiscard]] std::unique_ptr<hiera::NodeSource> open_nodes(const std::string& path, Host& host, Sources& sources,
                                                            const Limits& limits);

/// The allowance of one more node in the budget, as bytes of input (Budget).
inline constexpr std::size_t kInputOfNode = 4096;

/// A warning: `--nodes PATH` contains no nodes.
[[nodiscard]] Diagnostic no_nodes(const std::string& path);

/// Makes a subject of a node, without asking: sets `ask`, and `reads` if it is known.
using MakeSubject = std::function<void(std::shared_ptr<const hiera::Facts> facts, Session& own, FleetSubject& out)>;
/// The nodes of `--nodes PATH` for an analysis. `session` is that of the run.
[[nodiscard]] FleetSubjects taken_nodes(const std::string& path, Host& host, Session& session, MakeSubject make);

/// For completions: the nodes of `--nodes PATH`; if `path` is empty, those of whom the files of a project tell, as
/// analyses find them. What is wrong with one node is passed over.
void each_known_node(const std::string& path, const workspace::Project& project, Host& host, Session& session,
                     const std::function<void(const hiera::Facts& facts)>& call);
/// The same for the folders in a folder.
void suggest_folders(const FileTree& tree, const std::string& folder, const AddSuggestion& add);

/// How results are written.
struct FleetText {
  std::string head = {};
  std::string separator = {};  ///< Between two nodes.
  std::string tail = {};
  std::string empty = {};  ///< The output if there are no nodes.
  /// The text of each node is complete. If false, only the whole output is, and it is written at the end.
  bool is_streamed = false;
  bool sort_nodes = false;
  std::string failing =
      {};  ///< Between a node and why it fails, for all of it: ` fails: `. Empty: only a key of the node fails.
};

/// The error for a node that a list has twice.
[[nodiscard]] Error duplicate_node(const std::string& name, const std::function<Excerpt()>& where);

/// Receives the results of a fleet and writes them. Prints each warning once.
class FleetWriter {
 public:
  FleetWriter(FleetText style, const Stream& stream, bool strict)
      : style_(std::move(style)), stream_(stream), strict_(strict) {}

  /// Errors: `fleet.duplicate-node` if the output is one mapping.
  void add(hiera::FleetResult&& result);
  /// Writes the rest. False if the run failed.
  bool finish();

 private:
  struct FailedKey {
    std::size_t place;
    std::string message;
    std::string code;
    std::size_t more = 0;  ///< Nodes after the first one.
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
  std::unordered_set<std::size_t> told_;                    ///< Hashes of the warnings printed.
  std::unordered_map<std::size_t, FailedKey> failed_keys_;  ///< By a hash of code and message.
  std::size_t untold_keys_ = 0;
  std::string piece_;
};

}  // namespace strata::cli
