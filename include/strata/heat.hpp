// Heat: environment files to the one combined environment of a stack, and the state from which an update goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/merge.hpp"

namespace strata::heat {

/// Which of the two engines is meant. Rule: docs/compose.md, "Promised and shipped".
enum class Compat : std::uint8_t {
  promised,  ///< Explicit parameters win, the list of files is kept, an update combines everything again.
  shipped,   ///< As Heat 19 does it.
};

/// A text that comes with a request, by the name that lists and registries call it.
struct NamedText {
  std::string name;
  SourceId source{};
};

/// A hook that is asked for beside all files: `--pre-create outer/inner`.
struct HookOption {
  std::string hook;      ///< `pre-create`.
  std::string resource;  ///< With `/` between nested stacks.
};

/// One create or update of a stack. All texts are in memory: nothing is read from files or the network.
struct Request {
  std::vector<std::string> environment_files;   ///< Names, weakest first; a name may come twice, and is then merged twice.
  std::vector<NamedText> files;                 ///< Environment files and nested templates, each name once.
  std::optional<SourceId> environment_body;     ///< One environment instead of a list; not looked at where there is a list.
  std::optional<SourceId> template_text;        ///< Absent: that of the state; without any, every name that a file uses counts as declared.
  std::optional<SourceId> existing;             ///< The state that an earlier request left (JSON): this one is an update.
  Value parameters;                             ///< Explicit parameters: a mapping with texts as keys, or absent.
  std::vector<std::string> cleared_parameters;  ///< Of an update: names whose earlier values go.
  std::vector<HookOption> hooks;                ///< Set in the combined registry of this request only: an update does not know them.
  Compat compat = Compat::promised;
  /// Where the state holds the combination of the files that come first, it is gone on from; their places, histories and warnings are not known
  /// then. The result is the same.
  bool reuse = false;
  /// Leave the combination in the state, so that the next request can go on from it. It costs a digest of all texts.
  bool keep_combination = false;
};

/// The sections of a combined environment, in the form in which they are shown. Keys of mappings are texts.
struct Environment {
  merge::Traced resource_registry;  ///< A mapping as loaded: `resources` first, nothing in it is null.
  merge::Traced parameters;         ///< A mapping.
  merge::Traced parameter_defaults;
  merge::Traced event_sinks;            ///< A sequence of mappings, each a known sink.
  merge::Traced encrypted_param_names;  ///< As written, of any kind.
};

/// The templates of a request and what they declare: src/heat/declarations.hpp.
struct Declarations;
/// What a state file holds: src/heat/state.hpp.
struct State;

/// What a request came to, with everything that keeps it alive.
struct Composition {
  Environment environment;
  merge::Traced shown;  ///< The five sections as one mapping, in the order in which the service shows them.
  std::shared_ptr<const Declarations> declarations;
  std::shared_ptr<const State> state;  ///< What the next update starts from.
  const Sources* sources = nullptr;    ///< Those of the request: they hold the texts of the state.
  std::vector<std::shared_ptr<Arena>> arenas;
};

/// Combines the environment of a stack. Values of hidden parameters are marked secret; the plain values are there.
/// Histories have a layer for each environment file in the list, `<parameter>` for explicit parameters, and the names of
/// the body's and the state's texts.
/// Errors: `heat.*`, `template.*`, `bundle.hook`, and those of the readers; docs/errors.md. Warnings: docs/compose.md.
/// Cost: linear in the bytes of all texts. Thread safety: any number of calls at once, each with its own `sources`, `diagnostics` and `recorder`.
/// Rule: docs/compose.md.
[[nodiscard]] Composition compose(const Request& request, Sources& sources, Diagnostics& diagnostics, const Limits& limits,
                                  merge::Recorder& recorder);

/// The combined environment with `******` for the values of hidden parameters, null ones too, as the service shows it.
[[nodiscard]] merge::Traced masked_environment(Composition& composition);

/// The state file of a composition: JSON, and the same bytes for the same stack, however many updates it took.
[[nodiscard]] std::string state_text(const Composition& composition);

}  // namespace strata::heat
