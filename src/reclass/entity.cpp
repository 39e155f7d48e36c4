#include "entity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "python/data.hpp"
#include "resolution.hpp"
#include "strata/builder.hpp"
#include "strata/stack.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::reclass {
namespace {

class EntityReader {
 public:
  EntityReader(Sources& texts, const Limits& limits, Entity& out) : texts_(texts), limits_(limits), out_(out) {}

  void read(const Value& root) {
    const Fields file(root, "the file", errors_);
    if (const Value* names = file.texts("classes", "a list of names")) {
      for (const Value& name : names->items()) add_class(name);
    }
    if (const Value* names = file.texts("applications", "a list of names")) {
      for (const Value& name : names->items()) add_application(name);
    }
    if (const Value* environment = file.find("environment")) out_.environment = *environment;
    const Value* parameters = file.find("parameters");
    if (parameters != nullptr && !parameters->is_mapping()) file.refuse_kind("parameters", "a mapping", *parameters);
    out_.parameters = parameters == nullptr ? out_.arena->mapping() : merged(*parameters);
  }

 private:
  [[nodiscard]] Error error(std::string code, std::string message, const Value& at) const {
    return Error(std::move(code), std::move(message)).at(texts_, at.origin());
  }

  void add_class(const Value& name) {
    const std::string_view text = name.text();
    if (text.empty() || text.find_first_of(" /") != std::string_view::npos) {
      throw error("reclass.class-name", fmt::format("'{}' is no name of a class", text), name)
          .hint("names of classes have dots between their parts: role.web");
    }
    if (std::ranges::find(out_.classes, text, &Value::text) == out_.classes.end()) out_.classes.push_back(name);
  }

  void add_application(const Value& name) {
    const bool removes = name.text().starts_with('~');
    const Value plain = removes ? out_.arena->text(name.text().substr(1)).with_origin(name.origin()) : name;
    const auto same = std::ranges::find(out_.applications, plain.text(), &Value::text);
    if (removes) {
      out_.negations.push_back(plain);
      if (same != out_.applications.end()) out_.applications.erase(same);
    } else if (same == out_.applications.end()) {
      out_.applications.push_back(plain);
    }
  }

  /// A mapping whose members are merged by their keys, which become text as in Python.
  // Recursion: bounded by the depth of documents.
  Value merged(const Value& mapping) {
    check_stack(limits_);
    MappingBuilder made(*out_.arena, KeyEquality::exact, mapping.size());
    for (const Entry& entry : mapping.entries()) {
      const Value key = entry.key.is_text() ? entry.key : out_.arena->key(out_.arena->text(python::str(entry.key)).with_origin(entry.key.origin()));
      if (key.text().empty()) throw error("reclass.key", "the key of a parameter must not be empty", entry.value);
      const bool has_prefix = key.text().front() == '~' || key.text().front() == '=';
      out_.has_prefixes = out_.has_prefixes || has_prefix;
      const Value value = entry.value.is_mapping() && !has_prefix ? merged(entry.value) : referring(entry.value);
      if (!made.insert(key, value)) throw error("reclass.key", fmt::format("two keys are '{}' when they are text", key.text()), entry.key);
    }
    return made.finish().with_origin(mapping.origin()).with_secret(mapping.is_secret());
  }

  /// A value whose keys stay as they are.
  // Recursion: as above.
  Value referring(const Value& value) {
    if (value.is_text()) return parsed(value);
    if (!value.is_container() || value.size() == 0 || value.kind() == Kind::set) return value;
    check_stack(limits_);
    return with_members(*out_.arena, value, [this](const Value& member) { return referring(member); });
  }

  Value parsed(const Value& value) {
    const std::string_view written = value.text();
    if (!text::may_refer(written, kReferences)) return value;
    try {
      // reclass's parser expands tabs first.
      text::ReferenceText parts = text::parse_references(python::expandtabs(written), kReferences);
      const bool refers = text::has_references(parts);
      std::string plain;
      for (const text::ReferencePart& part : parts) plain += part.text;
      const Value made = refers ? out_.arena->object(std::make_shared<Reference>(std::string(written), std::move(parts))) : out_.arena->text(plain);
      return made.with_origin(value.origin()).with_secret(value.is_secret());
    } catch (Error& fault) {
      throw Error(std::move(fault.at(texts_, value.origin())));
    }
  }

  Sources& texts_;
  const Limits& limits_;
  Entity& out_;
  FieldErrors errors_{.code = "reclass.field", .sources = &texts_};
};

}  // namespace

Reading<Entity> Entity::read(Sources& texts, SourceId source, const Limits& limits) {
  const text::Document document = text::read_yaml(texts, source, text::pyyaml_c(), limits);
  auto out = std::make_shared<Entity>();
  out->arena = document.arena;
  out->nodes = document.nodes;
  const bool is_empty = !document.root || document.root.is_null();
  EntityReader(texts, limits, *out).read(is_empty ? document.arena->mapping() : document.root);
  const std::size_t bytes = document.arena->bytes();
  return {.parsed = std::move(out), .bytes = bytes};
}

}  // namespace strata::reclass
