// SPDX-License-Identifier: Apache-2.0
// A document with the relevant parts of its metadata, looked up once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "findings.hpp"
#include "strata/deckhand.hpp"
#include "strata/value.hpp"
#include "value/seeded_hash.hpp"

namespace strata::deckhand {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

inline constexpr std::string_view kLayeringPolicy = "deckhand/LayeringPolicy";
inline constexpr std::string_view kValidationPolicy = "deckhand/ValidationPolicy";

/// One input document with valid form. Its values live in the arenas of the request.
struct Document {
  Value schema;
  Value metadata;
  Value data;
  Origin origin;  ///< Where it begins.

  // Views into the values above.
  std::string_view layer;  ///< Empty: none.
  std::string_view name;
  Value layer_value;    ///< For its place.
  Value labels;         ///< A mapping, or absent.
  Value selector;       ///< `parentSelector`: a mapping, or absent. Never of control documents.
  Value actions;        ///< A sequence, or absent.
  Value substitutions;  ///< A sequence, or absent. Never of control documents.
  bool is_control = false;
  bool is_abstract = false;
  bool is_replacement = false;
  bool is_encrypted = false;
  bool is_withheld = false;    ///< Nobody can read its data.
  bool is_ciphertext = false;  ///< Pegleg encrypted its data.

  // Found by later rooms: numbers of documents, and of the layer from the highest.
  std::size_t rank = kNone;
  std::size_t parent = kNone;
  std::size_t replaced_by = kNone;
  bool is_base = false;    ///< Another document is layered on it.
  bool is_source = false;  ///< A substitution of another document reads it.

  [[nodiscard]] std::string_view schema_name() const noexcept { return schema.text(); }
  [[nodiscard]] bool is_output(bool keeps_validation_policies = false) const noexcept {
    return !is_abstract && replaced_by == kNone &&
           (keeps_validation_policies || !schema_name().starts_with(kValidationPolicy));
  }
  [[nodiscard]] Lines lines() const noexcept { return is_encrypted ? Lines::hidden : Lines::shown; }
  [[nodiscard]] Identity identity() const;
  /// As Identity::to_string, but cheaper: for what is seldom told.
  [[nodiscard]] std::string title() const;
};

/// The parts of a document with valid form. Missing data are null, at the place of the document. Data of an encrypted
/// document are secret.
[[nodiscard]] Document parse_document(const Value& root, Arena& arena);

/// A finding about one document. The message begins with its identity.
[[nodiscard]] Finding finding(const Sources& sources, const Document& document, std::string code,
                              const std::string& message, Origin where, std::string hint = {});

/// What names a document: views of the texts of a document or a substitution, so that tables of thousands of documents
/// make no texts.
struct DocumentKey {
  std::string_view schema;
  std::string_view layer;
  std::string_view name;
  friend bool operator==(const DocumentKey&, const DocumentKey&) = default;
};
/// Not noexcept: so the tables of the standard library keep the hash of each key, and look at no other key to find one.
struct DocumentKeyHash {
  std::size_t operator()(const DocumentKey& key) const {
    // Each is mixed before the next one comes to it: parts with the same text do not cancel out.
    const std::uint64_t above = seeded_hash(seeded_hash(seeded_hash(key.schema)) ^ seeded_hash(key.layer));
    return seeded_hash(above ^ seeded_hash(key.name));
  }
};
template <class Mapped>
using DocumentMap = std::unordered_map<DocumentKey, Mapped, DocumentKeyHash>;

/// The key of a document after rendering, where layers do not count.
[[nodiscard]] inline DocumentKey source_key(std::string_view schema, std::string_view name) {
  return {.schema = schema, .layer = {}, .name = name};
}

}  // namespace strata::deckhand
