// SPDX-License-Identifier: Apache-2.0
#include "text/reference_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <memory>

#include "strata/error.hpp"

namespace strata::text {
namespace {

// What ends a run of plain text differs inside of references.
class Parser {
 public:
  Parser(std::string_view text, const ReferenceGrammar& grammar, const Sources& sources, Origin place)
      : text_(text), grammar_(grammar), sources_(sources), place_(place) {}

  ReferenceText run() { return parts(0); }

 private:
  [[noreturn]] void refuse(std::string_view code, std::string message) const {
    throw Error(code, std::move(message)).at(sources_, place_);
  }

  [[nodiscard]] bool sees(std::string_view mark, std::size_t at) const {
    return !mark.empty() && text_.substr(at).starts_with(mark);
  }
  [[nodiscard]] bool sees_escape(std::size_t at) const { return at < text_.size() && text_[at] == grammar_.escape; }
  /// The mark, or the mark behind one or two escapes.
  [[nodiscard]] bool sees_escaped(std::string_view mark, std::size_t at) const {
    for (std::size_t escapes = 0; escapes <= 2; ++escapes) {
      if (sees(mark, at + escapes)) return true;
      if (!sees_escape(at + escapes)) return false;
    }
    return false;
  }
  /// What ends a run of text besides an opening.
  [[nodiscard]] std::string_view other_mark(std::size_t depth) const {
    return depth == 0 ? grammar_.reserved : grammar_.closing;
  }

  // Recursion: bounded by kMostNested.
  ReferenceText parts(std::size_t depth) {
    if (depth > kMostNested)
      refuse("reference.syntax", fmt::format("references are nested more than {} levels deep", kMostNested));
    ReferenceText out;
    while (at_ < text_.size() && (depth == 0 || !sees(grammar_.closing, at_))) {
      if (sees(grammar_.opening, at_)) {
        out.push_back({.path = reference(depth)});
      } else if (depth == 0 && sees(grammar_.reserved, at_)) {
        out.push_back({.text = query(), .is_query = true});
      } else {
        out.push_back({.text = plain(depth)});
      }
    }
    return out;
  }

  ReferenceText reference(std::size_t depth) {
    at_ += grammar_.opening.size();
    ReferenceText path = parts(depth + 1);
    if (at_ >= text_.size())
      refuse("reference.syntax", fmt::format("a reference, {}…{}, is not closed", grammar_.opening, grammar_.closing));
    if (path.empty())
      refuse("reference.syntax", fmt::format("a reference, {}{}, has no path", grammar_.opening, grammar_.closing));
    at_ += grammar_.closing.size();
    return path;
  }

  std::string query() {
    const auto marks = [this] { return fmt::format("{}…{}", grammar_.reserved, grammar_.reserved_closing); };
    if (!grammar_.has_queries) refuse("reference.reserved", fmt::format("{} is not supported", marks()));
    const std::size_t begin = at_ + grammar_.reserved.size();
    const std::size_t end = text_.find(grammar_.reserved_closing, begin);
    if (end == std::string_view::npos) refuse("reference.syntax", fmt::format("a query, {}, is not closed", marks()));
    at_ = end + grammar_.reserved_closing.size();
    return std::string(text_.substr(begin, end - begin));
  }

  std::string plain(std::size_t depth) {
    const std::array marks{grammar_.opening, grammar_.closing, grammar_.reserved, grammar_.reserved_closing};
    if (sees_escape(at_) && sees_escape(at_ + 1) &&
        std::ranges::any_of(marks, [this](std::string_view mark) { return sees(mark, at_ + 2); })) {
      at_ += 2;
      return {grammar_.escape};
    }
    for (const std::string_view mark : {grammar_.opening, other_mark(depth)}) {
      if (!sees_escape(at_) || !sees(mark, at_ + 1)) continue;
      at_ += 1 + mark.size();
      return std::string(mark);
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && !sees_escaped(grammar_.opening, at_) && !sees_escaped(other_mark(depth), at_)) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  const ReferenceGrammar& grammar_;
  const Sources& sources_;
  Origin place_;
  std::size_t at_ = 0;
};

}  // namespace

bool may_refer(std::string_view text, const ReferenceGrammar& grammar) noexcept {
  // Most texts have nothing that begins as an opening does, and the other mark often begins alike.
  const bool is_alike = grammar.reserved.empty() || grammar.reserved.front() == grammar.opening.front();
  if (is_alike && text.find(grammar.opening.front()) == std::string_view::npos) return false;
  return text.find(grammar.opening) != std::string_view::npos ||
         (!grammar.reserved.empty() && text.find(grammar.reserved) != std::string_view::npos);
}

bool has_references(const ReferenceText& parts) noexcept {
  return std::ranges::any_of(parts, [](const ReferencePart& part) { return part.is_query || !part.path.empty(); });
}

ReferenceText parse_references(std::string_view text, const ReferenceGrammar& grammar, const Sources& sources,
                               Origin place) {
  return Parser(text, grammar, sources, place).run();
}

const Reference* reference_of(const Value& value) noexcept {
  return value.kind() == Kind::object ? dynamic_cast<const Reference*>(&value.as_object()) : nullptr;
}

Value with_references(Arena& arena, const Value& text, ReferenceText parts) {
  const Value made = has_references(parts) ? arena.object(std::make_shared<Reference>(text.text(), std::move(parts)))
                                           : arena.text(spelled(parts, [](const std::string&) { return ""; }));
  return made.with_origin(text.origin()).with_secret(text.is_secret());
}

std::vector<std::string_view> steps_of(std::string_view path, const ReferenceGrammar& grammar) {
  std::vector<std::string_view> steps;
  steps.reserve(static_cast<std::size_t>(std::ranges::count(path, grammar.separator)) + 1);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != grammar.separator || (i > 0 && path[i - 1] == grammar.escape)) continue;
    steps.push_back(path.substr(begin, i - begin));
    begin = i + 1;
  }
  steps.push_back(path.substr(begin));
  return steps;
}

std::optional<std::size_t> index_of(std::string_view step, std::size_t size) noexcept {
  constexpr std::string_view kSpace = " \t\n\r\f\v";
  const std::size_t first = step.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return std::nullopt;
  step = step.substr(first, step.find_last_not_of(kSpace) + 1 - first);
  if (step.starts_with('+') && !step.starts_with("+-")) step.remove_prefix(1);
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (error != std::errc() || end != step.data() + step.size()) return std::nullopt;
  if (index < 0) index += static_cast<std::int64_t>(size);
  if (index < 0 || index >= static_cast<std::int64_t>(size)) return std::nullopt;
  return static_cast<std::size_t>(index);
}

}  // namespace strata::text
