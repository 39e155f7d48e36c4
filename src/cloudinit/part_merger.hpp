// SPDX-License-Identifier: Apache-2.0
// Merges the cloud-config parts of one source, and joins layers and base files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "documents.hpp"
#include "mergers.hpp"
#include "strata/cloudinit.hpp"
#include "strata/text.hpp"

namespace strata::cloudinit {

/// Merges the parts of one source, one after the other.
class PartMerger {
 public:
  /// `layer`: the name of the source. `is_layered`: the result is joined with other layers.
  PartMerger(Documents& documents, const BuiltStrategy& default_strategy, std::string layer, bool is_layered);

  /// Merges the cloud-config parsed from `source` and returns the text of its strategy; no value if that leaves the
  /// whole part out. `header`: the value of the Merge-Type header, or empty. After an error the result so far is
  /// unchanged. Errors: `merger.*`, `cloud-config.*`, `yaml.*`, `merge.kind-mismatch`.
  std::optional<std::string> merge_config(const text::Document& config, SourceId source, std::string_view header,
                                          Origin header_origin, std::string_view name);
  /// Applies a JSON patch. Errors: as apply_patch; `json.*`.
  void patch(SourceId source);
  [[nodiscard]] const merge::Traced& config() const noexcept { return accumulator_.current(); }
  [[nodiscard]] bool names_mergers() const noexcept { return !last_namer_.empty(); }

 private:
  void restart_if_null();
  void warn_of(const std::vector<merge::Notice>& notices, const BuiltStrategy& strategy, std::string_view name,
               Origin where);
  void warn_of_trap(const Value& incoming, bool names_mergers, std::string_view name);

  Documents& documents_;
  Session& session_;
  const BuiltStrategy& default_strategy_;
  std::string layer_;
  bool is_layered_;
  std::shared_ptr<Arena> arena_;
  merge::Accumulator accumulator_;
  std::optional<BuiltStrategy> promised_;  ///< The top of the stack that cloud-init's manual describes.
  std::string last_namer_;                 ///< The last part that named mergers.
};

/// A document with the name of its source.
struct LayerDocument {
  merge::Traced document;
  std::string name;
  merge::LayerId first = 0;  ///< The layers of its history are [first, last).
  merge::LayerId last = 0;
};

/// Lists and mappings of weaker layers that a stronger layer drops as a whole, in the order in which they were found.
/// Mergers seem to be for them, and act on the parts of one layer only.
struct DroppedLists {
  struct List {
    std::string name;       ///< Its path in the layer: `runcmd`.
    std::string_view kind;  ///< `list` or `mapping`.
    Origin dropped;
    Origin kept;
    std::string layer;
    bool is_vendor_data = false;
  };
  std::vector<List> lists = {};
  bool names_mergers = false;  ///< A part or a base file names mergers.
  static constexpr std::size_t kMost = 100;
};

/// A document with the layers that its parsing adds to the history.
template <class Reader>
LayerDocument read_layer(Documents& documents, std::string name, const Reader& reader) {
  merge::Recorder& recorder = documents.session().recorder();
  const merge::LayerId first = recorder.layers();
  const merge::Traced document = reader();
  return {.document = document, .name = std::move(name), .first = first, .last = recorder.layers()};
}

/// Joins layers, strongest first. The stronger layer keeps its value unless the weaker one's own mergers say otherwise.
/// Anything but a mapping with members is ignored. Errors are fatal here: `merger.*`, `merge.kind-mismatch`. Rule:
/// docs/cloud-init/merge.md, "Base rule".
/// `dropped` receives the lists that are lost; null: nothing is reported.
[[nodiscard]] merge::Traced join_layers(Documents& documents, const std::vector<LayerDocument>& layers,
                                        merge::Recorder& recorder, DroppedLists* dropped);

/// Warns of dropped lists of vendor data, and of the base if mergers are named: `merge.dropped-list`.
void warn_of_dropped_lists(Session& session, const DroppedLists& dropped);

}  // namespace strata::cloudinit
