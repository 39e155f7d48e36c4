// Instance data: what templates may ask about the machine.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "part_merger.hpp"

namespace strata::cloudinit {

/// The variables of templates, read from instance data once, when a template first asks.
class InstanceData {
 public:
  explicit InstanceData(Context& context) : context_(context) {}

  [[nodiscard]] bool is_given() const noexcept { return context_.request.instance_data.has_value(); }
  /// Errors: `template.no-data` where no instance data is given, `json.*` and `template.data` where it is malformed.
  [[nodiscard]] const Value& variables();

 private:
  Context& context_;
  std::optional<Value> variables_;
};

/// Renders the template that `source` holds behind its header line; the text is a source of its own, whose places are the template's.
/// Warns of undefined names. Errors: `jinja.*`, `template.*`, `limit.*`.
[[nodiscard]] SourceId render_template(Context& context, SourceId source, std::size_t body, InstanceData& instance_data);

}  // namespace strata::cloudinit
