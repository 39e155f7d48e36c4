#include "strata/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace strata {
namespace {

Excerpt excerpt(const Sources& sources, Origin origin, std::string message = {}) {
  return {.place = sources.place(origin), .line = sources.line_of(origin), .message = std::move(message)};
}

constexpr std::size_t kWidest = 160;  ///< Code points of a source line that are shown.

/// The line with its number, and a caret below the column. Long lines are cut around the column; control characters are shown as `.`.
void append_line(std::string& out, const Excerpt& where) {
  if (where.line.empty() || !where.place.line || !where.place.column) return;
  std::vector<std::string> points;
  for (const char byte : where.line) {
    const auto c = static_cast<unsigned char>(byte);
    if ((c & 0xC0U) == 0x80U && !points.empty()) {
      points.back() += byte;
    } else {
      points.emplace_back(1, c < 0x20 || c == 0x7F ? (c == '\t' ? ' ' : '.') : byte);
    }
  }
  std::size_t column = *where.place.column - 1;
  std::size_t first = 0;
  if (points.size() > kWidest && column > kWidest / 2) first = std::min(column - kWidest / 2, points.size() - kWidest);
  column -= std::min(first, column);
  std::string shown;
  for (std::size_t i = first; i < std::min(points.size(), first + kWidest); ++i) shown += points[i];
  out += fmt::format("{:>5} | {}\n      | {:>{}}\n", *where.place.line, shown, "^", column + 1);
}

}  // namespace

Category category_of(std::string_view code) noexcept {
  if (code.starts_with("limit.")) return Category::limit;
  if (code == "session.cancelled") return Category::cancelled;
  return Category::input;
}

bool Error::ends_request() const noexcept { return category() == Category::cancelled || diagnostic_.code == "limit.time"; }

Error::Error(std::string code, std::string message)
    : diagnostic_{.code = std::move(code), .message = std::move(message), .where = {}, .notes = {}, .hint = {}} {}

Error&& Error::at(const Sources& sources, Origin origin) && {
  diagnostic_.where = excerpt(sources, origin);
  return std::move(*this);
}

Error&& Error::in(std::string file) && {
  diagnostic_.where.place.file = std::move(file);
  return std::move(*this);
}

Error&& Error::note(const Sources& sources, Origin origin, std::string message) && {
  diagnostic_.notes.push_back(excerpt(sources, origin, std::move(message)));
  return std::move(*this);
}

Error&& Error::hint(std::string text) && {
  diagnostic_.hint = std::move(text);
  return std::move(*this);
}

void Diagnostics::warn(std::string code, std::string message, std::string hint) {
  warn({.code = std::move(code), .message = std::move(message), .where = {}, .notes = {}, .hint = std::move(hint)});
}

std::string format(const Diagnostic& diagnostic, std::string_view severity) {
  const std::string place = diagnostic.where.place.to_string();
  std::string out = fmt::format("{}{}{}: {}", place, place.empty() ? "" : ": ", severity, diagnostic.message);
  if (!diagnostic.code.empty()) out += fmt::format(" [{}]", diagnostic.code);
  out += '\n';
  append_line(out, diagnostic.where);
  for (const Excerpt& note : diagnostic.notes) {
    const std::string other = note.place.to_string();
    out += fmt::format("{}{}note: {}\n", other, other.empty() ? "" : ": ", note.message);
    append_line(out, note);
  }
  if (!diagnostic.hint.empty()) out += fmt::format("hint: {}\n", diagnostic.hint);
  return out;
}

}  // namespace strata
