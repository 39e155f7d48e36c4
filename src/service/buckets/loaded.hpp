// SPDX-License-Identifier: Apache-2.0
// Documents of a revision, taken from the store.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "service/core.hpp"
#include "store/documents.hpp"
#include "store/secret_bytes.hpp"
#include "strata/error.hpp"
#include "strata/session.hpp"
#include "strata/value.hpp"

namespace strata::service::buckets {

/// What one transaction read.
struct Stored {
  std::vector<store::Document> rows;
  std::vector<store::SecretBytes>
      secrets;  ///< For each row: its opened data, or nothing. Empty if secrets were not asked for.
  std::map<std::size_t, Diagnostic> broken;  ///< Why the data of rows cannot be opened.

  [[nodiscard]] std::size_t bytes() const;
};

/// Opens the sealed data of all rows. What cannot be opened is broken, and nothing else is. Errors: those of the store
/// and of its keys.
void open_secrets(const Call& call, store::Transaction& transaction, const store::Project& project, Stored& stored);

/// A stored document as values. Its texts and nodes live in a Session.
struct LoadedDocument {
  const store::DocumentHead* head;
  Value root;  ///< `{schema, metadata, data}`
  bool is_encrypted;

  [[nodiscard]] const Value& schema() const { return root.entries()[0].value; }
  [[nodiscard]] const Value& metadata() const { return root.entries()[1].value; }
  [[nodiscard]] const Value& data() const { return root.entries()[2].value; }
};

/// Reads the texts of the rows. Where a secret is not there, or broken, its reference is the data. `stored` must
/// outlive the result; the secrets are wiped.
[[nodiscard]] std::vector<LoadedDocument> read_stored(Stored& stored, Session& session);

/// A document as answers show it.
struct Shown {
  const store::DocumentHead* head;
  Value view;  ///< `{data, id, metadata, schema, status}`
  bool is_secret = false;
  bool is_withheld = false;  ///< It is made of secrets that cannot be opened, and has no data.

  [[nodiscard]] const Value& data() const { return view.entries()[0].value; }
  [[nodiscard]] const Value& metadata() const { return view.entries()[2].value; }
  [[nodiscard]] const Value& schema() const { return view.entries()[3].value; }
};

/// Makes views.
class Views {
 public:
  explicit Views(Arena& arena);
  [[nodiscard]] Value view(const store::DocumentHead& head, std::int64_t revision, const Value& schema,
                           const Value& metadata, const Value& data);

 private:
  Arena& arena_;
  Value data_, id_, metadata_, schema_, status_, bucket_, revision_;
};

}  // namespace strata::service::buckets
