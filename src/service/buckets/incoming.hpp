// SPDX-License-Identifier: Apache-2.0
// The documents of a PUT, read and checked, before the store is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/face.hpp"

namespace strata::service::buckets {

/// What names a document: the same triple is the same document.
struct Triple {
  std::string schema;
  std::optional<std::string> layer;
  std::string name;

  [[nodiscard]] bool is_policy() const { return schema.starts_with("deckhand/LayeringPolicy"); }
  /// For tables.
  [[nodiscard]] std::string key() const;
  /// For messages: `[schema, layer] name`.
  [[nodiscard]] std::string to_string() const;
};

/// A document as it will be stored and answered.
struct Incoming {
  Triple triple;
  std::string metadata;            ///< With defaults, as JSON.
  std::string data;                ///< As JSON, with line breaks. Of an encrypted document: the secret.
  std::string canonical_metadata;  ///< Equal for equal metadata.
  std::string digest;              ///< Of what is stored. Empty if it is sealed: then it depends on the secret's id.
  std::string data_yaml;           ///< `data: …`, for the answer. Empty if it is sealed.
  std::string rest_yaml;           ///< `metadata: …` and `schema: …`
  std::int64_t line = 1;           ///< Where it begins in the body.
  bool is_encrypted = false;
  bool is_sealed = false;  ///< It is encrypted, and there is something to encrypt.
  bool is_shown = true;    ///< Answers show it.
};

/// Reads the body of a request. Errors (Failure): 400 for what is not YAML or not documents.
[[nodiscard]] std::vector<Incoming> read_incoming(const Call& call);

/// The digest of a document whose data are sealed: two have the same if they have one secret.
[[nodiscard]] std::string sealed_digest(const Incoming& document, std::string_view id);

/// What stands in the place of sealed data.
[[nodiscard]] std::string secret_reference(std::string_view id);

}  // namespace strata::service::buckets
