// SPDX-License-Identifier: Apache-2.0
#include "puppet/types/parameters.hpp"

#include "puppet/types/make.hpp"
#include "puppet/types/names.hpp"
#include "strata/error.hpp"
#include "text/decimal.hpp"
#include "value/seeded_hash.hpp"

namespace strata::puppet {
namespace {

using PKind = Parameter::Kind;
using Parameters = std::span<const Parameter>;

bool is_bound(const Parameter& parameter) noexcept {
  return parameter.kind == PKind::integer || parameter.kind == PKind::default_word;
}

std::optional<Integer> bound(const Parameter& parameter) {
  if (parameter.kind == PKind::integer) return Integer::from_digits(parameter.text);
  return std::nullopt;
}

/// Makes one type of its parameters.
class TypeBuilder {
 public:
  TypeBuilder(const Type& base, Parameters parameters, const std::string& place)
      : base_(base), given_(parameters), place_(place) {}

  TypeRef build() {
    switch (base_.kind()) {
      case TypeKind::integer:
        need(1, 2);
        return integer_type(bounds(0));
      case TypeKind::floating:
        need(1, 2);
        return float_type(number(0, -kInfinity), given_.size() > 1 ? number(1, kInfinity) : kInfinity);
      case TypeKind::boolean:
        need(1, 1);
        if (given_[0].kind != PKind::boolean) wrong(given_[0], "true or false");
        return boolean_type(given_[0].truth);
      case TypeKind::string:
        need(1, 2);
        if (given_.size() == 1 && given_[0].kind == PKind::text) return literal_type(given_[0].text);
        return string_type(size(0));
      case TypeKind::collection:
        need(1, 2);
        return collection_type(size(0));
      case TypeKind::array:
        return array();
      case TypeKind::hash:
        return hash();
      case TypeKind::tuple:
        return tuple();
      case TypeKind::structure:
        need(1, 1);
        return structure(given_[0]);
      case TypeKind::variant:
        need(1, kMany);
        if (given_.size() > kMostVariants)
          throw Error("puppet.type", "a Variant of more than " + std::to_string(kMostVariants) + " types");
        return variant_type(types(given_));
      case TypeKind::enumeration:
        return enumeration();
      case TypeKind::pattern:
        return pattern();
      case TypeKind::regexp:
        need(1, 1);
        if (given_[0].kind != PKind::regex && given_[0].kind != PKind::text) wrong(given_[0], "a regular expression");
        return regexp_type(given_[0].text);
      default:
        return other();
    }
  }

 private:
  static constexpr std::size_t kMany = static_cast<std::size_t>(-1);
  static constexpr std::size_t kMostVariants = 2000;  // Joining them takes the square of it.
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  [[nodiscard]] std::string name() const {
    return std::string(base_.kind() == TypeKind::alias ? base_.as<AliasType>().name : kind_name(base_.kind()));
  }

  void need(std::size_t least, std::size_t most) const {
    if (given_.size() >= least && given_.size() <= most) return;
    std::string count = std::to_string(least);
    if (most == kMany) {
      count += " or more";
    } else if (most != least) {
      count += " to " + std::to_string(most);
    }
    throw Error("puppet.type",
                name() + " takes " + count + " parameters, not " + std::to_string(given_.size()) + ", at " + place_);
  }

  [[noreturn]] static void wrong(const Parameter& parameter, std::string_view expected) {
    throw Error("puppet.type",
                "Syntax error in the type: expected " + std::string(expected) + " at " + parameter.place);
  }

  static const TypeRef& type(const Parameter& parameter) {
    if (parameter.kind != PKind::type) wrong(parameter, "a type");
    return parameter.type;
  }

  static std::vector<TypeRef> types(Parameters parameters) {
    std::vector<TypeRef> out;
    for (const Parameter& parameter : parameters) out.push_back(type(parameter));
    return out;
  }

  /// The bounds that the parameters from `first` on give.
  [[nodiscard]] IntegerRange bounds(std::size_t first) const {
    for (const Parameter& parameter : given_.subspan(first)) {
      if (!is_bound(parameter)) wrong(parameter, "an integer or default");
    }
    return make_range(bound(given_[first]), first + 1 < given_.size() ? bound(given_[first + 1]) : std::nullopt);
  }

  /// As bounds; a type of integers stands for its bounds.
  [[nodiscard]] IntegerRange size(std::size_t first) const {
    const Parameter& parameter = given_[first];
    const bool is_last = first + 1 == given_.size() && parameter.kind == PKind::type;
    const auto* integer = is_last ? parameter.type->get_if<IntegerType>() : nullptr;
    return integer != nullptr ? integer->range : bounds(first);
  }

  [[nodiscard]] double number(std::size_t index, double otherwise) const {
    const Parameter& parameter = given_[index];
    if (parameter.kind == PKind::default_word) return otherwise;
    if (parameter.kind == PKind::integer)
      return *text::parse_decimal(parameter.text);  // As Ruby: a bound beyond all floats is infinite, which is none.
    if (parameter.kind != PKind::floating) wrong(parameter, "a number or default");
    return parameter.number;
  }

  TypeRef array() {
    need(1, 3);
    if (given_.size() == 2 && is_bound(given_[0])) return array_type(plain(TypeKind::any), bounds(0));
    const TypeRef& item = type(given_[0]);
    return array_type(item, given_.size() > 1 ? std::optional(size(1)) : std::nullopt);
  }

  TypeRef hash() {
    need(2, 4);
    if (given_.size() == 2 && is_bound(given_[0]))
      return hash_type(plain(TypeKind::any), plain(TypeKind::any), bounds(0));
    const TypeRef& key = type(given_[0]);
    return hash_type(key, type(given_[1]), given_.size() > 2 ? std::optional(size(2)) : std::nullopt);
  }

  TypeRef tuple() {
    need(1, kMany);
    std::size_t count = given_.size();
    while (count > 0 && given_.size() - count < 2 && is_bound(given_[count - 1])) --count;
    std::optional<IntegerRange> size;
    if (count < given_.size()) {
      const std::optional<Integer> from = bound(given_[count]);
      size = make_range(from ? *from : Integer(0), count + 1 < given_.size() ? bound(given_[count + 1]) : std::nullopt);
    }
    return tuple_type(types(given_.first(count)), size);
  }

  static TypeRef structure(const Parameter& hash) {
    if (hash.kind != PKind::hash) wrong(hash, "a hash of names and types");
    std::vector<StructMember> members;
    TextMap<std::size_t> places;
    for (std::size_t i = 0; i + 1 < hash.items.size(); i += 2) {
      StructMember next = member(hash.items[i], type(hash.items[i + 1]));
      // A repeated key keeps its place and takes the new type.
      const auto [place, added] = places.emplace(next.name, members.size());
      if (added) {
        members.push_back(std::move(next));
      } else {
        members[place->second] = std::move(next);
      }
    }
    return struct_type(std::move(members));
  }

  static StructMember member(const Parameter& key, const TypeRef& value) {
    if (key.kind == PKind::text) {
      if (key.text.empty()) wrong(key, "a name that is not empty");
      return {key.text, is_assignable(*value, *plain(TypeKind::undef)), value};
    }
    if (key.kind == PKind::type) {
      const Type& type = *key.type;
      const bool holder = type.kind() == TypeKind::optional || type.kind() == TypeKind::not_undef;
      const Type* name = holder ? held(type).get() : &type;
      const std::string* literal = name == nullptr ? nullptr : literal_text(*name);
      if (literal != nullptr) return {*literal, type.kind() == TypeKind::optional, value};
      const auto* enumeration = type.get_if<EnumType>();
      if (enumeration != nullptr && enumeration->texts.size() == 1) return {enumeration->texts.front(), false, value};
    }
    wrong(key, "a name, Optional['name'] or NotUndef['name']");
  }

  TypeRef enumeration() {
    const bool flagged = !given_.empty() && given_.back().kind == PKind::boolean;
    const Parameters texts = flagged ? given_.first(given_.size() - 1) : given_;
    if (texts.empty()) need(1 + (flagged ? 1 : 0), kMany);
    std::vector<std::string> values;
    for (const Parameter& parameter : texts) {
      if (parameter.kind != PKind::text) wrong(parameter, "a text");
      values.push_back(parameter.text);
    }
    return enum_type(std::move(values), flagged && given_.back().truth);
  }

  TypeRef pattern() {
    need(1, kMany);
    std::vector<std::string> patterns;
    for (const Parameter& parameter : given_) {
      if (parameter.kind == PKind::text || parameter.kind == PKind::regex) {
        patterns.push_back(parameter.text);
      } else if (parameter.kind == PKind::type && parameter.type->kind() == TypeKind::pattern) {
        for (const PatternType::Pattern& one : parameter.type->as<PatternType>().patterns) patterns.push_back(one.text);
      } else if (parameter.kind == PKind::type && parameter.type->kind() == TypeKind::regexp) {
        patterns.push_back(parameter.type->as<RegexpType>().pattern.value_or(""));
      } else {
        wrong(parameter, "a regular expression or text");
      }
    }
    return pattern_type(std::move(patterns));
  }

  TypeRef other() {
    switch (base_.kind()) {
      case TypeKind::optional:
      case TypeKind::not_undef:
        need(1, 1);
        if (given_[0].kind == PKind::text) return holder_type(base_.kind(), literal_type(given_[0].text));
        return holder_type(base_.kind(), type(given_[0]));
      case TypeKind::iterable:
      case TypeKind::iterator:
      case TypeKind::type:
      case TypeKind::sensitive:
        need(1, 1);
        return holder_type(base_.kind(), type(given_[0]));
      case TypeKind::callable:
        return callable();
      case TypeKind::host_class:
        need(1, 1);
        return class_type(without_top(name_of(given_[0])));
      case TypeKind::resource: {
        need(1, 2);
        std::string type = name_of(given_[0]);
        return resource_type(std::move(type), given_.size() > 1 ? std::optional(name_of(given_[1])) : std::nullopt);
      }
      case TypeKind::timestamp:
      case TypeKind::timespan:
      case TypeKind::sem_ver:
      case TypeKind::uri:
        throw Error("puppet.unsupported", "parameters of the type '" + name() + "' are not supported, at " + place_);
      default:
        throw Error("puppet.type", name() + " takes no parameters, at " + place_);
    }
  }

  static std::string name_of(const Parameter& parameter) {
    if (parameter.kind != PKind::text || parameter.text.empty()) wrong(parameter, "a name");
    return parameter.text;
  }

  static std::string without_top(const std::string& name) { return name.starts_with("::") ? name.substr(2) : name; }

  static bool is_callable(const Type& type) {
    if (type.kind() == TypeKind::callable) return true;
    return type.kind() == TypeKind::optional && held(type) != nullptr && is_callable(*held(type));
  }

  TypeRef callable() {
    Parameters rest = given_;
    TypeRef returns;
    if (rest.size() == 2 && rest[0].kind == PKind::list) {
      returns = type(rest[1]);
      if (returns->kind() == TypeKind::any) returns = nullptr;
      rest = rest[0].items;
    }
    TypeRef block;
    if (!rest.empty() && rest.back().kind == PKind::type && is_callable(*rest.back().type)) {
      block = rest.back().type;
      rest = rest.first(rest.size() - 1);
    }
    std::size_t count = rest.size();
    while (count > 0 && rest.size() - count < 2 && is_bound(rest[count - 1])) --count;
    std::optional<IntegerRange> size;
    if (count < rest.size())
      size = make_range(bound(rest[count]), count + 1 < rest.size() ? bound(rest[count + 1]) : std::nullopt);
    std::vector<TypeRef> parameters = types(rest.first(count));
    if (parameters.empty() && size && size->to != Integer(0)) parameters.push_back(plain(TypeKind::unit));
    return callable_type({tuple_type(std::move(parameters), size), std::move(block), std::move(returns)});
  }

  const Type& base_;
  Parameters given_;
  const std::string& place_;
};

}  // namespace

TypeRef with_parameters(const Type& base, Parameters parameters, const std::string& place) {
  return TypeBuilder(base, parameters, place).build();
}

}  // namespace strata::puppet
