// SPDX-License-Identifier: Apache-2.0
// Finds the effective value of a name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bindings/injector/references.hpp"
#include "strata/chain.hpp"
#include "strata/stop.hpp"

namespace strata::bindings {

class Producers;
class ExtensionProducers;
class StatementLists;

/// Finds keys and keeps their values. Absent: nothing is bound.
class Lookup {
 public:
  Lookup(Composition& composition, Expressions& expressions, LayerSources& layers, References& references,
         Producers& producers, ExtensionProducers& extensions, StatementLists& lists)
      : composition_(composition),
        sources_(expressions.sources()),
        limits_(expressions.limits()),
        expressions_(expressions),
        layers_(layers),
        references_(references),
        producers_(producers),
        extensions_(extensions),
        lists_(lists),
        stop_check_(expressions.limits().stop) {}

  /// The value of (Data, `asked`), including both forms of class parameter names, and lists of statements.
  [[nodiscard]] merge::Traced find_data(std::string_view asked);
  [[nodiscard]] merge::Traced find_typed(const TypeRef& type, std::string_view name, const Value& arguments = {});
  /// One name, without its other form.
  [[nodiscard]] merge::Traced find_exact(std::string_view name);
  /// The value of a key. Errors: those of its producer, `bindings.loop`.
  [[nodiscard]] merge::Traced look_up(std::uint32_t key);
  /// The key of a name. kNone if there is none.
  [[nodiscard]] std::uint32_t data_key(std::string_view name) const;

  /// The value of a name that was looked up before and consists of data only. Null otherwise.
  [[nodiscard]] const merge::Traced* ready(std::string_view name) const noexcept;
  /// The value of a key if it was produced. Absent otherwise.
  [[nodiscard]] const Value& value(std::uint32_t key);
  [[nodiscard]] bool is_running(std::uint32_t key) { return slot(key).progress == Progress::running; }

  /// From now on `source` has the name `name` and is not found under its own.
  void rename(std::uint32_t source, std::uint32_t name) { renamed_.emplace(source, name); }
  [[nodiscard]] bool is_renamed(std::uint32_t key) const noexcept { return renamed_.contains(key); }

  /// Throws `bindings.not-bound`, with similar names and bindings that are not in effect.
  [[noreturn]] void not_bound(std::string_view type, std::string_view name);
  /// Bound names similar to one, for messages. Empty after some twenty calls, because each inspects all keys.
  [[nodiscard]] std::vector<std::string> near_names(std::string_view type, std::string_view name);

 private:
  enum class Progress : std::uint8_t { open, running, done, failed };
  /// The state of a key's value.
  struct Slot {
    merge::Traced value{};  ///< Absent when done: nothing is bound.
    Progress progress = Progress::open;
    bool is_plain = false;  ///< It consists of data only and is returned unchanged.
  };
  [[nodiscard]] Slot& slot(std::uint32_t key) { return slots_[key]; }
  [[nodiscard]] merge::Traced produce_key(std::uint32_t key);
  [[nodiscard]] merge::Traced produce_effective(std::uint32_t key);
  [[noreturn]] void loop(std::uint32_t key);

  Composition& composition_;
  const Sources& sources_;
  const Limits& limits_;
  Expressions& expressions_;
  LayerSources& layers_;
  References& references_;
  Producers& producers_;
  ExtensionProducers& extensions_;
  StatementLists& lists_;
  Paged<Slot> slots_;  ///< By key. Made on demand.
  std::unordered_map<std::uint32_t, Diagnostic> failures_;
  std::unordered_map<std::uint32_t, std::uint32_t> renamed_;  ///< Keys that are renamed, with their new keys.
  Chain<std::uint32_t> chain_;                                ///< Keys being produced.
  std::size_t near_budget_ = 20;
  StopCheck stop_check_;
};

}  // namespace strata::bindings
