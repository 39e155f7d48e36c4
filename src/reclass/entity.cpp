// Reads the files of nodes and classes.
#include <fmt/format.h>

#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "inventory.hpp"
#include "python/data.hpp"
#include "resolution.hpp"
#include "strata/builder.hpp"
#include "strata/stack.hpp"
#include "value/fields.hpp"
#include "value/metered.hpp"
#include "value/with_text_keys.hpp"

namespace strata::reclass {
namespace {

class EntityReader {
 public:
  EntityReader(Sources& texts, const Limits& limits, Entity& out) : texts_(texts), limits_(limits), out_(out), stop_(limits.stop) {
    has_aliases_ = texts.text(out.document.source).find('*') != std::string_view::npos;
  }

  /// The memory of all references.
  [[nodiscard]] std::size_t reference_bytes() const noexcept { return reference_bytes_; }

  void read(const Value& root) {
    const Fields file(root, "the file", errors_);
    std::unordered_set<std::string_view> known;
    if (const Value* names = file.texts("classes", "a list of names")) {
      for (const Value& name : names->items()) {
        check_class(name);
        if (known.insert(name.text()).second) out_.classes.push_back(name);
      }
    }
    if (const Value* names = file.texts("applications", "a list of names")) out_.applications = names->items();
    if (const Value* environment = file.find("environment")) {
      if (environment->is_container()) file.refuse_kind("environment", "a name", *environment);
      out_.environment = *environment;
    }
    const Value* parameters = file.find("parameters");
    if (parameters != nullptr && !parameters->is_mapping()) file.refuse_kind("parameters", "a mapping", *parameters);
    out_.parameters = parameters == nullptr ? arena().mapping(KeyEquality::python) : prepared(*parameters, true);
  }

 private:
  [[nodiscard]] Arena& arena() const noexcept { return *out_.document.arena; }
  [[nodiscard]] Error error(std::string code, std::string message, const Value& at) const {
    return Error(std::move(code), std::move(message)).at(texts_, at.origin());
  }

  void check_class(const Value& name) {
    stop_.tick();
    if (!name.text().empty() && name.text().find_first_of(" /") == std::string_view::npos) return;
    throw error("reclass.class-name", fmt::format("'{}' is no name of a class", name.text()), name)
        .hint("names of classes have dots between their parts: role.web");
  }

  /// A value with its references. `is_merged`: if it is a mapping, its members are merged by their keys.
  // Recursion: bounded by the depth of documents.
  Value prepared(const Value& value, bool is_merged) {
    const bool is_text = value.is_text();
    if (is_text ? !text::may_refer(value.text(), kReferences) : !value.is_container() || value.size() == 0 || value.kind() == Kind::set) return value;
    check_stack(limits_);
    stop_.tick();
    const auto make = [&] { return is_text ? referring(value) : is_merged && value.is_mapping() ? merged(value) : with_prepared_members(value); };
    if (!has_aliases_) return make();
    // Aliases hold one value in many places.
    const void* const node = is_text               ? value.text().data()
                             : value.is_sequence() ? static_cast<const void*>(value.items().data())
                                                   : value.entries().data();
    const std::pair place(node, is_merged);
    auto known = prepared_.find(place);
    if (known == prepared_.end()) known = prepared_.emplace(place, make()).first;
    return known->second.with_origin(value.origin());
  }

  Value referring(const Value& text) {
    const Value made = with_references(arena(), text, texts_);
    if (const text::Reference* reference = text::reference_of(made)) {
      if (limits_.stop != nullptr) limits_.stop->take_memory(reference->bytes());
      reference_bytes_ += reference->bytes();
    }
    return made;
  }

  Value with_prepared_members(const Value& container) {
    return with_members(arena(), container, [this](const Value& member) { return prepared(member, false); });
  }

  /// A mapping whose keys become text as in Python.
  Value merged(const Value& mapping) {
    const auto change = [this](const Value& key, const Value& value) {
      if (key.text().empty()) throw error("reclass.key", "the key of a parameter must not be empty", value);
      const bool has_prefix = key.text().front() == '~' || key.text().front() == '=';
      out_.has_prefixes = out_.has_prefixes || has_prefix;
      return prepared(value, !has_prefix);
    };
    const auto refuse = [this](const Value& key, const Value& written) {
      throw error("reclass.key", fmt::format("two keys are '{}' when they are text", key.text()), written);
    };
    return with_text_keys(
        arena(), mapping, KeyEquality::python, [](const Value& key) { return python::str(key); }, change, refuse);
  }

  Sources& texts_;
  const Limits& limits_;
  Entity& out_;
  StopCheck stop_;
  bool has_aliases_;
  std::map<std::pair<const void*, bool>, Value> prepared_;  ///< By the address of members or characters.
  std::size_t reference_bytes_ = 0;
  FieldErrors errors_{.code = "reclass.field", .sources = &texts_};
};

}  // namespace

Reading<Entity> Entity::read(Sources& texts, SourceId source, const Limits& limits) {
  auto out = std::make_shared<Entity>();
  out->document = text::read_yaml(texts, source, text::pyyaml_c(), limits);
  Arena& arena = *out->document.arena;
  const Metered metered(arena, limits.stop);
  const Value& root = out->document.root;
  EntityReader reader(texts, limits, *out);
  reader.read(!root || root.is_null() ? arena.mapping(KeyEquality::python) : root);
  const std::size_t bytes = arena.bytes() + reader.reference_bytes();
  return {.parsed = std::move(out), .bytes = bytes};
}

}  // namespace strata::reclass
