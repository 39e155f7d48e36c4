// What is done with each part of a source, by its content type.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "instance_data.hpp"
#include "part_merger.hpp"
#include "parts/part.hpp"

namespace strata::cloudinit {

/// Hands the parts of one source to what handles their type. What fails is skipped with a warning that names the part.
class PartHandler {
 public:
  /// `label`: `user-data`, `vendor-data` or `vendor-data2`. `launch_index`: cloud-configs whose bodies name another one are filtered; those whose
  /// headers do are none of the parts any more.
  PartHandler(Context& context, InstanceData& instance_data, PartMerger& merger, std::string label, std::optional<std::string> launch_index)
      : context_(context), instance_data_(instance_data), merger_(merger), label_(std::move(label)), launch_index_(std::move(launch_index)) {}

  /// Reports what became of the part. Throws only `limit.*`, and as Stop::check.
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

  Context& context_;
  InstanceData& instance_data_;
  PartMerger& merger_;
  std::string label_;
  std::optional<std::string> launch_index_;
};

}  // namespace strata::cloudinit
