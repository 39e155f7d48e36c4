// SPDX-License-Identifier: Apache-2.0
// The service without its listeners: finds the face and the route of a request, asks the policy, and answers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/core.hpp"
#include "service/face.hpp"

namespace strata::service {

/// Where a request goes.
struct Way {
  const Face* face = nullptr;  ///< Null: no face has the path.
  Router::Found found = {};
  bool is_elsewhere = false;  ///< Other listeners have the face: here it only says in which form requests are refused.
  bool is_brief = false;      ///< Answered by the thread that reads requests.
  std::size_t longest_body = 0;  ///< Bytes.
};

/// The path of `OPTIONS *`, which asks about no path.
inline constexpr std::string_view kWholeServer = "*";

/// Thread-safe.
class Service {
 public:
  Service(Core& core, std::vector<std::unique_ptr<Face>> faces, std::size_t longest_body);

  /// Reads the path and the query of a target into `request`. Error (Refused), and Error `request.query`, for what is
  /// none: then the path is read as far as that tells its face.
  static void read_target(std::string_view target, Request& request);
  [[nodiscard]] Way way(const Request& request) const;
  /// The tenant that the path names. Null: it names none.
  [[nodiscard]] static const std::string* project_of(const Way& way);
  [[nodiscard]] const std::vector<std::unique_ptr<Face>>& faces() const noexcept { return faces_; }
  /// An answer that is there already. No value: there is none.
  [[nodiscard]] std::optional<Response> quick(const Request& request, const Way& way, const Stop& stop) const;
  /// Answers, whatever happens.
  [[nodiscard]] Response answer(const Request& request, const Way& way, const Stop& stop) const;
  [[nodiscard]] Response answer(const Request& request, const Stop& stop) const {
    return answer(request, way(request), stop);
  }
  [[nodiscard]] Response refused(const Request& request, const Way& way, const Refusal& refusal) const;
  /// Whether a request is refused whatever its body says: nothing is there, or it is not allowed to who asks.
  [[nodiscard]] bool refuses(const Request& request, const Way& way, const Stop& stop) const;
  /// The answer to such a request, which no handler sees. No value: it is not refused.
  [[nodiscard]] std::optional<Response> refused_early(const Request& request, const Way& way, const Stop& stop) const;

 private:
  /// The number of the face that a path leads to; that of all faces: none has it.
  [[nodiscard]] std::size_t face_of(const Request& request) const;
  void note_refusal(const Request& request, const Way& way, const Refusal& refusal, const Stop& stop) const noexcept;

  Core& core_;
  std::vector<std::unique_ptr<Face>> faces_;
  std::vector<Router> routers_;  ///< One for each face.
  std::size_t longest_body_;
};

}  // namespace strata::service
