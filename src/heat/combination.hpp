// SPDX-License-Identifier: Apache-2.0
// Combines environment files into sections, before the registry is loaded.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heat/documents.hpp"
#include "heat/names.hpp"
#include "heat/parameter_section.hpp"
#include "heat/young_generation.hpp"

namespace strata::heat {

/// The combined sections. A section that no file has is empty: a mapping, or a sequence for the last two.
struct Sections {
  merge::Traced parameters;
  merge::Traced parameter_defaults;
  merge::Traced resource_registry;  ///< As written: not loaded, with its nulls.
  merge::Traced event_sinks;
  merge::Traced encrypted_param_names;
};

/// Files are added one by one, weakest first. Rule: docs/heat/compose.md, "Combining files".
class Combination {
 public:
  Combination(Documents& documents, const Schemata& schemata, bool implicit);

  /// Adds explicit parameters, which the shipped engine puts below all files.
  void start(const merge::Traced& parameters);
  /// Combines a file. `cleared`: names of parameters that count as missing in it.
  /// Errors: those of `read_environment`, of ParameterSection::add, `heat.section-shape`, `heat.section-twice`.
  void add(const std::string& name, SourceId source, const NameSet& cleared);
  [[nodiscard]] Sections finish() const;

  /// The current combination as data. `resume` continues from it as if the files had been added. Absent if it cannot be
  /// represented as JSON.
  [[nodiscard]] Value checkpoint() const;
  /// False if the data cannot be a checkpoint; nothing is changed then.
  [[nodiscard]] bool resume(const Value& checkpoint);

 private:
  struct Section {
    std::string_view title;
    merge::Accumulator value;
  };
  void combine(const std::string& name, const Value& file, const NameSet& cleared);
  void add_section(Section& section, const Value& value, merge::Slot slot, const std::string& file);
  void warn_of(const Section& section, const Value& value, const std::string& file);
  [[nodiscard]] Value read(SourceId source);
  void copy_survivors();
  /// The arena of combined values.
  [[nodiscard]] Arena& home() const { return young_ ? young_->home() : documents_.arena(); }

  Documents& documents_;
  std::optional<YoungGeneration> young_;  ///< No value if a history keeps all values.
  Names names_;
  ParameterSection parameters_;
  ParameterSection defaults_;
  std::array<Section, 3> others_;
};

}  // namespace strata::heat
