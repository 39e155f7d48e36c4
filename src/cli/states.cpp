// SPDX-License-Identifier: Apache-2.0
#include "states.hpp"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>

#include "strata/git_history.hpp"
#include "strata/kind_inside.hpp"
#include "strata/paths.hpp"
#include "strata/text_edit.hpp"
#include "tree_from.hpp"

namespace strata::cli {
namespace {

/// `FILE=OTHER`, split at the first equals sign.
std::pair<std::string, std::string> file_and_other(const std::string& option, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == word.size())
    throw UsageError(Usage::value, fmt::format("{} '{}': expected FILE=OTHER", option, word));
  return {word.substr(0, equals), word.substr(equals + 1)};
}

/// `FILE[#N]:POINTER`.
struct Target {
  std::string file;
  std::optional<std::size_t> document;
  std::string pointer;
};

Target target_of(const std::string& option, const std::string& word, std::string_view rest) {
  const std::size_t colon = word.find(":/");
  if (colon == 0 || colon == std::string::npos) {
    throw UsageError(Usage::value, fmt::format("{} '{}': expected FILE:POINTER{}; a JSON Pointer begins with '/'",
                                               option, word, rest));
  }
  Target out{.file = word.substr(0, colon), .document = {}, .pointer = word.substr(colon + 1)};
  const std::size_t hash = out.file.rfind('#');
  if (hash == std::string::npos || hash == 0) return out;
  std::size_t number = 0;
  const char* end = out.file.data() + out.file.size();
  const auto [stopped, status] = std::from_chars(out.file.data() + hash + 1, end, number);
  if (status == std::errc{} && stopped == end) {
    out.document = number;
    out.file.resize(hash);
  }
  return out;
}

/// Edits in the order of the command line, each seeing the ones before it.
class Editor {
 public:
  Editor(Verb& verb, analysis::State& state, std::string folder)
      : verb_(verb), state_(state), folder_(std::move(folder)) {}

  void edit(const std::string& option, const std::string& word) {
    if (option == "--edit" || option == "--create") {
      const auto [file, other] = file_and_other(option, word);
      if (option == "--create" && text_of(file))
        throw Error("analysis.state", "the file to create is there already").in(file).hint("--edit replaces it");
      put(file, other == "-" ? state_.inputs->read_unedited(other) : named_text(other));
    } else if (option == "--delete") {
      if (!text_of(word)) throw Error("analysis.state", "there is no such file to delete").in(word);
      put(word, std::nullopt);
    } else if (option == "--set") {
      set(word);
    } else {
      const Target target = target_of(option, word, "");
      change(target, {.operation = edit::Operation::remove, .pointer = target.pointer, .document = target.document});
    }
  }

  [[nodiscard]] const std::set<std::string>& files() const noexcept { return files_; }

 private:
  void set(const std::string& word) {
    const std::size_t colon = word.find(":/");
    const std::size_t equals = colon == std::string::npos ? colon : word.find('=', colon);
    if (equals == std::string::npos)
      throw UsageError(Usage::value, fmt::format("--set '{}': expected FILE:POINTER=VALUE", word));
    const Target target = target_of("--set", word.substr(0, equals), "=VALUE");
    const std::string spelling = word.substr(equals + 1);
    Sources sources;
    text::Document value;
    try {
      value = text::read_yaml(sources, sources.add("<value>", spelling), *verb_.form_of(target.file).profile,
                              verb_.options().limits);
    } catch (const Error& error) {
      throw UsageError(Usage::value,
                       fmt::format("--set {}: the value cannot be read: {}", target.pointer, error.what()));
    }
    change(target, {.operation = edit::Operation::set,
                    .pointer = target.pointer,
                    .document = target.document,
                    .value = value.root ? value.root : Value::null(),
                    .spelling = spelling,
                    .make_parents = true});
  }

  void change(const Target& target, const edit::Change& wanted) {
    const auto text = text_of(target.file);
    if (!text && wanted.operation == edit::Operation::remove)
      throw Error("analysis.state", "there is no such file").in(target.file);
    try {
      put(target.file,
          edit::apply(target.file, text.value_or(""), verb_.form_of(target.file), wanted, verb_.options().limits).text);
    } catch (const Error& error) {
      if (error.code() != "edit.not-found") throw;
      Diagnostic told = error.diagnostic();
      told.code = "analysis.state";
      throw Error(std::move(told));
    }
  }

  /// A file that the command line names, wherever it is.
  [[nodiscard]] std::string named_text(const std::string& file) const {
    auto text = host_tree({}, verb_.options().limits.input)->read(file);
    if (!text) throw Error("host.missing", "there is no such file").in(file);
    return *std::move(text);
  }

  /// As the edits before left it: of the configuration, or else of the host.
  [[nodiscard]] std::optional<std::string> text_of(const std::string& file) {
    const std::string path = absolute_path(folder_, file);
    for (const FileTree* tree : {state_.files.get(), state_.inputs->files()}) {
      if (tree != nullptr && kind_inside(*tree, path) == FileKind::file) return tree->read(path);
    }
    return std::nullopt;
  }

  /// Whether a path leads out of the tree of a revision: only what the host gives can be edited there.
  [[nodiscard]] bool is_outside(const std::string& path) const { return strata::is_outside(*state_.files, path); }

  void put(const std::string& file, std::optional<std::string> text) {
    const std::string path = absolute_path(folder_, file);
    if (is_outside(path) && !text_of(file)) {
      throw Error("analysis.state",
                  "the file is outside the repository of the revision, and the host has no such file either")
          .in(file)
          .hint("name a file in the repository, or an input of the question: facts, a list of nodes, a state");
    }
    if (text && is_below_file(path)) {
      throw Error("analysis.state", "a file stands where the path needs a folder")
          .in(file)
          .hint("correct the name, or --delete that file before");
    }
    state_ = analysis::edited(state_, {{path, std::move(text)}}, folder_);
    files_.insert(path);
  }

  [[nodiscard]] bool is_below_file(const std::string& path) const {
    for (std::size_t slash = path.rfind('/'); slash != 0 && slash != std::string::npos;
         slash = path.rfind('/', slash - 1)) {
      const auto kind = kind_inside(*state_.files, path.substr(0, slash));
      if (kind != FileKind::none) return kind == FileKind::file;
    }
    return false;
  }

  Verb& verb_;
  analysis::State& state_;
  std::string folder_;
  std::set<std::string> files_;
};

}  // namespace

void StateOptions::add_to(Arguments& command) {
  const std::string group = "States";
  command.add_option("--from", from_, "the state before: a git revision").type_name("REV").group(group);
  command
      .add_option("--to", to_,
                  "the state after: a git revision; without --from or edits, its first parent is the state before")
      .type_name("REV")
      .group(group);
  const auto edit = [&](const std::string& name, const std::string& type, const std::string& about) {
    command.add_ordered(name, edits_, about).type_name(type).group(group);
  };
  edit("--edit", "FILE=OTHER", "an unsaved edit: FILE has the text of OTHER; - is standard input");
  edit("--create", "FILE=OTHER", "the same for a file that is not there yet");
  edit("--delete", "FILE", "an unsaved edit: FILE is gone");
  edit("--set", "FILE[#N]:POINTER=VALUE",
       "an unsaved edit: a member or item of a file gets a value (YAML); N is the number of the document, from 0");
  edit("--unset", "FILE[#N]:POINTER", "an unsaved edit: a member or item of a file is removed");
}

void StateOptions::set(std::string from, std::string to) {
  from_ = std::move(from);
  to_ = std::move(to);
}

analysis::State state_of(const std::string& revision, Verb& verb, const analysis::Inputs& inputs,
                         const std::string& place) {
  // Each state notes for itself what is read of the host.
  return {.files = files_of(revision, place.empty() ? verb.place_of_files() : place, verb.options().limits.input,
                            verb.options().bounds),
          .inputs = std::make_shared<analysis::Inputs>(inputs, Edits())};
}

namespace {

/// The state of the first parent of a commit.
analysis::State state_before(const std::string& revision, Verb& verb, const analysis::Inputs& inputs) {
  try {
    return state_of(revision + "^", verb, inputs);
  } catch (const Error& error) {
    if (error.code() != "git.revision") throw;
    const auto commit = GitHistory(revision, {}, repository_around(verb.place_of_files())).next();
    if (!commit || !commit->parents.empty()) throw;
    if (commit->is_cut) {
      throw Error("analysis.state",
                  fmt::format("this clone is shallow and begins with '{}': the state before it is not here", revision))
          .hint("fetch more of it (git fetch --deepen 1), or name a state to compare with: --from REV");
    }
    throw Error("analysis.state", fmt::format("'{}' is a commit without parents: no state precedes it", revision))
        .hint("name a state to compare with: --from REV");
  }
}

}  // namespace

States StateOptions::of_runs(Verb& before, Verb& after, Host& host, const std::string& folder) {
  const analysis::Inputs inputs(host, folder);
  return {.before = state_of({}, before, inputs), .after = state_of({}, after, inputs), .edited = {}};
}

States StateOptions::states(Verb& verb, Host& host, const std::string& folder,
                            const std::shared_ptr<Engine>& engine) const {
  const analysis::Inputs inputs(host, folder);
  States out;
  out.after = state_of(to_, verb, inputs);
  if (!from_.empty()) {
    out.before = state_of(from_, verb, inputs);
  } else if (!edits_.empty()) {
    out.after = analysis::kept(out.after, engine, {.folder = folder, .limits = verb.options().limits});
    out.before = out.after;
    out.edited.no_others = true;
  } else {
    out.before = to_.empty() ? state_of("HEAD", verb, inputs) : state_before(to_, verb, inputs);
  }
  out.after.inputs = std::make_shared<analysis::Inputs>(inputs, Edits());
  Editor editor(verb, out.after, folder);
  for (const auto& [option, word] : edits_) editor.edit(option, word);
  // The query does not count what edits read.
  out.after.inputs = std::make_shared<analysis::Inputs>(*out.after.inputs, Edits());
  out.edited.paths = editor.files();
  return out;
}

}  // namespace strata::cli
