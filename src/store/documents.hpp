// SPDX-License-Identifier: Apache-2.0
// Documents of revisions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/blobs.hpp"
#include "store/projects.hpp"

namespace strata::store {

/// A document as it is to be stored. Its texts must live until the call returns.
struct NewDocument {
  std::string bucket;
  std::string schema;
  std::optional<std::string> layer;
  std::string name;
  std::string_view metadata;
  std::optional<std::string_view> data;    ///< Not for one that is sealed, and not for a deletion.
  std::optional<std::string> sealed;       ///< The id of its sealed data.
  std::string digest;                      ///< Of metadata and data: equal documents have equal ones. 32 bytes.
  bool is_deletion = false;                ///< The document is gone in this revision.
  std::optional<std::int64_t> line;        ///< Where it begins in the body of the PUT that brought it.
  std::optional<std::int64_t> body = {};   ///< The revision of that PUT. No value: this one.
  std::optional<std::int64_t> since = {};  ///< The revision in which this content appeared. No value: this one.
};

/// A stored document, without its texts.
struct DocumentHead {
  std::int64_t number = 0;    ///< Within the project: its `id`.
  std::int64_t revision = 0;  ///< Which stored it.
  std::int64_t since = 0;     ///< In which its content appeared.
  std::string bucket;
  std::string schema;
  std::optional<std::string> layer;
  std::string name;
  std::optional<std::string> sealed;
  std::string digest;
  bool is_deletion = false;
  std::optional<std::int64_t> line;
  std::int64_t body = 0;  ///< The revision whose PUT brought it: `line` is one of that body.
};

struct Document {
  DocumentHead head;
  std::string metadata;
  std::optional<std::string> data;
};

/// Stores documents of a revision of a locked project, and returns their numbers.
std::vector<std::int64_t> add_documents(Transaction& transaction, Project& project, std::int64_t revision,
                                        std::span<const NewDocument> documents);
/// Says that documents, which a revision replaces or leaves out, are not part of it and of later ones.
void end_documents(Transaction& transaction, const Project& project, std::int64_t revision,
                   std::span<const std::int64_t> numbers);
/// The same for all that the newest revision has in a bucket, deletions too.
void end_bucket(Transaction& transaction, const Project& project, std::int64_t revision, std::string_view bucket);

/// What the newest revision has in a bucket, or in all of them: by number. Deletions too, until a later revision ends
/// them.
[[nodiscard]] std::vector<DocumentHead> newest_documents(Transaction& transaction, const Project& project,
                                                         std::optional<std::string_view> bucket = {});
/// The document of the project that was stored last, of those whose schema begins with a text, in whatever revision;
/// deletions do not count.
[[nodiscard]] std::optional<Document> last_document(Transaction& transaction, const Project& project,
                                                    std::string_view schema);
/// The documents of all buckets as of a revision, by number. Without deletions.
[[nodiscard]] std::vector<Document> documents_at(Transaction& transaction, const Project& project,
                                                 std::int64_t revision);
/// Those of them whose schema begins with a text.
[[nodiscard]] std::vector<Document> documents_at(Transaction& transaction, const Project& project,
                                                 std::int64_t revision, std::string_view schema);

}  // namespace strata::store
