// SPDX-License-Identifier: Apache-2.0
#include "analysis/secrets/secret_names.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "analysis/secrets/text_forms.hpp"
#include "edit/target.hpp"
#include "strata/error.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace strata::analysis {
namespace {

bool is_true(const Value* value) {
  if (value == nullptr) return false;
  if (value->kind() == Kind::boolean) return value->as_boolean();
  return !value->is_text() ||
         !(value->text() == "false" || value->text() == "False" || value->text() == "no" || value->text().empty());
}

constexpr std::array<std::string_view, 2> kDeclarations{"parameters", "Parameters"};
constexpr std::string_view kEncryptedNames = "encrypted_param_names";

/// The part of a text that can be a name.
bool is_of_name(char one) {
  return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9') || one == '_' ||
         one == '-' || one == '.' || one == ':' || static_cast<unsigned char>(one) >= 0x80;
}

/// Calls `use` with each name in a text, and where it is, until that returns true.
template <class Use>
bool any_name(std::string_view text, const Use& use) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_of_name(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    std::size_t last = end;
    while (last > at && text[last - 1] == ':') --last;  // What follows a key.
    if (last > at && use(text.substr(at, last - at), last)) return true;
    at = end;
  }
  return false;
}

}  // namespace

const Value* member_of(const Value* mapping, std::string_view name) {
  return mapping != nullptr && mapping->is_mapping() ? mapping->find(name) : nullptr;
}

SecretNames::SecretNames(const query::Traits& traits, Limits limits)
    : traits_(traits), limits_(std::move(limits)), may_have_some_(limits_.secret_keys != nullptr) {}

void SecretNames::learn(std::string_view path, std::string_view text, const edit::Reading* read) {
  constexpr std::array<std::string_view, 5> kMarks{"Sensitive", "ENC[", "hidden", "NoEcho", "encrypted"};
  const bool speaks = std::ranges::any_of(kMarks, [text](std::string_view mark) { return is_in(text, mark); });
  if (!speaks) return;
  may_have_some_ = true;
  const bool converts = traits_.secrets == query::SecretDeclarations::converted_keys &&
                        is_in(text, traits_.options_key) && is_in(text, "Sensitive");
  const bool hides = traits_.secrets == query::SecretDeclarations::hidden_parameters &&
                     (is_in(text, "hidden") || is_in(text, "NoEcho") || is_in(text, kEncryptedNames));
  if (!converts && !hides) return;
  try {
    std::optional<edit::Reading> own;
    if (read == nullptr) {
      const edit::Form form = form_of(path, text, traits_, nullptr);
      if (form.syntax == edit::Syntax::other) return;
      read = &own.emplace(path, text, form, limits_);
    }
    for (const text::Document& document : read->documents) {
      if (!document.root || !document.root.is_mapping()) continue;
      converts ? learn_converted(document.root) : learn_hidden(document.root);
    }
    if (!patterns_of_keys_.empty()) patterns_ = std::make_unique<const SecretKeys>(patterns_of_keys_);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    constexpr std::array<std::string_view, 7> kData{".yaml", ".yml", ".eyaml", ".json", ".conf", ".template", ".env"};
    is_unknown_ =
        is_unknown_ || std::ranges::any_of(kData, [path](std::string_view end) { return path.ends_with(end); });
  }
}

/// Keys that the options of keys convert.
void SecretNames::learn_converted(const Value& root) {
  const Value* options = root.find(traits_.options_key);
  if (options == nullptr || !options->is_mapping()) return;
  for (const Entry& entry : options->entries()) {
    const Value* wanted = member_of(&entry.value, "convert_to");
    if (wanted == nullptr || !entry.key.is_text() || !is_in(text::write_json(*wanted, {.indent = -1}), "Sensitive"))
      continue;
    if (entry.key.text().starts_with('^')) {
      patterns_of_keys_.emplace_back(entry.key.text());
    } else {
      declared_.emplace(entry.key.text());
    }
  }
}

/// Parameters of a template, and those that an environment, also of a state, lists as encrypted.
void SecretNames::learn_hidden(const Value& root) {
  learn_encrypted(root);
  for (const Entry& member : root.entries()) {
    if (member.value.is_mapping()) learn_encrypted(member.value);
  }
  for (const std::string_view section : kDeclarations) {
    const Value* all = root.find(section);
    if (all == nullptr || !all->is_mapping()) continue;
    for (const Entry& entry : all->entries()) {
      const bool is_hidden = is_true(member_of(&entry.value, "hidden")) || is_true(member_of(&entry.value, "NoEcho"));
      if (is_hidden && entry.key.is_text()) declared_.emplace(entry.key.text());
    }
  }
}

void SecretNames::learn_encrypted(const Value& environment) {
  const Value* names = environment.find(kEncryptedNames);
  if (names == nullptr || !names->is_sequence()) return;
  for (const Value& name : names->items()) {
    if (name.is_text()) declared_.emplace(name.text());
  }
}

bool SecretNames::has(std::string_view name) const {
  return declares(name) || (patterns_ != nullptr && patterns_->has(name)) ||
         (has_words() && limits_.secret_keys->has(name));
}

bool SecretNames::has_in(std::string_view text, const Names* more) const {
  return any_name(text, [&](std::string_view name, std::size_t /*end*/) {
    return has(name) || (more != nullptr && more->contains(name));
  });
}

bool SecretNames::declares_in(std::string_view text) const {
  return any_name(text, [this](std::string_view name, std::size_t /*end*/) { return declares(name); });
}

std::string SecretNames::without_named_lines(std::string_view text) const {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    std::size_t cut = std::string_view::npos;
    (void)any_name(line, [&](std::string_view name, std::size_t at) {
      if (at < line.size() && (line[at] == '"' || line[at] == '\'')) ++at;
      at = std::min(line.find_first_not_of(" \t", at), line.size());
      if (at == line.size() || (line[at] != ':' && line[at] != '=') || !limits_.secret_keys->has(name)) return false;
      at = line.find_first_not_of(" \t:=>", at);
      if (at == std::string_view::npos || line.substr(at).starts_with(report::kMask)) return false;
      cut = at;
      return true;
    });
    out.append(line.substr(0, cut));
    if (cut != std::string_view::npos) out += report::kMask;
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace strata::analysis
