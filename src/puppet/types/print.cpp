// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "puppet/characters.hpp"
#include "puppet/quote.hpp"
#include "puppet/types/make.hpp"
#include "puppet/types/names.hpp"
#include "ruby/ruby.hpp"

namespace strata::puppet {
namespace {

std::string delimited(std::string_view pattern) {
  std::string out = "/";
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      out += pattern[i++];
    } else if (pattern[i] == '/') {
      out += '\\';
    }
    out += pattern[i];
  }
  return out + '/';
}

class Printer {
 public:
  /// `exact`: with literal texts, so that different types have different texts.
  explicit Printer(bool exact) : exact_(exact) {}

  // Recursion: a type nests as deep as the text or value that it was made of.
  void print(const Type& type) {
    out_ += name(type);
    Parameters parameters(out_);
    switch (type.kind()) {
      case TypeKind::integer:
        return range(type.as<IntegerType>().range, parameters);
      case TypeKind::collection:
        return range(type.as<CollectionType>().size, parameters);
      case TypeKind::string:
        if (const std::string* literal = literal_text(type)) {
          if (exact_) parameters.add(quote(*literal));
          return;
        }
        return range(type.as<StringType>().length, parameters);
      case TypeKind::floating:
        return floats(type.as<FloatType>(), parameters);
      case TypeKind::boolean:
        if (const auto only = type.as<BooleanType>().only) parameters.add(*only ? "true" : "false");
        return;
      case TypeKind::enumeration: {
        const auto& enumeration = type.as<EnumType>();
        for (const std::string& text : enumeration.texts) parameters.add(quote(text));
        if (enumeration.ignores_case && !enumeration.texts.empty()) parameters.add("true");
        return;
      }
      case TypeKind::pattern:
        for (const PatternType::Pattern& pattern : type.as<PatternType>().patterns)
          parameters.add(delimited(pattern.text));
        return;
      case TypeKind::regexp:
        if (const auto& pattern = type.as<RegexpType>().pattern) parameters.add(delimited(*pattern));
        return;
      case TypeKind::structure:
        return structure(type.as<StructType>(), parameters);
      case TypeKind::host_class:
        if (const auto& name = type.as<ClassType>().name) parameters.add(*name);
        return;
      case TypeKind::resource:
        if (const auto& title = type.as<ResourceType>().title) parameters.add(quote(*title));
        return;
      case TypeKind::callable:
        return callable(type.as<CallableType>(), parameters);
      case TypeKind::array:
        return array(type, parameters);
      case TypeKind::hash:
        return hash(type, parameters);
      case TypeKind::tuple:
        return tuple(type.as<TupleType>(), parameters);
      case TypeKind::variant:
        return each(type.as<VariantType>().types, parameters);
      case TypeKind::optional:
      case TypeKind::not_undef:
      case TypeKind::iterable:
      case TypeKind::iterator:
      case TypeKind::type:
      case TypeKind::sensitive:
        return holder(type, parameters);
      default:
        return;
    }
  }

  std::string result() && { return std::move(out_); }

 private:
  /// `[a, b]`; nothing at all where nothing is added.
  class Parameters {
   public:
    explicit Parameters(std::string& out) : out_(out) {}
    ~Parameters() {
      if (open_) out_ += ']';
    }
    Parameters(const Parameters&) = delete;
    Parameters& operator=(const Parameters&) = delete;
    void next() {
      out_ += open_ ? ", " : "[";
      open_ = true;
    }
    void add(std::string_view text) {
      next();
      out_ += text;
    }

   private:
    std::string& out_;
    bool open_ = false;
  };

  static std::string name(const Type& type);

  static void range(const Size& range, Parameters& parameters) {
    if (!range || (!range->from && !range->to)) return;
    parameters.add(range->from ? range->from->to_string() : "default");
    if (range->to) parameters.add(range->to->to_string());
  }

  static void floats(const FloatType& type, Parameters& parameters) {
    if (std::isinf(type.from) && type.from < 0 && std::isinf(type.to) && type.to > 0) return;
    parameters.add(std::isinf(type.from) && type.from < 0 ? "default" : ruby::float_text(type.from));
    if (!std::isinf(type.to) || type.to < 0) parameters.add(ruby::float_text(type.to));
  }

  void structure(const StructType& type, Parameters& parameters) {
    if (type.members.empty()) return;
    parameters.next();
    std::string_view separator = "{";
    for (const StructMember& member : type.members) {
      out_ += separator;
      separator = ", ";
      // A key alone means optional where the value may be undef.
      const bool plain_optional = is_assignable(*member.type, *plain(TypeKind::undef));
      const std::string key = quote(member.name);
      if (member.optional == plain_optional) {
        out_ += key;
      } else {
        out_ += (member.optional ? "Optional[" : "NotUndef[") + key + "]";
      }
      out_ += " => ";
      print(*member.type);
    }
    out_ += '}';
  }

  void each(const std::vector<TypeRef>& types, Parameters& parameters) {
    for (const TypeRef& one : types) {
      parameters.next();
      print(*one);
    }
  }

  static bool is_empty(const Size& size, Parameters& parameters) {
    if (size != exactly(0)) return false;
    parameters.add("0");
    parameters.add("0");
    return true;
  }

  void array(const Type& type, Parameters& parameters) {
    const auto& array = type.as<ArrayType>();
    if (is_empty(array.size, parameters) || is_plain(type)) return;
    parameters.next();
    print(*array.item);
    range(array.size, parameters);
  }

  void hash(const Type& type, Parameters& parameters) {
    const auto& hash = type.as<HashType>();
    if (is_empty(hash.size, parameters) || is_plain(type)) return;
    parameters.next();
    print(*hash.key);
    parameters.next();
    print(*hash.value);
    range(hash.size, parameters);
  }

  void tuple(const TupleType& tuple, Parameters& parameters) {
    if (tuple.types.empty() && !exact_) return;
    each(tuple.types, parameters);
    range(tuple.size, parameters);
  }

  void holder(const Type& type, Parameters& parameters) {
    if (held(type) == nullptr || is_plain(type)) return;
    parameters.next();
    // A literal text may stand for its type in two of them.
    const bool may_be_text = type.kind() == TypeKind::optional || type.kind() == TypeKind::not_undef;
    const std::string* literal = may_be_text ? literal_text(*held(type)) : nullptr;
    if (literal != nullptr) {
      out_ += quote(*literal);
    } else {
      print(*held(type));
    }
  }

  void callable_parameters(const CallableType::Signature& signature, Parameters& parameters) {
    const auto& tuple = signature.parameters->as<TupleType>();
    for (const TypeRef& one : tuple.types) {
      if (one->kind() == TypeKind::unit) continue;
      parameters.next();
      print(*one);
    }
    if (tuple.types.empty()) {
      parameters.add("0");
      parameters.add("0");
    } else {
      range(tuple.size, parameters);
    }
    if (signature.block == nullptr) return;
    parameters.next();
    print(*signature.block);
  }

  void callable(const CallableType& type, Parameters& parameters) {
    if (!type.signature) return;
    if (type.signature->result == nullptr) return callable_parameters(*type.signature, parameters);
    parameters.next();
    {
      Parameters inner(out_);
      callable_parameters(*type.signature, inner);
    }
    if (out_.ends_with('[')) out_ += "[]";
    parameters.next();
    print(*type.signature->result);
  }

  bool exact_;
  std::string out_;
};

}  // namespace

std::string Printer::name(const Type& type) {
  if (const auto* alias = type.get_if<AliasType>()) return std::string(alias->name);
  const auto* resource = type.get_if<ResourceType>();
  if (resource != nullptr && !resource->name.empty()) return capitalized_name(lower(resource->name));
  return std::string(kind_name(type.kind()));
}

std::string to_string(const Type& type) {
  Printer printer(false);
  printer.print(type);
  return std::move(printer).result();
}

std::string fingerprint(const Type& type) {
  Printer printer(true);
  printer.print(type);
  return std::move(printer).result();
}

}  // namespace strata::puppet
