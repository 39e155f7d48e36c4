// What the cloud-config parts of one source gather to, and how layers and base files are joined.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mergers.hpp"
#include "strata/cloudinit.hpp"
#include "strata/text.hpp"

namespace strata::cloudinit {

/// What every step of one run needs.
struct Context {
  const Request& request;
  const FileTree& tree;
  Sources& sources;
  Diagnostics& diagnostics;
  const Limits& limits;
  merge::Recorder& recorder;
  std::vector<std::shared_ptr<Arena>>& arenas;  ///< Kept alive with the result; the first is of all YAML documents.
  std::size_t nodes = 0;                        ///< Of all documents so far, for Limits::result.

  /// Reads a YAML document whose root must be a mapping into `arenas.front()`; who uses it counts its nodes.
  /// Errors: those of the reader, `cloud-config.root` where the root is anything else, `cloud-config.empty`.
  [[nodiscard]] text::Document read_mapping(SourceId source) const;
  [[nodiscard]] Arena& documents() const { return *arenas.front(); }
  /// Counts nodes towards Limits::result. Error `limit.result`.
  void count(std::size_t more);
  /// The layers so far, to tell those that are added from now on.
  [[nodiscard]] merge::LayerId layers() const { return recorder.layers(); }
  /// The name of a source for people: its part, else its file.
  [[nodiscard]] std::string name_of(SourceId source) const;
};

/// Gathers the parts of one source, one after the other.
class PartMerger {
 public:
  PartMerger(Context& context, const BuiltStrategy& default_strategy);

  /// Merges the cloud-config that was read from `source`; returns the strategy's text. `header`: the Merge-Type header's value, or empty.
  /// Errors leave what was gathered as it was: `merger.*`, `cloud-config.*`, `yaml.*`, `merge.kind-mismatch`.
  std::string merge_config(const text::Document& config, SourceId source, std::string_view header, Origin header_origin, std::string_view name);
  /// Applies a JSON patch. Errors as apply_patch, `json.*`.
  void patch(SourceId source);
  [[nodiscard]] const merge::Traced& config() const noexcept { return accumulator_.current(); }

 private:
  void restart_if_null();
  void warn_of(const std::vector<merge::Notice>& notices, const BuiltStrategy& strategy, std::string_view name, Origin where);
  void warn_of_trap(const Value& incoming, bool names_mergers, std::string_view name);

  Context& context_;
  const BuiltStrategy& default_strategy_;
  std::shared_ptr<Arena> arena_;
  merge::Accumulator accumulator_;
  std::optional<BuiltStrategy> promised_;  ///< Top of the stack that cloud-init's manual describes.
  std::string last_namer_;                 ///< The last part that named mergers.
};

/// A document with the name of where it came from.
struct LayerDocument {
  merge::Traced document;
  std::string name;
  merge::LayerId first = 0;  ///< The layers of its history: from here …
  merge::LayerId last = 0;   ///< … up to here.
};

/// A document with the layers that reading it adds to the history.
template <class Reader>
LayerDocument read_layer(const Context& context, std::string name, const Reader& reader) {
  const merge::LayerId first = context.layers();
  const merge::Traced document = reader();
  return {.document = document, .name = std::move(name), .first = first, .last = context.layers()};
}

/// Joins layers, the strongest first: the stronger one keeps its value unless the weaker one's own mergers say otherwise. Anything but a
/// mapping with members counts as nothing. Errors are fatal here: `merger.*`, `merge.kind-mismatch`. Rule: docs/merge-command.md, "Base rule".
[[nodiscard]] merge::Traced join_layers(Context& context, const std::vector<LayerDocument>& layers, merge::Recorder& recorder, bool quiet = false);

}  // namespace strata::cloudinit
