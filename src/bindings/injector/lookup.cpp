// From a name to the value that is effective for it. Rule: bindings 9, 12.
#include <fmt/format.h>

#include <algorithm>

#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"
#include "puppet/language/parser.hpp"
#include "puppet/types/make.hpp"
#include "value/near_names.hpp"

namespace strata::bindings {

namespace {

constexpr std::size_t kDeepestChain = 250;  // Each lookup in a lookup takes some kilobytes of the stack.
constexpr std::size_t kLongestLoopTold = 50;
constexpr std::size_t kClassWord = 5;  // `class`, `CLASS`

}  // namespace

std::uint32_t InjectorState::data_key(std::string_view name) {
  if (!name.starts_with('/')) return composition_->find({}, name);
  const std::uint32_t key = composition_->find({}, name);
  if (key != KeyTable::kNone) return key;
  const auto canonical = canonical_name(name);
  return canonical ? composition_->find({}, *canonical) : KeyTable::kNone;
}

/// What a source has under a name, with what its layers of the history are.
merge::Traced InjectorState::ask_source(const Composition::Source& source, std::string_view name) {
  const merge::LayerId before = recorder_.layers();
  const merge::Traced value = source.source->find(std::string(name));
  if (!value.value || !recorder_.keeps()) return value;
  for (merge::LayerId layer = before; layer < recorder_.layers(); ++layer) {
    Told told = told_of(source);
    told.via = recorder_.history()->layer_name(layer);
    told_.emplace(layer, std::move(told));
  }
  return value;
}

Told InjectorState::told_of(const Composition::Source& source) const {
  Told told;
  told.layer = composition_->layer_name(source.layer);
  told.document = source.source->title();
  told.category = "common";
  told.statement = "data";
  return told;
}

InjectorState::FromSource InjectorState::ask_sources(std::uint32_t key, Rank above, Rank below) {
  const KeyText text = composition_->text(key);
  if (!text.type.empty()) return {};
  for (const Composition::Source& source : composition_->key_sources()) {
    const Rank rank = composition_->rank_of_source(source.layer);
    if (rank < above || rank >= below) continue;
    const merge::Traced value = ask_source(source, text.name);
    if (value.value) return {value, &source};
  }
  return {};
}

bool InjectorState::has_source_between(std::uint32_t key, Rank above, Rank below) {
  if (composition_->key_sources().empty()) return false;
  return ask_sources(key, above + 1, below).source != nullptr;
}

/// One name, without its other form.
merge::Traced InjectorState::find_exact(std::string_view name) {
  const std::uint32_t key = data_key(name);
  if (key != KeyTable::kNone) return renamed_.contains(key) ? merge::Traced() : look_up(key);
  if (composition_->key_sources().empty()) return {};
  // A name that only a source may know becomes a key once it has it.
  for (const Composition::Source& source : composition_->key_sources()) {
    if (!ask_source(source, name).value) continue;
    const std::uint32_t made = composition_->intern({}, name);
    if (made >= slots_.size()) slots_.resize(composition_->key_count());
    return look_up(made);
  }
  return {};
}

merge::Traced InjectorState::find_data(std::string_view asked) {
  const auto canonical = asked.starts_with('/') ? canonical_name(asked) : std::nullopt;
  const std::string_view name = canonical ? *canonical : asked;
  merge::Traced found = find_exact(name);
  if (found.value) return found;
  if (const auto other = other_parameter_name(name)) {
    found = find_exact(*other);
    if (found.value) return found;
  }
  return special(name);
}

merge::Traced InjectorState::find_typed(const TypeRef& type, std::string_view name, const Value& arguments) {
  if (!name.empty() && is_data(*type)) {
    const merge::Traced found = find_data(name);
    if (found.value && type != data_type() && !types_.is_instance(*type, found.value)) {
      throw Error("bindings.type", fmt::format("type error for {}: expected {}, got {} ({})", readable_key({}, name), reference_text(*type),
                                               bindings::type_of(found.value), shown(found.value)))
          .at(sources_, found.value.origin());
    }
    return found;
  }
  const std::uint32_t key = composition_->find(type_text(*type), name);
  if (key != KeyTable::kNone && !renamed_.contains(key)) {
    const merge::Traced found = look_up(key);
    if (found.value) return found;
  }
  if (!name.empty() || services_.extensions == nullptr) return {};
  // Assisted injection: an instance of a class that an extension registered. Rule: bindings 12.
  const Type& inner = type->kind == puppet::TypeKind::type && !type->parts.empty() ? *type->parts[0] : *type;
  if (inner.kind != puppet::TypeKind::resource || inner.texts.size() != 1) return {};
  extensions::RuntimeType* made = services_.extensions->type(inner.texts[0]);
  if (made == nullptr) return {};
  const Value value = made->create(*this, arguments);
  Told told;
  told.layer = "extensions";
  told.document = made->declared().file;
  told.category = "common";
  told.statement = "type";
  return record(value, told);
}

TypeRef InjectorState::read_type_text(std::string_view text) {
  const auto known = read_types_.find(text);
  if (known != read_types_.end()) return known->second;
  return read_types_.emplace(text, parsed_type(text)).first->second;
}

TypeRef InjectorState::parsed_type(std::string_view text) {
  const SourceId source = sources_.add("<type>", std::string(text));
  puppet::SyntaxTree tree(256);
  puppet::Parser parser(sources_, source, tree, limits_);
  const bool is_class = text.starts_with("class ") || text.starts_with("CLASS ");
  if (is_class || (!text.empty() && text.front() >= 'a' && text.front() <= 'z')) {
    if (is_class) text.remove_prefix(std::min(text.find_first_not_of(' ', kClassWord), text.size()));
    if (!is_class_name(class_name(text))) throw Error("bindings.typeref", fmt::format("'{}' is no type", text));
    return class_type(text);
  }
  const Expression* expression = parser.expression();
  if (!parser.at_end()) throw parser.unexpected("the end of the type");
  return read_type(
      sources_, *expression, [this](const Expression& part) { return resolve(part); }, limits_);
}

std::vector<std::string> InjectorState::near_names(std::string_view type, std::string_view name) {
  constexpr std::size_t kLongest = 64;
  constexpr std::size_t kMost = 3;
  if (near_budget_ == 0 || name.empty() || name.size() > kLongest) return {};
  --near_budget_;
  std::vector<std::pair<std::size_t, std::string_view>> near;
  const std::size_t allowed = std::max<std::size_t>(1, std::min<std::size_t>(3, name.size() / 3));
  for (std::uint32_t key = 0; key < composition_->key_count(); ++key) {
    const KeyText text = composition_->text(key);
    if (text.type != type || text.name == name || (composition_->effective(key).winner == nullptr && slots_[key].progress != Progress::done))
      continue;
    const std::size_t longer = std::max(text.name.size(), name.size());
    if (longer - std::min(text.name.size(), name.size()) > allowed || text.name.starts_with('/') != name.starts_with('/')) continue;
    const std::size_t distance = edit_distance(name, text.name);
    if (distance <= allowed) near.emplace_back(distance, text.name);
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> out;
  for (const auto& one : near) {
    if (out.size() == kMost) break;
    out.push_back(readable_key(type, one.second));
  }
  return out;
}

void InjectorState::not_bound(std::string_view type, std::string_view name) {
  Error error("bindings.not-bound", fmt::format("nothing is bound for {}", readable_key(type, name)));
  const std::vector<std::string> near = near_names(type, name);
  if (!near.empty()) set_hint(error, fmt::format("did you mean {}?", fmt::join(near, ", ")));
  const std::uint32_t key = type.empty() ? data_key(name) : composition_->find(type, name);
  if (key == KeyTable::kNone) throw Error(error);
  if (const auto renamed = renamed_.find(key); renamed != renamed_.end()) {
    set_hint(error, fmt::format("it was renamed: ask for {}", composition_->readable(renamed->second)));
  }
  note_ineffective(error, key);
  throw Error(error);
}

void InjectorState::loop(std::uint32_t key) {
  const auto start = std::find(chain_.begin(), chain_.end(), key);
  std::vector<std::string> names;
  for (auto each = start; each != chain_.end(); ++each) {
    if (names.size() == kLongestLoopTold) {
      names.emplace_back("…");
      break;
    }
    names.push_back(composition_->readable(*each));
  }
  names.push_back(composition_->readable(key));
  Error error("bindings.loop", fmt::format("lookup loop: {}", fmt::join(names, " → ")));
  const Candidate* winner = composition_->effective(key).winner;
  if (winner == nullptr) throw Error(error);
  throw std::move(error).at(sources_, Composition::origin(*winner));
}

const merge::Traced* InjectorState::ready(std::string_view name) const noexcept {
  const std::uint32_t key = composition_->find({}, name);
  if (key == KeyTable::kNone || key >= slots_.size()) return nullptr;
  const Slot& slot = slots_[key];
  return slot.is_plain && slot.progress == Progress::done && (renamed_.empty() || !renamed_.contains(key)) ? &slot.value : nullptr;
}

merge::Traced InjectorState::look_up(std::uint32_t key) {
  {
    Slot& slot = slots_[key];
    if (slot.progress == Progress::done) return slot.value;
    if (slot.progress == Progress::running) loop(key);
    if (slot.progress == Progress::failed) throw Error(failures_.at(key));
  }
  return produce_key(key);
}

merge::Traced InjectorState::produce_key(std::uint32_t key) {
  if (chain_.size() >= std::min(kDeepestChain, limits_.depth)) {
    throw Error("limit.depth", fmt::format("more than {} lookups within each other, at {}", chain_.size(), composition_->readable(key)));
  }
  chain_.push_back(key);
  slots_[key].progress = Progress::running;
  try {
    const merge::Traced value = produce_effective(key);
    const Candidate* winner = composition_->effective(key).winner;
    bool keep = true;
    if (winner != nullptr && value.value) {
      const Work work = work_of(key, *winner);
      keep = flag(work, "singleton", true);
      if (keep && form_of(work.statement->producer) == ProducerForm::named) {
        const extensions::Producer* producer = producer_of(work);
        keep = producer == nullptr || producer->is_singleton();
      }
    }
    Slot& slot = slots_[key];  // The table may have grown.
    slot.value = value;
    slot.progress = keep ? Progress::done : Progress::open;
    slot.is_plain = keep && value.value && !holds_objects(value.value);
    chain_.pop_back();
    return value;
  } catch (const Error& error) {
    chain_.pop_back();
    // A loop depends on where it was entered, a limit on what else was done.
    const bool lasting = error.code() != "bindings.loop" && !error.code().starts_with("limit.");
    slots_[key].progress = lasting ? Progress::failed : Progress::open;
    if (lasting) failures_.emplace(key, error.diagnostic());
    throw;
  } catch (...) {
    chain_.pop_back();
    slots_[key].progress = Progress::open;
    throw;
  }
}

/// The winner's value; where it is optional and gives nothing, that of the next one.
merge::Traced InjectorState::produce_effective(std::uint32_t key) {
  for (;;) {
    const Effective effective = composition_->effective(key);
    const Candidate* winner = effective.winner;
    const Rank rank = winner == nullptr ? 0 : composition_->rank(*winner);
    if (!composition_->key_sources().empty()) {
      const FromSource found = ask_sources(key, rank);
      if (found.source != nullptr) {
        if (winner == nullptr || composition_->rank_of_source(found.source->layer) != rank) return found.value;
        throw Error("bindings.conflict",
                    fmt::format("{} is bound twice in layer '{}' with the same precedence: by {} and by {}", composition_->readable(key),
                                composition_->layer_name(winner->layer), composition_->told(*winner).document, found.source->source->title()))
            .at(sources_, Composition::origin(*winner))
            .note(sources_, found.value.value.origin(), "also there")
            .hint("bind it in a higher layer, or put the statement under a category");
      }
    }
    if (winner == nullptr) return {};
    if (effective.is_tied) throw composition_->conflict(key, *winner);
    if ((winner->flags & Candidate::kAbstract) != 0) throw abstract_error(key, *winner);
    const merge::Traced value = produce_candidate(key, *winner);
    if (value.value) return value;
    composition_->replace(key, composition_->below(key, rank));
  }
}

}  // namespace strata::bindings
