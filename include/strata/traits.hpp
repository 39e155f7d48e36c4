// SPDX-License-Identifier: Apache-2.0
// Properties of dialects, for code that works with any dialect.
//
// Analyses, the service and the explorer decide by these properties, never by the name of a dialect. Each dialect has
// one object, which `hiera::traits()` and its siblings return.
//
//   const query::Traits& traits = hiera::traits();
//   if (query::refers(traits.reference_syntax, string)) report_interpolation(string);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strata/text.hpp"
#include "strata/value.hpp"

namespace strata::query {

/// How strings of data refer to other data.
enum class ReferenceSyntax : std::uint8_t {
  none,
  percent,  ///< `%{variable}` and `%{function('key')}`, as in Hiera.
  dollar,   ///< `${parameter}` and `$[query]`, as in reclass.
};

/// Whether a string refers to anything.
[[nodiscard]] bool refers(ReferenceSyntax syntax, std::string_view string) noexcept;
/// Whether it refers to other items of the result, whatever else it refers to.
[[nodiscard]] bool refers_to_items(ReferenceSyntax syntax, std::string_view string) noexcept;

/// A member at the root of a data file whose value holds data. Statements are the members and items of a file; one at
/// the root has depth 1.
struct Section {
  std::string_view name;
  std::size_t least_depth = 2;            ///< Statements above are not data.
  std::size_t most_depth = SIZE_MAX;      ///< Statements below belong to one that is data.
  bool joins_items = true;                ///< Equal items of its lists become one.
  std::string_view knockout_prefix = {};  ///< Items of its list that begin so remove others. Empty: none do.
};

/// The kinds of items that a result has.
enum class ItemKind : std::uint8_t {
  none,            ///< The result is one value.
  root_member,     ///< A member of the root of a data file: a key.
  section_member,  ///< A member of the first section; each further section is one item.
  document,        ///< A document.
};

/// The values that a file declares to be secret.
enum class SecretDeclarations : std::uint8_t {
  none,
  converted_keys,       ///< Keys that `lookup_options` convert to Sensitive.
  hidden_parameters,    ///< Parameters that a template hides, or an environment lists as encrypted.
  encrypted_documents,  ///< Data of documents with the storage policy `encrypted`.
};

/// What happens to members at the root of a result that are not in Traits::known_members.
enum class UnknownMembers : std::uint8_t {
  kept,      ///< They are part of the result.
  ignored,   ///< The result does not have them.
  reported,  ///< They are part of the result, and mean nothing to its readers.
};

/// The names in a string, in their order.
struct ReferredNames {
  std::vector<std::string> variables = {};
  std::vector<std::string> items = {};  ///< An empty name: any item.
};

/// The properties of a dialect. Objects are immutable and live as long as the process. The defaults describe a dialect
/// of which analyses know only the result.
struct Traits {                  // NOLINT(clang-analyzer-optin.performance.Padding): grouped by topic
  std::string_view reader = {};  ///< Of messages: the program that reads the results.

  // The result.
  ItemKind items = ItemKind::none;
  bool is_keyed = false;        ///< Lookups find single keys, and values inside with `key.member`.
  bool has_documents = false;   ///< It is a stream of documents, some of which build on others.
  bool orders_members = false;  ///< The order of members means something to its readers.
  std::span<const std::string_view> known_members = {};  ///< Sorted. Empty: any member.
  UnknownMembers unknown_members = UnknownMembers::kept;
  bool has_all_values = true;                      ///< The values that it lacks count nowhere else.
  std::string_view missing_key_code = "site.key";  ///< The error of a key that the result does not have.

  // Data files. No statements: analyses look only at what the dialect reports of its files.
  bool has_statements = false;
  std::span<const Section> sections = {};           ///< Empty: every member is data.
  std::size_t least_depth = 1;                      ///< Without sections: statements above are not data.
  std::span<const std::string_view> settings = {};  ///< Members at the root that control merging; they are not data.
  std::string_view options_key = {};  ///< The setting that selects how each key is merged. Empty: the dialect has none.
  std::string_view member_prefixes = {};  ///< A member may begin with one of these, which is not part of its name.
  ReferenceSyntax reference_syntax = ReferenceSyntax::none;
  /// The names that a string refers to. Null: strings refer to nothing.
  ReferredNames (*references)(std::string_view string) = nullptr;
  /// Whether a file holds data, by its contents. Null: every file does.
  bool (*is_data_file)(std::string_view contents) = nullptr;
  /// Whether a document holds data. Null: every document does.
  bool (*is_data_document)(const Value& root) = nullptr;
  /// Whether a document wraps another one, which the result has in its place. A check tries no statement of it. Null:
  /// no document does.
  bool (*is_wrapper)(const Value& root) = nullptr;
  /// The item that a document is, with ItemKind::document.
  std::string (*document_item)(const Value& root) = nullptr;
  /// The contents of a data file that states nothing. Empty: a check does not try to leave out a file.
  std::string_view empty_file = {};
  /// With `empty_file`: the line that makes a file merge whatever it can. It is one of `settings`.
  std::string_view widest_merge = {};
  SecretDeclarations secrets = SecretDeclarations::none;

  // How values meet.
  bool merges_members = true;    ///< A member of a stronger file takes the place of one in a weaker file.
  bool merges_lists = true;      ///< Merges of lists can lose items.
  bool has_plain_lists = false;  ///< Lists are for readers that expect no item twice.
  bool has_free_names = false;   ///< Users choose the names of members: one that few files have may be mistyped.
  bool feeds_code = false;       ///< Manifests use its items, as parameters of classes and by lookups.

  // How files are read.
  const text::Profile* profile = nullptr;  ///< Of YAML. Not null.
  text::JsonDialect json = text::kPythonJson;
  std::span<const std::string_view> extensions = {};  ///< Of data files, with their dots.
  /// Whether a file with another extension is YAML, by its contents. Null: it is not.
  bool (*is_yaml)(std::string_view contents) = nullptr;
  bool reads_hocon = false;  ///< Files with the extension `.conf` are HOCON.

  /// Findings that only some dialects report: those that this one does. Names without `check.`, sorted.
  std::span<const std::string_view> findings = {};

  [[nodiscard]] bool has_items() const noexcept {
    return items == ItemKind::root_member || items == ItemKind::section_member;
  }
  [[nodiscard]] bool merges_by_key() const noexcept { return !options_key.empty(); }
  [[nodiscard]] ReferredNames references_in(std::string_view string) const {
    return references == nullptr ? ReferredNames() : references(string);
  }
  [[nodiscard]] const Section* section(std::string_view name) const noexcept;
};

/// The traits of a dialect of which analyses know only the result. YAML is read with `text::core12`.
[[nodiscard]] const Traits& plain_traits() noexcept;

}  // namespace strata::query
