// SPDX-License-Identifier: Apache-2.0
#include "reading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pegleg/managed.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "structure.hpp"
#include "text/repeated_keys.hpp"
#include "text/yaml/parallel_stream.hpp"

namespace strata::deckhand {
namespace {

class DocumentReader {
 public:
  DocumentReader(Request& request, Session& session, const std::shared_ptr<Arena>& arena, NodeCount& nodes,
                 Findings& findings)
      : request_(request),
        session_(session),
        sources_(session.sources()),
        pool_(arena),
        limits_(session.limits()),
        nodes_(nodes),
        findings_(findings),
        diagnostics_(session.diagnostics()) {}

  std::vector<Document> read() {
    for (Stream& stream : request_.streams) read(stream);
    request_.streams.clear();
    for (std::size_t i = 0; i < request_.documents.size(); ++i) {
      if (!add(request_.documents[i], request_.documents[i].origin(), i + 1)) continue;
      documents_.back().is_withheld = std::ranges::binary_search(request_.withheld, i);
    }
    if (findings_.empty()) find_duplicates();
    return std::move(documents_);
  }

 private:
  static constexpr std::uint32_t kDocumentWork = 64;  ///< Some fields and labels.

  void read(Stream& stream) {
    check_stop(limits_.stop);
    const SourceId source = sources_.add(stream.name, std::move(stream.text));
    try {
      auto documents = read(source);
      if (const std::size_t all = documents_.size() + documents.size(); all > documents_.capacity()) {
        documents_.reserve(std::max(all, 2 * documents_.size()));  // Streams may be many.
      }
      for (std::size_t i = 0; i < documents.size(); ++i) {
        nodes_.add(documents[i].nodes);
        if (add(documents[i].root, documents[i].origin, i + 1))
          warn_of_repeated(documents_.back(), documents[i].repeated_keys);
      }
    } catch (const Errors&) {
      throw;
    } catch (const Error& error) {
      if (error.ends_request() || error.limit() == Limit::result) throw;
      findings_.add({.diagnostic = error.diagnostic()});
    }
  }

  std::vector<text::Document> read(SourceId source) {
    try {
      return read_stream(source);
    } catch (const Error& error) {
      if (error.gives_up() || sources_.text(source).find("encrypted") == std::string_view::npos) throw;
    }
    // Nothing is known of documents that cannot be read, but that some are secret: the error is reported again, without
    // the text at its place.
    sources_.mark_secret(source);
    return read_stream(source);
  }

  std::vector<text::Document> read_stream(SourceId source) {
    std::vector<text::Document> documents = text::read_yaml_stream(
        session_.snapshot().engine().settings().executor, sources_, source, text::pyyaml_json(), limits_, pool_);
    for (const text::Document& document : documents) {
      if (document.arena != pool_.arena()) session_.keep(document.arena);
    }
    return documents;
  }

  /// The earlier of two values of a key is gone.
  void warn_of_repeated(const Document& document, std::vector<text::RepeatedKey>& keys) {
    const bool is_hidden = document.lines() == Lines::hidden;
    for (text::RepeatedKey& key : keys) {
      if (is_hidden) key.name = key.earlier_name = "";
      Error error = text::repeated_key_error(sources_, key, "deckhand.repeated-key",
                                             fmt::format("{}: ", document.identity().to_string()));
      diagnostics_.warn(is_hidden ? error.without_lines().diagnostic() : error.diagnostic());
    }
  }

  /// Whether it has the form of a document.
  bool add(const Value& root, Origin origin, std::size_t position) {
    stop_.tick(kDocumentWork);
    if (!root.is_mapping() || root.size() == 0) {
      const std::string what = root.is_mapping() ? "an empty mapping"
                               : root            ? std::string(describe(root.kind()))
                                                 : "nothing";
      findings_.add(
          {.diagnostic = diagnostic(
               sources_, "deckhand.entry", fmt::format("entry {} of this stream is {}, not a document", position, what),
               root.origin() ? root.origin() : origin, root.is_null() ? "remove the stray '---'" : "", Lines::hidden)});
      return false;
    }
    if (!request_.unwraps_managed || !is_managed(root)) return add_document(root);
    const Managed managed = unwrap(root);
    if (!managed.document) {
      findings_.add({.diagnostic = diagnostic(sources_, "deckhand.managed",
                                              "a PeglegManagedDocument has no mapping 'managedDocument' in its data",
                                              root.origin() ? root.origin() : origin,
                                              "write the document there, or remove the wrapper", Lines::hidden)});
      return false;
    }
    if (!add_document(managed.document)) return false;
    finish_managed(documents_.back(), managed, *pool_.arena());
    if (is_managed(managed.document)) warn_of_nested(documents_.back());
    return true;
  }

  bool add_document(const Value& root) {
    if (!check_structure(sources_, root, request_.require_storage_policy, findings_)) return false;
    documents_.push_back(parse_document(root, *pool_.arena()));
    return true;
  }

  void warn_of_nested(const Document& document) {
    diagnostics_.warn(
        diagnostic(sources_, "deckhand.managed-nested",
                   fmt::format("{}: it is a wrapper in a wrapper: one of them stays", document.identity().to_string()),
                   document.origin, "remove one wrapper: Pegleg takes off one, too", Lines::hidden));
  }

  void find_duplicates() {
    DocumentMap<std::size_t> seen;
    seen.reserve(documents_.size());
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      stop_.tick();
      const Document& document = documents_[i];
      const auto [first, is_new] = seen.emplace(DocumentKey{document.schema_name(), document.layer, document.name}, i);
      if (is_new) continue;
      const Document& other = documents_[first->second];
      Finding found = finding(sources_, document, "deckhand.duplicate",
                              "there is a document with this schema, layer and name already", document.origin,
                              "schema, layer and name together name one document");
      found.diagnostic.notes.push_back(note(sources_, other.origin, "the other one", other.lines()));
      findings_.add(std::move(found));
    }
  }

  Request& request_;
  Session& session_;
  Sources& sources_;
  text::DocumentPool pool_;
  const Limits& limits_;
  StopCheck stop_{limits_.stop};
  NodeCount& nodes_;
  Findings& findings_;
  Diagnostics& diagnostics_;
  std::vector<Document> documents_;
};

}  // namespace

std::vector<Document> read_documents(Request& request, Session& session, const std::shared_ptr<Arena>& arena,
                                     NodeCount& nodes, Findings& findings) {
  return DocumentReader(request, session, arena, nodes, findings).read();
}

}  // namespace strata::deckhand
