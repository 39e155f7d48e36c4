#include "service/buckets/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "service/buckets/answers.hpp"

namespace strata::service::buckets {
namespace {

/// What is at a path of mappings. Absent: nothing.
Value at_path(Value value, std::string_view path) {
  while (!path.empty()) {
    const std::string_view key = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), key.size() + 1));
    const Value* member = value.is_mapping() ? value.find(key) : nullptr;
    if (member == nullptr) return {};
    value = *member;
  }
  return value;
}

/// Negative, zero or positive.
int compared(const Value& left, const Value& right) {
  if (left.is_text() && right.is_text()) return left.text().compare(right.text());
  if (left.kind() == Kind::integer && right.kind() == Kind::integer) {
    return left.as_integer() < right.as_integer() ? -1 : left.as_integer() > right.as_integer() ? 1 : 0;
  }
  if (left.kind() == Kind::boolean && right.kind() == Kind::boolean)
    return static_cast<int>(left.as_boolean()) - static_cast<int>(right.as_boolean());
  return static_cast<int>(left.kind()) - static_cast<int>(right.kind());
}

/// Whether a schema is meant by its first words: `a`, `a/B` or `a/B/v1`.
bool begins_with_words(std::string_view schema, std::string_view words) {
  return schema == words || (schema.starts_with(words) && schema[words.size()] == '/');
}

bool is_one_of(const std::vector<std::string>& wanted, const Value& text) {
  return wanted.empty() || (text.is_text() && std::ranges::find(wanted, text.text()) != wanted.end());
}

}  // namespace

void sort_by_query(const Query& query, std::vector<Value>& values) {
  const std::vector<std::string> paths = query.all("sort");
  if (paths.empty()) return;
  const std::string* order = query.find("order");
  const bool is_descending = order != nullptr && *order == "desc";
  std::ranges::stable_sort(values, [&](const Value& left, const Value& right) {
    for (const std::string& path : paths) {
      const int result = compared(at_path(left, path), at_path(right, path));
      if (result != 0) return is_descending ? result > 0 : result < 0;
    }
    return false;
  });
}

std::size_t limit_of(const Query& query) {
  const std::string* text = query.find("limit");
  if (text == nullptr) return std::numeric_limits<std::size_t>::max();
  std::int64_t out = 0;
  const char* const end = text->data() + text->size();
  const auto [stopped, error] = std::from_chars(text->data(), end, out);
  if (error != std::errc() || stopped != end || out == std::numeric_limits<std::int64_t>::min()) {
    throw refused(400, "HTTPInvalidParam", "The \"limit\" parameter is invalid. Query parameter limit must be of type <class 'int'>.");
  }
  return static_cast<std::size_t>(out < 0 ? -out : out);
}

bool wants_cleartext(const Query& query) {
  const std::string* text = query.find("cleartext-secrets");
  if (text == nullptr || *text == "true") return true;
  if (*text == "false") return false;
  throw refused(400, "HTTPInvalidParam",
                fmt::format("The \"cleartext-secrets\" parameter is invalid. It must be 'true' or 'false', not '{}'.", *text));
}

DocumentFilters::DocumentFilters(const Query& query, bool is_raw)
    : schemas_(query.all("schema")),
      names_(query.all("metadata.name")),
      layers_(query.all("metadata.layeringDefinition.layer")),
      buckets_(query.all("status.bucket")) {
  for (const std::string& label : query.all("metadata.label")) {
    const std::size_t equals = label.find('=');
    labels_.emplace_back(label.substr(0, equals), equals == std::string::npos ? std::string() : label.substr(equals + 1));
  }
  if (is_raw) abstract_ = query.all("metadata.layeringDefinition.abstract");
}

bool DocumentFilters::wants(const Value& document) const {
  const Value schema = at_path(document, "schema");
  // Several schemas are compared as they are; one may be the beginning of a name.
  const bool has_schema = schemas_.size() == 1 ? begins_with_words(schema.text(), schemas_.front()) : is_one_of(schemas_, schema);
  if (!has_schema || !is_one_of(names_, at_path(document, "metadata.name")) ||
      !is_one_of(layers_, at_path(document, "metadata.layeringDefinition.layer")) || !is_one_of(buckets_, at_path(document, "status.bucket"))) {
    return false;
  }
  const Value labels = at_path(document, "metadata.labels");
  for (const auto& [name, wanted] : labels_) {
    const Value* label = labels.is_mapping() ? labels.find(name) : nullptr;
    if (label == nullptr || !label->is_text() || label->text() != wanted) return false;
  }
  if (abstract_.empty()) return true;
  const Value abstract = at_path(document, "metadata.layeringDefinition.abstract");
  const std::string_view word = abstract.kind() == Kind::boolean && abstract.as_boolean() ? "true" : "false";
  return std::ranges::any_of(abstract_, [word](const std::string& wanted) { return same_name(wanted, word); });
}

}  // namespace strata::service::buckets
