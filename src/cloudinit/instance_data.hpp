// SPDX-License-Identifier: Apache-2.0
// Instance data: the variables of templates.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "documents.hpp"

namespace strata::cloudinit {

/// The variables of templates, parsed from instance data when they are first needed.
class InstanceData {
 public:
  explicit InstanceData(Documents& documents) : documents_(documents) {}

  [[nodiscard]] bool is_given() const noexcept { return documents_.request().instance_data.has_value(); }
  /// Errors: `template.no-data` if no instance data are given; `json.*` and `template.data` if they are malformed.
  [[nodiscard]] const Value& variables();
  /// The variables with other values in place of those whose names say that they are secret. Absent: there are none.
  /// Errors: as above.
  [[nodiscard]] const Value& replaced();

 private:
  Documents& documents_;
  std::optional<Value> variables_;
  std::optional<Value> replaced_;
};

/// Renders the template after the header line of `source`. The result is a source of its own, with the places of the
/// template. What is made of secret instance data is marked as secret when the result is read. Warns about undefined
/// names. Errors: `jinja.*`, `template.*`, `limit.*`.
[[nodiscard]] SourceId render_template(Documents& documents, SourceId source, std::size_t body,
                                       InstanceData& instance_data);

}  // namespace strata::cloudinit
