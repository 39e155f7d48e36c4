// SPDX-License-Identifier: Apache-2.0
#include "service/http/tls.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>

#include "strata/error.hpp"
#include "tree/descriptor.hpp"

namespace strata::service {
namespace {

/// What OpenSSL says of its last failure.
std::string last_failure() {
  std::array<char, 256> text{};
  const unsigned long code = ERR_peek_last_error();
  ERR_clear_error();
  if (code == 0) return "it cannot be read";
  ERR_error_string_n(code, text.data(), text.size());
  return text.data();
}

Error tls_error(std::string what, const std::string& file) {
  return Error("service.tls", fmt::format("{}: {}", what, last_failure())).in(file);
}

template <class Released, void (*Release)(Released*)>
struct Releaser {
  void operator()(Released* one) const noexcept { Release(one); }
};
using Certificate = std::unique_ptr<X509, Releaser<X509, X509_free>>;
using GeneralNames = std::unique_ptr<GENERAL_NAMES, Releaser<GENERAL_NAMES, GENERAL_NAMES_free>>;

}  // namespace

TlsContext::TlsContext(const TlsFiles& files) {
  // The library opens files by their names, and would wait for the writer of a pipe.
  for (const auto* names : {&files.certificates, &files.keys}) {
    for (const std::string& name : *names) (void)detail::open_named_file(name);
  }
  if (!files.client_ca.empty()) (void)detail::open_named_file(files.client_ca);
  if (files.certificates.empty() || files.certificates.size() != files.keys.size()) {
    throw Error("service.tls", "TLS needs a certificate and its key, and as many keys as certificates")
        .hint("--tls-cert FILE --tls-key FILE");
  }
  for (std::size_t i = 0; i < files.certificates.size(); ++i) {
    auto named = std::make_unique<Named>();
    SSL_CTX* const raw = named->context.native_handle();
    SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
    SSL_CTX_set_options(raw, SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(raw, SSL_MODE_RELEASE_BUFFERS);
    if (SSL_CTX_use_certificate_chain_file(raw, files.certificates[i].c_str()) != 1)
      throw tls_error("the certificate is none", files.certificates[i]);
    if (SSL_CTX_use_PrivateKey_file(raw, files.keys[i].c_str(), SSL_FILETYPE_PEM) != 1)
      throw tls_error("the key is none", files.keys[i]);
    if (SSL_CTX_check_private_key(raw) != 1) throw tls_error("the key is not that of the certificate", files.keys[i]);
    if (files.client_auth != TlsFiles::ClientAuth::none) {
      if (SSL_CTX_load_verify_locations(raw, files.client_ca.c_str(), nullptr) != 1)
        throw tls_error("the authorities are none", files.client_ca);
      SSL_CTX_set_client_CA_list(raw, SSL_load_client_CA_file(files.client_ca.c_str()));
      const bool is_needed = files.client_auth == TlsFiles::ClientAuth::require;
      SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | (is_needed ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), nullptr);
      // Sessions of clients with certificates are resumed only if they say whose they are.
      constexpr std::string_view kWhose = "strata";
      SSL_CTX_set_session_id_context(raw, reinterpret_cast<const unsigned char*>(kWhose.data()), kWhose.size());
    }
    SSL_CTX_set_tlsext_servername_callback(raw, &TlsContext::choose);
    SSL_CTX_set_tlsext_servername_arg(raw, this);
    contexts_.push_back(std::move(named));
  }
}

int TlsContext::choose(SSL* connection, int* /*alert*/, void* self) {
  const char* const name = SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name);
  if (name == nullptr) return SSL_TLSEXT_ERR_OK;
  for (const auto& one : static_cast<TlsContext*>(self)->contexts_) {
    SSL_CTX* const raw = one->context.native_handle();
    if (X509_check_host(SSL_CTX_get0_certificate(raw), name, 0, 0, nullptr) == 1) {
      SSL_set_SSL_CTX(connection, raw);
      break;
    }
  }
  return SSL_TLSEXT_ERR_OK;
}

std::vector<std::string> certificate_names(SSL* connection) {
  std::vector<std::string> out;
  const Certificate certificate(SSL_get1_peer_certificate(connection));
  if (!certificate || SSL_get_verify_result(connection) != X509_V_OK) return out;
  std::array<char, 1024> subject{};
  BIO* const bio = BIO_new(BIO_s_mem());
  X509_NAME_print_ex(bio, X509_get_subject_name(certificate.get()), 0, XN_FLAG_RFC2253);
  const int size = BIO_read(bio, subject.data(), static_cast<int>(subject.size()));
  BIO_free(bio);
  if (size > 0) out.push_back("subject:" + std::string(subject.data(), static_cast<std::size_t>(size)));
  const GeneralNames names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate.get(), NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), i);
    const char* const kind = name->type == GEN_DNS     ? "DNS:"
                             : name->type == GEN_EMAIL ? "email:"
                             : name->type == GEN_URI   ? "URI:"
                                                       : nullptr;
    if (kind == nullptr) continue;
    const auto* const text = ASN1_STRING_get0_data(name->d.ia5);
    std::string value(reinterpret_cast<const char*>(text), static_cast<std::size_t>(ASN1_STRING_length(name->d.ia5)));
    // A zero byte in a name is an attempt to look like another one.
    if (value.find('\0') == std::string::npos) out.push_back(kind + value);
  }
  return out;
}

}  // namespace strata::service
