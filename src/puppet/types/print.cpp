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
    switch (type.kind) {
      case TypeKind::integer:
      case TypeKind::collection:
        return range(type.range, parameters);
      case TypeKind::string:
        if (exact_ && type.text) parameters.add(quote(*type.text));
        return range(type.range, parameters);
      case TypeKind::floating:
        return floats(type, parameters);
      case TypeKind::boolean:
        if (type.flag) parameters.add(*type.flag ? "true" : "false");
        return;
      case TypeKind::enumeration:
        for (const std::string& text : type.texts) parameters.add(quote(text));
        if (type.flag == true && !type.texts.empty()) parameters.add("true");
        return;
      case TypeKind::pattern:
        for (const std::string& pattern : type.texts) parameters.add(delimited(pattern));
        return;
      case TypeKind::regexp:
        if (type.text) parameters.add(delimited(*type.text));
        return;
      case TypeKind::structure:
        return structure(type, parameters);
      case TypeKind::host_class:
        if (type.text) parameters.add(*type.text);
        return;
      case TypeKind::resource:
        if (type.texts.size() > 1) parameters.add(quote(type.texts[1]));
        return;
      case TypeKind::callable:
        return callable(type, parameters);
      default:
        return held_types(type, parameters);
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

  static void range(const std::optional<IntegerRange>& range, Parameters& parameters) {
    if (!range || (!range->from && !range->to)) return;
    parameters.add(range->from ? range->from->to_string() : "default");
    if (range->to) parameters.add(range->to->to_string());
  }

  static void floats(const Type& type, Parameters& parameters) {
    if (std::isinf(type.from) && type.from < 0 && std::isinf(type.to) && type.to > 0) return;
    parameters.add(std::isinf(type.from) && type.from < 0 ? "default" : ruby::float_text(type.from));
    if (!std::isinf(type.to) || type.to < 0) parameters.add(ruby::float_text(type.to));
  }

  void structure(const Type& type, Parameters& parameters) {
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

  /// A literal text where a type may stand.
  void part(const Type& type) {
    if (type.kind == TypeKind::string && type.text) {
      out_ += quote(*type.text);
    } else {
      print(type);
    }
  }

  void held_types(const Type& type, Parameters& parameters) {
    if ((type.kind == TypeKind::array || type.kind == TypeKind::hash) && type.range == exactly(0)) {
      parameters.add("0");
      parameters.add("0");
      return;
    }
    if (type.kind == TypeKind::tuple ? type.parts.empty() && !exact_ : is_plain(type)) return;
    const bool literal = type.kind == TypeKind::optional || type.kind == TypeKind::not_undef;
    for (const TypeRef& one : type.parts) {
      parameters.next();
      if (literal) {
        part(*one);
      } else {
        print(*one);
      }
    }
    range(type.range, parameters);
  }

  void callable_parameters(const Type& type, Parameters& parameters) {
    const Type& tuple = *type.parts[0];
    for (const TypeRef& one : tuple.parts) {
      if (one->kind == TypeKind::unit) continue;
      parameters.next();
      print(*one);
    }
    if (tuple.parts.empty()) {
      parameters.add("0");
      parameters.add("0");
    } else {
      range(tuple.range, parameters);
    }
    if (type.parts[1] == nullptr) return;
    parameters.next();
    print(*type.parts[1]);
  }

  void callable(const Type& type, Parameters& parameters) {
    if (type.parts.empty()) return;
    if (type.parts[2] == nullptr) {
      if (type.parts[0] != nullptr) callable_parameters(type, parameters);
      return;
    }
    parameters.next();
    {
      Parameters inner(out_);
      if (type.parts[0] != nullptr) callable_parameters(type, inner);
    }
    if (out_.ends_with('[')) out_ += "[]";
    parameters.next();
    print(*type.parts[2]);
  }

  bool exact_;
  std::string out_;
};

}  // namespace

std::string Printer::name(const Type& type) {
  if (type.kind == TypeKind::alias) return *type.text;
  if (type.kind == TypeKind::resource && !type.texts.empty()) return capitalized_name(lower(type.texts[0]));
  return std::string(kind_name(type.kind));
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
