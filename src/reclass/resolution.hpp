// What references refer to, once everything is merged.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/merge.hpp"
#include "strata/placeholders.hpp"
#include "strata/session.hpp"
#include "strata/strategy.hpp"
#include "text/reference_text.hpp"
#include "value/problems.hpp"

namespace strata::reclass {

/// How parameters meet: mappings by member, lists are appended, of scalars the new one wins, over null anything. Everything else waits.
/// `has_prefixes`: with the rules for keys that begin with `~` or `=`. Without such keys, both give the same result.
[[nodiscard]] const merge::Strategy& parameter_strategy(bool has_prefixes = true);
/// Its functions: what `~key` and `=key` do.
[[nodiscard]] std::span<const merge::Call> parameter_calls();

/// How references are written. Queries of other nodes, `$[…]`, are not supported.
inline constexpr text::ReferenceGrammar kReferences{.reserved = "$[", .reserved_closing = "]"};

/// Stands in the place of a text with references until they are followed.
class Reference final : public Object {
 public:
  Reference(std::string written, text::ReferenceText parts) : text_(std::move(written)), parts_(std::move(parts)) {}

  [[nodiscard]] const text::ReferenceText& parts() const noexcept { return parts_; }
  /// The memory that it takes, nearly: its characters twice, and about a hundred bytes for each part.
  [[nodiscard]] std::size_t bytes() const noexcept { return sizeof(Reference) + 2 * text_.size() + 128 * parts_.size(); }
  [[nodiscard]] std::string to_string() const override { return text_; }
  [[nodiscard]] bool equals(const Object& other) const override { return this == &other; }
  [[nodiscard]] std::size_t hash() const override { return std::hash<const void*>{}(this); }

 private:
  std::string text_;  ///< As written.
  text::ReferenceText parts_;
};

/// Null if the value is no Reference.
[[nodiscard]] const Reference* reference_of(const Value& value) noexcept;
/// What stands for a text: itself, the text without escapes, or a Reference. Errors: those of text::parse_references.
[[nodiscard]] Value with_references(Arena& arena, const Value& text, const Sources& sources);

/// The text of a class name whose references are followed in parameters that are not settled. No value if one leads nowhere. Errors, at
/// `place`: `reclass.class-reference`, if one leads to what is no scalar, or waits.
[[nodiscard]] std::optional<std::string> name_in(const Value& parameters, const text::ReferenceText& parts, const Sources& sources, Origin place);

/// Follows the references of one node.
class Resolution final : private merge::Placeholders {
 public:
  /// `parameters` may hold what waits; its memory and the session must outlive this object.
  Resolution(const merge::Traced& parameters, Session& session)
      : Placeholders({session.arena(), session.recorder()}, session.sources(), session.limits(), "reclass.circle"), parameters_(parameters) {}

  /// The parameters without references. Errors: `reclass.missing`, all of them together; `reclass.merge`, `reclass.constant`, and those of
  /// Placeholders::everywhere, `reclass.circle` among them.
  [[nodiscard]] merge::Traced run();

 private:
  class Sides;

  [[nodiscard]] bool is_placeholder(const Value& object) const override;
  [[nodiscard]] merge::Traced resolve(const merge::Traced& placeholder) override;
  [[nodiscard]] merge::Traced without(const merge::Traced& placeholder, const Error& error) override;
  [[nodiscard]] std::string text_of(const Object& placeholder) const override;

  [[nodiscard]] merge::Traced merged(const merge::Traced& mapping);
  [[nodiscard]] merge::Traced followed(const merge::Traced& side, const Reference& reference);
  [[nodiscard]] std::string spelled(const text::ReferenceText& parts, const Value& side, std::vector<merge::Traced>& inputs);
  /// The value at a path. Error `reclass.missing`.
  [[nodiscard]] merge::Traced at(std::string_view path, const Value& side);

  merge::Traced parameters_;
  Problems problems_;
};

}  // namespace strata::reclass
