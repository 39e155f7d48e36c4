// SPDX-License-Identifier: Apache-2.0
// Names that are probably the same name, once mistyped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace strata::analysis {

/// How near a name is to another one that could be meant by it.
struct Nearness {
  std::size_t distance = 0;    ///< In typing errors.
  std::string_view word = {};  ///< The word of the name that differs, in its own text. Empty: no word does.
};

/// Compares a qualified name (`a::b`) with another one. No value: they are two names. Rule: docs/analysis/check.md,
/// "Mistyped names".
[[nodiscard]] std::optional<Nearness> nearness(std::string_view left, std::string_view right);

/// The words of a name, as parts of it: letters and digits without other characters between them. A capital letter
/// after one that is none begins a word.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view name);

/// Finds candidates for `nearness` among many names without comparing all of them.
class NearIndex {
 public:
  /// `number`: what `find` gives for it.
  void add(std::string_view name, std::uint32_t number);
  /// The numbers of all names that can be near, and of some others; rising, each once.
  [[nodiscard]] std::vector<std::uint32_t> find(std::string_view name) const;

 private:
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> by_key_;
};

}  // namespace strata::analysis
