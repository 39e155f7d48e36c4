// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "service/buckets/failure.hpp"
#include "service/buckets/yaml.hpp"

namespace strata::service::buckets {
namespace {

bool is_any_of(std::string_view text, const std::vector<std::string>& wanted) {
  return std::ranges::find(wanted, text) != wanted.end();
}

/// One schema: all of it, or its first parts. Several: all of one.
bool has_schema(std::string_view schema, const std::vector<std::string>& wanted) {
  if (wanted.size() != 1) return is_any_of(schema, wanted);
  const std::string& one = wanted.front();
  return schema == one ||
         (!one.empty() && schema.starts_with(one) && schema.size() > one.size() && schema[one.size()] == '/');
}

bool has_labels(const Value& metadata, const std::vector<std::pair<std::string, std::string>>& wanted) {
  const Value* labels = metadata.find("labels");
  return std::ranges::all_of(wanted, [labels](const auto& label) {
    const Value* found = labels != nullptr && labels->is_mapping() ? labels->find(label.first) : nullptr;
    return found != nullptr && found->is_text() && found->text() == label.second;
  });
}

bool read_boolean(std::string_view name, const std::string& text) {
  if (same_name(text, "true")) return true;
  if (same_name(text, "false")) return false;
  throw bad_parameter(name, fmt::format("Query parameter {} must be of type <class 'bool'>.", name));
}

/// As Python reads a whole number, without its sign.
std::size_t read_limit(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  std::size_t out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument) {
    throw bad_parameter("limit", "Query parameter limit must be of type <class 'int'>.");
  }
  return error == std::errc() ? out : static_cast<std::size_t>(-1);
}

/// The member at a path: keys with dots between them, `[2]` for an item. Null: there is none. When the reference sorts,
/// documents have no status yet.
const Value* value_at_path(const Value& value, std::string_view path) {
  const Value* here = &value;
  if (path.starts_with('$')) path.remove_prefix(1);
  while (here != nullptr && !path.empty()) {
    if (path.front() == '.') {
      path.remove_prefix(1);
    } else if (path.front() == '[') {
      const std::size_t close = path.find(']');
      if (close == std::string_view::npos || !here->is_sequence()) return nullptr;
      const std::string_view digits = path.substr(1, close - 1);
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
      if (error != std::errc() || end != digits.data() + digits.size() || index >= here->size()) return nullptr;
      here = &here->items()[index];
      path.remove_prefix(close + 1);
    } else {
      std::string_view key = path.substr(0, path.find_first_of(".["));
      if (key.front() == '\'' || key.front() == '"') {
        const std::size_t close = path.find(key.front(), 1);
        if (close == std::string_view::npos) return nullptr;
        key = path.substr(1, close - 1);
        path.remove_prefix(close + 1);
      } else {
        path.remove_prefix(key.size());
      }
      const bool is_status = here == &value && key == "status";
      here = here->is_mapping() && !is_status ? here->find(key) : nullptr;
    }
  }
  return here;
}

int rank_of(const Value& value) {
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      return 0;
    case Kind::boolean:
    case Kind::integer:
    case Kind::floating:
      return 1;
    case Kind::text:
      return 2;
    default:
      return 3;
  }
}

double numeric_value(const Value& value) {
  if (value.kind() == Kind::boolean) return value.as_boolean() ? 1 : 0;
  return value.kind() == Kind::integer ? static_cast<double>(value.as_integer()) : value.as_floating();
}

/// Whether a value comes before another one. Those of different kinds: by kind. Containers are all equal.
bool comes_before(const Value& left, const Value& right) {
  const int rank = rank_of(left);
  if (rank != rank_of(right)) return rank < rank_of(right);
  if (rank == 2) return left.text() < right.text();
  if (rank != 1) return false;
  if (left.kind() == Kind::integer && right.kind() == Kind::integer) return left.as_integer() < right.as_integer();
  return numeric_value(left) < numeric_value(right);
}

}  // namespace

bool Question::is_plain() const noexcept {
  return schemas.empty() && names.empty() && layers.empty() && buckets.empty() && labels.empty() && !is_abstract &&
         sort.empty() && !limit;
}

bool Question::wants(const Shown& document) const {
  const Value& metadata = document.metadata();
  if (!schemas.empty() && !has_schema(document.head->schema, schemas)) return false;
  if (!names.empty() && !is_any_of(document.head->name, names)) return false;
  if (!layers.empty() && !(document.head->layer && is_any_of(*document.head->layer, layers))) return false;
  if (!buckets.empty() && !is_any_of(document.head->bucket, buckets)) return false;
  if (is_abstract) {
    const Value* layering = metadata.find("layeringDefinition");
    const Value* found = layering != nullptr && layering->is_mapping() ? layering->find("abstract") : nullptr;
    if ((found != nullptr && found->kind() == Kind::boolean && found->as_boolean()) != *is_abstract) return false;
  }
  return has_labels(metadata, labels);
}

Question read_question(const Query& query, bool is_raw) {
  Question out{.schemas = query.all("schema"),
               .names = query.all("metadata.name"),
               .layers = query.all("metadata.layeringDefinition.layer"),
               .buckets = query.all("status.bucket"),
               .labels = {},
               .is_abstract = {},
               .sort = query.all("sort"),
               .is_descending = false,
               .limit = {},
               .cleartext = true};
  for (const std::string& label : query.all("metadata.label")) {
    const std::size_t equals = label.find('=');
    if (equals == std::string::npos)
      throw bad_parameter("metadata.label", "Query parameter metadata.label must be of the form KEY=VALUE.");
    out.labels.emplace_back(label.substr(0, equals), label.substr(equals + 1));
  }
  constexpr std::string_view kAbstract = "metadata.layeringDefinition.abstract";
  if (const std::string* text = query.find(kAbstract); is_raw && text != nullptr)
    out.is_abstract = read_boolean(kAbstract, *text);
  if (const std::string* text = query.find("order")) out.is_descending = *text == "desc";
  if (const std::string* text = query.find("limit")) out.limit = read_limit(*text);
  if (const std::string* text = query.find("cleartext-secrets"))
    out.cleartext = read_boolean("cleartext-secrets", *text);
  return out;
}

void sort_by(std::vector<std::pair<Value, std::size_t>>& values, const std::vector<std::string>& paths,
             bool is_descending) {
  struct Keyed {
    std::vector<Value> keys;
    std::pair<Value, std::size_t> value;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(values.size());
  for (const auto& value : values) {
    Keyed one{.keys = {}, .value = value};
    for (const std::string& path : paths) {
      // Documents are made in the order of their ids.
      const Value* found =
          value_at_path(value.first, path == "created_at" ? std::string_view("id") : std::string_view(path));
      one.keys.push_back(found == nullptr ? Value() : *found);
    }
    keyed.push_back(std::move(one));
  }
  std::ranges::stable_sort(keyed, [is_descending](const Keyed& left, const Keyed& right) {
    const Keyed& first = is_descending ? right : left;
    const Keyed& second = is_descending ? left : right;
    return std::ranges::lexicographical_compare(first.keys, second.keys, comes_before);
  });
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = keyed[i].value;
}

std::vector<const Shown*> selected(const Question& question, const std::vector<Shown>& documents) {
  std::vector<const Shown*> out;
  for (const Shown& one : documents) {
    if (question.wants(one)) out.push_back(&one);
  }
  if (!question.sort.empty()) {
    std::vector<std::pair<Value, std::size_t>> values;
    values.reserve(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) values.emplace_back(out[i]->view, i);
    sort_by(values, question.sort, question.is_descending);
    std::vector<const Shown*> sorted;
    sorted.reserve(values.size());
    for (const auto& [view, number] : values) sorted.push_back(out[number]);
    out = std::move(sorted);
  }
  if (question.limit && *question.limit < out.size()) out.resize(*question.limit);
  return out;
}

std::string listing_text(const Call& call, const std::vector<const Shown*>& documents) {
  std::vector<Value> views;
  views.reserve(documents.size());
  for (const Shown* one : documents) views.push_back(one->view);
  return yaml_stream(call, views);
}

}  // namespace strata::service::buckets
