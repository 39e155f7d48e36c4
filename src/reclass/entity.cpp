#include "entity.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "python/data.hpp"
#include "resolution.hpp"
#include "strata/builder.hpp"
#include "strata/stack.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"
#include "value/metered.hpp"

namespace strata::reclass {
namespace {

class EntityReader {
 public:
  EntityReader(Sources& texts, const Limits& limits, Entity& out) : texts_(texts), limits_(limits), out_(out), stop_(limits.stop) {}

  /// The memory of all references.
  [[nodiscard]] std::size_t reference_bytes() const noexcept { return reference_bytes_; }

  void read(const Value& root) {
    const Fields file(root, "the file", errors_);
    if (const Value* names = file.texts("classes", "a list of names")) {
      for (const Value& name : names->items()) add_class(name);
    }
    if (const Value* names = file.texts("applications", "a list of names")) {
      for (const Value& name : names->items()) add_application(name);
      std::erase_if(out_.applications, [](const Value& name) { return !name; });
    }
    if (const Value* environment = file.find("environment")) {
      if (environment->is_container()) file.refuse_kind("environment", "a name", *environment);
      out_.environment = *environment;
    }
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
    stop_.tick();
    if (classes_.insert(text).second) out_.classes.push_back(name);
  }

  void add_application(const Value& name) {
    const bool removes = name.text().starts_with('~');
    const Value plain = removes ? out_.arena->text(name.text().substr(1)).with_origin(name.origin()) : name;
    stop_.tick();
    const auto same = applications_.find(plain.text());
    if (removes) {
      out_.negations.push_back(plain);
      if (same == applications_.end()) return;
      out_.applications[same->second] = {};
      applications_.erase(same);
    } else if (same == applications_.end()) {
      applications_.emplace(plain.text(), out_.applications.size());
      out_.applications.push_back(plain);
    }
  }

  /// A mapping whose members are merged by their keys, which become text as in Python.
  // Recursion: bounded by the depth of documents.
  Value merged(const Value& mapping) {
    check_stack(limits_);
    stop_.tick();
    // Aliases hold one mapping in many places.
    const void* const node = mapping.size() == 0 ? nullptr : mapping.entries().data();
    if (const auto known = merged_.find(node); known != merged_.end() && node != nullptr) return known->second.with_origin(mapping.origin());
    MappingBuilder made(*out_.arena, KeyEquality::exact, mapping.size());
    for (const Entry& entry : mapping.entries()) {
      const Value key = entry.key.is_text() ? entry.key : out_.arena->key(out_.arena->text(python::str(entry.key)).with_origin(entry.key.origin()));
      if (key.text().empty()) throw error("reclass.key", "the key of a parameter must not be empty", entry.value);
      const bool has_prefix = key.text().front() == '~' || key.text().front() == '=';
      out_.has_prefixes = out_.has_prefixes || has_prefix;
      const Value value = entry.value.is_mapping() && !has_prefix ? merged(entry.value) : referring(entry.value);
      if (!made.insert(key, value)) throw error("reclass.key", fmt::format("two keys are '{}' when they are text", key.text()), entry.key);
    }
    const Value out = made.finish().with_origin(mapping.origin()).with_secret(mapping.is_secret());
    merged_.emplace(node, out);
    return out;
  }

  /// A value whose keys stay as they are.
  // Recursion: as above.
  Value referring(const Value& value) {
    if (value.is_text()) return parsed(value);
    if (!value.is_container() || value.size() == 0 || value.kind() == Kind::set) return value;
    check_stack(limits_);
    stop_.tick();
    const void* const node = value.is_sequence() ? static_cast<const void*>(value.items().data()) : value.entries().data();
    if (const auto known = referring_.find(node); known != referring_.end()) return known->second.with_origin(value.origin());
    const Value out = with_members(*out_.arena, value, [this](const Value& member) { return referring(member); });
    referring_.emplace(node, out);
    return out;
  }

  Value parsed(const Value& value) {
    const std::string_view written = value.text();
    if (!text::may_refer(written, kReferences)) return value;
    stop_.tick();
    if (const auto known = referring_.find(written.data()); known != referring_.end()) return known->second.with_origin(value.origin());
    const Value made = with_references(*out_.arena, value, texts_);
    if (const Reference* reference = reference_of(made)) {
      if (limits_.stop != nullptr) limits_.stop->take_memory(reference->bytes());
      reference_bytes_ += reference->bytes();
    }
    referring_.emplace(written.data(), made);
    return made;
  }

  Sources& texts_;
  const Limits& limits_;
  Entity& out_;
  StopCheck stop_;
  std::unordered_set<std::string_view> classes_;
  std::unordered_map<std::string_view, std::size_t> applications_;  ///< Name to index.
  // By the address of members or characters: what was made of them.
  std::unordered_map<const void*, Value> merged_;
  std::unordered_map<const void*, Value> referring_;
  std::size_t reference_bytes_ = 0;
  FieldErrors errors_{.code = "reclass.field", .sources = &texts_};
};

}  // namespace

Reading<Entity> Entity::read(Sources& texts, SourceId source, const Limits& limits) {
  const text::Document document = text::read_yaml(texts, source, text::pyyaml_c(), limits);
  auto out = std::make_shared<Entity>();
  out->arena = document.arena;
  out->nodes = document.nodes;
  out->repeated_keys = document.repeated_keys;
  const Metered metered(*document.arena, limits.stop);
  const bool is_empty = !document.root || document.root.is_null();
  EntityReader reader(texts, limits, *out);
  reader.read(is_empty ? document.arena->mapping() : document.root);
  const std::size_t bytes = document.arena->bytes() + reader.reference_bytes();
  return {.parsed = std::move(out), .bytes = bytes};
}

}  // namespace strata::reclass
