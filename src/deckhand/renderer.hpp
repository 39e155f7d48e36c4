// Documents to their rendered data, one after the other. Rule: docs/deckhand/render.md, "Rendering".
#pragma once

#include <span>
#include <string>
#include <vector>

#include "actions.hpp"
#include "document.hpp"
#include "replacements.hpp"
#include "shared_writes.hpp"
#include "value/seeded_hash.hpp"

namespace strata::deckhand {

/// What a document was rendered to.
struct Rendered {
  merge::Traced data;
  merge::Slot own;                   ///< Of what the document itself wrote: its metadata.
  bool is_failed = false;            ///< It could not be rendered, or something that it needs; it has no data.
  bool is_encrypted = false;         ///< Its own policy, or it received something from such a document.
  bool is_tainted = false;           ///< It holds or was layered on something secret.
  bool is_betrayed = false;          ///< It is tainted only by way of containers that documents share.
  bool shares = false;               ///< It may hold containers that others hold too, or that it holds twice itself.
  std::vector<bool> from_encrypted;  ///< For each of its substitutions, whether the source is encrypted.
};

/// Renders documents in an order in which each comes after what it needs.
class Renderer {
 public:
  /// `nodes`: how many there are of the documents that were read, aliases written out.
  Renderer(std::span<const Document> documents, const SourceIndex& index, const Request& request, Session& session, Arena& arena, std::size_t nodes,
           Findings& findings);

  /// What goes wrong with a document becomes a finding; those that need it are passed over. Data are what they are once this is over: until then
  /// a document may write into containers of those before it.
  void render(std::span<const std::size_t> order);
  /// By number of document.
  [[nodiscard]] const std::vector<Rendered>& rendered() const noexcept { return rendered_; }

 private:
  Rendered render_one(std::size_t number);
  void substitute(const Document& document, merge::Accumulator& data, Rendered& rendered);
  void start_on(const Rendered& base, merge::Accumulator& data);
  void check_size(const Value& data);
  void finish_shared();
  [[nodiscard]] merge::Slot add_layer(const Document& document);
  [[nodiscard]] std::size_t source_of(const Document& document, const Value& substitution);
  [[nodiscard]] bool exists(std::string_view schema, std::string_view name);
  [[nodiscard]] Finding told(const Document& document, const Error& error) const;

  std::span<const Document> documents_;
  const SourceIndex& index_;
  const Request& request_;
  Sources& sources_;
  const Limits& limits_;
  merge::Recorder& recorder_;
  const std::size_t most_;  ///< Nodes that there may be.
  std::size_t room_;        ///< Nodes that there may still be.
  Findings& findings_;
  Diagnostics& diagnostics_;
  Rendering rendering_;
  Expressions expressions_;
  std::vector<Rendered> rendered_;
  SharedWrites writes_;
  TextSet names_;  ///< Of all documents, once something asked for one that cannot be a source.
};

}  // namespace strata::deckhand
