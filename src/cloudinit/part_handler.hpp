// SPDX-License-Identifier: Apache-2.0
// Processes each part of a source by its content type.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "instance_data.hpp"
#include "part_merger.hpp"
#include "parts/part.hpp"

namespace strata::cloudinit {

/// Passes the parts of one source to the handler of their type. A part that fails is skipped, with a warning that names
/// it.
class PartHandler {
 public:
  /// `label`: `user-data`, `vendor-data` or `vendor-data2`. `launch_index`: cloud-configs with another index in the
  /// body are filtered; parts with another index in the header are already removed.
  PartHandler(Documents& documents, InstanceData& instance_data, PartMerger& merger, std::string label,
              std::optional<std::string> launch_index)
      : documents_(documents),
        session_(documents.session()),
        instance_data_(instance_data),
        merger_(merger),
        label_(std::move(label)),
        launch_index_(std::move(launch_index)) {}

  /// Reports what happened to the part. Throws only `limit.*`, and as Stop::check.
  [[nodiscard]] PartReport handle(const Part& part);
  /// The report of a part that is not used.
  [[nodiscard]] PartReport filtered(const Part& part) const;

 private:
  PartFate dispatch(const Part& part, PartReport& report);
  PartFate render(const Part& part, PartReport& report);
  PartFate merge_config(const Part& part, SourceId source, PartReport& report);
  PartFate unhandled(const Part& part);
  [[nodiscard]] bool is_for_others(const Part& part, const Value& config) const;
  void skip(const Part& part, const Error& error);

  Documents& documents_;
  Session& session_;
  InstanceData& instance_data_;
  PartMerger& merger_;
  std::string label_;
  std::optional<std::string> launch_index_;
};

}  // namespace strata::cloudinit
