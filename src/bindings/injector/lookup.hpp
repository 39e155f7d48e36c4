// From a name to the value that is effective for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bindings/injector/references.hpp"
#include "strata/stop.hpp"

namespace strata::bindings {

class Producers;
class ExtensionProducers;
class StatementLists;

/// Finds keys, and keeps what was produced for them. Absent values: nothing is bound.
class Lookup {
 public:
  Lookup(Composition& composition, Expressions& expressions, LayerSources& layers, References& references, Producers& producers,
         ExtensionProducers& extensions, StatementLists& lists)
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

  /// The value of (Data, `asked`), two-way class parameter names and lists of statements included.
  [[nodiscard]] merge::Traced find_data(std::string_view asked);
  [[nodiscard]] merge::Traced find_typed(const TypeRef& type, std::string_view name, const Value& arguments = {});
  /// One name, without its other form.
  [[nodiscard]] merge::Traced find_exact(std::string_view name);
  /// The value of a key. Errors: those of its producer, `bindings.loop`.
  [[nodiscard]] merge::Traced look_up(std::uint32_t key);
  /// The key of a name; kNone where there is none.
  [[nodiscard]] std::uint32_t data_key(std::string_view name) const;

  /// The value of a name that was asked for before and holds nothing but data; a null pointer otherwise.
  [[nodiscard]] const merge::Traced* ready(std::string_view name) const noexcept;
  /// What a key came to, where it was produced; else absent.
  [[nodiscard]] const Value& value(std::uint32_t key);
  [[nodiscard]] bool is_running(std::uint32_t key) { return slot(key).progress == Progress::running; }

  /// `source` is called `name` from now on, and is not found any more.
  void rename(std::uint32_t source, std::uint32_t name) { renamed_.emplace(source, name); }
  [[nodiscard]] bool is_renamed(std::uint32_t key) const noexcept { return renamed_.contains(key); }

  /// Throws `bindings.not-bound`, with near names and what is not in effect.
  [[noreturn]] void not_bound(std::string_view type, std::string_view name);
  /// Bound names that look like one, for messages; after some twenty calls none, as each looks at all keys.
  [[nodiscard]] std::vector<std::string> near_names(std::string_view type, std::string_view name);

 private:
  enum class Progress : std::uint8_t { open, running, done, failed };
  /// What is known of a key's value.
  struct Slot {
    merge::Traced value{};  ///< Absent, although done: nothing is bound.
    Progress progress = Progress::open;
    bool is_plain = false;  ///< It holds nothing but data: it is handed out as it is.
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
  Paged<Slot> slots_;  ///< By key, where somebody asked.
  std::unordered_map<std::uint32_t, Diagnostic> failures_;
  std::unordered_map<std::uint32_t, std::uint32_t> renamed_;  ///< Keys that are gone: what they are called now.
  std::vector<std::uint32_t> chain_;                          ///< Keys that are being produced.
  std::size_t near_budget_ = 20;
  StopCheck stop_check_;
};

}  // namespace strata::bindings
