#include "reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "strata/error.hpp"

namespace strata::reclass {
namespace {

constexpr std::array<std::string_view, 4> kMarks{"${", "}", "$[", "]"};

[[noreturn]] void refuse(std::string message) { throw Error("reclass.reference", std::move(message)); }

/// The grammar of reclass's parser: what ends a run of plain text differs inside of references, and escapes count only where a run begins.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  ReferenceText run() { return parts(0); }

 private:
  [[nodiscard]] bool sees(std::string_view mark, std::size_t at) const { return text_.substr(at).starts_with(mark); }
  /// The mark, or the mark behind one or two backslashes.
  [[nodiscard]] bool sees_escaped(std::string_view mark, std::size_t at) const {
    for (std::size_t slashes = 0; slashes <= 2; ++slashes) {
      if (sees(mark, at + slashes)) return true;
      if (!sees("\\", at + slashes)) return false;
    }
    return false;
  }

  ReferenceText parts(std::size_t depth) {
    if (depth > kMostNested) refuse(fmt::format("references are nested more than {} levels deep", kMostNested));
    ReferenceText out;
    while (at_ < text_.size() && (depth == 0 || !sees("}", at_))) {
      if (sees("${", at_)) {
        out.push_back({.path = reference(depth)});
      } else if (depth == 0 && sees("$[", at_)) {
        throw Error("reclass.query", "queries of other nodes, $[…], are not supported");
      } else {
        out.push_back({.text = plain(depth)});
      }
    }
    return out;
  }

  ReferenceText reference(std::size_t depth) {
    at_ += 2;
    ReferenceText path = parts(depth + 1);
    if (at_ >= text_.size()) refuse("a reference, ${…}, is not closed");
    if (path.empty()) refuse("a reference, ${}, has no path");
    ++at_;
    return path;
  }

  std::string plain(std::size_t depth) {
    if (sees("\\\\", at_) && std::ranges::any_of(kMarks, [this](std::string_view mark) { return sees(mark, at_ + 2); })) {
      at_ += 2;
      return "\\";
    }
    const auto escaped = [&](std::string_view mark) { return sees("\\", at_) && sees(mark, at_ + 1); };
    for (const std::string_view mark : {std::string_view("${"), depth == 0 ? std::string_view("$[") : std::string_view("}")}) {
      if (!escaped(mark)) continue;
      at_ += 1 + mark.size();
      return std::string(mark);
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && !sees_escaped("${", at_) && !sees_escaped(depth == 0 ? "$[" : "}", at_)) ++at_;
    if (at_ == begin) refuse("a backslash stands before a reference that begins or ends nowhere");
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const Reference* reference_of(const Value& value) noexcept {
  return value.kind() == Kind::object ? dynamic_cast<const Reference*>(&value.as_object()) : nullptr;
}

bool may_refer(std::string_view text) noexcept {
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    if (text.substr(at).starts_with("${") || text.substr(at).starts_with("$[")) return true;
  }
  return false;
}

ReferenceText parse_references(std::string_view text) { return Parser(text).run(); }

bool has_references(const ReferenceText& parts) noexcept {
  return std::ranges::any_of(parts, [](const ReferencePart& part) { return !part.path.empty(); });
}

std::vector<std::string_view> steps_of(std::string_view path) {
  std::vector<std::string_view> steps;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != ':' || (i > 0 && path[i - 1] == '\\')) continue;
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

}  // namespace strata::reclass
