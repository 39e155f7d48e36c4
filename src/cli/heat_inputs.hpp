// What a request to combine environments of Heat is made of, as options: the same for compose and its companions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "strata/heat.hpp"
#include "strata/value.hpp"

namespace strata::cli {

/// The texts of one run. Names are as typed; places show `<stdin>` for `-`.
struct HeatTexts {
  std::vector<std::string> environment_files;  ///< Names of `-e`, in order; a name may come twice.
  std::vector<std::pair<std::string, SourceId>>
      files;                                 ///< Texts by name, in order, each once: `-e`, then `--file`. Without `-e` names that are no file.
  std::optional<SourceId> environment_body;  ///< Not read where there is a `-e`.
  std::optional<SourceId> template_text;
  std::optional<SourceId> existing;  ///< The state, JSON.
  Value parameters;                  ///< Explicit ones; an empty mapping where there are none.
  std::vector<std::string> cleared_parameters;
  bool shipped = false;  ///< `--compat shipped`.
  std::shared_ptr<Arena> arena;
};

/// The texts as a request. The explicit parameters stay in `texts.arena`.
[[nodiscard]] heat::Request to_request(const HeatTexts& texts);

class HeatInputs {
 public:
  void add_to(CLI::App& command);
  /// Reads what comes from the host: the state and standard input. Throws UsageError, Error.
  void prepare(Host& host);
  /// Reads the files through the run's tree. A `-e` name that is no file is left out of `files`: a state may hold its text.
  /// Errors: `heat.missing-file` for `--file`, `--environment-body` and `--template`; `heat.parameter-word`; those of the tree.
  [[nodiscard]] HeatTexts read(const Run& run) const;

  /// Whether nothing at all was given to combine.
  [[nodiscard]] bool is_empty() const;

 private:
  [[nodiscard]] std::optional<SourceId> find(const Run& run, const std::string& name) const;
  [[nodiscard]] SourceId get(const Run& run, const std::string& name, std::string_view what) const;

  std::vector<std::string> environment_files_;
  std::string environment_body_;
  std::vector<std::string> parameters_;
  std::string template_;
  std::vector<std::string> files_;
  std::string existing_;
  std::vector<std::string> cleared_parameters_;
  std::string compat_ = "promised";
  std::string existing_text_;
  std::string stdin_;
};

}  // namespace strata::cli
