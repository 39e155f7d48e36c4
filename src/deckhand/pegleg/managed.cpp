// SPDX-License-Identifier: Apache-2.0
// Pegleg keeps secrets in wrappers:
//
//   schema: pegleg/PeglegManagedDocument/v1
//   metadata: …                      of the wrapper alone
//   data:
//     encrypted: {at: …, by: …}      there: the data below are encrypted
//     generated: {…}                 there: Pegleg made the document
//     managedDocument: {schema, metadata, data}
//
// Before rendering, the managed document takes the place of its wrapper. Decrypting waits until all documents are read,
// because the passphrase of other layers than `site` may be a document itself, encrypted with that of the site.
// Tested by tests/deckhand/pegleg_test.cpp.
#include "deckhand/pegleg/managed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "deckhand/pegleg/fernet.hpp"
#include "strata/near_names.hpp"
#include "strata/secret_keys.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"

namespace strata::deckhand {
namespace {

const Value* managed_member(const Value* mapping, std::string_view key) {
  return mapping == nullptr || !mapping->is_mapping() ? nullptr : mapping->find(key);
}

/// Whether a wrapper, or one in it, holds something that is encrypted or should be.
bool holds_encrypted(const Value& wrapper) {
  // Each step is one level deeper in the document: Limits::depth bounds them.
  for (const Value* at = &wrapper; at != nullptr && is_managed(*at);) {
    const Value* data = managed_member(at, "data");
    if (managed_member(data, "encrypted") != nullptr) return true;
    at = managed_member(data, "managedDocument");
    const Value* policy = at == nullptr ? nullptr : managed_member(managed_member(at, "metadata"), "storagePolicy");
    if (policy != nullptr && policy->is_text() && policy->text() == "encrypted") return true;
  }
  return false;
}

/// A text with a secret, which is erased when it is no longer needed.
class SecretText {
 public:
  explicit SecretText(std::string text) : text_(std::move(text)) {}
  ~SecretText() { explicit_bzero(text_.data(), text_.size()); }
  SecretText(const SecretText&) = delete;
  SecretText& operator=(const SecretText&) = delete;
  [[nodiscard]] std::string_view get() const noexcept { return text_; }

 private:
  std::string text_;
};

class Decryption {
 public:
  Decryption(std::span<Document> documents, const PeglegCredentials& credentials, Session& session, Arena& arena,
             Findings& findings)
      : documents_(documents),
        credentials_(credentials),
        sources_(session.sources()),
        limits_(session.limits()),
        arena_(arena),
        findings_(findings) {}

  void run() {
    const auto first = std::ranges::find_if(documents_, &Document::is_ciphertext);
    if (first == documents_.end()) return;
    try {
      check_credentials();
      site_ = std::make_unique<FernetKey>(credentials_.passphrase, credentials_.salt);
      if (std::ranges::any_of(documents_, [](const Document& one) { return one.is_ciphertext && one.layer != "site"; }))
        find_global();
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return add(*first, error);
    }
    for (Document& document : documents_) {
      check_stop(limits_.stop);
      if (!document.is_ciphertext) continue;
      try {
        const SecretText plain(opened(document, document.layer == "site" || global_ == nullptr ? *site_ : *global_));
        document.data = arena_.text(plain.get()).with_origin(document.data.origin()).with_secret();
      } catch (const Error& error) {
        if (error.ends_request()) throw;
        add(document, error);
      }
    }
  }

 private:
  void add(const Document& document, const Error& error) {
    if (findings_.skips()) return;
    findings_.add(finding(sources_, document, error.code(), error.what(),
                          document.data.origin() ? document.data.origin() : document.origin, error.diagnostic().hint));
  }

  void check_credentials() const {
    constexpr std::size_t kShortest = 24;
    for (const auto& [name, text] : {std::pair("PEGLEG_PASSPHRASE", std::string_view(credentials_.passphrase)),
                                     std::pair("PEGLEG_SALT", std::string_view(credentials_.salt))}) {
      if (text.empty()) {
        throw Error("deckhand.passphrase", fmt::format("it is encrypted, and {} is not set", name))
            .hint("set both PEGLEG_PASSPHRASE and PEGLEG_SALT; without both, secrets stay encrypted");
      }
      // Pegleg counts characters.
      if (text.size() < 4 * kShortest && code_points(text).size() < kShortest) {
        throw Error("deckhand.passphrase", fmt::format("{} has fewer than {} characters", name, kShortest))
            .hint("give the one that the secrets were encrypted with: Pegleg takes no shorter one");
      }
    }
  }

  [[nodiscard]] static std::string opened(const Document& document, const FernetKey& key) {
    if (!document.data.is_text()) {
      throw Error("deckhand.decrypt",
                  fmt::format("it is marked as encrypted, and its data are {}", describe(document.data.kind())))
          .hint("remove 'encrypted' from its wrapper, or encrypt it with Pegleg");
    }
    std::string plain = key.open(document.data.text());
    if (text::find_invalid_utf8(plain) == std::string_view::npos) return plain;
    explicit_bzero(plain.data(), plain.size());
    throw Error("deckhand.decrypt", "what was encrypted is not UTF-8 text")
        .hint("encrypt bytes as base64 text, and decode them where they are used");
  }

  /// The key of other layers than `site`, if the documents have one.
  void find_global() {
    const Document* const passphrase = named("global_passphrase");
    const Document* const salt = named("global_salt");
    if (passphrase == nullptr && salt == nullptr) return;
    if (passphrase == nullptr || salt == nullptr) {
      throw Error("deckhand.passphrase", fmt::format("there is a document {}, and no document {}",
                                                     passphrase != nullptr ? "global_passphrase" : "global_salt",
                                                     passphrase != nullptr ? "global_salt" : "global_passphrase"))
          .hint("secrets outside of the layer 'site' need both, or neither");
    }
    const SecretText opened_passphrase(text_of_secret(*passphrase));
    const SecretText opened_salt(text_of_secret(*salt));
    global_ = std::make_unique<FernetKey>(opened_passphrase.get(), opened_salt.get());
  }

  [[nodiscard]] const Document* named(std::string_view name) const {
    const auto found = std::ranges::find_if(documents_, [name](const Document& one) {
      return one.name == name && one.schema_name() == "deckhand/Passphrase/v1" && one.data.is_text();
    });
    return found == documents_.end() ? nullptr : &*found;
  }

  [[nodiscard]] std::string text_of_secret(const Document& document) const {
    return document.is_ciphertext ? opened(document, *site_) : std::string(document.data.text());
  }

  std::span<Document> documents_;
  const PeglegCredentials& credentials_;
  const Sources& sources_;
  const Limits& limits_;
  Arena& arena_;
  Findings& findings_;
  std::unique_ptr<const FernetKey> site_;
  std::unique_ptr<const FernetKey> global_;
};

}  // namespace

bool is_managed(const Value& root) {
  const Value* schema = managed_member(&root, "schema");
  return schema != nullptr && schema->is_text() && schema->text() == kManagedDocument;
}

Managed unwrap(const Value& root) {
  const Value* data = managed_member(&root, "data");
  const Value* document = managed_member(data, "managedDocument");
  return {.document = document != nullptr && document->is_mapping() ? *document : Value(),
          .is_encrypted = managed_member(data, "encrypted") != nullptr};
}

void finish_managed(Document& document, const Managed& managed, Arena& arena) {
  const Value data = document.data;
  if (data.kind() == Kind::binary && text::find_invalid_utf8(data.text()) == std::string_view::npos)
    document.data = arena.text(data.text()).with_origin(data.origin()).with_secret(data.is_secret());
  document.is_ciphertext = managed.is_encrypted;
  if (managed.is_encrypted || holds_encrypted(managed.document)) document.is_encrypted = true;
  if (document.is_encrypted) document.data = with_secrets(arena, document.data);
}

void decrypt_managed(std::span<Document> documents, const PeglegCredentials& credentials, Session& session,
                     Arena& arena, Findings& findings) {
  if (credentials.passphrase.empty() && credentials.salt.empty()) return;
  Decryption(documents, credentials, session, arena, findings).run();
}

}  // namespace strata::deckhand
