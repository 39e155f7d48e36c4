// Deckhand: documents with layers, parents and substitutions to rendered documents.
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

namespace strata::deckhand {

/// Where the seed's promise and the shipped reference differ (docs/deckhand/render.md, "Promised and shipped").
enum class Compat {
  promised,  ///< What is documented: `delete` removes what its path names.
  shipped,   ///< What the reference does: `delete` removes the first equal value.
};

/// A text that holds a stream of documents.
struct Stream {
  std::string name;  ///< What places show: a file name, `<stdin>`.
  std::string text;
};

/// What names a document: before rendering all three, after it schema and name. Empty where it is not known.
struct Identity {
  std::string schema;
  std::string layer;
  std::string name;

  /// For messages: `example/Kind/v1 site/name`.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Identity&, const Identity&) = default;
};

/// Which rendered documents are wanted. All given kinds must hold; of names, layers and schemas any one.
struct Filters {
  std::vector<std::string> schemas;  ///< `namespace`, `namespace/Kind` or `namespace/Kind/v1`; never a partial word.
  std::vector<std::string> layers;
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> labels;  ///< All must be there, as texts.
};

struct Request {
  std::vector<Stream> streams;   ///< Their documents form one list.
  std::vector<Value> documents;  ///< Further ones that are parsed already; the caller keeps them alive.
  Filters filters;
  bool cleartext_secrets = false;       ///< Nothing is redacted.
  bool require_storage_policy = false;  ///< A document without `storagePolicy` is refused; else it counts as cleartext.
  Compat compat = Compat::promised;
};

/// Something that is wrong with a document.
struct Finding {
  Diagnostic diagnostic;
  Identity document = {};
  std::string check = {};              ///< `D001` (its form), `D002` (its data); empty for what concerns several documents.
  std::string validation_schema = {};  ///< Of D002: the name of the schema that the data failed.
  std::string schema_path = {};        ///< Of D002: where in the schema, `.properties.a.type`.
  std::string error_section = {};      ///< Of D002: the part of the document around the failure, as JSON; without secrets.
};

/// Documents that cannot be rendered: everything that was found.
class Refused : public Errors {
 public:
  /// `findings` is not empty.
  explicit Refused(std::vector<Finding> findings);
  [[nodiscard]] const std::vector<Finding>& findings() const noexcept { return *findings_; }

 private:
  std::shared_ptr<const std::vector<Finding>> findings_;
};

/// Rendered documents.
struct Result {
  merge::Traced documents;             ///< A sequence of mappings `{schema, metadata, data}`, in the reference's order.
  std::vector<Identity> identities;    ///< Of the documents, one each.
  std::shared_ptr<const void> memory;  ///< Keeps the documents alive when the Session is gone.
};

/// Reads the inputs of a command line: files, folders (the `*.yaml` and `*.yml` in them and in the folders below, by name; not in folders whose name
/// begins with a dot) and `-`, for which `standard_input` is given.
/// Errors: `deckhand.input` (nothing there; in a folder, what is no regular file, or folders without end), and those of the tree.
[[nodiscard]] std::vector<Stream> gather(std::span<const std::string> inputs, const FileTree& tree, const std::optional<std::string>& standard_input);

/// Renders documents: checks them, finds parents, layers, substitutes, checks the data, redacts, filters. Reads no files and starts nothing. The
/// texts of `request` move into the Session.
/// What is wrong is thrown as Refused, everything that was found at once; limits are thrown as Error. What the reference does silently and people do
/// not expect is warned of. The layers of a history are called `layer/name`.
/// Cost: linear in the documents, their labels and what is substituted.
/// Rule: docs/deckhand/render.md.
[[nodiscard]] Result render(Request request, Session& session);

}  // namespace strata::deckhand
