// SPDX-License-Identifier: Apache-2.0
// Values of hidden parameters in what is kept of a stack: masked for answers, apart for sealing, and put back.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "heat/declarations.hpp"
#include "strata/session.hpp"
#include "strata/value.hpp"

namespace strata::service::stacks {

/// Masks values that a stack's templates hide. Results live as long as those of the Session.
class Masker {
 public:
  /// `declarations` and `session` must outlive the masker. `also_hidden`: names that are hidden whatever the templates
  /// say now.
  Masker(const heat::Declarations& declarations, std::set<std::string, std::less<>> also_hidden, Session& session)
      : declarations_(declarations), also_hidden_(std::move(also_hidden)), session_(session) {}

  /// A section of parameters: `******` for hidden names. Anything but a mapping stays as it is.
  [[nodiscard]] Value parameters(const Value& section);
  /// An environment: its sections of parameters. Error (Refused, 400) where an alias gives a hidden value another name.
  [[nodiscard]] Value environment(const Value& environment);
  /// Texts by name. An environment with hidden values becomes compact JSON; other texts stay as they are.
  [[nodiscard]] Value files(const Value& files);
  /// Before `files`: texts that were masked earlier, by a masker with the same `rules` that had `masked_names`. What
  /// did not change is not read again.
  void know(const Value& clear_files, const Value& masked_files, std::set<std::string, std::less<>> masked_names) {
    known_clear_ = clear_files, known_masked_ = masked_files, known_names_ = std::move(masked_names);
  }
  /// A digest of the names that are hidden, and of those that are not.
  [[nodiscard]] std::string rules() const;
  /// The names that templates hide, or have hidden.
  [[nodiscard]] std::set<std::string, std::less<>> hidden() const;
  /// Those, and the names that no template declares whose values were masked by now.
  [[nodiscard]] std::set<std::string, std::less<>> masked_names() const;
  /// Error (Refused, 400) where `******` is the value of a hidden name: it stands for a stored value, and there was
  /// none.
  void check(const Value& parameters, const Value& environment, const Value& files) const;

 private:
  [[nodiscard]] bool is_hidden(std::string_view name) const {
    return also_hidden_.contains(name) || declarations_.is_hidden(name);
  }
  [[nodiscard]] Value file(std::string_view name, const Value& text);
  [[nodiscard]] bool may_hide(std::string_view text) const;
  [[nodiscard]] bool hides(const Value& section) const;
  void check_section(const Value* section) const;

  const heat::Declarations& declarations_;
  std::set<std::string, std::less<>> also_hidden_;
  Session& session_;
  Value known_clear_;
  Value known_masked_;
  std::set<std::string, std::less<>> known_names_;
  std::set<std::string, std::less<>> masked_;
};

/// Whether a value is `******`, which stands for a hidden one.
[[nodiscard]] bool is_masked(const Value& value);

/// The root of a text that may be an environment: a mapping that is no template. Absent for all other texts. Errors:
/// `limit.*`.
[[nodiscard]] Value environment_of(Session& session, const Value& text);

/// What differs in two values of the same shape: `[value]` of the first, below mappings from positions of members.
/// Absent if nothing does.
[[nodiscard]] Value differences(Arena& arena, const Value& clear, const Value& masked);
/// The masked value with what `differences` found. Error `store.sealed-broken` if the shape is another one.
[[nodiscard]] Value with_differences(Arena& arena, const Value& masked, const Value& found);

}  // namespace strata::service::stacks
