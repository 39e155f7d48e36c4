// SPDX-License-Identifier: Apache-2.0
#include "replacements.hpp"

#include <fmt/format.h>

#include "strata/stop.hpp"

namespace strata::deckhand {
namespace {

class Replacements {
 public:
  Replacements(std::span<Document> documents, Session& session, Findings& findings)
      : documents_(documents),
        sources_(session.sources()),
        stop_(&session.stop()),
        findings_(findings),
        diagnostics_(session.diagnostics()) {}

  void run() {
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      stop_.tick();
      const Document& document = documents_[i];
      if (document.is_control) continue;
      if (document.is_replacement) {
        replace(i);
      } else {
        check_alone(i);
      }
    }
    for (const Document& document : documents_) {
      // The reference looks at concrete documents only: an abstract one in the middle of three goes unnoticed, and the
      // chain works.
      if (!document.is_replacement || document.is_abstract || document.replaced_by == kNone) continue;
      refuse(document, "it is a replacement and is replaced itself: only one level is allowed",
             &documents_[document.replaced_by], "what replaces it");
    }
  }

 private:
  void replace(std::size_t i) {
    const Document& document = documents_[i];
    if (document.parent == kNone) {
      return refuse(document, "it is a replacement, but it has no parent to replace", nullptr, {});
    }
    Document& parent = documents_[document.parent];
    if (parent.name != document.name || parent.schema_name() != document.schema_name()) {
      return refuse(document, fmt::format("it is a replacement, but its parent has another name, '{}'", parent.name),
                    &parent, "its parent");
    }
    if (parent.replaced_by != kNone) warn_of_two(documents_[parent.replaced_by], document);
    parent.replaced_by = i;
  }

  void check_alone(std::size_t i) {
    const Document& document = documents_[i];
    if (document.parent != kNone) {
      const Document& parent = documents_[document.parent];
      if (parent.name == document.name && parent.schema_name() == document.schema_name()) {
        return refuse(document, "it has the name of its parent, but is not a replacement", &parent, "its parent");
      }
    }
    const auto [first, is_new] = alone_.emplace(source_key(document.schema_name(), document.name), i);
    if (!is_new)
      refuse(document, "another document has the same schema and name, and neither is a replacement",
             &documents_[first->second], "the other one");
  }

  void refuse(const Document& document, const std::string& message, const Document* other, const std::string& what) {
    Finding found =
        finding(sources_, document, "deckhand.replacement", message, document.origin,
                "a replacement has 'replacement: true', selects its parent by labels, and has its schema and name");
    if (other != nullptr) {
      found.diagnostic.notes.push_back(
          note(sources_, other->origin, fmt::format("{}, {}", what, other->identity().to_string()), other->lines()));
    }
    findings_.add(std::move(found));
  }

  void warn_of_two(const Document& first, const Document& second) {
    Diagnostic warning =
        diagnostic(sources_, "deckhand.replacements",
                   fmt::format("{} replaces what {} replaces already: both are rendered, one on top of the other",
                               second.identity().to_string(), first.identity().to_string()),
                   second.origin, "keep one of them", second.lines());
    warning.notes.push_back(note(sources_, first.origin, "the other replacement", first.lines()));
    diagnostics_.warn(std::move(warning));
  }

  std::span<Document> documents_;
  const Sources& sources_;
  StopCheck stop_;
  Findings& findings_;
  Diagnostics& diagnostics_;
  DocumentMap<std::size_t> alone_;  ///< Documents that replace nothing.
};

}  // namespace

void find_replacements(std::span<Document> documents, Session& session, Findings& findings) {
  Replacements(documents, session, findings).run();
}

SourceIndex index_sources(std::span<const Document> documents) {
  SourceIndex index;
  index.reserve(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const Document& document = documents[i];
    if (document.is_abstract) continue;
    index[source_key(document.schema_name(), document.name)] = document.replaced_by == kNone ? i : document.replaced_by;
  }
  return index;
}

}  // namespace strata::deckhand
