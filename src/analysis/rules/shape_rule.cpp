// SPDX-License-Identifier: Apache-2.0
// Statements of one key that differ in shape, or in the type of a scalar, between layers.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "rule.hpp"

namespace strata::analysis {
namespace {

enum class ValueShape : std::uint8_t { any, mapping, sequence, scalar };

ValueShape value_shape(const Value& value) {
  if (value.is_null()) return ValueShape::any;
  return value.is_sequence() ? ValueShape::sequence : value.is_container() ? ValueShape::mapping : ValueShape::scalar;
}

std::string_view shape_name(ValueShape shape) {
  return shape == ValueShape::mapping ? "mapping" : shape == ValueShape::sequence ? "sequence" : "scalar";
}

enum class ScalarType : std::uint8_t { other, number, boolean };

ScalarType type_of(const Value& value) {
  switch (value.kind()) {
    case Kind::boolean:
      return ScalarType::boolean;
    case Kind::integer:
    case Kind::big_integer:
    case Kind::floating:
      return ScalarType::number;
    default:
      return ScalarType::other;
  }
}

std::string_view type_name(ScalarType type) { return type == ScalarType::number ? "number" : "boolean"; }

/// What a text would be without quotes.
ScalarType type_without_quotes(std::string_view text, const edit::Form& form, const Limits& limits) {
  constexpr std::size_t kLongest = 64;
  const bool is_word = !text.empty() && text.size() <= kLongest && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("+-._:,").find(c) != std::string_view::npos;
  });
  if (!is_word) return ScalarType::other;
  try {
    // A scalar alone is not valid HOCON.
    const edit::Form read = form.syntax == edit::Syntax::hocon ? edit::Form{.syntax = edit::Syntax::json} : form;
    const edit::Reading reading("", text, read, limits);
    return reading.documents.empty() ? ScalarType::other : type_of(reading.documents.front().root);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return ScalarType::other;
  }
}

class ShapeComparer {
 public:
  ShapeComparer(const Evidence& evidence, Findings& findings)
      : ledger_(evidence.ledger),
        limits_(evidence.settings.limits),
        traits_(evidence.question.traits()),
        findings_(findings) {}

  void run() {
    if (!traits_.has_statements || !traits_.merges_members) return;
    list();
    told_.assign(ledger_.stated().all().size(), {});
    for (const ReadingClass& one : ledger_.classes()) look_at(one);
  }

 private:
  /// Gives the paths numbers at which statements differ in kind, the only ones to look at.
  void list() {
    struct Known {
      std::vector<std::uint32_t> statements;
      Kind kind;
      bool is_mixed = false;
    };
    const auto& statements = ledger_.stated().all();
    std::unordered_map<std::string, Known> paths;
    for (std::uint32_t i = 0; i < statements.size(); ++i) {
      const Statement& one = statements[i];
      if (!is_compared(one) || one.value.is_null()) continue;
      const auto [known, is_new] = paths.try_emplace(name_of(one), Known{.statements = {}, .kind = one.value.kind()});
      known->second.is_mixed = known->second.is_mixed || known->second.kind != one.value.kind();
      known->second.statements.push_back(i);
    }
    for (const auto& [pointer, known] : paths) {
      if (!known.is_mixed) continue;
      for (const std::uint32_t one : known.statements) by_file_[statements[one].file].push_back({one, count_});
      ++count_;
    }
    of_path_.resize(count_);
  }

  /// The place of a member in results.
  [[nodiscard]] std::string name_of(const Statement& one) const {
    return traits_.items == query::ItemKind::section_member
               ? ledger_.stated().item_of(one) + '/' + ledger_.stated().path_of(one)
               : one.pointer();
  }

  [[nodiscard]] bool is_compared(const Statement& one) const {
    if (one.is_item || one.is_below_list) return false;
    // The target of a reference may have any shape.
    if (traits_.reference_syntax == query::ReferenceSyntax::dollar && one.value.is_text() &&
        query::refers(traits_.reference_syntax, one.value.text()))
      return false;
    if (traits_.merges_by_key() && one.tokens.size() > 1) return !ledger_.stated().is_setting(one);
    return ledger_.stated().is_looked_at(one);
  }

  void look_at(const ReadingClass& read) {
    std::vector<std::uint32_t> touched;
    for (const std::uint32_t file : read.files) {
      const auto found = by_file_.find(file);
      if (found == by_file_.end()) continue;
      for (const auto& [number, path] : found->second) {
        const Statement& weaker = ledger_.stated().all()[number];
        if (!counts_in(read, weaker)) continue;
        for (const std::uint32_t stronger : of_path_[path]) compare(stronger, number);
        if (of_path_[path].empty()) touched.push_back(path);
        of_path_[path].push_back(number);
      }
    }
    for (const std::uint32_t path : touched) of_path_[path].clear();
  }

  /// Below a root key only deep merges put members over one another.
  [[nodiscard]] bool counts_in(const ReadingClass& read, const Statement& one) const {
    if (!traits_.merges_by_key() || one.tokens.size() == 1) return true;
    const auto merging = read.keys.find(one.tokens.front());
    return merging != read.keys.end() && merging->second.parts == Merging::Parts::all;
  }

  void compare(std::uint32_t stronger, std::uint32_t weaker) {
    const Statement& one = ledger_.stated().all()[stronger];
    const Statement& other = ledger_.stated().all()[weaker];
    const ValueShape shape = value_shape(one.value);
    const ValueShape below = value_shape(other.value);
    Told& told = told_[stronger];
    if (shape != below) {
      if (!std::exchange(told.shape, true))
        tell("type-clash", one, other, shape_name(shape), shape_name(below), "keep one shape");
      return;
    }
    if (shape != ValueShape::scalar || told.type) return;
    const bool is_text = one.value.is_text();
    if (is_text == other.value.is_text()) return;
    const Statement& text = is_text ? one : other;
    const ScalarType type = type_of(is_text ? other.value : one.value);
    if (type == ScalarType::other ||
        type != type_without_quotes(text.value.text(), ledger_.stated().files()[text.file]->form, limits_))
      return;
    told.type = true;
    tell("scalar-type", one, other, is_text ? "text" : type_name(type), is_text ? type_name(type) : "text",
         "quote both or none");
  }

  void tell(std::string_view code, const Statement& stronger, const Statement& weaker, std::string_view here,
            std::string_view below, std::string hint) {
    if (!findings_.wants(code)) return;
    Finding& out = findings_.add(
        code, ledger_, stronger,
        fmt::format("'{}' is a {} here, and a {} in a weaker layer", Statements::name_of(stronger), here, below),
        std::move(hint));
    Findings::note(out, excerpt_of(ledger_, weaker), fmt::format("a {} here", below));
  }

  struct Numbered {
    std::uint32_t statement;
    std::uint32_t path;
  };
  struct Told {
    bool shape = false;
    bool type = false;
  };

  const Ledger& ledger_;
  const Limits& limits_;
  const query::Traits& traits_;
  Findings& findings_;
  std::uint32_t count_ = 0;
  std::unordered_map<std::uint32_t, std::vector<Numbered>> by_file_;
  std::vector<std::vector<std::uint32_t>> of_path_;  ///< Of one class: statements, the strongest first.
  std::vector<Told> told_;                           ///< By statement.
};

class ShapeRule final : public Rule {
 public:
  void conclude(const Evidence& evidence, Findings& findings) override { ShapeComparer(evidence, findings).run(); }
};

}  // namespace

std::unique_ptr<Rule> make_shape_rule() { return std::make_unique<ShapeRule>(); }

}  // namespace strata::analysis
