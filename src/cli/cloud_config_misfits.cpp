// SPDX-License-Identifier: Apache-2.0
// Checks parts and results of cloud-init, and gives what is wrong with them to the rules of `strata check`.
//
// The schema is a file of the query, or of the installed cloud-init; without either, the built-in table of names and
// types is used, with one note about it. A mistake that the parts and the result share has one place, the value that
// won, and is one finding. Tested by tests/cli/check_schema_test.py.
#include "cloud_config_misfits.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/host.hpp"

namespace strata::cli {
namespace {

constexpr std::string_view kBuiltin = "builtin";

/// A schema, or why it cannot be used. Neither: there is no such file.
struct KnownSchema {
  std::optional<cloudinit::ConfigSchema> schema;
  std::optional<Error> error;
};
/// The schemas of one check by their names, each read once.
using Schemas = std::map<std::string, KnownSchema>;

std::string_view code_of(cloudinit::SchemaProblem::Kind kind) {
  switch (kind) {
    case cloudinit::SchemaProblem::Kind::unknown_name:
      return "unknown-member";
    case cloudinit::SchemaProblem::Kind::wrong_type:
      return "wrong-type";
    case cloudinit::SchemaProblem::Kind::violation:
      return "schema";
    case cloudinit::SchemaProblem::Kind::deprecation:
      return "deprecated";
    case cloudinit::SchemaProblem::Kind::crash:
      return "cloudinit.crash";
  }
  return "schema";
}

void add(analysis::Misfits& out, std::vector<cloudinit::SchemaProblem> problems) {
  for (cloudinit::SchemaProblem& one : problems) {
    out.all.push_back({.code = code_of(one.kind),
                       .pointer = std::move(one.pointer),
                       .origin = one.origin,
                       .is_name = one.is_name,
                       .message = std::move(one.message),
                       .hint = std::move(one.hint),
                       .root_member = std::move(one.unknown_root)});
  }
}

/// The checks of one run of a command.
class ConfigChecks {
 public:
  ConfigChecks(CheckedConfigs configs, Session& session) : configs_(std::move(configs)), session_(session) {}

  analysis::Misfits operator()(analysis::MisfitContext& context) const {
    analysis::Misfits out;
    if (configs_.documents.empty()) return out;
    const bool is_cloud_config = configs_.type == cloudinit::ConfigType::cloud_config;
    if (configs_.schema != kBuiltin) {
      try {
        check(context, out);
      } catch (const Error& error) {
        if (error.ends_request()) throw;
        out.failed.push_back(error.diagnostic());
      }
    }
    const bool has_configs = std::ranges::any_of(configs_.documents, [](const Value& one) { return one.is_mapping(); });
    if (has_configs && configs_.schema.empty() && !out.has_schema && out.failed.empty() &&
        (context.machine != nullptr || !is_cloud_config))
      tell_of_none(is_cloud_config, out);
    if (is_cloud_config) {
      add(out, cloudinit::schema_problems(configs_.documents.back()));
      add(out, cloudinit::crash_problems(configs_.documents.back()));
    }
    return out;
  }

 private:
  void check(analysis::MisfitContext& context, analysis::Misfits& out) const {
    for (const Value& document : configs_.documents) {
      if (!document.is_mapping()) continue;
      const cloudinit::ConfigSchema* schema = schema_for(document, context);
      if (schema == nullptr) continue;
      out.has_schema = true;
      add(out, schema->check(document, session_.limits().stop));
    }
  }

  /// Null: there is none.
  [[nodiscard]] const cloudinit::ConfigSchema* schema_for(const Value& document,
                                                          analysis::MisfitContext& context) const {
    if (!context.memory) context.memory = std::make_shared<Schemas>();
    Schemas& schemas = *std::static_pointer_cast<Schemas>(context.memory);
    if (!configs_.schema.empty()) {
      const std::string& name = configs_.schema;
      return add_to(schemas, name, [&] {
        if (session_.host() == nullptr) throw Error("host.missing", "schemas cannot be read here").in(name);
        return std::optional(session_.host()->read(name));
      });
    }
    if (context.machine == nullptr) return nullptr;
    for (const std::string& name : cloudinit::installed_schemas(configs_.type, document)) {
      const auto* found = add_to(schemas, name, [&] { return context.machine->read(name); });
      if (found != nullptr) return found;
    }
    return nullptr;
  }

  template <class Read>
  const cloudinit::ConfigSchema* add_to(Schemas& schemas, const std::string& name, const Read& read) const {
    const auto [known, is_new] = schemas.try_emplace(name);
    KnownSchema& entry = known->second;
    if (is_new) {
      try {
        if (std::optional<std::string> bytes = read()) entry.schema.emplace(name, std::move(*bytes), session_.limits());
      } catch (const Error& error) {
        if (error.ends_request()) throw;
        entry.error = error;
      }
    }
    if (entry.error) throw Error(*entry.error);
    return entry.schema ? &*entry.schema : nullptr;
  }

  static void tell_of_none(bool is_cloud_config, analysis::Misfits& out) {
    if (is_cloud_config) {
      out.notes.push_back(Error("cloud-config.no-schema",
                                "no cloud-init is installed, so that names and types are compared with a built-in "
                                "table, which is smaller than cloud-init's schema")
                              .hint("give the schema of a cloud-init with --schema FILE, or --schema builtin")
                              .diagnostic());
    } else {
      out.failed.push_back(Error("cloud-config.no-schema", "the installed cloud-init has no schema of network-config")
                               .hint("give the schema of a cloud-init with --schema FILE")
                               .diagnostic());
    }
  }

  CheckedConfigs configs_;
  Session& session_;
};

}  // namespace

std::function<analysis::Misfits(analysis::MisfitContext&)> cloud_config_misfits(CheckedConfigs configs,
                                                                                Session& session) {
  return ConfigChecks(std::move(configs), session);
}

}  // namespace strata::cli
