// SPDX-License-Identifier: Apache-2.0
#include "service/explore/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/secret_texts.hpp"
#include "report/lines.hpp"
#include "service/entity_tags.hpp"
#include "service/json.hpp"
#include "service/packing.hpp"
#include "strata/report.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"

namespace strata::service::explore {
namespace {

/// Whether JSON has a form for all of a value, and nothing of it is secret.
// Recursion: bounded by Limits::depth.
bool is_plain(const Value& value) {
  if (value.is_secret()) return false;
  if (value.kind() == Kind::floating) return std::isfinite(value.as_floating());
  if (value.is_sequence()) return std::ranges::all_of(value.items(), is_plain);
  if (!value.is_container()) return true;
  return value.is_mapping() && std::ranges::all_of(value.entries(), [](const Entry& one) {
           return one.key.is_text() && is_plain(one.value);
         });
}

/// Where it was cut, columns do not count in it.
Value line_value(Arena& arena, const Excerpt& one, const ErrorLines& lines) {
  return one.cut == 0 && !one.line.empty() && lines.are_shown() ? arena.text(one.line) : Value::null();
}

Value excerpt_value(Arena& arena, const Excerpt& one, const ErrorLines& lines) {
  MappingBuilder out(arena);
  out.insert("message", arena.text(one.message));
  out.insert("file", text_or_null(arena, one.place.file));
  out.insert("line", one.place.line ? Value::integer(*one.place.line) : Value::null());
  out.insert("column", one.place.column ? Value::integer(*one.place.column) : Value::null());
  out.insert("excerpt", line_value(arena, one, lines));
  return out.finish();
}

}  // namespace

bool ErrorLines::are_shown() const {
  if (are_shown_) return *are_shown_;
  const auto has_no_secrets = [this] {
    const Query& query = call_->request.query;
    // They may quote lines of another revision, which was never searched for secrets.
    if (call_->captures.empty() || query.find("against") != nullptr || call_->request.path.ends_with("/compare"))
      return false;
    try {
      return !view_of(*call_, *source_)->secret_texts(call_->stop).may_have_some();
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return false;
    }
  };
  are_shown_ = source_->shows_unused(*call_) || has_no_secrets();
  return *are_shown_;
}

std::shared_ptr<const View> view_of(const Call& call, Source& source) {
  const std::string* at = call.request.query.find("at");
  return source.view(call, call[0], at == nullptr ? std::string() : *at);
}

std::string subject_of(const Call& call) {
  std::string out = call[1];
  const std::size_t dots = out.find_first_not_of('~');
  const bool is_led =
      dots != 0 && dots != std::string::npos &&
      (out.compare(dots, std::string::npos, ".") == 0 || out.compare(dots, std::string::npos, "..") == 0);
  if (is_led) out.erase(0, 1);
  return out;
}

// Recursion: bounded by Limits::depth.
Value shown_value(Arena& arena, const Value& value) {
  if (is_plain(value)) return value;
  if (value.is_secret()) return json_object(arena, {{"secret", Value::boolean(true)}});
  if (value.kind() == Kind::floating) return arena.text(scalar_text(value));
  if (value.is_sequence()) {
    SequenceBuilder out(arena, value.size());
    for (const Value& item : value.items()) out.append(shown_value(arena, item));
    return out.finish();
  }
  if (!value.is_container()) return value;
  MappingBuilder out(arena, KeyEquality::exact, value.size());
  for (const Entry& entry : value.entries()) {
    const std::string key = entry.key.is_secret() ? std::string(report::kMask) : key_text(entry.key);
    if (value.kind() == Kind::set) {
      out.insert(key, Value::null());
    } else {
      out.insert(key, shown_value(arena, entry.value));
    }
  }
  return out.finish();
}

void insert_value(Arena& arena, MappingBuilder& out, const Value& value) {
  out.insert("value", shown_value(arena, value));
  if (value.is_secret()) out.insert("secret", Value::boolean(true));
}

Value number(std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); }

Value text_or_null(Arena& arena, std::string_view text) { return text.empty() ? Value::null() : arena.text(text); }

Value place_value(Arena& arena, const Place& place) {
  MappingBuilder out(arena);
  report::insert_place(arena, out, place);
  return out.finish();
}

Value diagnostic_value(Arena& arena, const Diagnostic& what, std::string_view severity, const ErrorLines& lines) {
  MappingBuilder out(arena);
  out.insert("code", arena.text(what.code));
  out.insert("severity", arena.text(severity));
  std::string message = what.message;
  for (const Diagnostic* cause = what.cause.get(); cause != nullptr; cause = cause->cause.get())
    message += ": " + cause->message;
  out.insert("message", arena.text(message));
  const Excerpt& where = what.where;
  out.insert("file", text_or_null(arena, where.place.file));
  out.insert("line", where.place.line ? Value::integer(*where.place.line) : Value::null());
  out.insert("column", where.place.column ? Value::integer(*where.place.column) : Value::null());
  out.insert("excerpt", line_value(arena, where, lines));
  SequenceBuilder notes(arena, what.notes.size());
  for (const Excerpt& note : what.notes) notes.append(excerpt_value(arena, note, lines));
  out.insert("notes", notes.finish());
  out.insert("hint", text_or_null(arena, what.hint));
  return out.finish();
}

Value diagnostics_value(Arena& arena, const Error& error, const ErrorLines& lines) {
  SequenceBuilder out(arena);
  for (const Diagnostic& one : error.all()) out.append(diagnostic_value(arena, one, "error", lines));
  return out.finish();
}

Value warnings_of(Arena& arena, const std::vector<Diagnostic>& warnings, const ErrorLines& lines) {
  SequenceBuilder out(arena);
  std::set<std::string> known;
  for (const Diagnostic& warning : warnings) {
    if (known.insert(format(warning, "")).second) out.append(diagnostic_value(arena, warning, "warning", lines));
  }
  return out.finish();
}

Value findings_value(Arena& arena, const analysis::CheckReport& report) {
  return *analysis::check_data(arena, report, true).find("findings");
}

Response answer(const Call& call, MappingBuilder& out, std::int64_t generation) {
  out.insert("generation", Value::integer(generation));
  std::string body;
  text::append_json(body, out.finish(), {.sort_keys = false, .indent = -1});
  body += '\n';
  return tagged(call, entity_tag(body), body);
}

Response text_answer(const Call& call, std::string_view type, const std::string& text) {
  Response out = tagged(call, "W/" + entity_tag(text), text);
  if (out.status != 200) return out;
  out.headers.set("Content-Type", std::string(type) + "; charset=utf-8");
  pack_for(call.request, out);
  return out;
}

Edits read_draft(const View& view, const Value& files) {
  if (!files.is_mapping()) throw Error("request.body", "'files' is an object of texts by path");
  Edits out;
  for (const Entry& entry : files.entries()) {
    const std::string path = view.editable_path(entry.key.text());
    if (entry.value.is_null()) {
      out.emplace(path, std::nullopt);
    } else if (entry.value.is_text()) {
      out.emplace(path, std::string(entry.value.text()));
    } else {
      throw Error("request.body", "'files' is an object of texts by path; null deletes");
    }
  }
  return out;
}

std::string text_member(const Value& body, std::string_view name) {
  const Value* value = body.find(name);
  if (value == nullptr || value->is_null()) return {};
  if (!value->is_text()) throw Error("request.body", fmt::format("'{}' is a text, or null", name));
  return std::string(value->text());
}

bool is_open(const View& view, const std::string& path, const Stop& stop) {
  const std::optional<std::string> text = view.tree().read(path);
  const analysis::CoveredFile* known = view.covered(path, stop);
  if (!text || known == nullptr || known->text != *text) return false;
  return view.secret_texts(stop).shown(path, *text) == *text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& one : out) {
    if (one >= 'A' && one <= 'Z') one = static_cast<char>(one - 'A' + 'a');
  }
  return out;
}

Filter::Filter(std::string_view text) {
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    if (word.size() > 1 && word.front() == '-') {
      without_.push_back(lower(word.substr(1)));
    } else {
      with_.push_back(lower(word));
    }
  }
}

bool Filter::takes(std::string_view text) const {
  const std::string folded = lower(text);
  const auto holds = [&folded](const std::string& word) { return folded.find(word) != std::string::npos; };
  return std::ranges::all_of(with_, holds) && std::ranges::none_of(without_, holds);
}

}  // namespace strata::service::explore
