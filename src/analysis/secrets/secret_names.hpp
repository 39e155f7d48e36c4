// SPDX-License-Identifier: Apache-2.0
// Which names are secret, as the files of a tree and Limits::secret_keys say it.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "strata/limits.hpp"
#include "strata/secret_keys.hpp"
#include "strata/traits.hpp"
#include "strata/value.hpp"

namespace strata::edit {
struct Reading;
}

namespace strata::analysis {

/// Names of keys and of parameters. Thread-safe once it has learnt all.
class SecretNames {
 public:
  using Names = std::set<std::string, std::less<>>;

  SecretNames(const query::Traits& traits, Limits limits);
  /// What a file says of names. `read`: its text as it was read; null: it is read here. Errors: those that end a
  /// request.
  void learn(std::string_view path, std::string_view text, const edit::Reading* read);

  [[nodiscard]] const query::Traits& traits() const noexcept { return traits_; }
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }
  /// Whether a name is secret, by whatever rule.
  [[nodiscard]] bool has(std::string_view name) const;
  /// Whether files say so of this very name.
  [[nodiscard]] bool declares(std::string_view name) const { return declared_.contains(name); }
  [[nodiscard]] bool declares_some() const noexcept { return !declared_.empty(); }
  /// Whether there is a rule at all.
  [[nodiscard]] bool has_rules() const noexcept { return has_words() || declares_some() || patterns_ != nullptr; }
  /// Whether Limits::secret_keys has some.
  [[nodiscard]] bool has_words() const noexcept { return limits_.secret_keys != nullptr; }

  /// Whether a text has a secret name, or one of `more`, which may be null.
  [[nodiscard]] bool has_in(std::string_view text, const Names* more) const;
  /// Whether a text has a name that files declare.
  [[nodiscard]] bool declares_in(std::string_view text) const;
  /// A text without what follows a name of Limits::secret_keys in its line: members in comments, in texts and in what a
  /// reader passes over.
  [[nodiscard]] std::string without_named_lines(std::string_view text) const;

  /// Whether there may be secrets at all: names are secret, or some file speaks of something that is.
  [[nodiscard]] bool may_have_some() const noexcept { return may_have_some_; }
  /// Whether something that says what is secret cannot be read.
  [[nodiscard]] bool is_unknown() const noexcept { return is_unknown_; }

 private:
  void learn_converted(const Value& root);
  void learn_hidden(const Value& root);
  void learn_encrypted(const Value& environment);

  const query::Traits& traits_;
  Limits limits_;
  Names declared_;
  std::vector<std::string> patterns_of_keys_;        ///< Of Traits::options_key.
  std::unique_ptr<const SecretKeys> patterns_ = {};  ///< Made of these. Null: none.
  bool may_have_some_;
  bool is_unknown_ = false;
};

/// A member of a mapping; null where there is none.
[[nodiscard]] const Value* member_of(const Value* mapping, std::string_view name);

}  // namespace strata::analysis
