// The documents of one request.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "strata/cloudinit.hpp"
#include "strata/session.hpp"
#include "strata/text.hpp"

namespace strata::cloudinit {

/// Reads the documents of one request into one arena of its Session, and counts their nodes together, for Limits::result.
class Documents {
 public:
  /// Both must outlive this.
  Documents(const Request& request, Session& session) : request_(request), session_(session), arena_(session.new_arena()) {}

  [[nodiscard]] const Request& request() const noexcept { return request_; }
  [[nodiscard]] Session& session() const noexcept { return session_; }
  /// Reads a YAML document whose root must be a mapping; who uses it counts its nodes.
  /// Errors: those of the reader, `cloud-config.root` where the root is anything else, `cloud-config.empty`.
  [[nodiscard]] text::Document read_mapping(SourceId source) const;
  /// Warns of the keys of a document that stood in their mapping before. `name`: what the document is called.
  void warn_of_repeated_keys(const text::Document& document, std::string_view name) const;
  /// Counts nodes. Error `limit.result`.
  void count(std::size_t more);

 private:
  const Request& request_;
  Session& session_;
  std::shared_ptr<Arena> arena_;
  std::size_t nodes_ = 0;  ///< So far, aliases written out.
};

/// The way out where a text holds the marks of a template at an error of its YAML, and is read as it stands; empty where it does not.
[[nodiscard]] std::string_view template_hint(const Error& error);

/// The name of a source for people: its part, else its file.
[[nodiscard]] std::string name_of(const Sources& sources, SourceId source);

}  // namespace strata::cloudinit
