// SPDX-License-Identifier: Apache-2.0
// The part of a lookup that finds its lookup_options.
#include <fmt/format.h>

#include "evaluation.hpp"
#include "faults.hpp"

namespace strata::hiera {

using NodeType = Explanation::Node::Type;

Value Evaluation::options_for(const Key& key) {
  const std::string_view module = key.module();
  auto known = view_.options.find(module);
  if (known == view_.options.end()) {
    const auto retrieved = retrieve_options(key);
    view_.warn_about_options(retrieved->named());
    known = view_.options.insert_or_assign(std::string(module), retrieved).first;
  }
  const Value options = known->second->find(key.root());
  if (options && !options.is_mapping() && !options.is_null()) {
    view_.diagnostics.warn(Error("hiera.lookup-options",
                                 fmt::format("the options of '{}' are not a mapping, so they are ignored", key.root()))
                               .at(view_.sources, options.origin())
                               .diagnostic());
  }
  return options;
}

MergeChoice Evaluation::merging(std::string_view name) {
  const Key key(name);
  requested_ = {.name = key.text(), .module = key.module()};
  return choice_from(options_for(key));
}

Value Evaluation::option(const Value& options, std::string_view name) const {
  if (!options || options.is_null()) return {};
  if (options.is_text()) {
    // Ruby's String#[] gives the part of a text that is asked for, where it has it.
    return options.text().find(name) == std::string_view::npos ? Value()
                                                               : arena_->text(name).with_origin(options.origin());
  }
  if (options.is_mapping()) {
    const Value* found = options.find(name);
    return found == nullptr || found->is_null() ? Value() : *found;
  }
  if (options.kind() == Kind::boolean && !options.as_boolean()) return {};
  throw FaultError(Error("hiera.lookup-options-type", fmt::format("the options of '{}' are {}, not a mapping",
                                                                  requested_.name, describe(options.kind())))
                       .at(view_.sources, options.origin()));
}

MergeChoice Evaluation::choice_from(const Value& options) const {
  const Value merge = option(options, "merge");
  if (!merge) return {};
  try {
    const auto key = view_.option_keys.find(options.origin().location);
    return {.options = parse_merge(view_.sources, merge),
            .given = merge,
            .option = key == view_.option_keys.end() ? options.origin() : key->second};
  } catch (const Error& error) {
    throw FaultError(error);
  }
}

/// Merging keeps the key of the weaker mapping with the value of the stronger one: each value must find its own key
/// again.
void Evaluation::keep_option_keys(const Value& options) {
  if (!view_.recorder.keeps() || !options.is_mapping()) return;
  for (const Entry& entry : options.entries())
    view_.option_keys.try_emplace(entry.value.origin().location, entry.key.origin());
}

std::shared_ptr<const LookupOptions> Evaluation::retrieve_options(const Key& key) {
  // Options outlive the lookup, and are no part of any history.
  Arena* const arena = arena_;
  merge::Recorder* const recorder = recorder_;
  struct Restore {
    Arena*& arena_place;
    Arena* arena;
    merge::Recorder*& recorder_place;
    merge::Recorder* recorder;
    ~Restore() {
      arena_place = arena;
      recorder_place = recorder;
    }
  } const restore{arena_, arena, recorder_, recorder};
  arena_ = view_.options_arena.get();
  recorder_ = &unrecorded_;

  const Sources& sources = view_.sources;
  const Tracer::Branch branch(tracer_, NodeType::top, [](Explanation::Node& node) {
    node.has_key = true;
    node.key = kLookupOptions;
  });
  if (global_only_) return std::make_shared<const LookupOptions>(sources, global_options());
  Value options = environment_options();
  if (key.has_module()) {
    if (!view_.options.contains("")) view_.options.emplace("", std::make_shared<const LookupOptions>(sources, options));
    const Traced found = in_module(Key(kLookupOptions), by_hash());
    if (found.value) {
      const Value own = check_lookup_options(sources, found.value, requested_.module);
      if (!options || !own) {
        options = own;
      } else {
        const Tracer::Branch merge(tracer_, NodeType::merge, [](Explanation::Node& node) { node.name = "hash"; });
        const auto side = [&](std::string name, const Value& value) {
          const Tracer::Branch scope(tracer_, NodeType::scope,
                                     [&](Explanation::Node& node) { node.name = std::move(name); });
          tracer_.found(kLookupOptions, value);
        };
        side("Global and Environment", options);
        side(fmt::format("Module {}", requested_.module), own);
        Merger merger(by_hash().options, sources, *arena_, view_.limits, unrecorded_);
        options = merger.merge({options, {}}, {own, {}}).value;
        tracer_.result(options);
      }
    }
  }
  return std::make_shared<const LookupOptions>(sources, options);
}

Value Evaluation::global_options() {
  if (!view_.global_options.is_known) {
    // What the options themselves look up is found without them, as in the reference.
    struct Reading {
      detail::ViewState& view;
      std::size_t& depth;
      Reading(detail::ViewState& state, std::size_t& counter) : view(state), depth(counter) {
        ++depth;
        view.global_options.is_known = true;
      }
      ~Reading() {
        --depth;
        view.global_options.is_known = false;
      }
    };
    Value read;
    {
      const Reading reading(view_, reading_options_);
      read = check_lookup_options(view_.sources, in_global(Key(kLookupOptions), by_hash()).value, "");
    }
    view_.global_options = {.is_known = true, .value = read};
  }
  return view_.global_options.value;
}

Value Evaluation::environment_options() {
  if (!view_.environment_options.is_known) {
    const Value global = global_options();
    const Value own = check_lookup_options(view_.sources, in_environment(Key(kLookupOptions), by_hash()).value, "");
    Value all = own ? own : global;
    if (global && own) {
      Merger merger(by_hash().options, view_.sources, *arena_, view_.limits, unrecorded_);
      all = merger.merge({global, {}}, {own, {}}).value;
    }
    view_.environment_options = {.is_known = true, .value = all};
  }
  return view_.environment_options.value;
}

}  // namespace strata::hiera
