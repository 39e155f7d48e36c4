// What references refer to, once everything is merged.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reference.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"
#include "strata/strategy.hpp"
#include "strata/traced.hpp"
#include "value/chain.hpp"
#include "value/node_count.hpp"
#include "value/problems.hpp"

namespace strata::reclass {

/// How parameters meet: mappings by member, lists are appended, of other scalars the new one wins; references and constants wait. Anything else is an
/// error, but over null.
[[nodiscard]] const merge::Strategy& parameter_strategy();
/// Its functions: what `~key` and `=key` do.
[[nodiscard]] std::span<const merge::Call> parameter_calls();
/// The error for two values that do not merge: `reclass.merge`.
[[nodiscard]] Error mismatch(const merge::KindMismatch& fault, const Sources& sources);

/// The text of a class name whose references are followed in parameters that are not settled. No value if one leads nowhere. Errors:
/// `reclass.class-reference`, if one leads to what is no scalar, or waits.
[[nodiscard]] std::optional<std::string> name_in(const Value& parameters, const ReferenceText& parts);

/// Follows the references of one node.
class Resolution {
 public:
  /// `parameters` may hold what waits. Both must outlive this object.
  Resolution(const merge::Traced& parameters, Session& session);

  /// The parameters without references. Errors: `reclass.missing`, all of them together; `reclass.circle`, `reclass.merge`, `reclass.constant`,
  /// `limit.result`, `limit.depth`.
  [[nodiscard]] merge::Traced run();

 private:
  struct Expanded {
    merge::Traced value;
    std::size_t nodes = 1;
    std::size_t height = 1;  ///< Levels.
  };
  struct Name {
    const Object* object;
    Origin origin;
    friend bool operator==(const Name& left, const Name& right) noexcept { return left.object == right.object; }
  };
  class Sides;

  /// The name of an object that is not on the chain. Errors: `reclass.circle`, `limit.stack`.
  [[nodiscard]] Name checked(const Chain<Name>& chain, const Value& value) const;
  /// What stands at a place; its members may wait.
  [[nodiscard]] merge::Traced here(const merge::Traced& value);
  [[nodiscard]] Expanded everywhere(const merge::Traced& value);
  [[nodiscard]] Expanded members_of(const merge::Traced& container);
  [[nodiscard]] merge::Traced followed(const merge::Traced& side, const Reference& reference);
  [[nodiscard]] std::string text_of(const ReferenceText& parts, const Value& side, std::vector<merge::Traced>& inputs);
  /// The value at a path. Error `reclass.missing`.
  [[nodiscard]] merge::Traced at(std::string_view path, const Value& side);

  const merge::Traced& parameters_;
  Session& session_;
  merge::Builder make_;
  Problems problems_;
  Chain<Name> followed_;  ///< Whose values are being asked for.
  Chain<Name> opened_;    ///< Inside whose values others are.
  std::unordered_map<const Object*, merge::Traced> here_;
  std::unordered_map<const Object*, Expanded> everywhere_;
};

}  // namespace strata::reclass
