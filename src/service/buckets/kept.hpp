// Documents between their values and the store.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "service/face.hpp"
#include "store/documents.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::store {
class Keyring;
}  // namespace strata::store

namespace strata::service::buckets {

/// A value as a text that gives the same value again: JSON where that can, else YAML.
[[nodiscard]] std::string encoded(const Value& value);
/// The value of such a text, in an arena. Errors: `store.damaged`.
[[nodiscard]] Value decoded(Arena& arena, std::string_view text);

/// Stored documents with their values.
class KeptDocuments {
 public:
  struct One {
    store::DocumentHead head;
    Value metadata;
    Value data;
    bool is_encrypted = false;

    /// The mapping that the reference's clients know: `{data, id, metadata, schema, status}`.
    [[nodiscard]] Value shown(Arena& arena, const Value& data_shown, const Value& metadata_shown, std::int64_t revision) const;
    [[nodiscard]] Value shown(Arena& arena) const { return shown(arena, data, metadata, head.since); }
  };

  /// Reads the texts; data that are sealed are `secrets`, by their ids, or else their reference. `sources` takes the
  /// texts. Errors: `store.damaged`, `limit.*`.
  KeptDocuments(std::vector<store::Document> stored, const std::unordered_map<std::string, std::string>& secrets, Sources& sources,
                const Limits& limits);

  [[nodiscard]] const std::vector<One>& all() const noexcept { return all_; }
  [[nodiscard]] const std::shared_ptr<Arena>& arena() const noexcept { return arena_; }
  /// Owns the values.
  [[nodiscard]] std::shared_ptr<const void> memory() const { return memory_; }

 private:
  struct Memory;
  std::shared_ptr<Arena> arena_ = std::make_shared<Arena>();
  std::shared_ptr<Memory> memory_;
  std::vector<One> all_;
};

/// What stands in the place of a sealed value: it says nothing, and no address gives the value for it.
[[nodiscard]] std::string secret_reference(std::string_view id);
/// Opens the sealed data of documents. Errors: `store.no-key`, `store.sealed-broken`.
[[nodiscard]] std::unordered_map<std::string, std::string> opened_secrets(store::Transaction& transaction, const store::Keyring& keys,
                                                                          std::string_view project, std::span<const store::Document> documents);

}  // namespace strata::service::buckets
