// SPDX-License-Identifier: Apache-2.0
#include "keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>

#include "strata/error.hpp"
#include "tree/crypto_library.hpp"

namespace strata::hiera::eyaml {
namespace {

constexpr int kMostRecipients = 1000;  ///< Each one costs an RSA operation where there is no certificate.

const Crypto& crypto() { return Crypto::loaded(); }

struct Free {
  void operator()(BIO* item) const noexcept { crypto().BIO_free_all(item); }
  void operator()(EVP_PKEY* item) const noexcept { crypto().EVP_PKEY_free(item); }
  void operator()(X509* item) const noexcept { crypto().X509_free(item); }
  void operator()(CMS_ContentInfo* item) const noexcept { crypto().CMS_ContentInfo_free(item); }
};
template <class Type>
using Owned = std::unique_ptr<Type, Free>;

/// OpenSSL's list of errors, one a thread, empty before and after.
struct CleanErrors {
  CleanErrors() noexcept { crypto().ERR_clear_error(); }
  CleanErrors(const CleanErrors&) = delete;
  CleanErrors& operator=(const CleanErrors&) = delete;
  ~CleanErrors() { crypto().ERR_clear_error(); }
};

/// Why the last call failed, in OpenSSL's words, which hold nothing of keys or contents.
std::string reason() {
  const char* const text = crypto().ERR_reason_error_string(crypto().ERR_peek_last_error());
  return text != nullptr ? text : "unknown reason";
}

Owned<BIO> memory(std::string_view bytes) {
  Owned<BIO> bio(crypto().BIO_new_mem_buf(bytes.data() != nullptr ? bytes.data() : "",
                                          static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX))));
  if (bio == nullptr) throw std::bad_alloc();
  return bio;
}

/// Instead of asking on the terminal.
int refuse_passphrase(char*, int, int, void* asked) noexcept {
  *static_cast<bool*>(asked) = true;
  return -1;
}

Owned<EVP_PKEY> read_key(const Pem& pem) {
  bool asked = false;
  Owned<EVP_PKEY> key(crypto().PEM_read_bio_PrivateKey(memory(pem.text).get(), nullptr, refuse_passphrase, &asked));
  if (key == nullptr && asked) {
    throw Error("eyaml.key", fmt::format("the private key in '{}' is protected by a passphrase", pem.name))
        .hint("store it without one: openssl rsa -in FILE -out FILE");
  }
  if (key == nullptr)
    throw Error("eyaml.key", fmt::format("'{}' does not contain a private key in PEM format ({})", pem.name, reason()));
  if (crypto().EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_RSA)
    throw Error("eyaml.key", fmt::format("the private key in '{}' is not an RSA key", pem.name));
  return key;
}

Owned<X509> read_certificate(const Pem& pem) {
  bool asked = false;
  Owned<X509> certificate(crypto().PEM_read_bio_X509(memory(pem.text).get(), nullptr, refuse_passphrase, &asked));
  if (certificate == nullptr) {
    throw Error("eyaml.key", fmt::format("'{}' does not contain a certificate in PEM format ({})", pem.name, reason()))
        .hint("the public key of eyaml is an X.509 certificate: BEGIN CERTIFICATE");
  }
  return certificate;
}

}  // namespace

void wipe(std::string& text) noexcept {
  explicit_bzero(text.data(), text.size());
  text.clear();
}

struct Keys::State {
  Owned<EVP_PKEY> key;
  Owned<X509> certificate;
  std::string key_name;
  std::string certificate_name;

  [[nodiscard]] bool fits(CMS_RecipientInfo* recipient) const {
    if (crypto().CMS_RecipientInfo_type(recipient) != CMS_RECIPINFO_TRANS) return false;
    return certificate == nullptr || crypto().CMS_RecipientInfo_ktri_cert_cmp(recipient, certificate.get()) == 0;
  }

  void check_recipients(CMS_ContentInfo* envelope) const {
    // Not ours to free. Null where the content is something else than an envelope.
    STACK_OF(CMS_RecipientInfo)* const recipients = crypto().CMS_get0_RecipientInfos(envelope);
    if (recipients == nullptr) throw Error("eyaml.envelope", "the decoded bytes are not an encrypted envelope");
    const int count = crypto().OPENSSL_sk_num(ossl_check_const_CMS_RecipientInfo_sk_type(recipients));
    if (count > kMostRecipients)
      throw Error("eyaml.envelope",
                  fmt::format("an envelope for {} recipients is more than {}", count, kMostRecipients));
    for (int i = 0; i < count; ++i) {
      if (fits(static_cast<CMS_RecipientInfo*>(
              crypto().OPENSSL_sk_value(ossl_check_const_CMS_RecipientInfo_sk_type(recipients), i))))
        return;
    }
    if (certificate == nullptr) throw Error("eyaml.recipient", "the value was not encrypted for any RSA key");
    throw Error("eyaml.recipient",
                fmt::format("the value was encrypted for another certificate than the one in '{}'", certificate_name))
        .hint("encrypt it again, or use the key pair that it was encrypted for");
  }
};

Keys::Keys(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Keys::Keys(Keys&& other) noexcept = default;
Keys& Keys::operator=(Keys&& other) noexcept = default;
Keys::~Keys() = default;

Keys Keys::from_pem(const Pem& private_key, const std::optional<Pem>& certificate) {
  const CleanErrors clean;
  auto state = std::make_unique<State>();
  state->key = read_key(private_key);
  state->key_name = private_key.name;
  if (certificate) {
    state->certificate = read_certificate(*certificate);
    state->certificate_name = certificate->name;
    if (crypto().X509_check_private_key(state->certificate.get(), state->key.get()) != 1)
      throw Error("eyaml.key", fmt::format("the private key in '{}' does not match the certificate in '{}'",
                                           private_key.name, certificate->name));
  }
  return Keys(std::move(state));
}

std::string Keys::open(std::string_view der) const {
  const CleanErrors clean;
  const Owned<CMS_ContentInfo> envelope(crypto().d2i_CMS_bio(memory(der).get(), nullptr));
  if (envelope == nullptr) {
    throw Error("eyaml.envelope", fmt::format("the decoded bytes are not an encrypted envelope ({})", reason()))
        .hint("the block is damaged or cut off; encrypt the value again");
  }
  state_->check_recipients(envelope.get());
  const Owned<BIO> out(crypto().BIO_new(crypto().BIO_s_mem()));
  if (out == nullptr) throw std::bad_alloc();
  // "Debug" means that a key that does not fit is said to be so. Otherwise OpenSSL goes on with a random one, to tell
  // attackers nothing about the padding; here the one who asks sees the content anyway, and one wrong key of 256 would
  // give garbage.
  constexpr unsigned kFlags = CMS_BINARY | CMS_DEBUG_DECRYPT;
  if (crypto().CMS_decrypt(envelope.get(), state_->key.get(), state_->certificate.get(), nullptr, out.get(), kFlags) !=
      1) {
    throw Error("eyaml.decrypt",
                fmt::format("the value does not open with the private key in '{}' ({})", state_->key_name, reason()))
        .hint("it was encrypted for another key, or is damaged");
  }
  char* data = nullptr;
  const long size = crypto().BIO_ctrl(out.get(), BIO_CTRL_INFO, 0, &data);
  return size > 0 ? std::string(data, static_cast<std::size_t>(size)) : std::string();
}

}  // namespace strata::hiera::eyaml
