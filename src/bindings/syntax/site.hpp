// SPDX-License-Identifier: Apache-2.0
// Parsed environments.pp and site.pp: the blocks of `site`, among ordinary statements.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "puppet/language/ast.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"

namespace strata::bindings {

using puppet::Expression;

/// `envdir => '/srv/x'`. The evaluator checks for unknown and duplicate names.
struct Attribute {
  std::string_view name;
  const Expression* value;
  Origin origin;
};

/// One entry of a `site` block in environments.pp.
struct EnvironmentEntry {
  enum class Kind : std::uint8_t {
    defaults,  ///< `Environment { … }`.
    named,     ///< One body of `environment { title: … }`.
    dynamic,   ///< `dynamic_environments { path: … }`.
  };
  Kind kind = Kind::defaults;
  const Expression* title = nullptr;  ///< Text or list of texts. Null for defaults.
  std::span<const Attribute> attributes;
  Origin origin;
};

/// One statement of a file, or one entry of a `site` block; exactly one member is set. In the order of the text.
struct EnvironmentItem {
  const Expression* statement = nullptr;  ///< Null: `entry` is set.
  EnvironmentEntry entry{};
};

/// environments.pp.
struct EnvironmentsFile {
  std::shared_ptr<const puppet::SyntaxTree> tree;
  std::vector<EnvironmentItem> items;
};

/// `node => $::fqdn`.
struct CategoryEntry {
  std::string_view name;
  const Expression* value;
  Origin origin;
};

/// `layer { 'site': include => …, exclude => … }`. Attributes are checked: include and exclude, each at most once.
struct LayerEntry {
  const Expression* name;
  const Expression* include = nullptr;  ///< Null if there is none.
  const Expression* exclude = nullptr;
  Origin origin;
};

/// One item of site.pp, in the order of the text; exactly one of the three is set. A second `categories` or `bindings
/// =>` is already an error.
struct SiteItem {
  enum class Kind : std::uint8_t { statement, categories, layers };
  Kind kind = Kind::statement;
  const Expression* statement = nullptr;
  std::span<const CategoryEntry> categories;
  std::span<const LayerEntry> layers;  ///< Highest first.
  Origin origin;
};

/// site.pp.
struct SiteFile {
  std::shared_ptr<const puppet::SyntaxTree> tree;
  std::vector<SiteItem> items;
};

/// A `class` or `define` of a manifest.
struct Header {
  std::string name;  ///< Lower case, without a leading `::`.
  bool is_class = false;
  std::vector<std::string> parameters;  ///< Names without `$`, in their order.
};

/// Parses environments.pp. Errors: `puppet.syntax`, `limit.*`. Several errors in one text are thrown together (Errors).
[[nodiscard]] EnvironmentsFile read_environments(const Sources& sources, SourceId source, const Limits& limits);

/// Parses site.pp. Classes, defines, nodes and functions are skipped, with a warning `bindings.skipped`. Errors: as
/// above, `bindings.form`.
[[nodiscard]] SiteFile read_site(const Sources& sources, SourceId source, const Limits& limits,
                                 Diagnostics& diagnostics);

/// The headers of the classes and defines of a module's manifest, including those within classes (`a { class b` is
/// `a::b`). Skips text that it does not understand. Errors: `limit.input`.
[[nodiscard]] std::vector<Header> read_headers(const Sources& sources, SourceId source, const Limits& limits);

}  // namespace strata::bindings
