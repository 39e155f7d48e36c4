// SPDX-License-Identifier: Apache-2.0
#include "heat/template_version.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

namespace strata::heat {
namespace {

constexpr std::string_view kHot = "heat_template_version";
constexpr std::string_view kHeatCfn = "HeatTemplateFormatVersion";
constexpr std::string_view kAws = "AWSTemplateFormatVersion";
constexpr std::array<std::string_view, 3> kVersionKeys{kHot, kHeatCfn, kAws};

constexpr std::array<TemplateVersion, 19> kVersions{{
    {kHot, "2013-05-23", true, false, false},  {kHot, "2014-10-16", true, false, false},
    {kHot, "2015-04-30", true, false, false},  {kHot, "2015-10-15", true, false, false},
    {kHot, "2016-04-08", true, false, false},  {kHot, "2016-10-14", true, false, false},
    {kHot, "2017-02-24", true, true, false},   {kHot, "2017-09-01", true, true, false},
    {kHot, "2018-03-02", true, true, true},    {kHot, "2018-08-31", true, true, true},
    {kHot, "2021-04-16", true, true, true},    {kHot, "newton", true, false, false},
    {kHot, "ocata", true, true, false},        {kHot, "pike", true, true, false},
    {kHot, "queens", true, true, true},        {kHot, "rocky", true, true, true},
    {kHot, "wallaby", true, true, true},       {kHeatCfn, "2012-12-12", false, false, false},
    {kAws, "2010-09-09", false, false, false},
}};

}  // namespace

std::span<const TemplateVersion> template_versions() noexcept { return kVersions; }

std::span<const std::string_view> version_keys() noexcept { return kVersionKeys; }

const TemplateVersion& version_of(const Sources& sources, const Value& root) {
  const Value* given = nullptr;
  std::string_view key;
  for (const std::string_view candidate : kVersionKeys) {
    const Value* value = root.find(candidate);
    if (value == nullptr || !value->is_text()) continue;
    if (given != nullptr) {
      throw Error("heat.template-version",
                  fmt::format("the template gives two versions, '{}' and '{}'", key, candidate))
          .at(sources, value->origin())
          .note(sources, given->origin(), "the other one is here");
    }
    given = value;
    key = candidate;
  }
  if (given == nullptr) {
    throw Error("heat.template-version", "the version of the template is not text").at(sources, root.origin());
  }
  const auto found = std::ranges::find_if(
      kVersions, [&](const TemplateVersion& row) { return row.key == key && row.version == given->text(); });
  if (found != kVersions.end()) return *found;
  std::vector<std::string_view> known;
  for (const TemplateVersion& row : kVersions) {
    if (row.key == key) known.push_back(row.version);
  }
  throw Error("heat.template-version", fmt::format("the template version '{}: {}' is invalid", key, given->text()))
      .at(sources, given->origin())
      .hint(fmt::format("{} is {}{}", key, known.size() > 1 ? "one of " : "", fmt::join(known, ", ")));
}

}  // namespace strata::heat
