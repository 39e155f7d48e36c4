// SPDX-License-Identifier: Apache-2.0
// Revisions to look at.
#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "strata/git_history.hpp"
#include "strata/stop.hpp"

namespace strata::service::explore {

Response list_history(const Call& call, Source& source) {
  constexpr std::size_t kMostCommits = 50;
  const std::string* at = call.request.query.find("at");
  const std::string revision = at == nullptr ? std::string() : *at;
  Arena arena;
  SequenceBuilder revisions(arena);
  SequenceBuilder commits(arena);
  const std::string head = source.commit_of(call, call[0], revision);
  if (!head.empty()) {
    MappingBuilder one(arena);
    one.insert("name", arena.text(revision.empty() ? "HEAD" : revision));
    one.insert("commit", arena.text(head));
    revisions.append(one.finish());
    const auto history = source.history(call, call[0], revision);
    while (history != nullptr && commits.size() < kMostCommits) {
      call.stop.check();
      const std::optional<Commit> commit = history->next();
      if (!commit) break;
      MappingBuilder row(arena);
      row.insert("commit", arena.text(commit->id));
      row.insert("date", arena.text(commit->date));
      row.insert("author", arena.text(commit->author));
      row.insert("subject", arena.text(commit->subject));
      commits.append(row.finish());
    }
  }
  SequenceBuilder references(arena);
  if (!head.empty()) {
    for (const std::string& reference : source.references(call, call[0])) references.append(arena.text(reference));
  }
  MappingBuilder out(arena);
  out.insert("revisions", revisions.finish());
  out.insert("references", references.finish());
  out.insert("commits", commits.finish());
  return answer(call, out, source.generation(call));
}

}  // namespace strata::service::explore
