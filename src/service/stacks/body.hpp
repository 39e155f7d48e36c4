// SPDX-License-Identifier: Apache-2.0
// The body of a request about a stack.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/face.hpp"
#include "strata/session.hpp"
#include "strata/value.hpp"

namespace strata::service::stacks {

/// What a request is for: this decides which members it may and must have.
enum class Purpose : std::uint8_t {
  create,    ///< POST, and its preview.
  replace,   ///< PUT: nothing of the stack's environment stays.
  patch,     ///< PATCH: what is sent is added.
  validate,  ///< POST to `/validate`: nothing is stored.
};

/// What is kept beside the environment. No value: the body does not say it.
struct SentSettings {
  std::optional<bool> disable_rollback;
  std::optional<std::int64_t> timeout_mins;  ///< 0: none.
  std::optional<std::vector<std::string>> tags;
};

/// Where values of parameters can stand.
struct Values {
  Value environment;  ///< A mapping or a text, or absent.
  Value parameters;   ///< A mapping, or absent.
  Value files;        ///< A mapping of texts, or absent.
};

struct Sent {
  SentSettings settings;
  std::string name;      ///< Of the stack, for `create`.
  Value template_value;  ///< A mapping or a text. Absent if none was sent.
  Value environment;     ///< A mapping or a text, or absent.
  Value parameters;      ///< A mapping, or absent.
  Value files;           ///< A mapping of texts, or absent.
  std::vector<std::string> environment_files;
  std::vector<std::string> cleared_parameters;  ///< For `patch`.
  bool has_kept_values = false;                 ///< Stored values stand where `******` was sent.
  Values as_sent;             ///< With `******` where stored values stand, which the sender need not know.
  bool sees_secrets = false;  ///< Who sends it may read secrets.
  bool is_shipped = false;    ///< Combined as the reference does it, and not as promised.
};

/// Reads a body, whose values live as long as the results of `session`. A body of another type than `application/json`
/// counts as empty. Error (Refused, 400) for what the reference refuses, in its order.
[[nodiscard]] Sent read_body(const Call& call, Session& session, Purpose purpose);

}  // namespace strata::service::stacks
