// SPDX-License-Identifier: Apache-2.0
// One lookup, with all lookups that it causes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "explanation.hpp"
#include "interpolation.hpp"
#include "key.hpp"
#include "merge_choice.hpp"
#include "name_stack.hpp"
#include "strategies/merger.hpp"
#include "view.hpp"

namespace strata::hiera {

class Evaluation : private FunctionContext {
 public:
  Evaluation(detail::ViewState& view, std::shared_ptr<Arena> arena, Explanation* explanation);

  /// Looks up one name. Absent if it is not found. `merge`: null means the options of the data.
  [[nodiscard]] merge::Traced lookup(std::string_view name, const MergeChoice* merge);

  /// How a key is merged, as the data say. Errors: as lookup.
  [[nodiscard]] MergeChoice merging(std::string_view name);

  /// Values that override or complete the data, by whole name. Null: none.
  void set_fixed(const Value* overrides, const Value* defaults) {
    overrides_ = overrides;
    defaults_ = defaults;
  }

  /// The opened function of a location. Null if its file has disappeared. Errors: those of open_source.
  DataSource* source(Layer& layer, ResolvedEntry& entry, Location& location);
  /// Keeps found values alive.
  [[nodiscard]] std::shared_ptr<const void> keepalive() const;
  /// Errors: as Stop::check, from time to time.
  void check_stop() { view_.stop.tick(kListWork); }
  /// Adds the root keys that a function knows.
  void list(DataSource& source, std::vector<std::string_view>& keys) { source.list(keys, *this); }

 private:
  using Traced = merge::Traced;
  static constexpr std::uint32_t kListWork = 512;  ///< For each source whose keys are listed, in units of StopCheck.
  class Fold;
  /// The key that is looked up.
  struct RequestedKey {
    std::string_view name;
    std::string_view module;    ///< Empty for a key outside modules.
    bool is_sensitive = false;  ///< The result becomes Sensitive: it must not be shown anywhere.
  };

  Traced find(std::string_view name, const MergeChoice* merge);
  /// Whether a lookup depends only on the view and its key.
  [[nodiscard]] bool remembers() const {
    return !recorder_->keeps() && !tracer_ && overrides_ == nullptr && defaults_ == nullptr && !global_only_ &&
           !legacy_scope_ && reading_options_ == 0 && arena_ == owned_.get();
  }
  Traced found(const Key& key, const Value& options, const MergeChoice* merge);
  // The layers. Each returns the absent value if nothing is found.
  Traced data(const Key& key, const MergeChoice& merge);
  Traced in_all_layers(const Key& key, const MergeChoice& merge);
  Traced in_global(const Key& key, const MergeChoice& merge);
  Traced in_environment(const Key& key, const MergeChoice& merge);
  Traced in_module(const Key& key, const MergeChoice& merge);
  Traced in_default_hierarchy(const Key& key);
  Traced in_layer(Layer& layer, std::vector<ResolvedEntry>& entries, const Key& key, const MergeChoice& merge);
  void expect_files(Layer& layer);
  Traced in_entry(Layer& layer, ResolvedEntry& entry, const Key& key, const MergeChoice& merge);
  Traced at_location(Layer& layer, ResolvedEntry& entry, Location& location, const Key& key);
  Traced answer(Layer& layer, ResolvedEntry& entry, Location& location, const Key& key);
  void refuse_folder(const Error& error, const ResolvedEntry& entry, const Location& location) const;
  void drop_foreign_keys(const Layer& layer, DataSource& source);
  [[noreturn]] void refuse_value(const ResolvedEntry& entry, const Location& location, const Key& key,
                                 const Value& value) const;
  merge::LayerId history_layer(const ResolvedEntry& entry, Location& location);
  Traced dig(const Key& key, const Traced& value);
  Traced undig(const Key& key, const Traced& value);
  Traced convert(const Key& key, const Value& options, const Traced& value);

  // lookup_options.
  Value options_for(const Key& key);
  std::shared_ptr<const LookupOptions> retrieve_options(const Key& key);
  void keep_option_keys(const Value& options);
  Value global_options();
  Value environment_options();
  /// A member of a name's options. Absent if it is missing or null. Errors: `hiera.lookup-options-type` if the options
  /// cannot have members.
  [[nodiscard]] Value option(const Value& options, std::string_view name) const;
  [[nodiscard]] MergeChoice choice_from(const Value& options) const;

  // Interpolation.
  Traced interpolate(const Traced& value);
  Traced interpolate_text(const Traced& subject);
  /// The same, with all events recorded.
  Traced interpolate_shown(const Traced& subject);
  Traced interpolate_items(const Traced& value);
  Value interpolate_key(const Traced& subject);
  Traced variable(const Expression& expression, const Traced& subject);
  Traced nested(std::string_view name, const Traced& subject);
  void unknown_variable(const std::string& name, const Traced& subject);
  void warn_of_member(const Expression& expression, bool is_of_server, const Traced& subject);
  void warn_of_open_expression(const Traced& subject);
  void warn_of_foreign_expressions(const Value& value);
  void count_step(const Traced& subject);
  void check_size(std::size_t size, const Traced& subject) const;
  [[nodiscard]] std::size_t nodes_of(const Value& value, std::size_t most);
  /// Lists of aliases of lists of aliases are small in memory, but huge when they are traversed.
  void check_nodes(const Value& value);

  // FunctionContext.
  Value interpolate(const Value& value) override;
  const std::string& environment_name() const override { return view_.directory.settings.environment; }
  bool explains() const override { return static_cast<bool>(tracer_); }
  void explain(std::string text) override { tracer_.text(std::move(text)); }
  Arena& arena() override { return *arena_; }

  [[nodiscard]] Traced child(const Traced& container, std::size_t index) const;
  /// How lookup_options of several files are merged.
  static const MergeChoice& by_hash();

  detail::ViewState& view_;
  std::shared_ptr<Arena> owned_;
  Arena* arena_;
  Tracer tracer_;
  Explanation::Scope scope_ = Explanation::Scope::data;
  merge::NullRecorder unrecorded_;
  merge::Recorder* recorder_;  ///< Never null.
  const Value* overrides_ = nullptr;
  const Value* defaults_ = nullptr;
  RequestedKey requested_;
  bool global_only_ = false;
  bool legacy_scope_ = false;
  std::size_t reading_options_ = 0;  ///< Not 0 while the options of the global layer are read.
  NameStack names_;
  std::vector<std::shared_ptr<const void>> used_;  ///< Owners of remembered results that are part of this one.
  std::size_t steps_ = 0;
  std::unordered_map<const void*, std::size_t> nodes_;  ///< By container that aliases may share.
  std::map<std::pair<const Location*, std::string>, Traced>
      answered_;  ///< Answers of functions that are called for each key.
};

}  // namespace strata::hiera
