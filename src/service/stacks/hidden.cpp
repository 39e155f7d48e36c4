// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/hidden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <tuple>

#include "heat/secret_names.hpp"
#include "heat/template.hpp"
#include "python/data.hpp"
#include "service/stacks/refusals.hpp"
#include "store/encoding.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "tree/sha256.hpp"

namespace strata::service::stacks {
namespace {

constexpr std::array<std::string_view, 2> kHidingSections{"parameters", "parameter_defaults"};

struct ReadText {
  Value root;  ///< Absent: this is no environment.
  bool has_repeated_keys = false;
};

ReadText read_environment_text(Session& session, std::string_view text) {
  try {
    const SourceId source = session.sources().add(kStateText, std::string(text));
    session.sources().mark_secret(source);
    const text::Document document = text::read_yaml(session.sources(), source, text::heat(), session.limits());
    if (!document.root.is_mapping() || heat::is_template(document.root)) return {};
    session.keep(document.arena);
    return {.root = document.root, .has_repeated_keys = !document.repeated_keys.empty()};
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    return {};  // A script, a picture, …: nobody reads parameters from it.
  }
}

[[noreturn]] void refuse_shape() {
  throw Error("store.sealed-broken", "the hidden values of a stack do not fit what is stored of it");
}

// Recursion: bounded by Limits::depth, which the readers kept.
Value difference(Arena& arena, const Value& clear, const Value& masked) {
  if (is_same_node(clear, masked)) return {};
  const bool are_mappings = clear.is_mapping() && masked.is_mapping() && clear.size() == masked.size();
  const bool are_sequences = clear.is_sequence() && masked.is_sequence() && clear.size() == masked.size();
  if (!are_mappings && !are_sequences) return equal(clear, masked) ? Value() : arena.sequence(std::array{clear});
  MappingBuilder out(arena);
  for (std::size_t i = 0; i < clear.size(); ++i) {
    const Value found = are_mappings ? difference(arena, clear.entries()[i].value, masked.entries()[i].value)
                                     : difference(arena, clear.items()[i], masked.items()[i]);
    if (found) out.insert(std::to_string(i), found);
  }
  return out.size() == 0 ? Value() : out.finish();
}

bool any_member(const Value& value, const std::function<bool(const Value&)>& is_one) {
  if (value.is_sequence()) return std::ranges::any_of(value.items(), is_one);
  return value.is_mapping() &&
         std::ranges::any_of(value.entries(), [&is_one](const Entry& entry) { return is_one(entry.value); });
}

// Recursion: bounded by Limits::depth, which the readers kept.
bool has_alias(const Value& value) { return value.origin().through_alias() || any_member(value, has_alias); }

/// Where scalars are written; those of an alias are where its anchor is.
class Written {
 public:
  explicit Written(const Sources& sources) : sources_(sources) {}
  // Recursion: as above.
  void add(const Value& value) {
    if (const auto place = place_of(value)) places_.insert(*place);
    (void)any_member(value, [this](const Value& member) { return add(member), false; });
  }
  [[nodiscard]] bool has(const Value& value) const {
    const auto place = place_of(value);
    return place && places_.contains(*place);
  }
  [[nodiscard]] bool has_some_of(const Value& value) const {
    return has(value) || any_member(value, [this](const Value& member) { return has_some_of(member); });
  }

 private:
  using Place = std::tuple<SourceId, std::uint32_t, std::uint32_t>;
  [[nodiscard]] std::optional<Place> place_of(const Value& value) const {
    if (value.is_container() || value.is_null()) return std::nullopt;
    const auto position = sources_.position(value.origin());
    return position ? std::optional<Place>(std::in_place, position->source, position->line, position->column)
                    : std::nullopt;
  }

  const Sources& sources_;
  std::set<Place> places_;
};

// Recursion: as deep as `found`, which a reader bounded.
Value with_difference(Arena& arena, const Value& masked, const Value& found) {
  if (found.is_sequence() && found.size() == 1) return found.items()[0];
  if (!found.is_mapping() || !masked.is_container()) refuse_shape();
  const auto replace_all = [&](auto copy, const auto& member) {
    for (const Entry& one : found.entries()) {
      std::size_t index = 0;
      const std::string_view text = one.key.text();
      const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), index);
      if (error != std::errc() || stopped != text.data() + text.size() || index >= masked.size()) refuse_shape();
      copy.replace(index, with_difference(arena, member(index), one.value));
    }
    return copy.finish();
  };
  if (masked.is_sequence())
    return replace_all(SequenceBuilder::copy_of(arena, masked), [&](std::size_t i) { return masked.items()[i]; });
  return replace_all(MappingBuilder::copy_of(arena, masked), [&](std::size_t i) { return masked.entries()[i].value; });
}

}  // namespace

bool is_masked(const Value& value) { return value.is_text() && value.text() == report::kMask; }

Value environment_of(Session& session, const Value& text) { return read_environment_text(session, text.text()).root; }

bool Masker::hides(const Value& section) const {
  return section.is_mapping() &&
         std::ranges::any_of(section.entries(), [this](const Entry& entry) { return is_hidden(key_text(entry.key)); });
}

Value Masker::parameters(const Value& section) {
  if (!hides(section)) return section;
  MappingBuilder masked = MappingBuilder::copy_of(session_.arena(), section);
  for (std::size_t i = 0; i < section.size(); ++i) {
    std::string name = key_text(section.entries()[i].key);
    if (!is_hidden(name)) continue;
    masked.replace(i, session_.arena().text(report::kMask));
    masked_.insert(std::move(name));
  }
  return masked.finish();
}

Value Masker::environment(const Value& environment) {
  if (!environment.is_mapping()) return environment;
  MappingBuilder masked = MappingBuilder::copy_of(session_.arena(), environment);
  bool has_changed = false;
  for (std::size_t i = 0; i < environment.size(); ++i) {
    const Entry& section = environment.entries()[i];
    if (std::ranges::find(kHidingSections, key_text(section.key)) == kHidingSections.end() || !hides(section.value))
      continue;
    masked.replace(i, parameters(section.value));
    has_changed = true;
  }
  if (!has_changed) return environment;
  const Value out = masked.finish();
  if (!has_alias(environment)) return out;
  // What stands under another name, too, could not be told from other values any more.
  Written written(session_.sources());
  for (const std::string_view name : kHidingSections) {
    const Value* section = environment.find(name);
    if (section == nullptr || !section->is_mapping()) continue;
    for (const Entry& entry : section->entries()) {
      if (is_hidden(key_text(entry.key))) written.add(entry.value);
    }
  }
  if (written.has_some_of(out)) {
    refuse_request(
        "The environment has a hidden value under another name, too: an alias. Write the value out there, or it is "
        "shown.");
  }
  return out;
}

/// Names can be written with escapes only behind a backslash.
bool Masker::may_hide(std::string_view text) const {
  if (heat::sounds_secret(text)) return true;
  const bool has_escapes = text.find('\\') != std::string_view::npos;
  return std::ranges::any_of(
      hidden(), [&](const std::string& name) { return has_escapes || text.find(name) != std::string_view::npos; });
}

std::set<std::string, std::less<>> Masker::hidden() const {
  std::set<std::string, std::less<>> out = also_hidden_;
  for (const heat::ParameterSchema& schema : declarations_.schemata.all()) {
    if (schema.hidden) out.insert(schema.name);
  }
  return out;
}

std::string Masker::rules() const {
  std::string all;
  for (const heat::ParameterSchema& schema : declarations_.schemata.all())
    all += fmt::format("{}{}:{}", schema.hidden ? '-' : '+', schema.name.size(), schema.name);
  for (const std::string& name : also_hidden_) all += fmt::format("-{}:{}", name.size(), name);
  const auto digest = sha256(all);
  return store::hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::set<std::string, std::less<>> Masker::masked_names() const {
  std::set<std::string, std::less<>> out = hidden();
  out.insert(masked_.begin(), masked_.end());
  return out;
}

Value Masker::file(std::string_view name, const Value& text) {
  const Value* known = known_clear_ ? known_clear_.find(name) : nullptr;
  if (known != nullptr && known->text() == text.text()) {
    const Value& masked = *known_masked_.find(name);
    if (masked.text() != text.text()) masked_.insert(known_names_.begin(), known_names_.end());
    return masked;
  }
  if (!may_hide(text.text())) return text;
  const ReadText read = read_environment_text(session_, text.text());
  if (!read.root) return text;
  const Value masked = environment(read.root);
  // A value behind a key that is repeated is lost, but still in the text.
  if (is_same_node(masked, read.root) && !read.has_repeated_keys) return text;
  return session_.arena().text(python::json(masked));
}

Value Masker::files(const Value& files) {
  std::size_t at = 0;
  return with_members(session_.arena(), files, [&](const Value& text) {
    check_stop(session_.limits().stop);
    return file(files.entries()[at++].key.text(), text);
  });
}

void Masker::check_section(const Value* section) const {
  if (section == nullptr || !section->is_mapping()) return;
  for (const Entry& entry : section->entries()) {
    const std::string name = key_text(entry.key);
    if (!is_masked(entry.value) || !is_hidden(name)) continue;
    refuse_request(fmt::format("The value of '{}' is {}, which stands for the value that is stored, and none is.", name,
                               report::kMask));
  }
}

void Masker::check(const Value& parameters, const Value& environment, const Value& files) const {
  check_section(&parameters);
  const auto check_environment = [this](const Value& one) {
    if (!one.is_mapping()) return;
    for (const std::string_view section : kHidingSections) check_section(one.find(section));
  };
  check_environment(environment);
  if (!files) return;
  for (const Entry& file : files.entries()) {
    check_stop(session_.limits().stop);
    if (file.value.text().find(report::kMask) != std::string_view::npos)
      check_environment(environment_of(session_, file.value));
  }
}

Value differences(Arena& arena, const Value& clear, const Value& masked) { return difference(arena, clear, masked); }

Value with_differences(Arena& arena, const Value& masked, const Value& found) {
  return with_difference(arena, masked, found);
}

}  // namespace strata::service::stacks
