// SPDX-License-Identifier: Apache-2.0
#include "strata/cloudinit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base_files.hpp"
#include "part_handler.hpp"
#include "part_merger.hpp"
#include "parts/flattener.hpp"
#include "parts/launch_index.hpp"
#include "parts/python_text.hpp"
#include "strata/builder.hpp"
#include "value/fields.hpp"

namespace strata::cloudinit {
namespace {

using merge::Slot;
using merge::Traced;

/// The setting that lets a vendor-data source in. Rule: docs/cloud-init/merge.md, "Vendor data".
struct VendorGate {
  const Sources& sources;
  Value disabled_handlers{};

  /// Asked for each part: where there is none, the setting may be anything. Error `vendor-data.handlers`.
  [[nodiscard]] bool drops(std::string_view type) const {
    if (!disabled_handlers || disabled_handlers.is_null()) return false;
    if (!disabled_handlers.is_container() && !disabled_handlers.is_text()) {
      throw Error("vendor-data.handlers",
                  wrong_kind("'disabled_handlers'", "a sequence of content types", disabled_handlers))
          .at(sources, disabled_handlers.origin());
    }
    if (disabled_handlers.is_text()) return disabled_handlers.text().find(type) != std::string_view::npos;
    if (disabled_handlers.kind() == Kind::mapping || disabled_handlers.kind() == Kind::set)
      return disabled_handlers.find(type) != nullptr;
    return std::ranges::any_of(disabled_handlers.items(),
                               [type](const Value& item) { return item.is_text() && item.text() == type; });
  }
};

bool is_true(const Value& value) {
  switch (value.kind()) {
    case Kind::boolean:
      return value.as_boolean();
    case Kind::integer:
      return value.as_integer() == 1;
    case Kind::text: {
      const std::string word = lower(trim(value.text()));
      return word == "true" || word == "1" || word == "on" || word == "yes";
    }
    default:
      return false;
  }
}

/// The strategy that a request gives for parts that name none.
std::optional<BuiltStrategy> strategy_option(const Request& request, Origin origin) {
  if (request.strategy.empty()) return std::nullopt;
  const std::vector<Merger> mergers = parse_mergers(request.strategy, origin);
  if (mergers.empty())
    throw Error("merger.format", "the strategy names no mergers")
        .hint("write it as list(append)+dict(recurse_list)+str()");
  BuiltStrategy strategy = build_strategy(mergers, request.mergers);
  strategy.option = origin;
  return strategy;
}

/// One call of merge.
class Pipeline {
 public:
  Pipeline(Request& request, Session& session)
      : request_(request),
        session_(session),
        documents_(request, session),
        instance_data_(documents_),
        flattener_(session, request.fetcher) {}

  Result run() {
    const std::optional<BuiltStrategy> user_default =
        strategy_option(request_, session_.sources().add_name("<--strategy>"));
    if (user_default) {
      for (const std::string& remark : user_default->remarks)
        session_.diagnostics().warn("merger.option", "--strategy: " + remark);
    }
    warn_of_launch_index();
    const LayerDocument base_layer = read_layer(documents_, "base", [&] { return read_bases(); });
    const Traced& base = base_layer.document;
    // Where the setting is there, anything but a yes is a no.
    const Value* allowed = base.value.is_mapping() ? base.value.find("allow_userdata") : nullptr;
    const bool user_allowed = allowed == nullptr || is_true(*allowed);
    const LayerDocument user = read_layer(documents_, "user-data", [&] {
      return gather("user-data", user_allowed ? std::move(request_.user_data) : std::vector<Blob>{},
                    user_default ? *user_default : default_part_strategy(), true, nullptr);
    });
    if (!is_layered()) {
      result_.config = user.document.value.is_null() ? start() : user.document;
      return std::move(result_);
    }
    const Traced gates = vendor_gates(user.document, base);
    const auto vendor = read_layer(documents_, "vendor-data", [&] {
      return gather_vendor("vendor-data", "vendor_data", request_.vendor_data, gates);
    });
    const auto vendor2 = read_layer(documents_, "vendor-data2", [&] {
      return gather_vendor("vendor-data2", "vendor_data2", request_.vendor_data2, gates);
    });
    result_.config = join_layers(documents_, {user, vendor2, vendor, base_layer}, session_.recorder(), &dropped_);
    warn_of_dropped_lists(session_, dropped_);
    return std::move(result_);
  }

 private:
  /// The reference takes a launch index that is not a number without a warning.
  void warn_of_launch_index() const {
    if (request_.launch_index && !launch_index(*request_.launch_index)) {
      session_.diagnostics().warn(
          "launch-index.number",
          fmt::format("the launch index '{}' is not an integer: no part is left out", *request_.launch_index),
          "give the number of the machine in its group, such as 0");
    }
  }

  [[nodiscard]] bool is_layered() const {
    return !request_.base.empty() || request_.vendor_data || request_.vendor_data2;
  }

  Traced start() { return {session_.arena().mapping(KeyEquality::python), Slot(merge::kNoLayer)}; }

  Traced read_bases() {
    std::vector<LayerDocument> layers;
    for (const std::string& path : request_.base)
      layers.insert(layers.begin(), read_layer(documents_, path,
                                               [&] { return read_base(documents_, path, instance_data_, dropped_); }));
    return layers.empty() ? Traced{} : join_layers(documents_, layers, session_.recorder(), &dropped_);
  }

  Traced gather(const std::string& label, std::vector<Blob> blobs, const BuiltStrategy& strategy, bool filter,
                const VendorGate* gate) {
    std::vector<SourceId> sources;
    sources.reserve(blobs.size());
    for (Blob& blob : blobs) sources.push_back(session_.sources().add(blob.name, std::move(blob.bytes)));
    blobs.clear();
    const auto wanted = filter && request_.launch_index ? launch_index(*request_.launch_index) : std::nullopt;
    PartMerger merger(documents_, strategy, label, is_layered());
    PartHandler handler(documents_, instance_data_, merger, label, wanted);
    const std::vector<Part> parts = flattener_.flatten(sources, wanted);
    std::vector<SourceId> configs;
    for (const Part& part : parts) {
      if (part.type == "text/cloud-config") configs.push_back(part.source);
    }
    documents_.expect(configs);
    for (const Part& part : parts) {
      const bool is_out = gate != nullptr && gate->drops(part.type);
      result_.parts.push_back(is_out ? handler.filtered(part) : handler.handle(part));
    }
    dropped_.names_mergers = dropped_.names_mergers || merger.names_mergers();
    return merger.config();
  }

  Traced vendor_gates(const Traced& user, const Traced& base) {
    Arena& arena = session_.arena();
    MappingBuilder built_in(arena, KeyEquality::python);
    for (const std::string_view name : {"vendor_data", "vendor_data2"}) {
      MappingBuilder gate(arena, KeyEquality::python);
      gate.insert("enabled", Value::boolean(true));
      gate.insert("prefix", arena.sequence());
      built_in.insert(name, gate.finish());
    }
    merge::NullRecorder unrecorded(session_.sources());  // Not part of the result.
    // The built-in settings lie below the base before user-data lies above both: the base rule is not associative.
    const Traced system = join_layers(
        documents_, {{.document = {base.value, {}}, .name = {}}, {.document = {built_in.finish(), {}}, .name = {}}},
        unrecorded, nullptr);
    const Traced gates =
        join_layers(documents_, {{.document = {user.value, {}}, .name = {}}, {.document = system, .name = {}}},
                    unrecorded, nullptr);
    return gates;
  }

  Traced gather_vendor(const std::string& label, std::string_view key, const std::optional<Blob>& blob,
                       const Traced& gates) {
    if (!blob) return {};
    const Value* setting = gates.value.is_mapping() ? gates.value.find(key) : nullptr;
    const Value* enabled = setting != nullptr && setting->is_mapping() ? setting->find("enabled") : nullptr;
    if (enabled == nullptr || !is_true(*enabled)) {
      result_.parts.push_back({.source = label,
                               .name = blob->name,
                               .type = {},
                               .origin = {},
                               .fate = PartFate::filtered,
                               .mergers = {},
                               .headers = {}});
      return {};
    }
    const Value* disabled = setting->find("disabled_handlers");
    const VendorGate gate{.sources = session_.sources(),
                          .disabled_handlers = disabled == nullptr ? Value() : *disabled};
    return gather(label, {*blob}, default_part_strategy(), false, &gate);
  }

  Request& request_;  ///< Its blobs move into the sources.
  Result result_;
  Session& session_;
  Documents documents_;
  InstanceData instance_data_;
  Flattener flattener_;
  DroppedLists dropped_;
};

}  // namespace

std::string_view to_string(PartFate fate) noexcept {
  switch (fate) {
    case PartFate::merged:
      return "merged";
    case PartFate::skipped:
      return "skipped";
    case PartFate::kept:
      return "kept";
    case PartFate::unhandled:
      return "unhandled";
    case PartFate::filtered:
      return "filtered";
  }
  return "merged";
}

void check_strategy(const Request& request) { (void)strategy_option(request, {}); }

Result merge(Request request, Session& session) {
  Result result = Pipeline(request, session).run();
  result.memory = session.memory();
  return result;
}

}  // namespace strata::cloudinit
