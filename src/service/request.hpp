// SPDX-License-Identifier: Apache-2.0
// A request as faces see it, whole and checked; and the answer.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/fields.hpp"
#include "strata/origin.hpp"

namespace strata::service {

class Channel;

/// Who asks.
struct Principal {
  std::string name = "anonymous";
  std::string method = {};  ///< How it was recognised: `none`, `headers`, `tokens`, …
  std::vector<std::string> roles =
      {};                    ///< `reader`, `editor`, `admin`, `secret-reader`, `node`, and those of other systems.
  std::string project = {};  ///< Of the credential. Empty: any.
  std::string node = {};     ///< Whose endpoints a credential of role `node` opens.
  bool is_everywhere =
      false;  ///< The roles hold in all projects, although the credential has one: an administrator of Keystone's.
  std::vector<Field> attributes =
      {};  ///< What else the policy can ask for: `system_scope`, `user_domain_id`, `domain_id`, `project_domain_id`.

  /// Whether the credential is for data of a project.
  [[nodiscard]] bool reaches(std::string_view wanted) const noexcept {
    return project.empty() || is_everywhere || project == wanted;
  }
  [[nodiscard]] bool has_role(std::string_view role) const noexcept;
};

/// Why a request is refused. Each face writes it in its own form.
struct Refusal {
  unsigned status = 400;
  std::string code = {};  ///< Of docs/errors.md.
  std::string message = {};
  std::string hint = {};
  std::string type = {};  ///< As the system of a face calls it. Empty: the face chooses by the code.
  Headers headers = {};   ///< `Allow`, `Retry-After`, `WWW-Authenticate`
  std::vector<Place> places = {};
};

/// A refusal, with `Retry-After` for a status that a client may try again (429, 503).
[[nodiscard]] Refusal refusal(unsigned status, std::string code, std::string message, std::string hint = {});
/// The refusal where the memory does not suffice for a request.
[[nodiscard]] Refusal no_memory();

struct Request {
  std::string method;  ///< `GET`
  std::string path;    ///< As sent, without the query.
  std::vector<std::string>
      segments;  ///< Of the path, decoded once; without `p/{project}` and without the empty one after a final slash.
  std::string query_text;  ///< As sent, without `?`.
  Query query;
  Headers headers;
  std::string body;     ///< Whole. Transfer and content encodings are undone.
  std::string id;       ///< Of the request: for logs, the audit and its answer.
  std::string base;     ///< `http://HOST:PORT`, as the client calls the service.
  std::string project;  ///< Of the path's `/p/{project}`, of the credential, or `default`.
  std::string address;  ///< Of the client.
  /// Where the request belongs in a trace of its sender (W3C Trace Context). Empty: it told none.
  struct Trace {
    std::string id = {};
    std::string span = {};   ///< This request's own.
    std::string flags = {};  ///< Two digits.
    std::string state = {};
  } trace = {};
  /// Whom the client's certificate, which was verified, names: `subject:CN=web01,O=Example` (RFC 2253),
  /// `DNS:web01.example.org`, `URI:…`, `email:…`.
  std::vector<std::string> certificate_names = {};
  Principal principal;
  std::optional<Refusal> unknown =
      {};  ///< Nobody is known to ask, because of this. Only what is for everybody is answered.
  /// Of a request that waits for another answer: until when. It has been answered before.
  std::optional<std::chrono::steady_clock::time_point> waits_until = {};
};

/// What is called when something may have changed; null once no request waits. Must not wait.
using Wake = std::shared_ptr<const std::function<void()>>;

struct Response {
  unsigned status = 200;
  Headers headers = {};  ///< `Content-Type` if there is a body. The listener adds what belongs to transport.
  std::string body = {};
  std::shared_ptr<Channel> stream = {};  ///< Instead of a body: pieces that come while they are made.
  /// Makes the pieces of `stream` and closes it. Called once, by a thread for such work. Throws nothing. Empty:
  /// another component makes them.
  std::function<void()> make = {};
  /// The client waits for another answer than this one, until `until`: begins to wait without a thread. `wake`, as
  /// long as it is set, is called by any thread when there may be one, and the request is answered again. False: the
  /// wait is over. Empty: the answer stands.
  std::function<bool(const Wake& wake)> wait = {};
  std::chrono::steady_clock::time_point until = {};
  std::string error = {};      ///< The code of the refusal that this is, for the log. Empty: it is none.
  bool shows_secrets = false;  ///< It shows secrets in clear text, and is not packed.
};

/// Thrown by handlers to refuse a request; other Errors become refusals by their code (refusal_of).
class Refused : public std::exception {
 public:
  explicit Refused(Refusal refusal) noexcept : refusal_(std::move(refusal)) {}
  [[nodiscard]] const Refusal& refusal() const noexcept { return refusal_; }
  [[nodiscard]] const char* what() const noexcept override { return refusal_.message.c_str(); }

 private:
  Refusal refusal_;
};

/// The standard phrase of a status: `Not Found`.
[[nodiscard]] std::string_view reason_phrase(unsigned status) noexcept;

}  // namespace strata::service
