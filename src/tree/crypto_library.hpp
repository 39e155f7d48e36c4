// SPDX-License-Identifier: Apache-2.0
// libcrypto, loaded on first use: linking it would cost each start a millisecond.
#pragma once

#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

#include "tree/shared_library.hpp"

namespace strata {

/// The functions of libcrypto that are used here.
class Crypto : LibraryFunctions {
 public:
  /// The instance of this process, which is never unloaded. Throws Error `crypto.unavailable` if the library is
  /// missing. Thread-safe.
  [[nodiscard]] static const Crypto& loaded();

 private:
  Crypto() : LibraryFunctions({"libcrypto.so.3"}) {}

 public:
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define STRATA_CRYPTO(name) decltype(&::name) name = find<decltype(&::name)>(#name)
  STRATA_CRYPTO(BIO_ctrl);
  STRATA_CRYPTO(BIO_free_all);
  STRATA_CRYPTO(BIO_new);
  STRATA_CRYPTO(BIO_new_mem_buf);
  STRATA_CRYPTO(BIO_s_mem);
  STRATA_CRYPTO(CMS_ContentInfo_free);
  STRATA_CRYPTO(CMS_RecipientInfo_ktri_cert_cmp);
  STRATA_CRYPTO(CMS_RecipientInfo_type);
  STRATA_CRYPTO(CMS_decrypt);
  STRATA_CRYPTO(CMS_get0_RecipientInfos);
  STRATA_CRYPTO(ERR_clear_error);
  STRATA_CRYPTO(ERR_peek_last_error);
  STRATA_CRYPTO(ERR_reason_error_string);
  STRATA_CRYPTO(EVP_CIPHER_CTX_ctrl);
  STRATA_CRYPTO(EVP_CIPHER_CTX_free);
  STRATA_CRYPTO(EVP_CIPHER_CTX_new);
  STRATA_CRYPTO(EVP_CipherFinal_ex);
  STRATA_CRYPTO(EVP_CipherInit_ex);
  STRATA_CRYPTO(EVP_CipherUpdate);
  STRATA_CRYPTO(EVP_Digest);
  STRATA_CRYPTO(EVP_DigestFinal_ex);
  STRATA_CRYPTO(EVP_DigestInit_ex);
  STRATA_CRYPTO(EVP_DigestUpdate);
  STRATA_CRYPTO(EVP_MD_CTX_free);
  STRATA_CRYPTO(EVP_MD_CTX_new);
  STRATA_CRYPTO(EVP_MD_fetch);
  STRATA_CRYPTO(EVP_PKEY_free);
  STRATA_CRYPTO(EVP_PKEY_get_base_id);
  STRATA_CRYPTO(EVP_aes_128_cbc);
  STRATA_CRYPTO(EVP_aes_256_gcm);
  STRATA_CRYPTO(EVP_sha256);
  STRATA_CRYPTO(HMAC);
  STRATA_CRYPTO(OPENSSL_sk_num);
  STRATA_CRYPTO(OPENSSL_sk_value);
  STRATA_CRYPTO(PEM_read_bio_PrivateKey);
  STRATA_CRYPTO(PEM_read_bio_X509);
  STRATA_CRYPTO(PKCS5_PBKDF2_HMAC);
  STRATA_CRYPTO(RAND_bytes);
  STRATA_CRYPTO(X509_check_private_key);
  STRATA_CRYPTO(X509_free);
  STRATA_CRYPTO(d2i_CMS_bio);
#undef STRATA_CRYPTO
};

}  // namespace strata
