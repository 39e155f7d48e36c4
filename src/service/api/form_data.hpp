// SPDX-License-Identifier: Apache-2.0
// Bodies of `multipart/form-data`, as browsers and `curl -F` send files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::service::api {

struct FormPart {
  std::string name = {};
  std::string file = {};  ///< `filename`. Empty: a field, or an upload without a name.
  bool is_file = false;
  std::string_view content = {};
};

[[nodiscard]] bool is_form_data(std::string_view content_type) noexcept;
/// The parts of a body, which must outlive them. Error `request.body` for what is none.
[[nodiscard]] std::vector<FormPart> read_form_data(std::string_view content_type, std::string_view body);

}  // namespace strata::service::api
