// The documents of a revision: as they were stored, and rendered.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "service/buckets/kept.hpp"
#include "service/face.hpp"
#include "store/revisions.hpp"

namespace strata::service::buckets {

/// The documents of one revision, read in one transaction.
struct RevisionDocuments {
  store::Revision revision;
  std::vector<store::Document> stored;
  std::unordered_map<std::string, std::string> secrets = {};  ///< Opened, by their ids.
  std::string identity = {};                                  ///< Of all that rendering depends on.
};
/// What names a revision, without its documents: RevisionDocuments::identity for listings of what was stored. Errors: as read_documents_of.
[[nodiscard]] std::string identity_of(const Call& call, std::string_view number);
/// Reads a revision. 0 has no documents, and no LayeringPolicy is looked for. `for_rendering`: secrets are opened, and if the revision has no
/// LayeringPolicy, the newest one of the project is there, too. Errors: Refused; `store.no-key`, `store.sealed-broken`.
[[nodiscard]] RevisionDocuments read_documents_of(const Call& call, std::string_view number, bool for_rendering, bool in_listing = true);

/// Rendered documents. Immutable.
struct RenderedDocuments {
  struct One {
    std::size_t source;  ///< Its index in `kept`.
    Value metadata;
    Value data;
    bool has_secrets = false;  ///< It is encrypted, or got something of a document that is.
  };
  std::shared_ptr<const KeptDocuments> kept;
  std::vector<One> all;
  std::shared_ptr<const void> memory;
  std::size_t bytes = 0;     ///< About what it takes.
  bool has_secrets = false;  ///< Some of it was sealed.
};

/// Renders revisions, and keeps what was rendered last: a revision never changes. Thread-safe.
class Renderings {
 public:
  explicit Renderings(std::size_t most_bytes) : most_(most_bytes) {}

  /// `cleartext`: nothing is redacted. Errors: deckhand::Refused, `limit.*`.
  [[nodiscard]] std::shared_ptr<const RenderedDocuments> render(const Call& call, RevisionDocuments documents, bool cleartext);

  /// An answer that was made from rendered documents, by the request's whole question.
  [[nodiscard]] std::shared_ptr<const std::string> answer(const std::string& key);
  void keep_answer(const std::string& key, std::shared_ptr<const std::string> body);
  /// Whether documents of a revision are known, which has a LayeringPolicy of its own: nothing else counts for what it renders to.
  [[nodiscard]] std::shared_ptr<const RenderedDocuments> known(const std::string& identity, bool cleartext);

 private:
  struct Kept {
    std::string key;
    std::shared_ptr<const RenderedDocuments> rendered;
    std::shared_ptr<const std::string> body;
    std::size_t bytes;
  };
  using List = std::list<Kept>;
  [[nodiscard]] std::optional<Kept> find(const std::string& key);
  void keep(Kept kept);

  std::size_t most_;
  std::mutex mutex_;  ///< Of all below.
  List list_;         ///< Last used first.
  std::unordered_map<std::string, List::iterator> by_key_;
  std::size_t bytes_ = 0;
};

}  // namespace strata::service::buckets
