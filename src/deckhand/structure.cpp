// SPDX-License-Identifier: Apache-2.0
#include "structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "deckhand/schemas.hpp"
#include "strata/near_names.hpp"
#include "strata/scalar_text.hpp"
#include "value/fields.hpp"

namespace strata::deckhand {
namespace {

constexpr std::string_view kDocument = "metadata/Document/v1";
constexpr std::string_view kControl = "metadata/Control/v1";
constexpr std::size_t kMostNotes = 20;  ///< Of one failure.

/// Where in the metadata a check is. Spelled out only when something is wrong.
struct At {
  const At* above = nullptr;
  std::string_view key;
  std::size_t index = 0;

  // Recursion: as deep as the metadata that are known.
  [[nodiscard]] std::string to_string() const {
    std::string out = above == nullptr ? std::string() : above->to_string();
    if (key.empty()) return out + fmt::format("[{}]", index);
    return out.empty() ? std::string(key) : fmt::format("{}.{}", out, key);
  }
};

/// A scalar as part of a document's identity, whatever it is.
std::string shown_scalar(const Value* value) {
  constexpr std::size_t kShown = 100;
  if (value == nullptr || value->is_container()) return {};
  std::string text = value->is_text() ? std::string(value->text()) : scalar_text(*value);
  if (text.size() > kShown) text = text.substr(0, kShown) + "…";
  return text;
}

const Value* member(const Value* mapping, std::string_view key) {
  return mapping == nullptr || !mapping->is_mapping() ? nullptr : mapping->find(key);
}

/// What the form is of what is known only in part.
Identity identity_of(const Value& root) {
  const Value* metadata = member(&root, "metadata");
  return {.schema = shown_scalar(member(&root, "schema")),
          .layer = shown_scalar(member(member(metadata, "layeringDefinition"), "layer")),
          .name = shown_scalar(member(metadata, "name"))};
}

/// Data may be secret as long as nothing says that they are not.
Lines visible_lines(const Value& root) {
  const Value* policy = member(member(&root, "metadata"), "storagePolicy");
  return policy == nullptr || (policy->is_text() && policy->text() == "cleartext") ? Lines::shown : Lines::hidden;
}

class Checker {
 public:
  Checker(const Sources& sources, const Value& root, bool require_storage_policy, Findings& findings)
      : sources_(sources), root_(root), require_storage_policy_(require_storage_policy), findings_(findings) {}

  bool check() {
    base();
    if (!is_right_) return false;
    const Value& metadata = *root_.find("metadata");
    if (metadata.find("schema")->text() == kControl) {
      control(metadata);
    } else {
      document(metadata);
    }
    return is_right_;
  }

 private:
  using Check = void (Checker::*)(const Value&, const At&);
  struct Field {
    std::string_view name;
    Check check;
    bool is_required = false;
  };

  void fail(Origin where, const std::string& message, std::string hint = {}) {
    is_right_ = false;
    if (!where) where = root_.origin();
    if (failed_ > 0) return fail_too(where, message, hint);
    if (is_one_) ++failed_;
    if (findings_.skips()) return;
    const Identity identity = identity_of(root_);
    const std::string name = identity.to_string();
    Finding finding{.diagnostic = diagnostic(sources_, "deckhand.form",
                                             name.empty() ? message : fmt::format("{}: {}", name, message), where,
                                             std::move(hint), visible_lines(root_)),
                    .document = identity,
                    .check = "D001"};
    if (is_one_) {
      one_ = std::move(finding);
    } else {
      findings_.add(std::move(finding));
    }
  }

  /// What `act` finds wrong is one failure, as in the reference: the first, with a note for each other one.
  template <class Do>
  void as_one(const Do& act) {
    if (is_one_) return act();
    is_one_ = true;
    act();
    if (one_ && failed_ > kMostNotes + 1) {
      one_->diagnostic.notes.push_back(
          {.place = {}, .line = {}, .message = fmt::format("{} more are not shown", failed_ - kMostNotes - 1)});
    }
    if (one_) findings_.add(*std::move(one_));
    one_.reset();
    failed_ = 0;
    is_one_ = false;
  }

  void fail_too(Origin where, const std::string& message, const std::string& hint) {
    ++failed_;
    if (!one_ || one_->diagnostic.notes.size() >= kMostNotes) return;
    one_->diagnostic.notes.push_back(
        note(sources_, where, hint.empty() ? message : fmt::format("{} ({})", message, hint), visible_lines(root_)));
  }

  void wrong_kind(const Value& value, const At& at, std::string_view wanted) {
    fail(value.origin(), strata::wrong_kind(at.to_string(), wanted, value));
  }

  // The base, which all documents share.

  void base() {
    const Value* schema = root_.find("schema");
    if (schema == nullptr) {
      fail(root_.origin(), "'schema' is missing", "schema: namespace/Kind/v1");
    } else {
      schema_name(*schema, {.above = nullptr, .key = "schema"});
    }
    const Value* metadata = root_.find("metadata");
    if (metadata == nullptr) return fail(root_.origin(), "'metadata' is missing");
    const At at{.above = nullptr, .key = "metadata"};
    if (!metadata->is_mapping()) return wrong_kind(*metadata, at, "a mapping");
    required(*metadata, at, {"schema", &Checker::metadata_schema});
    required(*metadata, at, {"name", &Checker::text});
  }

  void schema_name(const Value& value, const At& at) {
    if (!value.is_text()) return wrong_kind(value, at, "text");
    if (!is_schema_name(value.text())) {
      fail(value.origin(),
           fmt::format("{} is '{}', which is not of the form namespace/Kind/v1", at.to_string(), shown_scalar(&value)),
           "letters only in the first two parts, then v and a number");
    }
  }

  void metadata_schema(const Value& value, const At& at) {
    if (!value.is_text()) return wrong_kind(value, at, "text");
    if (value.text() != kDocument && value.text() != kControl) {
      fail(value.origin(), fmt::format("invalid metadata schema '{}'", shown_scalar(&value)),
           fmt::format("{} or {}", kDocument, kControl));
    }
  }

  // Mappings with known keys.

  void required(const Value& mapping, const At& at, const Field& field) {
    const Value* value = mapping.find(field.name);
    if (value == nullptr)
      return fail(mapping.origin(), fmt::format("{} has no '{}', which is required", at.to_string(), field.name));
    (this->*field.check)(*value, {.above = &at, .key = field.name});
  }

  void fields(const Value& mapping, const At& at, std::span<const Field> known) {
    if (!mapping.is_mapping()) return wrong_kind(mapping, at, "a mapping");
    const auto field_of = [known](const Entry& entry) {
      return std::ranges::find_if(
          known, [&entry](const Field& one) { return entry.key.is_text() && one.name == entry.key.text(); });
    };
    bool has_unknown = false;
    for (const Entry& entry : mapping.entries()) {
      const auto field = field_of(entry);
      has_unknown |= field == known.end();
      if (field != known.end()) (this->*field->check)(entry.value, {.above = &at, .key = field->name});
    }
    if (has_unknown) {
      as_one([&] {
        for (const Entry& entry : mapping.entries()) {
          if (field_of(entry) == known.end()) unknown_key(entry, at, known);
        }
      });
    }
    for (const Field& field : known) {
      if (!field.is_required || mapping.find(field.name) != nullptr) continue;
      fail(mapping.origin(), fmt::format("{} has no '{}', which is required", at.to_string(), field.name));
    }
  }

  void unknown_key(const Entry& entry, const At& at, std::span<const Field> known) {
    std::vector<std::string_view> names;
    for (const Field& field : known) names.push_back(field.name);
    const std::string key = shown_scalar(&entry.key);
    fail(entry.key.origin(), fmt::format("{} has an unknown key '{}'", at.to_string(), key), name_hint(names, key));
  }

  // Application documents.

  void document(const Value& metadata) {
    static constexpr std::array<Field, 7> kFieldsOfMetadata{{{"schema", &Checker::anything},
                                                             {"name", &Checker::anything},
                                                             {"storagePolicy", &Checker::storage_policy},
                                                             {"layeringDefinition", &Checker::layering, true},
                                                             {"labels", &Checker::labels},
                                                             {"replacement", &Checker::boolean},
                                                             {"substitutions", &Checker::substitutions}}};
    const At at{.above = nullptr, .key = "metadata"};
    fields(metadata, at, kFieldsOfMetadata);
    if (require_storage_policy_ && metadata.find("storagePolicy") == nullptr) {
      fail(metadata.origin(), "metadata has no 'storagePolicy', which is required", "storagePolicy: cleartext");
    }
  }

  void anything(const Value& /*value*/, const At& /*at*/) {}

  void text(const Value& value, const At& at) {
    if (!value.is_text())
      fail(value.origin(),
           fmt::format("{} must be text, not {} ({})", at.to_string(), describe(value.kind()), shown_scalar(&value)));
  }

  void boolean(const Value& value, const At& at) {
    if (value.kind() != Kind::boolean) wrong_kind(value, at, "a boolean");
  }

  void integer(const Value& value, const At& at) {
    if (value.kind() != Kind::integer && value.kind() != Kind::big_integer) wrong_kind(value, at, "an integer");
  }

  void one_of(const Value& value, const At& at, std::span<const std::string_view> names) {
    if (!value.is_text()) return wrong_kind(value, at, "text");
    if (std::ranges::find(names, value.text()) != names.end()) return;
    fail(value.origin(),
         fmt::format("{} is '{}', not one of {}", at.to_string(), shown_scalar(&value), fmt::join(names, ", ")));
  }

  void storage_policy(const Value& value, const At& at) {
    one_of(value, at, std::array<std::string_view, 2>{"cleartext", "encrypted"});
  }
  void method(const Value& value, const At& at) {
    one_of(value, at, std::array<std::string_view, 3>{"merge", "replace", "delete"});
  }

  void labels(const Value& value, const At& at) {
    if (!value.is_mapping()) return wrong_kind(value, at, "a mapping");
    for (const Entry& entry : value.entries()) {
      if (entry.value.is_container()) wrong_kind(entry.value, {.above = &at, .key = key_of(entry)}, "a scalar");
    }
  }

  static std::string_view key_of(const Entry& entry) {
    return entry.key.is_text() ? entry.key.text() : std::string_view("?");
  }

  void selector(const Value& value, const At& at) {
    labels(value, at);
    if (value.is_mapping() && value.size() == 0)
      fail(value.origin(), fmt::format("{} is empty", at.to_string()), "name at least one label");
  }

  void layering(const Value& value, const At& at) {
    static constexpr std::array<Field, 4> kFieldsOfLayering{{{"layer", &Checker::text, true},
                                                             {"abstract", &Checker::boolean},
                                                             {"parentSelector", &Checker::selector},
                                                             {"actions", &Checker::actions}}};
    fields(value, at, kFieldsOfLayering);
    if (!value.is_mapping()) return;
    const bool selects = value.find("parentSelector") != nullptr;
    if (selects == (value.find("actions") != nullptr)) return;
    fail(value.origin(), fmt::format("{} has '{}' without '{}'", at.to_string(), selects ? "parentSelector" : "actions",
                                     selects ? "actions" : "parentSelector"));
  }

  /// A sequence with at least `least` items, each of which is checked.
  void items(const Value& value, const At& at, std::size_t least, Check each) {
    if (!value.is_sequence()) return wrong_kind(value, at, "a sequence");
    if (value.size() < least) fail(value.origin(), fmt::format("{} is empty", at.to_string()));
    for (std::size_t i = 0; i < value.size(); ++i)
      (this->*each)(value.items()[i], {.above = &at, .key = {}, .index = i});
  }

  void actions(const Value& value, const At& at) { items(value, at, 1, &Checker::action); }
  void substitutions(const Value& value, const At& at) { items(value, at, 0, &Checker::substitution); }

  void action(const Value& value, const At& at) {
    static constexpr std::array<Field, 2> kFieldsOfAction{
        {{"method", &Checker::method, true}, {"path", &Checker::text, true}}};
    fields(value, at, kFieldsOfAction);
  }

  void substitution(const Value& value, const At& at) {
    static constexpr std::array<Field, 2> kFieldsOfSubstitution{
        {{"src", &Checker::source, true}, {"dest", &Checker::destinations, true}}};
    fields(value, at, kFieldsOfSubstitution);
  }

  void source(const Value& value, const At& at) {
    static constexpr std::array<Field, 6> kFieldsOfSource{{{"schema", &Checker::schema_name, true},
                                                           {"name", &Checker::text, true},
                                                           {"path", &Checker::text, true},
                                                           {"pattern", &Checker::text},
                                                           {"match_group", &Checker::integer},
                                                           {"deepcopy", &Checker::boolean}}};
    fields(value, at, kFieldsOfSource);
  }

  void destinations(const Value& value, const At& at) {
    as_one([&] {
      if (value.is_sequence()) return items(value, at, 1, &Checker::destination);
      destination(value, at);
    });
  }

  void destination(const Value& value, const At& at) {
    static constexpr std::array<Field, 3> kFieldsOfDestination{
        {{"path", &Checker::text, true}, {"pattern", &Checker::text}, {"recurse", &Checker::recursion}}};
    fields(value, at, kFieldsOfDestination);
  }

  void recursion(const Value& value, const At& at) {
    if (!value.is_mapping()) return wrong_kind(value, at, "a mapping");
    required(value, at, {"depth", &Checker::depth});
  }

  void depth(const Value& value, const At& at) {
    integer(value, at);
    const bool is_low = (value.kind() == Kind::integer && value.as_integer() < -1) ||
                        (value.kind() == Kind::big_integer && value.text().front() == '-');
    if (is_low) fail(value.origin(), fmt::format("{} is less than -1", at.to_string()), "-1 means all depths");
  }

  // Control documents: any metadata beside these.

  void control(const Value& metadata) {
    const Value* found = metadata.find("labels");
    if (found == nullptr) return;
    const At above{.above = nullptr, .key = "metadata"};
    const At at{.above = &above, .key = "labels"};
    if (!found->is_mapping()) return wrong_kind(*found, at, "a mapping");
    for (const Entry& entry : found->entries()) text(entry.value, {.above = &at, .key = key_of(entry)});
  }

  const Sources& sources_;
  const Value& root_;
  bool require_storage_policy_;
  Findings& findings_;
  bool is_right_ = true;
  bool is_one_ = false;         ///< What is found is one failure.
  std::size_t failed_ = 0;      ///< What was found of it.
  std::optional<Finding> one_;  ///< The failure. Nothing: none yet, or only counted.
};

}  // namespace

bool check_structure(const Sources& sources, const Value& root, bool require_storage_policy, Findings& findings) {
  return Checker(sources, root, require_storage_policy, findings).check();
}

}  // namespace strata::deckhand
