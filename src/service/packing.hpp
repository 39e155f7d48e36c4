// SPDX-License-Identifier: Apache-2.0
// Bodies in gzip.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "service/request.hpp"

namespace strata::service {

/// Whether the client takes packed answers.
[[nodiscard]] bool takes_gzip(const Request& request);
/// Whether an answer is large enough to be packed, and is not yet.
[[nodiscard]] bool is_worth_packing(const Response& response);
/// Packs an answer if that is worth it and the client takes it. `Vary` says that it depends on the client.
void pack_for(const Request& request, Response& response);
/// Whether an answer may be packed: secrets must not be guessed by the size of what was packed with them.
[[nodiscard]] bool may_be_packed(const Response& response);

/// Packs a text piece by piece, in flat memory.
class Packer {
 public:
  Packer();
  ~Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  /// What is packed so far; a part of it may wait for the next call. `is_last`: nothing follows.
  [[nodiscard]] std::string add(std::string_view piece, bool is_last = false);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

/// Packs the body, if that is shorter. The entity tag of the packed body has `-gzip` at its end.
void pack(Response& response);

/// What stood packed in some bytes.
struct Unpacked {
  std::string bytes;
  bool is_too_large = false;  ///< There is more than was wanted: `bytes` is a beginning.
  bool is_gzip = false;       ///< Its end and its sum are right.
  bool has_rest = false;      ///< Bytes follow it.
};
/// Unpacks gzip, and stops behind `most` bytes: memory is bounded whatever was packed.
[[nodiscard]] Unpacked unpacked(std::string_view packed, std::size_t most);
/// Undoes `Content-Encoding: gzip` of a body. Error (Refused) for what is broken, larger than `most`, or of another
/// encoding.
void unpack(Request& request, std::size_t most);

}  // namespace strata::service
