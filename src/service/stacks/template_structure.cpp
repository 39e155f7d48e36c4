// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/template_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "heat/declarations.hpp"
#include "heat/resource_types.hpp"
#include "heat/state.hpp"
#include "heat/template_version.hpp"
#include "python/data.hpp"
#include "service/stacks/outputs.hpp"
#include "service/stacks/refusals.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"

namespace strata::service::stacks {
namespace {

/// Names of members, as one of the two forms of templates spells them.
struct Spelling {
  std::string_view resources, outputs, conditions;
  std::string_view type, properties, metadata, depends_on, deletion_policy, update_policy, description, external_id,
      condition;
  std::string_view value, get_attribute;
};
constexpr Spelling kHot{"resources",   "outputs",    "conditions",      "type",          "properties",
                        "metadata",    "depends_on", "deletion_policy", "update_policy", "description",
                        "external_id", "condition",  "value",           "get_attr"};
constexpr Spelling kCfn{"Resources", "Outputs",   "Conditions",     "Type",         "Properties",
                        "Metadata",  "DependsOn", "DeletionPolicy", "UpdatePolicy", "Description",
                        "",          "Condition", "Value",          "Fn::GetAtt"};

constexpr std::array<std::string_view, 5> kWithoutConditions{"2013-05-23", "2014-10-16", "2015-04-30", "2015-10-15",
                                                             "2016-04-08"};
constexpr std::array<std::string_view, 7> kHotSections{
    "heat_template_version", "description", "parameter_groups", "parameters", "resources", "outputs", "__undefined__"};
constexpr std::array<std::string_view, 7> kCfnSections{"AWSTemplateFormatVersion",
                                                       "HeatTemplateFormatVersion",
                                                       "Description",
                                                       "Mappings",
                                                       "Parameters",
                                                       "Resources",
                                                       "Outputs"};

bool is_listed(std::span<const std::string_view> all, std::string_view one) {
  return std::ranges::find(all, one) != all.end();
}

std::string_view python_class(const Value& value) {
  if (value.is_null()) return "NoneType";
  if (value.is_text()) return "str";
  if (value.is_sequence()) return "list";
  if (value.is_container()) return "dict";
  if (value.kind() == Kind::boolean) return "bool";
  return value.kind() == Kind::floating ? "float" : "int";
}

class Structure {
 public:
  Structure(const heat::Template& of, const Sources& sources, std::string_view type)
      : root_(of.root), parameters_(of.parameters), version_(heat::version_of(sources, of.root)), type_(type) {
    names_ = version_.is_hot ? kHot : kCfn;
    has_conditions_ =
        version_.is_hot ? !is_listed(kWithoutConditions, version_.version) : version_.key == "AWSTemplateFormatVersion";
  }

  void check() {
    check_resources();
    check_groups();
    check_sections();
    check_outputs();
  }

 private:
  [[noreturn]] void fail(std::string message) const { refuse(400, std::string(type_), std::move(message)); }

  /// A section that is there. Null: it is not, or is empty.
  [[nodiscard]] const Value* section(std::string_view name) const {
    const Value* found = root_.find(name);
    if (found == nullptr || !python::truth(*found)) return nullptr;
    if (!found->is_mapping()) fail(fmt::format("\"{}\" must be a map. Found a {} instead", name, python_class(*found)));
    return found;
  }

  void check_sections() const {
    const std::span<const std::string_view> known = version_.is_hot ? std::span(kHotSections) : std::span(kCfnSections);
    for (const Entry& entry : root_.entries()) {
      const std::string name = key_text(entry.key);
      if (!is_listed(known, name) && !(has_conditions_ && name == names_.conditions))
        fail(fmt::format("The template section is invalid: {}", name));
    }
    const Value* conditions = root_.find(names_.conditions);
    if (conditions == nullptr || conditions->is_mapping()) return;
    fail(fmt::format("Conditions validation error: Condition definitions must be a map. Found a {} instead",
                     python_class(*conditions)));
  }

  void check_resources() const {
    const Value* resources = section(names_.resources);
    if (resources == nullptr) return;
    for (const Entry& resource : resources->entries()) check_members(resource.value);
    for (const Entry& resource : resources->entries())
      check_resource(key_text(resource.key), resource.value, *resources);
    check_cycles(*resources);
    std::set<std::string> both;
    for (const Entry& resource : resources->entries()) {
      std::string name = key_text(resource.key);
      if (name.find('/') != std::string::npos) fail("Resource name may not contain \"/\"");
      if (std::ranges::find(parameters_.all(), name, &heat::ParameterSchema::name) != parameters_.all().end())
        both.insert(std::move(name));
    }
    if (both.empty()) return;
    std::string list;
    for (const std::string& name : both) list += fmt::format("{}{}", list.empty() ? "" : ", ", python::repr(name));
    fail(fmt::format("Duplicate names {{{}}}", list));
  }

  /// Whether a resource is a map with a type, and without unknown members.
  void check_members(const Value& resource) const {
    const std::string needs =
        version_.is_hot ? "Each resource must contain a type key." : "Each Resource must contain a Type key.";
    if (!python::truth(resource)) fail(needs);
    if (!resource.is_mapping()) {
      fail(
          version_.is_hot
              ? fmt::format("\"resources\" must contain a map of resource maps. Found a [<class '{}'>] instead",
                            python_class(resource))
              : fmt::format("Resources must contain Resource. Found a [<class '{}'>] instead", python_class(resource)));
    }
    if (version_.is_hot) {
      const std::array known{names_.type,        names_.properties,      names_.metadata,
                             names_.depends_on,  names_.deletion_policy, names_.update_policy,
                             names_.description, names_.external_id,     names_.condition};
      const std::size_t count = has_conditions_ ? known.size() : known.size() - 2;
      for (const Entry& entry : resource.entries()) {
        const std::string name = key_text(entry.key);
        if (!is_listed(std::span(known).first(count), name))
          fail(fmt::format("\"{}\" is not a valid keyword inside a resource definition", name));
      }
    }
    const Value* type = resource.find(names_.type);
    if (type == nullptr || (!version_.is_hot && !python::truth(*type))) fail(needs);
  }

  void check_resource(const std::string& name, const Value& resource, const Value& all) const {
    const auto check = [&](std::string_view key, std::string_view wanted, const auto& fits) {
      const Value* value = key.empty() ? nullptr : resource.find(key);
      if (value != nullptr && !fits(*value)) fail(fmt::format("Resource {} {} type must be {}", name, key, wanted));
    };
    const auto is_text = [](const Value& value) { return value.is_text(); };
    // A mapping can be the call of a function.
    const auto is_map = [](const Value& value) { return value.is_mapping(); };
    const auto is_text_or_call = [](const Value& value) { return value.is_text() || value.is_mapping(); };
    check(names_.type, "string", is_text);
    check(names_.properties, "object", is_map);
    check(names_.metadata, "object", is_map);
    check(names_.depends_on, "list or string",
          [](const Value& value) { return value.is_text() || value.is_sequence(); });
    check_dependencies(name, resource.find(names_.depends_on), all);
    check(names_.deletion_policy, "string", is_text_or_call);
    check_deletion(resource.find(names_.deletion_policy));
    check(names_.update_policy, "object", is_map);
    check(names_.description, "string", is_text);
    if (!has_conditions_) return;
    check(names_.external_id, "string", is_text_or_call);
    check(names_.condition, "string_or_boolean",
          [](const Value& value) { return value.is_text() || value.is_mapping() || value.kind() == Kind::boolean; });
    check_condition(fmt::format("{}.{}.{}", names_.resources, name, names_.condition), resource.find(names_.condition));
  }

  void check_dependencies(const std::string& name, const Value* given, const Value& all) const {
    if (given == nullptr) return;
    const auto look = [&](const Value& one) {
      if (!one.is_text()) fail(fmt::format("Resource {} {} must be a list of strings", name, names_.depends_on));
      if (all.find(one.text()) != nullptr) return;
      refuse(400, "InvalidTemplateReference",
             fmt::format("The specified reference \"{}\" (in {}) is incorrect.", one.text(), name));
    };
    if (given->is_text()) return look(*given);
    for (const Value& one : given->items()) look(one);
  }

  /// The resources that one depends on. Whether a resource with a condition is there is not known before values are.
  [[nodiscard]] std::vector<std::string> dependencies(const Value& resource) const {
    std::vector<std::string> out;
    if (has_conditions_ && resource.find(names_.condition) != nullptr) return out;
    const Value* given = resource.find(names_.depends_on);
    if (given == nullptr) return out;
    if (given->is_text()) return {std::string(given->text())};
    for (const Value& one : given->items()) out.emplace_back(one.text());
    return out;
  }

  /// Resources that depend on themselves by way of `depends_on`, found by a walk in depth with a stack of its own. Each
  /// resource is entered once.
  void check_cycles(const Value& resources) const {
    struct Entered {
      std::string name;
      std::vector<std::string> needs;
      std::size_t next = 0;
    };
    std::set<std::string, std::less<>> known;
    std::set<std::string, std::less<>> open;
    for (const Entry& resource : resources.entries()) {
      std::vector<Entered> path;
      const auto enter = [&](const std::string& name) {
        if (!known.insert(name).second) return;
        open.insert(name);
        path.push_back({.name = name, .needs = dependencies(*resources.find(name)), .next = 0});
      };
      if (!resource.key.is_text()) continue;
      enter(std::string(resource.key.text()));
      while (!path.empty()) {
        Entered& top = path.back();
        if (top.next == top.needs.size()) {
          open.erase(top.name);
          path.pop_back();
          continue;
        }
        const std::string need = top.needs[top.next++];
        if (open.contains(need)) {
          const auto begin = std::ranges::find(path, need, &Entered::name);
          std::string cycle;
          for (auto one = begin; one != path.end(); ++one) cycle += one->name + " -> ";
          refuse(400, "CircularDependencyException", fmt::format("Circular Dependency Found: {}{}", cycle, need));
        }
        enter(need);
      }
    }
  }

  void check_deletion(const Value* policy) const {
    if (policy == nullptr || !policy->is_text()) return;
    constexpr std::array<std::string_view, 6> kPolicies{"Delete", "Retain", "Snapshot", "delete", "retain", "snapshot"};
    const std::size_t count = version_.is_hot && has_conditions_ ? kPolicies.size() : 3;
    if (!is_listed(std::span(kPolicies).first(count), policy->text()))
      fail(fmt::format("Invalid deletion policy \"{}\"", policy->text()));
  }

  void check_condition(const std::string& path, const Value* condition) const {
    if (condition == nullptr || condition->is_null() || condition->is_mapping() || condition->kind() == Kind::boolean)
      return;
    const Value* all = root_.find(names_.conditions);
    if (condition->is_text() && all != nullptr && all->is_mapping() && all->find(condition->text()) != nullptr) return;
    fail(fmt::format("{}: Invalid condition \"{}\"", path, python::str(*condition)));
  }

  void check_groups() const {
    constexpr std::string_view kGroups = "parameter_groups";
    constexpr std::string_view kParameters = "parameters";
    const Value* groups = version_.is_hot ? root_.find(kGroups) : nullptr;
    if (groups == nullptr || !python::truth(*groups)) return;
    if (!groups->is_sequence()) fail_group({}, fmt::format("The {} should be a list.", kGroups));
    std::set<std::string> known;
    for (const Value& group : groups->items()) {
      if (!group.is_mapping()) fail_group({}, fmt::format("Each of the {} should be a map.", kGroups));
      const Value* label = group.find("label");
      const std::string name = fmt::format(".{}", label == nullptr ? std::string() : python::str(*label));
      const Value* parameters = group.find(kParameters);
      if (parameters == nullptr || parameters->is_null())
        fail_group(name, fmt::format("The {} must be provided for each parameter group.", kParameters));
      if (!parameters->is_sequence())
        fail_group(name, fmt::format("The {} of parameter group should be a list.", kParameters));
      for (const Value& one : parameters->items()) {
        const std::string parameter = python::str(one);
        if (!known.insert(parameter).second)
          fail_group(name, fmt::format("The {} parameter must be assigned to one parameter group only.", parameter));
        if (std::ranges::find(parameters_.all(), parameter, &heat::ParameterSchema::name) == parameters_.all().end() &&
            !is_pseudo(parameter))
          fail_group(name, fmt::format("The grouped parameter {} does not reference a valid parameter.", parameter));
      }
    }
  }

  static bool is_pseudo(std::string_view name) {
    return name == "OS::stack_id" || name == "OS::project_id" || name == "OS::stack_name";
  }

  [[noreturn]] void fail_group(std::string_view group, std::string_view message) const {
    fail(fmt::format("Parameter Groups error: parameter_groups{}: {}", group, message));
  }

  void check_outputs() const {
    const Value* outputs = section(names_.outputs);
    if (outputs == nullptr) return;
    for (const Entry& output : outputs->entries()) {
      const std::string path = fmt::format("{}.{}", names_.outputs, key_text(output.key));
      if (!output.value.is_mapping()) {
        fail(fmt::format("Output validation error: {}: Output definitions must be a map. Found a {} instead", path,
                         python_class(output.value)));
      }
      const Value* value = output.value.find(names_.value);
      if (value == nullptr)
        fail(fmt::format("Output validation error: {}: Each output definition must contain a {} key.", path,
                         names_.value));
      if (has_conditions_)
        check_condition(fmt::format("{}.{}", path, names_.condition), output.value.find(names_.condition));
      check_attribute(path, *value);
    }
  }

  /// An attribute of a resource that is not there.
  void check_attribute(const std::string& path, const Value& value) const {
    const Value* given = value.is_mapping() && value.size() == 1 ? value.find(names_.get_attribute) : nullptr;
    if (given == nullptr || !given->is_sequence() || given->size() == 0 || !given->items()[0].is_text()) return;
    const std::string_view name = given->items()[0].text();
    const Value* resources = section(names_.resources);
    if (resources != nullptr && resources->find(name) != nullptr) return;
    fail(fmt::format("{}.{}.{}: The specified reference \"{}\" (in unknown) is incorrect.", path, names_.value,
                     names_.get_attribute, name));
  }

  const Value& root_;
  const heat::Schemata& parameters_;
  const heat::TemplateVersion& version_;
  std::string_view type_;
  Spelling names_;
  bool has_conditions_ = false;
};

/// Checks the templates behind the resources of one template.
class Nested {
 public:
  Nested(const heat::Composition& composition, Session& session, std::string_view type, bool needs_values)
      : composition_(composition),
        session_(session),
        root_(*composition.declarations->root),
        type_(type),
        needs_values_(needs_values) {
    for (const heat::StoredText& file : composition.state->files)
      files_.emplace(file.name, heat::characters(session.sources(), file));
  }

  void check() {
    const bool is_hot = heat::version_of(session_.sources(), root_.root).is_hot;
    const Spelling& names = is_hot ? kHot : kCfn;
    const Value* resources = root_.root.find(names.resources);
    if (resources == nullptr || !resources->is_mapping()) return;
    for (const Entry& resource : resources->entries()) {
      check_stop(session_.limits().stop);
      // Whether one with a condition is there is not known before values are.
      if (!resource.value.is_mapping() || resource.value.find(names.condition) != nullptr) continue;
      const Value* type = resource.value.find(names.type);
      const std::string name = key_text(resource.key);
      const std::string file = type != nullptr && type->is_text()
                                   ? template_of_type(composition_, type->text(), name, session_)
                                   : std::string();
      if (!file.empty()) check_properties(name, resource.value.find(names.properties), template_in(file));
    }
  }

 private:
  [[noreturn]] void fail(std::string message) const { refuse(400, std::string(type_), std::move(message)); }

  const heat::Template& template_in(const std::string& file) {
    const auto known = templates_.find(file);
    if (known != templates_.end()) return known->second;
    const auto text = files_.find(file);
    if (text == files_.end())
      fail(fmt::format("Could not fetch remote template \"{}\": it is not among the files", file));
    if (templates_.size() == session_.limits().includes) {
      throw Error("limit.includes", fmt::format("more than {} templates are nested", session_.limits().includes));
    }
    try {
      heat::Template of =
          heat::read_template(session_.sources(), session_.sources().add(file, text->second), session_.limits());
      session_.keep(of.arena);
      return templates_.emplace(file, std::move(of)).first->second;
    } catch (const Error& error) {
      if (error.code().starts_with("yaml.")) fail(fmt::format("Error parsing template {} {}", file, error.what()));
      if (error.code() != "heat.template") throw;
      fail(template_fault(error));
    }
  }

  void check_properties(const std::string& resource, const Value* given, const heat::Template& of) const {
    if (given != nullptr && (!given->is_mapping() || is_call(*given))) return;
    const auto has = [&of](const std::string& name) {
      return std::ranges::find(of.parameters.all(), name, &heat::ParameterSchema::name) != of.parameters.all().end();
    };
    const auto fail_at = [&](std::string_view message) {
      fail(fmt::format("Property error: resources.{}.properties: {}", resource, message));
    };
    if (given != nullptr) {
      for (const Entry& property : given->entries()) {
        const std::string name = key_text(property.key);
        if (!has(name)) fail_at(fmt::format("Unknown Property {}", name));
      }
    }
    const Value& defaults = composition_.environment.parameter_defaults.value;
    for (const heat::ParameterSchema& schema : of.parameters.all()) {
      const bool is_given = schema.default_value || (given != nullptr && given->find(schema.name) != nullptr) ||
                            (defaults.is_mapping() && defaults.find(schema.name) != nullptr);
      if (needs_values_ && !is_given) fail_at(fmt::format("Property {} not assigned", schema.name));
    }
  }

  const heat::Composition& composition_;
  Session& session_;
  const heat::Template& root_;
  std::string_view type_;
  bool needs_values_;
  std::map<std::string, std::string, std::less<>> files_;
  std::map<std::string, heat::Template> templates_;
};

}  // namespace

std::string template_of_type(const heat::Composition& composition, std::string_view type, const std::string& resource,
                             Session& session) {
  try {
    const heat::ResolvedType found =
        heat::resolve_type(composition.environment.resource_registry, type, resource, {}, session);
    return found.kind == heat::TypeKind::template_ ? std::string(found.value.value.text()) : std::string();
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    return {};  // What is built in where stacks are run is not known here.
  }
}

std::string template_fault(const Error& error) {
  const bool is_mapping = std::string_view(error.what()).find("version") != std::string_view::npos;
  return is_mapping ? "Template format version not found." : "The template is not a JSON object or YAML mapping.";
}

void check_nested(const heat::Composition& composition, Session& session, std::string_view type, bool needs_values) {
  Nested(composition, session, type, needs_values).check();
}

void check_structure(const heat::Template& of, const Sources& sources, std::string_view type) {
  Structure(of, sources, type).check();
}

}  // namespace strata::service::stacks
