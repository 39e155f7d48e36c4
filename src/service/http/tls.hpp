// SPDX-License-Identifier: Apache-2.0
// TLS of the listeners: certificates, who must show one, and which names it has.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>
#include <vector>

#include "service/http/server.hpp"

namespace strata::service {

/// Certificates with their keys, ready for connections. Immutable.
class TlsContext {
 public:
  /// Errors: `service.tls`.
  explicit TlsContext(const TlsFiles& files);
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  /// That of the first certificate; connections that ask for a name get the one that has it.
  [[nodiscard]] boost::asio::ssl::context& context() noexcept { return contexts_.front()->context; }

 private:
  struct Named {
    boost::asio::ssl::context context{boost::asio::ssl::context::tls_server};
  };
  static int choose(SSL* connection, int* alert, void* self);
  std::vector<std::unique_ptr<Named>> contexts_;
};

/// The subject and the alternative names of the client's certificate, which was verified. Empty: it has shown none.
[[nodiscard]] std::vector<std::string> certificate_names(SSL* connection);

}  // namespace strata::service
