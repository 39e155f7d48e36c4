// SPDX-License-Identifier: Apache-2.0
// Errors as Deckhand's clients know them.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/request.hpp"
#include "strata/deckhand.hpp"

namespace strata::service::buckets {

/// Thrown by handlers: a status, the name of the reference's exception, and a message. Routes turn it into an answer.
class Failure : public std::exception {
 public:
  /// No message: null.
  Failure(unsigned status, std::string type, std::optional<std::string> message) noexcept
      : status_(status), type_(std::move(type)), message_(std::move(message)) {}
  /// Failed checks of documents: `InvalidDocumentFormat`. `findings` must not be empty.
  explicit Failure(std::vector<deckhand::Finding> findings);

  [[nodiscard]] unsigned status() const noexcept { return status_; }
  [[nodiscard]] const std::string& type() const noexcept { return type_; }
  [[nodiscard]] const std::optional<std::string>& message() const noexcept { return message_; }
  [[nodiscard]] const std::vector<deckhand::Finding>& findings() const noexcept { return findings_; }
  [[nodiscard]] const char* what() const noexcept override { return type_.c_str(); }

 private:
  unsigned status_;
  std::string type_;
  std::optional<std::string> message_;
  std::vector<deckhand::Finding> findings_;
};

[[nodiscard]] Failure bad_request(std::string message);
/// A parameter of the query, or a name in the path, cannot be used.
[[nodiscard]] Failure bad_parameter(std::string_view name, std::string_view why);
[[nodiscard]] Failure no_route();
/// `type`: `RevisionNotFound`; listings say `HTTPNotFound`.
[[nodiscard]] Failure no_revision(std::string_view revision, std::string type = "RevisionNotFound");
/// What the dialect found wrong with documents that are to be rendered.
[[nodiscard]] Failure cannot_render(const deckhand::Refused& refused);

/// The answer: an object of kind `Status`.
[[nodiscard]] Response answer_of(const Request& request, const Failure& failure);
/// The same for a refusal that the service made.
[[nodiscard]] Response answer_of(const Request& request, const Refusal& refusal);

}  // namespace strata::service::buckets
