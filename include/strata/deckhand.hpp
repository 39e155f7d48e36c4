// SPDX-License-Identifier: Apache-2.0
// Deckhand: renders documents with layers, parents and substitutions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::query {
struct Traits;
}

namespace strata::deckhand {

/// Which rule applies if the documented and the shipped behaviour differ (docs/deckhand/render.md, "Promised and
/// shipped").
enum class Compat {
  promised,  ///< As documented: `delete` removes what its path names.
  shipped,   ///< As the reference does: `delete` removes the first equal value.
};

/// A text that holds a stream of documents.
struct Stream {
  std::string name;  ///< The name in places: a file name, `<stdin>`.
  std::string text;
};

/// Identifies a document: by all three members before rendering, by schema and name after it. A member that is not
/// known is empty.
struct Identity {
  std::string schema;
  std::string layer;
  std::string name;

  /// For messages: `example/Kind/v1 site/name`.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Identity&, const Identity&) = default;
};

/// Selects rendered documents. Every filter that is given must match. Within `names`, `layers` and `schemas`, one match
/// is enough.
struct Filters {
  std::vector<std::string> schemas;  ///< `namespace`, `namespace/Kind` or `namespace/Kind/v1`; whole words only.
  std::vector<std::string> layers;
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> labels;  ///< All must be present, with equal texts.
};

/// Opens the secrets that Pegleg encrypted. Both members empty: they stay encrypted.
struct PeglegCredentials {
  std::string passphrase;  ///< At least 24 characters.
  std::string salt;        ///< The same.
};

struct Request {
  std::vector<Stream> streams;   ///< Their documents form one list.
  std::vector<Value> documents;  ///< More documents, already parsed. The caller keeps them alive.
  /// The numbers of those of `documents` whose data cannot be read, rising: neither they nor documents that need them
  /// are rendered.
  std::vector<std::size_t> withheld = {};
  Filters filters;
  bool cleartext_secrets = false;  ///< Redact nothing.
  /// Report mistakes in the data of documents that hold secrets. Anyone who can write a schema or a pattern learns from
  /// such a report what the secrets are. Without reports such a document is withheld, as those that need it are.
  bool checks_secrets = true;
  bool keeps_validation_policies = false;  ///< Their documents are in the result, too.
  bool require_storage_policy =
      false;  ///< Reject a document without `storagePolicy`. Otherwise it counts as cleartext.
  Compat compat = Compat::promised;
  /// A document in a wrapper of Pegleg (`pegleg/PeglegManagedDocument/v1`) takes the place of the wrapper. Otherwise a
  /// wrapper is a document like any other.
  bool unwraps_managed = true;
  PeglegCredentials pegleg = {};
  /// A substitution whose source does not exist is skipped, with a warning. Otherwise it is a finding.
  bool allows_missing_sources = false;
};

/// One problem with a document.
struct Finding {
  Diagnostic diagnostic;
  Identity document = {};
  std::string check = {};  ///< `D001` (its form), `D002` (its data). Empty if several documents are involved.
  std::string validation_schema = {};  ///< D002: the name of the schema that the data violates.
  std::string schema_path = {};        ///< D002: the position in the schema, `.properties.a.type`.
  std::string error_section = {};      ///< D002: the part of the document around the failure, as JSON, without secrets.
};

/// The documents cannot be rendered. Holds every finding.
class Refused : public Errors {
 public:
  /// `findings` must not be empty.
  explicit Refused(std::vector<Finding> findings);
  [[nodiscard]] const std::vector<Finding>& findings() const noexcept { return *findings_; }

 private:
  std::shared_ptr<const std::vector<Finding>> findings_;
};

/// A document that is there for others.
struct Helper {
  Origin origin;         ///< Where it begins.
  bool is_abstract;      ///< Else it is a concrete document of a secret type.
  bool is_used = false;  ///< As a parent, if it is abstract; or as the source of a substitution.
};

/// Rendered documents.
struct Result {
  merge::Traced documents;           ///< A sequence of mappings `{schema, metadata, data}`, in the reference's order.
  std::vector<Identity> identities;  ///< One per document, in the same order.
  /// For each document, whether it is encrypted, or got something from an encrypted one by substitution or as its
  /// child.
  std::vector<bool> secrets = {};
  /// For each document, whether it is not rendered because of Request::withheld: its data are null. Empty: all are.
  std::vector<bool> withheld = {};
  std::vector<Helper> helpers = {};    ///< In the order of the input.
  std::shared_ptr<const void> memory;  ///< Keeps the documents alive after the Session ends.
};

/// Reads the inputs of a command line: files, folders, and `-`, which stands for `standard_input`. From a folder it
/// reads `*.yaml` and `*.yml`, by name, in all folders below too, except in folders whose name begins with a dot; not
/// `.strata.yaml`.
/// Errors: those of the tree; `deckhand.input` if an input does not exist, or a folder contains something that is not a
/// regular file, or folders nest without end.
[[nodiscard]] std::vector<Stream> gather(std::span<const std::string> inputs, const FileTree& tree,
                                         const std::optional<std::string>& standard_input);

/// Checks the form of one document, as render does. Throws Refused with everything that is wrong. The value must be a
/// mapping.
void check_form(const Value& document, bool require_storage_policy, Session& session);

/// Renders documents: checks them, finds parents, merges layers, substitutes, checks the data, redacts, filters. Reads
/// no files and starts no programs. The texts of `request` move into the Session. Problems are thrown together, as
/// Refused. An exceeded limit is thrown as Error. A warning reports what the reference does silently and people do not
/// expect. The layers of a history are named `layer/name`. Cost: linear in the documents, their labels and the
/// substituted values. Rule: docs/deckhand/render.md.
[[nodiscard]] Result render(Request request, Session& session);

/// Properties of Deckhand, for analyses. Thread-safe.
[[nodiscard]] const query::Traits& traits();

}  // namespace strata::deckhand
