// SPDX-License-Identifier: Apache-2.0
// The files that a client sends: fetched by URL, with everything that templates among them use.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heat/name_set.hpp"
#include "strata/chain.hpp"
#include "strata/host.hpp"
#include "strata/session.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "strata/value.hpp"
#include "text/stretch.hpp"
#include "value/seeded_hash.hpp"

namespace strata::heat {

/// A file's bytes as the client puts them into a request. Bytes that are not UTF-8 become base64, in lines of 76
/// characters.
[[nodiscard]] std::string sent_text(std::string bytes);

/// Files by URL, in the order of attaching. Not thread-safe.
class AttachedFiles {
 public:
  /// Files are read from the Session's tree. `network`: null if it is not allowed. Both must outlive this object.
  AttachedFiles(Session& session, Fetcher* network)
      : session_(session),
        tree_(session.snapshot().tree_below()),
        network_(network),
        sources_(session.sources()),
        arena_(session.arena()),
        limits_(session.limits()),
        stop_(&session.stop()) {}

  /// The bytes at a URL: `file` from the tree, `http` and `https` over the network. `user`: where the URL was written.
  /// Errors: `bundle.fetch` if fetching fails, `bundle.network` if it needs the network, which is not allowed.
  [[nodiscard]] std::string fetch(const std::string& url, Origin user) const;

  /// Attaches the file at a URL, once. A template is parsed: the files that it uses are attached first, and it is kept
  /// as JSON text with URLs instead of paths. Any other file is kept as text, or as base64 if it is not UTF-8. Errors:
  /// as `fetch`; `bundle.loop` for templates that use themselves; `limit.includes`, `limit.include-depth`.
  void attach(const std::string& url, Origin user);

  /// A file made by the caller. It replaces one with the same URL.
  void put(const std::string& url, const Value& text);

  /// The template at a URL, with everything that it uses attached, and URLs instead of paths. Errors: `bundle.template`
  /// if it is not a template.
  [[nodiscard]] text::Document read_template(const std::string& url, Origin user);

  /// Names of the parameters that the templates so far declare as hidden.
  [[nodiscard]] const NameSet& hidden() const noexcept { return hidden_; }
  [[nodiscard]] const std::vector<std::pair<std::string, Value>>& all() const noexcept { return files_; }

 private:
  /// The part of a template that the client parses: without white space at both ends.
  [[nodiscard]] text::Stretch stripped(SourceId source) const;
  [[nodiscard]] std::optional<text::Document> parse_template(SourceId source);
  [[nodiscard]] Value resolved(const Value& value, const std::string& base);
  [[nodiscard]] Value resolved_mapping(const Value& mapping, const std::string& base);
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
  TextMap<Value> attached_;  ///< The result of `attach` by URL.
  std::size_t begun_ = 0;    ///< The number of files whose attaching began.
  NameSet hidden_;
  Chain<std::string> way_;  ///< The templates being attached.
  std::vector<std::shared_ptr<Arena>> documents_;
};

}  // namespace strata::heat
