// Answers of the Deckhand face: YAML, and errors as its clients know them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "service/request.hpp"
#include "strata/deckhand.hpp"
#include "strata/value.hpp"

namespace strata::service::buckets {

inline constexpr std::string_view kYaml = "application/x-yaml";

/// One document.
[[nodiscard]] Response yaml_response(const Value& value, unsigned status = 200);
/// A stream of documents; none is an empty body.
[[nodiscard]] Response yaml_response(std::span<const Value> documents, unsigned status = 200);

/// The body of an error: an object of kind Status. `type` is the name of the error in Deckhand; without a message it is null.
struct Failure {
  unsigned status = 400;
  std::string type;
  std::string message = {};
  bool is_validation = false;  ///< Its reason.
  std::span<const deckhand::Finding> findings = {};
};
[[nodiscard]] Response failure_response(const Request& request, const Failure& failure);

/// What is wrong with documents that cannot be rendered or stored.
[[nodiscard]] Response refused_response(const Request& request, const deckhand::Refused& refused);

/// A refusal with a name of Deckhand.
[[nodiscard]] Refused refused(unsigned status, std::string type, std::string message);
/// There is no such revision. In listings the reference calls it by another name.
[[nodiscard]] Refused no_revision(std::string_view number, bool in_listing = false);

}  // namespace strata::service::buckets
