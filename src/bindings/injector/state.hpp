// What an injector is made of. Rule: bindings 10 to 14.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bindings/composition/composition.hpp"
#include "bindings/extensions/registry.hpp"
#include "bindings/queries/service.hpp"
#include "bindings/types/membership.hpp"
#include "puppet/evaluation/evaluator.hpp"
#include "strata/bindings.hpp"

namespace strata::bindings {

struct Preparations::State {
  PlanCache plans;
};

/// A statement, or a member of its hash, that is to be produced.
struct Work {
  const Statement* statement = nullptr;
  const Prepared* prepared = nullptr;
  std::uint32_t declared = 0;              ///< A type of `prepared`; 0: Data.
  const Expression* expression = nullptr;  ///< Of the value, where it is no whole producer.
  Value value{};                           ///< Where it is known already.
  std::uint32_t document = 0;
  std::uint32_t guard = 0;
  bool is_contribution = false;  ///< Its type is checked by who collects it.
  KeyText key{};                 ///< For messages, and for extensions; of a contribution that of its multibind.
};

/// Keeps an item on a stack as long as it lives.
template <class Item>
class Pushed {
 public:
  Pushed(std::vector<Item>& stack, Item item) : stack_(stack) { stack_.push_back(item); }
  ~Pushed() { stack_.pop_back(); }
  Pushed(const Pushed&) = delete;
  Pushed& operator=(const Pushed&) = delete;

 private:
  std::vector<Item>& stack_;
};

/// Whether a value holds what is no data: types, instances, patterns.
[[nodiscard]] bool holds_objects(const Value& value);

/// All of it. One file a room: creation.cpp, objects.cpp, checks.cpp; lookup.cpp, production.cpp, multibind.cpp, lists.cpp, functions.cpp,
/// extension_calls.cpp; listing.cpp, explanation.cpp, checking.cpp.
class InjectorState final : public puppet::Functions, private puppet::Variables, private extensions::Context {
 public:
  InjectorState(Preparations& shared, std::shared_ptr<const Request> request, const Services& services, Sources& sources, Diagnostics& diagnostics,
                const Limits& limits, merge::Recorder& recorder);
  ~InjectorState() override;
  InjectorState(const InjectorState&) = delete;
  InjectorState& operator=(const InjectorState&) = delete;

  // What the public face asks. Absent: nothing is bound.
  [[nodiscard]] merge::Traced find_data(std::string_view asked);
  [[nodiscard]] merge::Traced find_typed(const TypeRef& type, std::string_view name, const Value& arguments = {});
  [[nodiscard]] TypeRef read_type_text(std::string_view text);
  [[noreturn]] void not_bound(std::string_view type, std::string_view name);
  [[nodiscard]] merge::Traced all();
  [[nodiscard]] merge::Traced parameters(std::string_view reference, const Injector::IsParameter& is_parameter);
  [[nodiscard]] std::vector<ResourceEdge> edges() const;
  [[nodiscard]] merge::Traced variables();
  [[nodiscard]] merge::Traced classes();
  [[nodiscard]] Explanation explain(std::string_view type, std::string_view name, const Value& fallback);
  [[nodiscard]] Findings check();
  [[nodiscard]] const Told* told(merge::LayerId layer) const noexcept;
  /// A result as it is handed out: types and instances as their reference texts. Begins a request.
  [[nodiscard]] merge::Traced hand_out(const merge::Traced& value);
  /// The value of a name that was asked for before and holds nothing but data; a null pointer otherwise.
  [[nodiscard]] const merge::Traced* ready(std::string_view name) const noexcept;
  void begin_request() { evaluator_->refill(); }

  // puppet::Functions.
  [[nodiscard]] bool knows(std::string_view name) const override;
  [[nodiscard]] Value call(const puppet::FunctionCall& call, puppet::Evaluator& evaluator) override;
  [[nodiscard]] std::vector<std::string> names() const override;
  [[nodiscard]] bool has_own_types(std::string_view name) const override { return name == "inject" || name == "first_found"; }
  [[nodiscard]] Value argument(const Expression& argument, puppet::Scope& scope, puppet::Evaluator& evaluator) override;

 private:
  enum class Progress : std::uint8_t { open, running, done, failed };
  /// What is known of a key's value.
  struct Slot {
    merge::Traced value{};  ///< Absent, although done: nothing is bound.
    Progress progress = Progress::open;
    bool is_plain = false;  ///< It holds nothing but data: it is handed out as it is.
  };

  // puppet::Variables: bound variables, then those of the request.
  [[nodiscard]] Value find(std::string_view name, puppet::Evaluator& evaluator) override;

  // extensions::Context.
  [[nodiscard]] Value inject(std::string_view type, std::string_view name) override;
  [[nodiscard]] Value facts() override { return request_->facts; }
  [[nodiscard]] std::string environment() override { return request_->environment.name; }
  [[nodiscard]] extensions::Binding binding() override;
  void warn(const std::string& message) override;
  [[nodiscard]] Arena& arena() override { return arena_; }

  // Creation.
  [[nodiscard]] Value resolve(const Expression& expression);
  void expand(const Placed& placed);
  void expand_hash(const Placed& placed, const Value& hash, std::uint32_t declared);
  void expand_object(const Placed& placed, const TypeRef& reference);
  struct Object;
  [[nodiscard]] std::optional<Object> object_of(const Placed& placed, const TypeRef& reference);
  struct ParameterMap;
  [[nodiscard]] ParameterMap map_of(const Placed& placed, const TypeRef& reference, const Object& object);
  [[nodiscard]] std::optional<std::vector<std::string>> parameter_names(const Type& type);
  void add_ready(const Placed& placed, std::string name, const merge::Traced& value, std::uint32_t declared, std::string via);
  void warn_of_repeated(const Diagnostic& repeated);
  void check_effective();
  void check_multibind_ids();
  void check_alias(std::uint32_t key, const Candidate& candidate);
  void check_extensions();
  void check_producers();
  void settle_optionals();
  [[nodiscard]] const Candidate* rebound(std::uint32_t key, const Candidate& rebind);
  [[nodiscard]] const Candidate* behind_rebinds(std::uint32_t key, const Candidate& candidate);
  /// Adds a note for each candidate that `describe` has a text for; past some fifty, how many more there are.
  void note_candidates(Error& error, std::uint32_t key, const std::function<std::string(const Candidate&)>& describe) const;
  void note_ineffective(Error& error, std::uint32_t key) const;
  [[nodiscard]] Error abstract_error(std::uint32_t key, const Candidate& winner);
  [[nodiscard]] Error override_error(std::uint32_t key, const Candidate& winner);
  [[nodiscard]] std::optional<std::string_view> id_of(const Candidate& candidate);
  [[nodiscard]] std::uint32_t source_key(const Candidate& candidate);

  // Lookup.
  [[nodiscard]] TypeRef parsed_type(std::string_view text);
  [[nodiscard]] static bool is_special(std::string_view name) noexcept;
  [[nodiscard]] std::uint32_t data_key(std::string_view name);
  [[nodiscard]] merge::Traced find_exact(std::string_view name);
  [[nodiscard]] merge::Traced look_up(std::uint32_t key);
  [[nodiscard]] merge::Traced produce_key(std::uint32_t key);
  [[nodiscard]] merge::Traced produce_effective(std::uint32_t key);
  /// What sources of layers that a rank does not shadow have; `tie`: a source of the same rank has it as well.
  struct FromSource {
    merge::Traced value{};
    const Composition::Source* source = nullptr;
  };
  merge::Traced ask_source(const Composition::Source& source, std::string_view name);
  [[nodiscard]] FromSource ask_sources(std::uint32_t key, Rank above, Rank below = UINT64_MAX);
  [[nodiscard]] bool has_source_between(std::uint32_t key, Rank above, Rank below);
  [[noreturn]] void loop(std::uint32_t key);
  [[nodiscard]] std::vector<std::string> near_names(std::string_view type, std::string_view name);

  // Production.
  [[nodiscard]] merge::Traced produce_candidate(std::uint32_t key, const Candidate& candidate);
  [[nodiscard]] merge::Traced produce_lower(std::uint32_t key, const Candidate& candidate);
  [[nodiscard]] merge::Traced produce_alias(std::uint32_t key, const Candidate& candidate);
  [[nodiscard]] Work work_of(std::uint32_t key, const Candidate& candidate) const;
  /// The value of a producer with its options, checked; absent: an optional one gave nothing. `told`: how provenance names it.
  [[nodiscard]] merge::Traced produce(const Work& work);
  [[nodiscard]] Value raw_value(const Work& work);
  [[nodiscard]] Value written_map(const Work& work);
  [[nodiscard]] Value map_value(const Work& work, const Value& value);
  [[nodiscard]] Value from_resources(const Work& work, ProducerForm form);
  [[nodiscard]] Value named_producer(const Work& work);
  [[nodiscard]] extensions::Producer* producer_of(const Work& work);
  [[nodiscard]] std::string producer_name(const Work& work);
  [[nodiscard]] std::uint32_t producers_key();
  [[nodiscard]] Value evaluate(const Work& work, const Expression& expression);
  [[nodiscard]] Value call_lambda(const Work& work, const Option& option, std::span<const Value> arguments);
  void check_type(const Work& work, const Type& type, const Value& value);
  [[nodiscard]] Error located(const Work& work, const Error& error) const;
  [[nodiscard]] bool flag(const Work& work, std::string_view option, bool otherwise);
  [[nodiscard]] const Type& type_of(const Work& work) const;

  // Multibinds.
  struct Part {
    Work work;
    merge::Traced value;
    Rank rank = 0;
    std::string_view name;
    const Contributed* contributed = nullptr;
  };
  /// What came of a contribution.
  struct Outcome {
    std::string reason;  ///< Why nothing was taken of it; empty: something was.
    merge::LayerId history = merge::kNoLayer;
  };
  [[nodiscard]] merge::Traced collect(std::uint32_t key, const Candidate& candidate);
  [[nodiscard]] std::vector<Part> parts_of(const Work& multibind, std::string_view id);
  [[nodiscard]] merge::Traced join_array(const Work& multibind, std::vector<Part>& parts);
  [[nodiscard]] merge::Traced join_hash(const Work& multibind, std::vector<Part>& parts);
  [[nodiscard]] merge::Traced combine(const Work& multibind, const Option& option, std::vector<Part>& parts, bool is_hash);
  void not_taken(const Part& part, std::string reason);
  struct Item;
  [[nodiscard]] merge::Traced flattened(const Work& multibind, std::span<const Part* const> parts, std::size_t levels, bool uniq);
  [[nodiscard]] merge::LayerId own_layer(const Work& multibind);
  [[nodiscard]] merge::Traced stepped(const merge::Traced& memo, const merge::Traced& contribution, const Value& next, merge::LayerId own);
  [[nodiscard]] merge::Traced made_of(const Value& value, const merge::Traced& inputs, merge::LayerId own);
  [[nodiscard]] std::size_t levels_of(const Work& multibind, std::size_t otherwise);
  [[noreturn]] void duplicate(const Work& multibind, const Part& first, const Part& second);
  struct Joined;

  // Lists.
  struct Inclusion {
    std::string name;
    Rank rank = 0;
    bool excluded = false;
    merge::Traced value;
    std::uint32_t position = 0;
    const Statement* statement = nullptr;
    std::uint32_t document = 0;
    std::uint32_t guard = 0;
    std::uint32_t layer = 0;
    const Composition::Source* source = nullptr;  ///< Instead of a statement.
  };
  /// What keeps an inclusion out of the list.
  struct Verdict {
    const Inclusion* excluded_by = nullptr;
    const Inclusion* repeats = nullptr;
  };
  [[nodiscard]] static std::vector<Verdict> verdicts(const std::vector<Inclusion>& all, bool is_effective);
  void explain_list(std::string_view name, Explanation& out);
  void explain_classes(std::string_view which, Explanation& out);
  void explain_dependencies(Explanation& out);
  [[nodiscard]] const std::vector<Inclusion>& inclusions();
  [[nodiscard]] std::vector<Inclusion> gathered_inclusions();
  [[nodiscard]] merge::Traced class_list(std::string_view which);
  struct Dependency {
    std::string from;
    std::string to;
    std::string_view kind;
    Origin source;
    Origin target;
    Origin edge;
    [[nodiscard]] std::string shown() const { return from + ' ' + std::string(kind) + ' ' + to; }
  };
  [[nodiscard]] std::vector<Dependency> dependencies_of(const Statement& statement);
  [[nodiscard]] merge::Traced dependency_list();
  [[nodiscard]] merge::Traced special(std::string_view name);

  // Functions.
  [[nodiscard]] Value call_inject(const puppet::FunctionCall& call, puppet::Evaluator& evaluator);
  [[nodiscard]] Value call_first_found(const puppet::FunctionCall& call);
  [[nodiscard]] Value used(const merge::Traced& value);

  // Provenance.
  [[nodiscard]] merge::Traced record(const Value& value, const Told& told, std::span<const merge::Traced> inputs = {});
  [[nodiscard]] merge::Traced record(const Work& work, const Value& value, std::span<const merge::Traced> inputs);
  [[nodiscard]] merge::Traced compose(const Value& container, std::span<const merge::Traced> members);

  struct Rival;
  [[nodiscard]] std::vector<Rival> rivals(std::uint32_t key);
  [[nodiscard]] Told told_of(const Rival& rival) const;
  [[nodiscard]] Told told_of(const Composition::Source& source) const;
  [[nodiscard]] merge::Traced shadowed_value(std::uint32_t key, const Rival& rival, Told& told);
  [[nodiscard]] merge::Traced chosen(const merge::Traced& taken, const merge::Traced& other);
  [[nodiscard]] merge::Traced with_shadowed(std::uint32_t key, const merge::Traced& value);
  [[nodiscard]] merge::Traced listed_value(std::string_view name);
  void explain_candidates(std::uint32_t key, const merge::Traced& value, Explanation& out);
  void explain_winner(std::uint32_t key, const Candidate& winner, Explanation& out);

  // Listing and checking.
  using Listed = std::map<std::string, merge::Traced, std::less<>>;
  [[nodiscard]] merge::Traced listed_map(const Listed& listed);
  [[nodiscard]] std::vector<std::string> source_keys();
  using Candidates = std::unordered_set<const Candidate*>;
  [[nodiscard]] Candidates check_static(Findings& out);
  void static_conflict(std::uint32_t key, const Candidate& first, const Candidate& second, bool settled, Findings& out);
  using Warn = std::function<void(std::string code, std::string message, Origin origin)>;
  void warn_of_key(std::uint32_t key, const Warn& warn, const Candidates& told, std::set<std::string_view>& ids);
  void warn_of_statements(const Candidates& told, Findings& out);

  struct Ready {
    merge::Traced value;
    std::string via;
  };

  std::shared_ptr<const Request> request_;
  Services services_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  const Limits& limits_;
  merge::Recorder& recorder_;
  Types types_;
  Arena arena_;
  queries::Answers answers_;
  puppet::Scope scope_;  ///< Of producers.
  std::unique_ptr<puppet::Evaluator> evaluator_;
  bool available_ = false;  ///< Injection is: not while a request is being composed.

  Problems problems_;
  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<Composition> composition_;
  std::deque<Ready> ready_;
  std::unordered_map<std::string, const Statement*> objects_;   ///< By reference, type and rank: who bound an object of the type.
  std::unordered_map<std::uint32_t, std::uint32_t> renamed_;    ///< Keys that are gone: what they are called now.
  std::unordered_map<const Statement*, std::string_view> ids_;  ///< Of multibinds whose id is no constant.

  std::vector<Slot> slots_;
  std::unordered_map<std::uint32_t, Diagnostic> failures_;
  std::unordered_map<std::uint32_t, Value> handed_out_;  ///< Of those that are not plain.
  std::vector<std::uint32_t> chain_;                     ///< Keys that are being produced.
  std::vector<const Work*> working_;
  Registry::Attached attached_;  ///< For query services.
  std::vector<std::vector<merge::Traced>*> inputs_;
  std::unordered_map<merge::LayerId, Told> told_;
  std::unordered_map<const Contributed*, Outcome> outcomes_;
  std::map<std::string, TypeRef, std::less<>> read_types_;  ///< By their texts.
  std::optional<std::uint32_t> producers_key_;
  std::optional<std::vector<Inclusion>> inclusions_;
  bool gathers_inclusions_ = false;
  std::optional<merge::Traced> classes_;
  std::optional<merge::Traced> dependencies_;
  std::size_t near_budget_ = 20;
  std::size_t rebinds_ = 0;
};

}  // namespace strata::bindings
