// SPDX-License-Identifier: Apache-2.0
// Findings that were there before: read, and written.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "findings.hpp"
#include "strata/builder.hpp"
#include "strata/silencing.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::analysis {
namespace {

constexpr std::string_view kFormat = "strata-baseline/1";

bool is_fingerprint(std::string_view text) {
  constexpr std::size_t kDigits = 16;
  constexpr std::string_view kNumber = "0123456789";
  if (text.size() < kDigits || text.substr(0, kDigits).find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return false;
  text.remove_prefix(kDigits);
  return text.empty() ||
         (text.front() == '-' && text.size() > 1 && text.find_first_not_of(kNumber, 1) == std::string_view::npos);
}

}  // namespace

Baseline read_baseline(const std::string& name, std::string text, const Limits& limits) {
  Sources sources;
  const SourceId source = sources.add(name, std::move(text));
  const FieldErrors errors{.code = "check.baseline",
                           .key_code = {},
                           .sources = &sources,
                           .place = sources.at(source, 0),
                           .prefix = {},
                           .hint = "write it anew with --write-baseline FILE"};
  text::Document document;
  try {
    document = text::read_json(sources, source, limits);
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    Diagnostic what = error.diagnostic();
    what.code = errors.code;
    what.message = fmt::format("the baseline is not JSON: {}", what.message);
    what.hint = errors.hint;
    throw Error(std::move(what));
  }
  const Value root = document.root ? document.root : Value::null();
  const Fields fields(root, "a baseline", errors);
  const Value& format = fields.needed_word("format");
  if (format.text() != kFormat)
    fields.fail(fmt::format("the format of the baseline is '{}', not '{}'", format.text(), kFormat), format);
  const Value* findings = fields.list("findings", "a list of findings");
  if (findings == nullptr) fields.fail("the baseline has no 'findings'", root);
  Baseline out;
  for (const Value& item : findings->items()) {
    const Fields finding(item, "a finding of the baseline", errors);
    const Value& fingerprint = finding.needed_word("fingerprint");
    if (!is_fingerprint(fingerprint.text())) finding.refuse_value("fingerprint", "16 hexadecimal digits", fingerprint);
    out.emplace(fingerprint.text());
  }
  return out;
}

std::string baseline_text(const CheckReport& report) {
  const std::vector<std::string> prints = fingerprints(report);
  std::vector<std::pair<std::string_view, const Finding*>> sorted;
  for (std::size_t i = 0; i < prints.size(); ++i) {
    const Finding& one = report.findings[i];
    if (!one.silence || one.silence->by == Silence::By::baseline) sorted.emplace_back(prints[i], &one);
  }
  std::ranges::sort(sorted, {}, &decltype(sorted)::value_type::first);
  std::string out = fmt::format(R"({{"format": "{}", "findings": [)", kFormat);
  std::string_view separator = "\n";
  for (const auto& [print, finding] : sorted) {
    Arena arena;
    MappingBuilder data(arena);
    data.insert("fingerprint", arena.text(print));
    data.insert("code", arena.text(finding->what.code));
    data.insert("file", arena.text(file_from_root(report, finding->what.where.place.file)));
    data.insert("path", arena.text(finding->pointer));
    out.append(separator).append("  ");
    text::append_json(out, data.finish(), {.indent = -1});
    separator = ",\n";
  }
  return out + "\n]}\n";
}

}  // namespace strata::analysis
