// SPDX-License-Identifier: Apache-2.0
// The outputs of a template, as far as they are known without resources.
#pragma once

#include <string>

#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::service::stacks {

/// Whose pseudo parameters templates ask for.
struct Subject {
  std::string name;
  std::string id;
  std::string project;
};

/// Whether a mapping calls a function of templates.
[[nodiscard]] bool is_call(const Value& value);
/// Whether a value of a template calls no function.
[[nodiscard]] bool is_literal(const Value& value);

/// The pseudo parameters of a stack: `OS::stack_id`, `OS::project_id`, `OS::stack_name`; of a template in
/// CloudFormation's form (`is_cfn`) `AWS::StackId`, `AWS::StackName`, `AWS::Region`.
[[nodiscard]] Value pseudo_parameters(Arena& arena, const Subject& subject, bool is_cfn);

/// A list of `{output_key, description, output_value}`, with `output_error` for values that need resources.
/// `parameters`: the rows of heat::effective_parameters. Values that depend on hidden parameters are `******` unless
/// `shows_hidden`.
[[nodiscard]] Value outputs_of(Arena& arena, const Value& root, const Value& parameters, const Subject& subject,
                               bool shows_hidden);

}  // namespace strata::service::stacks
