// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "bindings/problems.hpp"
#include "bindings/request/paths.hpp"
#include "puppet/evaluation/objects.hpp"
#include "puppet/quote.hpp"
#include "strata/near_names.hpp"

namespace strata::bindings {
namespace {

void replace_each(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

/// What counts of an attribute: own, else that of the defaults; none where that is the table's.
const AttributeValue* effective(const Attributes& own, const Attributes& defaults, AttributeName name) {
  const std::optional<AttributeValue>& value = own[name] ? own[name] : defaults[name];
  return value && !value->is_default ? &*value : nullptr;
}

std::string attribute_path(const AttributeValue* value, std::string_view otherwise, const Environment& environment,
                           const std::string& folder) {
  if (value == nullptr) return joined(folder, otherwise);
  return joined(folder, with_folders(value->texts.front(), environment.confdir, environment.envdir));
}

std::vector<std::string> modulepath_of(const AttributeValue* value, const Environment& environment) {
  if (value == nullptr) return {joined(environment.envdir, "modules")};
  std::vector<std::string> out;
  for (const std::string& text : value->texts) {
    const std::string whole = with_folders(text, environment.confdir, environment.envdir);
    for (std::size_t at = 0; at < whole.size();) {
      const std::size_t end = std::min(whole.find(':', at), whole.size());
      if (end > at) out.push_back(joined(environment.envdir, std::string_view(whole).substr(at, end - at)));
      at = end + 1;
    }
  }
  return out;
}

}  // namespace

Attributes evaluate_attributes(const Phase& phase, puppet::Scope& scope, std::string_view subject,
                               std::span<const Attribute> written) {
  Attributes out;
  Problems problems;
  for (const Attribute& attribute : written) {
    problems.guard([&] {
      const auto known = std::ranges::find(kAttributeNames, attribute.name);
      if (known == kAttributeNames.end()) {
        throw Error("environment.attribute", fmt::format("{} has no attribute '{}'", subject, attribute.name))
            .at(phase.session.sources(), attribute.origin)
            .hint(name_hint(kAttributeNames, attribute.name,
                            fmt::format("it may have {}", fmt::join(kAttributeNames, ", "))));
      }
      const auto name = static_cast<AttributeName>(known - kAttributeNames.begin());
      if (out[name]) {
        throw Error("environment.attribute", fmt::format("{} has the attribute '{}' twice", subject, attribute.name))
            .at(phase.session.sources(), attribute.origin)
            .note(phase.session.sources(), out[name]->origin, "it is given here first");
      }
      const Value value = phase.evaluator.evaluate(*attribute.value, scope);
      AttributeValue& kept = out[name].emplace();
      kept.origin = attribute.origin;
      kept.is_default = puppet::is_default(value);
      if (kept.is_default) return;
      auto texts =
          value.is_text() ? std::optional(std::vector<std::string>{std::string(value.text())}) : texts_of(value);
      const bool is_list = name == AttributeName::modulepath && value.is_sequence();
      const bool has_zero = texts && std::ranges::any_of(*texts, [](const std::string& text) {
                              return text.find('\0') != std::string::npos;
                            });
      if (!texts || has_zero || (value.is_sequence() && !is_list)) {
        throw Error("environment.attribute",
                    fmt::format("the attribute '{}' of {} must be a text{}", attribute.name, subject,
                                name == AttributeName::modulepath ? " or a list of texts" : ""))
            .at(phase.session.sources(), attribute.origin);
      }
      kept.texts = std::move(*texts);
    });
  }
  problems.raise();
  return out;
}

std::string with_folders(std::string text, std::string_view confdir, std::string_view envdir) {
  replace_each(text, "${confdir}", confdir);
  replace_each(text, "$confdir", confdir);
  if (envdir.empty()) return text;
  replace_each(text, "${envdir}", envdir);
  replace_each(text, "$envdir", envdir);
  return text;
}

Environment resolve(const Phase& phase, const std::string& name, const Attributes& own, const Attributes& defaults,
                    std::string envdir) {
  Environment out;
  out.name = name;
  out.confdir = phase.confdir;
  out.envdir = std::move(envdir);
  if (out.envdir.empty()) {
    const AttributeValue* value = effective(own, defaults, AttributeName::envdir);
    const std::string written =
        value == nullptr ? phase.confdir : with_folders(value->texts.front(), phase.confdir, {});
    if (value != nullptr && !written.starts_with('/')) {
      throw Error("environment.path", fmt::format("the envdir of environment {} must be an absolute path: {} is not",
                                                  puppet::quote(name), puppet::quote(written)))
          .at(phase.session.sources(), value->origin)
          .hint(fmt::format("write \"$confdir/{}\"", written));
    }
    out.envdir = normal(written);
  }
  const auto value = [&](AttributeName which) { return effective(own, defaults, which); };
  out.modulepath = modulepath_of(value(AttributeName::modulepath), out);
  out.templatedir = attribute_path(value(AttributeName::templatedir), "templates", out, out.envdir);
  out.bindingsdir = attribute_path(value(AttributeName::bindingsdir), "bindings", out, out.envdir);
  return out;
}

void find_manifest(const Phase& phase, Environment& environment, const Attributes& own, const Attributes& defaults) {
  const std::string folder = attribute_path(effective(own, defaults, AttributeName::manifestdir), "manifests",
                                            environment, environment.envdir);
  const AttributeValue* explicit_one = effective(own, defaults, AttributeName::manifest);
  if (explicit_one != nullptr) {
    environment.manifest = attribute_path(explicit_one, {}, environment, folder);
    if (phase.session.tree().kind(environment.manifest) == FileKind::file) return;
    throw Error("environment.missing", fmt::format("the manifest of environment {} does not exist: there is no file {}",
                                                   puppet::quote(environment.name), environment.manifest))
        .at(phase.session.sources(), explicit_one->origin);
  }
  for (std::string path : {joined(folder, "site.pp"), joined(phase.confdir, "site.pp")}) {
    if (phase.session.tree().kind(path) != FileKind::file) continue;
    environment.manifest = std::move(path);
    return;
  }
}

}  // namespace strata::bindings
