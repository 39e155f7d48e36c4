// From blobs to the ordered list of their parts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "message.hpp"
#include "part.hpp"
#include "strata/host.hpp"
#include "strata/session.hpp"

namespace strata::cloudinit {

/// Flattens the blobs of one run: decompresses, reads messages, detects types, follows includes, opens archives.
///
/// One object serves user-data and vendor-data of a run, so that include-once holds for both.
/// Not thread-safe. Rule: docs/cloud-init/merge.md, "Parts".
class Flattener {
 public:
  /// Both must outlive this object. `network` may be null: then includes over the network are the error `include.network`.
  Flattener(Session& session, Fetcher* network)
      : session_(session), sources_(session.sources()), network_(network), limits_(session.limits()), diagnostics_(session.diagnostics()) {}

  /// The parts of one source (all of user-data, or all of vendor-data), in the order in which they are handled; parts without a name are numbered
  /// over all blobs. Parts of types that nobody handles are among them, and so are empty ones.
  ///
  /// `launch_index` (as `launch_index()` gives it): parts whose header names another one are left out. Indexes in the bodies of cloud-configs are
  /// for the caller, who reads those.
  /// A message inside a message is handed out several times, as in the reference: with the outer one and for itself.
  /// Errors: `mime.encoding` (a message is not UTF-8), `gzip.damaged`, `gzip.encoding`, `include.*`, `archive.*`, `limit.*`, as Stop::check.
  /// Cost: linear in the bytes, decoded.
  [[nodiscard]] std::vector<Part> flatten(std::span<const SourceId> blobs, const std::optional<std::string>& launch_index = {});

 private:
  void process_blob(SourceId blob);
  void process_message(Message& base, Message& message);
  Message& inflate(Message& compressed, const std::string& declared);
  void include(Message& list);
  SourceId fetch(const struct Include& include, std::string& key, Origin where);
  void attach(Message& message);
  void emit(Message& message, std::vector<Part>& parts);
  Message& keep(std::unique_ptr<Message> message);

  Session& session_;
  Sources& sources_;
  Fetcher* network_;
  const Limits& limits_;
  Diagnostics& diagnostics_;

  std::map<std::string, SourceId, std::less<>> fetched_once_;
  std::size_t includes_ = 0;
  std::vector<std::string> chain_;  ///< The includes that lead to the blob at hand.

  std::vector<std::unique_ptr<Message>> messages_;  ///< Of one call of `flatten`.
  std::vector<Message*> attached_;
  std::size_t visited_ = 0;  ///< Messages that were handed out.
  std::optional<std::string> launch_index_;
};

}  // namespace strata::cloudinit
