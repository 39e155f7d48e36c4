// SPDX-License-Identifier: Apache-2.0
// Reads `.strata-check.yaml`.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/glob.hpp"
#include "strata/silencing.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::analysis {
namespace {

constexpr std::string_view kSeverities = "error, warning, note or off";

class ConfigReader {
 public:
  ConfigReader(const Value& root, const FieldErrors& errors)
      : errors_(errors), fields_(root, kCheckConfigName, errors) {}

  CheckConfig read() {
    constexpr std::array<std::string_view, 7> kKeys{"version", "severity", "allow", "consumers",
                                                    "known",   "select",   "ignore"};
    fields_.only(kKeys);
    const Value* version = fields_.find("version");
    if (version != nullptr && (version->kind() != Kind::integer || version->as_integer() != 1))
      fields_.refuse_value("version", "1", *version);
    if (const Value* severities = fields_.mapping("severity", "a mapping from codes to severities"))
      read_severities(*severities);
    if (const Value* list = fields_.list("allow", "a list of {code, file, path, reason}")) {
      for (const Value& item : list->items()) out_.allow.push_back(read_allowed(item));
    }
    out_.consumers = words("consumers", fields_);
    if (const Value* known = fields_.mapping("known", "a mapping with the member cloud-config")) {
      const Fields fields(*known, "'known'", errors_);
      constexpr std::array<std::string_view, 1> kDialects{"cloud-config"};
      fields.only(kDialects);
      out_.known_keys = words("cloud-config", fields);
    }
    out_.select = codes("select");
    out_.ignore = codes("ignore");
    return std::move(out_);
  }

 private:
  /// Texts that are not empty.
  static std::vector<std::string> words(std::string_view key, const Fields& fields) {
    std::vector<std::string> out;
    const Value* list = fields.texts(key);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const Value& item = list->items()[i];
      if (item.text().empty()) fields.refuse_value(key, "a list of texts that are not empty", item);
      out.emplace_back(item.text());
    }
    return out;
  }

  std::vector<std::string> codes(std::string_view key) const {
    std::vector<std::string> out;
    const Value* list = fields_.texts(key, "a list of codes");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) out.push_back(code(list->items()[i], false));
    return out;
  }

  /// The code of a finding. `also_others`: or `all`, or the code of a failure.
  [[nodiscard]] std::string code(const Value& value, bool also_others) const {
    const std::string_view name = code_name(value.text());
    const bool is_check = value.text().starts_with(kCheckPrefix);
    const bool is_other = also_others && !is_check && (name == "all" || name.find('.') != std::string_view::npos);
    if (!is_other && find_code(name) == nullptr) {
      throw Error(errors_.code, fmt::format("there is no finding '{}'", name))
          .at(*errors_.sources, value.origin())
          .hint(code_hint(name, "docs/analysis/check.md has a table of all"));
    }
    return std::string(name);
  }

  void read_severities(const Value& severities) {
    for (const Entry& entry : severities.entries()) {
      if (!entry.key.is_text()) fields_.refuse_item("severity", "a mapping from codes to severities", entry.key);
      const std::string name = code(entry.key, false);
      const std::optional<Severity> severity = severity_of(entry.value);
      if (severity) {
        out_.severity.insert_or_assign(name, *severity);
      } else {
        out_.off.insert(name);
      }
    }
  }

  /// No value: off. Without quotes, YAML 1.1 reads `off` as false; this file is read as YAML 1.2.
  [[nodiscard]] std::optional<Severity> severity_of(const Value& value) const {
    if (!value.is_text()) fields_.refuse_item("severity", kSeverities, value);
    if (value.text() == "off") return std::nullopt;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
      if (value.text() == to_string(severity)) return severity;
    }
    fields_.fail(fmt::format("'severity': '{}' is not one of {}", value.text(), kSeverities), value);
  }

  [[nodiscard]] CheckConfig::Allowed read_allowed(const Value& item) const {
    const Fields fields(item, "an item of 'allow'", errors_);
    constexpr std::array<std::string_view, 4> kKeys{"code", "file", "path", "reason"};
    fields.only(kKeys);
    return {.code = code(fields.needed_word("code"), true),
            .file = glob("file", fields),
            .path = glob("path", fields),
            .reason = std::string(fields.needed_word("reason").text())};
  }

  static std::string glob(std::string_view key, const Fields& fields) {
    const Value* value = fields.text(key);
    if (value == nullptr) return {};
    const std::string_view mistake = glob_mistake(value->text());
    if (!mistake.empty()) fields.fail(fmt::format("'{}' is not a glob: {}", key, mistake), *value);
    return std::string(value->text());
  }

  const FieldErrors& errors_;
  Fields fields_;
  CheckConfig out_;
};

}  // namespace

CheckConfig read_check_config(const std::string& name, std::string text, const Limits& limits) {
  Sources sources;
  const SourceId source = sources.add(name, std::move(text));
  const text::Document document = text::read_yaml(sources, source, text::core12(), limits);
  const FieldErrors errors{
      .code = "check.config",
      .key_code = {},
      .sources = &sources,
      .place = sources.at(source, 0),
      .prefix = {},
      .hint =
          "it has the members version, severity, allow, consumers, known, select and ignore: docs/analysis/check.md"};
  if (!document.root || document.root.is_null()) return {};
  return ConfigReader(document.root, errors).read();
}

}  // namespace strata::analysis
