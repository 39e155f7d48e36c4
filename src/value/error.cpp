// SPDX-License-Identifier: Apache-2.0
#include "strata/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "strata/shown_text.hpp"

namespace strata {

Excerpt excerpt_at(const Sources& sources, Origin origin, std::string message) {
  Sources::LinePart line = sources.line_around(origin);
  return {.place = sources.place(origin), .line = std::move(line.text), .message = std::move(message), .cut = line.cut};
}

Excerpt excerpt_of_file(std::string file) {
  return {
      .place = {.file = std::move(file), .part = {}, .line = {}, .column = {}, .via = {}}, .line = {}, .message = {}};
}

namespace {

constexpr std::size_t kWidest = 160;  ///< Code points of a source line that are shown.

/// The line with its number, and a caret below the column. Long lines are cut around the column; control characters are
/// shown as `.`.
void append_line(std::string& out, const Excerpt& where) {
  if (where.line.empty() || !where.place.line || where.place.column.value_or(0) <= where.cut) return;
  std::vector<std::string> points;
  for (const char byte : where.line) {
    const auto c = static_cast<unsigned char>(byte);
    if ((c & 0xC0U) == 0x80U && !points.empty()) {
      points.back() += byte;
    } else {
      points.emplace_back(1, c < 0x20 || c == 0x7F ? (c == '\t' ? ' ' : '.') : byte);
    }
  }
  for (std::string& point : points) {
    if (point.size() == 2 && point >= "\xC2\x80" && point < "\xC2\xA0") point = ".";
  }
  std::size_t column = *where.place.column - 1 - where.cut;
  std::size_t first = 0;
  if (points.size() > kWidest && column > kWidest / 2) first = std::min(column - kWidest / 2, points.size() - kWidest);
  column -= std::min(first, column);
  std::string shown;
  for (std::size_t i = first; i < std::min(points.size(), first + kWidest); ++i) shown += points[i];
  out += fmt::format("{:>5} | {}\n      | {:>{}}\n", *where.place.line, shown, "^", column + 1);
}

/// A text with names in it, which may have line breaks.
std::string plain(std::string_view text) { return escaped(on_one_line(text)); }

/// Messages that are texts of a user's own code may have several lines. None of them passes for a line of a report.
bool is_own_text(std::string_view code) {
  constexpr std::array<std::string_view, 12> kCodes{
      "extension.failed", "extension.warning", "lua.runtime", "puppet.alert", "puppet.crit",   "puppet.debug",
      "puppet.emerg",     "puppet.err",        "puppet.fail", "puppet.info",  "puppet.notice", "puppet.warning"};
  static_assert(std::ranges::is_sorted(kCodes));
  return std::ranges::binary_search(kCodes, code);
}

std::string shown_message(const Diagnostic& diagnostic) {
  if (!is_own_text(diagnostic.code)) return plain(diagnostic.message);
  std::string out;
  for (std::string_view rest = diagnostic.message;;) {
    const std::size_t end = rest.find('\n');
    out += plain(rest.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += "\n      | ";
    rest.remove_prefix(end + 1);
  }
}

void append_place(std::string& out, const Excerpt& where) {
  const std::string place = plain(where.place.to_string());
  if (place.empty()) return;
  // Lines that begin with colons are commands to some readers of logs.
  const std::size_t first = place.find_first_not_of(" \t");
  if (first != std::string::npos && place[first] == ':') out += "./";
  out += place + ": ";
}

void append_notes(std::string& out, const Diagnostic& diagnostic) {
  for (const Excerpt& note : diagnostic.notes) {
    append_place(out, note);
    out += fmt::format("note: {}\n", plain(note.message));
    append_line(out, note);
  }
}

struct CodeCategory {
  std::string_view code;  ///< A code, or a family that ends with a dot.
  Category category;
};

/// A code's own row counts before its family's; what has neither is input. The same rows as in docs/errors.md,
/// "Categories".
constexpr std::array kCategories{
    CodeCategory{"analysis.limit", Category::limit},
    CodeCategory{"base.", Category::configuration},
    CodeCategory{"bindings.boot", Category::configuration},
    CodeCategory{"bindings.confdir", Category::configuration},
    CodeCategory{"bindings.no-value", Category::not_found},
    CodeCategory{"bindings.not-bound", Category::not_found},
    CodeCategory{"bundle.base-url", Category::configuration},
    CodeCategory{"bundle.fetch", Category::not_found},
    CodeCategory{"bundle.network", Category::configuration},
    CodeCategory{"call.", Category::configuration},
    CodeCategory{"category.", Category::configuration},
    CodeCategory{"check.baseline", Category::configuration},
    CodeCategory{"check.config", Category::configuration},
    CodeCategory{"cloud-config.empty", Category::not_found},
    CodeCategory{"config.", Category::configuration},
    CodeCategory{"crypto.", Category::internal},
    CodeCategory{"deckhand.missing", Category::not_found},
    CodeCategory{"deckhand.passphrase", Category::configuration},
    CodeCategory{"deckhand.repository", Category::configuration},
    CodeCategory{"deckhand.site", Category::not_found},
    CodeCategory{"edit.not-found", Category::not_found},
    CodeCategory{"enc.failed", Category::internal},
    CodeCategory{"enc.no-node", Category::configuration},
    CodeCategory{"environment.", Category::configuration},
    CodeCategory{"environment.missing", Category::not_found},
    CodeCategory{"explain.path", Category::not_found},
    CodeCategory{"explore.effect", Category::not_found},
    CodeCategory{"explore.file", Category::not_found},
    CodeCategory{"explore.item", Category::not_found},
    CodeCategory{"explore.none", Category::not_found},
    CodeCategory{"explore.project", Category::not_found},
    CodeCategory{"explore.question", Category::configuration},
    CodeCategory{"explore.subject", Category::not_found},
    CodeCategory{"extension.", Category::script},
    CodeCategory{"extension.unavailable", Category::internal},
    CodeCategory{"fleet.folder", Category::not_found},
    CodeCategory{"git.", Category::internal},
    CodeCategory{"git.no-repository", Category::not_found},
    CodeCategory{"git.revision", Category::not_found},
    CodeCategory{"heat.missing-file", Category::not_found},
    CodeCategory{"hiera.config", Category::configuration},
    CodeCategory{"hiera.environment", Category::configuration},
    CodeCategory{"hiera.environment-conf", Category::configuration},
    CodeCategory{"hiera.function", Category::configuration},
    CodeCategory{"hiera.function-options", Category::configuration},
    CodeCategory{"hiera.glob", Category::configuration},
    CodeCategory{"hiera.key-not-found", Category::not_found},
    CodeCategory{"hiera.merge-options", Category::configuration},
    CodeCategory{"hiera.not-found", Category::not_found},
    CodeCategory{"hiera.version", Category::configuration},
    CodeCategory{"host.missing", Category::not_found},
    CodeCategory{"host.stdin-twice", Category::configuration},
    CodeCategory{"http.", Category::internal},
    CodeCategory{"include.fetch", Category::internal},
    CodeCategory{"include.missing", Category::not_found},
    CodeCategory{"include.network", Category::configuration},
    CodeCategory{"include.unavailable", Category::internal},
    CodeCategory{"layer.", Category::configuration},
    CodeCategory{"layer.missing", Category::not_found},
    CodeCategory{"limit.", Category::limit},
    CodeCategory{"log.no-history", Category::not_found},
    CodeCategory{"lua.", Category::script},
    CodeCategory{"map.place", Category::not_found},
    CodeCategory{"merger.", Category::configuration},
    CodeCategory{"output.", Category::internal},
    CodeCategory{"part.missing", Category::not_found},
    CodeCategory{"plugin.protocol", Category::script},
    CodeCategory{"program.", Category::internal},
    CodeCategory{"puppet.file", Category::not_found},
    CodeCategory{"query.failed", Category::internal},
    CodeCategory{"query.no-service", Category::configuration},
    CodeCategory{"query.unavailable", Category::internal},
    CodeCategory{"reclass.config", Category::configuration},
    CodeCategory{"reclass.folder", Category::not_found},
    CodeCategory{"reclass.node", Category::not_found},
    CodeCategory{"service.", Category::configuration},
    CodeCategory{"service.behind", Category::limit},
    CodeCategory{"service.busy", Category::limit},
    CodeCategory{"service.deadline", Category::limit},
    CodeCategory{"service.internal", Category::internal},
    CodeCategory{"service.log", Category::internal},
    CodeCategory{"service.too-many", Category::limit},
    CodeCategory{"session.cancelled", Category::cancelled},
    CodeCategory{"set.impossible", Category::not_found},
    CodeCategory{"set.place", Category::configuration},
    CodeCategory{"set.selector", Category::configuration},
    CodeCategory{"set.verb", Category::configuration},
    CodeCategory{"site.file", Category::not_found},
    CodeCategory{"site.key", Category::not_found},
    CodeCategory{"site.no-generation", Category::not_found},
    CodeCategory{"site.node", Category::not_found},
    CodeCategory{"site.unknown", Category::not_found},
    CodeCategory{"store.", Category::internal},
    CodeCategory{"store.deadline", Category::limit},
    CodeCategory{"store.export", Category::input},
    CodeCategory{"store.key", Category::configuration},
    CodeCategory{"store.missing", Category::not_found},
    CodeCategory{"store.no-key", Category::configuration},
    CodeCategory{"store.not-empty", Category::configuration},
    CodeCategory{"store.text", Category::input},
    CodeCategory{"store.url", Category::configuration},
    CodeCategory{"strategy.", Category::configuration},
    CodeCategory{"template.no-data", Category::configuration},
    CodeCategory{"token.unknown", Category::not_found},
    CodeCategory{"tree.", Category::internal},
    CodeCategory{"usage.", Category::configuration},
    CodeCategory{"vendor-data.", Category::configuration},
    CodeCategory{"workspace.", Category::configuration},
    CodeCategory{"workspace.folder", Category::not_found},
    CodeCategory{"workspace.project", Category::not_found},
};
static_assert(std::ranges::is_sorted(kCategories, {}, &CodeCategory::code));

const CodeCategory* find_category(std::string_view code_or_family) noexcept {
  const auto* const row = std::ranges::lower_bound(kCategories, code_or_family, {}, &CodeCategory::code);
  return row != kCategories.end() && row->code == code_or_family ? row : nullptr;
}

}  // namespace

Category category_of(std::string_view code) noexcept {
  const CodeCategory* row = find_category(code);
  const std::size_t dot = code.find('.');
  if (row == nullptr && dot != std::string_view::npos) row = find_category(code.substr(0, dot + 1));
  return row == nullptr ? Category::input : row->category;
}

Limit limit_of(std::string_view code) noexcept {
  constexpr std::string_view kFamily = "limit.";
  if (!code.starts_with(kFamily)) return category_of(code) == Category::limit ? Limit::other : Limit::none;
  const std::string_view name = code.substr(kFamily.size());
  return name == "depth"                                ? Limit::depth
         : name == "result"                             ? Limit::result
         : name == "steps"                              ? Limit::steps
         : name == "time"                               ? Limit::time
         : name == "processor-time" || name == "memory" ? Limit::budget
                                                        : Limit::other;
}

bool Error::gives_up() const noexcept { return category() == Category::limit || category() == Category::cancelled; }

bool Error::ends_request() const noexcept {
  return category() == Category::cancelled || limit() == Limit::time || limit() == Limit::budget;
}

Error::Error(std::string_view code, std::string message)
    : diagnostic_{.code = std::string(code),
                  .message = std::move(message),
                  .where = {},
                  .notes = {},
                  .hint = {},
                  .cause = {}} {}
Error::Error(Diagnostic diagnostic) noexcept : diagnostic_(std::move(diagnostic)) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&& other) noexcept {
  if (this != &other) {
    diagnostic_ = std::move(other.diagnostic_);
    further_ = std::move(other.further_);
  }
  return *this;
}
Error::~Error() = default;

const char* Error::what() const noexcept { return diagnostic_.message.c_str(); }

Error& Error::with_further(std::vector<Diagnostic> further) & {
  if (further_) further.insert(further.begin(), further_->begin(), further_->end());
  if (!further.empty()) further_ = std::make_shared<const std::vector<Diagnostic>>(std::move(further));
  return *this;
}

std::vector<Diagnostic> Error::all() const {
  std::vector<Diagnostic> out{diagnostic_};
  if (further_) out.insert(out.end(), further_->begin(), further_->end());
  return out;
}

Errors::Errors(const std::vector<Diagnostic>& all) : Error(all.front()) { with_further({all.begin() + 1, all.end()}); }
Errors::Errors(const Errors&) = default;
Errors::Errors(Errors&&) noexcept = default;
Errors& Errors::operator=(const Errors&) = default;
Errors& Errors::operator=(Errors&&) noexcept = default;
Errors::~Errors() = default;

Error&& Error::at(const Sources& sources, Origin origin) && { return std::move(at(sources, origin)); }
Error&& Error::in(std::string file) && { return std::move(in(std::move(file))); }
Error&& Error::note(const Sources& sources, Origin origin, std::string message) && {
  return std::move(note(sources, origin, std::move(message)));
}
Error&& Error::hint(std::string text) && { return std::move(hint(std::move(text))); }
Error&& Error::because(const Error& cause) && { return std::move(because(cause)); }

Error& Error::at(const Sources& sources, Origin origin) & {
  diagnostic_.where = excerpt_at(sources, origin);
  return *this;
}

Error& Error::in(std::string file) & {
  diagnostic_.where.place.file = std::move(file);
  return *this;
}

Error& Error::note(const Sources& sources, Origin origin, std::string message) & {
  diagnostic_.notes.push_back(excerpt_at(sources, origin, std::move(message)));
  return *this;
}

Error& Error::hint(std::string text) & {
  diagnostic_.hint = std::move(text);
  return *this;
}

Error& Error::because(const Error& cause) & {
  diagnostic_.cause = std::make_shared<const Diagnostic>(cause.diagnostic());
  return *this;
}

Error& Error::without_lines() & {
  diagnostic_.where.line.clear();
  for (Excerpt& note : diagnostic_.notes) note.line.clear();
  for (std::shared_ptr<const Diagnostic>* at = &diagnostic_.cause; *at != nullptr;) {
    const auto own = std::make_shared<Diagnostic>(**at);
    own->where.line.clear();
    for (Excerpt& note : own->notes) note.line.clear();
    *at = own;
    at = &own->cause;
  }
  return *this;
}

void Diagnostics::warn(std::string_view code, std::string message, std::string hint) {
  warn({.code = std::string(code), .message = std::move(message), .where = {}, .notes = {}, .hint = std::move(hint)});
}

void Diagnostics::warn(Diagnostic diagnostic) {
  if (warnings_.size() < kMost) {
    warnings_.push_back(std::move(diagnostic));
    return;
  }
  ++more_;
  std::string message =
      fmt::format("there {} {} more warning{}", more_ == 1 ? "is" : "are", more_, more_ == 1 ? "" : "s");
  if (more_ == 1)
    warnings_.push_back({.code = "diagnostics.more", .message = {}, .where = {}, .notes = {}, .hint = {}});
  warnings_.back().message = std::move(message);
}

std::string format(const Diagnostic& diagnostic, std::string_view severity) {
  std::string out;
  for (const Diagnostic* one = &diagnostic; one != nullptr; one = one->cause.get()) {
    append_place(out, one->where);
    out += fmt::format("{}: {}", one == &diagnostic ? severity : "cause", shown_message(*one));
    if (!one->code.empty()) out += fmt::format(" [{}]", one->code);
    out += '\n';
    append_line(out, one->where);
    append_notes(out, *one);
  }
  if (!diagnostic.hint.empty()) out += fmt::format("hint: {}\n", plain(diagnostic.hint));
  return out;
}

}  // namespace strata
