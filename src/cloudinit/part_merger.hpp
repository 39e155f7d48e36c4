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
  PartMerger(Documents& documents, const BuiltStrategy& default_strategy);

  /// Merges the cloud-config parsed from `source` and returns the text of its strategy; no value if that leaves the
  /// whole part out. `header`: the value of the Merge-Type header, or empty. After an error the result so far is
  /// unchanged. Errors: `merger.*`, `cloud-config.*`, `yaml.*`, `merge.kind-mismatch`.
  std::optional<std::string> merge_config(const text::Document& config, SourceId source, std::string_view header,
                                          Origin header_origin, std::string_view name);
  /// Applies a JSON patch. Errors: as apply_patch; `json.*`.
  void patch(SourceId source);
  [[nodiscard]] const merge::Traced& config() const noexcept { return accumulator_.current(); }

 private:
  void restart_if_null();
  void warn_of(const std::vector<merge::Notice>& notices, const BuiltStrategy& strategy, std::string_view name,
               Origin where);
  void warn_of_trap(const Value& incoming, bool names_mergers, std::string_view name);

  Documents& documents_;
  Session& session_;
  const BuiltStrategy& default_strategy_;
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
[[nodiscard]] merge::Traced join_layers(Documents& documents, const std::vector<LayerDocument>& layers,
                                        merge::Recorder& recorder, bool quiet = false);

}  // namespace strata::cloudinit
