// SPDX-License-Identifier: Apache-2.0
#include "puppet/evaluation/type_access.hpp"

#include <algorithm>

#include "puppet/characters.hpp"
#include "puppet/evaluation/objects.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/types/make.hpp"
#include "puppet/types/names.hpp"
#include "puppet/types/parameters.hpp"
#include "strata/builder.hpp"
#include "strata/scalar_text.hpp"

namespace strata::puppet {
namespace {

/// What stands between the brackets of a type, as its maker takes it.
class Reader {
 public:
  Reader(const Access& access, Evaluator& evaluator) : access_(access), evaluator_(evaluator) {}

  // Recursion: values nest as deep as Limits::depth.
  [[nodiscard]] Parameter read(const Value& value, std::size_t number) const {
    Parameter out = unplaced(value, number);
    out.place = "parameter " + std::to_string(number + 1);
    return out;
  }

  [[nodiscard]] std::vector<Parameter> read(std::span<const Value> values) const {
    std::vector<Parameter> out;
    out.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) out.push_back(read(values[i], i));
    return out;
  }

 private:
  [[nodiscard]] TypeRef type_of(const Value& value) const {
    evaluator_.charge_inferring(value);
    return generalize(infer(value));
  }

  [[nodiscard]] Parameter unplaced(const Value& value, std::size_t number) const {
    using PKind = Parameter::Kind;
    if (const TypeObject* type = as_type(value)) {
      evaluator_.charge_type(*type->type());
      return {.kind = PKind::type, .type = type->type()};
    }
    if (const PatternObject* pattern = as_pattern(value)) return {.kind = PKind::regex, .text = pattern->pattern()};
    if (is_default(value)) return {.kind = PKind::default_word};
    switch (value.kind()) {
      case Kind::null:
        return {.kind = PKind::undef};
      case Kind::boolean:
        return {.kind = PKind::boolean, .truth = value.as_boolean()};
      case Kind::integer:
      case Kind::big_integer:
        return {.kind = PKind::integer, .text = scalar_text(value)};
      case Kind::floating:
        return {.kind = PKind::floating, .number = value.as_floating()};
      case Kind::text:
        return {.kind = PKind::text, .text = std::string(value.text())};
      case Kind::sequence:
        return {.kind = PKind::list, .items = read(value.items())};
      case Kind::mapping: {
        Parameter out{.kind = PKind::hash};
        for (const Entry& entry : value.entries()) {
          out.items.push_back(read(entry.key, number));
          // A member of a Struct that is a value stands for the type of such values.
          const bool stands_for_type = !entry.value.is_text() && as_type(entry.value) == nullptr;
          out.items.push_back(stands_for_type ? Parameter{.kind = PKind::type, .type = type_of(entry.value)}
                                              : read(entry.value, number));
        }
        return out;
      }
      default:
        throw evaluator_.error(access_.origin, "puppet.type", a_kind_of(value) + " cannot be a parameter of a type");
    }
  }

  const Access& access_;
  Evaluator& evaluator_;
};

bool is_name(std::string_view text) noexcept {
  for (bool more = true; more;) {
    const std::size_t end = text.find("::");
    const std::string_view segment = text.substr(0, end);
    const bool good = !segment.empty() && segment.front() >= 'a' && segment.front() <= 'z' &&
                      std::all_of(segment.begin(), segment.end(), [](char c) {
                        return is_digit(c) || c == '_' || (lower(c) >= 'a' && lower(c) <= 'z');
                      });
    if (!good) return false;
    more = end != std::string_view::npos;
    if (more) text.remove_prefix(end + 2);
  }
  return true;
}

std::string_view without_top(std::string_view name) noexcept { return name.starts_with("::") ? name.substr(2) : name; }

/// `Class[…]`, `File[…]`: one reference a title.
class References {
 public:
  References(const Access& access, const Type& type, Evaluator& evaluator)
      : access_(access), type_(type), evaluator_(evaluator) {}

  Value of(std::span<const Value> keys) {
    const auto* resource = type_.get_if<ResourceType>();
    const bool is_class = resource == nullptr;
    if (is_class ? type_.as<ClassType>().name.has_value() : resource->title.has_value()) {
      throw evaluator_
          .error(access_.origin, "puppet.unsupported", "the parameters of " + to_string(type_) + " cannot be read here")
          .hint("there is no catalog; inject the value instead");
    }
    std::string name = is_class ? std::string() : resource->name;
    if (!is_class && name.empty()) {
      name = resource_name(keys.front());
      keys = keys.subspan(1);
      if (keys.empty()) return value(resource_type(capitalized_name(name)));
    }
    const bool several = keys.size() > 1 || keys.front().is_sequence();
    std::vector<Value> titles;
    flatten_arrays(keys, titles);
    std::erase_if(titles, [](const Value& title) { return title.is_null(); });
    if (titles.empty()) throw fail(to_string(type_) + " needs a title");
    if (!several) return reference(name, titles.front());
    SequenceBuilder out(evaluator_.arena(), titles.size());
    for (const Value& title : titles) out.append(reference(name, title));
    return out.finish().with_origin(access_.origin);
  }

 private:
  [[nodiscard]] Error fail(std::string message) const {
    return evaluator_.error(access_.origin, "puppet.type", std::move(message));
  }

  Value value(TypeRef type) { return make_type_value(evaluator_.arena(), std::move(type)).with_origin(access_.origin); }

  std::string resource_name(const Value& key) const {
    const TypeObject* type = as_type(key);
    const auto* resource = type == nullptr ? nullptr : type->type()->get_if<ResourceType>();
    if (resource != nullptr && !resource->name.empty() && !resource->title) return resource->name;
    if (!key.is_text() || !is_name(lower(without_top(key.text()))))
      throw fail("the name of a resource type is needed, not " + shown(key));
    return std::string(key.text());
  }

  Value reference(const std::string& name, const Value& title) {
    if (!title.is_text()) throw fail(to_string(type_) + " needs the text of a title, not " + a_kind_of(title));
    if (type_.kind() == TypeKind::resource)
      return value(resource_type(capitalized_name(name), std::string(title.text())));
    std::string class_name = lower(without_top(title.text()));
    if (!is_name(class_name)) throw fail("'" + std::string(title.text().substr(0, 80)) + "' is not a class name");
    return value(class_type(std::move(class_name)));
  }

  const Access& access_;
  const Type& type_;
  Evaluator& evaluator_;
};

bool is_size(const Value& value) noexcept { return value.kind() == Kind::integer || is_default(value); }

/// What the reader of types takes, and the language does not.
void check_type_keys(const Access& access, const Type& type, std::span<const Value> keys, const Evaluator& evaluator) {
  const bool text = type.kind() == TypeKind::string &&
                    std::any_of(keys.begin(), keys.end(), [](const Value& key) { return key.is_text(); });
  if (text)
    throw evaluator.error(access.origin, "puppet.type", "String takes the bounds of its length, not a text")
        .hint("Enum['x'] is the type of one text");
  if (type.kind() == TypeKind::array && keys.size() == 1 && is_size(keys[0]))
    throw evaluator.error(access.origin, "puppet.type", "Array needs the type of its items before their number");
  if (type.kind() == TypeKind::tuple && std::all_of(keys.begin(), keys.end(), is_size))
    throw evaluator.error(access.origin, "puppet.type", "Tuple needs the types of its items before their number");
}

}  // namespace

// Recursion: values nest as deep as Limits::depth.
void flatten_arrays(std::span<const Value> values, std::vector<Value>& out) {
  for (const Value& value : values) {
    if (value.is_sequence()) {
      flatten_arrays(value.items(), out);
    } else {
      out.push_back(value);
    }
  }
}

Value type_access(const Access& access, const Type& type, std::span<const Value> keys, Evaluator& evaluator) {
  if (keys.empty()) throw evaluator.error(access.origin, "puppet.type", to_string(type) + "[] needs a parameter");
  if (type.kind() == TypeKind::host_class || type.kind() == TypeKind::resource)
    return References(access, type, evaluator).of(keys);
  std::vector<Value> flat;
  if (type.kind() == TypeKind::callable || type.kind() == TypeKind::structure) {
    flat.assign(keys.begin(), keys.end());
  } else {
    flatten_arrays(keys, flat);
  }
  evaluator.charge(flat.size());
  check_type_keys(access, type, flat, evaluator);
  try {
    const std::vector<Parameter> parameters = Reader(access, evaluator).read(flat);
    TypeRef made = with_parameters(type, parameters, "its parameters");
    evaluator.charge_type(*made);
    return make_type_value(evaluator.arena(), std::move(made)).with_origin(access.origin);
  } catch (Error& error) {
    if (!error.diagnostic().where.place.file.empty()) throw;
    hide_pattern(error, keys);
    throw std::move(error).at(evaluator.context().sources, access.origin);
  }
}

}  // namespace strata::puppet
