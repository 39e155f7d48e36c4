#include "deckhand/schema/validation.hpp"
#include "strata/stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "value/seeded_hash.hpp"

namespace strata::deckhand::detail {

std::vector<SchemaFailure> Validation::run(const Value& data) {
  check(schema_.root, data);
  return std::move(failures_);
}

const TextViewMap<Validation::Keyword>& Validation::keywords() {
  static const TextViewMap<Keyword> table{
      {"additionalItems", &Validation::additional_items},
      {"additionalProperties", &Validation::additional_properties},
      {"allOf", &Validation::all_of},
      {"anyOf", &Validation::any_of},
      {"dependencies", &Validation::dependencies},
      {"enum", &Validation::enumeration},
      {"format", &Validation::format},
      {"items", &Validation::items},
      {"maxItems", &Validation::max_items},
      {"maxLength", &Validation::max_length},
      {"maxProperties", &Validation::max_properties},
      {"maximum", &Validation::maximum},
      {"minItems", &Validation::min_items},
      {"minLength", &Validation::min_length},
      {"minProperties", &Validation::min_properties},
      {"minimum", &Validation::minimum},
      {"multipleOf", &Validation::multiple_of},
      {"not", &Validation::negation},
      {"oneOf", &Validation::one_of},
      {"pattern", &Validation::pattern},
      {"patternProperties", &Validation::pattern_properties},
      {"properties", &Validation::properties},
      {"required", &Validation::required},
      {"type", &Validation::type},
      {"uniqueItems", &Validation::unique_items},
  };
  return table;
}

// Recursion: bounded here; only references can lead deeper than data or schema are.
void Validation::check(const Value& schema, const Value& data) {
  constexpr std::size_t kReferences = 500;
  const Limits& limits = schema_.limits;
  stop_.tick();
  if (++steps_ > limits.steps)
    throw Error("limit.steps", fmt::format("checking data against a schema takes more than {} steps", limits.steps))
        .hint("raise --limit steps=NUMBER");
  if (depth_ >= limits.depth + kReferences)
    throw Error("limit.depth", "the references of a schema form a cycle").hint("a schema may refer to itself only below a key or an index");
  if (!schema.is_mapping()) return;
  check_stack(limits);
  ++depth_;
  if (const Value* to = schema.find("$ref")) {
    // Nothing else counts beside a reference, which is no part of the path in the reference's words.
    reference(*to, data, schema);
  } else {
    for (const Entry& entry : schema.entries()) {
      const auto known = entry.key.is_text() ? keywords().find(entry.key.text()) : keywords().end();
      if (known == keywords().end()) continue;
      schema_path_.emplace_back(known->first);
      (this->*known->second)(entry.value, data, schema);
      schema_path_.pop_back();
      if (is_decided()) break;
    }
  }
  --depth_;
}

void Validation::descend(const Value& schema, const Value& data, const Path::Step* into, std::string_view by) {
  if (is_decided()) return;
  if (into != nullptr) path_.push_back(*into);
  if (!by.empty()) schema_path_.emplace_back(by);
  check(schema, data);
  if (!by.empty()) schema_path_.pop_back();
  if (into != nullptr) path_.pop_back();
}

bool Validation::fits(const Value& schema, const Value& data) {
  const bool was_probing = std::exchange(probing_, true);
  const bool had_failed = std::exchange(failed_, false);
  check(schema, data);
  probing_ = was_probing;
  return !std::exchange(failed_, had_failed);
}

void Validation::fail(const Value& data, bool shows_value, const std::function<std::string()>& message, const Error* cause) {
  failed_ = true;
  if (probing_) return;
  SchemaFailure failure{.message = message(), .schema_path = {}, .path = {}, .value = data, .shows_value = shows_value};
  if (cause != nullptr) failure.cause = *cause;
  for (const std::string& step : schema_path_) failure.schema_path += "." + step;
  for (const Path::Step& step : path_) std::visit([&failure](const auto& one) { failure.path.push(one); }, step);
  failures_.push_back(std::move(failure));
}

const text::Regex& Compiled::pattern(const Value& text) {
  const std::string pattern(text.text());
  const auto known = patterns.find(pattern);
  if (known != patterns.end()) return known->second;
  try {
    return patterns.try_emplace(pattern, pattern, text::Regex::Syntax::python).first->second;
  } catch (const Error& error) {
    if (sources == nullptr || error.ends_request()) throw;
    throw Error(error.code(), error.what()).at(*sources, text.origin());
  }
}

namespace {

constexpr std::string_view kDraft4 = "http://json-schema.org/draft-04/schema";

/// A JSON Pointer that stands in a URI.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ptr == text.data() + i + 3) {
      out += static_cast<char>(code);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

const Value* follow(const Value& root, const std::vector<std::string>& tokens, Value& here) {
  here = root;
  for (const std::string& token : tokens) {
    if (here.is_sequence()) {
      std::size_t index = 0;
      const auto [end, status] = std::from_chars(token.data(), token.data() + token.size(), index);
      if (status != std::errc{} || end != token.data() + token.size() || index >= here.size()) return nullptr;
      here = here.items()[index];
    } else {
      const Value* next = here.is_mapping() ? here.find(token) : nullptr;
      if (next == nullptr) return nullptr;
      here = *next;
    }
  }
  return &here;
}

}  // namespace

bool is_draft4(std::string_view uri) noexcept { return uri.starts_with(kDraft4); }

Error Compiled::unresolvable(std::string message, const Value& reference) const {
  Error error("deckhand.schema-reference", std::move(message));
  if (sources == nullptr) return error;
  return std::move(error).at(*sources, reference.origin()).hint("references lead into the same schema: '#/definitions/NAME'");
}

Value Compiled::reference(const Value& text, bool in_draft4) {
  // A reference within the meta-schema, written out.
  const std::string uri = (in_draft4 && text.text().starts_with('#') ? std::string(kDraft4) : "") + std::string(text.text());
  const auto known = references.find(uri);
  if (known != references.end()) return known->second;
  std::string_view fragment = uri;
  const bool leads_there = is_draft4(fragment);
  if (leads_there) fragment.remove_prefix(kDraft4.size());
  const auto fail = [&](std::string_view reason) { return unresolvable(fmt::format("the reference '{}' of a schema {}", uri, reason), text); };
  if (!fragment.starts_with('#') && !(leads_there && fragment.empty())) throw fail("leads out of it");
  std::vector<std::string> steps;
  try {
    steps = parse_pointer(unescaped(fragment.substr(std::min<std::size_t>(1, fragment.size()))));
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    throw fail("is not a JSON Pointer").because(error);
  }
  Value found;
  if (follow(leads_there ? draft4() : root, steps, found) == nullptr) throw fail("leads nowhere");
  references.emplace(uri, found);
  return found;
}

}  // namespace strata::deckhand::detail
