// SPDX-License-Identifier: Apache-2.0
// A code directory in memory and one node that looks keys up in it.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ruby/ruby.hpp"
#include "strata/hiera.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"
#include "support/sessions.hpp"

namespace strata::hiera::testing {

/// Files are named below the environment `production`; names that begin with `/` are absolute, and the code directory
/// is `/code`.
class World {
 public:
  using Files = std::map<std::string, std::string>;

  struct Options {
    Compat compat = Compat::puppet7;
    bool keeps_history = false;
    std::string environment = "production";
    std::function<std::optional<std::string>(const std::string&)> read_key = nullptr;
    Limits limits = {};
  };

  explicit World(const Files& files, std::string_view facts_text = "{}") : World(files, facts_text, Options()) {}
  World(const Files& files, std::string_view facts_text, Options options)
      : session(strata::testing::test_session(absolute(files),
                                              {.limits = options.limits, .keeps_history = options.keeps_history})) {
    settings.codedir = "/code";
    settings.working_folder = "/start";
    settings.environment = options.environment;
    settings.compat = options.compat;
    settings.read_key = std::move(options.read_key);
    facts = read_facts(session.sources(), session.sources().add("facts.yaml", std::string(facts_text)), "facts.yaml",
                       session.limits());
  }

  [[nodiscard]] NodeView& view() {
    if (!view_) view_.emplace(settings, facts, session);
    return *view_;
  }
  /// For worlds that keep one.
  [[nodiscard]] const merge::History& history() { return *session.recorder().history(); }

  [[nodiscard]] Value yaml(std::string_view text) {
    const SourceId source = session.sources().add("<query>", std::string(text));
    documents_.push_back(text::read_yaml(session.sources(), source, text::psych(), session.limits()));
    return documents_.back().root;
  }

  /// The result, kept as long as the world.
  [[nodiscard]] const Result& result(const Query& query, Explanation* explanation = nullptr) {
    kept_.push_back(std::make_unique<Result>(view().lookup(query, explanation)));
    return *kept_.back();
  }
  [[nodiscard]] static Query query(std::string name, Value merge = {}) {
    Query out;
    out.names = {std::move(name)};
    out.merge = merge;
    return out;
  }
  /// The value as Ruby writes it in one line, or what the error says: `code: message`.
  [[nodiscard]] std::string answer(const Query& query) {
    try {
      return ruby::inspect(result(query).value.value);
    } catch (const Error& error) {
      return error.code() + ": " + error.what();
    }
  }
  [[nodiscard]] std::string answer(std::string name, std::string_view merge = {}) {
    return answer(query(std::move(name), merge.empty() ? Value() : yaml(merge)));
  }
  /// As a compiler prints it; nothing without an error.
  [[nodiscard]] std::string told(std::string name) {
    try {
      (void)result(query(std::move(name)));
    } catch (const Error& error) {
      return format(error.diagnostic(), "error");
    }
    return {};
  }
  [[nodiscard]] std::string explained(std::string name, std::string_view merge = {}) {
    Explanation explanation;
    try {
      (void)result(query(std::move(name), merge.empty() ? Value() : yaml(merge)), &explanation);
    } catch (const LookupError& error) {
      explanation.add_failure(error, settings.working_folder);
    } catch (const Error& error) {
      explanation.add_text(error.what());
    }
    return explanation.text();
  }
  /// A path with the layers and fates of what came to it, a line each.
  [[nodiscard]] std::string fates(const Result& found) {
    std::string out;
    for (const merge::PathHistory& path : history().explain(found.value)) {
      out += path.path.pointer() + ":";
      for (const merge::Contribution& one : path.contributions) {
        out += " " + history().layer_name(one.layer) + " " + std::string(merge::to_string(one.fate)) + " " +
               ruby::inspect(one.value);
        out += ";";
      }
      out += "\n";
    }
    return out;
  }
  [[nodiscard]] std::string warnings() const {
    std::string out;
    for (const Diagnostic& warning : session.diagnostics().warnings()) out += format(warning, "warning");
    return out;
  }

  Session session;
  Settings settings;
  Facts facts;

 private:
  [[nodiscard]] static Files absolute(const Files& files) {
    Files out;
    for (const auto& [name, text] : files)
      out[name.starts_with('/') ? name : "/code/environments/production/" + name] = text;
    return out;
  }

  std::vector<text::Document> documents_;
  std::optional<NodeView> view_;
  std::vector<std::unique_ptr<Result>> kept_;
};

/// A hiera.yaml with one entry a path.
inline std::string levels(std::initializer_list<std::string_view> paths) {
  std::string out = "version: 5\nhierarchy:\n";
  for (const std::string_view path : paths)
    out += "  - {name: '" + std::string(path) + "', path: '" + std::string(path) + "'}\n";
  return out;
}

}  // namespace strata::hiera::testing
