// SPDX-License-Identifier: Apache-2.0
// The documents of one request.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "strata/cloudinit.hpp"
#include "strata/session.hpp"
#include "strata/text.hpp"
#include "text/yaml/read_ahead.hpp"
#include "value/node_count.hpp"

namespace strata::cloudinit {

/// Parses the documents of one request in one arena of its Session, with one copy of each key, and counts their nodes
/// together, for Limits::result.
class Documents {
 public:
  /// Both must outlive this object.
  Documents(const Request& request, Session& session)
      : request_(request),
        session_(session),
        pool_(session.new_arena()),
        ahead_(session.snapshot().engine().settings().executor, session.sources(), text::pyyaml(), session.limits(),
               text::ReadAhead::Nodes::together) {}

  /// Texts that will be parsed in this order; some of them may not.
  void expect(std::span<const SourceId> texts) { ahead_.expect(texts); }

  [[nodiscard]] const Request& request() const noexcept { return request_; }
  [[nodiscard]] Session& session() const noexcept { return session_; }
  /// Parses a YAML document whose root must be a mapping. The caller counts its nodes.
  /// Errors: those of the reader, `cloud-config.root` if the root is anything else, `cloud-config.empty`.
  [[nodiscard]] text::Document read_mapping(SourceId source);
  /// `other`: what a text would be, were the secret data others that it was made of. Differing parts are marked as
  /// secret when it is parsed.
  void set_other(SourceId source, SourceId other) { others_.insert_or_assign(source, other); }
  /// Warns about duplicate keys of a document. `name`: the name of the document.
  void warn_of_repeated_keys(const text::Document& document, std::string_view name) const;
  /// Counts nodes. Error `limit.result`.
  void count(std::size_t more) { nodes_.add(more); }

 private:
  /// Absent: it cannot be read.
  [[nodiscard]] Value read_other(SourceId source);

  const Request& request_;
  Session& session_;
  std::map<SourceId, SourceId> others_;
  text::DocumentPool pool_;
  text::ReadAhead ahead_;
  NodeCount nodes_{session_.limits(), "documents"};
};

/// A hint for an error in YAML, if the text has marks of a template but is not rendered. Empty otherwise. `if_headed`:
/// the hint if the text has the header of a template, which then has no effect for another reason.
[[nodiscard]] std::string_view template_hint(const Error& error, std::string_view text, std::string_view if_headed);

/// The name of a source for people: its part, or else its file.
[[nodiscard]] std::string name_of(const Sources& sources, SourceId source);

}  // namespace strata::cloudinit
