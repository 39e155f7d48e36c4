// cloud-init: user-data parts, vendor data and base configuration to the merged cloud-config.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/host.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"

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

/// The merged configuration.
struct Result {
  merge::Traced config;  ///< A mapping, unless a JSON patch made it something else.
  std::vector<PartReport> parts;
  std::shared_ptr<const void> memory;  ///< Keeps the configuration alive when the Session is gone.
};

/// The bare name of a merger: without the `m_` that the reference's modules begin with. Error `merger.name`: not letters, digits and underscores,
/// or one of the built-in mergers.
[[nodiscard]] std::string merger_name(std::string_view name);

/// A merger from Lua source, which is a text of the Session. The text returns a table with any of `on_mapping`, `on_sequence` and `on_string`, or a
/// function that makes one from the options. It is run once; `session` must outlive the merger. Errors: `lua.syntax`, `lua.runtime`, `lua.memory`,
/// `limit.steps`, `merger.lua` where the text returns something else. Rule: docs/cloud-init/custom-mergers.md.
[[nodiscard]] CustomMerger lua_merger(std::string name, SourceId source, Session& session);

/// Checks the strategy of a request, before any work. Errors: `merger.format`, `merger.unknown`.
void check_strategy(const Request& request);

/// Does all that cloud-init does with user-data, vendor data and base files. The texts of `request` move into the Session; base files and includes
/// are read from the Session's Snapshot.
/// What the reference only warns of goes to the Session's diagnostics; what ends its boot stage is thrown as Error. Codes: docs/errors.md.
/// Rule: docs/cloud-init/merge.md.
[[nodiscard]] Result merge(Request request, Session& session);

}  // namespace strata::cloudinit
