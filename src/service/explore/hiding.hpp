// SPDX-License-Identifier: Apache-2.0
// What was secret in a state stays hidden in what drafts make of it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "strata/value.hpp"

namespace strata {
class Arena;
}  // namespace strata

namespace strata::service::explore {

using SecretItems = std::set<std::string, std::less<>>;

/// The secrets of all results of a state.
struct Secrets {
  SecretItems items = {};                                      ///< Items of which something is secret.
  std::set<std::pair<std::string, std::uint32_t>> lines = {};  ///< Where they are written: files by name, and lines.
  std::set<std::string, std::less<>> texts = {};               ///< Their scalars, in clear: never to be sent.
  /// Shorter texts are parts of many others by chance: those are known by their places.
  static constexpr std::size_t kLeast = 4;

  /// A value of a result that is secret.
  void add(const Value& value);
};

/// Hides them in answers.
class Hiding {
 public:
  Hiding() = default;
  /// `secrets` must outlive the object.
  explicit Hiding(const Secrets& secrets) : secrets_(&secrets) {}
  /// `data`, in which values from secret lines, and all texts with a secret, are `******`.
  [[nodiscard]] Value hidden(Arena& arena, const Value& data) const;

 private:
  [[nodiscard]] Value hidden_member(Arena& arena, const Value& data, bool& has_changed) const;
  [[nodiscard]] bool is_secret_line(const Value& side) const;
  [[nodiscard]] bool has_secret(std::string_view text) const;

  const Secrets* secrets_ = nullptr;  ///< Null: there are none.
};

}  // namespace strata::service::explore
