// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/environments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "bindings/problems.hpp"
#include "bindings/request/attributes.hpp"
#include "bindings/request/documents.hpp"
#include "bindings/request/paths.hpp"
#include "bindings/syntax/site.hpp"
#include "puppet/quote.hpp"
#include "strata/builder.hpp"
#include "strata/found_file.hpp"
#include "strata/near_names.hpp"

namespace strata::bindings {
namespace {

constexpr std::string_view kProduction = "production";
constexpr std::size_t kListed = 20;

struct DeclaredEnvironment {
  Attributes attributes;
  Origin origin;
};

class Environments {
 public:
  explicit Environments(const Phase& phase)
      : phase_(phase), outer_(nullptr, &phase.variables), scope_(&outer_, &phase.variables) {
    const Value confdir = phase.arena.text(phase.confdir);
    (void)outer_.assign("confdir", confdir, {});
    if (phase.enc == nullptr) return;
    if (phase.enc->environment)
      (void)outer_.assign("environment", phase.enc->environment, phase.enc->environment.origin());
    SequenceBuilder classes(phase.arena);
    for (const EncClass& each : phase.enc->classes)
      classes.append(phase.arena.text(each.name).with_origin(each.origin));
    (void)outer_.assign("classes", classes.finish(), phase.enc->origin);
  }

  Environment choose() {
    const bool is_given = !phase_.environments_file.empty();
    const std::string path = is_given ? phase_.environments_file : joined(phase_.confdir, "environments.pp");
    file_ = phase_.session.read<EnvironmentsFile>(
        path, "environments.pp", [](Sources& texts, SourceId source, const Limits& limits) {
          auto out = std::make_shared<const EnvironmentsFile>(read_environments(texts, source, limits));
          return Reading<EnvironmentsFile>{.parsed = std::move(out), .bytes = syntax_bytes(texts.text(source))};
        });
    if (is_given && !file_) throw Error("environment.missing", "there is no such file").in(path);
    if (file_) evaluate();
    return select(wanted());
  }

 private:
  void evaluate() {
    Problems problems;
    for (const EnvironmentItem& item : file_->items) {
      problems.guard([&] {
        if (item.statement != nullptr) {
          (void)phase_.evaluator.evaluate(*item.statement, scope_);
        } else {
          declare(item.entry, problems);
        }
      });
    }
    // Paths are checked of all environments, not only of the one that is chosen.
    for (const auto& entry : named_)
      problems.guard([&] { (void)resolve(phase_, entry.first, entry.second.attributes, defaults_, {}); });
    problems.raise();
  }

  void declare(const EnvironmentEntry& entry, Problems& problems) {
    switch (entry.kind) {
      case EnvironmentEntry::Kind::defaults:
        return declare_defaults(entry);
      case EnvironmentEntry::Kind::named:
        return declare_named(entry, problems);
      case EnvironmentEntry::Kind::dynamic:
        return declare_dynamic(entry);
    }
  }

  void declare_defaults(const EnvironmentEntry& entry) {
    const Attributes given = evaluate_attributes(phase_, scope_, "Environment", entry.attributes);
    for (std::size_t i = 0; i < kAttributeNames.size(); ++i) {
      if (!given.values[i]) continue;
      if (defaults_.values[i]) {
        phase_.warn("environment.default-twice",
                    fmt::format("the default of '{}' is set again: this one is used", kAttributeNames[i]),
                    given.values[i]->origin);
      }
      defaults_.values[i] = given.values[i];
    }
  }

  void declare_named(const EnvironmentEntry& entry, Problems& problems) {
    const auto titles = texts_of(phase_.evaluator.evaluate(*entry.title, scope_));
    if (!titles) {
      throw Error("environment.title",
                  "the title of an environment must be a text that is not empty, or a list of such")
          .at(phase_.session.sources(), entry.origin);
    }
    const std::string subject = fmt::format("environment {}", fmt::join(*titles, ", "));
    const Attributes attributes = evaluate_attributes(phase_, scope_, subject, entry.attributes);
    for (const std::string& title : *titles) {
      const auto added = named_.try_emplace(title, DeclaredEnvironment{attributes, entry.origin});
      if (added.second) continue;
      problems.add(Error("environment.duplicate", fmt::format("environment {} is declared twice", puppet::quote(title)))
                       .at(phase_.session.sources(), entry.origin)
                       .note(phase_.session.sources(), added.first->second.origin, "it is declared here first"));
    }
  }

  void declare_dynamic(const EnvironmentEntry& entry) {
    if (dynamic_) {
      throw Error("environment.dynamic", "dynamic_environments is given twice")
          .at(phase_.session.sources(), entry.origin)
          .note(phase_.session.sources(), dynamic_->origin, "it is given here first");
    }
    dynamic_ = DeclaredEnvironment{.attributes = {}, .origin = entry.origin};
    const Value title = phase_.evaluator.evaluate(*entry.title, scope_);
    const std::string written =
        title.is_text() ? with_folders(std::string(title.text()), phase_.confdir, {}) : std::string();
    if (!written.starts_with('/') || written.find('\0') != std::string::npos) {
      throw Error("environment.dynamic", "the title of dynamic_environments must be an absolute path")
          .at(phase_.session.sources(), entry.origin)
          .hint("write \"$confdir/environments\"");
    }
    dynamic_folder_ = normal(written);
    dynamic_->attributes = evaluate_attributes(phase_, scope_, "dynamic_environments", entry.attributes);
    if (const auto& envdir = dynamic_->attributes[AttributeName::envdir]) {
      throw Error("environment.dynamic", "dynamic_environments may not set envdir: it is the folder that was found")
          .at(phase_.session.sources(), envdir->origin);
    }
    if (phase_.session.tree().kind(dynamic_folder_) != FileKind::folder) {
      phase_.warn("environment.no-folder",
                  fmt::format("dynamic environments need the folder {}, which does not exist", dynamic_folder_),
                  entry.origin);
    }
  }

  /// The name that `$environment` ends with.
  std::string wanted() {
    const Value* value = scope_.find("environment");
    if (value == nullptr || value->is_null()) return std::string(kProduction);
    const Origin assigned = scope_.assigned_at("environment");
    chosen_at_ = assigned ? assigned : value->origin();
    if (!value->is_text() || value->text().empty()) {
      throw Error("environment.name",
                  fmt::format("$environment must be a text that is not empty, not {}",
                              value->is_text() ? std::string_view("an empty one") : describe(value->kind())))
          .at(phase_.session.sources(), chosen_at_);
    }
    return std::string(value->text());
  }

  [[nodiscard]] static bool can_be_dynamic(const std::string& name) {
    return !name.starts_with('.') && name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
  }

  Environment select(const std::string& name) {
    const Attributes none;
    if (const std::string& root = phase_.environment_root; !root.empty()) {
      const auto found = named_.find(name);
      const Attributes& own = found != named_.end() ? found->second.attributes : dynamic_ ? dynamic_->attributes : none;
      Environment out = resolve(phase_, name, own, defaults_, root);
      require_folder(out, {});
      find_manifest(phase_, out, own, defaults_);
      return out;
    }
    if (const auto found = named_.find(name); found != named_.end()) {
      Environment out = resolve(phase_, name, found->second.attributes, defaults_, {});
      require_folder(out, found->second.origin);
      find_manifest(phase_, out, found->second.attributes, defaults_);
      return out;
    }
    if (dynamic_ && can_be_dynamic(name)) {
      const std::string folder = joined(dynamic_folder_, name);
      if (phase_.session.tree().kind(folder) == FileKind::folder) {
        Environment out = resolve(phase_, name, dynamic_->attributes, defaults_, folder);
        find_manifest(phase_, out, dynamic_->attributes, defaults_);
        return out;
      }
    }
    if (name != kProduction) throw unknown(name);
    Environment out = resolve(phase_, name, none, defaults_, {});
    require_folder(out, {});
    find_manifest(phase_, out, none, defaults_);
    return out;
  }

  void require_folder(const Environment& environment, Origin origin) const {
    if (phase_.session.tree().kind(environment.envdir) == FileKind::folder) return;
    throw Error("environment.missing", fmt::format("the folder of environment {} does not exist: {}",
                                                   puppet::quote(environment.name), environment.envdir))
        .at(phase_.session.sources(), origin);
  }

  [[nodiscard]] Error unknown(const std::string& name) const {
    std::vector<std::string> known;
    for (const auto& entry : named_) known.push_back(entry.first);
    if (dynamic_) {
      const auto is_meant = [](std::string_view folder) { return !folder.starts_with('.'); };
      for (std::string& found : folders_in(phase_.session.tree(), {&dynamic_folder_, 1}, is_meant))
        known.push_back(std::move(found));
    }
    known.emplace_back(kProduction);
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    const std::vector<std::string_view> names(known.begin(), known.end());
    std::string hint = name_hint(names, name);
    const std::size_t more = known.size() > kListed ? known.size() - kListed : 0;
    known.resize(known.size() - more);
    return Error("environment.unknown", fmt::format("unknown environment {}: there {} {}{}", puppet::quote(name),
                                                    known.size() == 1 ? "is" : "are", fmt::join(known, ", "),
                                                    more == 0 ? std::string() : fmt::format(" and {} more", more)))
        .at(phase_.session.sources(), chosen_at_)
        .hint(std::move(hint));
  }

  const Phase& phase_;
  puppet::Scope outer_;
  puppet::Scope scope_;
  std::shared_ptr<const EnvironmentsFile> file_;
  Attributes defaults_;
  std::map<std::string, DeclaredEnvironment> named_;
  std::optional<DeclaredEnvironment> dynamic_;
  std::string dynamic_folder_;
  Origin chosen_at_;
};

}  // namespace

Environment choose_environment(const Phase& phase) { return Environments(phase).choose(); }

}  // namespace strata::bindings
