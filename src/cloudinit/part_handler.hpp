// What is done with each part of a source, by its content type.
#pragma once

#include <string>
#include <vector>

#include "gather.hpp"
#include "instance_data.hpp"
#include "parts/part.hpp"

namespace strata::cloudinit {

/// Hands the parts of one source to what handles their type. What fails is skipped with a warning that names the part.
class PartHandler {
 public:
  /// `label`: `user-data`, `vendor-data` or `vendor-data2`.
  PartHandler(Context& context, InstanceData& instance_data, Gatherer& gatherer, std::string label)
      : context_(context), instance_data_(instance_data), gatherer_(gatherer), label_(std::move(label)) {}

  /// Reports what became of the part. Throws only `limit.*`.
  PartReport handle(const Part& part);

 private:
  PartFate dispatch(const Part& part, PartReport& report);
  PartFate render(const Part& part, PartReport& report);
  PartFate merge_config(const Part& part, SourceId source, PartReport& report);
  PartFate unhandled(const Part& part);
  void skip(const Part& part, const Error& error);

  Context& context_;
  InstanceData& instance_data_;
  Gatherer& gatherer_;
  std::string label_;
};

}  // namespace strata::cloudinit
