// cloud-init: user-data parts, vendor data and base configuration to the merged cloud-config.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/host.hpp"
#include "strata/limits.hpp"
#include "strata/merge.hpp"

namespace strata::cloudinit {

/// Which rule decides whose mergers apply to a part.
enum class Compat {
  shipped,   ///< A part's own mergers merge that part (every release since 2013).
  promised,  ///< As cloud-init's manual writes: a part's mergers are used for the part that follows.
};

/// User-data as a platform delivers it: gzip, a MIME message, or plain text.
struct Blob {
  std::string name;  ///< What places show: a file name, `<stdin>`.
  std::string bytes;
};

/// What a custom merger does with old values of a type; an empty function means: nothing special.
struct CustomHandlers {
  merge::Call on_mapping;
  merge::Call on_sequence;
  merge::Call on_string;
};

/// A merger that strategy texts may name. `build` is called once a strategy, with the options that the strategy gives it (a sequence of texts).
struct CustomMerger {
  std::string name;
  std::function<CustomHandlers(const Value& options)> build;
};

struct Request {
  std::vector<Blob> user_data;  ///< In order: one list of blobs.
  std::optional<Blob> vendor_data;
  std::optional<Blob> vendor_data2;
  std::vector<std::string> base;      ///< Paths of files and folders in the tree; later ones are stronger.
  std::optional<Blob> instance_data;  ///< JSON, for jinja parts and jinja base files.
  std::optional<std::string> launch_index;
  std::string strategy;  ///< Default mergers of user-data parts that name none; empty: cloud-init's own.
  Compat compat = Compat::shipped;
  std::vector<CustomMerger> mergers;
  Fetcher* fetcher = nullptr;  ///< Null: the network is not allowed.
};

/// What became of a part.
enum class PartFate {
  merged,   ///< Its configuration is in the result.
  skipped,  ///< It should have been, but failed: a warning says why.
  kept,     ///< A script, boothook or part handler: no configuration.
  unhandled,
  filtered,  ///< Left out by its launch index, or by a vendor-data gate.
};
[[nodiscard]] std::string_view to_string(PartFate fate) noexcept;

struct PartReport {
  std::string source;  ///< `user-data`, `vendor-data`, `vendor-data2`.
  std::string name;    ///< File name, or `part-NNN`.
  std::string type;
  Origin origin;  ///< Where its text begins.
  PartFate fate = PartFate::merged;
  std::string mergers;  ///< The strategy that it was merged with, as a text; empty where it was not.
  std::vector<std::pair<std::string, std::string>> headers;
};

/// The merged configuration, with everything that keeps it alive.
struct Result {
  merge::Traced config;  ///< A mapping, unless a JSON patch made it something else.
  std::vector<PartReport> parts;
  std::vector<std::shared_ptr<Arena>> arenas;
};

/// Checks the strategy of a request, before any work. Errors: `merger.format`, `merger.unknown`.
void check_strategy(const Request& request);

/// Does all that cloud-init does with user-data, vendor-data and base files.
/// What the reference only warns of goes to `diagnostics`; what ends its boot stage is thrown as Error. Codes: docs/errors.md.
/// Thread safety: any number of calls at once, each with its own `diagnostics` and `recorder`.
/// Rule: docs/merge-command.md.
[[nodiscard]] Result merge(Request request, const FileTree& tree, Sources& sources, Diagnostics& diagnostics, const Limits& limits,
                           merge::Recorder& recorder);

}  // namespace strata::cloudinit
