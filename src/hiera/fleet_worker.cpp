// SPDX-License-Identifier: Apache-2.0
#include "fleet_worker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "key.hpp"
#include "strata/builder.hpp"
#include "strata/report.hpp"
#include "strata/stop_scope.hpp"
#include "strata/text.hpp"

namespace strata::hiera {
namespace {

using ResultState = ResultTree::State;

// Steps that are not files.
constexpr ResultTree::Step kNameStep = 0x80000000U;
constexpr ResultTree::Step kQueryStep = 0xFFFFFFFFU;

/// A node that comes to nothing; the reason is the result's.
struct NodeFailed {};

/// A key of many that comes to nothing, and is left out.
struct KeyFailed {};

}  // namespace

bool ends_run(const Error& error) {
  // Merge options are in lookup_options; those of a query are a ConfigError.
  const bool is_configuration = error.category() == Category::configuration && error.code() != "hiera.merge-options";
  return error.ends_request() || is_configuration || dynamic_cast<const ConfigError*>(&error) != nullptr;
}

/// The lookup of one node.
class FleetWorker::NodeLookup {
 public:
  NodeLookup(FleetWorker& worker, Session& session, const Facts& facts, FleetResult& out)
      : worker_(worker),
        cache_(worker.cache_),
        query_(worker.query_),
        out_(out),
        diagnostics_(session.diagnostics()),
        // What outlives the node is the Snapshot's, but for what its results hold.
        state_(new detail::ViewState(worker.directory_, session, facts, nullptr)),
        view_(std::unique_ptr<detail::ViewState>(state_)) {
    state_->told = &worker.told_;
  }

  /// Writes what the node comes to. Throws NodeFailed, and what ends the run.
  void run() {
    if (query_.all) {
      guarded({}, [&] { searched_ = searched_sources(*state_, nullptr); });
      find_options();
      all();
    } else {
      try {
        searched_ = searched_sources(*state_, wanted_modules());
        find_options();
      } catch (const Error& error) {
        if (error.ends_request()) throw;
        // The lookup itself may never come to what is wrong.
        shares_options_ = false;
      }
      one();
    }
    keep_options();
  }

 private:
  /// The modules whose data can matter to the query's names.
  [[nodiscard]] std::function<bool(std::string_view)> wanted_modules() const {
    return [this](std::string_view module) {
      return std::ranges::any_of(query_.query.names, [module](const std::string& name) {
        const std::string_view root = std::string_view(name).substr(name.find_first_not_of("'\"") == 1 ? 1 : 0);
        return root.starts_with(module) && root.substr(module.size()).starts_with("::");
      });
    };
  }

  /// Runs a step of the lookup; where it shows that the node's data is bad, the node fails.
  template <class Action>
  void guarded(std::string_view key, const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      if (ends_run(error)) throw;
      fail(key, error);
    }
  }

  [[noreturn]] void fail(std::string_view key, const Error& error) {
    Diagnostic told = error.diagnostic();
    if (query_.all && !key.empty()) {
      told.message = about_key(key, told.message);
      out_.failed_keys.push_back(std::move(told));
      throw KeyFailed();
    }
    told.message = key.empty() ? fmt::format("node '{}': {}", out_.node, told.message)
                               : fmt::format("node '{}', {}", out_.node, about_key(key, told.message));
    out_.failure = std::move(told);
    throw NodeFailed();
  }

  [[nodiscard]] static const DataFile* shared_file(const SearchedSource& searched) {
    const DataFile* file = searched.source->file();
    return file != nullptr && file->is_shared() ? file : nullptr;
  }

  /// Whether a source without a shared file has something to say of a root key; true where that cannot be known.
  bool may_hold(const SearchedSource& searched, std::string_view root) {
    if (const DataFile* file = searched.source->file()) return file->find(root) != nullptr;
    if (!searched.source->lists_all()) return true;
    worker_.listed_.clear();
    list_keys(searched, worker_.listed_);
    return std::ranges::find(worker_.listed_, root) != worker_.listed_.end();
  }

  /// Which `lookup_options` are in force: `options_`, where `shares_options_`.
  void find_options() {
    for (const SearchedSource& searched : searched_) {
      if (const DataFile* file = shared_file(searched)) {
        const SharedFile& shared = cache_.file(searched, *file);
        if (!shared.has_options) continue;
        shares_options_ = shares_options_ && shared.options_are_plain;
        options_ = cache_.results.next(options_, shared.step);
      } else if (may_hold(searched, kLookupOptions)) {
        shares_options_ = false;
      }
      // A source that does not tell which keys it holds may hold all of them.
      if (!searched.source->lists_all()) shares_options_ = false;
    }
  }

  /// The options that other nodes have worked out.
  void take_options() {
    if (took_options_) return;
    took_options_ = true;
    if (!shares_options_) return;
    const auto known = cache_.options.find(options_);
    if (known == cache_.options.end()) return;
    state_->options = known->second.options;
    state_->default_options = known->second.default_options;
    state_->options_arena = known->second.arena;
  }
  void keep_options() {
    // Options that cannot be used leave none.
    if (!took_options_ || !shares_options_ || (state_->options.empty() && state_->default_options.empty())) return;
    SharedOptions& known = cache_.options[options_];
    if (known.options.size() == state_->options.size() &&
        known.default_options.size() == state_->default_options.size())
      return;
    known = {.options = state_->options, .default_options = state_->default_options, .arena = state_->options_arena};
  }

  // --all

  Seen& touch(KeyTable::Id id) {
    if (id >= worker_.seen_.size()) worker_.seen_.resize(id + 1);
    Seen& seen = worker_.seen_[id];
    if (seen.node == worker_.nodes_) return seen;
    seen = {.node = worker_.nodes_, .is_shared = shares_options_, .state = ResultState{}};
    worker_.order_.push_back(id);
    return seen;
  }

  void touch_shared(SharedFile& shared) {
    if (shared.first_options != options_) {
      for (SharedFile::Key& key : shared.keys) key.first = ResultTree::kRoot;
      shared.first_options = options_;
    }
    for (SharedFile::Key& key : shared.keys) {
      Seen& seen = touch(key.id);
      seen.is_shared = seen.is_shared && key.is_plain;
      if (!seen.is_shared) continue;
      if (seen.state != ResultState{}) {
        seen.state = cache_.results.next(seen.state, shared.step);
      } else {
        if (key.first == ResultTree::kRoot)
          key.first = cache_.results.next(cache_.results.next(options_, kNameStep | key.id), shared.step);
        seen.state = key.first;
      }
    }
  }

  void find_keys() {
    ++worker_.nodes_;
    worker_.order_.clear();
    // Names that shared files hold stay; so they must be there before those of this node's own files, which go.
    const KeyTable::Id stay = cache_.keys.size();
    for (const SearchedSource& searched : searched_) {
      if (const DataFile* file = shared_file(searched)) {
        touch_shared(cache_.file(searched, *file));
        continue;
      }
      worker_.listed_.clear();
      list_keys(searched, worker_.listed_);
      for (const std::string_view name : worker_.listed_) {
        if (name != kLookupOptions) touch(cache_.keys.intern(name)).is_shared = false;
      }
    }
    first_own_ = stay;
    if (!query_.sort_keys) return;
    std::ranges::sort(worker_.order_, {},
                      [this](KeyTable::Id id) -> const std::string& { return cache_.keys[id].text; });
  }

  void all() {
    find_keys();
    struct Forget {
      KeyTable& keys;
      KeyTable::Id size;
      ~Forget() { keys.shrink(size); }
    } const forget{cache_.keys, first_own_};
    const bool is_custom = query_.form == FleetForm::custom;
    MappingBuilder mapping(arena_);
    std::string& text = out_.text;
    begin(text);
    const bool lines = query_.form == FleetForm::json_member;
    std::string_view separator = lines ? "\n    " : "";
    if (!is_custom) text += '{';
    for (const KeyTable::Id id : worker_.order_) {
      const KeyTable::Name& name = cache_.keys[id];
      const Seen& seen = worker_.seen_[id];
      ResultTree::Result own;
      const ResultTree::Result* known = nullptr;
      try {
        known = &found(
            seen.is_shared ? &cache_.results[seen.state] : nullptr, own, name.text,
            [&] { return Query(named(whole_key(name.text))); }, lines ? 2 : 1);
      } catch (const KeyFailed&) {
        continue;
      }
      const ResultTree::Result& result = *known;
      if (is_custom) {
        mapping.insert(name.text, result.value);
        continue;
      }
      text += separator;
      text += name.json;
      text += result.text ? result.text.text() : std::string_view(own_text_);
      separator = lines ? ",\n    " : ", ";
    }
    if (is_custom) {
      text = query_.custom(out_.node, mapping.finish());
      return;
    }
    const bool is_empty = separator == (lines ? "\n    " : "");
    text += lines && !is_empty ? "\n  }" : "}";
    end(text);
  }

  [[nodiscard]] Query named(std::string name) const {
    Query out = query_.query;
    out.names = {std::move(name)};
    return out;
  }

  // One query

  void one() {
    const Query& query = query_.query;
    bool is_shared = shares_options_ && !query.override_values && !query.default_values && !query.block;
    ResultState state = cache_.results.next(options_, kQueryStep);
    guarded(query.names.empty() ? "" : query.names.front(), [&] {
      for (std::size_t i = 0; i < query.names.size() && is_shared; ++i) {
        const Key key(query.names[i]);
        state = cache_.results.next(state, kNameStep | static_cast<ResultTree::Step>(i));
        for (const SearchedSource& searched : searched_) {
          if (!key.root().starts_with(searched.prefix)) continue;
          const DataFile* file = shared_file(searched);
          if (file == nullptr) {
            is_shared = is_shared && !may_hold(searched, key.root());
            continue;
          }
          const Entry* entry = file->find(key.root());
          if (entry == nullptr) continue;
          is_shared = is_shared && file->content(*entry) == Content::plain;
          state = cache_.results.next(state, cache_.file(searched, *file).step);
        }
      }
    });
    ResultTree::Result own;
    const ResultTree::Result& result = found(
        is_shared ? &cache_.results[state] : nullptr, own, query.names.empty() ? "" : query.names.front(),
        [&] { return Query(query); }, 1);
    if (query_.form == FleetForm::custom) {
      out_.text = query_.custom(out_.node, result.value);
      return;
    }
    begin(out_.text);
    out_.text += result.text ? result.text.text() : std::string_view(own_text_);
    end(out_.text);
  }

  // Both

  void begin(std::string& text) const {
    if (query_.form == FleetForm::custom) return;
    text = query_.form == FleetForm::json_member ? "  " : "{";
    text::append_json_text(text, out_.node);
    text += ": ";
  }
  void end(std::string& text) const {
    if (query_.form == FleetForm::json_line) text += "}\n";
  }

  /// A result: that of `shared` where there is one, else looked up, in `own` and `own_text_`.
  template <class MakeQuery>
  const ResultTree::Result& found(ResultTree::Result* shared, ResultTree::Result& own, std::string_view key,
                                  const MakeQuery& make_query, int depth) {
    if (shared != nullptr && shared->value) {
      if (shared->told) {
        for (const Diagnostic& warning : *shared->told) diagnostics_.warn(warning);
      }
      return *shared;
    }
    take_options();
    const std::size_t told_before = diagnostics_.warnings().size();
    guarded(key, [&] {
      Result result = view_.lookup(make_query());
      own.value = result.value.value;
      owners_.push_back(std::move(result.keepalive));
      if (query_.masks && report::holds_secret(own.value)) {
        const auto masked = std::make_shared<Arena>();
        own.value = report::masked(*masked, own.value);
        owners_.push_back(std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
            masked, owners_.back()));
      }
      own_text_.clear();
      if (query_.form == FleetForm::custom) return;
      const bool lines = query_.form == FleetForm::json_member;
      text::append_json(own_text_, own.value, {.sort_keys = query_.sort_keys, .indent = lines ? 2 : -1}, depth);
    });
    if (shared == nullptr) return own;
    shared->value = own.value;
    if (query_.form == FleetForm::custom) {
      cache_.results.keep(owners_.back());
    } else {
      shared->text = cache_.results.keep(own_text_);
    }
    const auto& warnings = diagnostics_.warnings();
    if (warnings.size() > told_before) {
      shared->told = std::make_shared<const std::vector<Diagnostic>>(
          warnings.begin() + static_cast<std::ptrdiff_t>(told_before), warnings.end());
    }
    return *shared;
  }

  FleetWorker& worker_;
  FleetCache& cache_;
  const FleetQuery& query_;
  FleetResult& out_;
  Diagnostics& diagnostics_;
  detail::ViewState* state_;  ///< The view's.
  NodeView view_;
  std::vector<SearchedSource> searched_;
  Arena arena_;
  std::vector<std::shared_ptr<const void>> owners_;
  std::string own_text_;
  ResultState options_ = ResultTree::kRoot;
  bool shares_options_ = true;
  bool took_options_ = false;
  KeyTable::Id first_own_ = 0;
};

FleetResult FleetWorker::look_up(const FleetNode& node) {
  FleetResult out;
  out.node = node.name;
  out.where = node.where;
  cache_.trim();
  Session session(session_, false);
  const StopScope work(&session.stop());
  Facts facts;
  try {
    facts = node.facts(session.sources());
  } catch (const LookupError& error) {
    if (!error.name().empty()) out.node = error.name();
    Diagnostic told = error.diagnostic();
    told.message = fmt::format("node '{}': its facts cannot be used: {}", out.node, told.message);
    out.failure = std::move(told);
    return out;
  }
  out.node = facts.node;
  NodeLookup lookup(*this, session, facts, out);
  try {
    lookup.run();
  } catch (const NodeFailed&) {
    out.text.clear();
  } catch (const Error& error) {
    // The budget is the node's: the others have their own.
    if (!session.is_spent_alone(session_)) throw;
    out.text.clear();
    Diagnostic told = error.diagnostic();
    told.message = fmt::format("node '{}': {}", out.node, told.message);
    out.failure = std::move(told);
  }
  out.warnings = session.diagnostics().warnings();
  return out;
}

}  // namespace strata::hiera
