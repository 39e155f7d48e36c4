// SPDX-License-Identifier: Apache-2.0
// Answers that are sent while they are made.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "service/channel.hpp"
#include "service/request.hpp"

namespace strata {
class Error;
class Stop;
}  // namespace strata

namespace strata::service {

class Packer;

/// Where the pieces of an answer go.
class Pieces {
 public:
  /// `packs`: they are packed on their way.
  explicit Pieces(Channel& channel, bool packs = false);
  ~Pieces();
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  /// Waits while the reader is behind. Error `service.gone` when it is gone.
  void push(std::string_view piece);

  /// The last piece, whatever becomes of it.
  void finish(std::string_view piece) noexcept;

 private:
  Channel& channel_;
  std::unique_ptr<Packer> packer_;
};

/// An answer whose pieces `make` pushes. `stop` ends its work when the reader is gone, and after ten minutes. `failed`
/// is the last piece where an Error ends it, for the status was sent long ago. `packs`: the client takes gzip, and
/// nothing in the answer is secret.
[[nodiscard]] Response streamed(std::string content_type, std::function<void(Pieces&, const Stop&)> make,
                                std::function<std::string(const Error&)> failed, bool packs = false);

/// An Error as a line of JSON lines: `{"error": {"code", "detail"}}`.
[[nodiscard]] std::string error_line(const Error& error);

}  // namespace strata::service
