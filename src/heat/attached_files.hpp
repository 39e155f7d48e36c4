// The files that a client sends along: fetched by URL, with everything that templates among them use.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heat/name_set.hpp"
#include "strata/host.hpp"
#include "strata/session.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "strata/value.hpp"
#include "text/stretch.hpp"
#include "value/seeded_hash.hpp"

namespace strata::heat {

/// A file's bytes as the client puts them into a request: what is not UTF-8 as base64, in lines of 76 characters.
[[nodiscard]] std::string sent_text(std::string bytes);

/// Files by URL, in the order in which they came. Not thread-safe.
class AttachedFiles {
 public:
  /// Files are those of the Session's tree, which nobody else asks for. `network`: null where it is not allowed. Both must outlive this.
  AttachedFiles(Session& session, Fetcher* network)
      : session_(session),
        tree_(session.snapshot().tree_below()),
        network_(network),
        sources_(session.sources()),
        arena_(session.arena()),
        limits_(session.limits()),
        stop_(&session.stop()) {}

  /// The bytes at a URL: `file` from the tree, `http` and `https` over the network. `user`: where the URL was written.
  /// Error `bundle.fetch` where they cannot be had, `bundle.network` where the network would be needed and is not allowed.
  [[nodiscard]] std::string fetch(const std::string& url, Origin user) const;

  /// Attaches what stands at a URL, once. A template is read, what it uses is attached before it, and it is kept as JSON text with URLs in the places
  /// of paths; everything else is kept as text, or as base64 where it is no UTF-8. Errors: as of `fetch`; `bundle.loop` for templates that use
  /// themselves; `limit.includes`, `limit.include-depth`.
  void attach(const std::string& url, Origin user);

  /// A file of the caller's own: it takes the place of one with the same URL.
  void put(const std::string& url, const Value& text);

  /// The template at a URL, with everything that it uses attached and URLs in the places of paths. Errors: `bundle.template` where it is none.
  [[nodiscard]] text::Document read_template(const std::string& url, Origin user);

  /// Names of parameters that the templates so far declare hidden.
  [[nodiscard]] const NameSet& hidden() const noexcept { return hidden_; }
  [[nodiscard]] const std::vector<std::pair<std::string, Value>>& all() const noexcept { return files_; }

 private:
  /// What the client parses of a template: all but the white space at both ends.
  [[nodiscard]] text::Stretch stripped(SourceId source) const;
  [[nodiscard]] std::optional<text::Document> parse_template(SourceId source);
  [[nodiscard]] Value resolved(const Value& value, const std::string& base);
  [[nodiscard]] Value resolved_mapping(const Value& mapping, const std::string& base);
  [[nodiscard]] Value resolved_sequence(const Value& sequence, const std::string& base);
  [[nodiscard]] Value template_text(const std::string& url, const Value& root, Origin user);
  [[noreturn]] void fail(const std::string& url, Origin user, const std::string& why) const;

  Session& session_;
  const FileTree& tree_;
  Fetcher* network_;
  Sources& sources_;
  Arena& arena_;
  const Limits& limits_;
  StopCheck stop_;
  std::vector<std::pair<std::string, Value>> files_;
  TextMap<std::size_t> index_;
  TextMap<Value> attached_;  ///< What `attach` made of each URL.
  std::size_t begun_ = 0;    ///< Files that were begun to be attached.
  NameSet hidden_;
  std::vector<std::string> way_;  ///< The templates that are being attached.
  std::vector<std::shared_ptr<Arena>> documents_;
};

}  // namespace strata::heat
