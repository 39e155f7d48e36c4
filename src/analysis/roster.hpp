// SPDX-License-Identifier: Apache-2.0
// The subjects of a question in one state, with what each of them reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "strata/question.hpp"
#include "value/seeded_hash.hpp"

namespace strata::analysis {

/// Subjects in classes: those of one class read the same files and folders. Immutable, but for what is remembered of
/// subjects.
class Roster {
 public:
  using Class = std::uint32_t;
  struct Entry {
    std::shared_ptr<const Member> member;
    Class of = 0;
    /// No value: nobody has asked for it yet. One thread at a time uses an entry.
    mutable std::optional<std::shared_ptr<const Basis>> basis = {};
  };

  /// Takes all subjects, and asks those that tell only afterwards what they read. Errors: those that end the run.
  Roster(const Question& question, const State& state);

  /// Whether it holds: all subjects are known with what each of them reads. If not, there are no entries.
  [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }
  [[nodiscard]] const Inputs& inputs() const noexcept { return *inputs_; }
  /// Whether nobody had to be asked for it: several threads may ask the subjects, each in an Asked of its own.
  [[nodiscard]] bool is_known_before() const noexcept { return is_known_before_; }
  /// In the order of the fleet.
  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }
  [[nodiscard]] const std::shared_ptr<const Reads>& reads(Class number) const { return classes_[number]; }
  /// About what entries and classes take in memory.
  [[nodiscard]] std::size_t bytes() const;
  /// By class, whether it asks for one of these files, which are absolute paths, or for a folder around one.
  [[nodiscard]] std::vector<bool> touched_by(const std::set<std::string>& files) const;

 private:
  std::shared_ptr<const Inputs> inputs_;
  bool is_complete_ = true;
  bool is_known_before_ = true;
  std::vector<Entry> entries_;
  std::vector<std::shared_ptr<const Reads>> classes_;
  TextViewMap<std::vector<Class>> by_path_;  ///< Into `classes_`.
};

}  // namespace strata::analysis
