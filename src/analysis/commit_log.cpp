// SPDX-License-Identifier: Apache-2.0
#include "strata/commit_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "data.hpp"
#include "edit_book.hpp"
#include "report/lines.hpp"
#include "strata/builder.hpp"
#include "text/unicode/valid_utf8.hpp"
#include "wording.hpp"

namespace strata::analysis {
namespace {

constexpr std::string_view kWorkingTree = "working tree";

/// Whether one of two places is the other one, or above it.
bool is_about(const Change& change, const std::string& path) {
  const std::string name = joined_name(change.item, change.path);
  // What happens to a whole result happens to each of its places.
  if (path.empty() || name == "/") return true;
  const std::string wanted = change.item.empty() && !path.starts_with('/') ? "/" + path : path;
  const auto is_below = [](const std::string& place, const std::string& above) {
    return place.starts_with(above) &&
           (place.size() == above.size() || place[above.size()] == '/' || above.ends_with('/'));
  };
  return is_below(name, wanted) || is_below(wanted, name);
}

class Log {
 public:
  Log(const Question& question, const std::function<State(const std::string&)>& state_of, const LogSettings& settings,
      LogReport& out)
      : question_(question), state_of_(state_of), settings_(settings), out_(out) {}

  void add_working_tree(const std::string& first) {
    auto report = compare(first, {});
    add({.id = std::string(kWorkingTree), .date = {}, .author = {}, .subject = {}, .parents = {}}, std::move(report));
  }

  void add_commit(Commit commit) {
    ++out_.examined;
    DiffReport report = commit.parents.empty() ? first_state(commit.id) : compare(commit.parents.front(), commit.id);
    for (std::size_t i = 1; i < commit.parents.size() && settings_.all_parents && !report.subjects.empty(); ++i) {
      if (compare(commit.parents[i], commit.id).subjects.empty()) report.subjects.clear();
    }
    reads_.erase(commit.id);
    add(std::move(commit), std::move(report));
  }

  [[nodiscard]] bool is_done() const { return settings_.most != 0 && out_.commits.size() >= settings_.most; }

 private:
  void add(Commit commit, DiffReport report) {
    if (!report.subjects.empty()) out_.commits.push_back({.commit = std::move(commit), .report = std::move(report)});
  }

  /// What changes from one commit to another. Nothing is asked where neither reads what differs.
  DiffReport compare(const std::string& before, const std::string& after) {
    const State old_state = state_of_(before);
    const State new_state = state_of_(after);
    if (const auto known = reads_.find(after); known != reads_.end()) {
      EditBook book(old_state, new_state, settings_.study.folder, settings_.study.how, {});
      if (book.is_same_for(*known->second)) {
        reads_.insert_or_assign(before, known->second);
        return {};
      }
    }
    StudySettings settings = settings_.study;
    settings.keeps_reads = true;
    Study study(question_, old_state, new_state, std::move(settings));
    DiffReport report = study.diff();
    reads_.insert_or_assign(before, std::make_shared<const Reads>(study.reads()));
    if (!report.edits.empty()) out_.evaluated += 2;
    for (SubjectChanges& subject : report.subjects) {
      std::erase_if(subject.changes, [this](const SharedChange& change) { return !is_about(*change, settings_.path); });
    }
    std::erase_if(report.subjects, [](const SubjectChanges& subject) { return subject.changes.empty(); });
    return report;
  }

  /// All subjects of a commit without parents.
  DiffReport first_state(const std::string& id) {
    DiffReport report;
    const auto asked = question_.in(state_of_(id));
    while (const auto subject = asked->next()) {
      ++report.total;
      report.subjects.push_back(
          {.subject = subject->name(), .changes = shared({{.item = {}, .path = {}, .kind = ChangeKind::appeared}})});
    }
    return report;
  }

  const Question& question_;
  const std::function<State(const std::string&)>& state_of_;
  const LogSettings& settings_;
  LogReport& out_;
  /// What the results of commits read that are still to come, as far as it is known.
  std::map<std::string, std::shared_ptr<const Reads>> reads_;
};

}  // namespace

LogReport commit_log(const Question& question, GitHistory& history, bool has_working_tree,
                     const std::function<State(const std::string& revision)>& state_of, const LogSettings& settings) {
  LogReport out;
  Log log(question, state_of, settings, out);
  auto commit = history.next();
  // Without a commit to look at, there may be differences all the same.
  if (has_working_tree) log.add_working_tree(commit ? commit->id : "HEAD");
  for (; commit && !log.is_done(); commit = history.next()) {
    check_stop(settings.study.how.stop);
    log.add_commit(std::move(*commit));
  }
  return out;
}

std::string log_text(const LogReport& report, const Wording& wording, const report::Layout& layout) {
  constexpr std::size_t kShownDigits = 12;
  // Git keeps any bytes.
  const auto shown = [](const std::string& text) {
    return report::on_one_line(text::unicode::with_replacements(text));
  };
  std::string out;
  for (const LoggedCommit& logged : report.commits) {
    const Commit& commit = logged.commit;
    out += commit.date.empty() ? commit.id
                               : fmt::format("{} {} {}: {}", commit.id.substr(0, kShownDigits), commit.date,
                                             shown(commit.author), shown(commit.subject));
    out += '\n';
    const std::string changes = changes_text(logged.report, wording, layout);
    for (std::size_t from = 0; from < changes.size();) {
      const std::size_t end = std::min(changes.find('\n', from), changes.size());
      out += "  " + changes.substr(from, end - from) + '\n';
      from = end + 1;
    }
  }
  // The working tree is no commit.
  const auto commits =
      std::ranges::count_if(report.commits, [](const LoggedCommit& one) { return one.commit.id != kWorkingTree; });
  return out + fmt::format("{} of {}\n", commits, counted(report.examined, "commit"));
}

Value log_data(Arena& arena, const LogReport& report) {
  SequenceBuilder commits(arena, report.commits.size());
  const auto text = [&arena](const std::string& word) { return word.empty() ? Value::null() : arena.text(word); };
  for (const LoggedCommit& logged : report.commits) {
    MappingBuilder row(arena);
    row.insert("commit", arena.text(logged.commit.id));
    row.insert("date", text(logged.commit.date));
    row.insert("author", text(logged.commit.author));
    row.insert("subject", arena.text(logged.commit.subject));
    row.insert("edits", edits_data(arena, logged.report.edits));
    row.insert("changes", changes_data(arena, logged.report));
    commits.append(row.finish());
  }
  MappingBuilder out(arena);
  out.insert("format", arena.text("strata-log/1"));
  out.insert("commits", commits.finish());
  out.insert("examined", Value::integer(static_cast<std::int64_t>(report.examined)));
  out.insert("evaluated", Value::integer(static_cast<std::int64_t>(report.evaluated)));
  return out.finish();
}

}  // namespace strata::analysis
