// SPDX-License-Identifier: Apache-2.0
// A face: paths of the service that belong together, with their own form of errors.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/request.hpp"
#include "strata/error.hpp"

namespace strata {
class Stop;
}  // namespace strata

namespace strata::service {

class Core;
struct Route;

/// One request on its way through a route.
struct Call {
  const Request& request;
  const Route& route;
  Core& core;
  const Stop& stop;  ///< Ends the work: the request's deadline, or the end of the service.
  std::vector<std::string>
      captures{};         ///< What stands in the path for the `{…}` of the route's pattern, in their order; decoded.
  std::string project{};  ///< The tenant: the capture `{project}` of the pattern, or the request's.

  [[nodiscard]] const std::string& operator[](std::size_t capture) const { return captures[capture]; }
  /// Whether the policy allows an action (`deckhand:list_encrypted_documents`) to who asks, and the credential is for
  /// the project.
  [[nodiscard]] bool may(std::string_view action) const;
  /// Error (Refused, 403) if not.
  void demand(std::string_view action) const;
  /// The same for what is about all projects: the credential must be for all of them.
  void demand_everywhere(std::string_view action) const;
};

struct Route {
  enum class Work : bool {
    brief,
    long_
  };  ///< Brief work is done by the thread that reads requests. It must not read the store.

  std::string_view method;
  /// `/revisions/{id}/documents`. `{NAME}` is one part of the path, `{NAME*}` at the end is one part or more, joined by
  /// slashes.
  std::string_view pattern;
  std::string_view action;  ///< Of the policy. Empty: for everybody, or the handler asks.
  Work work = Work::long_;
  std::function<Response(const Call&)> answer;
  /// An answer that is there already, found without waiting by the thread that reads requests. No value: `answer` makes
  /// it. Empty: there never is one.
  std::function<std::optional<Response>(const Call&)> quick = {};
  std::size_t longest_body = 0;  ///< 0: that of the face.
};

/// Thread-safe: all is const, and handlers guard what they keep.
class Face {
 public:
  virtual ~Face() = default;
  /// `deckhand`
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  /// The paths begin with one of these.
  [[nodiscard]] virtual std::span<const std::string_view> prefixes() const noexcept = 0;
  [[nodiscard]] virtual std::span<const Route> routes() const noexcept = 0;
  /// An answer in this face's form. `call` is null if no route was found.
  [[nodiscard]] virtual Response refused(const Request& request, const Refusal& refusal) const = 0;
  /// Looks at what each request to the face must have, before anything asks where it leads and who sends it. Its body
  /// may be only announced. Error (Refused) if it has not. Not called for what is refused for another reason than that
  /// nobody is known.
  virtual void check_head(const Request& /*request*/) const {}
  /// What every answer of the face carries: headers of its own.
  virtual void finish(const Request& /*request*/, Response& /*response*/) const {}
  /// The answer to a known path with another method than those of its routes. By default Error (Refused, 405) with
  /// `Allow`; 204 for OPTIONS.
  [[nodiscard]] virtual Response other_method(const Request& request, const std::string& allowed) const;
  /// Whether HEAD is GET without a body.
  [[nodiscard]] virtual bool knows_head() const noexcept { return true; }
  /// The project of requests that name none, and whose credential is for none.
  [[nodiscard]] virtual std::string_view project() const noexcept { return "default"; }
  /// The longest body. 0: as the service is configured.
  [[nodiscard]] virtual std::size_t longest_body() const noexcept { return 0; }

 protected:
  /// Error (Refused, 405), with these methods as they are.
  [[noreturn]] static void refuse_method(const Request& request, const std::string& allowed);
};

/// Finds routes by path.
class Router {
 public:
  /// The routes must stay where they are.
  explicit Router(std::span<const Route> routes);

  struct Found {
    const Route* route = nullptr;  ///< Null: no pattern fits, or none with the method.
    std::vector<std::string> captures = {};
    std::string allowed = {};  ///< The methods of the patterns that fit: `GET, PUT`. Empty: none fits.
  };
  [[nodiscard]] Found find(std::string_view method, std::span<const std::string> segments) const;

 private:
  struct Pattern {
    const Route* route = nullptr;
    std::vector<std::string_view> parts = {};
    std::size_t captures = 0;
    bool takes_rest = false;

    [[nodiscard]] bool fits(std::span<const std::string> segments) const noexcept;
    [[nodiscard]] std::vector<std::string> captured(std::span<const std::string> segments) const;
  };
  std::vector<Pattern> patterns_;
};

/// What an Error means to a client: its status, by code and category.
[[nodiscard]] Refusal refusal_of(const Error& error);

}  // namespace strata::service
