// SPDX-License-Identifier: Apache-2.0
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
  /// Both must outlive this object. `network` may be null; includes over the network are then the error
  /// `include.network`.
  Flattener(Session& session, Fetcher* network)
      : session_(session),
        sources_(session.sources()),
        network_(network),
        limits_(session.limits()),
        diagnostics_(session.diagnostics()) {}

  /// The parts of one source (all of user-data, or all of vendor-data), in processing order. Parts without a name are
  /// numbered over all blobs. Unhandled and empty parts are included.
  ///
  /// `launch_index` (from `launch_index()`): parts whose header names another index are left out. The caller checks
  /// indexes in the bodies of cloud-configs. A message inside a message is returned several times, as in the reference:
  /// with the outer one and alone. Errors: `mime.encoding` (a message is not UTF-8), `gzip.damaged`, `gzip.encoding`,
  /// `include.*`, `archive.*`, `limit.*`; as Stop::check. Cost: linear in the decoded bytes.
  [[nodiscard]] std::vector<Part> flatten(std::span<const SourceId> blobs,
                                          const std::optional<std::string>& launch_index = {});

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
  std::vector<std::string> chain_;  ///< The includes that lead to the current blob.

  std::vector<std::unique_ptr<Message>> messages_;  ///< For one call of `flatten`.
  std::vector<Message*> attached_;
  std::size_t visited_ = 0;  ///< Messages returned.
  std::optional<std::string> launch_index_;
};

}  // namespace strata::cloudinit
