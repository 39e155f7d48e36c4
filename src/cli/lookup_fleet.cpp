// SPDX-License-Identifier: Apache-2.0
#include "lookup_fleet.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "project_question.hpp"
#include "strata/file_tree.hpp"
#include "strata/kind_inside.hpp"
#include "strata/remarks.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16U;

}  // namespace

std::unique_ptr<hiera::NodeSource> open_nodes(const std::string& path, Host& host, Sources& sources,
                                              const Limits& limits) {
  const FileTree* files = host.files();
  if (path != "-" && files != nullptr) {
    const FileKind kind = files->kind(path);
    if (kind == FileKind::folder || (kind == FileKind::none && hiera::is_node_pattern(path)))
      return hiera::node_folder(*files, path, limits);
  }
  return hiera::node_list(host.open(path), path == "-" ? "<stdin>" : path, sources, limits);
}

FleetSubjects taken_nodes(const std::string& path, Host& host, Session& session, MakeSubject make) {
  FleetSubjects out;
  out.take = [path, &host, &session, make, nodes = std::shared_ptr<hiera::NodeSource>(),
              is_empty = true](Session& own) mutable -> std::optional<FleetSubject> {
    if (!nodes) nodes = open_nodes(path, host, session.sources(), session.limits());
    const auto node = nodes->next();
    if (!node) {
      if (is_empty) session.diagnostics().warn(no_nodes(path));
      return std::nullopt;
    }
    is_empty = false;
    session.snapshot().add_input(kInputOfNode);
    FleetSubject taken{.name = node->name, .where = node->where};
    try {
      taken.facts = std::make_shared<const hiera::Facts>(node->facts(own.sources()));
      taken.name = taken.facts->node;
      make(taken.facts, own, taken);
    } catch (const hiera::LookupError& error) {
      if (taken.name.empty()) taken.name = error.name();
      if (taken.name.empty()) throw;
      taken.failure = error.diagnostic();
    }
    return taken;
  };
  out.again = [&session, make = std::move(make)](FleetSubject given, Session& own) {
    session.snapshot().add_input(kInputOfNode);
    if (!given.failure) make(given.facts, own, given);
    return given;
  };
  return out;
}

void each_known_node(const std::string& path, const workspace::Project& project, Host& host, Session& session,
                     const std::function<void(const hiera::Facts& facts)>& call) {
  const std::string from = path.empty() ? workspace::facts_folder(project, session.tree(), session.limits()) : path;
  if (from == "-") return;
  std::string assumed;
  if (from.empty()) assumed = workspace::node_list(workspace::assumed_nodes(project, session.tree(), session.limits()));
  const auto nodes = from.empty() ? hiera::node_list(
                                        [text = std::optional(std::move(assumed))]() mutable {
                                          return std::exchange(text, std::nullopt).value_or(std::string());
                                        },
                                        std::string(kAssumedNodes), session.sources(), session.limits())
                                  : open_nodes(from, host, session.sources(), session.limits());
  while (const auto node = nodes->next()) {
    try {
      call(node->facts(session.sources()));
    } catch (const Error& error) {
      if (error.ends_request()) throw;
    }
  }
}

void suggest_folders(const FileTree& tree, const std::string& folder, const AddSuggestion& add) {
  if (kind_inside(tree, folder) != FileKind::folder) return;
  for (std::string& name : tree.list(folder)) {
    if (!name.starts_with('.') && kind_inside(tree, fmt::format("{}/{}", folder, name)) == FileKind::folder)
      add({.word = std::move(name)});
  }
}

Diagnostic no_nodes(const std::string& path) {
  return Error("fleet.empty", "it contains no nodes")
      .in(path == "-" ? "<stdin>" : path)
      .hint(
          "a folder holds facts files NAME.yaml, NAME.yml or NAME.json; a list is [{\"name\": NAME, \"facts\": {…}}, "
          "…]")
      .diagnostic();
}

Error duplicate_node(const std::string& name, const std::function<Excerpt()>& where) {
  Diagnostic told = Error("fleet.duplicate-node", fmt::format("the node '{}' is in the list twice", name)).diagnostic();
  if (where) told.where = where();
  return Error(std::move(told));
}

void FleetWriter::add(hiera::FleetResult&& result) {
  for (const Diagnostic& warning : result.warnings) {
    // Warnings that many nodes share are printed once.
    constexpr std::size_t kMostTold = 100'000;
    if (told_.size() < kMostTold && !told_.insert(std::hash<std::string>()(format(warning, ""))).second) continue;
    const std::string_view level = remark_level(warning);
    warned_ = warned_ || level.empty();
    stream_.tell(warning, !level.empty() ? level : strict_ ? "error" : "warning");
  }
  if (result.failure) {
    failed_ = true;
    stream_.tell(*result.failure, "error");
    return;
  }
  for (const Diagnostic& failed : result.failed_keys) tell_failed_key(result.node, failed);
  if (result.text.empty() && !result.failed_keys.empty()) return;
  if (style_.is_streamed) {
    if (!strict_ || !warned_) write(result.text);
    return;
  }
  if (!names_.insert(result.node).second) {
    throw duplicate_node(result.node, result.where).hint("--output jsonl writes a line for each of them");
  }
  kept_.emplace_back(std::move(result.node), std::move(result.text));
}

/// A key that fails for many nodes is reported for the first of them, and counted for the others.
void FleetWriter::tell_failed_key(const std::string& node, const Diagnostic& failed) {
  failed_ = true;
  constexpr std::size_t kMostTold = 100'000;
  const std::size_t hash = std::hash<std::string>()(format(failed, ""));
  if (failed_keys_.size() >= kMostTold && !failed_keys_.contains(hash)) {
    ++untold_keys_;
    return;
  }
  auto [known, is_new] = failed_keys_.try_emplace(
      hash, FailedKey{.place = failed_keys_.size(), .message = failed.message, .code = failed.code});
  if (!is_new) {
    ++known->second.more;
    return;
  }
  Diagnostic told = failed;
  told.message = fmt::format("node '{}'{}{}", node, style_.failing.empty() ? ", " : style_.failing, failed.message);
  stream_.tell(told, "error");
}

void FleetWriter::count_failed_keys() const {
  std::vector<const FailedKey*> keys;
  for (const auto& known : failed_keys_) {
    if (known.second.more > 0) keys.push_back(&known.second);
  }
  std::ranges::sort(keys, {}, &FailedKey::place);
  for (const FailedKey* key : keys) {
    const std::string message =
        fmt::format("{} more nodes{}{}", key->more, style_.failing.empty() ? ": " : style_.failing, key->message);
    stream_.tell({.code = key->code, .message = message, .where = {}, .notes = {}, .hint = {}}, "error");
  }
  if (untold_keys_ == 0) return;
  stream_.tell({.code = "diagnostics.more",
                .message = fmt::format("{} more keys failed", untold_keys_),
                .where = {},
                .notes = {},
                .hint = {}},
               "error");
}

bool FleetWriter::finish() {
  count_failed_keys();
  const bool succeeded = !failed_ && !(strict_ && warned_);
  if (!style_.is_streamed && !(strict_ && warned_)) {
    std::erase_if(kept_, [](const auto& node) { return node.second.empty(); });  // Nothing to report on.
    if (style_.sort_nodes) std::ranges::sort(kept_);
    if (kept_.empty()) write(style_.empty);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      write(i == 0 ? style_.head : style_.separator);
      write(kept_[i].second);
      kept_[i].second = std::string();
    }
    if (!kept_.empty()) write(style_.tail);
  }
  if (!piece_.empty()) stream_.print(piece_);
  piece_.clear();
  return succeeded;
}

void FleetWriter::write(std::string_view text) {
  piece_ += text;
  if (piece_.size() < kPiece) return;
  stream_.print(piece_);
  piece_.clear();
}

}  // namespace strata::cli
