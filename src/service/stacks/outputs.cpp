// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "service/json.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"

namespace strata::service::stacks {
namespace {

// Functions of templates besides get_param and Ref. Sorted.
constexpr std::array<std::string_view, 25> kFunctions{"and",
                                                      "contains",
                                                      "digest",
                                                      "equals",
                                                      "filter",
                                                      "get_attr",
                                                      "get_file",
                                                      "get_param",
                                                      "get_resource",
                                                      "if",
                                                      "list_concat",
                                                      "list_concat_unique",
                                                      "list_join",
                                                      "make_url",
                                                      "map_merge",
                                                      "map_replace",
                                                      "not",
                                                      "or",
                                                      "repeat",
                                                      "resource_facade",
                                                      "str_replace",
                                                      "str_replace_strict",
                                                      "str_replace_vstrict",
                                                      "str_split",
                                                      "yaql"};
static_assert(std::ranges::is_sorted(kFunctions));

constexpr std::string_view kNotResolved = "not resolved: no resources are run";

/// Ends the work on one output: it needs what only a service that runs stacks has.
struct Unresolved {};

}  // namespace

bool is_call(const Value& value) {
  if (!value.is_mapping() || value.size() != 1) return false;
  const std::string name = key_text(value.entries()[0].key);
  return name == "Ref" || name.starts_with("Fn::") || std::ranges::binary_search(kFunctions, name);
}

namespace {

class Resolver {
 public:
  Resolver(Arena& arena, const Value& parameters, const Value& pseudo)
      : arena_(arena), parameters_(parameters), pseudo_(pseudo) {}

  [[nodiscard]] bool is_hidden() const noexcept { return is_hidden_; }

  // Recursion: bounded by Limits::depth, which the reader of the template kept.
  Value resolve(const Value& value) {
    if (is_call(value)) {
      const Entry& call = value.entries()[0];
      const std::string name = key_text(call.key);
      if (name == "get_param") return parameter(call.value);
      if (name == "Ref") return reference(call.value);
      throw Unresolved();
    }
    if (!value.is_container()) return value;
    return with_members(arena_, value, [this](const Value& one) { return resolve(one); });
  }

 private:
  Value reference(const Value& argument) {
    if (!argument.is_text() || find(argument.text()) == nullptr) throw Unresolved();
    return parameter(argument);
  }

  /// `get_param: NAME`, or `get_param: [NAME, key, …]`.
  Value parameter(const Value& argument) {
    const Value whole = resolve(argument);
    const std::span<const Value> words = whole.is_sequence() ? whole.items() : std::span(&whole, 1);
    if (words.empty() || !words.front().is_text()) throw Unresolved();
    const Value* found = find(words.front().text());
    if (found == nullptr) throw Unresolved();
    Value out = *found;
    for (const Value& word : words.subspan(1)) out = step(out, word);
    return out;
  }

  const Value* find(std::string_view name) {
    if (const Value* pseudo = pseudo_.find(name)) return pseudo;
    const Value* row = parameters_.find(name);
    if (row == nullptr) return nullptr;
    if (row->find("hidden")->as_boolean()) is_hidden_ = true;
    return row->find("value");
  }

  /// As the reference: an empty text where a path leads nowhere.
  Value step(const Value& in, const Value& word) {
    const Value nothing = arena_.text("");
    const std::string key = key_text(word);
    if (in.is_mapping()) {
      const Value* found = in.find(key);
      return found == nullptr ? nothing : *found;
    }
    if (!in.is_sequence()) return nothing;
    std::int64_t index = 0;
    const auto [stopped, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error != std::errc() || stopped != key.data() + key.size()) return nothing;
    const auto size = static_cast<std::int64_t>(in.size());
    if (index < 0) index += size;
    return index < 0 || index >= size ? nothing : in.items()[static_cast<std::size_t>(index)];
  }

  Arena& arena_;
  const Value& parameters_;
  const Value& pseudo_;
  bool is_hidden_ = false;
};

const Value* either(const Value& mapping, std::string_view hot, std::string_view cfn) {
  const Value* found = mapping.find(hot);
  return found == nullptr ? mapping.find(cfn) : found;
}

}  // namespace

// Recursion: bounded by Limits::depth, which the reader of the template kept.
bool is_literal(const Value& value) {
  if (is_call(value)) return false;
  if (value.is_sequence()) return std::ranges::all_of(value.items(), is_literal);
  return !value.is_mapping() ||
         std::ranges::all_of(value.entries(), [](const Entry& entry) { return is_literal(entry.value); });
}

Value pseudo_parameters(Arena& arena, const Subject& subject, bool is_cfn) {
  if (is_cfn) {
    const std::string name =
        fmt::format("arn:openstack:heat::{}:stacks/{}/{}", subject.project, subject.name, subject.id);
    // The reference knows no region of its own either.
    return json_object(arena, {{"AWS::StackId", arena.text(name)},
                               {"AWS::StackName", arena.text(subject.name)},
                               {"AWS::Region", arena.text("ap-southeast-1")}});
  }
  return json_object(arena, {{"OS::stack_id", arena.text(subject.id)},
                             {"OS::project_id", arena.text(subject.project)},
                             {"OS::stack_name", arena.text(subject.name)}});
}

Value outputs_of(Arena& arena, const Value& root, const Value& parameters, const Subject& subject, bool shows_hidden) {
  SequenceBuilder out(arena);
  const Value* outputs = either(root, "outputs", "Outputs");
  if (outputs == nullptr || !outputs->is_mapping()) return out.finish();
  MappingBuilder pseudo = MappingBuilder::copy_of(arena, pseudo_parameters(arena, subject, true));
  for (const Entry& one : pseudo_parameters(arena, subject, false).entries()) pseudo.insert(one.key, one.value);
  const Value all_pseudo = pseudo.finish();
  for (const Entry& output : outputs->entries()) {
    const Value* description = output.value.is_mapping() ? either(output.value, "description", "Description") : nullptr;
    const Value* value = output.value.is_mapping() ? either(output.value, "value", "Value") : nullptr;
    MappingBuilder row(arena);
    row.insert("output_key", arena.text(key_text(output.key)));
    row.insert("description",
               description != nullptr && description->is_text() ? *description : arena.text("No description given"));
    try {
      if (value == nullptr || either(output.value, "condition", "Condition") != nullptr) throw Unresolved();
      Resolver resolver(arena, parameters, all_pseudo);
      const Value resolved = resolver.resolve(*value);
      row.insert("output_value", resolver.is_hidden() && !shows_hidden ? arena.text(report::kMask) : resolved);
    } catch (const Unresolved&) {
      row.insert("output_value", Value::null());
      row.insert("output_error", arena.text(kNotResolved));
    }
    out.append(row.finish());
  }
  return out.finish();
}

}  // namespace strata::service::stacks
