// SPDX-License-Identifier: Apache-2.0
// Renders documents one after the other. Rule: docs/deckhand/render.md, "Rendering".
#pragma once

#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "actions.hpp"
#include "document.hpp"
#include "replacements.hpp"
#include "shared_writes.hpp"

namespace strata::deckhand {

/// A rendered document.
struct Rendered {
  merge::Traced data;
  merge::Slot own;                   ///< For what the document itself wrote: its metadata.
  bool is_failed = false;            ///< It, or something that it needs, could not be rendered. It has no data.
  bool is_encrypted = false;         ///< By its own policy, or because it received something from such a document.
  bool is_tainted = false;           ///< It contains secrets or was layered on them.
  bool is_betrayed = false;          ///< It is tainted only through containers that documents share.
  bool shares = false;               ///< It may hold containers that others hold too, or hold a container twice.
  std::vector<bool> from_encrypted;  ///< For each of its substitutions, whether the source is encrypted.
};

/// Renders documents, each after everything that it needs.
class Renderer {
 public:
  /// `nodes`: the number of nodes of the input documents, with aliases expanded.
  Renderer(std::span<const Document> documents, const SourceIndex& index, const Request& request, Session& session,
           Arena& arena, std::size_t nodes, Findings& findings);

  /// A problem of a document becomes a finding; documents that need it are skipped. Data are final only when this
  /// returns: until then a document may write into containers of earlier ones.
  void render(std::span<const std::size_t> order);
  /// By document number.
  [[nodiscard]] const std::vector<Rendered>& rendered() const noexcept { return rendered_; }

 private:
  Rendered render_one(std::size_t number);
  void substitute(const Document& document, merge::Accumulator& data, Rendered& rendered);
  void start_on(const Rendered& base, merge::Accumulator& data);
  void check_size(const Value& data);
  void finish_shared();
  [[nodiscard]] merge::Slot add_layer(const Document& document);
  /// The number of a source. kNone: it is missing, and that is allowed.
  [[nodiscard]] std::size_t source_of(const Document& document, const Value& substitution);
  [[nodiscard]] bool needs_secrets(std::size_t number) const;
  [[nodiscard]] bool exists(std::string_view schema, std::string_view name);
  [[nodiscard]] Finding told(const Document& document, const Error& error) const;

  std::span<const Document> documents_;
  const SourceIndex& index_;
  const Request& request_;
  Sources& sources_;
  const Limits& limits_;
  merge::Recorder& recorder_;
  const std::size_t most_;  ///< The limit for nodes.
  std::size_t room_;        ///< Nodes that are still available.
  Findings& findings_;
  Diagnostics& diagnostics_;
  Rendering rendering_;
  Expressions expressions_;
  std::vector<Rendered> rendered_;
  SharedWrites writes_;
  std::unordered_set<DocumentKey, DocumentKeyHash>
      names_;  ///< Names of all documents. Filled when a substitution names an unusable source.
};

}  // namespace strata::deckhand
