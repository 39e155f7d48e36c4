// SPDX-License-Identifier: Apache-2.0
// Values in which objects stand for others until these are known: references. docs/internals/toolbox.md, "References".
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <unordered_map>

#include "strata/chain.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/traced.hpp"

namespace strata::merge {

/// Finds what placeholders stand for: each once, however often it is asked for, with circles as errors and sizes
/// bounded. A dialect derives from it. An object is one placeholder wherever it stands, so what it stands for must not
/// depend on its place. For one request.
class Placeholders {
 public:
  Placeholders(const Placeholders&) = delete;
  Placeholders& operator=(const Placeholders&) = delete;

  /// What stands at a place; placeholders may stand inside it. A value that is no placeholder is returned as it is.
  /// Errors: those of `resolve`; `limit.stack`; the code of circles, naming the placeholders of one, for a value that
  /// needs itself.
  [[nodiscard]] Traced here(const Traced& value);
  /// The value with what its placeholders stand for, and theirs, at any depth. What holds none is shared.
  /// Errors: as `here`, also for a value inside itself; `limit.result`, where placeholders double a value again and
  /// again; `limit.depth`. Cost: the nodes of the result, each shared container once.
  [[nodiscard]] Traced everywhere(const Traced& value) { return expanded(value).value; }

 protected:
  /// `circle`: the code of the error for circles. `sources` and `limits` must outlive this object.
  Placeholders(const Builder& make, const Sources& sources, const Limits& limits, std::string circle)
      : make_(make), sources_(sources), limits_(limits), circle_(std::move(circle)) {}
  ~Placeholders() = default;

  [[nodiscard]] const Builder& make() const noexcept { return make_; }
  [[nodiscard]] const Sources& sources() const noexcept { return sources_; }
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }

 private:
  struct Expanded {
    Traced value;
    std::size_t nodes = 1;
    std::size_t height = 1;  ///< Levels.
  };
  struct Name {
    const Object* object;
    Origin origin;
    friend bool operator==(const Name& left, const Name& right) noexcept { return left.object == right.object; }
  };

  /// Whether an object is a placeholder.
  [[nodiscard]] virtual bool is_placeholder(const Value& object) const = 0;
  /// What a placeholder stands for: no placeholder itself. May call `here`. May throw Error.
  [[nodiscard]] virtual Traced resolve(const Traced& placeholder) = 0;
  /// What stands for a placeholder that cannot be resolved; throws the error if it ends the work.
  [[nodiscard]] virtual Traced without(const Traced& placeholder, const Error& error) = 0;
  /// How the placeholder was written. Empty: circles do not name it.
  [[nodiscard]] virtual std::string text_of(const Object& placeholder) const = 0;

  [[nodiscard]] Name checked(const Chain<Name>& chain, const Value& value) const;
  [[nodiscard]] Expanded expanded(const Traced& value);
  [[nodiscard]] Expanded with_members(const Traced& container);

  Builder make_;
  const Sources& sources_;
  const Limits& limits_;
  std::string circle_;
  Chain<Name> asked_;   ///< Whose values are being asked for.
  Chain<Name> opened_;  ///< Inside whose values others are.
  std::unordered_map<const Object*, Traced> here_;
  std::unordered_map<const Object*, std::exception_ptr> failed_;  ///< What is asked for again fails again at once.
  std::unordered_map<const Object*, Expanded> everywhere_;
};

}  // namespace strata::merge
