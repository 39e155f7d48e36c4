// Answers that are sent while they are made.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "service/channel.hpp"
#include "service/request.hpp"

namespace strata {
class Error;
class Stop;
}  // namespace strata

namespace strata::service {

/// Where the pieces of an answer go.
class Pieces {
 public:
  explicit Pieces(Channel& channel) : channel_(channel) {}
  /// Waits while the reader is behind. Error `service.gone` when it is gone.
  void push(std::string_view piece);

 private:
  Channel& channel_;
};

/// An answer whose pieces `make` pushes. `stop` ends its work when the reader is gone, and after ten minutes. `failed` is the last piece where an
/// Error ends it, for the status was sent long ago.
[[nodiscard]] Response streamed(std::string content_type, std::function<void(Pieces&, const Stop&)> make,
                                std::function<std::string(const Error&)> failed);

/// An Error as a line of JSON lines: `{"error": {"code", "detail"}}`.
[[nodiscard]] std::string error_line(const Error& error);

}  // namespace strata::service
